//! `review --old --new`: what a new version of a policy decides otherwise.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use builtin::ValueUnit;
use foreign_text::shown;
use lab::change::{ChangeReview, ChangedCount, ChangedDecision, change_in_game};
use say::output::{say, say_data};
use serde_json::{Value, json};

use super::super::success;
use super::super::table::{TextTable, number_of};
use super::super::view::ViewedGame;
use super::report::{json_of_estimate, mean_words, share};
use super::walk::{GameWork, NamedAdvisor, ReviewWalk, WalkedGame, WalkedLog, walk};
use super::{deadline, files_of, length_of, threads};
use crate::cli::ReviewArgs;

/// Asks the old and the new version.
struct ChangeWork;

#[derive(Default)]
struct ChangeFound {
    review: ChangeReview,
    names: Vec<String>,
}

impl GameWork for ChangeWork {
    type Found = ChangeFound;

    fn game<G: ViewedGame>(
        &self,
        game: &WalkedGame<'_, G>,
        advisors: &mut [NamedAdvisor<'_>],
        found: &mut ChangeFound,
    ) -> anyhow::Result<()> {
        let [old, new] = advisors else {
            return Ok(());
        };
        found.names = vec![old.name.clone(), new.name.clone()];
        found.review.add(change_in_game::<G>(
            (game.log, game.number),
            game.course,
            game.seats,
            [&mut old.advisor, &mut new.advisor],
        )?);
        Ok(())
    }
}

/// Reviews the logs by both versions; the exit code is the verdict.
///
/// # Errors
///
/// If there is no log, or a version cannot be started.
pub(super) fn review_change(
    args: &ReviewArgs,
    old: PathBuf,
    new: PathBuf,
) -> anyhow::Result<ExitCode> {
    let files = files_of(args)?;
    let plan = ReviewWalk {
        files: &files,
        configs: &[old, new],
        jobs: threads(args),
        length: length_of(args),
        player: &args.player,
        done: None,
        until: deadline(args),
    };
    let mut review = ChangeReview::default();
    let (mut names, mut left_out) = (Vec::new(), 0);
    let not_begun = walk(&plan, &ChangeWork, |log: WalkedLog<ChangeFound>| {
        log.say_bad("");
        left_out += log.left_out;
        if names.is_empty() {
            names = log.found.names;
        }
        review.add(log.found.review);
        Ok(())
    })?;
    let failures = failures(args, &review);
    let name = |place: usize| names.get(place).map_or("", String::as_str);
    let (old, new) = (name(0), name(1));
    if args.json {
        say_data(json_of([old, new], &review, left_out, not_begun, &failures).to_string());
    } else {
        say_change([old, new], &review, left_out, not_begun);
        if failures.is_empty() {
            say("\nThe check passes");
        } else {
            say(format!("\nThe check fails: {}", failures.join("; ")));
        }
    }
    Ok(success(failures.is_empty()))
}

/// Why the check fails.
fn failures(args: &ReviewArgs, review: &ChangeReview) -> Vec<String> {
    let mut failures = Vec::new();
    let ChangedCount { made, changed } = review.total();
    if made == 0 {
        failures.push("no decision of both versions is in these logs".to_owned());
    }
    let found = changed as f64 / made.max(1) as f64;
    if let Some(most) = args.max_change.filter(|most| found > *most) {
        failures.push(format!(
            "{} % of the decisions change, and {} % may",
            share(changed, made),
            100.0 * most
        ));
    }
    let faults = review.new_faults();
    if args.no_fault && faults > 0 {
        failures.push(format!(
            "the new version did not decide in {}",
            number_of(faults, "decision")
        ));
    }
    if args.no_fault && review.late > 0 {
        failures.push(format!(
            "the new version was late in {}",
            number_of(review.late, "decision")
        ));
    }
    failures
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}

fn say_change([old, new]: [&str; 2], review: &ChangeReview, left_out: u64, not_begun: usize) {
    let ChangedCount { made, changed } = review.total();
    let mut also = match left_out {
        0 => String::new(),
        some => format!(", {} left out", number_of(some, "log or game")),
    };
    if not_begun > 0 {
        also += &format!(
            ", {} not begun because the time was over",
            number_of(not_begun as u64, "file")
        );
    }
    say(format!(
        "{}: {} (old) and {} (new){also}",
        number_of(review.games, "game"),
        shown(old),
        shown(new)
    ));
    let of_games = review
        .share()
        .and_then(|share| share.spread)
        .map_or_else(String::new, |spread| {
            format!(" ({:.1} to {:.1})", 100.0 * spread.low, 100.0 * spread.high)
        });
    say(format!(
        "{changed} of {} change: {} %{of_games}",
        number_of(made, "decision"),
        share(changed, made)
    ));
    let mut kinds = TextTable::new(
        ["kind", "decisions", "changed", "changed %"],
        [true, false, false, false],
    );
    for (kind, count) in &review.kinds {
        kinds.row([
            (*kind).to_owned(),
            count.made.to_string(),
            count.changed.to_string(),
            share(count.changed, count.made),
        ]);
    }
    say(format!("\n{}", kinds.for_output()));
    for (whose, policy, gain) in [
        ("new", new, review.gain_by_new()),
        ("old", old, review.gain_by_old()),
    ] {
        if gain.is_some() {
            say(format!(
                "By its own values the {whose} version gains {} a game ({})",
                mean_words(gain),
                ValueUnit::of_policy(policy, "").words()
            ));
        }
    }
    let mut times = TextTable::new(
        ["version", "median ms", "99 % ms", "longest ms"],
        [true, false, false, false],
    );
    for (whose, of) in [("old", &review.old_times), ("new", &review.new_times)] {
        let at = |share: f64| milliseconds(of.quantile(share));
        times.row([whose.to_owned(), at(0.5), at(0.99), at(1.0)]);
    }
    say(format!("\n{}", times.for_output()));
    let faults: Vec<String> = review
        .faults
        .iter()
        .map(|(fault, count)| format!("{fault} {count}"))
        .collect();
    say(format!(
        "The new version: {} late, {}",
        review.late,
        if faults.is_empty() {
            "no fault".to_owned()
        } else {
            faults.join(", ")
        }
    ));
    if review.old_faults > 0 {
        say(format!(
            "The old version did not decide in {}",
            number_of(review.old_faults, "decision")
        ));
    }
    if !review.greatest.is_empty() {
        say("\nThe changes that the new version values most");
    }
    for change in &review.greatest {
        say(change_line(change));
    }
}

fn change_line(change: &ChangedDecision) -> String {
    let gain = change
        .gain_by_new
        .map_or_else(|| "-".to_owned(), |gain| format!("{gain:.4}"));
    let reason = match change.reason.is_empty() {
        true => String::new(),
        false => format!(" ({})", shown(&change.reason)),
    };
    format!(
        "{gain}  {} --at {}.{} --seat {}: {}: {}: {}, before {}{reason}",
        change.log,
        change.round,
        change.decision,
        change.seat,
        change.kind,
        change.moment,
        change.new,
        change.old
    )
}

fn json_of(
    [old, new]: [&str; 2],
    review: &ChangeReview,
    left_out: u64,
    not_begun: usize,
    failures: &[String],
) -> Value {
    let ChangedCount { made, changed } = review.total();
    let kinds: Vec<Value> = review
        .kinds
        .iter()
        .map(|(kind, count)| {
            json!({"kind": kind, "decisions": count.made, "changed": count.changed})
        })
        .collect();
    let times = |times: &lab::tournament::DecisionTimes| {
        let at = |share: f64| times.quantile(share).as_micros() as u64;
        json!({"p50": at(0.5), "p99": at(0.99), "max": at(1.0)})
    };
    json!({
        "old": old, "new": new, "games": review.games, "left_out": left_out,
        "not_begun": not_begun, "decisions": made, "changed": changed,
        "share": json_of_estimate(review.share()), "kinds": kinds,
        "gain_by_new": json_of_estimate(review.gain_by_new()),
        "gain_by_old": json_of_estimate(review.gain_by_old()),
        "late": review.late, "faults": review.faults, "old_faults": review.old_faults,
        "old_us": times(&review.old_times), "new_us": times(&review.new_times),
        "greatest": review.greatest, "passes": failures.is_empty(), "failures": failures,
    })
}
