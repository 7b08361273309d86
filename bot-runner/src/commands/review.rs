//! `review`: what each decision in logs cost by the values of a policy.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufWriter, Cursor, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, anyhow, bail};
use doudizhu::DouDizhuGame;
use foreign_text::shown;
use lab::advisor::{Advisor, NoAdvice};
use lab::course::RecordedCourse;
use lab::game::Entrant;
use lab::record::names_of;
use lab::replay::whole_courses;
use lab::review::{
    GameToReview, KindSums, PlayerReview, Review, ReviewedDecision, ReviewedGame, review_seat,
};
use lab::suite::SuitePosition;
use lab_stats::Estimate;
use mcr::McrGame;
use policy_host::GameKind;
use protocol::game_record::RecordStart;
use riichi::game::RiichiGame;
use serde_json::{Value, json};
use view::output::{say, say_data};
use view::page::ValueUnit;
use view::screen::note;

use super::csv::{CsvCell, line as csv_line};
use super::entrants::{entrant_of, jobs};
use super::logs::{NamedLog, each_named_log, files_of_logs, games_of};
use super::require_folder_of;
use super::success;
use super::table::{TextTable, number_of};
use super::whole_file::create;
use crate::cli::ReviewArgs;

/// Logs that wait for a thread, for each thread.
const WAITING_LOGS: usize = 2;
/// Columns of the CSV file.
const COLUMNS: [&str; 18] = [
    "policy",
    "log",
    "game",
    "round",
    "decision",
    "line",
    "seat",
    "player",
    "kind",
    "position",
    "played",
    "policy's choice",
    "value of the played",
    "value of the choice",
    "loss",
    "unit",
    "agrees",
    "reason",
];

/// What a game needs a policy for: the game, and the number of players.
type PolicyKind = (GameKind, u8);

/// Reviews the decisions in logs by the values of each policy, and prints a summary for each
/// player. Logs that cannot be read, and games that contradict their rules, are named and left out;
/// the exit code says so.
///
/// # Errors
///
/// If there is no log, a policy cannot be started, or a file cannot be written.
pub fn review(args: ReviewArgs) -> anyhow::Result<ExitCode> {
    let files = files_of_logs(&args.logs)?;
    let mut csv = args.csv.as_deref().map(new_csv).transpose()?;
    let (mut all_sound, mut decisions) = (true, 0);
    let mut positions = Vec::new();
    for (number, config) in args.policies.iter().enumerate() {
        let found = review_by(config, &files, &args, &mut csv)?;
        let Reviewed {
            policy,
            review,
            games,
            bad,
        } = found;
        // The same logs are as bad for the next policy.
        for why in bad.iter().filter(|_| number == 0) {
            note(format!("bot-runner: {why}"));
        }
        all_sound &= bad.is_empty();
        decisions += review
            .players
            .values()
            .map(|player| player.total().agreement.made)
            .sum::<u64>();
        positions.extend(
            review
                .costliest
                .iter()
                .map(|decision| position_of(&policy, decision)),
        );
        if args.json {
            say_data(json_of(&policy, &review, games, bad.len()).to_string());
        } else {
            if number > 0 {
                say("");
            }
            say_review(&policy, &review, games, bad.len());
        }
    }
    if let Some(file) = &args.save_positions {
        save_positions(file, &positions)?;
    }
    if let Some(mut csv) = csv {
        csv.flush().context("the CSV file cannot be written")?;
    }
    if decisions == 0 && args.player != "all" {
        bail!(
            "--player {}: no game has a decision of this player; name one of the players, a seat from 0, or all",
            shown(&args.player)
        );
    }
    Ok(success(all_sound && decisions > 0))
}

fn new_csv(path: &Path) -> anyhow::Result<BufWriter<std::fs::File>> {
    require_folder_of(path)?;
    let cannot = || {
        format!(
            "{} cannot be written; the file must not exist yet",
            path.display()
        )
    };
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .with_context(cannot)?;
    let mut csv = BufWriter::new(file);
    let names = COLUMNS.map(|name| CsvCell::Text(name.to_owned()));
    writeln!(csv, "{}", csv_line(&names)).with_context(cannot)?;
    Ok(csv)
}

