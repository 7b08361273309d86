//! From configs to bots that are ready to be started, everything that is wrong said at once.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use client::bot::Arena;
use client::budget::budget;
use client::place::short;
use client::transport::botzone::{AccountError, BotzoneSite, PollLimits};
use client::{BotzoneSeat, Token};
use mistakes::KeyProblem;
use outbound::{Authorities, AuthoritiesError, check_proxies};
use policy_host::{Admitted, ChosenPolicy, GameKind, Isolation, Launch, Libraries, StartOptions};
use policy_section::complete_folder_of;
use results::DatabaseAddress;
use riichi::Rules;
use riichi::rules::Length;
use secrecy::SecretString;
use toml::Table;

use config::{
    AlertsConfig, ArenaAddress, BotConfig, Problem, Problems, RawConfig, ResultsConfig,
    SecretError, SecretSource,
};

/// Maximum number of configs checked at once. [`Libraries::admit`] limits how many policies are
/// tried out at once.
const MAX_CHECKS: usize = 64;

/// A bot with everything it needs.
#[derive(Debug, Clone)]
pub struct ReadyBot {
    pub config: BotConfig,
    /// Its config without the `[policy]` section, as written.
    pub without_policy: Table,
    pub policy: ChosenPolicy,
    pub game: GameKind,
    /// Number of players at its tables, 3 or 4.
    pub players: u8,
    /// Its arena and login; `None` if only policies were asked for.
    pub seat: Option<ReadySeat>,
    /// The password of the database for its results, if there is one.
    pub results_password: Option<SecretString>,
}

impl ReadyBot {
    /// The same bot at tables of other numbers of players, if nothing but its policy tells with how
    /// many it plays.
    pub fn at_other_tables(&self, purpose: Purpose) -> impl Iterator<Item = Self> {
        let is_open = purpose == Purpose::Inspect && self.config.arena.is_none();
        let all = if is_open { self.game.players() } else { &[] };
        let others = all.iter().filter(|&&players| players != self.players);
        others.map(|&players| Self {
            players,
            ..self.clone()
        })
    }

    pub fn start_options(&self, libraries: &Libraries) -> StartOptions {
        start_options(
            &self.config.file,
            &self.config.name,
            self.game,
            self.players,
            libraries,
        )
    }

    /// The rules of its ranked games of riichi.
    pub fn rules(&self) -> Rules {
        let length = self.config.arena.as_ref().and_then(|arena| arena.length);
        Rules::TENHOU_HALF
            .with_players(self.players)
            .with_length(length.unwrap_or(Length::Half))
    }

    /// The time for a decision without an arena.
    pub fn budget(&self) -> Duration {
        budget(self.config.policy.think, self.config.policy.margin, None)
    }
}

/// A place at an arena.
#[derive(Debug, Clone)]
pub struct ReadySeat {
    pub arena: Arena,
    /// Whether bots of this process may queue there at the same time.
    pub queue_together: bool,
}

impl ReadySeat {
    fn of(config: &BotConfig, token: Option<Token>, authorities: Authorities) -> Option<Self> {
        let arena = config.arena.as_ref()?;
        let queue_together = arena.queues_together();
        let arena = match arena.address.as_ref()? {
            ArenaAddress::Riichilab(url) => Arena::Riichilab {
                url: url.clone(),
                token: token?,
                authorities,
            },
            ArenaAddress::Mjsonp(room) => Arena::Mjsonp(room.clone()),
            ArenaAddress::Botzone(seat) => Arena::Botzone {
                site: botzone_account(seat, &token?, &authorities).ok()?,
                seat: (**seat).clone(),
            },
        };
        Some(Self {
            arena,
            queue_together,
        })
    }
}

/// Bots that are ready to be started.
#[derive(Debug)]
pub struct Prepared {
    /// The bots, in the order of their configs.
    pub bots: Vec<ReadyBot>,
    pub libraries: Arc<Libraries>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Games without an arena of the config's, and so without a token.
    Policy {
        game: GameKind,
        /// Number of players, 3 or 4.
        players: u8,
    },
    /// Games at their arenas.
    Arena,
    /// For inspection: uses the config's arena if it names one.
    Inspect,
}

