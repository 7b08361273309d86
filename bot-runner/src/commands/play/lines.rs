//! A game of `play` as lines: for its record, and for the pages of its bots.

use std::sync::Arc;
use std::time::Instant;

use client::decision_note::{DecisionNote, DecisionOutcome};
use lab::game::{GameNews, NamedGame, SeatDecision};
use policy_host::Decided;
use protocol::game_record::{LineForm, RecordStart};
use riichi::Seat;

use super::super::game_pages::ToldNews;
use super::seats::TableBot;

/// A game as its record has it.
pub(super) struct GameLines {
    number: u64,
    pub(super) start: RecordStart,
    pub(super) lines: Vec<Arc<str>>,
    /// Lines of decisions.
    pub(super) decisions: String,
    /// When the policy was asked last.
    asked: Instant,
}

impl GameLines {
    pub(super) fn new<'n, G: NamedGame>(number: u64, names: impl Iterator<Item = &'n str>) -> Self {
        let start = RecordStart {
            game: G::KIND.name().to_owned(),
            id: None,
            names: names.map(str::to_owned).collect(),
        };
        Self {
            number,
            lines: vec![G::Form::start_line(&start).into()],
            start,
            decisions: String::new(),
            asked: Instant::now(),
        }
    }

    /// The news for a record or a page; decisions of seats without a bot are left out.
    pub(super) fn told<'b, G: NamedGame>(
        &mut self,
        news: &GameNews<'_, G>,
        at_seat: impl Fn(usize) -> Option<&'b TableBot>,
    ) -> Option<ToldNews> {
        match news {
            GameNews::Dealt(_) => Some(ToldNews::line(news.line(None)?)),
            GameNews::Happened(event, _) => Some(ToldNews::Line {
                line: news.line(None)?.into(),
                begins_round: G::Form::begins_round(event),
            }),
            GameNews::Asked { .. } => {
                self.asked = Instant::now();
                None
            }
            GameNews::Decided(SeatDecision {
                seat,
                decision,
                legal,
                chosen,
                decided,
            }) => {
                let took = self.asked.elapsed();
                let (bot, own) = at_seat(*seat).zip(Seat::at(*seat))?;
                let outcome = match decided {
                    Ok(Decided { values, reason, .. }) => DecisionOutcome::Decided {
                        took,
                        values: values.clone(),
                        reason: reason.clone(),
                    },
                    Err(why) => DecisionOutcome::SafeAnswer((*why).to_owned()),
                };
                let note = DecisionNote {
                    game: self.number - 1,
                    decision: *decision,
                    seat: own,
                    legal: legal.to_vec(),
                    chosen: Some(*chosen),
                    policy: bot.identity(),
                    outcome,
                };
                Some(ToldNews::Decision {
                    seat: *seat,
                    bot: bot.name.clone(),
                    note: Arc::new(note.written::<G::Form>()),
                })
            }
        }
    }

    pub(super) fn take(&mut self, told: ToldNews) {
        match told {
            ToldNews::Line { line, .. } => self.lines.push(line),
            ToldNews::Decision { bot, note, .. } => {
                self.decisions.push_str(&note.line(&bot));
                self.decisions.push('\n');
            }
        }
    }
}
