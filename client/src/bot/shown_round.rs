//! The current round of a bot from its seat's point of view, for other tasks to read while it is played.
//!
//! A bot never waits for a reader: while one reads, updates are kept and applied later.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use riichi::{Event, Seat, Table};

use super::shown_match::ShownMatch;
use crate::decision_note::DecisionNote;
use crate::session::GameState;

/// Maximum number of events kept of a round; no legal round has this many.
const MAX_EVENTS: usize = 400;
/// Maximum number of decisions kept of a round.
const MAX_DECISIONS: usize = 200;

/// A round from one seat.
#[derive(Debug, Clone, Default)]
pub struct ShownRound {
    /// Increases with every change.
    pub version: u64,
    /// The bot's seat.
    pub seat: Option<Seat>,
    /// The names of the players, if the arena sends them.
    pub names: Vec<String>,
    /// The events of the round that the seat received, from its deal.
    pub events: Vec<Event>,
    /// The table of a round that the bot joined after its deal, as far as the arena described it.
    pub joined: Option<Box<Table>>,
    /// The bot's decisions.
    pub decisions: Vec<ShownDecision>,
    /// The match of a game other than riichi; then the fields above are empty, except the version.
    pub other: Option<ShownMatch>,
}

/// A decision of a round.
#[derive(Debug, Clone)]
pub struct ShownDecision {
    /// Number of events of the round before it.
    pub after: usize,
    /// The decision and its reasons.
    pub note: DecisionNote,
}

/// The published round of a bot. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveRound(Arc<Mutex<ShownRound>>);

impl LiveRound {
    /// Reads the shown round, unless it still has this version. Updates by the bot meanwhile are applied later.
    pub fn read_newer<T>(&self, version: u64, read: impl FnOnce(&ShownRound) -> T) -> Option<T> {
        let round = self.lock();
        (round.version != version).then(|| read(&round))
    }

    /// The shown round, unless it still has this version.
    #[must_use]
    pub fn newer_than(&self, version: u64) -> Option<ShownRound> {
        self.read_newer(version, ShownRound::clone)
    }

    /// Whether both are the same published round.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Changes the shown round and notifies readers, unless a reader holds it at this moment; never waits.
    pub(super) fn offer(&self, change: impl FnOnce(&mut ShownRound)) -> bool {
        let Ok(mut round) = self.0.try_lock() else { return false };
        round.version += 1;
        change(&mut round);
        true
    }

    /// Runs a function while a reader holds the round.
    #[cfg(test)]
    pub(super) fn while_read(&self, meanwhile: impl FnOnce()) {
        let _reading = self.lock();
        meanwhile();
    }

    fn lock(&self) -> MutexGuard<'_, ShownRound> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An update of the round.
#[derive(Debug)]
enum RoundUpdate {
    Event { seat: Option<Seat>, event: Event },
    Joined { table: Box<Table>, names: Vec<String> },
    Names(Vec<String>),
    Decision(Box<DecisionNote>),
}

/// Publishes the round of a bot, for one connection.
#[derive(Debug, Default)]
pub(super) struct RoundPublisher {
    /// `None` without a page.
    place: Option<LiveRound>,
    /// Updates that are not published yet.
    waiting: Vec<RoundUpdate>,
    /// Whether this connection has seen the deal of a round.
    dealt: bool,
}

impl RoundPublisher {
    pub(super) const fn new(place: Option<LiveRound>) -> Self {
        Self { place, waiting: Vec::new(), dealt: false }
    }

    /// Whether there is a page.
    pub(super) const fn is_on(&self) -> bool {
        self.place.is_some()
    }

    /// Records an event that the game has applied. Other seats' hidden tiles are removed, even if an arena sends them.
    pub(super) fn happened(&mut self, event: &Event, game: &GameState) {
        if !self.is_on() {
            return;
        }
        let seat = game.seat();
        if matches!(event, Event::StartKyoku(_)) {
            // This replaces the earlier updates.
            self.waiting.clear();
            self.waiting.push(RoundUpdate::Names(game.names.clone()));
            self.dealt = true;
        }
        // An arena may repeat any event.
        if self.waiting.len() < MAX_EVENTS {
            let event = seat.map_or(*event, |seat| event.masked_for(seat));
            self.waiting.push(RoundUpdate::Event { seat, event });
        }
        self.joined(game);
    }

    /// Stores the table of a round whose deal was not seen.
    fn joined(&mut self, game: &GameState) {
        let Some(table) = game.table().filter(|table| !self.dealt && table.phase().is_running()) else { return };
        self.waiting.retain(|update| !matches!(update, RoundUpdate::Joined { .. }));
        self.waiting.push(RoundUpdate::Joined { table: Box::new(table.clone()), names: game.names.clone() });
    }

    /// Stores a decision.
    pub(super) fn decided(&mut self, note: DecisionNote, game: &GameState) {
        if self.is_on() && self.waiting.len() < MAX_EVENTS {
            self.joined(game);
            self.waiting.push(RoundUpdate::Decision(Box::new(note)));
        }
    }

