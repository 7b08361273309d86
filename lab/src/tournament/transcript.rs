//! The record of a game of a tournament, with the decisions of its seats.

use std::borrow::Cow;

use protocol::game_record::{LineForm, RecordStart};
use riichi::Seat;

use crate::game::{GameEnd, GameNews, LabGame};

/// A game as its record has it, with its decisions.
#[derive(Debug, Clone)]
pub struct GameTranscript {
    start_line: fn(&RecordStart) -> String,
    /// The lines behind the first one.
    lines: Vec<String>,
    pub decisions: Vec<TranscriptDecision>,
}

/// A decision of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptDecision {
    pub seat: usize,
    /// Number of lines of the record before it.
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

/// Writes down a game as it is played.
#[derive(Debug)]
pub(super) struct TranscriptWriter {
    transcript: GameTranscript,
    round: u64,
    /// Decisions of each seat in the round.
    numbers: [u64; riichi::MAX_PLAYERS],
}

impl TranscriptWriter {
    pub(super) fn new<G: LabGame>() -> Self {
        Self {
            transcript: GameTranscript {
                start_line: G::Form::start_line,
                lines: Vec::new(),
                decisions: Vec::new(),
            },
            round: 0,
            numbers: Default::default(),
        }
    }

    pub(super) fn hear<G: LabGame>(&mut self, news: &GameNews<'_, G>) {
        let lines = &mut self.transcript.lines;
        lines.extend(news.line(None));
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
                self.transcript.decisions.push(TranscriptDecision {
                    seat: decision.seat,
                    // The first line of the record is before them.
                    after: 1 + lines.len(),
                    round: self.round,
                    number: self.numbers[decision.seat],
                    action: G::Form::action(action, seat).get().to_owned(),
                    words: action.to_string(),
                });
            }
        }
    }

    /// The game, which has ended so.
    pub(super) fn ended<G: LabGame>(mut self, end: &GameEnd) -> GameTranscript {
        let last = G::Form::end_line(&end.recorded());
        self.transcript.lines.extend(last);
        self.transcript
    }
}

impl GameTranscript {
    /// The lines of the game's record, with these names.
    pub fn record(&self, start: &RecordStart) -> impl Iterator<Item = Cow<'_, str>> {
        let lines = self.lines.iter().map(|line| Cow::Borrowed(&**line));
        std::iter::once(Cow::Owned((self.start_line)(start))).chain(lines)
    }
}

/// The first decision that differs between two games on a wall, in which another player sits on its
/// seat: its place in both, since the games are the same up to it.
pub fn first_difference(one: &[TranscriptDecision], other: &[TranscriptDecision]) -> Option<usize> {
    one.iter().zip(other).position(|(one, other)| one != other)
}
