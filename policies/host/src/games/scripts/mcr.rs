//! Hands of Chinese Standard mahjong.

use mcr::{McrEvent, McrRules, McrSeatState};
use riichi::{Kind, Seat, Tile, Wind};

const OWN: u8 = 0;

/// As seat 0 hears of them.
pub(in crate::games) fn scripts() -> Vec<(McrSeatState, Vec<McrEvent>)> {
    let hands = [wins_and_claims(), kongs(), robbed_kong()];
    hands
        .map(|hand| (McrSeatState::new(seat(OWN), McrRules::default()), hand))
        .into()
}

/// A discard, a win or pung, a chow, and a win by the own draw.
fn wins_and_claims() -> Vec<McrEvent> {
    let mut events = dealt("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 8m 9m 9m");
    events.extend(own_turn("E", "E"));
    events.extend(
        [
            others_turn(1, "8m"),
            others_turn(2, "W"),
            others_turn(3, "4m"),
        ]
        .concat(),
    );
    events.push(draw("9m"));
    events
}

/// A concealed kong, a claimed kong or pung, and a tile to be added to the pung.
fn kongs() -> Vec<McrEvent> {
    let mut events = dealt("5p 5p 5p E E E 1m 2m 3m 7s 8s W N");
    events.extend([
        draw("5p"),
        McrEvent::ConcealedKong {
            seat: seat(OWN),
            tile: Some(kind("5p")),
        },
    ]);
    events.extend(own_turn("C", "C"));
    events.extend(others_turn(1, "E"));
    events.push(McrEvent::PungClaimed {
        seat: seat(OWN),
        discard: kind("N"),
    });
    events.extend(
        [
            others_turn(1, "P"),
            others_turn(2, "P"),
            others_turn(3, "9s"),
        ]
        .concat(),
    );
    events.push(draw("9m"));
    events
}

/// A tile added to another seat's pung that completes the own hand.
fn robbed_kong() -> Vec<McrEvent> {
    let mut events = dealt("1m 2m 3m 4m 5m 6m 7s 8s 9s 4p 6p E E");
    events.extend(own_turn("C", "C"));
    events.extend(others_turn(1, "5p"));
    events.push(McrEvent::PungClaimed {
        seat: seat(2),
        discard: kind("P"),
    });
    events.extend(others_turn(3, "P"));
    events.extend(own_turn("9m", "9m"));
    events.extend(others_turn(1, "F"));
    events.push(McrEvent::Drawn {
        seat: seat(2),
        tile: None,
    });
    events.push(McrEvent::KongAdded {
        seat: seat(2),
        tile: kind("5p"),
    });
    events
}

fn dealt(hand: &str) -> Vec<McrEvent> {
    let hand = hand.split(' ').map(kind).collect();
    vec![McrEvent::Dealt {
        prevalent_wind: Wind::East,
        hand,
        flowers: [0; 4],
    }]
}

fn draw(tile: &str) -> McrEvent {
    McrEvent::Drawn {
        seat: seat(OWN),
        tile: Some(kind(tile)),
    }
}

fn own_turn(drawn: &str, thrown: &str) -> Vec<McrEvent> {
    vec![
        draw(drawn),
        McrEvent::Discarded {
            seat: seat(OWN),
            tile: kind(thrown),
        },
    ]
}

fn others_turn(who: u8, thrown: &str) -> Vec<McrEvent> {
    vec![
        McrEvent::Drawn {
            seat: seat(who),
            tile: None,
        },
        McrEvent::Discarded {
            seat: seat(who),
            tile: kind(thrown),
        },
    ]
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("there is such a seat")
}

fn kind(name: &str) -> Kind {
    name.parse::<Tile>().expect("it is written in here").kind()
}

#[cfg(test)]
mod tests {
    use mcr::McrAction;
    use policy_abi::standard::{
        STANDARD_CLAIM_CHOW, STANDARD_CLAIM_PUNG, STANDARD_DISCARD, STANDARD_PASS, STANDARD_WIN,
        StandardView,
    };

    use super::*;
    use crate::games::{GameKind, scripted_questions};
    use crate::view::Asked;

    #[test]
    fn the_first_hand_asks_for_discards_claims_and_wins() {
        let kinds: Vec<Vec<u8>> = (GameKind::Mcr.definition().admission_views)(4, Asked::default())
            .iter()
            .map(|view| {
                let mut kinds: Vec<u8> = view
                    .typed::<StandardView>()
                    .1
                    .iter()
                    .map(|action| action.kind)
                    .collect();
                kinds.dedup();
                kinds
            })
            .collect();
        let expected: [&[u8]; 4] = [
            &[STANDARD_DISCARD],
            &[STANDARD_PASS, STANDARD_WIN, STANDARD_CLAIM_PUNG],
            &[STANDARD_PASS, STANDARD_CLAIM_CHOW],
            &[STANDARD_WIN, STANDARD_DISCARD],
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn the_last_question_is_about_a_kong_that_may_be_robbed() {
        let questions = scripted_questions::<McrSeatState>(4, Asked::default());
        let last = &questions.last().expect("there are some").legal;
        assert_eq!(*last, [McrAction::Pass, McrAction::Win]);
    }
}
