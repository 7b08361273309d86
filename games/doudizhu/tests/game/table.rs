//! One seat's knowledge, and events that contradict it.

use doudizhu::round::AgainstRules;
use doudizhu::table::DouDizhuContradiction;
use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeatState,
    RankCounts, safe_action,
};

use crate::scene::{bid_all, play_all, seat, sorted_deal, table_of};

fn begun() -> DouDizhuGame {
    DouDizhuGame::new(sorted_deal(), DouDizhuRules::FIXED)
}

fn refused(table: &DouDizhuSeatState, event: DouDizhuEvent) -> DouDizhuContradiction {
    let mut after = table.clone();
    let contradiction = after.apply(&event).expect_err("a contradiction");
    assert_eq!(after, *table, "it is unchanged");
    contradiction
}

fn some_cards(numbers: &[u8]) -> CardSet {
    numbers
        .iter()
        .filter_map(|&number| Card::new(number))
        .collect()
}

#[test]
fn the_landlords_hand_may_be_sent_with_the_public_cards_or_without() {
    let deal = sorted_deal();
    let whole = deal.hand(seat(0)).union(deal.public());
    for hand in [deal.hand(seat(0)), whole] {
        let mut table = DouDizhuSeatState::new(DouDizhuRules::FIXED);
        table
            .apply(&DouDizhuEvent::Deal {
                seat: seat(0),
                hand,
            })
            .expect("a deal");
        table
            .apply(&DouDizhuEvent::Landlord {
                seat: seat(0),
                public: deal.public(),
            })
            .expect("the landlord");
        assert_eq!(table.hand(), whole);
    }
}

#[test]
fn of_the_others_it_knows_the_public_cards_that_are_left() {
    let mut game = begun();
    play_all(&mut game, &["2"]);
    let table = table_of(&game, seat(1));
    assert_eq!(
        RankCounts::from(table.known_cards(seat(0))).to_string(),
        "xX"
    );
    assert_eq!(table.known_cards(seat(2)), CardSet::EMPTY);
    assert_eq!(table.unseen().len(), 54 - 17 - 1);
    assert!(
        !table
            .possible_cards(seat(2))
            .contains(Card::new(53).expect("the big joker"))
    );
    assert!(
        table
            .possible_cards(seat(0))
            .contains_all(game.hand(seat(0)))
    );
}

#[test]
fn only_the_seat_in_turn_can_do_something_and_the_first_action_is_safe() {
    let mut game = begun();
    let lead = table_of(&game, seat(0)).legal_actions();
    assert!(!lead.contains(&DouDizhuAction::Pass));
    let Some(DouDizhuAction::Play(lowest)) = safe_action(&lead) else {
        panic!("a play")
    };
    assert_eq!(lowest.cards.to_string(), "3");
    assert_eq!(table_of(&game, seat(1)).legal_actions(), []);
    play_all(&mut game, &["4"]);
    assert_eq!(
        safe_action(&table_of(&game, seat(1)).legal_actions()),
        Some(DouDizhuAction::Pass)
    );
    let mut bidding = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    assert_eq!(
        safe_action(&table_of(&bidding, seat(0)).legal_actions()),
        Some(DouDizhuAction::Bid(0))
    );
    bid_all(&mut bidding, &[3]);
    assert_eq!(table_of(&bidding, seat(1)).legal_actions(), []);
    assert_eq!(safe_action(&[]), None);
}

#[test]
fn partners_are_the_two_that_are_not_the_landlord() {
    let round = begun().round().clone();
    assert!(round.are_partners(seat(1), seat(2)));
    assert!(!round.are_partners(seat(0), seat(2)));
}

