//! Files of weights: a round trip, and the message for each error.

use std::path::Path;

use fastrand::Rng;
use judge::features::{CHOICE_FEATURES, SITUATIONS, list_hash};

use crate::built_in;
use crate::weights::{Provenance, Weights, WeightsError};

fn random_weights() -> Weights {
    let mut rng = Rng::with_seed(7);
    let mut row = || std::array::from_fn::<f32, CHOICE_FEATURES, _>(|_| rng.f32() - 0.5);
    let linear = (0..SITUATIONS).map(|_| row()).collect();
    let provenance = Provenance {
        program: "bot-runner 0.1.0".to_owned(),
        games: 8_000,
        seeds: "1-8000".to_owned(),
        accepted: "2.48 in 600 games".to_owned(),
    };
    Weights {
        players: 4,
        provenance,
        linear,
    }
}

fn error(text: &str) -> WeightsError {
    text.parse::<Weights>().unwrap_err()
}

#[test]
fn a_file_holds_weights_exactly() {
    let weights = random_weights();
    assert_eq!(weights.to_text().parse::<Weights>().unwrap(), weights);
}

#[test]
fn the_built_in_weights_are_those_of_this_programs_features() {
    for players in [4, 3] {
        assert_eq!(built_in(players).unwrap().players, players);
    }
}

#[test]
fn a_file_with_another_feature_list_is_refused_with_both_hashes() {
    let text = random_weights().to_text().replace(&list_hash(), "0badc0de");
    let WeightsError::Features { found, expected } = error(&text) else {
        panic!("another error")
    };
    assert_eq!((found.as_str(), expected), ("0badc0de", list_hash()));
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line() {
    let text = random_weights().to_text();
    assert!(matches!(error("{}"), WeightsError::Format { .. }));
    assert!(matches!(error(""), WeightsError::Format { .. }));
    let line_of = |text: &str| match error(text) {
        WeightsError::Line { line, .. } => line,
        other => panic!("{other}"),
    };
    assert_eq!(line_of(&text.replace("players 4", "players 5")), 3);
    assert_eq!(line_of(&text.replace("linear 9", "linear 10")), 8);
    assert_eq!(line_of(&format!("{text}1 2 3\n")), text.lines().count() + 1);
    let cut: String = text.lines().take(12).collect::<Vec<_>>().join("\n");
    assert_eq!(line_of(&cut), 13);
    let mut lines: Vec<&str> = text.lines().collect();
    let short = lines[9].rsplit_once(' ').unwrap().0.to_owned();
    lines[9] = &short;
    assert_eq!(line_of(&lines.join("\n")), 10);
    let not_finite = lines[10].replacen(lines[10].split(' ').next().unwrap(), "NaN", 1);
    lines[9] = text.lines().nth(9).unwrap();
    lines[10] = &not_finite;
    assert_eq!(line_of(&lines.join("\n")), 11);
}

#[test]
fn weights_that_are_not_a_regular_file_are_refused_before_they_are_read() {
    let refused = crate::read(Path::new("/dev/zero")).unwrap_err();
    assert_eq!(refused, "weights /dev/zero: it is not a regular file");
}
