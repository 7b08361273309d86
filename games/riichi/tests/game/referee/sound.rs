//! Records of games that were played are sound, from all seats and from each.

use riichi::rules::Length;
use riichi::{Rules, Seat};

use super::lines::{game, judged, seen_from};
use crate::games;

#[track_caller]
fn is_sound(name: &str, lines: &[String]) {
    let judgement = judged(lines);
    let found: Vec<String> = judgement
        .findings
        .iter()
        .map(|(place, found)| format!("{place}: {found}: {}", lines[*place]))
        .collect();
    assert!(found.is_empty(), "{name}: {found:?}");
    assert_eq!(judgement.cut, None, "{name}");
}

fn games_are_sound(rules: Rules) {
    for number in games(30) {
        let lines = game(rules, number);
        let name = format!("{rules:?}, game {number}");
        is_sound(&name, &lines);
        for seat in Seat::all(rules.players) {
            is_sound(&format!("{name}, seat {seat}"), &seen_from(&lines, seat));
        }
    }
}

#[test]
fn games_of_four_by_tenhous_rules_are_sound() {
    games_are_sound(Rules::TENHOU_HALF);
}

#[test]
fn games_of_three_by_tenhous_rules_are_sound() {
    games_are_sound(Rules::TENHOU_HALF.with_players(3));
}

#[test]
fn games_of_four_by_mahjong_souls_rules_are_sound() {
    games_are_sound(Rules::MAHJONG_SOUL_HALF);
}

#[test]
fn games_of_three_by_mahjong_souls_rules_are_sound() {
    games_are_sound(Rules::MAHJONG_SOUL_HALF.with_players(3));
}

#[test]
fn shorter_games_are_sound() {
    games_are_sound(Rules::TENHOU_HALF.with_length(Length::East));
    games_are_sound(
        Rules::MAHJONG_SOUL_HALF
            .with_players(3)
            .with_length(Length::East),
    );
    games_are_sound(Rules::TENHOU_HALF.with_length(Length::Single));
}

#[test]
fn a_game_never_shows_another_length_and_most_show_their_own() {
    for length in [Length::Half, Length::East, Length::Single] {
        let mut shown = 0;
        for number in games(30) {
            let lines = game(Rules::TENHOU_HALF.with_length(length), number);
            let found = judged(&lines).length;
            assert!(found.is_none_or(|found| found == length), "game {number}");
            shown += u32::from(found.is_some());
        }
        assert!(shown > 3, "{length:?}: {shown}");
    }
}

#[test]
fn games_with_four_red_fives_or_none_are_sound() {
    games_are_sound(Rules {
        red_fives: 0,
        ..Rules::TENHOU_HALF
    });
    games_are_sound(Rules {
        red_fives: 4,
        ..Rules::TENHOU_HALF
    });
    games_are_sound(Rules {
        red_fives: 0,
        ..Rules::TENHOU_HALF.with_players(3)
    });
}

#[test]
fn games_without_open_tanyao_are_sound() {
    games_are_sound(Rules {
        open_tanyao: false,
        ..Rules::TENHOU_HALF
    });
}
