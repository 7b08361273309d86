//! `init`: writes a bot's first config.

mod ask;
mod interruption;
mod text;

use std::io::{self, Read};
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use clap::{CommandFactory, ValueEnum};
use client::Token;
use client::place::short;
use policy_host::{GameKind, is_policy_id};
use secrecy::{ExposeSecret, SecretString};

use self::ask::Asker;
use self::interruption::Interruption;
use self::text::{config_text, next_steps, policy_text};
use super::check::{checked, start_builtin, tell};
use super::{FAILED, require_folder_of, success};
use crate::cli::{Cli, EngineReplies, InitArena, InitArgs, InitGame, WRONG_USAGE};
use config::{ALLOWED_NAMES, Problem, Problems, RawConfig, SecretKeys, is_bot_name};
use fleet::{CommandFiles, Prepared, Purpose, prepare_raw};
use lab::whole_file::create;
use say::output::say;
use say::screen::note;

/// Maximum length of a token from standard input, in bytes.
const MAX_TOKEN: u64 = 64 << 10;

const NOTHING_WRITTEN: &str = "nothing was written";

/// The answers for the config.
pub(super) struct InitAnswers {
    arena: InitArena,
    game: InitGame,
    players: Option<u8>,
    url: Option<String>,
    user: Option<String>,
    name: String,
    secret: Option<SecretAnswer>,
    /// The bot's number on the ladder, if its games are looked for.
    ladder: Option<u32>,
    policy: InitPolicy,
    out: PathBuf,
}

/// The policy, with the command of the program that it asks, and when that replies if it is an
/// engine.
#[derive(Clone)]
struct InitPolicy {
    id: String,
    command: Option<String>,
    replies: Option<EngineReplies>,
}

/// The source of the secret.
enum SecretAnswer {
    Variable(String),
    File(PathBuf),
    /// It was typed, and will be written to this file.
    New(SecretString, PathBuf),
}

/// Asks for everything that no option gives, checks the config and writes it.
///
/// # Errors
///
/// If an answer is invalid, a file already exists, or a file cannot be written.
pub async fn init(args: InitArgs) -> anyhow::Result<ExitCode> {
    let interruption = Interruption::listen().context("signals cannot be handled")?;
    let asker = Asker::on_terminal(&interruption);
    if asker.is_none() {
        let missing = missing(&args);
        if !missing.is_empty() {
            return wrong_usage(&missing);
        }
    }
    let Some(answers) = answers(args, asker.as_ref()).await? else {
        say(NOTHING_WRITTEN);
        return Ok(ExitCode::from(FAILED));
    };
    let new_token = match &answers.secret {
        Some(SecretAnswer::New(token, file)) => Some((token, file)),
        _ => None,
    };
    let write = || {
        if let Some((token, file)) = new_token {
            let token = token.expose_secret().as_bytes();
            interruption.make(file, || write_new(file, token, 0o600))?;
        }
        let (config, out) = (config_text(&answers), &answers.out);
        interruption.make(out, || write_new(out, config.as_bytes(), 0o666))
    };
    let written = match write() {
        Ok(()) => check_written(&answers).await,
        Err(error) => Err(error),
    };
    if !matches!(written, Ok(true)) {
        interruption.undo();
    }
    if !written? {
        say(NOTHING_WRITTEN);
        return Ok(ExitCode::from(FAILED));
    }
    interruption.keep();
    let token = new_token.map_or_else(String::new, |(_, file)| {
        format!(" and {} (mode 0600)", short(file).display())
    });
    say(format!("written: {}{token}", short(&answers.out).display()));
    say(next_steps(&answers));
    Ok(success(true))
}