impl Purpose {
    const fn is_at_arena(self) -> bool {
        matches!(self, Self::Arena | Self::Inspect)
    }
}

/// Reads and checks config files.
///
/// # Errors
///
/// Everything that is wrong with any of them.
pub fn prepare(files: &[PathBuf], purpose: Purpose) -> Result<Prepared, Problems> {
    prepare_raw(
        files.iter().map(|file| RawConfig::load(file)).collect(),
        purpose,
        CommandFiles::default(),
    )
}

/// Checks configs that have been read. Policies' processes are kept from these files besides those
/// that the configs name.
///
/// # Errors
///
/// Everything that is wrong with any of them.
pub fn prepare_raw(
    configs: Vec<RawConfig>,
    purpose: Purpose,
    files: CommandFiles,
) -> Result<Prepared, Problems> {
    let (libraries, mut checked) = check_all(configs, purpose, files);
    let mut problems = duplicate_identities(checked.iter().map(|checked| &checked.identity));
    let alone = checked
        .iter_mut()
        .filter_map(|checked| checked.result.as_mut().err());
    problems.splice(0..0, alone.flat_map(std::mem::take));
    // A config that is given several times has its problems once.
    let mut distinct = Vec::new();
    for problem in problems {
        if !distinct.contains(&problem) {
            distinct.push(problem);
        }
    }
    let bots: Vec<ReadyBot> = checked
        .into_iter()
        .filter_map(|checked| checked.result.ok())
        .collect();
    if distinct.is_empty() {
        Ok(Prepared { bots, libraries })
    } else {
        Err(Problems(distinct))
    }
}

/// A config after its own check.
pub(crate) struct CheckedConfig {
    pub(crate) identity: BotIdentity,
    pub(crate) result: Result<ReadyBot, Vec<Problem>>,
    /// Its `[alerts]` section, if that can be read.
    pub(crate) alerts: Option<AlertsConfig>,
}

/// The libraries for the bots of these configs. What they name, and these files, are kept from
/// policies.
pub fn libraries_for(configs: &[RawConfig], files: CommandFiles) -> Arc<Libraries> {
    let launch = Launch::own(configs.iter().flat_map(secret_variables).collect());
    let libraries = Arc::new(Libraries::new(launch, builtin::libraries()));
    // No policy has been admitted that could read them.
    let _ = libraries
        .secret_files
        .add(configs.iter().flat_map(secret_files).chain(files.secrets));
    let _ = libraries
        .obeyed_files
        .add_named(configs.iter().flat_map(own_files).chain(files.stored));
    libraries
}

/// Checks each config on its own, many at once; returns them in order.
pub(crate) fn check_all(
    configs: Vec<RawConfig>,
    purpose: Purpose,
    files: CommandFiles,
) -> (Arc<Libraries>, Vec<CheckedConfig>) {
    let libraries = libraries_for(&configs, files);
    let asked = Instant::now();
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<CheckedConfig>>> =
        configs.iter().map(|_| Mutex::default()).collect();
    let work = || {
        while let Some((config, slot)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            configs.get(index).zip(slots.get(index))
        } {
            let checked = check(config.clone(), purpose, &libraries, asked);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked);
        }
    };
    thread::scope(|scope| {
        for _ in 1..configs.len().min(MAX_CHECKS) {
            // Without another thread this one does it all.
            let _ = thread::Builder::new()
                .name("check".to_owned())
                .spawn_scoped(scope, work);
        }
        work();
    });
    let checked = slots
        .into_iter()
        .filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    let checked = checked.collect();
    (libraries, checked)
}

/// All mistakes of one config on its own, or its bot. Its policy is tried out in its own process
/// before any of its code runs in this one, which may take a minute; `asked` is when the check was
/// first wanted.
pub(crate) fn check(
    mut raw: RawConfig,
    purpose: Purpose,
    libraries: &Libraries,
    asked: Instant,
) -> CheckedConfig {
    keep_from_policies(&mut raw, libraries);
    let (game, players) = match purpose {
        Purpose::Policy { game, players } => (game, players),
        Purpose::Arena | Purpose::Inspect => table_of(&raw, libraries),
    };
    let read = ReadConfig::of(raw, purpose, game, players);
    let identity = read.identity.clone();
    let alerts = read.alerts().cloned();
    CheckedConfig {
        identity,
        result: read.admit(libraries, asked),
        alerts,
    }
}

