//! Records of Dou Dizhu. Cards are Botzone's numbers, 0 to 53; a possible play is listed by its
//! ranks.

use doudizhu::round::staked_scores;
use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuEnd, DouDizhuEvent, DouDizhuPlay, DouDizhuRound,
    DouDizhuRules, DouDizhuSeat, RankCounts,
};
use riichi::Seat;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{
    EntryOf, GameOutcome, LineForm, RecordEnd, RecordForm, RecordStart, RecordedEntry,
    RecordedGame, raw,
};

/// More bombs and rockets than 54 cards hold, and a spring.
const MAX_DOUBLED: f64 = 16.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DouDizhuRecordForm;

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum DouDizhuRecordLine {
    StartGame(RecordStart),
    EndGame(RecordEnd),
    Deal {
        hands: Vec<Option<Vec<u64>>>,
    },
    Bid {
        actor: u64,
        bid: u8,
    },
    Landlord {
        actor: u64,
        public: Vec<u64>,
    },
    /// A pass, without cards.
    Play {
        actor: u64,
        cards: Vec<u64>,
    },
    #[serde(other)]
    Other,
}

fn numbers(cards: CardSet) -> Vec<u64> {
    cards.iter().map(|card| u64::from(card.number())).collect()
}

fn cards(numbers: &[u64]) -> Result<CardSet, String> {
    let mut cards = CardSet::EMPTY;
    for &number in numbers {
        let card = u8::try_from(number).ok().and_then(Card::new);
        let card = card.ok_or_else(|| format!("card {number} is not one; allowed are 0 to 53"))?;
        if !cards.insert(card) {
            return Err(format!("card {number} is there twice"));
        }
    }
    Ok(cards)
}

fn seat(actor: u64) -> Result<DouDizhuSeat, String> {
    let seat = u8::try_from(actor).ok().and_then(DouDizhuSeat::new);
    seat.ok_or_else(|| format!("`actor` is {actor}, and allowed are 0 to 2"))
}

const fn number(seat: DouDizhuSeat) -> u64 {
    seat.index() as u64
}

fn rules_of(events: &[DouDizhuEvent]) -> DouDizhuRules {
    let bidding = matches!(events.first(), Some(DouDizhuEvent::Bid { .. }));
    if bidding {
        DouDizhuRules::BIDDING
    } else {
        DouDizhuRules::FIXED
    }
}

/// The public part of a game; `None` if an event is against the rules.
fn round_of(record: &RecordedGame<DouDizhuRecordForm>) -> Option<DouDizhuRound> {
    let mut round = DouDizhuRound::new(rules_of(&record.events));
    for event in &record.events {
        match *event {
            DouDizhuEvent::Bid { bid, .. } => round.bid(bid).ok()?,
            DouDizhuEvent::Landlord { seat, public } => round.begin(seat, public).ok()?,
            DouDizhuEvent::Play { cards, .. } => round.play(cards).ok()?,
            _ => {}
        }
    }
    Some(round)
}

/// The scores that are most like these: with bidding a multiple of the bid, or those of faults;
/// without it those of the two peasants are equal.
fn scores_like(round: &DouDizhuRound, landlord: DouDizhuSeat, scores: &[f64]) -> Vec<Vec<f64>> {
    let score = |seat: DouDizhuSeat| scores.get(seat.index()).copied().unwrap_or_default();
    let of_peasant = score(landlord.next());
    if round.bids().is_empty() {
        let mut expected = vec![of_peasant; DouDizhuSeat::COUNT];
        expected[landlord.index()] = score(landlord);
        return vec![expected];
    }
    let bid = f64::from(round.highest_bid().max(1));
    let doubled = (of_peasant.abs() / bid)
        .log2()
        .round()
        .clamp(0.0, MAX_DOUBLED);
    let stake = (bid * doubled.exp2()).copysign(of_peasant);
    vec![
        staked_scores(landlord, stake).to_vec(),
        round.fault_scores(landlord).to_vec(),
    ]
}

