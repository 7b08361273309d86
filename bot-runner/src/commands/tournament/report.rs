//! A tournament as text and tables.

use std::fmt::Write as _;
use std::time::Duration;

use fleet::ReadyBot;

use super::super::table::{TextTable, decimal, number_of, points, signed};
use super::super::words::library_words;
use lab::tournament::{
    Arguments, CLOSE_ERROR_RATE, DecisionTimes, ERROR_RATE, EloResult, Ended, EntrantFigures, EntrantResult,
    MeanEstimate, PairResult, PlaceFigures, Plan, Ruleset, SprtResult, TEST, TestResult, TournamentLength,
    TournamentResult,
};
use policy_host::{GameKind, Measure};

/// The description of the tournament.
pub(in crate::commands) fn introduction(arguments: &Arguments, plan: &Plan) -> String {
    let (seatings, seed) = (plan.schedule.seatings().len() as u64, plan.seed);
    let games = plan.walls * seatings;
    let most = if plan.until_clear.is_some() || plan.sprt.is_some() { "at most " } else { "" };
    let sort = match (arguments.game, arguments.length) {
        (GameKind::Riichi, Some(TournamentLength::East)) => "East-only games".to_owned(),
        (GameKind::Riichi, Some(TournamentLength::Single)) => "single rounds".to_owned(),
        (GameKind::Riichi, _) => "hanchan".to_owned(),
        (game, _) => format!("games of {game}"),
    };
    let three = if arguments.game == GameKind::Riichi && arguments.players == 3 { " of three players" } else { "" };
    let rules = if arguments.rules == Some(Ruleset::MahjongSoul) { " by Mahjong Soul's rules" } else { "" };
    let mut text = format!(
        "{}: {most}{games} {sort}{three}{rules} on {} in {seatings} seatings each, seed {seed}",
        arguments.format,
        number_of(plan.walls, "wall")
    );
    if !plan.shard.is_whole() {
        let _ = write!(text, "; shard {} with {} of the walls", plan.shard, plan.shard.len(plan.walls));
    }
    if let Some(elo) = plan.sprt {
        let _ = write!(text, "; until Elo {} or {} is shown", bound(elo[0]), bound(elo[1]));
    }
    text
}

/// The list of the entrants.
pub(in crate::commands) fn competitors(bots: &[ReadyBot]) -> String {
    let mut text = String::new();
    for bot in bots {
        let (policy, library) = (bot.policy.identity().words(), library_words(&bot.policy.library.origin));
        let _ = write!(text, "\n  {}: {policy} ({library})", bot.config.name);
    }
    text
}

/// The tables of the results: each config, each pair that met, and for more than two the rating list.
pub(in crate::commands) fn tables(result: &TournamentResult) -> String {
    let table = match result.measure {
        Measure::Places => place_table(result).to_string(),
        Measure::Points { .. } => point_table(result).to_string(),
    };
    if result.entrants.len() == 2 {
        return format!("{}\n{table}", pair_table(result));
    }
    let pairs = format!("{}\n\n{table}", pair_table(result));
    if result.ratings.is_empty() { pairs } else { format!("{}\n\n{pairs}", rating_table(result)) }
}

/// The unit of a measured difference; see [`EntrantResult::measured`].
pub(in crate::commands) const fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Places => "places",
        Measure::Points { .. } => "points",
    }
}

/// The mean, its standard error and its interval.
pub(super) fn written(MeanEstimate { mean, standard_error, interval }: &MeanEstimate, measure: Measure) -> [String; 3] {
    let number = |number: f64| match measure {
        Measure::Places => decimal(number, 3),
        Measure::Points { .. } => signed(number, 2),
    };
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let error = standard_error.filter(|error| *error > 0.0);
    let interval = with_spread(*interval);
    [
        number(*mean),
        or_dash(error.map(|error| number(error).trim_start_matches('+').to_owned())),
        or_dash(interval.map(|[low, high]| format!("{} to {}", number(low), number(high)))),
    ]
}

/// The interval of values with a spread; those that are the same on every wall have none.
pub(in crate::commands) fn with_spread(interval: Option<[f64; 2]>) -> Option<[f64; 2]> {
    interval.filter(|[low, high]| low < high)
}

fn rating_table(result: &TournamentResult) -> TextTable<4> {
    let mut table =
        TextTable::new(["rating list", "rating", "std error", "95 % interval"], [true, false, false, false]);
    for rating in &result.ratings {
        table.row([
            rating.name.clone(),
            format!("{:.0}", rating.rating),
            rating
                .standard_error
                .filter(|error| *error > 0.0)
                .map_or_else(|| "-".to_owned(), |error| format!("{error:.0}")),
            with_spread(rating.interval).map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.0} to {high:.0}")),
        ]);
    }
    table
}

