//! `plugin test`: tries out a policy before it plays ranked games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use arena::TimeControl;
use client::budget::budget;
use config::{Problems, RawConfig};
use doudizhu::DouDizhuGame;
use fleet::{CommandFiles, libraries_for, of_policy};
use foreign_text::escaped;
use lab::game::{GameEnd, LabGame, NamedGame};
use lab::trial::{Memory, Repeat, SEED, Subject, TrialGames, repeat};
use mcr::McrGame;
use mistakes::KeyProblem;
use policy_host::child::ChildSpec;
use policy_host::{
    Asked, ChosenPolicy, GameKind, Isolation, Libraries, LibraryChoice, PolicyConfig,
    ScriptedQuestion, StartOptions, scripted_questions,
};
use policy_section::complete_folder_of;
use protocol::riichilab::RequestTime;
use riichi::game::RiichiGame;
use riichi::{ActionOf, ActionWords};
use say::output::say;

use super::library_named;
use crate::cli::TestArgs;
use crate::commands::success;
use crate::commands::table::{TextTable, points, signed};

const GAMES: u64 = 20;

/// Minimum growth over the second half of the games that is reported, kB.
const GROWTH: u64 = 4 << 10;

/// How games ended, each with the seat that the policy had.
type TrialResults = Vec<(GameEnd, usize)>;

/// Tries a policy out and gives a verdict.
///
/// # Errors
///
/// If the config is wrong, or for a fault of the runner.
pub(super) fn test(mut args: TestArgs) -> anyhow::Result<ExitCode> {
    let is_config = args.library.ends_with(".toml");
    if is_config {
        let named = PathBuf::from(&args.library);
        if let Some(other) = args.config.replace(named) {
            bail!(
                "found two configs, {} and {}; name one",
                args.library,
                other.display()
            );
        }
    }
    let config = args.config.as_deref().map(read_config).transpose()?;
    let libraries = libraries_for(config.as_slice(), CommandFiles::default());
    let (policy, start) = match find(&libraries, &args, is_config, config.as_ref()) {
        Ok(found) => found,
        Err(error) => return Ok(verdict(&[format!("{error:#}")])),
    };
    say(format!(
        "{}, build {:?}",
        policy.identity(),
        policy.library.description.build_id
    ));
    let section = config.as_ref().and_then(|config| config.policy.as_ref());
    let spec = policy.for_child(&start, false);
    let without = if policy.asks_program() {
        ", without the program that it asks"
    } else {
        ""
    };
    let faults = match start.game {
        GameKind::Riichi => {
            let is_engine = policy.info().id == builtin::ENGINE;
            try_out::<RiichiGame>(
                &spec,
                asked(section, Some(time_at_riichilab())),
                without,
                is_engine,
            )?
        }
        GameKind::Mcr => try_out::<McrGame>(&spec, asked(section, None), without, false)?,
        GameKind::DouDizhu => try_out::<DouDizhuGame>(&spec, asked(section, None), without, false)?,
    };
    Ok(verdict(&faults))
}

fn read_config(file: &Path) -> Result<RawConfig, Problems> {
    let config = RawConfig::load(file);
    if config.problems.is_empty() {
        Ok(config)
    } else {
        Err(Problems(config.problems))
    }
}

fn find(
    libraries: &Libraries,
    args: &TestArgs,
    is_config: bool,
    config: Option<&RawConfig>,
) -> anyhow::Result<(ChosenPolicy, StartOptions)> {
    let config_folder = args
        .config
        .as_deref()
        .map(complete_folder_of)
        .unwrap_or_default();
    let own = config
        .filter(|_| is_config)
        .and_then(|config| config.policy.as_ref());
    let choice = own.map_or_else(
        || library_named(&args.library),
        |section| section.library.clone(),
    );
    // An unconfigured policy gets no access to anything; with a config it gets the same access as
    // when it plays.
    let unknown = || PolicyConfig {
        isolation: Isolation::Process,
        ..PolicyConfig::of(choice.clone(), None)
    };
    let section = config
        .and_then(|config| config.policy.clone())
        .unwrap_or_else(unknown);
    let id = args.policy.clone().or_else(|| section.id.clone());
    let section = PolicyConfig {
        library: choice,
        id,
        ..section
    };
    // A name on the command line is looked up in the current folder.
    let folder = if own.is_some() {
        config_folder.clone()
    } else {
        std::env::current_dir().unwrap_or_default()
    };
    let library = libraries.describe_from(&folder, &section)?;
    // It is tried out in its own game, or in the game of the config.
    let at_arena = config.and_then(|config| config.arena.as_ref()?.game);
    let own_game = || {
        let index = library
            .description
            .index_of(section.id.as_deref(), &library.origin)
            .ok()?;
        library.description.policies[index].game()
    };
    let game = at_arena.or_else(own_game).unwrap_or_default();
    let start = StartOptions {
        bot: section.id.clone().unwrap_or_default(),
        game,
        players: game.players()[0],
        config_folder,
        launch: libraries.launch.clone(),
    };
    // Without a config there is no key to be wrong, but one may be needed.
    let file = args
        .config
        .as_deref()
        .unwrap_or(Path::new("without --config"));
    let problems = |found: Vec<KeyProblem>| {
        Problems(
            found
                .into_iter()
                .map(|problem| of_policy(file, problem))
                .collect(),
        )
    };
    let policy = ChosenPolicy::choose(library, &section, &start).map_err(problems)?;
    let start = StartOptions {
        bot: policy.info().id.clone(),
        ..start
    };
    Ok((policy, start))
}

