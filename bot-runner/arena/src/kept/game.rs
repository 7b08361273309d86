//! A game that is kept.

use riichi::event::Hora;
use riichi::rng::Rng;
use riichi::{Event, PerSeat};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use lab_stats::SeatCounter;

use super::rating::Skill;

/// What determines the walls of a game: the seed of many games, and the number of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallSeed {
    pub seed: u64,
    pub number: u64,
}

/// The place of a game in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSlot {
    /// Its number in the event, from 0.
    pub slot: u32,
    /// The games of a set have the same walls.
    pub set: u32,
    /// Number of games in the set.
    pub games_of_set: u32,
}

/// A game that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptGame {
    /// A UUID.
    pub id: String,
    /// Its number at the arena, from 1.
    pub number: u64,
    /// The end of the game.
    #[serde(with = "time::serde::rfc3339")]
    pub played_at: OffsetDateTime,
    pub walls: WallSeed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventSlot>,
    /// The size of its log, in bytes.
    pub log_bytes: u64,
    /// The seats, in order.
    pub seats: Vec<KeptSeat>,
}

/// A seat of a game that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptSeat {
    pub bot: u64,
    /// Its name when it played.
    pub name: String,
    /// Its points at the end.
    pub score: i32,
    /// Its place, from 1.
    pub place: u8,
    pub before: Skill,
    pub after: Skill,
    /// Whether its connection dropped before the end, or it was not there at all.
    pub disconnected: bool,
    /// Whether it ended a round by an illegal action.
    pub penalized: bool,
    pub counts: SeatFigures,
}

impl KeptSeat {
    /// What the game changed of the rating, to the hundredth.
    pub fn rating_change(&self) -> f64 {
        ((self.after.rating() - self.before.rating()) * 100.0).round() / 100.0
    }
}

/// Counts over the rounds of a bot's games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFigures {
    pub rounds: u64,
    /// Rounds that ended without a win.
    pub draws: u64,
    pub riichi: u64,
    pub wins: u64,
    /// Points gained by wins.
    pub won: i64,
    /// Wins by self-draw.
    pub self_draws: u64,
    pub deal_ins: u64,
    /// Points lost by dealing in.
    pub lost: i64,
    /// Rounds in which it called a tile.
    pub called: u64,
    /// Games that it ended below 0 points.
    pub busts: u64,
}

impl SeatFigures {
    /// Those of all seats in a game with these events.
    pub(super) fn of(events: &[Event], players: u8) -> PerSeat<Self> {
        let mut counter = SeatCounter::new(players);
        let mut draws = 0;
        let mut self_draws = PerSeat::from_fn(players, |_| 0);
        for event in events {
            counter.count(event);
            match event {
                Event::Ryukyoku { .. } => draws += 1,
                Event::Hora(Hora { actor, target, .. }) if actor == target => {
                    self_draws[*actor] += 1;
                }
                _ => {}
            }
        }
        PerSeat::from_fn(players, |seat| {
            let counts = &counter.seats[seat];
            Self {
                rounds: counts.rounds,
                draws,
                riichi: counts.riichi,
                wins: counts.wins,
                won: counts.won,
                self_draws: self_draws[seat],
                deal_ins: counts.deal_ins,
                lost: counts.lost,
                called: counts.called,
                busts: 0,
            }
        })
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.draws += other.draws;
        self.riichi += other.riichi;
        self.wins += other.wins;
        self.won += other.won;
        self.self_draws += other.self_draws;
        self.deal_ins += other.deal_ins;
        self.lost += other.lost;
        self.called += other.called;
        self.busts += other.busts;
    }
}

/// The UUID of a game. Two games of a ladder differ in their number, or in the time of their end.
pub(super) fn game_id(walls: WallSeed, number: u64, played_at: OffsetDateTime) -> String {
    let nanoseconds = played_at.unix_timestamp_nanos() as u64;
    let mut random = Rng::keyed(&[walls.seed, walls.number, number, nanoseconds]);
    let (high, low) = (random.next_u64(), random.next_u64());
    let (version, variant) = (0x4000 | high & 0xfff, 0x8000 | low >> 48 & 0x3fff);
    format!(
        "{:08x}-{:04x}-{version:04x}-{variant:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_game_is_a_uuid_of_version_4() {
        let walls = WallSeed { seed: 1, number: 2 };
        let at = |seconds| OffsetDateTime::from_unix_timestamp(seconds).expect("a time");
        let id = game_id(walls, 2, at(1));
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]), "{id}");
        assert_ne!(game_id(walls, 2, at(2)), id);
    }
}