/// A costly decision as a position: the policy's choice is right, and what was played is wrong.
fn position_of(policy: &str, decision: &ReviewedDecision) -> SuitePosition {
    let lines = decision.lines.iter();
    SuitePosition {
        name: format!(
            "{} {}.{}, seat {}",
            decision.log, decision.round, decision.decision, decision.seat
        ),
        reason: format!("by {policy}: {}", decision.reason),
        events: lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
        seat: Some(decision.seat),
        right: vec![decision.own.clone()],
        wrong: vec![decision.done.clone()],
        values: decision
            .values
            .iter()
            .map(|(action, value)| (action.clone(), f64::from(*value)))
            .collect(),
        ..SuitePosition::default()
    }
}

fn save_positions(file: &Path, positions: &[SuitePosition]) -> anyhow::Result<()> {
    require_folder_of(file)?;
    let mut text = String::new();
    for position in positions {
        text += &serde_json::to_string(position)?;
        text.push('\n');
    }
    create(file, text.as_bytes(), 0o666).with_context(|| {
        format!(
            "{} cannot be written; the file must not exist yet",
            file.display()
        )
    })
}

/// A policy's review of all logs.
#[derive(Default)]
struct Reviewed {
    /// Its name and version.
    policy: String,
    review: Review,
    games: u64,
    /// Why logs and games are left out.
    bad: Vec<String>,
}

/// What a thread found in a log.
#[derive(Default)]
struct LogReview {
    review: Review,
    decisions: Vec<ReviewedDecision>,
    games: u64,
    bad: Vec<String>,
    /// Kinds of games in it that the policy was not started for.
    others: Vec<PolicyKind>,
}

type Job = (usize, Result<NamedLog, String>);

fn review_by(
    config: &Path,
    files: &[PathBuf],
    args: &ReviewArgs,
    csv: &mut Option<BufWriter<std::fs::File>>,
) -> anyhow::Result<Reviewed> {
    let mut reviewed = Reviewed::default();
    let mut kinds = vec![first_kind(files).unwrap_or((GameKind::Riichi, 4))];
    let mut next = 0;
    // The logs are read again for each kind of game.
    while let Some(&kind) = kinds.get(next) {
        let (entrant, _) = entrant_of(config.to_owned(), kind.0, kind.1)?;
        let identity = entrant.policy.identity();
        reviewed.policy = format!("{} {}", identity.id, identity.version);
        let is_first = next == 0;
        run(&entrant, kind, files, args, |found: LogReview| {
            if let Some(csv) = csv {
                for decision in &found.decisions {
                    let cells = csv_cells(&reviewed.policy, decision);
                    writeln!(csv, "{}", csv_line(&cells))
                        .context("the CSV file cannot be written")?;
                }
            }
            reviewed.review.add(found.review);
            reviewed.games += found.games;
            for other in found.others {
                if !kinds.contains(&other) {
                    kinds.push(other);
                }
            }
            if is_first {
                reviewed.bad.extend(found.bad);
            }
            Ok(())
        })?;
        next += 1;
    }
    Ok(reviewed)
}

/// The kind of the first game that can be read.
fn first_kind(files: &[PathBuf]) -> Option<PolicyKind> {
    for file in files {
        let mut kind = None;
        let looked = each_named_log(file, &mut |log| {
            if let Ok(log) = log {
                kind = games_of(&log.lines).first().and_then(|game| kind_of(game));
            }
            match kind {
                Some(_) => Err(anyhow!("it is found")),
                None => Ok(()),
            }
        });
        if looked.is_err() {
            return kind;
        }
    }
    None
}

/// The game of a record's lines and its number of players; `None` without a deal.
fn kind_of(game: &str) -> Option<PolicyKind> {
    let first = game.lines().find(|line| !line.trim().is_empty())?;
    let other = RecordStart::read(first).and_then(|start| start.game.parse().ok());
    if let Some(kind) = other.filter(|kind| *kind != GameKind::Riichi) {
        return Some((kind, kind.players()[0]));
    }
    let courses = courses::<RiichiGame>(game).ok()?;
    let course = courses.first().filter(|course| course.dealt > 0)?;
    Some((GameKind::Riichi, course.players() as u8))
}

