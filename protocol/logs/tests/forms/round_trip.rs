//! Our games are written in a form, read back, and are the same but for what the form cannot say.

use game_logs::tenhou_form;
use protocol::event_json;
use riichi::{Event, Rules};

use crate::played::{all_rules, games, is_sound, played, read_game, read_lines};
use crate::writers::{mahjong_soul, majiang, mjlog};

/// What a form cannot say.
#[derive(Clone, Copy, Default)]
struct Unsaid {
    /// When an indicator is turned: all are at the end of the round.
    dora_times: bool,
    /// The end of the game with its scores.
    end: bool,
    /// The payments of each of several wins.
    shared_deltas: bool,
    /// That an abortive draw pays nothing.
    no_payments: bool,
}

/// The events without what a form cannot say.
fn said(events: &[Event], unsaid: Unsaid) -> Vec<Event> {
    let mut said: Vec<Event> = Vec::new();
    let mut doras: Vec<Event> = Vec::new();
    let mut wins = 0;
    for (place, event) in events.iter().enumerate() {
        let mut event = *event;
        match &mut event {
            Event::StartGame { seat } => *seat = None,
            Event::ReachAccepted { scores, .. } => *scores = None,
            Event::Hora(hora) => {
                wins += 1;
                let others = events[place + 1..].iter();
                let more = others
                    .take_while(|event| matches!(event, Event::Hora(_)))
                    .count();
                if unsaid.shared_deltas && wins + more > 1 {
                    hora.deltas = None;
                }
                hora.scores = None;
            }
            Event::Ryukyoku { scores, deltas, .. } => {
                *scores = None;
                let is_nothing = |points: &riichi::event::Points| {
                    points.as_slice().iter().all(|&points| points == 0)
                };
                if unsaid.no_payments && deltas.as_ref().is_some_and(is_nothing) {
                    *deltas = None;
                }
            }
            Event::StartKyoku(_) => wins = 0,
            Event::Dora { .. } if unsaid.dora_times => {
                doras.push(event);
                continue;
            }
            Event::EndKyoku => said.append(&mut doras),
            Event::EndGame { .. } if unsaid.end => continue,
            // Whether its own four tiles are named in another order says nothing.
            Event::Ankan { consumed, .. } => consumed.sort_unstable(),
            Event::Kakan { consumed, .. } => consumed.sort_unstable(),
            Event::Chi { consumed, .. } | Event::Pon { consumed, .. } => consumed.sort_unstable(),
            Event::Daiminkan { consumed, .. } => consumed.sort_unstable(),
            _ => {}
        }
        said.push(event);
    }
    said
}

#[track_caller]
fn are_equal(name: &str, ours: &[Event], read: &[Event], unsaid: Unsaid) {
    let (ours, read) = (said(ours, unsaid), said(read, unsaid));
    for (place, (own, read)) in ours.iter().zip(&read).enumerate() {
        assert_eq!(own, read, "{name}, event {place}");
    }
    assert_eq!(ours.len(), read.len(), "{name}");
}

#[track_caller]
fn round_trips(
    form: &str,
    rules: Rules,
    unsaid: Unsaid,
    write: impl Fn(&[Event]) -> Option<String>,
) {
    let mut written = 0;
    for number in 0..games() {
        let events = played(rules, number);
        let Some(log) = write(&events) else { continue };
        written += 1;
        let name = format!("{form}, {} players, game {number}", rules.players);
        let read = read_game(&log);
        is_sound(&name, &read);
        are_equal(&name, &events, &read.0, unsaid);
    }
    assert!(2 * written > games(), "{form}: {written} games");
}

#[test]
fn games_in_mjai_are_the_same_as_lines_and_as_lists() {
    for rules in all_rules() {
        for number in 0..games() {
            let events = played(rules, number);
            let name = format!("mjai, {} players, game {number}", rules.players);
            let lines: Vec<String> = events.iter().map(event_json).collect();
            let read = read_lines(lines.iter().map(String::as_str));
            is_sound(&name, &read);
            assert!(read.0 == events, "{name}, as lines");
            let lists = read_game(&format!("[{}]", lines.join(",")));
            assert!(lists.0 == events, "{name}, as lists");
        }
    }
}

#[test]
fn games_in_tenhous_json_are_the_same_but_for_the_times_of_indicators_and_the_end() {
    for rules in all_rules() {
        let unsaid = Unsaid {
            dora_times: true,
            end: true,
            no_payments: true,
            ..Unsaid::default()
        };
        round_trips("Tenhou JSON", rules, unsaid, |events| {
            let names = ["a", "b", "c", "d"].map(str::to_owned);
            let form = tenhou_form(events, &names).expect("all hands are shown");
            // Of equal discards it does not say which was called.
            form.lost.is_empty().then(|| form.game.to_string())
        });
    }
}

#[test]
fn games_in_mjlog_are_the_same() {
    // Those of Mahjong Soul mark the dealer's first discard in a way that only theirs can say.
    for rules in &all_rules()[..2] {
        let unsaid = Unsaid {
            no_payments: true,
            ..Unsaid::default()
        };
        round_trips("mjlog", *rules, unsaid, |events| {
            Some(mjlog(events, *rules))
        });
    }
}

#[test]
fn games_in_majiangs_json_are_the_same() {
    for rules in [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF] {
        let unsaid = Unsaid {
            no_payments: true,
            ..Unsaid::default()
        };
        round_trips("Majiang", rules, unsaid, |events| Some(majiang(events)));
    }
}

#[test]
fn games_of_mahjong_soul_are_the_same_but_for_shares_and_the_times_of_indicators() {
    for rules in all_rules() {
        for camel in [false, true] {
            let unsaid = Unsaid {
                shared_deltas: true,
                dora_times: true,
                no_payments: true,
                ..Unsaid::default()
            };
            round_trips("Mahjong Soul", rules, unsaid, |events| {
                Some(mahjong_soul(events, camel))
            });
        }
    }
}
