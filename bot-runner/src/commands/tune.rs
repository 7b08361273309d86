//! `tune`: better values for the parameters of a bot's policy.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use config::RawConfig;
use fleet::{CommandFiles, Prepared, Purpose, ReadyBot, prepare_raw};
use say::output::say;

use foreign_text::shown;
use say::columns::{shortened, width};

use super::entrants::{competitor, entrant, game_of, jobs, players_of, program};
use super::play::require_riichi;
use super::success;
use super::table::{TextTable, decimal, number_of, signed};
use super::tournament::report::{closing_words, many_faults, tables, unit};
use super::work::{StoppableWork, progress_bar};
use crate::cli::TuneArgs;
use lab::game::Entrant;
use lab::part::Shard;
use lab::tournament::{
    Arguments, Format, Meetings, Plan, ResultsFile, Ruleset, Schedule, TournamentLength,
    TournamentResult, Walls, run,
};
use lab::tune::{ParamRange, PlottedParam, Spsa, SpsaGains, plot};
use lab::whole_file::replace;
use lab_stats::Verdict;
use mistakes::{KeyProblem, listed};
use policy_host::{ChosenPolicy, GameKind, Measure, ParamKind, PolicyInfo};

/// The end of the name under which the values of before play in the tournament at the end.
pub(super) const BEFORE: &str = "-before";
/// Approximate number of steps of a search; each compares its two sets of values on as many walls
/// as the games allow.
const STEPS: u64 = 200;
/// Minimum number of walls in a step, whose spread over walls is measured.
const MIN_WALLS: u64 = 2;
/// Initial distance of the two sets from the middle, as a part of the range.
const PERTURBATION: f64 = 0.25;
/// Size of a first step that follows only noise, as a part of the range.
const FIRST_STEP: f64 = 0.05;
/// The tournament at the end has this part of the search's games.
const FINAL_PART: u64 = 4;
/// The message for a search that was stopped at once.
const STOPPED_NOW: &str = "stopped now; nothing was written";
/// Number of steps in the table of the path.
const SHOWN_STEPS: usize = 12;
/// Maximum number of columns of a parameter's name in the table of steps.
const MAX_NAME_COLUMNS: usize = 40;

/// A parameter that is searched.
#[derive(Debug, Clone)]
struct Tuned {
    name: String,
    axis: ParamRange,
    begin: f64,
}