/// Checks the config as `check` does and prints the result; returns whether all is well.
async fn check_written(answers: &InitAnswers) -> anyhow::Result<bool> {
    let purpose = match (answers.arena, answers.players) {
        // A config without an arena does not hold the number of players.
        (InitArena::None, Some(players)) => Purpose::Policy {
            game: answers.game.kind(),
            players,
        },
        _ => Purpose::Inspect,
    };
    let result = checked(vec![RawConfig::load(&answers.out)], purpose).await;
    if waits_for_variable(answers, &result) {
        say(format!(
            "{}: no mistakes; the variable with the token is not set yet",
            short(&answers.out).display()
        ));
        return Ok(true);
    }
    let played = result
        .as_ref()
        .ok()
        .and_then(|prepared| Some(prepared.bots.first()?.game));
    if let Some(played) = played.filter(|&played| played != answers.game.kind()) {
        say(format!(
            "--policy {}: it plays {played}, and the game is {}",
            answers.policy.id,
            answers.game.name()
        ));
        return Ok(false);
    }
    tell(&result);
    Ok(result.is_ok())
}

/// Whether only a variable is missing, which is set where the bot runs.
fn waits_for_variable(answers: &InitAnswers, result: &Result<Prepared, Problems>) -> bool {
    let (Some(SecretAnswer::Variable(name)), Err(Problems(problems))) = (&answers.secret, result)
    else {
        return false;
    };
    std::env::var_os(name).is_none()
        && problems
            .iter()
            .all(|problem| problem.key == "arena.token_env")
}

/// The missing options, if there is no terminal to ask for them.
fn missing(args: &InitArgs) -> Vec<&'static str> {
    let needs_game = args.arena.is_none_or(|arena| arena.games().len() > 1);
    let has_token = args.token_file.is_some() || args.token_env.is_some();
    let needs_token = match args.arena {
        None | Some(InitArena::Riichilab) => !has_token,
        Some(InitArena::Botzone) => args.user.is_some() && !has_token,
        Some(InitArena::Mjsonp | InitArena::None) => false,
    };
    let options = [
        ("--arena", args.arena.is_none()),
        ("--game", needs_game && args.game.is_none()),
        ("--name", args.name.is_none()),
        ("--token-file or --token-env", needs_token),
        ("--policy", args.policy.is_none()),
        (
            "--command",
            args.command.is_none() && args.policy.as_deref().is_some_and(builtin::needs_command),
        ),
    ];
    options
        .into_iter()
        .filter_map(|(option, is_missing)| is_missing.then_some(option))
        .collect()
}

fn wrong_usage(missing: &[&str]) -> anyhow::Result<ExitCode> {
    let mut program = Cli::command();
    program.build();
    let command = program
        .find_subcommand_mut("init")
        .context("there is such a command")?;
    let message = format!(
        "without a terminal nothing is asked; these options are missing: {}",
        missing.join(", ")
    );
    command
        .error(ErrorKind::MissingRequiredArgument, message)
        .print()
        .context("standard error cannot be written")?;
    Ok(ExitCode::from(WRONG_USAGE))
}

