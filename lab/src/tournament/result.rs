//! The results of a tournament, which depend only on its plan and configs.

use std::cmp::Ordering;

use lab_stats::{
    Advantage, Comparison, Differences, Estimate, SPRT_ERROR_RATE, SeatCounts, Sprt, SprtDecision,
    Verdict, elo_of_score,
};
use policy_host::Measure;
use serde::Serialize;

use super::arguments::{Arguments, Competitor};
use super::clear::{CLOSE_ERROR_RATE, Clear, ClearAfter, ERROR_RATE, TEST};
use super::rating::{Rating, rate};
use super::run::{Plan, Walls};
use super::seating::{Format, Seating};
use super::sprt::SprtWatch;
use super::wall::{Meetings, WallResult};
use crate::game::luck::PARTS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All games were played.
    Complete,
    /// It became clear which config is best, which of each two is better, or that none is much
    /// better.
    Clear,
    Interrupted,
}

/// A mean over walls. The interval is Student's, with imagined walls in its variance; see
/// [`lab_stats::Advantage`].
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MeanEstimate {
    /// The mean, in places or in points of a seat in a game.
    pub mean: f64,
    /// Its standard error over walls; `None` for a single wall, or if all walls have the average of
    /// all seats.
    pub standard_error: Option<f64>,
    /// The 95 % interval; `None` for a single wall, or if all walls have the average of all seats.
    pub interval: Option<[f64; 2]>,
}

impl From<Estimate> for MeanEstimate {
    fn from(Estimate { mean, spread }: Estimate) -> Self {
        Self {
            mean,
            standard_error: spread.map(|spread| spread.standard_error),
            interval: spread.map(|spread| [spread.low, spread.high]),
        }
    }
}

/// The result of one config over all its games.
#[derive(Debug, Clone, Serialize)]
pub struct EntrantResult {
    #[serde(flatten)]
    pub who: Competitor,
    /// Games played, counted once for each of its seats.
    pub seats: u64,
    #[serde(flatten)]
    pub figures: EntrantFigures,
    /// The games in which it sat alone among the others' seats, where each config sits so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<AloneFigures>,
    /// Number of requested decisions.
    pub decisions: u64,
    /// Number of decisions with an illegal action.
    pub illegal: u64,
    /// Number of failed decisions: a panic, an error, the end of a process.
    pub failed: u64,
    pub late: u64,
    /// The first fault: what was illegal, failed or late.
    pub first_fault: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum EntrantFigures {
    Places(Box<PlaceFigures>),
    Points(PointFigures),
}

/// The figures of a game with one win.
#[derive(Debug, Clone, Serialize)]
pub struct PointFigures {
    /// Average points of a seat in a game.
    pub points: MeanEstimate,
    /// Share of games won.
    pub win_rate: f64,
    /// The average of 4, 3, 2 and 1 for the ranks of a wall's points, if four configs play each
    /// wall in all 24 orders; equal ones share theirs. Contests in Chinese Standard count so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<MeanEstimate>,
}

/// The figures of the games of riichi in which a config sat alone among seats of the other.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AloneFigures {
    pub games: u64,
    pub place: MeanEstimate,
    /// The place without the part that is luck.
    pub place_adjusted: MeanEstimate,
    /// What its places pay on average, by [`Arguments::payoff`].
    pub uma: Option<MeanEstimate>,
    /// What they pay without the part that is luck.
    pub uma_adjusted: Option<MeanEstimate>,
}