fn courses<G: ReviewedGame>(game: &str) -> Result<Vec<RecordedCourse<G>>, String> {
    whole_courses::<G>(Box::new(Cursor::new(game.to_owned()))).map_err(|why| why.to_string())
}

/// Goes through all logs on several threads; `take` gets what is found in their order.
fn run(
    entrant: &Entrant,
    kind: PolicyKind,
    files: &[PathBuf],
    args: &ReviewArgs,
    mut take: impl FnMut(LogReview) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = jobs(args.jobs);
    let (to_threads, logs) = sync_channel::<Job>(WAITING_LOGS * NonZeroUsize::get(threads));
    let logs = Mutex::new(logs);
    let (found, founds) = channel();
    thread::scope(|scope| {
        let reader = scope.spawn(|| read_logs(files, to_threads));
        let workers: Vec<_> = (0..threads.get())
            .map(|_| {
                let (found, logs) = (found.clone(), &logs);
                scope.spawn(move || {
                    Advisor::with(entrant, |advisor| work(advisor, kind, args, logs, &found))
                })
            })
            .collect();
        drop(found);
        let mut waiting = BTreeMap::new();
        let (mut next, mut taken) = (0, Ok(()));
        for (number, review) in founds {
            waiting.insert(number, review);
            while let Some(review) = waiting.remove(&next) {
                next += 1;
                taken = taken.and_then(|()| take(review));
            }
        }
        for worker in workers {
            worker
                .join()
                .map_err(|_| anyhow!("a thread of the review panicked"))??;
        }
        reader
            .join()
            .map_err(|_| anyhow!("the thread that reads logs panicked"))?;
        taken
    })
}

/// Sends the logs to the threads, until none of them listens.
fn read_logs(files: &[PathBuf], to_threads: SyncSender<Job>) {
    let mut number = 0;
    for file in files {
        let sent = each_named_log(file, &mut |log| {
            let sent = to_threads.send((number, log));
            number += 1;
            sent.map_err(|_| anyhow!("all threads have ended"))
        });
        if sent.is_err() {
            return;
        }
    }
}

fn work(
    advisor: &mut Advisor<'_>,
    kind: PolicyKind,
    args: &ReviewArgs,
    logs: &Mutex<Receiver<Job>>,
    found: &std::sync::mpsc::Sender<(usize, LogReview)>,
) -> Result<(), NoAdvice> {
    loop {
        let next = logs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, log)) = next else {
            return Ok(());
        };
        let mut review = LogReview::default();
        match log {
            Err(why) => review.bad.push(why),
            Ok(log) => review_log(&log, number, kind, args, advisor, &mut review)?,
        }
        if found.send((number, review)).is_err() {
            return Ok(());
        }
    }
}

fn review_log(
    log: &NamedLog,
    number: usize,
    kind: PolicyKind,
    args: &ReviewArgs,
    advisor: &mut Advisor<'_>,
    review: &mut LogReview,
) -> Result<(), NoAdvice> {
    for (place, text) in games_of(&log.lines).into_iter().enumerate() {
        let game_number = place + 1;
        let name = match place {
            0 => log.name.clone(),
            _ => format!("{}, game {game_number}", log.name),
        };
        match kind_of(text) {
            None => {
                let why = match courses::<RiichiGame>(text) {
                    Err(why) => shown(&why),
                    Ok(_) => "there is no round in it".to_owned(),
                };
                review.bad.push(format!("{name}: {why}"));
                continue;
            }
            Some(other) if other != kind => {
                review.others.push(other);
                continue;
            }
            Some(_) => {}
        }
        let unit = ((number as u64) << 20) + place as u64;
        let about = AboutGame {
            log: &name,
            number: game_number,
            unit,
            text,
        };
        match kind.0 {
            GameKind::Riichi => review_game::<RiichiGame>(&about, args, advisor, review)?,
            GameKind::Mcr => review_game::<McrGame>(&about, args, advisor, review)?,
            GameKind::DouDizhu => review_game::<DouDizhuGame>(&about, args, advisor, review)?,
        }
    }
    Ok(())
}

