//! From config files to bots that are ready to be started, everything that can be wrong said at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bot::Arena;
use crate::config::{BotConfig, Login, PLAYERS, Problem, Problems, RawConfig, Token, TokenSource, complete_folder_of};
use crate::plugin::{ChosenPolicy, Launch, Libraries, StartOptions};
use crate::records;
use crate::reload::{Candidate, Unfit};

/// A bot with everything it needs.
#[derive(Debug, Clone)]
pub struct ReadyBot {
    /// Its config.
    pub config: BotConfig,
    /// Its policy, which plays with so many.
    pub policy: ChosenPolicy,
    /// How many play at its tables, 3 or 4.
    pub players: u8,
    /// Where it plays and how it logs in; never there when only policies were asked for.
    pub seat: Option<ReadySeat>,
}

/// A place at an arena.
#[derive(Debug, Clone)]
pub struct ReadySeat {
    /// The arena.
    pub arena: Arena,
    /// Whether bots of this process may queue there at the same time.
    pub queue_together: bool,
}

impl ReadySeat {
    fn of(config: &BotConfig, token: Option<Token>) -> Option<Self> {
        let arena = config.arena.as_ref()?;
        let queue_together = arena.queue_together;
        let arena = match &arena.login {
            Login::Riichilab { url, .. } => Arena::Riichilab { url: url.clone(), token: token? },
            Login::Mjsonp(room) => Arena::Mjsonp(room.clone()),
        };
        Some(Self { arena, queue_together })
    }
}

/// Bots that are ready to be started.
#[derive(Debug)]
pub struct Prepared {
    /// The bots, in the order of their configs.
    pub bots: Vec<ReadyBot>,
    /// Where their policies come from.
    pub libraries: Arc<Libraries>,
}

/// What the bots are wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Games without an arena of the config's, and so without a token.
    Policy {
        /// How many play them, 3 or 4.
        players: u8,
    },
    /// Games at their arenas.
    Arena,
    /// To be looked at: an arena where the config names one.
    Whatever,
}

/// Reads and checks config files.
///
/// # Errors
///
/// Everything that is wrong with any of them.
pub fn prepare(files: &[PathBuf], need: Need) -> Result<Prepared, Problems> {
    prepare_raw(files.iter().map(|file| RawConfig::load(file)).collect(), need)
}

/// Checks configs that have been read.
///
/// # Errors
///
/// Everything that is wrong with any of them.
pub fn prepare_raw(configs: Vec<RawConfig>, need: Need) -> Result<Prepared, Problems> {
    let mut problems = Vec::new();
    let mut ready = Vec::new();
    let mut names: Vec<(String, PathBuf)> = Vec::new();
    let mut tokens: Vec<(Token, PathBuf)> = Vec::new();
    let libraries = Arc::new(Libraries::new(Launch::own(token_variables(&configs))));
    for mut raw in configs {
        problems.append(&mut raw.problems);
        let (players, at_arena) = match need {
            Need::Policy { players } => (players, false),
            Need::Arena | Need::Whatever => {
                (raw.arena.as_ref().and_then(|arena| arena.players).unwrap_or(PLAYERS), true)
            }
        };
        if at_arena
            && raw.arena.is_some()
            && let Some(name) = &raw.name
        {
            let message =
                |other: &Path| format!("{} names its bot {name:?} too; two bots need two names", other.display());
            refuse_double(&mut names, name.clone(), &raw.file, "name", message, &mut problems);
        }
        let policy = raw.policy.as_ref().and_then(|policy| {
            libraries.find(&raw.file, policy, players).map_err(|mut found| problems.append(&mut found)).ok()
        });
        if at_arena
            && let Some(records) = &raw.records
            && let Err(message) = records::usable(&records.folder)
        {
            problems.push(Problem::new(&raw.file, "records.folder", message));
        }
        let token = if at_arena { find_token(&raw, need, &mut problems) } else { None };
        if let (Some(token), Some(arena)) = (&token, &raw.arena) {
            let key = arena.token.as_ref().map_or("arena", TokenSource::key);
            let message = |other: &Path| {
                format!(
                    "this is the token of {} too; an arena seats a token once, so each bot needs its own",
                    other.display()
                )
            };
            refuse_double(&mut tokens, token.clone(), &raw.file, key, message, &mut problems);
        }
        if let (Ok(config), Some(policy)) = (raw.resolve(), policy) {
            let seat = if at_arena { ReadySeat::of(&config, token) } else { None };
            ready.push(ReadyBot { config, policy, players, seat });
        }
    }
    if problems.is_empty() { Ok(Prepared { bots: ready, libraries }) } else { Err(Problems(problems)) }
}

