//! Hand-written situations, and the policy's choices in them.

use policy_sdk::Policy;
use policy_sdk::abi::params::Value;
use policy_sdk::mahjong::{Action, Seat};
use policy_sdk::testing::{Situation, TestInstance, tile};

use crate::{ENTRY, Strategy};

/// The policy's choice in a situation with this `fold_from`.
fn chooses(fold_from: i64, situation: Situation) -> Action {
    let settings = [("fold_from", Value::integer(fold_from))];
    let mut bot =
        TestInstance::create(&ENTRY, Strategy::DESCRIPTOR.id, &settings).expect("it starts");
    bot.decide(&situation.build()).expect("it decides").action
}

/// Three steps from tenpai against a riichi that cannot win on 6p, which the hand needs.
fn far_from_tenpai() -> Situation {
    Situation::drew("34889m 67p 2355s 14z", "9p").riichi(1, "6p")
}

#[test]
fn it_wins_when_it_can() {
    let win = Action::Hora {
        target: Seat::FIRST,
        tile: tile("2z"),
    };
    assert_eq!(
        chooses(2, Situation::drew("123m 456p 789s 1112z", "2z").also(win)),
        win
    );
}

#[test]
fn it_goes_for_tenpai_and_declares_riichi_at_once() {
    let thrown = chooses(2, Situation::drew("123m 456p 789s 34s 9p 1z", "1z"));
    assert_eq!(
        thrown,
        Action::Reach {
            tile: tile("9p"),
            tsumogiri: false
        }
    );
}

#[test]
fn it_never_calls() {
    let pon = Action::Pon {
        target: Seat::FIRST.next(4),
        tile: tile("7z"),
        consumed: [tile("7z"); 2],
    };
    assert_eq!(
        chooses(
            2,
            Situation::offered("123m 456p 789s 3377z", "7z", 1).also(pon)
        ),
        Action::None
    );
}

#[test]
fn far_from_tenpai_it_discards_tiles_that_a_riichi_cannot_win_on() {
    assert_eq!(
        chooses(2, far_from_tenpai()),
        Action::Dahai {
            tile: tile("6p"),
            tsumogiri: false
        }
    );
}

#[test]
fn it_continues_if_it_is_nearer_than_fold_from() {
    assert_ne!(
        chooses(9, far_from_tenpai()),
        Action::Dahai {
            tile: tile("6p"),
            tsumogiri: false
        }
    );
}
