//! The `[arena]` section: where a bot plays and how it logs in.

use std::path::{Path, PathBuf};

use client::{ArenaUrl, BOTZONE_URL, BotzoneGame, BotzoneSeat, RoomUrl, SiteUrl};
use mistakes::quoted;
use policy_host::GameKind;
use policy_section::{Section, folder_of, is_secret};
use riichi::rules::Length;

use super::bot_config::{ArenaAddress, ArenaConfig, MAX_NAME, PLAYERS, RIICHILAB_URL};
use super::secret::{SecretKeys, SecretSource};

/// The lengths of games, by the names that the commands know too.
const LENGTHS: [(&str, Length); 3] = [
    ("half", Length::Half),
    ("east", Length::East),
    ("single", Length::Single),
];

/// Reads the keys of an `[arena]` section that differ from arena to arena.
type ReadArena = fn(&mut Section<'_>) -> ArenaConfig;

pub(super) fn read_arena(mut section: Section<'_>) -> ArenaConfig {
    let kinds: [(_, ReadArena); 3] = [
        ("riichilab", read_riichilab),
        ("mjsonp", read_mjsonp),
        ("botzone", read_botzone),
    ];
    let read_keys = section.one_of("kind", &kinds);
    if read_keys.is_none() {
        section.refuse_missing(
            "kind",
            format!("the key is missing; allowed are {}", quoted(&kinds)),
        );
    }
    // If the kind is not known, the keys show which one was meant.
    let is_botzone = section.has_any(&["game", "user", "secret_env", "secret_file"]);
    let read_keys = read_keys.unwrap_or(if is_botzone {
        read_botzone
    } else {
        read_riichilab
    });
    let arena = read_keys(&mut section);
    section.finish();
    arena
}

fn read_riichilab(section: &mut Section<'_>) -> ArenaConfig {
    let url = section.text("url");
    let url = url.as_deref().unwrap_or(RIICHILAB_URL);
    let unencrypted = section.boolean("allow_unencrypted").unwrap_or(false);
    let url = if unencrypted {
        ArenaUrl::parse_unencrypted(url)
    } else {
        ArenaUrl::parse(url)
    };
    let url = url.map_err(|bad| section.refuse("url", bad.to_string()));
    let token = SecretKeys::TOKEN.require(section);
    let address = url.ok().map(ArenaAddress::Riichilab);
    let ca_file = ca_file(section);
    ArenaConfig {
        ca_file,
        ..riichi_arena(section, address, token)
    }
}

fn read_mjsonp(section: &mut Section<'_>) -> ArenaConfig {
    let url = section.text("url").unwrap_or_default();
    let room = RoomUrl::parse(&url).map_err(|bad| section.refuse("url", bad.to_string()));
    for key in ["token_env", "token_file"] {
        if section.text(key).is_some() {
            let message = "an mjsonp server asks for no token and would get it unencrypted; leave the key out";
            section.refuse(key, message);
        }
    }
    let arena = riichi_arena(section, room.ok().map(ArenaAddress::Mjsonp), None);
    if arena.players.is_some_and(|players| players != PLAYERS) {
        section.refuse(
            "players",
            "found 3, but an mjsonp server seats four; leave the key out",
        );
    }
    arena
}

/// A file with certificate authorities; a relative path starts from the config's folder.
fn ca_file(section: &mut Section<'_>) -> Option<PathBuf> {
    Some(folder_of(section.file).join(section.text("ca_file")?))
}

/// An arena of riichi, with the keys that all of them have.
fn riichi_arena(
    section: &mut Section<'_>,
    address: Option<ArenaAddress>,
    token: Option<SecretSource>,
) -> ArenaConfig {
    ArenaConfig {
        address,
        token,
        ca_file: None,
        game: Some(GameKind::Riichi),
        players: section.players(),
        length: section.one_of("length", &LENGTHS),
        queue_together: section.boolean("queue_together"),
        botzone_game: None,
    }
}

fn read_botzone(section: &mut Section<'_>) -> ArenaConfig {
    let url = section.text("url");
    let site = SiteUrl::parse(url.as_deref().unwrap_or(BOTZONE_URL));
    let site = site
        .map_err(|bad| section.refuse("url", bad.to_string()))
        .ok();
    let words = BotzoneGame::words();
    let game = section.one_of("game", &words);
    if game.is_none() {
        section.refuse_missing(
            "game",
            format!("the key is missing; allowed are {}", quoted(&words)),
        );
    }
    // As a program under Botzone's judge a bot needs no account.
    let names_account = section.has_any(&ACCOUNT_KEYS) || section.holds_secret() || url.is_some();
    let (user, token) = if names_account {
        (read_user(section), SecretKeys::SECRET.require(section))
    } else {
        section.allows(&["user", "secret_env", "secret_file"]);
        (None, None)
    };
    let opponents = section.texts("opponents");
    let at_once = section.whole("matches_at_once", "matches", 1..=32);
    if let Some(game) = game {
        check_opponents(section, game, &opponents);
    }
    if at_once.is_some() && opponents.is_empty() {
        let message =
            "there is no limit for matches that others start; name opponents, or leave the key out";
        section.refuse("matches_at_once", message);
    }
    let matches_at_once = at_once.unwrap_or(BotzoneSeat::MATCHES_AT_ONCE);
    if section.take_refused("queue_together") {
        let message =
            "Botzone has no queue: `opponents` or the site choose the opponents; leave the key out";
        section.refuse("queue_together", message);
    }
    let address = site.zip(game).zip(user).map(|((site, game), user)| {
        ArenaAddress::Botzone(Box::new(BotzoneSeat {
            site,
            game,
            user,
            opponents,
            matches_at_once,
        }))
    });
    ArenaConfig {
        address,
        token,
        ca_file: ca_file(section),
        game: game.map(|game| game.kind),
        players: game.map(BotzoneGame::players),
        length: None,
        queue_together: None,
        botzone_game: game,
    }
}

/// The keys of an account at Botzone: if one of them is present, the account's user and secret are
/// required.
const ACCOUNT_KEYS: [&str; 5] = [
    "user",
    "secret_env",
    "secret_file",
    "opponents",
    "matches_at_once",
];

/// The name of a bot whose config gives none and needs none: a program under Botzone's judge is
/// called like its file.
pub(super) fn name_of_program(file: &Path, config: &toml::Table) -> Option<String> {
    let arena = config.get("arena")?.as_table()?;
    let is_program = arena.get("kind").and_then(toml::Value::as_str) == Some("botzone")
        && !arena.contains_key("url")
        && !arena
            .keys()
            .any(|key| ACCOUNT_KEYS.contains(&key.as_str()) || is_secret(key));
    let stem = file.file_stem()?.to_string_lossy();
    is_program.then(|| {
        stem.chars()
            .filter(|letter| !letter.is_control())
            .take(MAX_NAME)
            .collect()
    })
}

fn read_user(section: &mut Section<'_>) -> Option<String> {
    let where_it_is = "between /api/ and the secret in the address of Botzone's menu";
    match section.text("user") {
        Some(user) if is_id(&user) => return Some(user),
        // Not shown: the whole address of an account holds the secret.
        Some(_) => section.refuse(
            "user",
            format!("allowed are the letters and digits {where_it_is}"),
        ),
        None => section.refuse_missing(
            "user",
            format!("the key is missing; give the letters and digits {where_it_is}"),
        ),
    }
    None
}

/// Whether this can be the id of an account or a bot at Botzone.
fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn check_opponents(section: &Section<'_>, game: BotzoneGame, opponents: &[String]) {
    let wanted = usize::from(game.players()) - 1;
    if !opponents.is_empty() && opponents.len() != wanted {
        let message = format!(
            "found {}, allowed are {wanted}, or none to wait for matches",
            opponents.len()
        );
        section.refuse("opponents", message);
    }
    if let Some(wrong) = opponents.iter().find(|name| !is_id(name) || *name == "me") {
        let found: String = wrong.chars().take(40).collect();
        section.refuse(
            "opponents",
            format!("found {found:?}, allowed are the ids of bots: letters and digits"),
        );
    }
}