/// The figures of a game of riichi. Rates are shares of rounds.
#[derive(Debug, Clone, Serialize)]
pub struct PlaceFigures {
    pub place: MeanEstimate,
    /// Share of first, second, third and, with four players, fourth places.
    pub places: Vec<f64>,
    /// What its places pay on average, by [`Arguments::payoff`].
    pub uma: Option<f64>,
    /// The 95 % interval of that; `None` for a single wall, or if all walls have the average of all
    /// seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uma_interval: Option<[f64; 2]>,
    /// What its places pay without the part that is luck; `None` without luck taken down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uma_adjusted: Option<MeanEstimate>,
    /// Average points at the end of a game.
    pub points: f64,
    /// Rounds played, counted once for each of its seats.
    pub rounds: u64,
    /// Rounds won.
    pub win_rate: f64,
    /// Rounds in which it dealt in.
    pub deal_in_rate: f64,
    /// Among the rounds in which an opponent's riichi was accepted, the share in which it dealt in
    /// after it; `None` without such rounds.
    pub deal_in_rate_after_riichi: Option<f64>,
    /// Rounds in which its riichi was accepted.
    pub riichi_rate: f64,
    /// Rounds in which a discard left it tenpai.
    pub tenpai_rate: f64,
    /// The average turn of that discard, the first of a round; `None` without one.
    pub average_tenpai_turn: Option<f64>,
    /// The average turn of its wins; `None` without one.
    pub average_win_turn: Option<f64>,
    /// Rounds in which it called a tile.
    pub call_rate: f64,
    /// Average gain of a win, including honba and riichi sticks; `None` without a win.
    pub average_win: Option<f64>,
    /// Average loss of a round in which it dealt in, including honba; `None` without one.
    pub average_loss: Option<f64>,
}

/// The results of two configs at shared tables.
#[derive(Debug, Clone, Serialize)]
pub struct PairResult {
    /// The name of the first config.
    pub one: String,
    /// The name of the second config.
    pub other: String,
    /// Number of games with both.
    pub games: u64,
    /// The share of pairs (a seat of the first and a seat of the second) in which the first was
    /// better; equal ones count as half.
    pub ahead: f64,
    /// The average advantage of the first in places or points. There is no interval for a single
    /// wall, or if there is no difference on any.
    pub difference: MeanEstimate,
    /// The same advantage without the part that is [luck](crate::game::luck); the verdict is of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<MeanEstimate>,
    /// The advantage of the first in Elo.
    pub elo: EloResult,
    /// Whether the first is better, judged together with all other pairs.
    #[serde(serialize_with = "verdict_name")]
    pub verdict: Verdict,
    /// Number of games of such a tournament that would show a difference as large as this one in
    /// four of five cases; `None` if the verdict is of a sequential test or without an interval, or
    /// the number would be absurd.
    pub games_needed: Option<u64>,
}

impl PairResult {
    /// The advantage that verdicts of a tournament of fixed length are of.
    pub fn judged(&self) -> &MeanEstimate {
        self.adjusted.as_ref().unwrap_or(&self.difference)
    }
}

fn verdict_name<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

/// A difference in strength: 400 points are odds of ten to one that a seat of the first is better
/// than one of the second; equal ones count as half.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct EloResult {
    /// The difference; infinite if one config was always better, which is `null` in JSON.
    pub difference: f64,
    /// The 95 % interval, from the interval of the share of pairs over walls, with an infinite end
    /// as `null` in JSON; `None` for a single wall, or if there is no difference on any.
    pub interval: Option<[f64; 2]>,
}

impl EloResult {
    /// From the share of pairs in which the first was better, above one half.
    fn of(advantage: &Advantage) -> Self {
        let Estimate { mean, spread } = advantage.estimate;
        let elo = |above_half: f64| elo_of_score(0.5 + above_half);
        let interval = spread.map(|spread| [spread.low, spread.high].map(elo));
        // Without a limit on either side it says nothing.
        let is_limited = |interval: &[f64; 2]| interval.iter().any(|end| end.is_finite());
        Self {
            difference: elo(mean),
            interval: interval.filter(is_limited),
        }
    }
}

