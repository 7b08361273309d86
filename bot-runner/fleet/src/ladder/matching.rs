//! Which game on the ladder is one of ours.

use ladder::GameRow;
use protocol::{Parsed, parse_event};
use results::ResultRow;
use riichi::event::{Hora, StartKyoku};
use riichi::{Event, PerSeat, Seat};

/// A ladder gives the start or the end of a game. No game takes longer.
const MAX_GAME_MS: i64 = 4 * 3_600_000;
/// The clocks of the arena and of this machine differ by less.
const MAX_CLOCK_MS: i64 = 15 * 60_000;

/// Whether a row of the bot's list may be this game: seat, place, score and time do not speak
/// against it. A field that the ladder leaves out speaks for nothing.
pub(super) fn may_be(row: &GameRow, game: &ResultRow) -> bool {
    let is_or_unknown = |told: Option<bool>| told.unwrap_or(true);
    let points = game.points();
    // Arenas rank equal scores in their own order.
    let is_tie = game
        .scores
        .iter()
        .filter(|&&score| Some(score) == points)
        .count()
        > 1;
    row.seat == game.seat
        && is_or_unknown(
            row.game_type
                .as_ref()
                .map(|kind| kind.understood() == "ranked"),
        )
        && is_or_unknown(row.player_count.map(|players| players == game.players))
        && is_or_unknown(row.score.zip(points).map(|(told, points)| told == points))
        && (is_tie || is_or_unknown(row.rank.map(|rank| rank == game.place)))
        && is_or_unknown(played_ms(row).map(|played| {
            (game.ended_ms - MAX_GAME_MS..=game.ended_ms + MAX_CLOCK_MS).contains(&played)
        }))
}

/// The time that the ladder gives for a game, milliseconds since 1970.
pub(super) fn played_ms(row: &GameRow) -> Option<i64> {
    Some(client::kept_game::milliseconds(row.played_at?.moment()))
}

/// Which row of a bot's list, the newest first, is which of its games, the oldest first: as many
/// as possible get one, then the times are as near as possible. `may_be` tells whether a game,
/// then a row, fit by themselves.
///
/// A bot plays one game after the other, so games and rows have the same order. Of games that look
/// alike each gets its own.
pub(super) fn align(
    ended_ms: &[i64],
    rows: &[&GameRow],
    may_be: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let times = times_of(rows);
    // The best that the first games can have from the oldest rows: the number of games with a row,
    // and the sum of the distances in time, negative.
    let width = rows.len() + 1;
    let mut best = vec![(0_u32, 0_i64); (ended_ms.len() + 1) * width];
    let with_row = |best: &[(u32, i64)], game: usize, place: usize| {
        let row = rows.len() - place;
        let (found, near) = best[(game - 1) * width + place - 1];
        may_be(game - 1, row).then(|| {
            let distance = times[row].map_or(0, |at| (at - ended_ms[game - 1]).abs());
            (found + 1, near - distance)
        })
    };
    for game in 1..=ended_ms.len() {
        for place in 1..width {
            let without = best[(game - 1) * width + place].max(best[game * width + place - 1]);
            let with = with_row(&best, game, place);
            best[game * width + place] = with.map_or(without, |with| with.max(without));
        }
    }
    let mut aligned = vec![None; ended_ms.len()];
    let (mut game, mut place) = (ended_ms.len(), rows.len());
    while game > 0 && place > 0 {
        let here = best[game * width + place];
        if here == best[game * width + place - 1] {
            place -= 1;
        } else if here == best[(game - 1) * width + place] {
            game -= 1;
        } else {
            aligned[game - 1] = Some(rows.len() - place);
            (game, place) = (game - 1, place - 1);
        }
    }
    aligned
}

/// The times of rows; a row without one has that of the row before it, or else after it.
fn times_of(rows: &[&GameRow]) -> Vec<Option<i64>> {
    let mut times: Vec<Option<i64>> = rows.iter().map(|row| played_ms(row)).collect();
    for place in 1..times.len() {
        times[place] = times[place].or(times[place - 1]);
    }
    for place in (1..times.len()).rev() {
        times[place - 1] = times[place - 1].or(times[place]);
    }
    times
}

/// Whether games that ended at this time may be on pages behind this row.
pub(super) fn may_follow(row: &GameRow, ended_ms: i64) -> bool {
    played_ms(row).is_none_or(|played| played + MAX_GAME_MS + MAX_CLOCK_MS >= ended_ms)
}