fn time_at_riichilab() -> RequestTime {
    let TimeControl { grace_ms, bank_ms } = TimeControl::default();
    RequestTime {
        grace_ms: Some(grace_ms),
        bank_ms: Some(bank_ms),
        deadline_ms: Some(grace_ms + bank_ms),
    }
}

/// The time for a decision that a bot with this section would have at an arena with this time
/// limit.
fn asked(policy: Option<&PolicyConfig>, time: Option<RequestTime>) -> Asked {
    let said = |part: fn(&RequestTime) -> Option<u64>| {
        Duration::from_millis(time.as_ref().and_then(part).unwrap_or_default())
    };
    let defaults = PolicyConfig::of(LibraryChoice::Builtin, None);
    let PolicyConfig { think, margin, .. } = policy.unwrap_or(&defaults);
    Asked {
        grace: said(|time| time.grace_ms),
        bank: said(|time| time.bank_ms),
        deadline: said(|time| time.deadline_ms),
        budget: budget(*think, *margin, time),
        seed: SEED,
        ..Asked::default()
    }
}

/// Asks, plays, measures and prints the results; `without` says what is not in the memory of the
/// policy's process. An engine is not asked in situations that it cannot get into. Returns the
/// problems found.
fn try_out<G: NamedGame>(
    spec: &ChildSpec,
    asked: Asked,
    without: &str,
    is_engine: bool,
) -> anyhow::Result<Vec<String>> {
    let start = Instant::now();
    let mut subject = match Subject::start(spec, asked.budget) {
        Ok(subject) => subject,
        Err(error) => return Ok(vec![error.to_string()]),
    };
    say(format!("it starts in {}", duration(start.elapsed())));
    let at_first = subject.memory();

    let mut answered = ask_situations::<G>(&mut subject, asked, is_engine);
    let mut games = TrialGames::default();
    let (results, memory) = play_games::<G>(&mut subject, &mut games, asked)?;
    say(games_line::<G>(&results));
    say(times_line(&subject, asked.budget));
    if let (Some(first), Some(last)) = (at_first, memory.last()) {
        say(memory_line(first, *last, &memory, without));
    }
    answered.append(&mut games.kept);

    let mut faults = subject.faults();
    if !subject.is_over() {
        match Subject::start(spec, asked.budget) {
            Ok(mut fresh) => {
                say(repeat_line(&repeat::<G>(&mut fresh, &answered)));
                faults.extend(fresh.faults());
            }
            Err(error) => faults.push(format!("started again: {error}")),
        }
    }
    Ok(faults)
}

fn ask_situations<G: NamedGame>(
    subject: &mut Subject,
    asked: Asked,
    is_engine: bool,
) -> Vec<(ScriptedQuestion<ActionOf<G>>, ActionOf<G>)> {
    let mut table = TextTable::new(["may", "does", "because"], [true; 3]);
    let mut answered = Vec::new();
    let mut answers: Vec<Option<ActionOf<G>>> = Vec::new();
    for (number, question) in scripted_questions::<G::Table>(G::KIND.players()[0], asked)
        .into_iter()
        .enumerate()
    {
        if subject.is_over() {
            break;
        }
        let sorts = sorts::<G>(&question.legal);
        let went_otherwise = |(number, action): &(usize, ActionOf<G>)| {
            answers.get(*number).and_then(Option::as_ref) != Some(action)
        };
        if is_engine && question.declared.iter().any(went_otherwise) {
            table.row([
                sorts,
                "not asked".to_owned(),
                "it follows a call or riichi that it did not declare".to_owned(),
            ]);
            answers.push(None);
            continue;
        }
        let place = format!("situation {} ({sorts})", number + 1);
        match subject.ask(&question.view, &question.legal, &place) {
            Some(answer) => {
                answers.push(Some(answer.action.clone()));
                table.row([sorts, G::trial_words(&answer.action), answer.reason]);
                answered.push((question, answer.action));
            }
            None => {
                answers.push(None);
                table.row([sorts, "no good answer".to_owned(), String::new()]);
            }
        }
    }
    say(format!("\n{}\n", table.for_output()));
    answered
}

