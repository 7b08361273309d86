//! The games of an event: which were played, and which come next.

use std::collections::HashMap;

use super::draw::TableDraw;
use super::{EventFormat, EventSettings, standings};
use crate::kept::{EventSlot, KeptGame, WallSeed};

/// A game of an event that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedGame {
    pub(crate) slot: EventSlot,
    /// The walls, if a game of its set was played.
    pub(crate) walls: Option<WallSeed>,
    /// The bots by seat, as indices of the event's bots.
    pub(crate) seats: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotState {
    Open,
    Playing,
    Over,
}

/// The games of an event.
#[derive(Debug)]
pub(crate) struct EventPlan {
    settings: EventSettings,
    draw: TableDraw,
    /// The bots of each set that is drawn, by seat in its first game.
    sets: Vec<Vec<usize>>,
    /// The games of these sets.
    slots: Vec<SlotState>,
    /// The games that are over.
    games: Vec<KeptGame>,
    walls: HashMap<u32, WallSeed>,
}

impl EventPlan {
    /// The plan of an event of which these games were played.
    pub(crate) fn new(settings: EventSettings, played: Vec<KeptGame>) -> Self {
        let draw = TableDraw::new(settings.bots.len(), settings.players.into(), settings.seed);
        let mut plan = Self {
            settings,
            draw,
            sets: Vec::new(),
            slots: Vec::new(),
            games: Vec::new(),
            walls: HashMap::new(),
        };
        // The standing of a round decides about the next one, as when it was played.
        let mut played: HashMap<u32, KeptGame> = played
            .into_iter()
            .filter_map(|game| Some((game.event?.slot, game)))
            .collect();
        loop {
            plan.advance();
            let slots = 0..plan.slots.len() as u32;
            let known: Vec<KeptGame> = slots.filter_map(|slot| played.remove(&slot)).collect();
            if known.is_empty() {
                return plan;
            }
            for game in known {
                plan.take(game);
            }
        }
    }

    /// Draws the tables that can be drawn.
    fn advance(&mut self) {
        let games_of_set = self.settings.games_of_set();
        let all = (self.settings.games / games_of_set) as usize;
        let at_once = self.settings.bots.len() / usize::from(self.settings.players);
        while self.sets.len() < all {
            let is_swiss = self.settings.format == EventFormat::Swiss;
            if is_swiss && !self.slots.iter().all(|slot| *slot == SlotState::Over) {
                return;
            }
            let tables = at_once.min(all - self.sets.len());
            let drawn = if is_swiss && !self.sets.is_empty() {
                let places = self.places();
                self.draw.of_neighbours(tables, &places)
            } else {
                self.draw.balanced(tables)
            };
            self.sets.extend(drawn);
            let slots = self.sets.len() * games_of_set as usize;
            self.slots.resize(slots, SlotState::Open);
        }
    }

    /// The place of each bot in the standing.
    fn places(&self) -> Vec<usize> {
        let standing = standings(&self.settings, &self.games);
        let bots = self.settings.bots.iter();
        bots.map(|bot| {
            let place = standing.iter().position(|standing| standing.bot == *bot);
            place.unwrap_or(standing.len())
        })
        .collect()
    }