/// Searches for better values, prints the result, and writes it.
///
/// # Errors
///
/// If a config is wrong, no parameter is tunable, a game cannot be played, the result cannot be
/// written, or the search is stopped.
pub async fn tune(options: TuneArgs) -> anyhow::Result<ExitCode> {
    let out = out_file(&options)?;
    let raw: Vec<RawConfig> = [&options.config, &options.against]
        .map(|file| RawConfig::load(file))
        .into();
    let game = game_of(options.game, &raw, CommandFiles::default());
    let is_riichi = game == GameKind::Riichi;
    if options.length.is_some() {
        require_riichi(game)?;
    }
    let players = players_of(game, &raw, options.players)?;
    let Prepared { bots, libraries } = prepare_raw(
        raw,
        Purpose::Policy { game, players },
        CommandFiles::default(),
    )?;
    let [bot, against] = &bots[..] else {
        bail!("two configs are needed")
    };
    let tuned = tuned(bot, &options.params)?;

    let schedule = Schedule::beside_a_third(game, players);
    let per_wall = schedule.seatings().len() as u64;
    let walls = (options.games / per_wall / STEPS).max(MIN_WALLS);
    let steps = options.games / per_wall / walls;
    let mut arguments = Arguments {
        program: program(false)?,
        game,
        seed: options
            .seed
            .unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX))),
        format: Format::Gauntlet,
        players,
        rules: is_riichi.then_some(Ruleset::Tenhou),
        length: is_riichi.then(|| options.length.map_or(TournamentLength::Half, Into::into)),
        games: options.games / FINAL_PART,
        uma: None,
        until_clear: None,
        sprt: None,
        luck: None,
        think_ms: None,
        configs: Vec::new(),
    };
    let games = StoppableWork::listen("")?;
    let names: Vec<&str> = tuned.iter().map(|param| param.name.as_str()).collect();
    say(format!(
        "{}: {} of {} in {steps} steps of {walls} walls in {per_wall} seatings, against {}, seed {}",
        bot.config.name,
        listed(&names),
        bot.policy.info().id,
        against.config.name,
        arguments.seed
    ));

    let begin = entrant(bot, &libraries);
    let other = entrant(against, &libraries);

    // The final tournament, whose rules and threads the search uses too.
    let [mut found_one, mut before, beside] = [bot, bot, against].map(competitor);
    found_one.name = format!("{}-tuned", bot.config.name);
    before.name = format!("{}{BEFORE}", bot.config.name);
    arguments.configs = vec![found_one, before, beside];
    let plan = arguments.plan(Shard::WHOLE, jobs(options.jobs))?;
    // The first seed is kept for the tournament at the end, whose walls the search does not see.
    let mut seeds = fastrand::Rng::with_seed(arguments.seed);
    let mut next_seed = move || seeds.u64(..u64::from(u32::MAX));
    let fresh_seed = next_seed();
    let search = ParamSearch {
        seeds: (0..steps).map(|_| next_seed()).collect(),
        begin: begin.clone(),
        against: other.clone(),
        tuned: tuned.clone(),
        plan: Plan {
            schedule,
            walls,
            ..plan.clone()
        },
    };
    let searched = games
        .run(move |stop| search.run(stop))
        .await?
        .context(STOPPED_NOW)?;
    let searched = searched?;
    say(format!("\n{}", path_table(&tuned, &searched.spsa)));
    if searched.stopped {
        let done = searched.spsa.path().len() - 1;
        bail!("stopped after {done} of {steps} steps; nothing was written");
    }

    let values: Vec<f64> = tuned
        .iter()
        .zip(searched.spsa.found())
        .map(|(param, value)| rounded(param.axis, value))
        .collect();
    say(format!("\n{}", found_table(&tuned, &values)));
    let found = entrant_with(&begin, &tuned, &values)?;
    let fresh = Plan {
        seed: fresh_seed,
        ..plan
    };
    arguments.seed = fresh.seed;
    let entrants = [found, begin, other];
    let result = games
        .run(move |stop| final_tournament(&entrants, arguments, &fresh, stop))
        .await?;
    let result = result.context(STOPPED_NOW)?;
    let result = result?;
    let words = match &result {
        Some(result) => format!("{}\n{}", tables(result), closing_words(result)),
        None => "Stopped before the first wall of the tournament had been played in all seatings."
            .to_owned(),
    };
    say(format!(
        "\nThe values found, on walls that the search did not use:\n{words}"
    ));

    let text = config_with(&options.config, &tuned, &values, result.as_ref())?;
    let drawing = plot(
        &format!("{}: the path of its values", bot.config.name),
        &plotted(&tuned, &searched.spsa),
    );
    let svg = out.with_extension("svg");
    for (file, content) in [(&out, &text), (&svg, &drawing)] {
        replace(file, content.as_bytes())
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    say(format!(
        "\nWritten: {} and {}",
        out.display(),
        svg.display()
    ));
    if let Some(result) = &result {
        say(format!("Conclusion: {}", verdict(result)));
    }
    Ok(success(true))
}

/// Whether the values found are better than those before.
pub(super) fn verdict(result: &TournamentResult) -> String {
    let (said, next) = compared(result);
    match many_faults(result) {
        Some(faults) => {
            format!("{faults}: repair that and search again; as it was played, {said}.")
        }
        None if next.is_empty() => format!("{said}."),
        None => format!("{said}; {next}."),
    }
}

/// Which values are better, and what to do.
fn compared(result: &TournamentResult) -> (String, &'static str) {
    let Some(pair) = result
        .pairs
        .iter()
        .find(|pair| pair.other.ends_with(BEFORE))
    else {
        return (
            "no game compares the values found with the previous ones".to_owned(),
            "",
        );
    };
    let (mean, unit) = (pair.difference.mean, unit(result.measure));
    let games = number_of(pair.games, "game");
    let interval = |sign: f64| {
        let ends = pair
            .difference
            .interval
            .unwrap_or_default()
            .map(|end| signed(sign * end, 3));
        let [low, high] = if sign < 0.0 {
            [&ends[1], &ends[0]]
        } else {
            [&ends[0], &ends[1]]
        };
        format!("(95 % interval {low} to {high}, {games})")
    };
    let keep = "keep the previous ones, or search with more --games";
    match pair.verdict {
        Verdict::Better => (
            format!(
                "the values found are better than the previous ones: by {mean:.3} {unit} {}",
                interval(1.0)
            ),
            "use them",
        ),
        Verdict::Worse => (
            format!(
                "the values found are worse than the previous ones: by {:.3} {unit} {}",
                -mean,
                interval(-1.0)
            ),
            "keep the previous ones",
        ),
        Verdict::NotShown => (
            format!(
                "it is not shown that the values found are better than the previous ones: {} {unit} {}",
                signed(mean, 3),
                interval(1.0)
            ),
            keep,
        ),
        Verdict::NoInterval if result.walls > 1 => (
            format!("the values found made no difference on any wall ({games})"),
            keep,
        ),
        Verdict::NoInterval => (
            "one wall does not show whether the values found are better than the previous ones"
                .to_owned(),
            keep,
        ),
    }
}