/// A bound of a test in the user's notation, with its sign.
fn bound(elo: f64) -> String {
    if elo == 0.0 { "0".to_owned() } else { format!("{elo:+}") }
}

/// The difference in Elo, with its interval.
fn elo_words(elo: &EloResult) -> String {
    let mean = signed(elo.difference, 1);
    match elo.interval {
        Some([low, high]) => format!("{mean} ({} to {})", signed(low, 1), signed(high, 1)),
        None => mean,
    }
}

fn pair_table(result: &TournamentResult) -> TextTable<6> {
    let heading = match result.measure {
        Measure::Places => ["one", "against", "games", "placed better %", "better by places", "Elo"],
        Measure::Points { .. } => ["one", "against", "games", "scored more %", "better by points a game", "Elo"],
    };
    let mut table = TextTable::new(heading, [true, true, false, false, false, false]);
    for pair in &result.pairs {
        let number = |number: f64| match result.measure {
            Measure::Places => decimal(number, 3),
            Measure::Points { .. } => decimal(number, 2),
        };
        let mean = number(pair.difference.mean);
        let better = match with_spread(pair.difference.interval) {
            Some([low, high]) => format!("{mean} ({} to {})", number(low), number(high)),
            None => mean,
        };
        table.row([
            pair.one.clone(),
            pair.other.clone(),
            pair.games.to_string(),
            format!("{:.1}", pair.ahead * 100.0),
            better,
            elo_words(&pair.elo),
        ]);
    }
    table
}

fn by_mean(result: &TournamentResult) -> Vec<&EntrantResult> {
    let mut entrants: Vec<&EntrantResult> = result.entrants.iter().collect();
    entrants.sort_by(|one, other| result.measure.better_by(other.measured().mean, one.measured().mean).total_cmp(&0.0));
    entrants
}

fn point_table(result: &TournamentResult) -> TextTable<9> {
    let heading =
        ["bot", "policy", "avg points", "std error", "95 % interval", "win %", "decisions", "illegal", "late"];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    for entrant in by_mean(result) {
        let EntrantFigures::Points(figures) = &entrant.figures else { continue };
        let [mean, error, interval] = written(&figures.points, result.measure);
        table.row([
            entrant.who.name.clone(),
            format!("{} {}", entrant.who.policy, entrant.who.version),
            mean,
            error,
            interval,
            format!("{:.1}", figures.win_rate * 100.0),
            entrant.decisions.to_string(),
            entrant.illegal.to_string(),
            entrant.late.to_string(),
        ]);
    }
    if result.entrants.iter().all(|entrant| entrant.late == 0) {
        table.hide("late");
    }
    table
}

fn place_table(result: &TournamentResult) -> TextTable<22> {
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
        "uma",
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
        "late",
    ];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    let mut of_four = false;
    let mut with_uma = false;
    for entrant in by_mean(result) {
        let EntrantFigures::Places(figures) = &entrant.figures else { continue };
        let PlaceFigures { place, places, .. } = &**figures;
        (of_four, with_uma) = (of_four || places.len() == 4, with_uma || figures.uma.is_some());
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
            or_dash(figures.uma.map(|uma| format!("{uma:.2}"))),
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
            entrant.late.to_string(),
        ]);
    }
    if !of_four {
        table.hide("4th %");
    }
    if !with_uma {
        table.hide("uma");
    }
    if result.entrants.iter().all(|entrant| entrant.late == 0) {
        table.hide("late");
    }
    table
}

