//! A tournament as text and tables.

use std::fmt::Write as _;
use std::time::Duration;

use fleet::ReadyBot;

use super::super::table::{TextTable, decimal, number_of, points, signed, thousands};
use super::super::verdict::{BetterWords, JudgedPair, PairStanding, between};
use super::super::words::library_words;
use foreign_text::{escaped, shown};
use lab::tournament::{
    Arguments, CLOSE_ERROR_RATE, Competitor, DecisionTimes, ERROR_RATE, EloResult, Ended,
    EntrantFigures, EntrantResult, MeanEstimate, PairResult, PlaceFigures, Plan, ResultsFile,
    Ruleset, SprtResult, TEST, TestResult, TournamentLength, TournamentResult,
};
use lab_stats::Verdict;
use policy_host::{GameKind, Measure};

/// The tournament as it is shown: a file of a stranger may hold any text.
pub(super) fn for_users(mut file: ResultsFile) -> ResultsFile {
    for Competitor {
        name,
        policy,
        version,
        ..
    } in &mut file.arguments.configs
    {
        [name, policy, version]
            .into_iter()
            .for_each(|text| *text = escaped(text.as_bytes()));
    }
    file
}

/// The description of the tournament.
pub(in crate::commands) fn introduction(arguments: &Arguments, plan: &Plan) -> String {
    let (seatings, seed) = (plan.schedule.seatings().len() as u64, plan.seed);
    let games = plan.walls * seatings;
    let most = if plan.until_clear.is_some() || plan.sprt.is_some() {
        "at most "
    } else {
        ""
    };
    let sort = match (arguments.game, arguments.length) {
        (GameKind::Riichi, Some(TournamentLength::East)) => "East-only games".to_owned(),
        (GameKind::Riichi, Some(TournamentLength::Single)) => "single rounds".to_owned(),
        (GameKind::Riichi, _) => "hanchan".to_owned(),
        (game, _) => format!("games of {game}"),
    };
    let three = if arguments.game == GameKind::Riichi && arguments.players == 3 {
        " of three players"
    } else {
        ""
    };
    let rules = if arguments.rules == Some(Ruleset::MahjongSoul) {
        " by Mahjong Soul's rules"
    } else {
        ""
    };
    let mut text = format!(
        "{}: {most}{games} {sort}{three}{rules} on {} in {seatings} seatings each, seed {seed}",
        arguments.format,
        number_of(plan.walls, "wall")
    );
    if !plan.shard.is_whole() {
        let _ = write!(
            text,
            "; shard {} with {} of the walls",
            plan.shard,
            plan.shard.len(plan.walls)
        );
    }
    if let Some(elo) = plan.sprt {
        let _ = write!(
            text,
            "; until Elo {} or {} is shown",
            bound(elo[0]),
            bound(elo[1])
        );
    }
    text
}

/// The list of the entrants.
pub(in crate::commands) fn competitors(bots: &[ReadyBot]) -> String {
    let mut text = String::new();
    for bot in bots {
        let (policy, library) = (
            bot.policy.identity().words(),
            library_words(&bot.policy.library.origin),
        );
        let _ = write!(text, "\n  {}: {policy} ({library})", bot.config.name);
    }
    text
}

/// The tables of the results: each config, each pair that met, and for more than two the rating
/// list.
pub(in crate::commands) fn tables(result: &TournamentResult) -> String {
    let payoff = payoff_words(result);
    let mut table = match result.measure {
        Measure::Places => place_table(result, &payoff).narrow(),
        Measure::Points { .. } => point_table(result).narrow(),
    };
    if result
        .entrants
        .iter()
        .any(|entrant| entrant.alone.is_some())
    {
        table = format!("{table}\n{}", alone_table(result, &payoff).narrow());
    }
    if result.entrants.len() == 2 {
        return format!("{}\n{table}", pair_table(result).narrow());
    }
    let pairs = format!("{}\n\n{table}", pair_table(result).narrow());
    if result.ratings.is_empty() {
        pairs
    } else {
        format!("{}\n\n{pairs}", rating_table(result).narrow())
    }
}

/// The heading of what places pay without the part that is luck.
const ADJUSTED_PAY: &str = "adjusted pay";