/// The file for the config with the new values: next to the bot's, because its paths are relative
/// to that folder.
fn out_file(options: &TuneArgs) -> anyhow::Result<PathBuf> {
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| options.config.with_extension("tuned.toml"));
    let folder = |file: &Path| {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or_else(|| PathBuf::from("."), Path::to_owned)
    };
    let (own, wanted) = (
        folder(&options.config).canonicalize(),
        folder(&out).canonicalize(),
    );
    if let (Ok(own), Ok(wanted)) = (&own, &wanted)
        && own != wanted
    {
        bail!(
            "{} is in another folder than {}, and the paths in a config belong to its folder; name a file in {}",
            out.display(),
            options.config.display(),
            own.display()
        );
    }
    if out.extension() != Some(&OsString::from("toml")) {
        bail!(
            "{} is the name of a config, so it must end in .toml",
            out.display()
        );
    }
    for file in [out.clone(), out.with_extension("svg")] {
        if file.exists() {
            bail!(
                "{} already exists; remove it, or name another file with --out",
                file.display()
            );
        }
    }
    // Before hours of games rather than after them.
    tempfile::tempfile_in(folder(&out))
        .with_context(|| format!("{} cannot be written", out.display()))?;
    Ok(out)
}

/// The parameters to search, with their ranges and initial values.
fn tuned(bot: &ReadyBot, wanted: &[String]) -> anyhow::Result<Vec<Tuned>> {
    let info = bot.policy.info();
    let tunable: Vec<&str> = info
        .params
        .iter()
        .filter(|param| param.tunable)
        .map(|param| param.name.as_str())
        .collect();
    if tunable.is_empty() {
        bail!(
            "{}: the policy {} declares no parameter that may be tuned; `bot-runner plugin inspect` shows the declared parameters",
            bot.config.file.display(),
            info.id
        );
    }
    if let Some(odd) = wanted.iter().find(|name| !tunable.contains(&name.as_str())) {
        bail!(
            "--param {odd}: the policy {} declares no tunable parameter of this name; it has {}",
            info.id,
            listed(&tunable)
        );
    }
    let searched = tunable
        .iter()
        .filter(|name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == *name));
    searched.map(|name| tuned_param(bot, info, name)).collect()
}

fn tuned_param(bot: &ReadyBot, info: &PolicyInfo, name: &str) -> anyhow::Result<Tuned> {
    let param = info
        .params
        .iter()
        .find(|param| param.name == name)
        .context("it was listed")?;
    let axis = match param.kind {
        ParamKind::Integer(min, max) => ParamRange {
            min: min as f64,
            max: max as f64,
            whole: true,
        },
        ParamKind::Number(min, max) => ParamRange {
            min,
            max,
            whole: false,
        },
        _ => bail!("{name} is not a number"),
    };
    if !(axis.max - axis.min).is_finite() || axis.max <= axis.min {
        bail!(
            "the policy {} declares {name} to be tunable from {} to {}, which is not a range",
            info.id,
            axis.min,
            axis.max
        );
    }
    let set = bot.policy.section.params.get(name);
    let set = set.and_then(|value| {
        value
            .as_float()
            .or_else(|| value.as_integer().map(|whole| whole as f64))
    });
    let begin = match set {
        Some(value) => value,
        None => param
            .default
            .as_ref()
            .and_then(|text| text.parse().ok())
            .with_context(|| {
                format!(
                    "{}: policy.params.{name} is needed to begin with",
                    bot.config.file.display()
                )
            })?,
    };
    Ok(Tuned {
        name: name.to_owned(),
        axis,
        begin,
    })
}