/// Whether the events of a log, with all hands, are those that a seat saw. A record that was cut
/// need only be the beginning of the log.
pub(super) fn is_same_game(seen: &str, open: &str, seat: usize, seen_is_cut: bool) -> bool {
    let Some(seat) = Seat::at(seat) else {
        return false;
    };
    let (mut seen, mut open) = (events(seen), events(open));
    let mut rounds = 0;
    loop {
        match (seen.next(), open.next()) {
            (None, None) => return rounds > 0,
            (None, Some(_)) => return seen_is_cut && rounds > 0,
            (Some(_), None) => return false,
            (Some(seen), Some(open)) => {
                if !agree(&seen, &open, seat) {
                    return false;
                }
                rounds += u32::from(matches!(seen, Event::StartKyoku(_)));
            }
        }
    }
}

/// The events that both forms have: the ends of games and rounds are left out, and what cannot be
/// read.
fn events(text: &str) -> impl Iterator<Item = Event> + '_ {
    text.lines().filter_map(|line| match parse_event(line) {
        Ok(Parsed::Event(Event::StartGame { .. } | Event::EndKyoku | Event::EndGame { .. })) => {
            None
        }
        Ok(Parsed::Event(event)) => Some(event),
        Ok(Parsed::Unknown(_)) | Err(_) => None,
    })
}

/// Whether an event that the seat saw is this one. Points are left out where arenas write them in
/// different forms.
fn agree(seen: &Event, open: &Event, own: Seat) -> bool {
    let both = |one: Option<PerSeat<i32>>, other: Option<PerSeat<i32>>| {
        one.zip(other).is_none_or(|(one, other)| one == other)
    };
    match (seen, open) {
        (Event::StartKyoku(seen), Event::StartKyoku(open)) => {
            let facts = |start: &StartKyoku| {
                (
                    start.bakaze,
                    start.kyoku,
                    start.honba,
                    start.kyotaku,
                    start.oya,
                    start.dora_marker,
                )
            };
            let hand = |start: &StartKyoku| {
                let mut hand = (own.index() < usize::from(start.tehais.players()))
                    .then(|| start.tehais[own])
                    .flatten()?;
                hand.sort_unstable();
                Some(hand)
            };
            facts(seen) == facts(open)
                && both(seen.scores, open.scores)
                && hand(seen).is_some()
                && hand(seen) == hand(open)
        }
        (
            Event::Tsumo { actor, tile },
            Event::Tsumo {
                actor: of,
                tile: open,
            },
        ) => actor == of && (*actor != own || tile == open),
        (
            Event::Hora(Hora { actor, target, .. }),
            Event::Hora(Hora {
                actor: of,
                target: from,
                ..
            }),
        ) => (actor, target) == (of, from),
        (Event::ReachAccepted { actor, .. }, Event::ReachAccepted { actor: of, .. }) => actor == of,
        (Event::Ryukyoku { .. }, Event::Ryukyoku { .. }) => true,
        (seen, open) => seen == open,
    }
}

#[cfg(test)]
mod tests {
    use results::ResultKind;
    use serde_json::json;

    use super::*;

    const ENDED: i64 = 1_795_947_630_000;

    fn game() -> ResultRow {
        ResultRow {
            key: "0".repeat(64),
            kind: ResultKind::Ladder,
            arena: String::new(),
            shared: String::new(),
            shard: None,
            game: "riichi".to_owned(),
            ended_ms: ENDED,
            bot: "kuma".to_owned(),
            policy: String::new(),
            version: String::new(),
            content: None,
            mixed: false,
            players: 4,
            seat: 2,
            place: 2,
            scores: vec![40_000, 10_000, 30_000, 20_000],
            rounds: 1,
            wins: 0,
            deal_ins: 0,
            riichi: 0,
            called: 0,
            won: 0,
            lost: 0,
            opponents: Vec::new(),
            trouble: None,
            luck: None,
        }
    }

    fn row(changes: serde_json::Value) -> GameRow {
        let mut row = json!({
            "game_id": "0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b11", "game_type": "ranked", "player_count": 4,
            "played_at": "2026-11-29 10:20:30", "seat": 2, "rank": 2, "score": 30_000,
        });
        row.as_object_mut()
            .expect("an object")
            .extend(changes.as_object().expect("an object").clone());
        serde_json::from_value(row).expect("a row")
    }

    #[test]
    fn games_that_look_alike_get_the_rows_in_the_same_order() {
        let at = |second: u32| row(json!({"played_at": format!("2026-11-29 10:20:{second:02}")}));
        let untold = row(json!({"played_at": null}));
        let aligned = |rows: &[&GameRow], seconds: &[i64]| {
            let ended: Vec<i64> = seconds
                .iter()
                .map(|second| ENDED - 30_000 + 1000 * second)
                .collect();
            align(&ended, rows, |_, _| true)
        };
        // The newest row is the first.
        let [ten, twenty, thirty] = [10, 20, 30].map(at);
        let all = [&thirty, &twenty, &ten];
        assert_eq!(aligned(&all, &[11, 21, 31]), [Some(2), Some(1), Some(0)]);
        // All rows of one time, and rows without a time.
        assert_eq!(
            aligned(&[&ten, &ten, &ten], &[10, 10, 11]),
            [Some(2), Some(1), Some(0)]
        );
        assert_eq!(
            aligned(&[&untold, &twenty, &untold], &[1, 21, 41]),
            [Some(2), Some(1), Some(0)]
        );
        // A row is missing: the nearest games have theirs.
        assert_eq!(
            aligned(&[&thirty, &ten], &[11, 21, 31]),
            [Some(1), None, Some(0)]
        );
        assert_eq!(aligned(&[&thirty], &[11, 21, 31]), [None, None, Some(0)]);
        assert_eq!(aligned(&all, &[21]), [Some(1)]);
        assert_eq!(aligned(&[], &[21]), [None]);
    }

