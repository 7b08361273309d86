//! The round that a bot plays as its page draws it.

use std::collections::HashMap;
use std::sync::Arc;

use client::bot::{LiveRound, ShownDecision, ShownMatch, ShownRound};
use client::decision_note::{DecisionOutcome, RecordedDecision};
use page::{GamePage, OwnChoice, PageDecision, StepDecision};
use riichi::Event;

use super::texts::shown;
use crate::fleet::Board;
use crate::steps::{StepSource, step_page};

/// Most bots whose rounds are kept as they were drawn last.
const MOST: usize = 64;

/// Rounds as they were drawn last, which all pages that look at the same bot share.
#[derive(Debug, Default)]
pub(super) struct DrawnRounds(HashMap<String, (LiveRound, DrawnRound)>);

/// A round as it is sent.
#[derive(Debug, Clone)]
pub(super) struct DrawnRound {
    /// Changes with every change.
    pub(super) version: u64,
    /// JSON; `null` where nothing has been dealt.
    pub(super) json: Arc<str>,
}

impl Default for DrawnRound {
    fn default() -> Self {
        Self { version: 0, json: "null".into() }
    }
}

impl DrawnRounds {
    /// The round of a bot now. With `all_hands`, what all bots of the board know of the same table is shown.
    pub(super) fn of(&mut self, board: &Board, bot: &str, all_hands: bool) -> DrawnRound {
        let Some(place) = board.round(bot) else {
            self.0.remove(bot);
            return DrawnRound::default();
        };
        if self.0.len() > MOST && !self.0.contains_key(bot) {
            self.0.clear();
        }
        let (known, drawn) = self.0.entry(bot.to_owned()).or_default();
        if !known.is(&place) {
            (*known, *drawn) = (place.clone(), DrawnRound::default());
        }
        if let Some(mut round) = place.newer_than(drawn.version) {
            let version = round.version;
            if let Some(other) = &round.other {
                *drawn = DrawnRound { version, json: match_json(bot, other).into() };
                return drawn.clone();
            }
            let mut others: Vec<(ShownRound, String)> = Vec::new();
            if all_hands {
                let known = board.status().into_iter().filter(|other| other.bot != bot);
                let known = known.filter_map(|other| Some((board.round(&other.bot)?.newer_than(0)?, other.bot)));
                others.extend(known);
                open_hands(&mut round, others.iter().map(|(other, _)| other));
            }
            others.push((round.clone(), bot.to_owned()));
            name_seats(&mut round, &others);
            *drawn = DrawnRound { version, json: json(round).into() };
        }
        drawn.clone()
    }
}

/// Adds what others at the same table know. What they have not seen yet stays hidden.
fn open_hands<'o>(round: &mut ShownRound, others: impl Iterator<Item = &'o ShownRound>) {
    let Some(seat) = round.seat else { return };
    for other in others {
        let Some(other_seat) = other.seat.filter(|&other| other != seat) else { continue };
        for (event, known) in round.events.iter_mut().zip(&other.events) {
            let hidden = |event: &Event| event.masked_for(seat).masked_for(other_seat);
            if hidden(event) != hidden(known) {
                // Another table, or another round.
                break;
            }
            match (event, known) {
                (Event::StartKyoku(start), Event::StartKyoku(known)) => {
                    start.tehais[other_seat] = known.tehais[other_seat]
                }
                (Event::Tsumo { actor, tile }, Event::Tsumo { tile: known, .. }) if *actor == other_seat => {
                    *tile = *known
                }
                _ => {}
            }
        }
    }
}

/// Names the seats by the bots that sit there, where the arena does not.
fn name_seats(round: &mut ShownRound, bots: &[(ShownRound, String)]) {
    if round.names.is_empty() {
        let at = |seat: usize| bots.iter().find(|(other, _)| other.seat.is_some_and(|other| other.index() == seat));
        round.names =
            (0..4).map(|seat| at(seat).map_or_else(|| format!("seat {seat}"), |(_, bot)| bot.clone())).collect();
    }
}

/// A match as it stands, with what was decided last; `null` where nothing has been dealt.
fn match_json(bot: &str, ShownMatch { game, lines, notes, .. }: &ShownMatch) -> String {
    let text = lines.join("\n");
    let notes = notes.iter().filter_map(|note| RecordedDecision::read_any(&note.line(bot)));
    let source = StepSource { title: bot.to_owned(), text, notes: notes.collect(), ..StepSource::default() };
    let Ok(mut page) = step_page(*game, source) else { return "null".to_owned() };
    page.names = page.names.iter().map(|name| shown(name)).collect();
    page.warnings = page.warnings.iter().map(|warning| shown(warning)).collect();
    page.steps.drain(..page.steps.len().saturating_sub(1));
    page.decisions.drain(..page.decisions.len().saturating_sub(1));
    for StepDecision { step, own, .. } in &mut page.decisions {
        *step = 0;
        own.policy = shown(&own.policy);
        own.reason = shown(&own.reason);
        own.safe_answer = own.safe_answer.as_deref().map(shown);
    }
    page.json()
}

fn json(round: ShownRound) -> String {
    let ShownRound { seat, names, events, decisions, .. } = round;
    if events.is_empty() {
        return "null".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    GamePage { names, seat, events, decisions: decisions.into_iter().map(decision).collect(), ..GamePage::default() }
        .json()
}

fn decision(ShownDecision { after, note }: ShownDecision) -> PageDecision {
    let done = note.chosen.and_then(|chosen| note.legal.get(chosen).copied());
    let mut own = OwnChoice {
        chosen: note.chosen,
        policy: shown(&format!("{} {}", note.policy.id, note.policy.version)),
        ..OwnChoice::default()
    };
    match note.outcome {
        DecisionOutcome::Decided { took, values, reason } => {
            own.took_us = Some(took.as_micros() as u64);
            own.values = values;
            own.reason = shown(&reason);
        }
        DecisionOutcome::SafeAnswer(why) => own.safe_answer = Some(shown(&why)),
    }
    PageDecision {
        after: after.saturating_sub(1),
        legal: note.legal,
        done,
        own: Some(own),
        other: None,
        simulated: None,
    }
}

#[cfg(test)]
mod tests {
    use riichi::game::Game;
    use riichi::{Rules, Seat};

    use super::*;

    /// A deal and its first draw, as each seat knows them.
    fn seen(seed: u64) -> Vec<ShownRound> {
        let game = Game::new(Rules::TENHOU_HALF, seed);
        let begin = game.events().iter().position(|event| matches!(event, Event::StartKyoku(_))).expect("a deal");
        let from = |seat: Seat| ShownRound {
            seat: Some(seat),
            events: game.events()[begin..].iter().map(|event| event.masked_for(seat)).collect(),
            ..ShownRound::default()
        };
        Seat::all(4).map(from).collect()
    }

    fn open(round: &ShownRound) -> usize {
        let Event::StartKyoku(start) = round.events[0] else { panic!("{:?}", round.events) };
        start.tehais.iter().filter(|(_, hand)| hand.is_some()).count()
    }

    #[test]
    fn bots_of_one_table_open_their_hands_to_a_page_that_shows_all() {
        let rounds = seen(7);
        let mut round = rounds[1].clone();
        open_hands(&mut round, rounds.iter());
        assert_eq!(open(&round), 4);
        assert!(matches!(round.events[1], Event::Tsumo { tile: Some(_), .. }), "{:?}", round.events);
    }

    #[test]
    fn a_bot_at_another_table_adds_nothing() {
        let mut round = seen(7)[0].clone();
        open_hands(&mut round, seen(8).iter());
        assert_eq!(open(&round), 1);
    }
}