/// A value rounded to its significant digits: to about a ten-thousandth of the range.
fn rounded(axis: ParamRange, value: f64) -> f64 {
    let unit = 10_f64.powf((axis.max - axis.min).log10().ceil() - 4.0);
    // Divided by a whole number if possible, which adds no digits.
    let rounded = if unit < 1.0 {
        (value / unit).round() / (1.0 / unit).round()
    } else {
        (value / unit).round() * unit
    };
    rounded.clamp(axis.min, axis.max)
}

fn entrant_with(bot: &Entrant, tuned: &[Tuned], values: &[f64]) -> anyhow::Result<Entrant> {
    let mut section = bot.policy.section.clone();
    for (param, &value) in tuned.iter().zip(values) {
        section
            .params
            .insert(param.name.clone(), toml_value(param, value));
    }
    let library = Arc::clone(&bot.policy.library);
    let policy = ChosenPolicy::choose(library, &section, &bot.options).map_err(|problems| {
        let problems = problems
            .into_iter()
            .map(|KeyProblem { key, message }| format!("{key}: {message}"));
        anyhow::anyhow!("{}", problems.collect::<Vec<_>>().join("; "))
    })?;
    Ok(Entrant {
        policy,
        ..bot.clone()
    })
}

fn toml_value(param: &Tuned, value: f64) -> toml::Value {
    if param.axis.whole {
        toml::Value::Integer(value as i64)
    } else {
        toml::Value::Float(value)
    }
}

/// A search to be run.
struct ParamSearch {
    begin: Entrant,
    against: Entrant,
    tuned: Vec<Tuned>,
    plan: Plan,
    /// The seed of each step's walls.
    seeds: Vec<u64>,
}

/// A search that has ended.
struct Searched {
    spsa: Spsa,
    stopped: bool,
}

impl ParamSearch {
    fn run(self, stop: &AtomicBool) -> anyhow::Result<Searched> {
        let Self {
            begin,
            against,
            tuned,
            plan,
            seeds,
        } = self;
        let steps = seeds.len() as u64;
        let axes = tuned.iter().map(|param| param.axis).collect();
        let values: Vec<f64> = tuned.iter().map(|param| param.begin).collect();
        let gains = SpsaGains {
            perturbation: PERTURBATION,
            first_step: FIRST_STEP,
            steps,
        };
        let mut spsa = Spsa::new(axes, &values, gains, plan.seed);
        let bar = progress_bar(steps, "{bar:30} {pos}/{len} steps, {eta} left  {msg}");
        // The mean over all walls: two equal sets differ equally on any wall.
        let (mut squares, mut count) = (0.0, 0.0);
        for seed in seeds {
            let step = spsa.step();
            let entrants = [
                entrant_with(&begin, &tuned, &step.plus)?,
                entrant_with(&begin, &tuned, &step.minus)?,
                against.clone(),
            ];
            let plan = Plan {
                seed,
                ..plan.clone()
            };
            let played = run(&entrants, &plan, Walls::new(), stop, |_| {})?;
            if (played.walls.len() as u64) < plan.walls {
                bar.finish_and_clear();
                return Ok(Searched {
                    spsa,
                    stopped: true,
                });
            }
            let mut sum = 0.0;
            for wall in played.walls.values() {
                let mut meetings = Meetings::new(&plan.schedule);
                meetings.add(&plan.schedule, wall);
                let better = meetings.difference(0, 1).unwrap_or(0.0);
                sum += better;
                squares += better * better;
                count += 1.0;
            }
            let walls = plan.walls as f64;
            spsa.take(&step, sum / walls, f64::sqrt(squares / count / walls));
            bar.inc(1);
            if !bar.is_hidden() {
                let found: Vec<String> = spsa
                    .found()
                    .iter()
                    .map(|value| format!("{value:.3}"))
                    .collect();
                bar.set_message(found.join(" "));
            }
        }
        bar.finish_and_clear();
        Ok(Searched {
            spsa,
            stopped: false,
        })
    }
}

fn final_tournament(
    entrants: &[Entrant],
    arguments: Arguments,
    plan: &Plan,
    stop: &AtomicBool,
) -> anyhow::Result<Option<TournamentResult>> {
    let mut file = ResultsFile::unwritten(arguments, Shard::WHOLE);
    file.walls = run(entrants, plan, Walls::new(), stop, |_| {})?.walls;
    Ok(file.result()?)
}

