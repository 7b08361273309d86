//! The standing of an event.

use lab_stats::{ClusteredMean, Estimate};

use super::EventSettings;
use crate::kept::KeptGame;

/// A bot in the standing.
#[derive(Debug, Clone, PartialEq)]
pub struct EventStanding {
    pub bot: String,
    /// Number of its games that are over.
    pub games: u64,
    /// How often it came first, second, third and fourth.
    pub places: [u64; 4],
    /// Its average place, with the interval of games on different walls; `None` without a game.
    pub place: Option<Estimate>,
    /// Its average points at the end.
    pub points: Option<f64>,
    /// Number of games that it left, or did not come to.
    pub disconnected: u64,
    /// Number of games in which it ended a round by an illegal action.
    pub penalized: u64,
}

/// All bots of an event after these games, by their average place, then by their points.
pub fn standings(settings: &EventSettings, games: &[KeptGame]) -> Vec<EventStanding> {
    let mut all: Vec<EventStanding> = settings
        .bots
        .iter()
        .map(|bot| standing_of(bot, settings.players, games))
        .collect();
    let mean = |standing: &EventStanding| standing.place.map_or(f64::INFINITY, |place| place.mean);
    all.sort_by(|one, other| {
        let by_place = mean(one).total_cmp(&mean(other));
        let points = |standing: &EventStanding| standing.points.unwrap_or(f64::NEG_INFINITY);
        by_place.then(points(other).total_cmp(&points(one)))
    });
    all
}

fn standing_of(bot: &str, players: u8, games: &[KeptGame]) -> EventStanding {
    let (mut mean, mut points) = (ClusteredMean::default(), 0.0);
    let mut standing = EventStanding {
        bot: bot.to_owned(),
        games: 0,
        places: [0; 4],
        place: None,
        points: None,
        disconnected: 0,
        penalized: 0,
    };
    for game in games {
        let (Some(event), Some(seat)) =
            (game.event, game.seats.iter().find(|seat| seat.name == bot))
        else {
            continue;
        };
        mean.add(event.set.into(), seat.place.into());
        points += f64::from(seat.score);
        standing.games += 1;
        let place = usize::from(seat.place).checked_sub(1);
        if let Some(times) = place.and_then(|place| standing.places.get_mut(place)) {
            *times += 1;
        }
        standing.disconnected += u64::from(seat.disconnected);
        standing.penalized += u64::from(seat.penalized);
    }
    let place = mean.estimate();
    standing.place =
        place.map(|place| place.over_games(standing.games).within(1.0, players.into()));
    standing.points = (standing.games > 0).then(|| points / standing.games as f64);
    standing
}