/// What places pay, as a cell.
fn pay(mean: Option<MeanEstimate>) -> String {
    mean.map_or_else(|| "-".to_owned(), |mean| with_interval(&mean, 2))
}

/// What places pay, as a heading.
fn payoff_words(result: &TournamentResult) -> String {
    let payoff = result.payoff.iter().map(f64::to_string);
    payoff.collect::<Vec<_>>().join("/")
}

/// Each config in the games in which it sat alone, as others report results.
fn alone_table(result: &TournamentResult, payoff: &str) -> TextTable<6> {
    let mut table = TextTable::new(
        [
            "alone at its tables",
            "games",
            "avg place",
            "adjusted place",
            payoff,
            ADJUSTED_PAY,
        ],
        std::array::from_fn(|column| column == 0),
    );
    for entrant in &result.entrants {
        let Some(alone) = &entrant.alone else {
            continue;
        };
        table.row([
            entrant.who.name.clone(),
            alone.games.to_string(),
            with_interval(&alone.place, 3),
            with_interval(&alone.place_adjusted, 3),
            pay(alone.uma),
            pay(alone.uma_adjusted),
        ]);
    }
    table.hide_unused(payoff);
    table.hide_unused(ADJUSTED_PAY);
    table
}

/// The unit of a measured difference; see [`EntrantResult::measured`].
pub(in crate::commands) const fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Places => "places",
        Measure::Points { .. } => "points",
    }
}

/// The mean, its standard error and its interval.
pub(super) fn written(
    MeanEstimate {
        mean,
        standard_error,
        interval,
    }: &MeanEstimate,
    measure: Measure,
) -> [String; 3] {
    let number = |number: f64| match measure {
        Measure::Places => decimal(number, 3),
        Measure::Points { .. } => signed(number, 2),
    };
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    [
        number(*mean),
        or_dash(standard_error.map(|error| number(error).trim_start_matches('+').to_owned())),
        or_dash(interval.map(|[low, high]| format!("{} to {}", number(low), number(high)))),
    ]
}

fn rating_table(result: &TournamentResult) -> TextTable<4> {
    let mut table = TextTable::new(
        ["rating list", "rating", "std error", "95 % interval"],
        [true, false, false, false],
    );
    for rating in &result.ratings {
        table.row([
            rating.name.clone(),
            format!("{:.0}", rating.rating),
            rating
                .standard_error
                .map_or_else(|| "-".to_owned(), |error| format!("{error:.0}")),
            rating.interval.map_or_else(
                || "-".to_owned(),
                |[low, high]| format!("{low:.0} to {high:.0}"),
            ),
        ]);
    }
    table
}

/// A bound of a test in the user's notation, with its sign.
fn bound(elo: f64) -> String {
    if elo == 0.0 {
        "0".to_owned()
    } else {
        format!("{elo:+}")
    }
}

/// The difference in Elo, with its interval.
fn elo_words(elo: &EloResult) -> String {
    let mean = signed(elo.difference, 1);
    match elo.interval {
        Some([low, high]) => format!("{mean} ({} to {})", signed(low, 1), signed(high, 1)),
        None => mean,
    }
}

/// The heading of differences without luck.
const ADJUSTED: &str = "adjusted for luck";

fn pair_table(result: &TournamentResult) -> TextTable<7> {
    let heading = match result.measure {
        Measure::Places => [
            "one",
            "against",
            "games",
            "placed better %",
            "better by places",
            ADJUSTED,
            "Elo",
        ],
        Measure::Points { .. } => [
            "one",
            "against",
            "games",
            "scored more %",
            "better by points a game",
            ADJUSTED,
            "Elo",
        ],
    };
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2)).keyed_by(2);
    for pair in &result.pairs {
        let number = |number: f64| match result.measure {
            Measure::Places => decimal(number, 3),
            Measure::Points { .. } => decimal(number, 2),
        };
        let better = |by: &MeanEstimate| {
            let mean = number(by.mean);
            match by.interval {
                Some([low, high]) => format!("{mean} ({} to {})", number(low), number(high)),
                None => mean,
            }
        };
        table.row([
            pair.one.clone(),
            pair.other.clone(),
            pair.games.to_string(),
            format!("{:.1}", pair.ahead * 100.0),
            better(&pair.difference),
            pair.adjusted
                .as_ref()
                .map_or_else(|| "-".to_owned(), better),
            elo_words(&pair.elo),
        ]);
    }
    table.hide_unused(ADJUSTED);
    table
}