/// All answers: from the options, and the rest from the terminal. `None` if the engine of the
/// options does not play.
async fn answers(args: InitArgs, asker: Option<&Asker>) -> anyhow::Result<Option<InitAnswers>> {
    if let Some(out) = &args.out {
        require_free(out)?;
    }
    let is_complete = missing(&args).is_empty();
    let ask = || asker.context("there is no terminal");
    let InitArgs {
        arena,
        game,
        players,
        url,
        user,
        name,
        token_file,
        token_env,
        ladder,
        policy,
        command,
        replies,
        out,
    } = args;
    let arena = arena.map_or_else(|| ask()?.one_of("Arena", &ARENAS), Ok)?;
    let game = match (game, arena.games()) {
        (Some(game), games) if !games.contains(&game) => {
            let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
            bail!(
                "--game {}: at this arena a bot plays {}",
                game.name(),
                names.join(" or ")
            )
        }
        (Some(game), _) => game,
        (None, &[game]) => game,
        (None, games) => ask()?.one_of("Game", games)?,
    };
    refuse_foreign_options(
        (arena, game),
        players,
        url.as_deref(),
        user.as_deref(),
        token_file.is_some() || token_env.is_some(),
    )?;
    if ladder.is_some() && (arena != InitArena::Riichilab || url.is_some()) {
        bail!(
            "--ladder: it is the number on RiichiLab's own ladder, and the bot plays elsewhere; leave it out, or add a section \
             [ladder] with `api` and `logs` to the config"
        );
    }
    let keys = if arena == InitArena::Botzone {
        SecretKeys::SECRET
    } else {
        SecretKeys::TOKEN
    };
    if let Some(variable) = &token_env {
        keys.check_variable(variable).context("--token-env")?;
    }
    let user = match (arena, user) {
        (InitArena::Botzone, None) if !is_complete => {
            let question =
                "User id in the address of Botzone's menu (empty: a program under Botzone's judge)";
            ask()?.text(question, None, |user| {
                Ok(Some(user.to_owned()).filter(|user| !user.is_empty()))
            })?
        }
        (_, user) => user,
    };
    let name = name.map_or_else(|| ask()?.text("Name of the bot", None, bot_name), Ok)?;
    let has_token = arena == InitArena::Riichilab || user.is_some();
    let token = match (token_env, token_file) {
        _ if !has_token => None,
        (Some(variable), _) => Some(TypedToken::Variable(variable)),
        (None, Some(file)) if file.symlink_metadata().is_ok() => Some(TypedToken::File(file)),
        (None, file) => Some(typed_token(keys, file, asker)?),
    };
    let ladder = match ladder {
        None if arena == InitArena::Riichilab && url.is_none() && !is_complete => {
            let question = "Number of the bot on the ladder, from the address of its page (empty: its games are not looked for)";
            ask()?.text(question, None, ladder_number)?
        }
        ladder => ladder,
    };
    let usual = default_out(&name);
    let out = match out {
        Some(out) => out,
        None if is_complete || asker.is_none() => usual,
        None => ask()?.text("Config file", usual.to_str(), |out| {
            let out = PathBuf::from(out);
            require_free(&out)
                .map(|()| out)
                .map_err(|error| error.to_string())
        })?,
    };
    require_free(&out)?;
    let given = GivenPolicy {
        id: policy,
        command,
        replies,
    };
    let Some(policy) = asked_policy(given, (game, players), &out, asker).await? else {
        return Ok(None);
    };
    let secret = match token {
        None => None,
        Some(TypedToken::Variable(variable)) => Some(SecretAnswer::Variable(variable)),
        Some(TypedToken::File(file)) => Some(SecretAnswer::File(file)),
        Some(TypedToken::New(token, file)) => {
            let file = file.unwrap_or_else(|| out.with_extension("token"));
            require_free(&file)?;
            Some(SecretAnswer::New(token, file))
        }
    };
    Ok(Some(InitAnswers {
        arena,
        game,
        players,
        url,
        user,
        name,
        secret,
        ladder,
        policy,
        out,
    }))
}

/// The options about the policy.
struct GivenPolicy {
    id: Option<String>,
    command: Option<String>,
    replies: Option<EngineReplies>,
}

/// The policy, asked for until the bot can play by it. `None` if the options name an engine that
/// cannot.
async fn asked_policy(
    GivenPolicy {
        id,
        command,
        replies,
    }: GivenPolicy,
    (game, players): (InitGame, Option<u8>),
    out: &Path,
    asker: Option<&Asker>,
) -> anyhow::Result<Option<InitPolicy>> {
    let ask = || asker.context("there is no terminal");
    if let (Some(id), Some(_)) = (&id, replies)
        && id != builtin::ENGINE
    {
        bail!("--replies: only {} takes it; leave it out", builtin::ENGINE);
    }
    let known = policies(game);
    if id.is_none() {
        Asker::list(
            &known
                .iter()
                .map(|&id| (id, builtin::summary(id)))
                .collect::<Vec<_>>(),
        );
    }
    loop {
        let own = match &id {
            Some(id) => id.clone(),
            None => ask()?.text("Policy", known.first().copied(), |answer| {
                policy_id(answer, &known)
            })?,
        };
        let question = "Command of the program, for example python3 policy.py";
        let own_command = match &command {
            None if builtin::needs_command(&own) => {
                Some(ask()?.text(question, None, |line| Ok(line.to_owned()))?)
            }
            command => command.clone(),
        };
        let is_engine = own == builtin::ENGINE;
        let is_given = id.is_some() && own_command == command;
        let policy = InitPolicy {
            id: own,
            command: own_command,
            replies: replies.filter(|_| is_engine),
        };
        if is_given && !(is_engine && policy.replies.is_none()) {
            return Ok(Some(policy));
        }
        match fitted(policy, game.kind(), players, out).await {
            Ok(policy) => return Ok(Some(policy)),
            Err(problems) => problems.iter().for_each(note),
        }
        if is_given {
            return Ok(None);
        }
    }
}