/// The values after some steps, from the first to the last.
fn path_table(tuned: &[Tuned], spsa: &Spsa) -> String {
    let path: Vec<Vec<f64>> = spsa.path().collect();
    let names: Vec<String> = tuned
        .iter()
        .map(|param| shortened(&shown(&param.name), MAX_NAME_COLUMNS))
        .collect();
    let cell = |text: &str, columns: usize| {
        format!(
            "  {}{text}",
            " ".repeat(columns.saturating_sub(width(text)))
        )
    };
    let columns = |name: &str| width(name).max(8);
    let mut text = "step".to_owned();
    names
        .iter()
        .for_each(|name| text.push_str(&cell(name, columns(name))));
    let last = path.len() - 1;
    let rows = SHOWN_STEPS.min(last.max(1));
    let mut steps: Vec<usize> = (0..=rows).map(|row| row * last / rows).collect();
    steps.dedup();
    for step in steps {
        let _ = write!(text, "\n{step:>4}");
        for (name, value) in names.iter().zip(&path[step]) {
            text.push_str(&cell(&format!("{value:.4}"), columns(name)));
        }
    }
    text
}

fn found_table(tuned: &[Tuned], values: &[f64]) -> TextTable<4> {
    let mut table = TextTable::new(
        ["parameter", "before", "found", "range"],
        [true, false, false, true],
    );
    for (param, value) in tuned.iter().zip(values) {
        let Tuned { name, axis, begin } = param;
        table.row([
            name.clone(),
            format!("{begin:.4}"),
            format!("{value:.4}"),
            format!("{} to {}", axis.min, axis.max),
        ]);
    }
    table
}

fn plotted<'p>(tuned: &'p [Tuned], spsa: &Spsa) -> Vec<PlottedParam<'p>> {
    let path: Vec<Vec<f64>> = spsa.path().collect();
    let found = spsa.found();
    let one = |(index, param): (usize, &'p Tuned)| PlottedParam {
        name: &param.name,
        range: param.axis,
        path: path.iter().map(|values| values[index]).collect(),
        found: found[index],
    };
    tuned.iter().enumerate().map(one).collect()
}

/// The bot's config with the new values, otherwise unchanged.
fn config_with(
    config: &Path,
    tuned: &[Tuned],
    values: &[f64],
    result: Option<&TournamentResult>,
) -> anyhow::Result<String> {
    let changed = || {
        format!(
            "{} cannot be read any more, so nothing was written",
            config.display()
        )
    };
    let text = std::fs::read_to_string(config).with_context(changed)?;
    let mut document: toml_edit::DocumentMut = text.parse().with_context(changed)?;
    let policy = &mut document["policy"];
    if policy.get("params").is_none() {
        policy["params"] = toml_edit::table();
    }
    for (param, &value) in tuned.iter().zip(values) {
        let new = if param.axis.whole {
            toml_edit::Value::from(value as i64)
        } else {
            value.into()
        };
        match policy["params"]
            .get_mut(&param.name)
            .and_then(toml_edit::Item::as_value_mut)
        {
            Some(old) => {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            None => policy["params"][&param.name] = toml_edit::value(new),
        }
    }
    let mut head = format!(
        "# Values searched by `bot-runner tune`, beginning at {}.\n",
        config.display()
    );
    for (pair, measure) in result
        .iter()
        .flat_map(|result| result.pairs.iter().map(|pair| (pair, result.measure)))
    {
        let unit = match measure {
            Measure::Places => unit(measure),
            Measure::Points { .. } => "points a game",
        };
        let mean = pair.difference.mean;
        let figure = match pair.verdict {
            Verdict::Better => format!("it is better by {}", decimal(mean, 3)),
            Verdict::Worse => format!("it is worse by {}", decimal(-mean, 3)),
            Verdict::NotShown | Verdict::NoInterval => {
                format!(
                    "no difference is shown; its advantage was {}",
                    decimal(mean, 3)
                )
            }
        };
        let sign = if pair.verdict == Verdict::Worse {
            -1.0
        } else {
            1.0
        };
        let spread = pair
            .difference
            .interval
            .map_or_else(String::new, |[low, high]| {
                let ends = if sign < 0.0 {
                    [-high, -low]
                } else {
                    [low, high]
                };
                let [low, high] = ends.map(|end| decimal(end, 3));
                format!(" (95 % interval {low} to {high})")
            });
        let games = number_of(pair.games, "game");
        let _ = writeln!(
            head,
            "# In {games} against {} {figure} {unit}{spread}.",
            pair.other
        );
    }
    Ok(head + &document.to_string())
}
