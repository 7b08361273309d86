//! The current round of a bot from its seat's point of view, for other tasks to read while it is
//! played.
//!
//! A bot never waits for a reader: while one reads, updates are kept and applied later.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use riichi::{Event, Seat, Table};

use super::shown_match::ShownMatch;
use crate::decision_note::NotedDecision;
use crate::session::GameState;

/// Maximum number of events kept of a round; no legal round has this many.
const MAX_EVENTS: usize = 400;

/// What a page shows of a bot.
#[derive(Debug, Clone, Default)]
pub struct ShownRound {
    /// Increases with every change.
    pub version: u64,
    /// The round of riichi; empty in another game.
    pub riichi: RiichiRound,
    /// The match of a game other than riichi.
    pub other: Option<ShownMatch>,
}

/// A round of riichi from one seat.
#[derive(Debug, Clone, Default)]
pub struct RiichiRound {
    pub seat: Option<Seat>,
    /// The names of the players, if the arena sends them.
    pub names: Vec<String>,
    /// The events of the round that the seat received, from its deal.
    pub events: Vec<Event>,
    /// The table of a round that the bot joined after its deal, as far as the arena described it.
    pub joined: Option<Box<Table>>,
    /// The bot's last decision in it.
    pub decision: Option<Arc<dyn NotedDecision>>,
}

/// The published round of a bot. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveRound(Arc<Mutex<ShownRound>>);

impl LiveRound {
    /// Reads the shown round, unless it still has this version. Updates by the bot meanwhile are
    /// applied later.
    pub fn read_newer<T>(&self, version: u64, read: impl FnOnce(&ShownRound) -> T) -> Option<T> {
        let round = self.lock();
        (round.version != version).then(|| read(&round))
    }

    /// The shown round, unless it still has this version.
    #[cfg(test)]
    pub(super) fn newer_than(&self, version: u64) -> Option<ShownRound> {
        self.read_newer(version, ShownRound::clone)
    }