struct AboutGame<'a> {
    log: &'a str,
    number: usize,
    unit: u64,
    text: &'a str,
}

fn review_game<G: ReviewedGame>(
    about: &AboutGame<'_>,
    args: &ReviewArgs,
    advisor: &mut Advisor<'_>,
    found: &mut LogReview,
) -> Result<(), NoAdvice> {
    let name = about.log;
    let courses = match courses::<G>(about.text) {
        Ok(courses) => courses,
        Err(why) => {
            found.bad.push(format!("{name}: {}", shown(&why)));
            return Ok(());
        }
    };
    let Some(course) = courses.first() else {
        return Ok(());
    };
    if let Some(wrong) = G::judged(course, None).impossible() {
        found.bad.push(format!("{name}: contradiction at {wrong}"));
        return Ok(());
    }
    let names = names_of(&mut about.text.as_bytes());
    let players: Vec<String> = (0..course.players())
        .map(|seat| {
            let own = names.get(seat).filter(|name| !name.is_empty());
            own.map_or_else(|| format!("seat {seat}"), |name| shown(name))
        })
        .collect();
    let game = GameToReview {
        log: name,
        number: about.number,
        unit: about.unit,
        course,
        text: about.text,
        players: &players,
    };
    let wanted = |seat: usize| {
        args.player == "all" || players[seat] == args.player || args.player == seat.to_string()
    };
    found.games += 1;
    for &seat in course.known.iter().filter(|&&seat| wanted(seat)) {
        let decisions = &mut found.decisions;
        review_seat(&game, seat, advisor, &mut found.review, |decision| {
            if args.csv.is_some() {
                decisions.push(decision.clone());
            }
        })?;
    }
    Ok(())
}

fn unit_of(policy: &str, decision: &ReviewedDecision) -> &'static str {
    ValueUnit::of_policy(policy, decision.kind).words()
}

fn csv_cells(policy: &str, decision: &ReviewedDecision) -> Vec<CsvCell> {
    let text = |text: &str| CsvCell::Text(text.to_owned());
    let value = |value: Option<f32>| CsvCell::of(value.map(f64::from));
    vec![
        text(policy),
        text(&decision.log),
        CsvCell::Number(decision.game as f64),
        CsvCell::Number(decision.round as f64),
        CsvCell::Number(decision.decision as f64),
        CsvCell::Number(decision.line as f64),
        CsvCell::Number(decision.seat as f64),
        text(&decision.player),
        text(decision.kind),
        text(&decision.moment),
        text(&decision.done),
        text(&decision.own),
        value(decision.done_value),
        value(decision.own_value),
        value(decision.loss),
        text(unit_of(policy, decision)),
        CsvCell::Number(f64::from(u8::from(decision.agrees))),
        text(&decision.reason),
    ]
}

fn json_of_estimate(estimate: Option<Estimate>) -> Value {
    estimate.map_or(Value::Null, |estimate| {
        let spread = estimate.spread;
        json!({
            "mean": estimate.mean,
            "low": spread.map(|spread| spread.low),
            "high": spread.map(|spread| spread.high),
        })
    })
}