fn by_mean(result: &TournamentResult) -> Vec<&EntrantResult> {
    let mut entrants: Vec<&EntrantResult> = result.entrants.iter().collect();
    entrants.sort_by(|one, other| {
        result
            .measure
            .better_by(other.measured().mean, one.measured().mean)
            .total_cmp(&0.0)
    });
    entrants
}

fn point_table(result: &TournamentResult) -> TextTable<11> {
    let heading = [
        "bot",
        "policy",
        "avg points",
        "std error",
        "95 % interval",
        CONTEST,
        "win %",
        "decisions",
        "illegal",
        "failed",
        "late",
    ];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    for entrant in by_mean(result) {
        let EntrantFigures::Points(figures) = &entrant.figures else {
            continue;
        };
        let [mean, error, interval] = written(&figures.points, result.measure);
        table.row([
            entrant.who.name.clone(),
            format!("{} {}", entrant.who.policy, entrant.who.version),
            mean,
            error,
            interval,
            figures
                .contest
                .map_or_else(|| "-".to_owned(), |contest| with_interval(&contest, 2)),
            format!("{:.1}", figures.win_rate * 100.0),
            entrant.decisions.to_string(),
            entrant.illegal.to_string(),
            entrant.failed.to_string(),
            entrant.late.to_string(),
        ]);
    }
    table.hide_unused(CONTEST);
    hide_faults(&mut table, result);
    table
}

/// The heading of the points of a contest.
const CONTEST: &str = "4-3-2-1";

/// A mean with its interval.
fn with_interval(of: &MeanEstimate, places: usize) -> String {
    let mean = decimal(of.mean, places);
    match of.interval {
        Some([low, high]) => format!(
            "{mean} ({} to {})",
            decimal(low, places),
            decimal(high, places)
        ),
        None => mean,
    }
}

/// Hides the columns of faults that did not happen, except the illegal actions.
fn hide_faults<const COLUMNS: usize>(table: &mut TextTable<COLUMNS>, result: &TournamentResult) {
    if result.entrants.iter().all(|entrant| entrant.failed == 0) {
        table.hide("failed");
    }
    if result.entrants.iter().all(|entrant| entrant.late == 0) {
        table.hide("late");
    }
}

fn place_table(result: &TournamentResult, payoff: &str) -> TextTable<24> {
    let heading = [
        "bot",
        "policy",
        "avg place",
        "std error",
        "95 % interval",
        "1st %",
        "2nd %",
        "3rd %",
        "4th %",
        payoff,
        ADJUSTED_PAY,
        "points",
        "win %",
        "deal-in %",
        "after riichi %",
        "riichi %",
        "call %",
        "tenpai turn",
        "win turn",
        "avg win",
        "avg loss",
        "illegal",
        "failed",
        "late",
    ];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    let mut of_four = false;
    for entrant in by_mean(result) {
        let EntrantFigures::Places(figures) = &entrant.figures else {
            continue;
        };
        let PlaceFigures { place, places, .. } = &**figures;
        of_four |= places.len() == 4;
        let [mean, error, interval] = written(place, result.measure);
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let average = |value: Option<f64>| or_dash(value.map(|value| points(value.round() as i32)));
        let turn = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.1}")));
        table.row([
            entrant.who.name.clone(),
            format!("{} {}", entrant.who.policy, entrant.who.version),
            mean,
            error,
            interval,
            percent(places[0]),
            percent(places[1]),
            percent(places[2]),
            or_dash(places.get(3).map(|&share| percent(share))),
            pay(figures.uma.map(|mean| MeanEstimate {
                mean,
                standard_error: None,
                interval: figures.uma_interval,
            })),
            pay(figures.uma_adjusted),
            points(figures.points.round() as i32),
            percent(figures.win_rate),
            percent(figures.deal_in_rate),
            or_dash(figures.deal_in_rate_after_riichi.map(percent)),
            percent(figures.riichi_rate),
            percent(figures.call_rate),
            turn(figures.average_tenpai_turn),
            turn(figures.average_win_turn),
            average(figures.average_win),
            average(figures.average_loss),
            entrant.illegal.to_string(),
            entrant.failed.to_string(),
            entrant.late.to_string(),
        ]);
    }
    if !of_four {
        table.hide("4th %");
    }
    table.hide_unused(payoff);
    table.hide_unused(ADJUSTED_PAY);
    hide_faults(&mut table, result);
    table
}

