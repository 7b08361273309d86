//! The running bots as a table in a terminal.

use std::time::{Duration, Instant};

use say::screen::{LiveTable, ScreenSize, alarming, left_words, place_bars, progress};

use super::super::table::{
    AVERAGE_POINTS, RATING, TextTable, average_place, average_points, number_of, rating,
};
use super::super::words::shortened;
use client::board::Board;
use client::board::{BotActivity, BotStatus};

/// Further lines besides the bots: heading, progress, number of omitted bots.
const OTHER_LINES: usize = 4;

/// Information for the table besides the bots' status.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct RunAims {
    /// Number of games for each bot.
    pub(in crate::commands) games: Option<u32>,
    /// Time after which games are finished.
    pub(in crate::commands) duration: Option<Duration>,
}

/// Shows a table of the bots in the terminal, if there is one.
pub(in crate::commands) fn live_table(board: Board, aims: RunAims) -> Option<LiveTable> {
    let start = Instant::now();
    LiveTable::start(move |size| lines(&board.status(), aims, start.elapsed(), size))
}

fn lines(bots: &[BotStatus], aims: RunAims, took: Duration, size: ScreenSize) -> Vec<String> {
    let mut table = TextTable::new(
        [
            "bot",
            "state",
            "games",
            "avg place",
            AVERAGE_POINTS,
            RATING,
            "places",
            "decisions",
            "p99 ms",
            "faults",
            "desyncs",
        ],
        [
            true, true, false, false, false, false, true, false, false, false, false,
        ],
    );
    let all = size.rows.saturating_sub(OTHER_LINES).max(1);
    let reasons: Vec<String> = bots
        .iter()
        .filter(|bot| bot.trouble.is_some())
        .take(all / 3)
        .map(|bot| {
            shortened(
                &format!("{}: {}", bot.bot, bot.state_words()),
                size.columns.saturating_sub(1),
            )
        })
        .collect();
    let room = all - reasons.len();
    // Bots at a table or in trouble come first.
    let mut order: Vec<&BotStatus> = bots.iter().collect();
    order.sort_by_key(|bot| std::cmp::Reverse(weight(bot)));
    for bot in order.iter().take(room) {
        table.row([
            bot.bot.clone(),
            bot.state.word().to_owned(),
            bot.finished.to_string(),
            average_place(bot.average_place),
            average_points(bot.average_points),
            rating(bot.rating),
            place_bars(&bot.places.map(u64::from)),
            bot.decisions.to_string(),
            format!("{:.2}", bot.p99_ms),
            bot.faults.to_string(),
            bot.desyncs.to_string(),
        ]);
    }
    table.hide_unused(AVERAGE_POINTS);
    table.hide_unused(RATING);
    // What tells of trouble stays.
    let mut lines = table.lines_within(
        size.columns.saturating_sub(1),
        &["p99 ms", "places", "decisions", AVERAGE_POINTS, RATING],
    );
    for (line, bot) in lines.iter_mut().skip(1).zip(&order) {
        if in_trouble(bot) {
            *line = alarming(line);
        }
    }
    if bots.len() > room {
        lines.push(format!("and {} more bots", bots.len() - room));
    }
    lines.extend(reasons.iter().map(|reason| alarming(reason)));
    let finished: u64 = bots.iter().map(|bot| u64::from(bot.finished)).sum();
    lines.push(match aims.games {
        Some(games) => {
            let playing = bots.iter().filter(|bot| bot.is_bot()).count() as u64;
            progress(finished, 0, u64::from(games) * playing, "games", took)
        }
        None => {
            let rate = finished as f64 / took.as_secs_f64() * 60.0;
            let left = aims
                .duration
                .map(|duration| left_words(duration.saturating_sub(took).as_secs_f64()));
            format!(
                "{}, {rate:.1} a minute{}",
                number_of(finished, "game"),
                left.unwrap_or_default()
            )
        }
    });
    lines
}

fn in_trouble(bot: &BotStatus) -> bool {
    bot.faults > 0 || bot.desyncs > 0 || bot.refused_change.is_some() || bot.trouble.is_some()
}

fn weight(bot: &BotStatus) -> u8 {
    match bot.state {
        _ if in_trouble(bot) => 2,
        BotActivity::Playing => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use client::board::{BotTrouble, TroubleKind};

    use super::*;

    fn bot(name: &str, finished: u32, state: BotActivity) -> BotStatus {
        BotStatus {
            bot: name.to_owned(),
            arena: String::new(),
            state,
            game: finished,
            finished,
            average_place: (finished > 0).then_some(2.25),
            average_points: None,
            places: [finished, 0, finished / 2, 0],
            recent: None,
            refused_change: None,
            trouble: None,
            decisions: 0,
            safe_answers: 0,
            p50_ms: 0.0,
            p99_ms: 0.5,
            slowest_ms: 0.5,
            limit_ms: None,
            faults: 0,
            desyncs: 0,
            policy: None,
            rating: None,
        }
    }

    #[test]
    fn a_bot_that_does_not_play_is_shown_with_its_reason_cut_in_the_middle() {
        let why = format!(
            "policy.id: found \"x\"; {}; did you mean `y`?",
            "built in are a, b, c".repeat(20)
        );
        let mut bots = vec![bot("kuma", 2, BotActivity::Playing)];
        let trouble = BotTrouble {
            kind: TroubleKind::Config,
            why: why.clone(),
            until: None,
        };
        bots.push(BotStatus {
            trouble: Some(trouble),
            ..bot("b4.toml", 0, BotActivity::DoesNotPlay { why })
        });
        let size = ScreenSize {
            columns: 80,
            rows: 24,
        };
        let lines = lines(
            &bots,
            RunAims {
                games: None,
                duration: None,
            },
            Duration::from_secs(60),
            size,
        );
        assert!(lines[1].starts_with("b4.toml  does not play"), "{lines:#?}");
        assert!(
            lines[3].starts_with("b4.toml: does not play: policy.id"),
            "{lines:#?}"
        );
        assert!(
            lines[3].ends_with("did you mean `y`?") && lines[3].chars().count() < 80,
            "{lines:#?}"
        );
    }

    #[test]
    fn the_table_fits_the_screen_and_says_how_many_bots_it_leaves_out() {
        let mut bots: Vec<BotStatus> = (0..30)
            .map(|number| bot(&format!("bot{number}"), 2, BotActivity::Queued))
            .collect();
        bots[20].state = BotActivity::Playing;
        let size = ScreenSize {
            columns: 80,
            rows: 10,
        };
        let aims = RunAims {
            games: Some(4),
            duration: None,
        };
        let lines = lines(&bots, aims, Duration::from_secs(60), size);
        assert!(lines.len() < size.rows, "{lines:#?}");
        assert!(
            lines[1].starts_with("bot20") && lines[1].contains("2.25") && lines[1].contains("█▁▅▁"),
            "{lines:#?}"
        );
        assert_eq!(lines[lines.len() - 2], "and 24 more bots");
        assert_eq!(
            lines[lines.len() - 1],
            "60 of 120 games (50 %), 1.0 a second, 1m left"
        );
    }
}