/// The outcome of a game whose last cards are not known.
fn outcome_by_scores(round: &DouDizhuRound, scores: &[f64]) -> Option<GameOutcome> {
    let landlord = round.landlord()?;
    let (of_landlord, of_peasant) = (
        *scores.get(landlord.index())?,
        *scores.get(landlord.next().index())?,
    );
    let bidding = !round.bids().is_empty();
    // Without a last card all seats lose with bidding, and without it the side at fault, whose
    // points are otherwise not negative.
    let has_last_card = if bidding {
        of_landlord == -2.0 * of_peasant
    } else {
        of_landlord >= 0.0 && of_peasant >= 0.0
    };
    if has_last_card {
        return (of_landlord != of_peasant).then(|| GameOutcome::LastCard {
            landlord: landlord.index(),
            landlord_won: of_landlord > of_peasant,
            bid: bidding.then(|| round.highest_bid()),
            bombs: None,
            spring: None,
            stake: bidding.then_some(of_peasant.abs()),
        });
    }
    // Of two peasants it is not known whose fault it was.
    (!bidding && of_landlord < 0.0).then(|| GameOutcome::Fault {
        seat: landlord.index(),
    })
}

impl LineForm for DouDizhuRecordForm {
    type Event = DouDizhuEvent;
    type Action = DouDizhuAction;
    type Facts = ();
    type Earlier = ();
    const IS_DEAL_APART: bool = true;

    fn deal_line(deals: &[Option<DouDizhuEvent>]) -> Option<String> {
        let hand = |deal: &Option<DouDizhuEvent>| match deal {
            Some(DouDizhuEvent::Deal { hand, .. }) => Some(numbers(*hand)),
            _ => None,
        };
        Some(super::json(&DouDizhuRecordLine::Deal {
            hands: deals.iter().map(hand).collect(),
        }))
    }

    fn event_line(event: &DouDizhuEvent) -> Option<String> {
        Some(super::json(&match *event {
            DouDizhuEvent::Bid { seat, bid } => DouDizhuRecordLine::Bid {
                actor: number(seat),
                bid,
            },
            DouDizhuEvent::Landlord { seat, public } => DouDizhuRecordLine::Landlord {
                actor: number(seat),
                public: numbers(public),
            },
            DouDizhuEvent::Play { seat, cards } => DouDizhuRecordLine::Play {
                actor: number(seat),
                cards: numbers(cards),
            },
            _ => return None,
        }))
    }

    fn read(line: &str, (): &mut ()) -> Result<Option<EntryOf<Self>>, String> {
        let event = match serde_json::from_str(line).map_err(|error| error.to_string())? {
            DouDizhuRecordLine::StartGame(start) => {
                return Ok(Some(RecordedEntry::Started(start, None)));
            }
            DouDizhuRecordLine::EndGame(end) => return Ok(Some(RecordedEntry::Ended(end))),
            DouDizhuRecordLine::Deal { hands } => {
                if hands.len() != Self::SEATS {
                    return Err(format!(
                        "`hands` are {}, and there are {} seats",
                        hands.len(),
                        Self::SEATS
                    ));
                }
                let deal = |(seat, hand): (DouDizhuSeat, Option<Vec<u64>>)| {
                    hand.map(|hand| {
                        Ok(DouDizhuEvent::Deal {
                            seat,
                            hand: cards(&hand)?,
                        })
                    })
                    .transpose()
                };
                let deals: Result<_, String> = DouDizhuSeat::all().zip(hands).map(deal).collect();
                return Ok(Some(RecordedEntry::Dealt(deals?)));
            }
            DouDizhuRecordLine::Bid { actor, bid } => DouDizhuEvent::Bid {
                seat: seat(actor)?,
                bid,
            },
            DouDizhuRecordLine::Landlord { actor, public } => DouDizhuEvent::Landlord {
                seat: seat(actor)?,
                public: cards(&public)?,
            },
            DouDizhuRecordLine::Play {
                actor,
                cards: played,
            } => DouDizhuEvent::Play {
                seat: seat(actor)?,
                cards: cards(&played)?,
            },
            DouDizhuRecordLine::Other => return Ok(None),
        };
        Ok(Some(RecordedEntry::Happened(event, ())))
    }

    fn action(action: &DouDizhuAction, _: Seat) -> Box<RawValue> {
        raw(&match action {
            DouDizhuAction::Bid(bid) => json!({"type": "bid", "bid": bid}),
            DouDizhuAction::Pass => json!({"type": "pass"}),
            DouDizhuAction::Play(play) => json!({"type": "play", "cards": play.cards.to_string()}),
        })
    }

