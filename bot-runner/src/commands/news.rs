//! The events of bots as lines for users.

use client::bot::{BotEvent, GameReport, LifeEnd};

use super::table::{after_rounds, score};

/// A line about an event of a bot; `None` for an event without one.
pub(super) fn bot_line(name: &str, event: &BotEvent) -> Option<String> {
    Some(match event {
        BotEvent::TokenInUse(why) => format!("{name}: {why}"),
        BotEvent::Queued => format!("{name}: queued"),
        BotEvent::Started(seat) => format!("{name}: game started, seat {seat}"),
        BotEvent::Ended(LifeEnd::Refused(why) | LifeEnd::GaveUp(why) | LifeEnd::WrongTable(why)) => {
            format!("{name}: stops: {why}")
        }
        BotEvent::Starting
        | BotEvent::AwaitsTurn
        | BotEvent::AwaitsPermit
        | BotEvent::Decided(_)
        | BotEvent::Ended(_) => return None,
        BotEvent::Finished(game) => format!("{name}: {}", game_line(game)),
        BotEvent::Dropped(why) => format!("{name}: lost sight of the game: {why}"),
        BotEvent::Aborted(why) => format!("{name}: the arena aborted the game: {why}"),
        BotEvent::SetAside => {
            format!("{name}: its policy is set aside; it plays on when another build takes over (the log says more)")
        }
        BotEvent::Waiting { reason, wait } => format!("{name}: {reason}; next attempt in {} s", wait.as_secs()),
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