fn json_of(policy: &str, review: &Review, games: u64, left_out: usize) -> Value {
    let kind = |(name, sums): (&&str, &KindSums)| {
        json!({
            "kind": name, "decisions": sums.agreement.made, "agreed": sums.agreement.agreed,
            "valued": sums.valued, "loss": sums.loss,
        })
    };
    let player = |(name, player): (&String, &PlayerReview)| {
        let kinds: Vec<Value> = player.kinds.iter().map(kind).collect();
        let total = player.total();
        json!({
            "player": name, "games": player.games, "rounds": player.rounds,
            "decisions": total.agreement.made, "agreed": total.agreement.agreed,
            "unknown": player.unknown, "undecided": player.faults, "loss": total.loss,
            "loss_a_round": json_of_estimate(player.loss_of_round()),
            "loss_a_game": json_of_estimate(player.loss_of_game()), "kinds": kinds,
        })
    };
    let costliest: Vec<Value> = review
        .costliest
        .iter()
        .map(|decision| {
            let mut value = serde_json::to_value(decision).unwrap_or_default();
            value["unit"] = json!(unit_of(policy, decision));
            value
        })
        .collect();
    json!({
        "policy": policy, "games": games, "left_out": left_out,
        "players": review.players.iter().map(player).collect::<Vec<_>>(), "costliest": costliest,
    })
}

/// A mean with its interval, in so many digits.
fn mean_words(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "-".to_owned(),
        Some(Estimate { mean, spread }) => match spread {
            None => format!("{mean:.4}"),
            Some(spread) => format!("{mean:.4} ({:.4} to {:.4})", spread.low, spread.high),
        },
    }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1}", part as f64 / (whole.max(1)) as f64 * 100.0)
}

fn say_review(policy: &str, review: &Review, games: u64, left_out: usize) {
    let left_out = match left_out {
        0 => String::new(),
        some => format!(", {} left out", number_of(some as u64, "log or game")),
    };
    say(format!(
        "{} reviewed by {}{left_out}",
        number_of(games, "game"),
        shown(policy)
    ));
    let unit = review
        .costliest
        .first()
        .map_or("", |decision| unit_of(policy, decision));
    let of_unit = if unit.is_empty() {
        String::new()
    } else {
        format!(" ({unit})")
    };
    let mut players = TextTable::new(
        [
            "player",
            "games",
            "decisions",
            "agreed %",
            "loss a round",
            "loss a game",
        ],
        [true, false, false, false, false, false],
    );
    let mut kinds = TextTable::new(
        [
            "player",
            "kind",
            "decisions",
            "agreed %",
            "loss",
            "loss each",
        ],
        [true, true, false, false, false, false],
    );
    for (name, player) in &review.players {
        let total = player.total();
        players.row([
            name.clone(),
            player.games.to_string(),
            total.agreement.made.to_string(),
            share(total.agreement.agreed, total.agreement.made),
            mean_words(player.loss_of_round()),
            mean_words(player.loss_of_game()),
        ]);
        for (kind, sums) in &player.kinds {
            let (loss, each) = match sums.valued {
                0 => ("-".to_owned(), "-".to_owned()),
                valued => (
                    format!("{:.3}", sums.loss),
                    format!("{:.4}", sums.loss / valued as f64),
                ),
            };
            kinds.row([
                name.clone(),
                (*kind).to_owned(),
                sums.agreement.made.to_string(),
                share(sums.agreement.agreed, sums.agreement.made),
                loss,
                each,
            ]);
        }
    }
    say(format!(
        "\nThe players; losses{of_unit} with 95 % intervals from 10 games on"
    ));
    say(players.for_output());
    say(format!("\nBy the kind of decision{of_unit}"));
    say(kinds.for_output());
    if review.costliest.is_empty() {
        return;
    }
    say(format!("\nThe costliest decisions{of_unit}"));
    for decision in &review.costliest {
        say(decision_line(decision));
    }
}

/// A costly decision, with where `analyze --at` finds it.
fn decision_line(decision: &ReviewedDecision) -> String {
    let value =
        |value: Option<f32>| value.map_or_else(|| "?".to_owned(), |value| format!("{value:.4}"));
    let reason = match decision.reason.is_empty() {
        true => String::new(),
        false => format!("; {}", shown(&decision.reason)),
    };
    format!(
        "{:.4}  {} --at {}.{} --seat {}: {}, {}: {}: played {} ({}), better {} ({}){reason}",
        decision.loss.unwrap_or(0.0),
        decision.log,
        decision.round,
        decision.decision,
        decision.seat,
        decision.player,
        decision.kind,
        decision.moment,
        decision.done,
        value(decision.done_value),
        decision.own,
        value(decision.own_value),
    )
}