/// The properties that must differ between two bots at their arenas.
#[derive(Debug, Clone)]
pub(crate) struct BotIdentity {
    pub(crate) file: PathBuf,
    pub(crate) name: Option<String>,
    /// The token, and the key that it comes from.
    pub(crate) token: Option<(Token, &'static str)>,
}

/// A config that has been checked except for its policy, which needs a process and may take a
/// minute.
pub(crate) struct ReadConfig {
    pub(crate) identity: BotIdentity,
    pub(crate) problems: Vec<Problem>,
    raw: RawConfig,
    purpose: Purpose,
    game: GameKind,
    players: u8,
    token: Option<Token>,
    authorities: Authorities,
    results_password: Option<SecretString>,
}

impl ReadConfig {
    /// Whether it has a `[ladder]` section.
    pub(crate) const fn has_ladder(&self) -> bool {
        self.raw.ladder.is_some()
    }

    /// Checks a config for a bot at its arena. Starts no process, so a policy that hangs delays no
    /// other config.
    pub(crate) fn for_arena(mut raw: RawConfig, libraries: &Libraries) -> Self {
        keep_from_policies(&mut raw, libraries);
        let game = raw
            .arena
            .as_ref()
            .and_then(|arena| arena.game)
            .or_else(|| builtin_game_of(&raw, libraries));
        let (game, players) = table(&raw, game.unwrap_or_default());
        Self::of(raw, Purpose::Arena, game, players)
    }

    fn of(mut raw: RawConfig, purpose: Purpose, game: GameKind, players: u8) -> Self {
        let mut problems = std::mem::take(&mut raw.problems);
        let at_arena = purpose.is_at_arena();
        if at_arena
            && let Some(records) = &raw.records
            && let Err(unusable) = results::usable_folder(&records.folder)
        {
            problems.push(Problem::new(
                &raw.file,
                "records.folder",
                unusable.to_string(),
            ));
        }
        if at_arena
            && let Some(alerts) = &raw.alerts
            && let Err(unusable) = alerts.usable()
        {
            problems.push(Problem::new(
                &raw.file,
                "alerts.command",
                unusable.to_string(),
            ));
        }
        let results_password = match raw.results.as_ref().filter(|_| at_arena) {
            Some(section) => check_results(&raw.file, section, &mut problems),
            None => None,
        };
        // A bot plays without its database, which may be away for a while.
        if purpose == Purpose::Inspect
            && let Some(section) = &raw.results
            && let Err(unusable) = results::usable_database(&section.database)
        {
            problems.push(Problem::new(
                &raw.file,
                "results.database",
                unusable.to_string(),
            ));
        }
        let authorities = if at_arena {
            check_network(&raw, &mut problems)
        } else {
            Authorities::default()
        };
        let token = if at_arena {
            find_token(&raw, purpose, game, &authorities, &mut problems)
        } else {
            None
        };
        let name = raw.name.clone().filter(|_| at_arena && raw.arena.is_some());
        let keyed = token
            .clone()
            .zip(raw.arena.as_ref())
            .map(|(token, arena)| (token, arena.token_key()));
        let identity = BotIdentity {
            file: raw.file.clone(),
            name,
            token: keyed,
        };
        Self {
            identity,
            problems,
            raw,
            purpose,
            game,
            players,
            token,
            authorities,
            results_password,
        }
    }

    /// Its `[alerts]` section, if that can be read.
    pub(crate) const fn alerts(&self) -> Option<&AlertsConfig> {
        self.raw.alerts.as_ref()
    }