    #[test]
    fn no_row_becomes_a_game_that_it_does_not_fit() {
        let rows =
            [20, 10].map(|second| row(json!({"played_at": format!("2026-11-29 10:20:{second}")})));
        let rows: Vec<&GameRow> = rows.iter().collect();
        let ended = [ENDED - 20_000, ENDED - 10_000];
        assert_eq!(
            align(&ended, &rows, |game, row| (game, row) != (0, 1)),
            [None, Some(0)]
        );
        assert_eq!(align(&ended, &rows, |game, _| game == 1), [None, Some(0)]);
    }

    #[test]
    fn a_row_may_be_a_game_unless_one_of_its_fields_speaks_against_it() {
        assert!(may_be(&row(json!({})), &game()));
        for good in [
            json!({"played_at": null}),
            json!({"score": null}),
            json!({"rank": null, "game_type": null, "player_count": null}),
            json!({"played_at": "2026-11-29T09:45:00.123"}),
        ] {
            assert!(may_be(&row(good.clone()), &game()), "{good}");
        }
        for bad in [
            json!({"seat": 1}),
            json!({"rank": 1}),
            json!({"score": 30_100}),
            json!({"game_type": "validation"}),
            json!({"player_count": 3}),
            json!({"played_at": "2026-11-29 11:20:30"}),
            json!({"played_at": "2026-11-28 10:20:30"}),
        ] {
            assert!(!may_be(&row(bad.clone()), &game()), "{bad}");
        }
    }

    #[test]
    fn the_places_of_equal_scores_are_the_arenas_business() {
        let tie = ResultRow {
            scores: vec![30_000, 10_000, 30_000, 30_000],
            ..game()
        };
        assert!(may_be(&row(json!({"rank": 3})), &tie));
    }

    /// A round in which seat 1 draws, discards and wins, as that seat sees it, or with all hands.
    fn log(open: bool) -> Vec<String> {
        let hand = |first: &'static str| {
            let mut hand = vec!["1m"; 13];
            hand[0] = first;
            hand
        };
        let own = hand("5mr");
        let other = |known: &'static str| if open { hand(known) } else { vec!["?"; 13] };
        [
            json!({"type": "start_game", "id": 1}),
            json!({
                "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
                "dora_marker": "2p", "scores": [25000, 25000, 25000, 25000],
                "tehais": [other("E"), own, other("S"), other("W")],
            }),
            json!({"type": "tsumo", "actor": 0, "pai": if open { "9s" } else { "?" }}),
            json!({"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": true}),
            json!({"type": "tsumo", "actor": 1, "pai": "3p"}),
            json!({"type": "hora", "actor": 1, "target": 1, "deltas": [0, 0, 0, 0]}),
            json!({"type": "end_kyoku"}),
            json!({"type": "end_game"}),
        ]
        .iter()
        .map(ToString::to_string)
        .collect()
    }

    fn same(seen: &[String], open: &[String], cut: bool) -> bool {
        is_same_game(&seen.join("\n"), &open.join("\n"), 1, cut)
    }

    #[test]
    fn a_log_is_of_the_game_that_the_seat_saw_if_its_events_are_the_same() {
        let (seen, open) = (log(false), log(true));
        assert!(same(&seen, &open, false));
        for (line, from, to) in [
            (1, "\"5mr\"", "\"5m\""),
            (1, "\"honba\":0", "\"honba\":1"),
            (3, "true", "false"),
            (4, "3p", "4p"),
            (5, "\"target\":1", "\"target\":0"),
        ] {
            let mut other = open.clone();
            other[line] = other[line].replace(from, to);
            assert_ne!(other[line], open[line]);
            assert!(!same(&seen, &other, false), "{}", other[line]);
        }
        let unfinished = &open[..5];
        assert!(!same(&seen, unfinished, false));
    }

    #[test]
    fn a_record_that_was_cut_is_the_beginning_of_its_log() {
        let (seen, open) = (log(false), log(true));
        assert!(same(&seen[..4], &open, true));
        assert!(!same(&seen[..4], &open, false));
        assert!(!same(&seen[..1], &open, true), "it has no deal");
    }
}