/// An explanation of the numbers.
pub(in crate::commands) fn closing_words(result: &TournamentResult) -> String {
    let TournamentResult {
        walls, games, seed, ..
    } = result;
    let mut text = format!(
        "{} on {}, seed {seed}.",
        number_of(*games, "game"),
        number_of(*walls, "wall")
    );
    let error = ERROR_RATE * 100.0;
    let fixed = "the intervals are for a tournament of fixed length";
    let (best_at, average) = match result.measure {
        Measure::Places => ("places best", "average place"),
        Measure::Points { .. } => ("scores best", "average points a game"),
    };
    let mut test = TEST.to_owned();
    if let Some(until) = &result.until_clear {
        if until.adjusted {
            test.push_str(" on differences adjusted for luck");
        }
        if let Some(cap) = until.cap {
            let _ = write!(test, "; of a wall's difference at most {cap} points count");
        }
    }
    if let Some(test) = &result.sprt {
        text.push_str(&sprt_words(test));
    }
    match (&result.until_clear, result.ended) {
        _ if result.sprt.is_some_and(|test| test.accepted.is_some()) => {}
        (
            Some(TestResult {
                best: Some(best), ..
            }),
            _,
        ) => {
            let _ = write!(
                text,
                " It is clear that {best} {best_at} (sequential test: {test}; error rate {error} %); {fixed}."
            );
        }
        (
            Some(TestResult {
                close: true,
                by: Some(by),
                ..
            }),
            _,
        ) => {
            let _ = write!(
                text,
                " It is clear that {} by {by} in {average} (sequential test: {test}; error rate {} %); {fixed}.",
                close_words(result),
                CLOSE_ERROR_RATE * 100.0
            );
        }
        (Some(_), Ended::Clear) => {
            let _ = write!(
                text,
                " It is clear for each pair which is better (sequential test: {test}; error rate {error} %); {fixed}."
            );
        }
        (_, Ended::Interrupted) => text
            .push_str(" Stopped early: walls that were not played in all seatings do not count."),
        (Some(TestResult { by, .. }), _) => {
            let _ = write!(
                text,
                " The test has not decided which is best (sequential test: {test}; error rate {error} %)"
            );
            match by {
                Some(by) => {
                    let _ = write!(
                        text,
                        ", nor that {} by {by} in {average} (error rate {} %).",
                        close_words(result),
                        CLOSE_ERROR_RATE * 100.0
                    );
                }
                None => text.push('.'),
            }
        }
        (None, _) if result.sprt.is_some() => {}
        (None, _) => text.push_str(&interval_words(result)),
    }
    if let Some(words) = luck_words(result) {
        let _ = write!(text, " {words}");
    }
    for entrant in &result.entrants {
        let EntrantResult { who, decisions, .. } = entrant;
        if let Some(faults) = fault_words(entrant, &number_of(*decisions, "decision"), |count| {
            count.to_string()
        }) {
            let _ = write!(text, "\n{}: {faults}; the safe answer was played", who.name);
            if let Some(fault) = &entrant.first_fault {
                let _ = write!(text, "; the first: {}", shown(fault));
            }
        }
    }
    text
}

/// What the adjustment for luck is, and what it saves.
fn luck_words(result: &TournamentResult) -> Option<String> {
    let version = result.luck.as_ref()?;
    let [pair] = &result.pairs[..] else {
        return Some(format!("Luck is that of {version}."));
    };
    let (raw, adjusted) = (
        pair.difference.standard_error?,
        pair.adjusted.as_ref()?.standard_error?,
    );
    Some(format!(
        "Adjusted for luck ({version}), {:.0} % of the games give as short an interval.",
        100.0 * (adjusted / raw).powi(2)
    ))
}