    /// Has the policy admitted, which may take a minute.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the config.
    pub(crate) fn admit(
        self,
        libraries: &Libraries,
        asked: Instant,
    ) -> Result<ReadyBot, Vec<Problem>> {
        let Self {
            identity: _,
            mut problems,
            raw,
            purpose,
            game,
            players,
            token,
            authorities,
            results_password,
        } = self;
        let policy = raw.policy.as_ref().and_then(|section| {
            let bot = raw.name.as_deref().unwrap_or_default();
            let options = start_options(&raw.file, bot, game, players, libraries);
            match libraries.admit(section, &options, None, asked) {
                Ok(Admitted::Ready(policy)) => Some(policy),
                Ok(Admitted::Same) => unreachable!("nothing is known that it could be the same as"),
                Err(found) => {
                    problems.extend(
                        found
                            .into_iter()
                            .map(|problem| of_policy(&raw.file, problem)),
                    );
                    None
                }
            }
        });
        let without_policy = raw.without_policy.clone();
        match (raw.resolve(), policy) {
            (Ok(config), Some(policy)) if problems.is_empty() => {
                let seat = if purpose.is_at_arena() {
                    ReadySeat::of(&config, token, authorities)
                } else {
                    None
                };
                Ok(ReadyBot {
                    config,
                    without_policy,
                    policy,
                    game,
                    players,
                    seat,
                    results_password,
                })
            }
            _ => Err(problems),
        }
    }
}

/// Names and tokens that two configs share; of two bots, the later one is reported.
pub(crate) fn duplicate_identities<'i>(
    bots: impl IntoIterator<Item = &'i BotIdentity>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut before: Vec<&BotIdentity> = Vec::new();
    for bot in bots {
        if let Some(name) = &bot.name
            && let Some(other) = before
                .iter()
                .find(|other| other.name.as_ref() == Some(name))
        {
            let message = format!(
                "{} names its bot {name:?} too; two bots need two names",
                short(&other.file).display()
            );
            problems.push(Problem::new(&bot.file, "name", message));
        }
        if let Some((token, key)) = &bot.token
            && let Some(other) = before
                .iter()
                .find(|other| other.token.as_ref().is_some_and(|other| other.0 == *token))
        {
            let message = format!(
                "this is the token of {} too; an arena seats a token once, so each bot needs its own",
                short(&other.file).display()
            );
            problems.push(Problem::new(&bot.file, *key, message));
        }
        before.push(bot);
    }
    problems
}

/// The game that a config's bot plays. If the arena does not fix it, or there is none, the policy
/// does; `None` if that cannot be determined.
pub fn game_of(raw: &RawConfig, libraries: &Libraries) -> Option<GameKind> {
    let of_policy = || libraries.game_of(&config_folder(&raw.file), raw.policy.as_ref()?);
    raw.arena
        .as_ref()
        .and_then(|arena| arena.game)
        .or_else(of_policy)
}

/// The game that a config's bot plays, and with how many. Without an arena its policy tells, if it
/// plays with one number only.
pub fn table_of(raw: &RawConfig, libraries: &Libraries) -> (GameKind, u8) {
    if raw.arena.is_none()
        && let Some(section) = &raw.policy
        && let Some(table) = libraries.game_and_players_of(&config_folder(&raw.file), section)
    {
        return table;
    }
    table(raw, game_of(raw, libraries).unwrap_or_default())
}

/// The game, and with how many a config's bot plays it.
fn table(raw: &RawConfig, game: GameKind) -> (GameKind, u8) {
    (
        game,
        raw.arena
            .as_ref()
            .and_then(|arena| arena.players)
            .unwrap_or(game.players()[0]),
    )
}

/// The game of a config's policy, if it is linked into the runner.
fn builtin_game_of(raw: &RawConfig, libraries: &Libraries) -> Option<GameKind> {
    let id = raw.policy.as_ref()?.id.as_deref()?;
    let mut policies = libraries
        .builtin()
        .iter()
        .flat_map(|library| &library.description.policies);
    policies.find(|policy| policy.id == id)?.game()
}

/// The folder of a config, which may not be written yet; empty if it is not a file, like the
/// configs of the demo bots.
fn config_folder(file: &Path) -> PathBuf {
    if file.is_file() || file.is_absolute() {
        complete_folder_of(file)
    } else {
        PathBuf::new()
    }
}

pub fn of_policy(file: &Path, KeyProblem { key, message }: KeyProblem) -> Problem {
    Problem::new(file, key, message)
}

/// The start options of a bot's policy, for tables of a game with this many players; `file` is the
/// bot's config.
fn start_options(
    file: &Path,
    bot: &str,
    game: GameKind,
    players: u8,
    libraries: &Libraries,
) -> StartOptions {
    StartOptions {
        bot: bot.to_owned(),
        game,
        players,
        config_folder: config_folder(file),
        launch: libraries.launch.clone(),
    }
}