#[test]
fn events_that_cannot_have_happened_are_refused() {
    let (game, deal) = (begun(), sorted_deal());
    let table = table_of(&game, seat(1));
    let play = |number, cards: &[u8]| DouDizhuEvent::Play {
        seat: seat(number),
        cards: some_cards(cards),
    };
    let hand = deal.hand(seat(1));
    assert_eq!(
        refused(
            &table,
            DouDizhuEvent::Deal {
                seat: seat(1),
                hand
            }
        ),
        DouDizhuContradiction::DealtTwice
    );
    assert_eq!(
        refused(&table, play(1, &[17])),
        DouDizhuContradiction::Turn(seat(1))
    );
    // Card 17 is in the own hand.
    assert!(
        matches!(refused(&table, play(0, &[17])), DouDizhuContradiction::NotHeld(landlord, _) if landlord == seat(0))
    );
    assert_eq!(refused(&table, play(0, &[])), AgainstRules::Pass.into());
    assert_eq!(
        refused(&table, play(0, &[0, 4])),
        AgainstRules::NoCombination.into()
    );
    assert_eq!(
        refused(
            &table,
            DouDizhuEvent::Bid {
                seat: seat(0),
                bid: 1
            }
        ),
        AgainstRules::Phase.into()
    );
    let again = DouDizhuEvent::Landlord {
        seat: seat(0),
        public: deal.public(),
    };
    assert_eq!(refused(&table, again), AgainstRules::Phase.into());
    let empty = DouDizhuSeatState::new(DouDizhuRules::FIXED);
    assert_eq!(
        refused(&empty, play(0, &[0])),
        DouDizhuContradiction::NotDealt
    );
    let few = DouDizhuEvent::Deal {
        seat: seat(1),
        hand: hand.lowest(16),
    };
    assert_eq!(
        refused(&empty, few),
        DouDizhuContradiction::HandSize { found: 16 }
    );
    let whole = DouDizhuEvent::Deal {
        seat: seat(1),
        hand: hand.union(deal.public()),
    };
    assert_eq!(
        refused(&empty, whole),
        DouDizhuContradiction::HandSize { found: 20 }
    );
}

#[test]
fn a_seat_plays_no_more_cards_than_it_has_and_the_landlord_keeps_its_public_ones_for_itself() {
    let mut game = begun();
    play_all(&mut game, &["3333444455556666", "", ""]);
    // It has four cards left: a 7, and the public 2, x, X, which all seats know.
    let table = table_of(&game, seat(1));
    let play = |cards: &[u8]| DouDizhuEvent::Play {
        seat: seat(0),
        cards: some_cards(cards),
    };
    let mut known = table.clone();
    assert_eq!(known.apply(&play(&[16])), Ok(()));
    // Two cards besides the three known ones would be five.
    assert_eq!(
        refused(&table, play(&[40, 41])),
        DouDizhuContradiction::TooMany {
            seat: seat(0),
            left: 4
        }
    );
}

#[test]
fn the_landlord_is_who_the_bids_say() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, &[0, 1]);
    let table = table_of(&game, seat(0));
    let public = sorted_deal().public();
    assert_eq!(
        refused(
            &table,
            DouDizhuEvent::Landlord {
                seat: seat(1),
                public
            }
        ),
        AgainstRules::Phase.into()
    );
    let mut table = table;
    table
        .apply(&DouDizhuEvent::Bid {
            seat: seat(2),
            bid: 0,
        })
        .expect("a bid");
    assert_eq!(
        refused(
            &table,
            DouDizhuEvent::Landlord {
                seat: seat(0),
                public
            }
        ),
        DouDizhuContradiction::Landlord(seat(0))
    );
    let own = some_cards(&[0, 52, 53]);
    assert!(matches!(
        refused(
            &table,
            DouDizhuEvent::Landlord {
                seat: seat(1),
                public: own
            }
        ),
        DouDizhuContradiction::PublicHeld(_)
    ));
    assert_eq!(
        refused(
            &table,
            DouDizhuEvent::Landlord {
                seat: seat(1),
                public: public.lowest(2)
            }
        ),
        DouDizhuContradiction::PublicSize { found: 2 }
    );
    assert_eq!(
        table.apply(&DouDizhuEvent::Landlord {
            seat: seat(1),
            public
        }),
        Ok(())
    );
}