/// An explanation of the numbers.
pub(in crate::commands) fn closing_words(result: &TournamentResult) -> String {
    let TournamentResult { walls, games, seed, .. } = result;
    let mut text = format!("{} on {}, seed {seed}.", number_of(*games, "game"), number_of(*walls, "wall"));
    let error = ERROR_RATE * 100.0;
    let fixed = "the intervals are for a tournament of fixed length";
    let (best_at, average, alike) = match result.measure {
        Measure::Places => ("places best", "average place", "took the same places"),
        Measure::Points { .. } => ("scores best", "average points a game", "made the same points"),
    };
    let test = match result.until_clear.as_ref().and_then(|test| test.cap) {
        Some(cap) => format!("{TEST}; of a wall's difference at most {cap} points count"),
        None => TEST.to_owned(),
    };
    if let Some(test) = &result.sprt {
        text.push_str(&sprt_words(test));
    }
    match (&result.until_clear, result.ended) {
        _ if result.sprt.is_some_and(|test| test.accepted.is_some()) => {}
        (Some(TestResult { best: Some(best), .. }), _) => {
            let _ = write!(
                text,
                " It is clear that {best} {best_at} (sequential test: {test}; error rate {error} %); {fixed}."
            );
        }
        (Some(TestResult { close: true, by: Some(by), .. }), _) => {
            let _ = write!(
                text,
                " It is clear that {} by {by} in {average} (sequential test: {test}; error rate {} %); {fixed}.",
                close_words(result),
                CLOSE_ERROR_RATE * 100.0
            );
        }
        (_, Ended::Interrupted) => {
            text.push_str(" Stopped early: walls that were not played in all seatings do not count.")
        }
        (Some(TestResult { by, .. }), _) => {
            let _ =
                write!(text, " The test has not decided which is best (sequential test: {test}; error rate {error} %)");
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
        (None, _) => match result.better_of_two() {
            Some(better) => {
                let name = &better.who.name;
                let _ = match &better.figures {
                    EntrantFigures::Places(figures) => {
                        write!(text, " {name} places better: {} lies outside the 95 % interval.", figures.middle())
                    }
                    EntrantFigures::Points(_) => {
                        write!(text, " {name} scores better: 0 lies outside the 95 % interval of the difference.")
                    }
                };
            }
            None if are_alike(result) => {
                let who = if result.entrants.len() == 2 { "Both" } else { "All" };
                let _ =
                    write!(text, " {who} play alike: on every wall they {alike}, so that nothing is left to compare.");
            }
            None if result.walls == 1 => text.push_str(" One wall has no interval: it shows no difference."),
            None if result.pairs.first().is_some_and(|pair| pair.difference.standard_error == Some(0.0)) => {
                text.push_str(" All walls ended alike, which gives no interval: play more games.");
            }
            None if result.entrants.len() == 2 => {
                let _ = match &result.entrants[0].figures {
                    EntrantFigures::Places(figures) => {
                        write!(text, " No difference is shown: {} lies in the 95 % interval.", figures.middle())
                    }
                    EntrantFigures::Points(_) => {
                        write!(text, " No difference is shown: 0 lies in the 95 % interval of the difference.")
                    }
                };
            }
            None => {}
        },
    }
    for entrant in &result.entrants {
        let EntrantResult { who, illegal, late, decisions, .. } = entrant;
        if let Some(fault) = &entrant.first_fault {
            let _ = write!(text, "\n{}: of {decisions} decisions {illegal} were not legal", who.name);
            if *late > 0 {
                let _ = write!(text, " and {late} late");
            }
            let _ = write!(text, ", and got the safe answer; the first: {fault}");
        }
    }
    text
}

/// The progress of the test between two Elo differences.
fn sprt_words(test: &SprtResult) -> String {
    let [lower, higher] = test.elo.map(bound);
    let ratio = format!(
        "log-likelihood ratio {}, bounds -{:.2} and +{:.2}",
        signed(test.log_likelihood_ratio, 2),
        test.bound,
        test.bound
    );
    let rates = format!("SPRT: {ratio}; error rates {} %", test.error_rate * 100.0);
    match test.accepted {
        Some(elo) => format!(" Of Elo {lower} and {higher} it is {} ({rates}).", bound(elo)),
        None => format!(" It is not decided between Elo {lower} and {higher} ({rates})."),
    }
}

/// The conclusion, in one sentence.
pub(in crate::commands) fn conclusion(result: &TournamentResult) -> String {
    format!("Conclusion: {}.", concluded(result))
}

fn concluded(result: &TournamentResult) -> String {
    let names: Vec<&str> = result.entrants.iter().map(|entrant| entrant.who.name.as_str()).collect();
    let so_far = if result.ended == Ended::Interrupted { "so far " } else { "" };
    if let Some(test) = &result.sprt {
        let [one, other] = names[..] else { return "the test is one of two configs".to_owned() };
        let [lower, higher] = test.elo;
        return match test.accepted {
            Some(elo) if elo == higher && lower >= 0.0 => format!("{one} is stronger than {other}; take {one}"),
            Some(elo) if elo == higher => format!("{one} is not weaker than {other} by {} Elo; take {one}", -lower),
            Some(_) if higher > 0.0 => format!("{one} is not stronger than {other} by {higher} Elo; keep {other}"),
            Some(_) => format!("{one} is weaker than {other}; keep {other}"),
            None => alike_words(result).unwrap_or_else(|| {
                format!("the test has not decided {so_far}between {one} and {other}; play more games")
            }),
        };
    }
    match &result.until_clear {
        Some(TestResult { best: Some(best), .. }) => {
            let others: Vec<&str> = names.iter().copied().filter(|name| name != best).collect();
            return match others[..] {
                [other] => format!("{best} is better than {other}; take {best}"),
                _ => format!("{best} is the best of these {}; take {best}", names.len()),
            };
        }
        Some(TestResult { close: true, by: Some(by), .. }) => {
            let advice = if all_met(result) { "take any of them" } else { "two others may differ by twice as much" };
            return format!("{} by {by} {}; {advice}", close_words(result), unit(result.measure));
        }
        _ => {}
    }
    if let Some(words) = alike_words(result) {
        return words;
    }
    let ranked = by_mean(result);
    let [first, rest @ ..] = &ranked[..] else { return "there is nothing to compare".to_owned() };
    let best = &first.who.name;
    // Whether the interval of the difference to another excludes 0; `None` if they did not meet.
    let beats = |other: &EntrantResult| -> Option<bool> {
        let (best, other) = (best.as_str(), other.who.name.as_str());
        result.pairs.iter().find_map(|pair| match (pair.one == best, pair.other == best) {
            (true, _) if pair.other == other => Some(pair.difference.interval.is_some_and(|[low, _]| low > 0.0)),
            (_, true) if pair.one == other => Some(pair.difference.interval.is_some_and(|[_, high]| high < 0.0)),
            _ => None,
        })
    };
    let shown = rest.iter().all(|other| beats(other) == Some(true));
    match (shown, rest) {
        (true, [other]) => {
            format!("{best} is better than {} {so_far}by the 95 % interval; take {best}", other.who.name)
        }
        (true, _) => format!("{best} is better than each of the others {so_far}by the 95 % intervals; take {best}"),
        (false, [other]) => {
            format!("it is not shown {so_far}which of {best} and {} is better; {}", other.who.name, more_games(result))
        }
        (false, _) => {
            format!("{best} comes first {so_far}but is not shown to be better than all others; play more games")
        }
    }
}

/// The number of games that would be needed to show the difference between two configs, if it is as large as measured.
fn more_games(result: &TournamentResult) -> String {
    const MAX_GAMES: f64 = 1e8;
    let otherwise = "play more games".to_owned();
    let Some(pair) = result.pairs.first() else { return otherwise };
    let Some([low, high]) = pair.difference.interval else { return otherwise };
    let needed = pair.games as f64 * ((high - low) / 2.0 / pair.difference.mean).powi(2);
    if needed.is_finite() && needed < MAX_GAMES {
        // Rounded to two digits, because it is an estimate.
        let unit = 10_f64.powf(needed.log10().floor() - 1.0).max(1.0);
        let games = points(((needed / unit).ceil() * unit) as i32);
        format!("about {games} games would show a difference as large as this one")
    } else {
        otherwise
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

/// The conclusion about configs that play alike: copies of one config, or configs with the same results on every wall.
fn alike_words(result: &TournamentResult) -> Option<String> {
    let [first, rest @ ..] = &result.entrants[..] else { return None };
    let who = match rest {
        [other] => format!("{} and {}", first.who.name, other.who.name),
        _ => format!("these {}", result.entrants.len()),
    };
    if rest.iter().all(|other| other.who.config == first.who.config) {
        return Some(format!("{who} are copies of one config and play alike; more games cannot tell them apart"));
    }
    let any = if rest.len() == 1 { "either" } else { "any of them" };
    are_alike(result).then(|| format!("{who} play alike; take {any}"))
}

/// Whether all configs had the same results on every wall, as a config without randomness has against itself.
fn are_alike(result: &TournamentResult) -> bool {
    let alike = |pair: &PairResult| pair.difference.mean == 0.0 && pair.difference.standard_error == Some(0.0);
    result.walls > 1 && !result.pairs.is_empty() && result.pairs.iter().all(alike)
}

/// The duration, which is not a result: it differs from run to run.
pub(in crate::commands) fn times(
    bots: &[ReadyBot],
    times: &[DecisionTimes],
    took: Duration,
    games: u64,
    plan: &Plan,
) -> String {
    let mut table = TextTable::new(["bot", "timed", "p50 us", "p99 us", "max us"], [true, false, false, false, false]);
    for (bot, times) in bots.iter().zip(times) {
        // The time of a program that a policy asks is in no thread of ours, nor is that of a policy with a deadline.
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