/// Keeps a config's secrets and its other files from policies, before anything of its library runs.
fn keep_from_policies(config: &mut RawConfig, libraries: &Libraries) {
    libraries
        .launch
        .token_variables
        .add(secret_variables(config));
    let mut open = libraries.secret_files.add(secret_files(config));
    open.extend(libraries.obeyed_files.add_named(own_files(config)));
    config.problems.extend(
        open.into_iter()
            .map(|problem| of_policy(&config.file, problem)),
    );
}

/// A file or folder, and the key or the option that names it.
pub type NamedPlace = (PathBuf, &'static str);

/// What the options of a command name, besides configs.
#[derive(Debug, Clone, Default)]
pub struct CommandFiles {
    /// Files with secrets, which no policy's process may read.
    pub secrets: Vec<NamedPlace>,
    /// What the command stores or obeys: no policy's process may write it.
    pub stored: Vec<NamedPlace>,
}

fn secrets(config: &RawConfig) -> impl Iterator<Item = &SecretSource> {
    let token = config.arena.as_ref().and_then(|arena| arena.token.as_ref());
    token.into_iter().chain(
        config
            .results
            .as_ref()
            .and_then(|results| results.password.as_ref()),
    )
}

/// The environment variables that hold a config's secrets, which are kept from policies.
fn secret_variables(config: &RawConfig) -> impl Iterator<Item = String> {
    secrets(config)
        .filter_map(SecretSource::variable)
        .map(str::to_owned)
}

fn secret_files(config: &RawConfig) -> impl Iterator<Item = NamedPlace> {
    secrets(config).filter_map(|source| Some((source.file()?.to_owned(), source.key())))
}

/// What a config names besides secrets, and a policy could change: records, results, certificate
/// authorities, and what runs without confinement.
fn own_files(config: &RawConfig) -> impl Iterator<Item = NamedPlace> {
    let records = config
        .records
        .iter()
        .map(|records| (records.folder.clone(), "records.folder"));
    let results = config.results.iter().flat_map(|results| {
        let database = files_of_database(&results.database)
            .into_iter()
            .map(|file| (file, "results.database"));
        database.chain([(results.spool.clone(), "results.spool")])
    });
    let authorities = config
        .arena
        .iter()
        .filter_map(|arena| Some((arena.ca_file.clone()?, "arena.ca_file")));
    let alerts = config.alerts.iter().flat_map(
        |AlertsConfig {
             program,
             arguments,
             folder,
         }| {
            let words = [program.clone()]
                .into_iter()
                .chain(arguments.iter().map(PathBuf::from));
            files_of_command(folder, words).map(|file| (file, "alerts.command"))
        },
    );
    let programs = config
        .policy
        .iter()
        .filter(|policy| policy.isolation == Isolation::Thread)
        .flat_map(|policy| {
            let text = |key: &str| {
                policy
                    .params
                    .get(key)
                    .and_then(toml::Value::as_str)
                    .unwrap_or_default()
            };
            let folder = complete_folder_of(&config.file).join(text("folder"));
            let words = shell_words::split(text("command"))
                .unwrap_or_default()
                .into_iter()
                .map(PathBuf::from);
            files_of_command(&folder, words)
                .map(|file| (file, "policy.params.command"))
                .collect::<Vec<_>>()
        });
    records
        .chain(results)
        .chain(authorities)
        .chain(alerts)
        .chain(programs)
}

/// The files that a command which works in a folder names: the program, and what it may read as a
/// script.
fn files_of_command(
    folder: &Path,
    words: impl Iterator<Item = PathBuf>,
) -> impl Iterator<Item = PathBuf> {
    words
        .map(|word| folder.join(word))
        .filter(|file| file.is_file())
}

/// The files of a database for results, if it is one of files: SQLite reads those beside it too.
pub fn files_of_database(address: &DatabaseAddress) -> Vec<PathBuf> {
    let DatabaseAddress::Sqlite(file) = address else {
        return Vec::new();
    };
    let real = file.canonicalize().unwrap_or_else(|_| file.clone());
    let beside = |ending: &str| {
        let mut name = real.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    [file.clone()]
        .into_iter()
        .chain(["-wal", "-shm", "-journal"].map(beside))
        .collect()
}

/// The password of the database for results, if it wants one.
fn check_results(
    file: &Path,
    section: &ResultsConfig,
    problems: &mut Vec<Problem>,
) -> Option<SecretString> {
    if let Err(unusable) = results::usable_spool(&section.spool) {
        problems.push(Problem::new(file, "results.spool", unusable.to_string()));
    }
    let source = section.password.as_ref()?;
    source
        .password()
        .map_err(|error| problems.push(Problem::new(file, source.key(), error.to_string())))
        .ok()
}

/// The certificate authorities of a bot's connections. Checks also what the environment says about
/// proxies, and the authorities that it names if the arena's address is encrypted.
fn check_network(raw: &RawConfig, problems: &mut Vec<Problem>) -> Authorities {
    let Some(arena) = &raw.arena else {
        return Authorities::default();
    };
    let authorities = match &arena.ca_file {
        Some(file) => Authorities::with_file(file),
        None => Ok(Authorities::default()),
    };
    let encrypted = arena
        .address
        .as_ref()
        .is_some_and(ArenaAddress::is_encrypted);
    let checked = authorities.and_then(|authorities| {
        if encrypted {
            authorities.config()?;
        }
        Ok(authorities)
    });
    if let (Some(ArenaAddress::Riichilab(_) | ArenaAddress::Botzone(_)), Err(wrong)) =
        (&arena.address, check_proxies())
    {
        problems.push(Problem::new(&raw.file, "arena.url", wrong.to_string()));
    }
    checked.unwrap_or_else(|error| {
        let key = if matches!(error, AuthoritiesError::File(_)) {
            "arena.ca_file"
        } else {
            "arena.url"
        };
        problems.push(Problem::new(&raw.file, key, error.to_string()));
        Authorities::default()
    })
}

fn find_token(
    raw: &RawConfig,
    purpose: Purpose,
    game: GameKind,
    authorities: &Authorities,
    problems: &mut Vec<Problem>,
) -> Option<Token> {
    let Some(arena) = &raw.arena else {
        // A file that could not be read at all has already been reported.
        if purpose == Purpose::Arena && (raw.name.is_some() || raw.policy.is_some()) {
            let (keys, others) = match game {
                GameKind::Riichi => (
                    "kind = \"riichilab\", token_env = \"…\"".to_owned(),
                    "`tournament`, `tune` and `stdio`",
                ),
                _ => (
                    format!(
                        "kind = \"botzone\", game = \"{game}\", user = \"…\", secret_env = \"…\""
                    ),
                    "`tournament` and `tune`",
                ),
            };
            let message = format!(
                "the section is missing; set the arena and the login: [arena] {keys}, or have `bot-runner init` write \
                 a config (`play`, {others} do without)"
            );
            problems.push(Problem::new(&raw.file, "arena", message));
        }
        return None;
    };
    let names_no_account = arena.botzone_game.is_some() && arena.botzone().is_none();
    if purpose == Purpose::Arena
        && names_no_account
        && !problems
            .iter()
            .any(|problem| problem.key.starts_with("arena"))
    {
        let message = "the key is missing; `run` plays through an account: give `user` and `secret_env` (`botzone` does without)";
        problems.push(Problem::new(&raw.file, "arena.user", message));
    }
    let source = arena.token.as_ref()?;
    let key = arena.token_key();
    let token = source.token();
    // As a program the bot needs no secret.
    if purpose == Purpose::Inspect
        && arena.botzone_game.is_some()
        && matches!(token, Err(SecretError::NoVariable(_)))
    {
        return None;
    }
    let token = token
        .map_err(|error| problems.push(Problem::new(&raw.file, key, error.to_string())))
        .ok()?;
    if let Some(Err(error)) = arena
        .botzone()
        .map(|seat| botzone_account(seat, &token, authorities))
    {
        problems.push(Problem::new(&raw.file, key, error.to_string()));
        return None;
    }
    Some(token)
}

fn botzone_account(
    seat: &BotzoneSeat,
    secret: &Token,
    authorities: &Authorities,
) -> Result<BotzoneSite, AccountError> {
    BotzoneSite::new(
        &seat.site,
        &seat.user,
        secret.clone(),
        authorities,
        PollLimits::default(),
    )
}