/// What the intervals of a tournament of fixed length say.
fn interval_words(result: &TournamentResult) -> String {
    let does = match result.measure {
        Measure::Places => "places",
        Measure::Points { .. } => "scores",
    };
    let difference = if result.luck.is_some() {
        "adjusted difference"
    } else {
        "difference"
    };
    match &result.pairs[..] {
        _ if result.walls == 1 => " One wall has no interval: it shows no difference.".to_owned(),
        pairs if pairs.iter().all(|pair| pair.verdict == Verdict::NoInterval) => {
            let who = if result.entrants.len() == 2 {
                "Both"
            } else {
                "All"
            };
            format!(
                " {who} {} on every wall, which gives no interval.",
                same_words(result)
            )
        }
        [pair] => match pair.verdict {
            Verdict::Better | Verdict::Worse => {
                let better = if pair.verdict == Verdict::Better {
                    &pair.one
                } else {
                    &pair.other
                };
                format!(
                    " {better} {does} better: 0 lies outside the 95 % interval of the {difference}."
                )
            }
            _ => {
                format!(" No difference is shown: 0 lies in the 95 % interval of the {difference}.")
            }
        },
        pairs => format!(
            " Each interval holds alone; which is better in which of the {} pairs is judged together (Holm), with an error \
             rate of {} % in all.",
            pairs.len(),
            ERROR_RATE * 100.0
        ),
    }
}

/// What configs without a difference on any wall did alike.
fn same_words(result: &TournamentResult) -> &'static str {
    match result.measure {
        Measure::Points { .. } => "made the same points",
        Measure::Places if result.took_same_places => "took the same places",
        // A first and a fourth place have the average of a second and a third.
        Measure::Places => "had the same average place",
    }
}