    fn read_action(written: &Value) -> Option<DouDizhuAction> {
        Some(match written["type"].as_str()? {
            "bid" => DouDizhuAction::Bid(u8::try_from(written["bid"].as_u64()?).ok()?),
            "pass" => DouDizhuAction::Pass,
            "play" => {
                let cards: RankCounts = written["cards"].as_str()?.parse().ok()?;
                // The rules differ in what they allow, and not in what a play is.
                let mut rules = [DouDizhuRules::FIXED, DouDizhuRules::BIDDING].into_iter();
                DouDizhuAction::Play(rules.find_map(|rules| DouDizhuPlay::of(cards, rules))?)
            }
            _ => return None,
        })
    }
}

impl RecordForm for DouDizhuRecordForm {
    type Rules = DouDizhuRules;
    const SEATS: usize = DouDizhuSeat::COUNT;

    fn rules(record: &RecordedGame<DouDizhuRecordForm>) -> DouDizhuRules {
        rules_of(&record.events)
    }

    fn is_deal(event: &DouDizhuEvent) -> bool {
        matches!(event, DouDizhuEvent::Deal { .. })
    }

    /// The plays show it up to the last card. The record of a seat may end before it; then the
    /// scores show who won.
    fn outcome(record: &RecordedGame<DouDizhuRecordForm>, scores: &[f64]) -> Option<GameOutcome> {
        let round = round_of(record)?;
        round
            .end()
            .map(GameOutcome::from)
            .or_else(|| outcome_by_scores(&round, scores))
    }

    fn possible_ends(record: &RecordedGame<DouDizhuRecordForm>, end: &RecordEnd) -> Vec<RecordEnd> {
        let Some(round) = round_of(record) else {
            return Vec::new();
        };
        if !record.is_of_table() {
            let Some(landlord) = round.landlord() else {
                return Vec::new();
            };
            let like = scores_like(&round, landlord, &end.scores).into_iter();
            return like
                .map(|scores| RecordEnd {
                    outcome: Self::outcome(record, &scores),
                    scores,
                })
                .collect();
        }
        match round.end().zip(round.scores()) {
            Some((end, scores)) => vec![RecordEnd {
                scores: scores.to_vec(),
                outcome: Some(end.into()),
            }],
            None => {
                let fault = |seat| RecordEnd {
                    scores: round.fault_scores(seat).to_vec(),
                    outcome: Some(GameOutcome::Fault { seat: seat.index() }),
                };
                // Without bidding the first fault ends the game, and only the seat in turn can make
                // it.
                match round.turn().filter(|_| round.bids().is_empty()) {
                    Some(seat) => vec![fault(seat)],
                    None => DouDizhuSeat::all().map(fault).collect(),
                }
            }
        }
    }
}

impl From<DouDizhuEnd> for GameOutcome {
    fn from(end: DouDizhuEnd) -> Self {
        Self::LastCard {
            landlord: end.landlord.index(),
            landlord_won: end.landlord_won,
            bid: end.bid,
            bombs: Some(end.bombs),
            spring: Some(end.spring),
            stake: end.stake(),
        }
    }
}

#[cfg(test)]
mod tests {
    use doudizhu::{DouDizhuDeal, DouDizhuGame};

    use super::*;

    fn set(cards: impl IntoIterator<Item = u8>) -> CardSet {
        cards.into_iter().filter_map(Card::new).collect()
    }

    fn outcome(events: &[DouDizhuEvent], scores: &[f64]) -> Option<GameOutcome> {
        DouDizhuRecordForm::outcome(&RecordedGame::so_far(Vec::new(), events.to_vec()), scores)
    }

