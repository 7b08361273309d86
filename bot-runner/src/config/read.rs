//! The sections of a config, key by key.

use std::path::Path;
use std::time::Duration;

use client::records::Retention;
use client::{ArenaUrl, BOTZONE_URL, BotzoneGame, BotzoneSeat, RoomUrl, SiteUrl};
use policy_host::{
    DEFAULT_MARGIN_MS, GameKind, Isolation, LibraryChoice, PolicyConfig, ReloadMode, Sha256, is_policy_id,
};

use super::bot_config::{ArenaAddress, PLAYERS, RIICHILAB_URL, RecordsConfig, folder_of};
use super::limits::read_limits;
use super::problem::Problem;
use super::raw::RawArena;
use super::secret::SecretKeys;
use super::section::{Section, is_secret};

/// Most milliseconds that can be kept back: more would leave hardly any of the free time of 3,000 that RiichiLab gives.
const MAX_MARGIN_MS: u32 = 2_000;

/// Most characters of a bot's name.
const MAX_NAME: usize = 40;

/// Reads the bot's name; without the key it has the other one, if there is one.
pub(super) fn read_name(
    top: &mut Section<'_>,
    otherwise: Option<String>,
    problems: &mut Vec<Problem>,
) -> Option<String> {
    let before = problems.len();
    match top.text("name", problems) {
        Some(name) if (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control) => {
            Some(name)
        }
        Some(_) => {
            problems.push(top.problem("name", "allowed are 1 to 40 characters on one line"));
            None
        }
        None if problems.len() == before && otherwise.is_some() => otherwise,
        None => {
            if problems.len() == before {
                problems.push(top.problem("name", "the key is missing; give the bot a name, for logs and results"));
            }
            None
        }
    }
}