    /// Publishes the stored updates, unless a reader holds the round at the moment; never waits.
    pub(super) fn show(&mut self) {
        let Some(place) = &self.place else { return };
        if self.waiting.is_empty() {
            return;
        }
        let waiting = &mut self.waiting;
        place.offer(|round| waiting.drain(..).for_each(|news| round.take(news)));
    }
}

impl ShownRound {
    fn take(&mut self, news: RoundUpdate) {
        match news {
            RoundUpdate::Names(names) => self.names = names,
            RoundUpdate::Event { seat, event } => {
                // The bot may have played another game before, with another config.
                self.other = None;
                if matches!(event, Event::StartKyoku(_)) {
                    self.events.clear();
                    self.decisions.clear();
                    self.joined = None;
                }
                self.seat = seat;
                // Before the first deal there is no round.
                let begins = matches!(event, Event::StartKyoku(_));
                if (begins || !self.events.is_empty()) && self.events.len() < MAX_EVENTS {
                    self.events.push(event);
                }
            }
            RoundUpdate::Joined { table, names } => {
                // The events of an earlier connection do not belong to this one.
                self.events.clear();
                (self.other, self.seat, self.names) = (None, Some(table.seat()), names);
                self.joined = Some(table);
            }
            RoundUpdate::Decision(note) => {
                if self.decisions.len() < MAX_DECISIONS {
                    self.decisions.push(ShownDecision { after: self.events.len(), note: *note });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use riichi::Rules;
    use riichi::game::RiichiGame;

    use super::*;

    fn deal() -> Event {
        let game = RiichiGame::new(Rules::TENHOU_HALF, 7);
        *game.events().iter().find(|event| matches!(event, Event::StartKyoku(_))).expect("a deal")
    }

    fn game() -> GameState {
        let mut game = GameState::new(Rules::TENHOU_HALF);
        game.take_in(&Event::StartGame { seat: Some(Seat::FIRST) });
        game
    }

    #[test]
    fn other_seats_tiles_are_not_shown_even_if_the_arena_sends_them() {
        let (place, game) = (LiveRound::default(), game());
        let mut teller = RoundPublisher::new(Some(place.clone()));
        let other = Seat::new(2).expect("a seat");
        teller.happened(&deal(), &game);
        teller.happened(&Event::Tsumo { actor: other, tile: Some("5mr".parse().expect("a tile")) }, &game);
        teller.show();
        let shown = place.newer_than(0).expect("something");
        let Event::StartKyoku(start) = shown.events[0] else { panic!("{:?}", shown.events) };
        let open: Vec<Seat> = start.tehais.iter().filter(|(_, hand)| hand.is_some()).map(|(seat, _)| seat).collect();
        assert_eq!((open, shown.events[1]), (vec![Seat::FIRST], Event::Tsumo { actor: other, tile: None }));
    }

    #[test]
    fn a_round_that_was_joined_after_its_deal_is_shown_by_its_table_until_the_next_deal() {
        let (place, mut game) = (LiveRound::default(), game());
        // An earlier connection received the deal.
        game.take_in(&deal().masked_for(Seat::FIRST));
        let draw = Event::Tsumo { actor: Seat::FIRST, tile: Some("1m".parse().expect("a tile")) };
        game.take_in(&draw);
        let mut teller = RoundPublisher::new(Some(place.clone()));
        teller.happened(&draw, &game);
        teller.show();
        let shown = place.newer_than(0).expect("something");
        assert_eq!(shown.joined.expect("the table").seat(), Seat::FIRST);
        assert!(shown.events.is_empty());
        teller.happened(&deal(), &game);
        teller.show();
        let shown = place.newer_than(0).expect("something");
        assert!(shown.joined.is_none() && shown.events.len() == 1);
    }

    #[test]
    fn a_bot_does_not_wait_for_a_reader_and_nothing_is_lost() {
        let (place, game) = (LiveRound::default(), game());
        let mut teller = RoundPublisher::new(Some(place.clone()));
        let reader = place.lock();
        teller.happened(&deal(), &game);
        teller.show();
        assert!(reader.events.is_empty());
        drop(reader);
        teller.happened(&Event::Tsumo { actor: Seat::FIRST, tile: None }, &game);
        teller.show();
        assert_eq!(place.newer_than(0).expect("something").events.len(), 2);
    }

    #[test]
    fn a_round_that_never_ends_takes_no_more_room_than_a_long_one() {
        let (place, game) = (LiveRound::default(), game());
        let mut teller = RoundPublisher::new(Some(place.clone()));
        for times in 0..3 {
            teller.happened(&deal(), &game);
            for _ in 0..10 * MAX_EVENTS {
                teller.happened(&Event::Tsumo { actor: Seat::FIRST, tile: None }, &game);
                if times == 1 {
                    teller.show();
                }
            }
            assert!(teller.waiting.len() <= MAX_EVENTS);
            teller.show();
            assert!(place.lock().events.len() <= MAX_EVENTS);
        }
    }
}
