//! A running tournament as a table in a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lab::tournament::{Arguments, WallResult};
use lab_stats::{RunningMean, SeatCounts};
use policy_host::{Measure, escaped};
use serde_json::json;
use view::screen::{LiveTable, ScreenSize, place_bars, progress};
use view::web::TournamentPage;

use super::super::table::TextTable;
use super::report::{unit, written};

/// The current state of a tournament. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct LiveStanding(Arc<Mutex<StandingFigures>>);

#[derive(Debug)]
struct StandingFigures {
    start: Instant,
    measure: Measure,
    /// Number of games played, and of games to play.
    games: (u64, u64),
    configs: Vec<StandingConfig>,
    /// The history of the intervals, at increasing distances.
    steps: Vec<StandingStep>,
}

/// Intervals after this many walls: mean, low and high for each config.
type StandingStep = (u64, Vec<Option<[f64; 3]>>);

#[derive(Debug)]
struct StandingConfig {
    name: String,
    /// The mean place, or points, on each wall.
    walls: RunningMean,
    /// Number of times at each place, or of games won and lost.
    places: Vec<u64>,
}

/// A step is taken after this part of the walls before it, which limits the number of steps to a few hundred.
const STEP_SHARE: u64 = 25;

impl StandingConfig {
    /// Mean, low and high of the measure.
    fn interval(&self) -> Option<[f64; 3]> {
        let place = self.walls.estimate()?;
        let spread = place.spread?;
        Some([place.mean, spread.low, spread.high])
    }
}

impl TournamentPage for LiveStanding {
    fn standing(&self) -> serde_json::Value {
        let figures = self.figures();
        let (games, of) = figures.games;
        let configs = figures.configs.iter().map(|config| {
            let place = config.walls.estimate();
            let spread = place.and_then(|place| place.spread);
            json!({
                "name": config.name,
                "mean": place.map(|place| place.mean),
                "low": spread.map(|spread| spread.low),
                "high": spread.map(|spread| spread.high),
                "places": config.places,
                "walls": config.walls.count(),
            })
        });
        json!({
            "unit": unit(figures.measure),
            "games": games,
            "of": of,
            "seconds": figures.start.elapsed().as_secs(),
            "configs": configs.collect::<Vec<_>>(),
            "steps": figures.steps,
        })
    }
}

impl LiveStanding {
    /// The state before the first game of a tournament with this many games.
    pub(super) fn new(arguments: &Arguments, games: u64) -> Self {
        let measure = arguments.measure();
        let config = |name: &String| StandingConfig {
            name: name.clone(),
            walls: RunningMean::default(),
            places: match measure {
                Measure::Places => vec![0; arguments.players.into()],
                Measure::Points { .. } => vec![0; 2],
            },
        };
        let configs = arguments.configs.iter().map(|who| config(&who.name)).collect();
        Self(Arc::new(Mutex::new(StandingFigures {
            start: Instant::now(),
            measure,
            games: (0, games),
            configs,
            steps: Vec::new(),
        })))
    }

    /// Counts a game.
    pub(super) fn game(&self) {
        self.figures().games.0 += 1;
    }

    /// Adds a wall.
    pub(super) fn wall(&self, played: &WallResult) {
        let mut figures = self.figures();
        let measure = figures.measure;
        for (config, counts) in figures.configs.iter_mut().zip(&played.counts) {
            config.walls.add(counts.mean(measure));
            let SeatCounts { places, wins, rounds, .. } = *counts;
            let times = match measure {
                Measure::Places => places,
                Measure::Points { .. } => [wins, rounds - wins, 0, 0],
            };
            for (sum, times) in config.places.iter_mut().zip(times) {
                *sum += times;
            }
        }
        let walls = figures.configs.first().map_or(0, |config| config.walls.count());
        let last = figures.steps.last().map_or(1, |(walls, _)| *walls);
        if walls > last && walls - last >= last / STEP_SHARE {
            let step = figures.configs.iter().map(StandingConfig::interval).collect();
            figures.steps.push((walls, step));
        }
    }

    /// Shows a live table in the terminal, if there is one.
    pub(super) fn live_table(&self) -> Option<LiveTable> {
        let standing = self.clone();
        LiveTable::start(move |size| standing.lines(size))
    }

    fn lines(&self, size: ScreenSize) -> Vec<String> {
        let figures = self.figures();
        let heading = match figures.measure {
            Measure::Places => ["bot", "avg place", "95 % interval", "places"],
            Measure::Points { .. } => ["bot", "avg points", "95 % interval", "won %"],
        };
        let mut table = TextTable::new(heading, [true, false, false, true]);
        for config in figures.configs.iter().take(size.rows.saturating_sub(3)) {
            let [mean, _, interval] = config
                .walls
                .estimate()
                .map_or_else(|| std::array::from_fn(|_| "-".to_owned()), |mean| written(&mean.into(), figures.measure));
            table.row([
                escaped(config.name.as_bytes()),
                mean,
                interval,
                match (figures.measure, &config.places[..]) {
                    (Measure::Points { .. }, [won, not]) => {
                        format!("{:.1}", 100.0 * *won as f64 / (won + not).max(1) as f64)
                    }
                    (_, places) => place_bars(places),
                },
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