/// The policy with which the bot can play; an engine is tried with each manner of replying until
/// one works.
async fn fitted(
    policy: InitPolicy,
    game: GameKind,
    players: Option<u8>,
    out: &Path,
) -> Result<InitPolicy, Vec<String>> {
    let manners: Vec<Option<EngineReplies>> = match policy.replies {
        None if policy.id == builtin::ENGINE => EngineReplies::value_variants()
            .iter()
            .copied()
            .map(Some)
            .collect(),
        replies => vec![replies],
    };
    let is_search = manners.len() > 1;
    let mut problems: Vec<String> = Vec::new();
    for replies in manners {
        let tried = InitPolicy {
            replies,
            ..policy.clone()
        };
        if let Some(replies) = replies.filter(|_| is_search) {
            note(format!("trying replies = \"{}\"", replies.name()));
        }
        match can_play(&tried, game, players, out).await {
            Ok(()) => return Ok(tried),
            Err(Problems(found)) => {
                for Problem { message, .. } in found {
                    let told = match replies.filter(|_| is_search) {
                        Some(replies) => format!("replies = \"{}\": {message}", replies.name()),
                        None => message.clone(),
                    };
                    // What fails whatever the manner is told once.
                    if !problems.iter().any(|problem| problem.ends_with(&message)) {
                        problems.push(told);
                    }
                }
            }
        }
    }
    Err(problems)
}

/// Whether the bot can play the game by the policy, with its config at this place.
async fn can_play(
    policy: &InitPolicy,
    game: GameKind,
    players: Option<u8>,
    out: &Path,
) -> Result<(), Problems> {
    let file = absolute(out).unwrap_or_else(|_| out.to_owned());
    let config = RawConfig::parse(&file, &format!("name = \"init\"\n{}", policy_text(policy)));
    let purpose = Purpose::Policy {
        game,
        players: players.unwrap_or(game.players()[0]),
    };
    start_builtin(&prepare_raw(
        vec![config],
        purpose,
        CommandFiles::default(),
    )?)
    .await
}

/// The arenas, the first one being usual.
const ARENAS: [InitArena; 4] = [
    InitArena::Riichilab,
    InitArena::Botzone,
    InitArena::Mjsonp,
    InitArena::None,
];

/// A token that was entered: its file may not have a name yet.
enum TypedToken {
    Variable(String),
    File(PathBuf),
    New(SecretString, Option<PathBuf>),
}

/// A token that is typed, or comes on standard input, for this file.
fn typed_token(
    keys: SecretKeys,
    file: Option<PathBuf>,
    asker: Option<&Asker>,
) -> anyhow::Result<TypedToken> {
    let Some(asker) = asker else {
        let mut text = String::new();
        let read = io::stdin().take(MAX_TOKEN + 1).read_to_string(&mut text);
        if text.len() as u64 > MAX_TOKEN {
            bail!(
                "the token on standard input is longer than {MAX_TOKEN} bytes, the most that is allowed; is it the right \
                 file?"
            );
        }
        let text = read.map(|_| SecretString::from(text)).ok();
        let Some(token) = text.filter(|text| Token::new(text.expose_secret()).is_ok()) else {
            let file = file.unwrap_or_default();
            bail!(
                "--token-file: {} is not there, and no token came on standard input; write the token into it, readable for you \
                 alone: (umask 077; cat > FILE)",
                short(&file).display()
            );
        };
        return Ok(TypedToken::New(token, file));
    };
    let what = if keys == SecretKeys::SECRET {
        "Secret of the account"
    } else {
        "Token of the bot"
    };
    let or_variable = if file.is_some() {
        ""
    } else {
        "; Enter alone: it is in an environment variable"
    };
    loop {
        let token = asker.secret(&format!("{what} (not shown{or_variable})"))?;
        if file.is_none() && token.expose_secret().trim().is_empty() {
            return asker.text("Environment variable", None, |name| {
                keys.check_variable(name)
                    .map(|()| TypedToken::Variable(name.to_owned()))
                    .map_err(|bad| bad.to_string())
            });
        }
        match Token::new(token.expose_secret()) {
            Ok(_) => return Ok(TypedToken::New(token, file)),
            Err(error) => note(error.to_string()),
        }
    }
}