/// Reads the keys of an `[arena]` section that differ from arena to arena.
type ReadArena = fn(&Path, &mut Section<'_>, &mut Vec<Problem>) -> RawArena;

pub(super) fn read_arena(file: &Path, mut section: Section<'_>, problems: &mut Vec<Problem>) -> RawArena {
    let before = problems.len();
    let kinds: [(_, ReadArena); 3] =
        [("riichilab", read_riichilab), ("mjsonp", read_mjsonp), ("botzone", read_botzone)];
    let read_keys = section.one_of("kind", &kinds, problems);
    if read_keys.is_none() && problems.len() == before {
        problems
            .push(section.problem("kind", "the key is missing; allowed are \"riichilab\", \"mjsonp\", \"botzone\""));
    }
    // Where the kind is not known, the keys show which one was meant.
    let is_botzone = section.has_any(&["game", "user", "secret_env", "secret_file"]);
    let read_keys = read_keys.unwrap_or(if is_botzone { read_botzone } else { read_riichilab });
    let arena = read_keys(file, &mut section, problems);
    section.finish(problems);
    arena
}

fn read_riichilab(file: &Path, section: &mut Section<'_>, problems: &mut Vec<Problem>) -> RawArena {
    let url = section.text("url", problems);
    let url = url.as_deref().unwrap_or(RIICHILAB_URL);
    let unencrypted = section.boolean("allow_unencrypted", problems).unwrap_or(false);
    let url = if unencrypted { ArenaUrl::parse_unencrypted(url) } else { ArenaUrl::parse(url) };
    let url = url.map_err(|message| problems.push(section.problem("url", message)));
    let token = SecretKeys::TOKEN.require(section, folder_of(file), problems);
    let players = section.number_of("players", &[3, 4], problems);
    let address = url.ok().map(ArenaAddress::Riichilab);
    let game = Some(GameKind::Riichi);
    let queue_together = section.boolean("queue_together", problems);
    RawArena { address, token, game, players, queue_together, botzone_game: None }
}

fn read_mjsonp(_file: &Path, section: &mut Section<'_>, problems: &mut Vec<Problem>) -> RawArena {
    let url = section.text("url", problems);
    let room = RoomUrl::parse(url.as_deref().unwrap_or_default());
    let room = room.map_err(|message| problems.push(section.problem("url", message)));
    refuse_tokens(section, problems);
    let players = section.number_of("players", &[3, 4], problems);
    if players.is_some_and(|players| players != PLAYERS) {
        problems.push(section.problem("players", "found 3, but an mjsonp server seats four; leave the key out"));
    }
    let address = room.ok().map(ArenaAddress::Mjsonp);
    let game = Some(GameKind::Riichi);
    let queue_together = section.boolean("queue_together", problems);
    RawArena { address, token: None, game, players, queue_together, botzone_game: None }
}

fn refuse_tokens(section: &mut Section<'_>, problems: &mut Vec<Problem>) {
    for key in ["token_env", "token_file"] {
        if section.text(key, problems).is_some() {
            let message = "an mjsonp server asks for no token and would get it unencrypted; leave the key out";
            problems.push(section.problem(key, message));
        }
    }
}

fn read_botzone(file: &Path, section: &mut Section<'_>, problems: &mut Vec<Problem>) -> RawArena {
    let url = section.text("url", problems);
    let site = SiteUrl::parse(url.as_deref().unwrap_or(BOTZONE_URL));
    let site = site.map_err(|message| problems.push(section.problem("url", message))).ok();
    let before = problems.len();
    let words = BotzoneGame::words();
    let game = section.one_of("game", &words, problems);
    if game.is_none() && problems.len() == before {
        let allowed: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        problems.push(section.problem("game", format!("the key is missing; allowed are {}", allowed.join(", "))));
    }
    // As a program under Botzone's judge a bot needs no account.
    let names_account = section.has_any(&ACCOUNT_KEYS) || section.holds_secret() || url.is_some();
    let (user, token) = if names_account {
        (read_user(section, problems), SecretKeys::SECRET.require(section, folder_of(file), problems))
    } else {
        section.allows(&["user", "secret_env", "secret_file"]);
        (None, None)
    };
    let opponents = section.texts("opponents", problems);
    let at_once = section.whole("matches_at_once", "matches", 1..=32, problems);
    if let Some(game) = game {
        check_opponents(section, game, &opponents, problems);
    }
    if at_once.is_some() && opponents.is_empty() {
        let message = "matches that are waited for are as many as there are; name opponents, or leave the key out";
        problems.push(section.problem("matches_at_once", message));
    }
    let matches_at_once = at_once.unwrap_or(BotzoneSeat::MATCHES_AT_ONCE);
    if section.take_refused("queue_together") {
        let message = "nobody queues at Botzone: `opponents` say who meets, or the site does; leave the key out";
        problems.push(section.problem("queue_together", message));
    }
    let address = site.zip(game).zip(user).map(|((site, game), user)| {
        ArenaAddress::Botzone(Box::new(BotzoneSeat { site, game, user, opponents, matches_at_once }))
    });
    RawArena {
        address,
        token,
        game: game.map(|game| game.kind),
        players: game.map(BotzoneGame::players),
        queue_together: None,
        botzone_game: game,
    }
}

/// The keys of an account at Botzone: where one of them is there, so must be the account's user and secret.
const ACCOUNT_KEYS: [&str; 5] = ["user", "secret_env", "secret_file", "opponents", "matches_at_once"];

/// The name of a bot whose config gives none and needs none: a program under Botzone's judge is called like its file.
pub(super) fn name_of_program(file: &Path, config: &toml::Table) -> Option<String> {
    let arena = config.get("arena")?.as_table()?;
    let is_program = arena.get("kind").and_then(toml::Value::as_str) == Some("botzone")
        && !arena.contains_key("url")
        && !arena.keys().any(|key| ACCOUNT_KEYS.contains(&key.as_str()) || is_secret(key));
    let stem = file.file_stem()?.to_string_lossy();
    is_program.then(|| stem.chars().filter(|letter| !letter.is_control()).take(MAX_NAME).collect())
}

fn read_user(section: &mut Section<'_>, problems: &mut Vec<Problem>) -> Option<String> {
    let before = problems.len();
    match section.text("user", problems) {
        Some(user) if (1..=64).contains(&user.len()) && user.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            return Some(user);
        }
        // Not shown: the whole address of an account holds the secret.
        Some(_) => {
            let message =
                "allowed are the letters and digits between /api/ and the secret in the address of Botzone's menu";
            problems.push(section.problem("user", message));
        }
        None if problems.len() == before => {
            let message =
                "the key is missing; give what stands between /api/ and the secret in the address of Botzone's menu";
            problems.push(section.problem("user", message));
        }
        None => {}
    }
    None
}

