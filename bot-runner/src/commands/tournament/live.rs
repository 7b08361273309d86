//! A tournament at work as a table in a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lab::tournament::{Arguments, WallResult, estimate};
use policy_host::escaped;
use serde_json::json;

use super::super::table::TextTable;
use crate::screen::{LiveTable, ScreenSize, place_bars, progress};
use crate::web::TournamentPage;

/// How a tournament stands. What is cloned is the same tournament.
#[derive(Debug, Clone)]
pub(super) struct Standing(Arc<Mutex<StandingFigures>>);

#[derive(Debug)]
struct StandingFigures {
    start: Instant,
    /// Games played, and how many there are to play.
    games: (u64, u64),
    configs: Vec<StandingConfig>,
    /// How the intervals have narrowed: few walls from step to step at first, then more and more.
    steps: Vec<StandingStep>,
}

/// Intervals after so many walls: of each config mean, low and high.
type StandingStep = (usize, Vec<Option<[f64; 3]>>);

#[derive(Debug)]
struct StandingConfig {
    name: String,
    /// The mean place on each wall.
    walls: Vec<f64>,
    places: Vec<u64>,
}

/// Steps are as far apart as this part of the walls before them, so that there are a few hundred however many walls are played.
const STEP_SHARE: usize = 25;

impl StandingConfig {
    /// Mean, low and high of its average place.
    fn interval(&self) -> Option<[f64; 3]> {
        let place = estimate(&self.walls)?;
        let spread = place.spread?;
        Some([place.mean, spread.low, spread.high])
    }
}

impl TournamentPage for Standing {
    fn standing(&self) -> serde_json::Value {
        let figures = self.figures();
        let (games, of) = figures.games;
        let configs = figures.configs.iter().map(|config| {
            let place = estimate(&config.walls);
            let spread = place.and_then(|place| place.spread);
            json!({
                "name": config.name,
                "mean": place.map(|place| place.mean),
                "low": spread.map(|spread| spread.low),
                "high": spread.map(|spread| spread.high),
                "places": config.places,
                "walls": config.walls.len(),
            })
        });
        json!({
            "games": games,
            "of": of,
            "seconds": figures.start.elapsed().as_secs(),
            "configs": configs.collect::<Vec<_>>(),
            "steps": figures.steps,
        })
    }
}

impl Standing {
    /// Of a tournament in which so many games are to be played.
    pub(super) fn new(arguments: &Arguments, games: u64) -> Self {
        let config = |name: &String| StandingConfig {
            name: name.clone(),
            walls: Vec::new(),
            places: vec![0; arguments.players.into()],
        };
        let configs = arguments.configs.iter().map(|who| config(&who.name)).collect();
        Self(Arc::new(Mutex::new(StandingFigures {
            start: Instant::now(),
            games: (0, games),
            configs,
            steps: Vec::new(),
        })))
    }

    /// Counts a game.
    pub(super) fn game(&self) {
        self.figures().games.0 += 1;
    }

    /// Takes in a wall.
    pub(super) fn wall(&self, played: &WallResult) {
        let mut figures = self.figures();
        let means = played.mean_places();
        for ((config, mean), counts) in figures.configs.iter_mut().zip(means).zip(&played.counts) {
            config.walls.push(mean);
            for (sum, times) in config.places.iter_mut().zip(counts.places) {
                *sum += times;
            }
        }
        let walls = figures.configs.first().map_or(0, |config| config.walls.len());
        let last = figures.steps.last().map_or(1, |(walls, _)| *walls);
        if walls > last && walls - last >= last / STEP_SHARE {
            let step = figures.configs.iter().map(StandingConfig::interval).collect();
            figures.steps.push((walls, step));
        }
    }

    /// Keeps it on the terminal, if there is one.
    pub(super) fn live_table(&self) -> Option<LiveTable> {
        let standing = self.clone();
        LiveTable::start(move |size| standing.lines(size))
    }

    fn lines(&self, size: ScreenSize) -> Vec<String> {
        let figures = self.figures();
        let mut table = TextTable::new(["bot", "avg place", "95 % interval", "places"], [true, false, false, true]);
        for config in figures.configs.iter().take(size.rows.saturating_sub(3)) {
            let place = estimate(&config.walls);
            let spread = place.and_then(|place| place.spread);
            table.row([
                escaped(config.name.as_bytes()),
                place.map_or_else(|| "-".to_owned(), |place| format!("{:.3}", place.mean)),
                spread.map_or_else(|| "-".to_owned(), |spread| format!("{:.3} to {:.3}", spread.low, spread.high)),
                place_bars(&config.places),
            ]);
        }
        let (done, of) = figures.games;
        let mut lines: Vec<String> = table.to_string().lines().map(str::to_owned).collect();
        lines.push(progress(done, of, "games", figures.start.elapsed()));
        lines
    }

    fn figures(&self) -> MutexGuard<'_, StandingFigures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