/// The faults of an entrant's decisions, which are called so, as far as there are any.
fn fault_words(
    entrant: &EntrantResult,
    decisions: &str,
    count: impl Fn(u64) -> String,
) -> Option<String> {
    let faults = [
        (entrant.failed, "failed"),
        (entrant.illegal, "were not legal"),
        (entrant.late, "were late"),
    ];
    let mut said: Vec<String> = Vec::new();
    for (times, what) in faults.into_iter().filter(|(times, _)| *times > 0) {
        let count = count(times);
        said.push(if said.is_empty() {
            format!("{count} of {decisions} {what}")
        } else {
            format!("{count} {what}")
        });
    }
    match &said[..] {
        [] => None,
        [one] => Some(one.clone()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// The progress of the test between two Elo differences.
pub(in crate::commands) fn sprt_words(test: &SprtResult) -> String {
    let [lower, higher] = test.elo.map(bound);
    let ratio = format!(
        "log-likelihood ratio {}, bounds -{:.2} and +{:.2}",
        signed(test.log_likelihood_ratio, 2),
        test.bound,
        test.bound
    );
    let rates = format!("SPRT: {ratio}; error rates {} %", test.error_rate * 100.0);
    match test.accepted {
        Some(elo) => format!(
            " Of Elo {lower} and {higher} it is {} ({rates}).",
            bound(elo)
        ),
        None => format!(" It is not decided between Elo {lower} and {higher} ({rates})."),
    }
}

/// The conclusion, in one sentence.
pub(in crate::commands) fn conclusion(result: &TournamentResult) -> String {
    format!("Conclusion: {}.", concluded(result, true))
}

/// From this share of its decisions on, faults of an entrant are a part of the conclusion.
const MANY_FAULTS: f64 = 0.01;

/// The entrants that did not make many of their decisions, so that the games say little of their
/// policies.
pub(in crate::commands) fn many_faults(result: &TournamentResult) -> Option<String> {
    let said: Vec<String> = result
        .entrants
        .iter()
        .filter(|of| {
            (of.failed + of.illegal + of.late) as f64 >= MANY_FAULTS * of.decisions.max(1) as f64
        })
        .filter_map(|of| {
            let share = |count: u64| {
                format!(
                    "{} %",
                    decimal(100.0 * count as f64 / of.decisions as f64, 1)
                )
            };
            fault_words(of, &format!("the decisions of {}", of.who.name), share)
        })
        .collect();
    (!said.is_empty()).then(|| format!("{}, and the safe answer was played", said.join("; ")))
}

fn concluded(result: &TournamentResult, with_advice: bool) -> String {
    if with_advice && let Some(faults) = many_faults(result) {
        let played = concluded(result, false);
        return format!("{faults}: repair that and play again; as it was played, {played}");
    }
    let advice = |advice: String| {
        if with_advice {
            format!("; {advice}")
        } else {
            String::new()
        }
    };
    let next = || next_games(result).map_or_else(String::new, advice);
    let names: Vec<&str> = result
        .entrants
        .iter()
        .map(|entrant| entrant.who.name.as_str())
        .collect();
    let so_far = if result.ended == Ended::Interrupted {
        " so far"
    } else {
        ""
    };
    let alike = || copies_words(result);
    if let Some(test) = &result.sprt {
        let [one, other] = names[..] else {
            return "the test is one of two configs".to_owned();
        };
        let [lower, higher] = test.elo;
        return match test.accepted {
            Some(elo) if elo == higher && lower >= 0.0 => {
                format!(
                    "{one} is stronger than {other}{}",
                    advice(format!("take {one}"))
                )
            }
            Some(elo) if elo == higher => {
                format!(
                    "{one} is not weaker than {other} by {} Elo{}",
                    -lower,
                    advice(format!("take {one}"))
                )
            }
            Some(_) if higher > 0.0 => {
                format!(
                    "{one} is not stronger than {other} by {higher} Elo{}",
                    advice(format!("keep {other}"))
                )
            }
            Some(_) => format!(
                "{one} is weaker than {other}{}",
                advice(format!("keep {other}"))
            ),
            None => alike().unwrap_or_else(|| {
                format!(
                    "the test has not decided{so_far} between {one} and {other}{}",
                    next()
                )
            }),
        };
    }
    if let Some(TestResult {
        close: true,
        by: Some(by),
        ..
    }) = &result.until_clear
    {
        let taken = if all_met(result) {
            "take any of them"
        } else {
            "two others may differ by twice as much"
        };
        return format!(
            "{} by {by} {}{}",
            close_words(result),
            unit(result.measure),
            advice(taken.to_owned())
        );
    }
    if let Some(words) = alike() {
        return words;
    }
    let pairs: Vec<JudgedPair<'_>> = result
        .pairs
        .iter()
        .map(|pair| JudgedPair {
            one: &pair.one,
            other: &pair.other,
            verdict: pair.verdict,
        })
        .collect();
    let standing = PairStanding::of(&names, &pairs, BetterWords::Strength);
    let mut text = standing.text;
    if let ([_, _], [pair]) = (&names[..], &result.pairs[..])
        && pair.verdict == Verdict::NoInterval
    {
        text = match result.walls {
            1 => format!("{text}: one wall has no interval"),
            walls => format!("{text}: they {} on these {walls} walls", same_words(result)),
        };
    }
    let how = if standing.best.is_some() && names.len() == 2 && result.until_clear.is_none() {
        " by the 95 % interval"
    } else {
        ""
    };
    let next = match &standing.best {
        Some(best) => advice(format!("take {best}")),
        None if standing.is_open => next(),
        None => String::new(),
    };
    format!("{text}{so_far}{how}{next}")
}

/// What would show the differences that are not shown; `None` if no number of games that can be
/// played would.
fn next_games(result: &TournamentResult) -> Option<String> {
    let who = |name: &str| {
        result
            .entrants
            .iter()
            .map(|entrant| &entrant.who)
            .find(|who| who.name == name)
    };
    let are_same = |pair: &&PairResult| {
        who(&pair.one)
            .zip(who(&pair.other))
            .is_some_and(|(one, other)| one.is_same_as(other))
    };
    let is_open =
        |pair: &&PairResult| matches!(pair.verdict, Verdict::NotShown | Verdict::NoInterval);
    let (same, different): (Vec<&PairResult>, Vec<&PairResult>) =
        result.pairs.iter().filter(is_open).partition(are_same);
    Some(match (&different[..], &same[..]) {
        ([], [pair]) => format!(
            "{} and {} have the same policy and parameters, so more games cannot tell them apart",
            pair.one, pair.other
        ),
        ([], [_, ..]) => {
            "those not told apart have the same policy and parameters, so more games cannot change that".to_owned()
        }
        ([pair], _) => next_games_of(result, pair),
        (pairs, _) if pairs.iter().all(|pair| is_too_close(result, pair)) => return None,
        _ => "play more games".to_owned(),
    })
}

/// Whether too many games to play would show the difference of two.
fn is_too_close(result: &TournamentResult, pair: &PairResult) -> bool {
    let is_of_fixed_length = result.until_clear.is_none() && result.sprt.is_none();
    is_of_fixed_length && pair.verdict == Verdict::NotShown && pair.games_needed.is_none()
}

fn next_games_of(result: &TournamentResult, pair: &PairResult) -> String {
    match (pair.games_needed, pair.judged().interval) {
        (Some(games), _) => format!(
            "about {} games would show a difference as large as this one",
            thousands(games)
        ),
        (None, Some(interval)) if is_too_close(result, pair) => {
            between(interval, unit(result.measure))
        }
        _ => "play more games".to_owned(),
    }
}

/// Whether each config met each other; in a gauntlet each met only the first.
const fn all_met(result: &TournamentResult) -> bool {
    let configs = result.entrants.len();
    result.pairs.len() == configs * (configs - 1) / 2
}

/// The differences that a test for close configs is about.
fn close_words(result: &TournamentResult) -> String {
    match result.entrants.first() {
        Some(first) if !all_met(result) => format!("no config differs from {}", first.who.name),
        _ => "no two differ".to_owned(),
    }
}

/// The conclusion about copies of one config, which play alike whatever the games show.
fn copies_words(result: &TournamentResult) -> Option<String> {
    let [first, rest @ ..] = &result.entrants[..] else {
        return None;
    };
    let who = match rest {
        [other] => format!("{} and {}", first.who.name, other.who.name),
        _ => format!("these {}", result.entrants.len()),
    };
    let are_copies = rest
        .iter()
        .all(|other| other.who.config == first.who.config);
    are_copies.then(|| {
        format!("{who} are copies of one config and play alike; more games cannot tell them apart")
    })
}

/// The duration, which is not a result: it differs from run to run.
pub(in crate::commands) fn times(
    bots: &[ReadyBot],
    times: &[DecisionTimes],
    took: Duration,
    games: u64,
    plan: &Plan,
) -> String {
    let mut table = TextTable::new(
        ["bot", "timed", "p50 us", "p99 us", "max us"],
        [true, false, false, false, false],
    );
    for (bot, times) in bots.iter().zip(times) {
        // The time of a program that a policy asks is in no thread of ours, nor is that of a policy
        // with a deadline.
        if bot.policy.asks_program() || times.count() == 0 {
            table.row([&bot.config.name, "not measured", "-", "-", "-"].map(str::to_owned));
            continue;
        }
        let microseconds = |share| format!("{:.1}", times.quantile(share).as_secs_f64() * 1e6);
        table.row([
            bot.config.name.clone(),
            times.count().to_string(),
            microseconds(0.5),
            microseconds(0.99),
            microseconds(1.0),
        ]);
    }
    format!(
        "Thread CPU time of one in eight decisions:\n{table}\n{:.1} s for {} ({:.1} games/s), threads: {}",
        took.as_secs_f64(),
        number_of(games, "game"),
        games as f64 / took.as_secs_f64(),
        plan.jobs
    )
}

#[cfg(test)]
mod tests {
    use lab::tournament::{Competitor, Format};

    use super::*;
    use crate::commands::false_verdicts::{arguments, result};

    /// A tournament of riichi with these configs, each after the first with the same policy as the
    /// first or not, on which each wall gives the first config these places, and the other the
    /// rest.
    fn concluded(same: &[bool], walls: &[[i32; 2]]) -> String {
        let all: Vec<Vec<[i32; 2]>> = walls.iter().map(|&first| vec![first]).collect();
        concluded_by(None, same, &all)
    }

    /// The same, by a test between two differences in Elo or not, with the places of the first
    /// config in each game of a wall, in turn.
    fn concluded_by(sprt: Option<[f64; 2]>, same: &[bool], walls: &[Vec<[i32; 2]>]) -> String {
        let format = if same.len() == 1 {
            Format::TwoAgainstTwo
        } else {
            Format::Gauntlet
        };
        let mut of = arguments(GameKind::Riichi, format, same.len() + 1, walls.len() as u64);
        of.sprt = sprt;
        for (config, _) in same.iter().enumerate().filter(|(_, same)| **same) {
            let Competitor {
                name, config: path, ..
            } = of.configs[config + 1].clone();
            of.configs[config + 1] = Competitor {
                name,
                config: path,
                ..of.configs[0].clone()
            };
        }
        let plan = of
            .plan(lab::part::Shard::WHOLE, std::num::NonZeroUsize::MIN)
            .expect("they can be seated");
        let wall = |games: &Vec<[i32; 2]>| {
            let game = |(seating, first): (&lab::tournament::Seating, &[i32; 2])| {
                let (mut own, mut rest) = (
                    first.iter().copied(),
                    (1..=4).filter(|place| !first.contains(place)),
                );
                let places = seating
                    .iter()
                    .map(|&config| if config == 0 { own.next() } else { rest.next() });
                places.map(|place| place.expect("two seats each")).collect()
            };
            plan.schedule
                .seatings()
                .iter()
                .zip(games.iter().cycle())
                .map(game)
                .collect()
        };
        let result = result(of.clone(), walls.iter().map(wall).collect());
        format!("{}\n{}", closing_words(&result), conclusion(&result))
    }

    #[test]
    fn other_places_with_the_same_average_are_not_called_the_same_places() {
        let said = concluded(&[false], &[[1, 4], [2, 3], [1, 4]]);
        assert!(
            said.contains("Both had the same average place on every wall"),
            "{said}"
        );
        assert!(
            said.contains(
                "is better: they had the same average place on these 3 walls; play more games."
            ),
            "{said}"
        );
        // Over both walls the places are the same, but on neither.
        let said = concluded(&[false], &[[1, 4], [2, 3]]);
        assert!(
            said.contains("Both had the same average place on every wall"),
            "{said}"
        );
        let average =
            "is better: they had the same average place on these 2 walls; play more games.";
        assert!(said.ends_with(average), "{said}");
        let said = concluded_by(None, &[false], &vec![vec![[1, 4], [2, 3]]; 2]);
        assert!(
            said.contains("Both took the same places on every wall"),
            "{said}"
        );
        assert!(
            said.ends_with(
                "is better: they took the same places on these 2 walls; play more games."
            ),
            "{said}"
        );
    }

    #[test]
    fn no_more_games_are_asked_for_where_they_cannot_tell_two_configs_apart() {
        let even = [[1, 2], [3, 4]].repeat(10);
        let said = concluded(&[true], &even);
        let same = "; c0 and c1 have the same policy and parameters, so more games cannot tell them apart.";
        assert!(said.ends_with(same), "{said}");
        // Not even a hundred million games would show a mean of 0.
        let said = concluded(&[false], &even);
        assert!(
            said.ends_with("is better; the difference is between -1.052 and +1.052 places."),
            "{said}"
        );
        let said = concluded(&[true, true], &even);
        assert!(
            said.ends_with(
                "; those not told apart have the same policy and parameters, so more games cannot change that."
            ),
            "{said}"
        );
        let said = concluded(&[true, false], &even);
        assert!(
            !said.contains("play more games") && said.contains("the difference is between"),
            "{said}"
        );
        // Of the second nothing is shown either.
        let said = concluded(&[false, false], &even);
        assert!(
            said.ends_with("it is not shown whether c0 is better than any of the others."),
            "{said}"
        );
        let said = concluded(&[false, false], &[&even[..], &[[1, 2]]].concat());
        assert!(
            said.ends_with("any of the others; play more games."),
            "{said}"
        );
    }

    #[test]
    fn a_test_that_has_not_decided_asks_for_no_more_games_of_configs_that_are_the_same() {
        let even: Vec<Vec<[i32; 2]>> = [[1, 2], [3, 4]]
            .repeat(2)
            .into_iter()
            .map(|first| vec![first])
            .collect();
        let said = concluded_by(Some([0.0, 10.0]), &[true], &even);
        let open = "the test has not decided between c0 and c1; ";
        let same =
            "c0 and c1 have the same policy and parameters, so more games cannot tell them apart.";
        assert!(said.ends_with(&format!("{open}{same}")), "{said}");
        let said = concluded_by(Some([0.0, 10.0]), &[false], &even);
        assert!(said.ends_with(&format!("{open}play more games.")), "{said}");
    }
}