fn check_opponents(section: &Section<'_>, game: BotzoneGame, opponents: &[String], problems: &mut Vec<Problem>) {
    let wanted = usize::from(game.players()) - 1;
    if !opponents.is_empty() && opponents.len() != wanted {
        let message = format!("found {}, allowed are {wanted}, or none to wait for matches", opponents.len());
        problems.push(section.problem("opponents", message));
    }
    let is_name = |name: &&String| {
        (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && *name != "me"
    };
    if let Some(wrong) = opponents.iter().find(|name| !is_name(name)) {
        let found: String = wrong.chars().take(40).collect();
        problems.push(
            section.problem("opponents", format!("found {found:?}, allowed are the ids of bots: letters and digits")),
        );
    }
}

pub(super) fn read_policy(file: &Path, top: &mut Section<'_>, problems: &mut Vec<Problem>) -> Option<PolicyConfig> {
    let before = problems.len();
    let Some(mut section) = top.section("policy", problems) else {
        if problems.len() == before {
            let message = "the section is missing; say at least which policy decides: [policy] id = \"greedy-tenpai\"";
            problems.push(top.problem("policy", message));
        }
        return None;
    };
    let before = problems.len();
    let library = section.text("library", problems);
    let id = section.text("id", problems);
    if let Some(id) = id.as_ref().filter(|id| !is_policy_id(id)) {
        let found: String = id.chars().take(40).collect();
        problems.push(section.problem("id", format!("found {found:?}, allowed are a-z, 0-9 and -")));
    }
    let unreadable = problems.len() > before;
    let think = section.whole("think_ms", "milliseconds", 1..=600_000, problems);
    let margin = section.whole("margin_ms", "milliseconds", 0..=MAX_MARGIN_MS, problems).unwrap_or(DEFAULT_MARGIN_MS);
    let reload = [("decision", ReloadMode::Decision), ("game", ReloadMode::Game), ("off", ReloadMode::Off)];
    let reload = section.one_of("reload", &reload, problems).unwrap_or_default();
    let isolation = [("thread", Isolation::Thread), ("process", Isolation::Process)];
    let isolation = section.one_of("isolation", &isolation, problems).unwrap_or_default();
    let sha256 = section.text("sha256", problems).and_then(|text| {
        let hash = Sha256::parse(&text);
        if hash.is_none() {
            let message = "allowed are 64 hexadecimal digits, as `sha256sum` prints them for the library's file";
            problems.push(section.problem("sha256", message));
        }
        hash
    });
    let watch = section.texts("watch", problems);
    let params = section.table("params", problems);
    let limits = section.subsection("limits", "policy.limits", problems);
    if limits.is_some() && isolation == Isolation::Thread {
        let message =
            "limits hold for a process only; add isolation = \"process\" to [policy], or leave the section out";
        problems.push(section.problem("limits", message));
    }
    let limits = limits.map(|section| read_limits(file, section, problems)).unwrap_or_default();
    let library = match (library, &id) {
        (Some(library), _) if library.is_empty() => {
            let message = "found an empty text; allowed are a name, a path and \"builtin\"";
            problems.push(section.problem("library", message));
            None
        }
        (Some(library), _) => Some(library_choice(file, library)),
        (None, Some(id)) => Some(LibraryChoice::LikeId(id.clone())),
        (None, None) => {
            if !unreadable {
                problems.push(section.problem("id", "the key is missing; say which policy decides, or which library"));
            }
            None
        }
    };
    section.finish(problems);
    if unreadable {
        return None;
    }
    Some(PolicyConfig {
        think: think.map(|ms| Duration::from_millis(ms.into())),
        margin: Duration::from_millis(margin.into()),
        reload,
        isolation,
        limits,
        sha256,
        watch: watch.into_iter().map(|path| folder_of(file).join(path)).collect(),
        params,
        ..PolicyConfig::of(library?, id)
    })
}

pub(super) fn read_records(file: &Path, mut section: Section<'_>, problems: &mut Vec<Problem>) -> RecordsConfig {
    let folder = section.text("folder", problems).unwrap_or_else(|| "records".to_owned());
    if folder.is_empty() || folder.contains(char::is_control) {
        let found = if folder.is_empty() { "an empty text" } else { "a control character" };
        let message = format!("found {found}; allowed is the path of a folder, for instance \"records\"");
        problems.push(section.problem("folder", message));
    }
    let days = section.whole("keep_days", "days", 1..=36_500, problems);
    let mib = section.whole("keep_mib", "MiB", 1..=1 << 30, problems);
    section.finish(problems);
    RecordsConfig { folder: folder_of(file).join(folder), retention: Retention::of(days, mib) }
}

fn library_choice(file: &Path, library: String) -> LibraryChoice {
    if library == "builtin" {
        LibraryChoice::Builtin
    } else if library.contains('/') || library.ends_with(std::env::consts::DLL_SUFFIX) {
        LibraryChoice::Path(folder_of(file).join(library))
    } else {
        LibraryChoice::Name(library)
    }
}
