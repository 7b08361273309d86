//! What bots tell while they play, as lines for people.

use mahjong::event::{Hora, StartKyoku};
use mahjong::{Event, Wind};

use super::table::{after_rounds, points, score};
use crate::bot::{BotEvent, GameReport, LifeEnd};

/// Turns the events of one bot's games into a line for each round.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    round: String,
    ends: Vec<String>,
}

impl Rounds {
    /// Takes in an event; a line when a round has ended. `name` says who sits where.
    pub(super) fn line(&mut self, event: &Event, name: impl Fn(mahjong::Seat) -> String) -> Option<String> {
        match event {
            Event::StartKyoku(StartKyoku { bakaze, kyoku, honba, .. }) => {
                let wind = match bakaze {
                    Wind::East => "East",
                    Wind::South => "South",
                    Wind::West => "West",
                    Wind::North => "North",
                };
                self.round = format!("{wind} {kyoku}-{honba}");
                self.ends.clear();
            }
            Event::Hora(Hora { actor, target, deltas, .. }) => {
                let won = deltas.map_or_else(String::new, |deltas| format!(" {}", points(deltas[*actor])));
                let from = if actor == target { " by tsumo".to_owned() } else { format!(" from {}", name(*target)) };
                self.ends.push(format!("{} wins{won}{from}", name(*actor)));
            }
            Event::Ryukyoku { .. } => self.ends.push("drawn".to_owned()),
            Event::EndKyoku => return Some(format!("{:<10} {}", self.round, self.ends.join(", "))),
            _ => {}
        }
        None
    }
}

/// A line for what happened to a bot, if it is worth one.
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
        BotEvent::Dropped(why) => format!("{name}: lost the game from sight: {why}"),
        BotEvent::Aborted(why) => format!("{name}: the arena aborted the game: {why}"),
        BotEvent::SetAside => {
            format!("{name}: its policy is set aside; it plays on when another build takes over (the log says more)")
        }
        BotEvent::Waiting { reason, wait } => format!("{name}: {reason}; next attempt in {} s", wait.as_secs()),
    })
}

/// How a game ended for a bot.
fn game_line(game: &GameReport) -> String {
    format!(
        "game over{}, place {} with {}",
        after_rounds(game.rounds),
        game.place,
        score(game.game.name(), game.scores[game.seat])
    )
}
