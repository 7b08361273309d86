//! A running tournament as a table in a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lab::tournament::{Arguments, Plan, WallResult, Walls, middle};
use lab_stats::{Differences, Estimate, SeatCounts};
use policy_host::Measure;
use say::screen::{LiveTable, ScreenSize, place_bars, progress};
use serde_json::json;
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
    /// Number of games that an earlier run played.
    earlier: u64,
    configs: Vec<StandingConfig>,
    /// The history of the intervals, at increasing distances.
    steps: Vec<StandingStep>,
}

/// Intervals after this many walls: mean, low and high for each config.
type StandingStep = (u64, Vec<Option<[f64; 3]>>);

#[derive(Debug)]
struct StandingConfig {
    name: String,
    /// By how much the mean place, or points, on each wall is above the middle.
    walls: Differences,
    middle: f64,
    /// The least and the greatest value that the measure can have.
    possible: (f64, f64),
    /// Number of times at each place, or of games won and lost.
    places: Vec<u64>,
}

/// A step is taken after this part of the walls before it, which limits the number of steps to a
/// few hundred.
const STEP_SHARE: u64 = 25;

impl StandingConfig {
    /// The measure, with its interval cut to what is possible.
    fn estimate(&self) -> Option<Estimate> {
        let (least, greatest) = self.possible;
        Some(
            self.walls
                .advantage()?
                .estimate_from(self.middle)
                .within(least, greatest),
        )
    }

    /// Mean, low and high of the measure.
    fn interval(&self) -> Option<[f64; 3]> {
        let place = self.estimate()?;
        let spread = place.spread?;
        Some([place.mean, spread.low, spread.high])
    }
}

impl TournamentPage for LiveStanding {
    fn standing(&self) -> serde_json::Value {
        let figures = self.figures();
        let (games, of) = figures.games;
        let configs = figures.configs.iter().map(|config| {
            let place = config.estimate();
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
            "earlier": figures.earlier,
            "seconds": figures.start.elapsed().as_secs(),
            "configs": configs.collect::<Vec<_>>(),
            "steps": figures.steps,
        })
    }
}

impl LiveStanding {
    /// The state of a tournament with these walls, which an earlier run played, and before its next
    /// game.
    pub(super) fn new(arguments: &Arguments, plan: &Plan, known: &Walls) -> Self {
        let measure = arguments.measure();
        let config = |name: &String| StandingConfig {
            name: name.clone(),
            walls: Differences::default(),
            middle: middle(measure, arguments.players),
            possible: match measure {
                Measure::Places => (1.0, arguments.players.into()),
                Measure::Points { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            },
            places: match measure {
                Measure::Places => vec![0; arguments.players.into()],
                Measure::Points { .. } => vec![0; 2],
            },
        };
        let configs = arguments
            .configs
            .iter()
            .map(|who| config(&who.name))
            .collect();
        let games = |walls: u64| walls * plan.schedule.seatings().len() as u64;
        let earlier = games(known.len() as u64);
        let standing = Self(Arc::new(Mutex::new(StandingFigures {
            start: Instant::now(),
            measure,
            games: (earlier, games(plan.shard.len(plan.walls))),
            earlier,
            configs,
            steps: Vec::new(),
        })));
        known.values().for_each(|wall| standing.wall(wall));
        standing
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
            config.walls.add(counts.mean(measure) - config.middle);
            let SeatCounts {
                places,
                wins,
                rounds,
                ..
            } = *counts;
            let times = match measure {
                Measure::Places => places,
                Measure::Points { .. } => [wins, rounds - wins, 0, 0],
            };
            for (sum, times) in config.places.iter_mut().zip(times) {
                *sum += times;
            }
        }
        let walls = figures
            .configs
            .first()
            .map_or(0, |config| config.walls.count());
        let last = figures.steps.last().map_or(1, |(walls, _)| *walls);
        if walls > last && walls - last >= last / STEP_SHARE {
            let step = figures
                .configs
                .iter()
                .map(StandingConfig::interval)
                .collect();
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
            let [mean, _, interval] = config.estimate().map_or_else(
                || std::array::from_fn(|_| "-".to_owned()),
                |mean| written(&mean.into(), figures.measure),
            );
            table.row([
                config.name.clone(),
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
        let mut lines = table.lines_within(size.columns.saturating_sub(1), &[]);
        lines.push(progress(
            done,
            figures.earlier,
            of,
            "games",
            figures.start.elapsed(),
        ));
        lines
    }

    fn figures(&self) -> MutexGuard<'_, StandingFigures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use lab::part::Shard;
    use lab::tournament::{Competitor, Format};
    use policy_host::GameKind;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_resumed_tournament_shows_its_earlier_walls_and_intervals_of_possible_places() {
        let competitor = Competitor {
            name: "kuma".to_owned(),
            config: String::new(),
            policy: String::new(),
            version: String::new(),
            sha256: None,
            params: Value::Null,
            files: None,
            config_think_ms: None,
        };
        let arguments = Arguments {
            program: String::new(),
            game: GameKind::Riichi,
            seed: 1,
            format: Format::TwoAgainstTwo,
            players: 4,
            rules: None,
            length: None,
            games: 60,
            uma: None,
            until_clear: None,
            sprt: None,
            luck: None,
            think_ms: None,
            configs: vec![competitor; 2],
        };
        let plan = arguments
            .plan(Shard::WHOLE, NonZeroUsize::MIN)
            .expect("two can sit");
        let wall = |places: [[u64; 4]; 2]| WallResult {
            games: Vec::new(),
            luck: Vec::new(),
            counts: places
                .map(|places| SeatCounts {
                    places,
                    ..SeatCounts::default()
                })
                .into(),
            first_fault: None,
        };
        let walls = [
            (1, wall([[6, 6, 0, 0], [0, 0, 6, 6]])),
            (2, wall([[12, 0, 0, 0], [0, 0, 0, 12]])),
        ];
        let standing = LiveStanding::new(&arguments, &plan, &Walls::from(walls));
        standing.game();
        let told = standing.standing();
        assert_eq!(
            (&told["games"], &told["of"], &told["earlier"]),
            (&13.into(), &60.into(), &12.into())
        );
        let kuma = &told["configs"][0];
        assert_eq!(
            (&kuma["walls"], &kuma["places"]),
            (&2.into(), &json!([18, 6, 0, 0]))
        );
        assert_eq!(
            (&kuma["mean"], &kuma["low"], &kuma["high"]),
            (&1.25.into(), &1.0.into(), &4.0.into())
        );
    }
}
