//! The events of bots as lines for users.

use client::bot::BotEvent;
use client::game_report::GameReport;

use super::table::{after_rounds, score};

/// A line about an event of a bot; `None` for an event without one.
pub(super) fn bot_line(name: &str, event: &BotEvent) -> Option<String> {
    Some(match event {
        BotEvent::TokenInUse(why) => format!("{name}: {why}"),
        BotEvent::Queued => format!("{name}: queued"),
        BotEvent::Started(seat) => format!("{name}: game started, seat {seat}"),
        BotEvent::Ended(end) => format!("{name}: stops: {}", end.trouble()?),
        BotEvent::Starting
        | BotEvent::AwaitsTurn
        | BotEvent::AwaitsPermit
        | BotEvent::Decided(_) => return None,
        BotEvent::Finished(game) => format!("{name}: {}", game_line(game)),
        BotEvent::Dropped(why) => format!("{name}: lost sight of the game: {why}"),
        BotEvent::Aborted(why) => format!("{name}: the arena aborted the game: {why}"),
        BotEvent::AwaitsPolicy => {
            format!(
                "{name}: its policy is set aside; it waits until that is tried again (the log says more)"
            )
        }
        BotEvent::Waiting { reason, wait } => {
            format!("{name}: {reason}; next attempt in {} s", wait.as_secs())
        }
    })
}

fn game_line(game: &GameReport) -> String {
    format!(
        "game over{}, place {} with {}",
        after_rounds(game.rounds),
        game.place,
        score(game.game.name(), game.scores[game.seat])
    )
}
