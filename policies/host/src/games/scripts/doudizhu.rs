//! Games of Dou Dizhu.

use doudizhu::{CardSet, DouDizhuEvent, DouDizhuRules, DouDizhuSeat, DouDizhuSeatState};

/// As seat 0 hears of them: as the landlord and as a peasant.
pub(in crate::games) fn scripts() -> Vec<(DouDizhuSeatState, Vec<DouDizhuEvent>)> {
    let games = [as_landlord(), as_peasant()];
    games
        .map(|game| (DouDizhuSeatState::new(DouDizhuRules::BIDDING), game))
        .into()
}

/// 3333 4444 555 666 77 8, to which a 9 and both jokers come.
const RICH: [u8; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17, 20];
/// 33445566 and one of each rank from the seven to the two.
const LONG: [u8; 17] = [0, 1, 4, 5, 8, 9, 12, 13, 16, 20, 24, 28, 32, 36, 40, 44, 48];

/// The seats bid, the own one leads with everything that there is, and answers a pair.
fn as_landlord() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal {
            seat: own,
            hand: cards(RICH),
        },
        DouDizhuEvent::Bid { seat: own, bid: 3 },
        DouDizhuEvent::Landlord {
            seat: own,
            public: cards([24, 52, 53]),
        },
        DouDizhuEvent::Play {
            seat: own,
            cards: cards([24]),
        },
        DouDizhuEvent::Play {
            seat: next,
            cards: cards([29]),
        },
        DouDizhuEvent::Play {
            seat: last,
            cards: CardSet::EMPTY,
        },
        DouDizhuEvent::Play {
            seat: own,
            cards: cards([52, 53]),
        },
        DouDizhuEvent::Play {
            seat: next,
            cards: CardSet::EMPTY,
        },
        DouDizhuEvent::Play {
            seat: last,
            cards: CardSet::EMPTY,
        },
    ]
}

/// Another seat bids higher; the own one answers its landlord and, after its partner has played,
/// only the landlord.
fn as_peasant() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal {
            seat: own,
            hand: cards(LONG),
        },
        DouDizhuEvent::Bid { seat: own, bid: 1 },
        DouDizhuEvent::Bid { seat: next, bid: 3 },
        DouDizhuEvent::Landlord {
            seat: next,
            public: cards([17, 21, 52]),
        },
        DouDizhuEvent::Play {
            seat: next,
            cards: cards([17]),
        },
        DouDizhuEvent::Play {
            seat: last,
            cards: CardSet::EMPTY,
        },
        DouDizhuEvent::Play {
            seat: own,
            cards: cards([20]),
        },
        DouDizhuEvent::Play {
            seat: next,
            cards: CardSet::EMPTY,
        },
        DouDizhuEvent::Play {
            seat: last,
            cards: cards([25]),
        },
    ]
}

fn seats() -> [DouDizhuSeat; 3] {
    let first = DouDizhuSeat::FIRST;
    [first, first.next(), first.after(2)]
}

fn cards<const COUNT: usize>(numbers: [u8; COUNT]) -> CardSet {
    numbers
        .into_iter()
        .filter_map(doudizhu::Card::new)
        .collect()
}

#[cfg(test)]
mod tests {
    use policy_abi::card::{
        CARD_ACTION_PASS, CARD_REQUEST_ANSWER, CARD_REQUEST_BID, CARD_REQUEST_LEAD, CardView,
    };

    use crate::games::GameKind;
    use crate::view::Asked;

    #[test]
    fn the_games_ask_for_bids_leads_and_answers() {
        let asked: Vec<(u8, u8)> =
            (GameKind::DouDizhu.definition().admission_views)(3, Asked::default())
                .iter()
                .map(|view| {
                    let (view, legal, _) = view.typed::<CardView>();
                    (view.request, legal[0].kind)
                })
                .collect();
        let requests: Vec<u8> = asked.iter().map(|&(request, _)| request).collect();
        let (bid, lead, answer) = (CARD_REQUEST_BID, CARD_REQUEST_LEAD, CARD_REQUEST_ANSWER);
        assert_eq!(requests, [bid, lead, answer, lead, bid, answer, answer]);
        assert_eq!(asked[2].1, CARD_ACTION_PASS, "the first is always safe");
    }
}