/// The rating of a config by the model of Plackett and Luce: a difference of 400 is ten times the
/// strength; the average is 1500.
#[derive(Debug, Clone, Serialize)]
pub struct RatingResult {
    pub name: String,
    pub rating: f64,
    /// Its standard error over groups of walls; `None` for a single wall, or if all walls give the
    /// same rating.
    pub standard_error: Option<f64>,
    /// The 95 % interval by Student's t; `None` without a standard error.
    pub interval: Option<[f64; 2]>,
}

/// The result of the sequential test, if it was used.
#[derive(Debug, Clone, Serialize)]
pub struct TestResult {
    pub test: &'static str,
    /// The probability that it ever names a config that is not the best.
    pub error_rate: f64,
    /// The name of the best config, if that became clear.
    pub best: Option<String>,
    /// Whether the differences are adjusted for luck.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub adjusted: bool,
    /// The bound for differences in the measure, if one was requested.
    pub by: Option<f64>,
    /// The maximum difference of a wall in points that counts, if the game has no other bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cap: Option<i32>,
    /// The probability that it ever reports that all differences are below the bound although one
    /// is not.
    pub close_error_rate: Option<f64>,
    /// Whether it became clear that all differences are below the bound.
    pub close: bool,
}

/// The test between two differences in Elo of the first config over the second.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SprtResult {
    /// The two differences, the lower one first.
    pub elo: [f64; 2],
    /// The probability that it decides for one although the other is true.
    pub error_rate: f64,
    /// The log-likelihood ratio at the end, above 0 in favour of the higher one.
    pub log_likelihood_ratio: f64,
    /// It decides when the ratio reaches this bound or its negative.
    pub bound: f64,
    /// The difference that it accepted.
    pub accepted: Option<f64>,
}