/// Refuses options that do not apply to the arena.
fn refuse_foreign_options(
    (arena, game): (InitArena, InitGame),
    players: Option<u8>,
    url: Option<&str>,
    user: Option<&str>,
    has_token: bool,
) -> anyhow::Result<()> {
    if players.is_some() && arena == InitArena::None && game != InitGame::Riichi {
        bail!(
            "--players: only riichi takes it, and the game is {}; leave it out",
            game.name()
        );
    }
    let is_botzone = arena == InitArena::Botzone;
    let foreign = [
        (
            "--players",
            players.is_some() && !matches!(arena, InitArena::Riichilab | InitArena::None),
        ),
        ("--url", url.is_some() && arena == InitArena::None),
        ("--user", user.is_some() && !is_botzone),
        (
            "--token-file and --token-env",
            has_token && matches!(arena, InitArena::Mjsonp | InitArena::None),
        ),
        (
            "--token-file and --token-env need --user, or",
            has_token && is_botzone && user.is_none(),
        ),
        (
            "--url needs --user, or",
            url.is_some() && is_botzone && user.is_none(),
        ),
    ];
    match foreign.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option}: this arena does not take it; leave it out"),
        None => Ok(()),
    }
}

fn bot_name(name: &str) -> Result<String, String> {
    if is_bot_name(name) {
        Ok(name.to_owned())
    } else {
        Err(ALLOWED_NAMES.to_owned())
    }
}

/// The number of a bot on the ladder; none for an empty answer.
fn ladder_number(answer: &str) -> Result<Option<u32>, String> {
    if answer.is_empty() {
        return Ok(None);
    }
    let number = answer.parse().ok().filter(|number| *number > 0);
    number.map(Some).ok_or_else(|| {
        format!(
            "found {answer}; allowed are whole numbers from 1 to {}",
            u32::MAX
        )
    })
}

/// The id of a policy: one of the `known` by its number, from 1, or any other.
fn policy_id(answer: &str, known: &[&str]) -> Result<String, String> {
    let number = answer.parse::<usize>().ok();
    let numbered = number.and_then(|number| known.get(number.checked_sub(1)?));
    match (numbered, number) {
        (Some(id), _) => Ok((*id).to_owned()),
        (None, Some(number)) => Err(format!(
            "found {number}; allowed are 1 to {}, and the id of a policy",
            known.len()
        )),
        (None, None) if is_policy_id(answer) => Ok(answer.to_owned()),
        (None, None) => Err("allowed are a-z, 0-9 and -".to_owned()),
    }
}

/// The built-in policies of a game, the default first.
fn policies(game: InitGame) -> Vec<&'static str> {
    let usual = match game {
        InitGame::Riichi => "defensive-fold",
        InitGame::ChineseStandard => "cs-fan",
        InitGame::DouDizhu | InitGame::DouDizhuBidding => "doudizhu-split",
    };
    let mut ids: Vec<&'static str> = builtin::ids_of(game.kind());
    ids.sort_by_key(|&id| id != usual);
    ids
}

/// The file name for this bot name, if there is one.
fn default_out(name: &str) -> PathBuf {
    let is_plain = name
        .chars()
        .all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
    let stem = if is_plain && !name.starts_with('-') {
        name
    } else {
        "bot"
    };
    PathBuf::from(format!("{stem}.toml"))
}

/// Refuses a file that exists already, or whose folder does not.
fn require_free(file: &Path) -> anyhow::Result<()> {
    if file.symlink_metadata().is_ok() {
        bail!(
            "{} already exists; remove it, or name another file",
            short(file).display()
        );
    }
    require_folder_of(file)
}

fn write_new(file: &Path, content: &[u8], mode: u32) -> anyhow::Result<()> {
    create(file, content, mode)
        .with_context(|| format!("{} cannot be written", short(file).display()))
}
