//! Broken logs: every cut, and random changes. Nothing panics, and no cut is read as a whole game.

use game_logs::{read_text, tenhou_form};
use riichi::Rules;
use riichi::rng::Rng;

use crate::played::{games, played};
use crate::writers::{mahjong_soul, majiang, mjlog};

fn all_forms() -> Vec<String> {
    let events = played(Rules::TENHOU_HALF, 4);
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    let tenhou = tenhou_form(&events, &names)
        .expect("all hands are shown")
        .game;
    vec![
        tenhou.to_string(),
        mjlog(&events, Rules::TENHOU_HALF),
        majiang(&events),
        mahjong_soul(&events, false),
        "Match 1\nWind 0\nPlayer 0 Deal W1 W2 W3 W4 W5 W6 W7 W8 W9 T1 T2 T3 F1\nPlayer 0 Draw W1\nScore 0 0 0 0\n"
            .to_owned(),
    ]
}

#[test]
fn a_cut_log_is_refused_or_none_and_never_a_whole_game() {
    for log in &all_forms()[..4] {
        let step = log.len() / 300 + 1;
        for end in (0..log.len()).step_by(step) {
            if let Some(Ok(games)) = log.get(..end).and_then(read_text) {
                panic!(
                    "{} games in {end} of {} bytes: {}",
                    games.len(),
                    log.len(),
                    &log[..60]
                );
            }
        }
    }
}

#[test]
fn random_changes_are_read_or_refused() {
    let forms = all_forms();
    let mut rng = Rng::keyed(&[1]);
    let mut refused = 0;
    for _ in 0..20 * games() {
        let mut log = forms[rng.below(forms.len())].clone().into_bytes();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(log.len());
            let other = log[rng.below(log.len())];
            match rng.below(3) {
                0 => log[at] = other,
                1 => log.insert(at, other),
                _ => {
                    log.remove(at);
                }
            }
        }
        let text = String::from_utf8_lossy(&log).into_owned();
        refused += usize::from(!matches!(read_text(&text), Some(Ok(_))));
    }
    assert!(refused > 0);
}

#[test]
fn extreme_numbers_and_depths_are_refused() {
    let deep = format!("{{\"log\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let entities = "<!DOCTYPE m [<!ENTITY a \"&b;&b;\"><!ENTITY b \"&a;&a;\">]><mjloggm><GO type=\"&a;\"/></mjloggm>";
    let huge = r#"{"log":[[[99999999999999999999,0,0],[1e300],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]]}"#;
    for text in [&deep, entities, huge] {
        assert!(!matches!(read_text(text), Some(Ok(_))), "{}", &text[..30]);
    }
}
