//! The record of a game of a tournament, with the decisions of its seats.

use protocol::game_record::LineForm;
use riichi::Seat;

use crate::game::{GameNews, LabGame};

/// A game as its record has it, without its first line, and without its last line in games whose
/// result is no event.
#[derive(Debug, Default)]
pub struct NotedGame {
    pub lines: Vec<String>,
    pub decisions: Vec<KeptDecision>,
}

/// A decision of a policy in a kept game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDecision {
    pub seat: usize,
    /// Number of lines before it.
    pub after: usize,
    /// Number of the round in the game, from 1.
    pub round: u64,
    /// Number of the decision of its seat in the round, from 1.
    pub number: u64,
    /// The action as records write it, an object of JSON.
    pub action: String,
    /// The action in words.
    pub words: String,
}

/// Takes a game down.
#[derive(Debug, Default)]
pub(super) struct GameKeeper {
    kept: NotedGame,
    round: u64,
    /// Decisions of each seat in the round.
    numbers: [u64; riichi::MAX_PLAYERS],
}

impl GameKeeper {
    pub(super) fn hear<G: LabGame>(&mut self, news: &GameNews<'_, G>) {
        self.kept.lines.extend(news.line(None));
        match news {
            GameNews::Dealt(_) => self.round = 1,
            GameNews::Happened(event, _) => {
                if G::Form::begins_round(event) {
                    self.round += 1;
                    self.numbers = Default::default();
                }
            }
            GameNews::Asked { .. } => {}
            GameNews::Decided(decision) => {
                self.numbers[decision.seat] += 1;
                let action = &decision.legal[decision.chosen];
                let seat = Seat::at(decision.seat).unwrap_or(Seat::FIRST);
                self.kept.decisions.push(KeptDecision {
                    seat: decision.seat,
                    after: self.kept.lines.len(),
                    round: self.round,
                    number: self.numbers[decision.seat],
                    action: G::Form::action(action, seat).get().to_owned(),
                    words: action.to_string(),
                });
            }
        }
    }

    pub(super) fn kept(self) -> NotedGame {
        self.kept
    }
}

impl NotedGame {
    /// The first decision that differs from that of another game on the same wall, in which another
    /// player sits on its seat: its place in both, since the games are the same up to it.
    pub fn parts_from(&self, other: &Self) -> Option<usize> {
        let decisions = self.decisions.iter().zip(&other.decisions);
        decisions
            .enumerate()
            .find(|(_, (one, other))| one != other)
            .map(|(place, _)| place)
    }
}