impl SprtResult {
    /// The state of a test between these differences.
    pub fn of(elo: [f64; 2], test: &Sprt) -> Self {
        Self {
            elo,
            error_rate: SPRT_ERROR_RATE,
            log_likelihood_ratio: test.log_likelihood_ratio(),
            bound: Sprt::bound(),
            accepted: test.decision().map(|decision| match decision {
                SprtDecision::Lower => elo[0],
                SprtDecision::Higher => elo[1],
            }),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct TournamentResult {
    #[serde(skip)]
    pub measure: Measure,
    pub seed: u64,
    /// The version of the luck that adjusts the results.
    #[serde(skip)]
    pub luck: Option<String>,
    /// What each place pays, first to last; empty if places pay nothing.
    #[serde(skip)]
    pub payoff: Vec<f64>,
    /// Number of walls that count.
    pub walls: u64,
    /// Number of games on them.
    pub games: u64,
    /// Whether all configs took the same places on each wall: in the same share of their games
    /// each.
    #[serde(skip)]
    pub took_same_places: bool,
    /// The reason why there are no more.
    pub ended: Ended,
    /// The sequential test.
    pub until_clear: Option<TestResult>,
    /// The test between two differences in Elo, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// The configs in their order.
    pub entrants: Vec<EntrantResult>,
    /// The results of configs that met.
    pub pairs: Vec<PairResult>,
    /// The rating list, best first; empty for a game without places.
    pub ratings: Vec<RatingResult>,
}

impl TournamentResult {
    /// The results of the walls that count; `None` without such walls.
    pub fn of(
        plan: &Plan,
        arguments: &Arguments,
        walls: &Walls,
        verdict: Option<ClearAfter>,
    ) -> Option<Self> {
        let ended = match verdict {
            Some(_) => Ended::Clear,
            None if (walls.len() as u64) < plan.shard.len(plan.walls) => Ended::Interrupted,
            None => Ended::Complete,
        };
        let who = &arguments.configs;
        let clear = verdict.map(|verdict| verdict.clear);
        let entrants = who
            .iter()
            .enumerate()
            .map(|(index, who)| EntrantResult::of(index, who, plan, arguments, walls));
        let entrants = entrants.collect::<Option<_>>()?;
        let names: Vec<&str> = who.iter().map(|who| who.name.as_str()).collect();
        Some(Self {
            measure: plan.schedule.measure(),
            seed: plan.seed,
            luck: arguments.luck.clone(),
            payoff: arguments.payoff().unwrap_or_default(),
            walls: walls.len() as u64,
            games: (walls.len() * plan.schedule.seatings().len()) as u64,
            took_same_places: plan.schedule.measure() == Measure::Places
                && walls.values().all(took_same_places),
            ended,
            until_clear: plan.until_clear.map(|until| TestResult {
                test: TEST,
                error_rate: ERROR_RATE,
                best: match clear {
                    Some(Clear::Best(best)) => Some(names[best].to_owned()),
                    _ => None,
                },
                adjusted: until.adjusted,
                by: until.by,
                cap: match plan.schedule.measure() {
                    Measure::Places => None,
                    Measure::Points { cap } => Some(cap),
                },
                close_error_rate: until.by.map(|_| CLOSE_ERROR_RATE),
                close: clear == Some(Clear::Close),
            }),
            sprt: plan.sprt.map(|elo| sprt(plan, elo, walls)),
            entrants,
            pairs: pairs(plan, arguments, &names, walls, clear),
            ratings: match plan.schedule.measure() {
                Measure::Places => ratings(plan, &names, walls),
                Measure::Points { .. } => Vec::new(),
            },
        })
    }
}

fn took_same_places(wall: &WallResult) -> bool {
    let seats = |counts: &SeatCounts| counts.seats(Measure::Places);
    wall.counts.windows(2).all(|two| {
        let shares = two[0].places.iter().zip(two[1].places);
        shares
            .into_iter()
            .all(|(one, other)| one * seats(&two[1]) == other * seats(&two[0]))
    })
}

fn sprt(plan: &Plan, elo: [f64; 2], walls: &Walls) -> SprtResult {
    let mut watch = SprtWatch::new(&plan.schedule, elo);
    for wall in walls.values() {
        let _ = watch.add(wall);
    }
    SprtResult::of(elo, watch.test())
}

/// What was measured of two configs that met.
#[derive(Clone, Copy)]
struct MetPair {
    difference: Advantage,
    /// The share of pairs in which the first was better, above one half.
    score: Advantage,
    /// The difference without luck, if that is known.
    adjusted: Option<Advantage>,
}

fn pairs(
    plan: &Plan,
    arguments: &Arguments,
    names: &[&str],
    walls: &Walls,
    clear: Option<Clear>,
) -> Vec<PairResult> {
    // Places differ by no more than the number of places.
    let greatest = match plan.schedule.measure() {
        Measure::Places => f64::from(arguments.players) - 1.0,
        Measure::Points { .. } => f64::INFINITY,
    };
    let configs = names.len();
    let mut differences = vec![Differences::default(); configs * configs];
    let mut scores = differences.clone();
    let mut adjusted = differences.clone();
    for wall in walls.values() {
        let mut meetings = Meetings::new(&plan.schedule);
        meetings.add(&plan.schedule, wall);
        for (one, other) in two_of(configs) {
            let pair = one * configs + other;
            if let (Some(difference), Some(score)) =
                (meetings.difference(one, other), meetings.score(one, other))
            {
                differences[pair].add(difference);
                scores[pair].add(score - 0.5);
                adjusted[pair].add(
                    meetings
                        .adjusted_difference(one, other)
                        .unwrap_or(difference),
                );
            }
        }
    }
    let is_adjusted = arguments.luck.is_some();
    let met: Vec<(usize, usize, MetPair)> = two_of(configs)
        .filter_map(|(one, other)| {
            let pair = one * configs + other;
            let met = MetPair {
                difference: differences[pair].advantage()?,
                score: scores[pair].advantage()?,
                adjusted: adjusted[pair].advantage().filter(|_| is_adjusted),
            };
            Some((one, other, met))
        })
        .collect();
    let judged = Comparison::judge(
        &met.iter()
            .map(|(.., met)| met.adjusted.unwrap_or(met.difference))
            .collect::<Vec<_>>(),
    );
    let watched = plan.until_clear.map(|until| {
        let mut watch = until.watch(&plan.schedule);
        for wall in walls.values() {
            let _ = watch.add(wall);
        }
        watch
    });
    let shared = |one: usize, other: usize| {
        let both = plan
            .schedule
            .seatings()
            .iter()
            .filter(|seating| seating.contains(&one) && seating.contains(&other));
        (both.count() * walls.len()) as u64
    };
    let games = (plan.schedule.seatings().len() * walls.len()) as f64;
    let result = |((one, other, met), judged): ((usize, usize, MetPair), Comparison)| {
        let MetPair {
            difference,
            score,
            adjusted,
        } = met;
        // While a test may look after every wall, only its own verdict counts.
        let sequential = match (&watched, plan.sprt) {
            (Some(watch), _) => Some(watch.verdict(one, other)),
            (None, Some(elo)) => Some(sprt_verdict(elo, clear)),
            (None, None) => None,
        };
        PairResult {
            one: names[one].to_owned(),
            other: names[other].to_owned(),
            games: shared(one, other),
            ahead: 0.5 + score.estimate.mean,
            difference: difference.estimate.within(-greatest, greatest).into(),
            adjusted: adjusted.map(|adjusted| adjusted.estimate.into()),
            elo: EloResult::of(&score),
            verdict: sequential.unwrap_or(judged.verdict),
            games_needed: match sequential {
                None => judged.needed(games),
                Some(_) => None,
            },
        }
    };
    met.into_iter().zip(judged).map(result).collect()
}

/// All pairs of so many configs.
fn two_of(configs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..configs).flat_map(move |one| (one + 1..configs).map(move |other| (one, other)))
}

/// Which of two is better by a test between these differences in Elo.
fn sprt_verdict([lower, higher]: [f64; 2], clear: Option<Clear>) -> Verdict {
    match clear {
        Some(Clear::HigherElo) if lower >= 0.0 => Verdict::Better,
        Some(Clear::LowerElo) if higher <= 0.0 => Verdict::Worse,
        _ => Verdict::NotShown,
    }
}

fn ratings(plan: &Plan, names: &[&str], walls: &Walls) -> Vec<RatingResult> {
    let rated = names.iter().zip(rate(&plan.schedule, walls));
    let mut ratings: Vec<RatingResult> = rated
        .map(|(name, Rating { points, spread })| RatingResult {
            name: (*name).to_owned(),
            rating: points,
            standard_error: spread.map(|spread| spread.standard_error),
            interval: spread.map(|spread| [spread.low, spread.high]),
        })
        .collect();
    ratings.sort_by(|one, other| other.rating.total_cmp(&one.rating));
    ratings
}

impl EntrantResult {
    fn of(
        index: usize,
        who: &Competitor,
        plan: &Plan,
        arguments: &Arguments,
        walls: &Walls,
    ) -> Option<Self> {
        let measure = arguments.measure();
        let middle = middle(measure, arguments.players);
        let mut means = Differences::default();
        walls
            .values()
            .for_each(|wall| means.add(wall.counts[index].mean(measure) - middle));
        let mean = means.advantage()?.estimate_from(middle);
        let mean = match measure {
            Measure::Places => mean.within(1.0, arguments.players.into()),
            Measure::Points { .. } => mean,
        };
        let mean = mean.into();
        let mut counts = SeatCounts::default();
        for wall in walls.values() {
            counts.add(&wall.counts[index]);
        }
        let fault = walls
            .values()
            .filter_map(|wall| wall.first_fault.as_ref())
            .find(|(config, _)| *config == index);
        let SeatCounts {
            decisions,
            illegal,
            failed,
            late,
            ..
        } = counts;
        Some(Self {
            who: who.clone(),
            seats: counts.seats(measure),
            figures: match measure {
                Measure::Places => {
                    let uma = arguments
                        .payoff()
                        .and_then(|payoff| SeatMeans::of(index, plan, walls, &payoff, |_| true));
                    EntrantFigures::Places(Box::new(PlaceFigures::of(
                        mean, uma, &counts, arguments,
                    )))
                }
                Measure::Points { .. } => EntrantFigures::Points(PointFigures {
                    points: mean,
                    win_rate: counts.wins as f64 / counts.rounds as f64,
                    contest: contest(index, plan, arguments, walls),
                }),
            },
            alone: AloneFigures::of(index, plan, arguments, walls),
            decisions,
            illegal,
            failed,
            late,
            first_fault: fault.map(|(_, what)| what.clone()),
        })
    }

    /// The figure that compares configs: the average place, or the average points of a seat in a
    /// game.
    pub const fn measured(&self) -> &MeanEstimate {
        match &self.figures {
            EntrantFigures::Places(figures) => &figures.place,
            EntrantFigures::Points(figures) => &figures.points,
        }
    }
}

impl PlaceFigures {
    fn of(
        place: MeanEstimate,
        uma: Option<SeatMeans>,
        counts: &SeatCounts,
        arguments: &Arguments,
    ) -> Self {
        let seats: u64 = counts.places.iter().sum();
        let share = |count: u64, of: u64| count as f64 / of as f64;
        let per_round = |count: u64| share(count, counts.rounds);
        let average = |sum: i64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let places = &counts.places[..usize::from(arguments.players)];
        Self {
            place,
            places: places.iter().map(|&times| share(times, seats)).collect(),
            uma: uma.map(|uma| uma.raw.mean),
            uma_interval: uma
                .and_then(|uma| uma.raw.interval)
                .filter(|_| arguments.luck.is_some()),
            uma_adjusted: uma
                .map(|uma| uma.adjusted)
                .filter(|_| arguments.luck.is_some()),
            points: counts.points as f64 / seats as f64,
            rounds: counts.rounds,
            win_rate: per_round(counts.wins),
            deal_in_rate: per_round(counts.deal_ins),
            deal_in_rate_after_riichi: (counts.faced_riichi > 0)
                .then(|| share(counts.deal_ins_after_riichi, counts.faced_riichi)),
            riichi_rate: per_round(counts.riichi),
            tenpai_rate: per_round(counts.tenpai),
            average_tenpai_turn: average(counts.tenpai_turns as i64, counts.tenpai),
            average_win_turn: average(counts.win_turns as i64, counts.wins),
            call_rate: per_round(counts.called),
            average_win: average(counts.won, counts.wins),
            average_loss: average(counts.lost, counts.deal_ins),
        }
    }
}

/// The averages over a config's seats of what their places are worth.
#[derive(Debug, Clone, Copy)]
struct SeatMeans {
    raw: MeanEstimate,
    /// The average without the part that is luck; the same where no luck is taken down.
    adjusted: MeanEstimate,
    seats: u64,
}

impl SeatMeans {
    /// The averages in the games of these seatings; `worths` has what each place is worth, first to
    /// last.
    fn of(
        index: usize,
        plan: &Plan,
        walls: &Walls,
        worths: &[f64],
        counts: impl Fn(&Seating) -> bool,
    ) -> Option<Self> {
        let middle = worths.iter().sum::<f64>() / worths.len() as f64;
        let (mut raw, mut adjusted) = (Differences::default(), Differences::default());
        let mut seats = 0;
        for wall in walls.values() {
            let (mut paid, mut luck, mut seats_here) = (0.0, 0, 0_u64);
            let games = plan.schedule.seatings().iter().zip(&wall.games);
            for (game, (seating, places)) in games.enumerate() {
                if !counts(seating) {
                    continue;
                }
                for (seat, (&config, &place)) in seating.iter().zip(places).enumerate() {
                    if config == index {
                        paid += worths[place as usize - 1] - middle;
                        luck += wall.luck.get(game).map_or(0, |luck| i64::from(luck[seat]));
                        seats_here += 1;
                    }
                }
            }
            if seats_here > 0 {
                let luck = luck as f64 / f64::from(PARTS) * worth_of_a_place(worths);
                raw.add(paid / seats_here as f64);
                adjusted.add((paid - luck) / seats_here as f64);
                seats += seats_here;
            }
        }
        let least = worths.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = |means: &Differences| Some(means.advantage()?.estimate_from(middle));
        Some(Self {
            raw: mean(&raw)?.within(least, greatest).into(),
            // The mean of a few walls without their luck may be outside of what places can pay.
            adjusted: mean(&adjusted)?.into(),
            seats,
        })
    }
}

/// What one place more is worth: the slope of the line through the worths of the places by least
/// squares. It does not depend on the games, so luck times it still has the expectation 0.
fn worth_of_a_place(worths: &[f64]) -> f64 {
    let middle = (worths.len() as f64 - 1.0) / 2.0;
    let steps = || (0..worths.len()).map(|place| place as f64 - middle);
    let along: f64 = steps().zip(worths).map(|(step, worth)| step * worth).sum();
    along / steps().map(|step| step * step).sum::<f64>()
}

impl AloneFigures {
    fn of(index: usize, plan: &Plan, arguments: &Arguments, walls: &Walls) -> Option<Self> {
        if !matches!(
            arguments.format,
            Format::OneAgainstThree | Format::OneAgainstTwo
        ) || arguments.luck.is_none()
        {
            return None;
        }
        let is_alone =
            |seating: &Seating| seating.iter().filter(|&&config| config == index).count() == 1;
        let places: Vec<f64> = (1..=arguments.players).map(f64::from).collect();
        let place = SeatMeans::of(index, plan, walls, &places, is_alone)?;
        let uma = arguments
            .payoff()
            .and_then(|payoff| SeatMeans::of(index, plan, walls, &payoff, is_alone));
        Some(Self {
            games: place.seats,
            place: place.raw,
            place_adjusted: place.adjusted,
            uma: uma.map(|uma| uma.raw),
            uma_adjusted: uma.map(|uma| uma.adjusted),
        })
    }
}

/// Number of games of a wall in a contest, and of the configs that play them.
const CONTEST_GAMES: usize = 24;
const CONTEST_CONFIGS: usize = 4;

/// The average contest points of a config.
fn contest(
    index: usize,
    plan: &Plan,
    arguments: &Arguments,
    walls: &Walls,
) -> Option<MeanEstimate> {
    let is_contest = arguments.format == Format::AllOrders
        && plan.schedule.configs() == CONTEST_CONFIGS
        && plan.schedule.seatings().len() == CONTEST_GAMES;
    if !is_contest {
        return None;
    }
    let middle = (1 + CONTEST_CONFIGS) as f64 / 2.0;
    let mut means = Differences::default();
    for wall in walls.values() {
        let own = wall.counts[index].points;
        let points =
            wall.counts
                .iter()
                .enumerate()
                .map(|(other, counts)| match counts.points.cmp(&own) {
                    Ordering::Less => 1.0,
                    Ordering::Equal if other != index => 0.5,
                    _ => 0.0,
                });
        means.add(1.0 + points.sum::<f64>() - middle);
    }
    let mean = means.advantage()?.estimate_from(middle);
    Some(mean.within(1.0, CONTEST_CONFIGS as f64).into())
}

/// The average of all seats at a table.
pub fn middle(measure: Measure, players: u8) -> f64 {
    match measure {
        Measure::Places => f64::midpoint(1.0, players.into()),
        Measure::Points { .. } => 0.0,
    }
}