    /// Whether both are the same published round.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Changes the shown round and notifies readers, unless a reader holds it at this moment; never
    /// waits.
    pub(super) fn offer(&self, change: impl FnOnce(&mut ShownRound)) -> bool {
        let Ok(mut round) = self.0.try_lock() else {
            return false;
        };
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

/// Publishes the round of a bot, for one connection.
#[derive(Debug, Default)]
pub(super) struct RoundPublisher {
    /// `None` without a page.
    place: Option<LiveRound>,
    round: RiichiRound,
    /// Whether this connection has seen the deal of a round.
    dealt: bool,
    /// Whether the published round lacks something of it.
    is_newer: bool,
}

impl RoundPublisher {
    pub(super) fn new(place: Option<LiveRound>) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }

    /// Whether there is a page.
    pub(super) const fn is_on(&self) -> bool {
        self.place.is_some()
    }

    /// Records an event that the game has applied. Other seats' hidden tiles are removed, even if
    /// an arena sends them.
    pub(super) fn happened(&mut self, event: &Event, game: &GameState) {
        if !self.is_on() {
            return;
        }
        if matches!(event, Event::StartKyoku(_)) {
            self.round = RiichiRound {
                names: game.names.clone(),
                ..RiichiRound::default()
            };
            self.dealt = true;
        }
        // An arena may repeat any event.
        if self.dealt && self.round.events.len() < MAX_EVENTS {
            self.round.seat = game.seat();
            self.round
                .events
                .push(game.seat().map_or(*event, |seat| event.masked_for(seat)));
            self.is_newer = true;
        }
        self.joined(game);
    }

    /// Stores the table of a round whose deal was not seen.
    fn joined(&mut self, game: &GameState) {
        let Some(table) = game
            .table()
            .filter(|table| !self.dealt && table.phase().is_running())
        else {
            return;
        };
        (self.round.seat, self.round.names) = (Some(table.seat()), game.names.clone());
        self.round.joined = Some(Box::new(table.clone()));
        self.is_newer = true;
    }

    /// Stores a decision.
    pub(super) fn decided(&mut self, note: Arc<dyn NotedDecision>, game: &GameState) {
        if self.is_on() {
            self.joined(game);
            self.round.decision = Some(note);
            self.is_newer = true;
        }
    }

    /// Publishes the round, unless a reader holds it at the moment; never waits.
    pub(super) fn show(&mut self) {
        if let Some(place) = self.place.as_ref().filter(|_| self.is_newer) {
            // The bot may have played another game before, with another config.
            self.is_newer =
                !place.offer(|shown| (shown.riichi, shown.other) = (self.round.clone(), None));
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
        *game
            .events()
            .iter()
            .find(|event| matches!(event, Event::StartKyoku(_)))
            .expect("a deal")
    }

    fn game() -> GameState {
        let mut game = GameState::new(Rules::TENHOU_HALF);
        game.take_in(&Event::StartGame {
            seat: Some(Seat::FIRST),
        });
        game
    }

    #[test]
    fn other_seats_tiles_are_not_shown_even_if_the_arena_sends_them() {
        let (place, game) = (LiveRound::default(), game());
        let mut publisher = RoundPublisher::new(Some(place.clone()));
        let other = Seat::new(2).expect("a seat");
        publisher.happened(&deal(), &game);
        publisher.happened(
            &Event::Tsumo {
                actor: other,
                tile: Some("5mr".parse().expect("a tile")),
            },
            &game,
        );
        publisher.show();
        let shown = place.newer_than(0).expect("something");
        let events = shown.riichi.events;
        let Event::StartKyoku(start) = events[0] else {
            panic!("{events:?}")
        };
        let open: Vec<Seat> = start
            .tehais
            .iter()
            .filter(|(_, hand)| hand.is_some())
            .map(|(seat, _)| seat)
            .collect();
        assert_eq!(
            (open, events[1]),
            (
                vec![Seat::FIRST],
                Event::Tsumo {
                    actor: other,
                    tile: None
                }
            )
        );
    }

    #[test]
    fn a_round_that_was_joined_after_its_deal_is_shown_by_its_table_until_the_next_deal() {
        let (place, mut game) = (LiveRound::default(), game());
        // An earlier connection received the deal.
        game.take_in(&deal().masked_for(Seat::FIRST));
        let draw = Event::Tsumo {
            actor: Seat::FIRST,
            tile: Some("1m".parse().expect("a tile")),
        };
        game.take_in(&draw);
        let mut publisher = RoundPublisher::new(Some(place.clone()));
        publisher.happened(&draw, &game);
        publisher.show();
        let shown = place.newer_than(0).expect("something").riichi;
        assert_eq!(shown.joined.expect("the table").seat(), Seat::FIRST);
        assert!(shown.events.is_empty());
        publisher.happened(&deal(), &game);
        publisher.show();
        let shown = place.newer_than(0).expect("something").riichi;
        assert!(shown.joined.is_none() && shown.events.len() == 1);
    }

    #[test]
    fn a_bot_does_not_wait_for_a_reader_and_nothing_is_lost() {
        let (place, game) = (LiveRound::default(), game());
        let mut publisher = RoundPublisher::new(Some(place.clone()));
        let reader = place.lock();
        publisher.happened(&deal(), &game);
        publisher.show();
        assert!(reader.riichi.events.is_empty());
        drop(reader);
        publisher.happened(
            &Event::Tsumo {
                actor: Seat::FIRST,
                tile: None,
            },
            &game,
        );
        publisher.show();
        assert_eq!(
            place.newer_than(0).expect("something").riichi.events.len(),
            2
        );
    }

    #[test]
    fn a_round_that_never_ends_takes_no_more_room_than_a_long_one() {
        let (place, game) = (LiveRound::default(), game());
        let mut publisher = RoundPublisher::new(Some(place.clone()));
        for times in 0..3 {
            publisher.happened(&deal(), &game);
            for _ in 0..10 * MAX_EVENTS {
                publisher.happened(
                    &Event::Tsumo {
                        actor: Seat::FIRST,
                        tile: None,
                    },
                    &game,
                );
                if times == 1 {
                    publisher.show();
                }
            }
            assert!(publisher.round.events.len() <= MAX_EVENTS);
            publisher.show();
            assert!(place.lock().riichi.events.len() <= MAX_EVENTS);
        }
    }
}
