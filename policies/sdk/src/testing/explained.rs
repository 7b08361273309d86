//! A check of a strategy's explanations.

use policy_abi::entry::Entry;
use riichi::Action;

use super::actions::{ankan, pon, seat};
use super::bot::{Setting, TestInstance};
use super::notation::tile;
use super::situation::Situation;

/// Asserts that a strategy gives a value for its choice, and a short reason: in its own turn, for a
/// call, a pass, a kan, wins and nine terminals. The settings must let it call and make kans.
///
/// # Panics
///
/// If it does not, or chooses another action.
pub fn assert_every_decision_is_explained(
    entry: &'static Entry,
    id: &str,
    settings: &[Setting<'_>],
) {
    let dragon = || Situation::offered("234m 67m 34p 55z 88s 29p", "5z", 1).also(pon("5z", 1));
    let won = |target| Action::Hora {
        target: seat(target),
        tile: tile("2z"),
    };
    let cases = [
        (
            "own turn",
            Situation::drew("159m 269p 159s 2367z", "7z"),
            None,
        ),
        (
            "tenpai",
            Situation::drew("123456m 789s 45p 88p", "1z"),
            None,
        ),
        ("call", dragon(), Some(pon("5z", 1))),
        (
            "pass",
            Situation::offered("123m 456p 23s 99s 44z 1z", "4z", 1).also(pon("4z", 1)),
            Some(Action::None),
        ),
        (
            "kan",
            Situation::drew("111m 456p 789s 23s 55p", "1m").also(ankan("1m")),
            Some(ankan("1m")),
        ),
        (
            "win",
            Situation::drew("123m 456p 789s 1112z", "2z").also(won(0)),
            Some(won(0)),
        ),
        (
            "ron",
            Situation::offered("123m 456p 789s 1112z", "2z", 3).also(won(3)),
            Some(won(3)),
        ),
        (
            "nine terminals",
            Situation::drew("19m 19p 19s 1234z 234m", "5m").also(Action::Ryukyoku),
            Some(Action::Ryukyoku),
        ),
    ];
    for (name, situation, expected) in cases {
        let scene = situation.build();
        let answered = TestInstance::create(entry, id, settings)
            .expect("the settings are right")
            .decide(&scene)
            .expect(name);
        assert_eq!(
            expected.unwrap_or(answered.action),
            answered.action,
            "{name}"
        );
        assert!(
            !answered.reason.is_empty() && answered.reason.len() < 80,
            "{name}: {:?}",
            answered.reason
        );
        let index = scene
            .view(|view| {
                view.legal()
                    .iter()
                    .position(|&action| action == answered.action)
            })
            .expect("a sound view")
            .expect("it is listed");
        let value = answered.values.get(index).copied().unwrap_or(f32::NAN);
        assert!(value.is_finite(), "{name}: {:?}", answered.values);
    }
}