    #[test]
    fn written_events_read_back_the_same() {
        let [first, second] = [DouDizhuSeat::FIRST, DouDizhuSeat::FIRST.next()];
        let deal = DouDizhuEvent::Deal {
            seat: second,
            hand: set(17..34),
        };
        let line = DouDizhuRecordForm::deal_line(&[None, Some(deal), None]).expect("it has a line");
        let read = DouDizhuRecordForm::read(&line, &mut ());
        assert_eq!(
            read,
            Ok(Some(RecordedEntry::Dealt(vec![None, Some(deal), None])))
        );
        for event in [
            DouDizhuEvent::Bid {
                seat: first,
                bid: 3,
            },
            DouDizhuEvent::Landlord {
                seat: first,
                public: set([0, 52, 53]),
            },
            DouDizhuEvent::Play {
                seat: first,
                cards: set([4, 5]),
            },
            DouDizhuEvent::Play {
                seat: second,
                cards: CardSet::EMPTY,
            },
        ] {
            let line = DouDizhuRecordForm::event_line(&event).expect("it has a line");
            assert_eq!(
                DouDizhuRecordForm::read(&line, &mut ()),
                Ok(Some(RecordedEntry::Happened(event, ()))),
                "{line}"
            );
        }
    }

    #[test]
    fn what_happened_says_how_a_game_ended_once_a_seat_has_played_its_last_card() {
        let order: [Card; Card::COUNT] =
            std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        let mut game = DouDizhuGame::new(DouDizhuDeal::of_order(&order), DouDizhuRules::BIDDING);
        while let Some(action) = game.legal_actions().pop() {
            assert_eq!(outcome(game.events(), &[]), None);
            game.act(action).expect("it is legal");
        }
        let (round, scores) = (game.round(), game.scores().expect("it is over"));
        let Some(GameOutcome::LastCard {
            landlord,
            landlord_won,
            bid,
            bombs,
            spring,
            stake,
        }) = outcome(game.events(), &scores)
        else {
            panic!("it is over");
        };
        assert_eq!(
            (Some(landlord), Some(landlord_won)),
            (
                round.landlord().map(DouDizhuSeat::index),
                round
                    .winner()
                    .map(|winner| Some(winner) == round.landlord()),
            )
        );
        let doubled =
            i32::from(bombs.expect("all is known")) + i32::from(spring.expect("all is known"));
        let expected = f64::from(bid.expect("there was bidding").max(1)) * 2_f64.powi(doubled);
        assert_eq!(
            (stake, scores[landlord].abs()),
            (Some(expected), 2.0 * expected)
        );
        // The scores show who won without the last play, but not what it was.
        let unseen = GameOutcome::LastCard {
            landlord,
            landlord_won,
            bid,
            bombs: None,
            spring: None,
            stake,
        };
        let seen = &game.events()[..game.events().len() - 1];
        assert_eq!(outcome(seen, &scores), Some(unseen));
        assert_eq!(outcome(seen, &[-1.0; 3]), None, "no seat won");
    }

    #[test]
    fn without_bidding_the_scores_show_who_won_or_that_the_landlord_was_at_fault() {
        let first = DouDizhuSeat::FIRST;
        let events = [
            DouDizhuEvent::Landlord {
                seat: first,
                public: set([51, 52, 53]),
            },
            DouDizhuEvent::Play {
                seat: first,
                cards: set([0]),
            },
        ];
        let last = |landlord_won| GameOutcome::LastCard {
            landlord: 0,
            landlord_won,
            bid: None,
            bombs: None,
            spring: None,
            stake: None,
        };
        for (scores, expected) in [
            ([2.05, 0.1, 0.1], Some(last(true))),
            ([0.05, 2.1, 2.1], Some(last(false))),
            ([-1.0, 2.5, 2.5], Some(GameOutcome::Fault { seat: 0 })),
            ([2.5, -1.0, -1.0], None),
        ] {
            assert_eq!(outcome(&events, &scores), expected, "{scores:?}");
        }
    }

    #[test]
    fn a_card_that_is_none_or_is_there_twice_is_named() {
        let wrong = |cards: &str| {
            let line = format!("{{\"type\":\"play\",\"actor\":0,\"cards\":{cards}}}");
            DouDizhuRecordForm::read(&line, &mut ())
        };
        assert_eq!(
            wrong("[54]"),
            Err("card 54 is not one; allowed are 0 to 53".to_owned())
        );
        assert_eq!(wrong("[7,7]"), Err("card 7 is there twice".to_owned()));
        assert!(wrong("\"3\"").is_err_and(|why| why.contains("invalid type")));
    }
}