/// The games to their end, and the memory after each.
fn play_games<G: NamedGame>(
    subject: &mut Subject,
    games: &mut TrialGames<ActionOf<G>>,
    asked: Asked,
) -> anyhow::Result<(TrialResults, Vec<Memory>)> {
    let (mut results, mut memory) = (Vec::new(), Vec::new());
    for number in 1..=GAMES {
        if subject.is_over() {
            break;
        }
        let Some(result) = games.play::<G>(subject, number, asked)? else {
            break;
        };
        results.push(result);
        memory.extend(subject.memory());
    }
    Ok((results, memory))
}

/// Which sorts of actions there are, in their order.
fn sorts<G: LabGame>(legal: &[ActionOf<G>]) -> String {
    let mut sorts = Vec::new();
    for name in legal.iter().map(ActionWords::name) {
        if !sorts.contains(&name) {
            sorts.push(name);
        }
    }
    sorts.join(", ")
}

fn games_line<G: NamedGame>(results: &[(GameEnd, usize)]) -> String {
    let played = results.len();
    let head = format!(
        "{played} of {GAMES} games against {}, seed {SEED}",
        G::TRIAL_OPPONENTS
    );
    if results.is_empty() {
        return head;
    }
    let average = results
        .iter()
        .map(|(end, own)| end.scores[*own])
        .sum::<f64>()
        / played as f64;
    let is_won_once = |(end, _): &(GameEnd, usize)| end.outcome.is_some();
    if results.iter().any(is_won_once) {
        let won = results
            .iter()
            .filter(|(end, own)| end.winners().contains(own))
            .count();
        return format!(
            "{head}: {won} won; {} points on average",
            signed(average, 2)
        );
    }
    let seats = G::KIND.players()[0];
    let taken = |place: u8| {
        results
            .iter()
            .filter(|(end, own)| end.places[*own] == place)
            .count()
            .to_string()
    };
    let (places, average) = (
        (1..=seats).map(taken).collect::<Vec<_>>().join(", "),
        points(average as i32),
    );
    format!("{head}: places 1 to {seats}: {places}; {average} points on average")
}

fn times_line(subject: &Subject, budget: Duration) -> String {
    let times = subject.times();
    let [median, late, longest] = [0.5, 0.99, 1.0].map(|share| duration(times.quantile(share)));
    format!(
        "{} decisions: p50 {median}, p99 {late}, max {longest} of {}, including the way to its process and back",
        times.count(),
        duration(budget)
    )
}

fn memory_line(first: Memory, last: Memory, after_games: &[Memory], without: &str) -> String {
    let megabytes = |kilobytes: u64| format!("{:.1} MB", kilobytes as f64 / 1024.0);
    let (from, to, peak) = (
        megabytes(first.resident),
        megabytes(last.resident),
        megabytes(last.peak),
    );
    let line = format!(
        "memory of its process{without}: {from} at first, {to} after the games, {peak} at most"
    );
    let grown = last
        .resident
        .saturating_sub(after_games[after_games.len() / 2].resident);
    if grown <= GROWTH {
        return line;
    }
    format!(
        "{line}\nwarning: it grew by {} over the second half of the games; does it leak?",
        megabytes(grown)
    )
}

fn repeat_line(repeat: &Repeat) -> String {
    let Repeat {
        asked,
        different,
        first_difference,
    } = repeat;
    match first_difference {
        None => {
            format!(
                "it is repeatable: a fresh instance gives the same answer to all of {asked} views asked again"
            )
        }
        Some(first) => format!(
            "it does not repeat itself: a fresh instance answers {different} of {asked} views asked again otherwise, the \
             first {first}; games with it cannot be played again"
        ),
    }
}

fn verdict(faults: &[String]) -> ExitCode {
    for fault in faults {
        say(format!("fault: {}", escaped(fault.as_bytes())));
    }
    say(match faults {
        [] => "verdict: passed".to_owned(),
        [_] => "verdict: failed, for the fault above".to_owned(),
        _ => format!("verdict: failed, for the {} faults above", faults.len()),
    });
    success(faults.is_empty())
}

/// A time in the unit that suits it.
fn duration(time: Duration) -> String {
    let microseconds = time.as_secs_f64() * 1e6;
    if microseconds < 1_000.0 {
        format!("{microseconds:.0} us")
    } else {
        format!("{:.1} ms", microseconds / 1e3)
    }
}