    /// The games that nobody plays yet, the first first.
    pub(crate) fn open(&self) -> impl Iterator<Item = PlannedGame> + '_ {
        let open = self.slots.iter().enumerate();
        open.filter(|(_, state)| **state == SlotState::Open)
            .map(|(slot, _)| self.planned(slot as u32))
    }

    fn planned(&self, slot: u32) -> PlannedGame {
        let games_of_set = self.settings.games_of_set();
        let set = slot / games_of_set;
        let mut seats = self.sets[set as usize].clone();
        seats.rotate_right((slot % games_of_set) as usize);
        PlannedGame {
            slot: EventSlot {
                slot,
                set,
                games_of_set,
            },
            walls: self.walls.get(&set).copied(),
            seats,
        }
    }

    /// Notes that a game begins.
    pub(crate) fn begin(&mut self, slot: EventSlot, walls: WallSeed) {
        self.walls.insert(slot.set, walls);
        self.set(slot.slot, SlotState::Playing);
    }

    /// Notes the end of a game: with its result, or without one, so that it is played again.
    pub(crate) fn end(&mut self, slot: EventSlot, game: Option<KeptGame>) {
        match game {
            Some(game) => self.take(game),
            None => self.set(slot.slot, SlotState::Open),
        }
        self.advance();
    }

    fn take(&mut self, game: KeptGame) {
        if let Some(event) = game.event {
            self.walls.insert(event.set, game.walls);
            self.set(event.slot, SlotState::Over);
        }
        self.games.push(game);
    }

    fn set(&mut self, slot: u32, state: SlotState) {
        if let Some(known) = self.slots.get_mut(slot as usize) {
            *known = state;
        }
    }

    /// Whether all games are over.
    pub(crate) fn is_over(&self) -> bool {
        self.slots.len() == self.settings.games as usize
            && self.slots.iter().all(|state| *state == SlotState::Over)
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::kept::{KeptSeat, SeatFigures, Skill};

    fn settings(format: EventFormat, bots: usize, games: u32) -> EventSettings {
        EventSettings {
            name: "cup".to_owned(),
            format,
            games,
            players: 4,
            duplicate: false,
            seed: 5,
            bots: (0..bots).map(|bot| format!("bot{bot:02}")).collect(),
        }
    }

    /// The game in which a bot of a smaller number is better.
    fn played(plan: &EventPlan, game: &PlannedGame) -> KeptGame {
        let mut order = game.seats.clone();
        order.sort_unstable();
        let seat = |bot: &usize| {
            let place = order
                .iter()
                .position(|other| other == bot)
                .expect("it plays") as u8
                + 1;
            KeptSeat {
                bot: *bot as u64,
                name: plan.settings.bots[*bot].clone(),
                score: 50_000 - 10_000 * i32::from(place),
                place,
                before: Skill::default(),
                after: Skill::default(),
                disconnected: false,
                penalized: false,
                counts: SeatFigures::default(),
            }
        };
        KeptGame {
            id: game.slot.slot.to_string(),
            number: u64::from(game.slot.slot) + 1,
            played_at: OffsetDateTime::UNIX_EPOCH,
            walls: WallSeed {
                seed: 1,
                number: game.slot.set.into(),
            },
            event: Some(game.slot),
            log_bytes: 0,
            seats: game.seats.iter().map(seat).collect(),
        }
    }

    /// Plays an event to its end, one game after the other; returns its games.
    fn play_all(settings: &EventSettings, played_before: Vec<KeptGame>) -> Vec<KeptGame> {
        let mut plan = EventPlan::new(settings.clone(), played_before);
        loop {
            let next = plan.open().next();
            let Some(game) = next else { break };
            let result = played(&plan, &game);
            plan.begin(game.slot, result.walls);
            plan.end(game.slot, Some(result));
        }
        assert!(plan.is_over());
        plan.games
    }

    #[test]
    fn an_event_has_its_number_of_games_in_both_formats() {
        for format in [EventFormat::RoundRobin, EventFormat::Swiss] {
            for (bots, games) in [(16, 240), (6, 7), (4, 1), (9, 31)] {
                let played = play_all(&settings(format, bots, games), Vec::new());
                assert_eq!(played.len(), games as usize);
            }
        }
    }

    #[test]
    fn an_event_that_is_resumed_has_the_same_tables() {
        for format in [EventFormat::RoundRobin, EventFormat::Swiss] {
            let settings = settings(format, 10, 40);
            let whole = play_all(&settings, Vec::new());
            for known in [0, 1, 13, 39, 40] {
                let mut resumed = play_all(&settings, whole[..known].to_vec());
                resumed.sort_by_key(|game| game.number);
                assert_eq!(resumed, whole, "{format:?}, {known}");
            }
        }
    }

    #[test]
    fn a_swiss_round_begins_when_the_one_before_is_over() {
        let mut plan = EventPlan::new(settings(EventFormat::Swiss, 8, 8), Vec::new());
        let first: Vec<PlannedGame> = plan.open().collect();
        assert_eq!(first.len(), 2);
        for game in &first {
            assert!(plan.open().count() <= 2);
            let result = played(&plan, game);
            plan.begin(game.slot, result.walls);
            plan.end(game.slot, Some(result));
        }
        let second: Vec<PlannedGame> = plan.open().collect();
        assert_eq!(
            second.iter().map(|game| game.slot.slot).collect::<Vec<_>>(),
            [2, 3]
        );
        let winners: Vec<usize> = first
            .iter()
            .map(|game| *game.seats.iter().min().expect("four bots"))
            .collect();
        assert!(
            second
                .iter()
                .any(|game| winners.iter().all(|bot| game.seats.contains(bot))),
            "the winners meet: {second:?}"
        );
    }

    #[test]
    fn a_set_has_one_wall_and_each_bot_sits_once_on_each_seat() {
        let settings = EventSettings {
            duplicate: true,
            ..settings(EventFormat::RoundRobin, 8, 16)
        };
        let games = play_all(&settings, Vec::new());
        for set in games.chunks(4) {
            assert!(set.iter().all(|game| game.walls == set[0].walls));
            for seat in 0..4 {
                let mut bots: Vec<u64> = set.iter().map(|game| game.seats[seat].bot).collect();
                bots.sort_unstable();
                bots.dedup();
                assert_eq!(bots.len(), 4);
            }
        }
    }

    #[test]
    fn a_game_that_ends_without_a_result_is_played_again() {
        let mut plan = EventPlan::new(settings(EventFormat::Swiss, 4, 1), Vec::new());
        let game = plan.open().next().expect("a game");
        plan.begin(game.slot, WallSeed { seed: 1, number: 1 });
        assert_eq!(plan.open().count(), 0);
        plan.end(game.slot, None);
        assert_eq!(plan.open().count(), 1);
        assert!(!plan.is_over());
    }

    #[test]
    fn what_is_impossible_is_named_by_its_key() {
        let good = settings(EventFormat::Swiss, 16, 240);
        assert_eq!(good.check(), Ok(()));
        let key = |settings: EventSettings| settings.check().expect_err("it is impossible").0;
        for (expected, settings) in [
            (
                "players",
                EventSettings {
                    players: 5,
                    ..good.clone()
                },
            ),
            (
                "bots",
                EventSettings {
                    bots: vec!["a".to_owned()],
                    ..good.clone()
                },
            ),
            (
                "bots",
                EventSettings {
                    bots: vec!["a".to_owned(); 4],
                    ..good.clone()
                },
            ),
            (
                "games",
                EventSettings {
                    games: 0,
                    ..good.clone()
                },
            ),
            (
                "games",
                EventSettings {
                    games: 241,
                    duplicate: true,
                    ..good.clone()
                },
            ),
        ] {
            assert_eq!(key(settings), expected);
        }
    }
}