/// Checks the config of a bot that joins others at their arenas. Its policy is tried out in a process of its own before
/// anything of it runs in this one, which may take a minute.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn prepare_another(mut raw: RawConfig, libraries: &Libraries) -> Result<ReadyBot, Problems> {
    libraries.launch.token_variables.add(token_variables(std::slice::from_ref(&raw)));
    let mut problems = std::mem::take(&mut raw.problems);
    let token = find_token(&raw, Need::Arena, &mut problems);
    if !problems.is_empty() {
        return Err(Problems(problems));
    }
    let config = raw.resolve()?;
    let players = config.arena.as_ref().map_or(PLAYERS, |arena| arena.players);
    let options = start_options(&config, players, libraries);
    let candidate = Candidate::find(libraries, &config.file, &config.policy, &options);
    let policy = candidate.and_then(Candidate::try_out).map_err(|unfit| match unfit {
        Unfit::Config(problems) => problems,
        other => Problems(vec![Problem::new(&config.file, "policy", other.to_string())]),
    })?;
    let seat = ReadySeat::of(&config, token);
    Ok(ReadyBot { config, policy, players, seat })
}

/// What a bot's policy is told when it starts, for tables of so many players.
pub(crate) fn start_options(config: &BotConfig, players: u8, libraries: &Libraries) -> StartOptions {
    let file = &config.file;
    StartOptions {
        bot: config.name.clone(),
        players,
        // The demo bots' configs are no files.
        config_folder: if file.is_file() { complete_folder_of(file) } else { PathBuf::new() },
        launch: libraries.launch.clone(),
    }
}

/// The environment variables that hold tokens, which are kept from policies.
pub(crate) fn token_variables(configs: &[RawConfig]) -> Vec<String> {
    let sources = configs.iter().filter_map(|config| config.arena.as_ref()?.token.as_ref());
    let names = sources.filter_map(|source| match source {
        TokenSource::Env(name) => Some(name.clone()),
        TokenSource::File(_) => None,
    });
    names.collect()
}

fn find_token(raw: &RawConfig, need: Need, problems: &mut Vec<Problem>) -> Option<Token> {
    let Some(arena) = &raw.arena else {
        // A file that could not be read at all has said so already.
        if need == Need::Arena && (raw.name.is_some() || raw.policy.is_some()) {
            let message = "the section is missing; say where the bot plays and how it logs in: \
                           [arena] kind = \"riichilab\", token_env = \"…\" (`play` and `stdio` do without)";
            problems.push(Problem::new(&raw.file, "arena", message));
        }
        return None;
    };
    let source = arena.token.as_ref()?;
    source.load().map_err(|error| problems.push(Problem::new(&raw.file, source.key(), error.to_string()))).ok()
}

/// Remembers whose a value is, or reports that another file has it already.
fn refuse_double<T: PartialEq>(
    seen: &mut Vec<(T, PathBuf)>,
    value: T,
    file: &Path,
    key: &str,
    message: impl Fn(&Path) -> String,
    problems: &mut Vec<Problem>,
) {
    match seen.iter().find(|(other, _)| *other == value) {
        Some((_, other)) => problems.push(Problem::new(file, key, message(other))),
        None => seen.push((value, file.to_owned())),
    }
}
