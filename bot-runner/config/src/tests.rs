//! Tests of the config format.

use std::path::Path;
use std::time::Duration;

use policy_host::{Isolation, LibraryChoice, ReloadMode};

use client::records::Retention;
use client::{ArenaUrl, BOTZONE_URL, BotzoneGame, RoomUrl};

use super::{ArenaAddress, BotConfig, Problems, RIICHILAB_URL, RawConfig, SecretKeys};

const POLICY: &str = "[policy]\nid = \"greedy-tenpai\"\n";

fn parse(text: &str) -> RawConfig {
    RawConfig::parse(Path::new("bots/kuma.toml"), text)
}

#[track_caller]
fn read(text: &str) -> BotConfig {
    parse(text)
        .resolve()
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The keys and messages of all mistakes.
fn problems(text: &str) -> Vec<(String, String)> {
    parse(text)
        .problems
        .into_iter()
        .map(|problem| (problem.key, problem.message))
        .collect()
}

#[test]
fn of_very_many_mistakes_the_first_are_told_while_bots_play() {
    let keys: String = (0..1_500)
        .map(|number| format!("key_{number} = 1\n"))
        .collect();
    let problems = Problems(parse(&format!("name = \"kuma\"\n{keys}{POLICY}")).problems);
    let told = problems.reasons();
    assert_eq!((problems.0.len(), told.lines().count()), (1_500, 21));
    assert!(
        told.ends_with("and 1480 more, which `bot-runner check` lists") && told.len() < 25_000,
        "{told}"
    );
}

/// The message of the only mistake, which is with this key.
#[track_caller]
fn problem(key: &str, text: &str) -> String {
    let problems = problems(text);
    match &problems[..] {
        [(found, message)] if found == key => message.clone(),
        _ => panic!("{key} should be the only one among {problems:?}"),
    }
}

fn with_arena(lines: &str) -> String {
    format!("name = \"kuma\"\n[arena]\nkind = \"riichilab\"\n{lines}\n{POLICY}")
}

fn with_policy(lines: &str) -> String {
    format!("name = \"kuma\"\n[policy]\n{lines}\n")
}

#[test]
fn a_complete_config_is_read_completely() {
    let config = read(
        r#"
        name = "kuma"

        [arena]
        kind = "riichilab"
        url = "wss://example.org:444"
        token_env = "KUMA_TOKEN"
        queue_together = true

        [policy]
        library = "greedy_tenpai"
        id = "greedy-tenpai"
        think_ms = 2750
        margin_ms = 300
        [policy.params]
        kyushu = true
        "#,
    );
    assert_eq!(
        (config.name.as_str(), config.file.as_path()),
        ("kuma", Path::new("bots/kuma.toml"))
    );
    let arena = config.arena.expect("there is one");
    let url = ArenaUrl::parse("wss://example.org:444").expect("an address");
    let token = SecretKeys::TOKEN.in_variable("KUMA_TOKEN".to_owned());
    assert!(arena.queues_together());
    assert_eq!(
        (arena.address, arena.token),
        (Some(ArenaAddress::Riichilab(url)), Some(token))
    );
    let policy = config.policy;
    assert_eq!(
        policy.library,
        LibraryChoice::Name("greedy_tenpai".to_owned())
    );
    assert_eq!(policy.id.as_deref(), Some("greedy-tenpai"));
    assert_eq!(
        (policy.think, policy.margin),
        (
            Some(Duration::from_millis(2750)),
            Duration::from_millis(300)
        )
    );
    assert_eq!(
        policy.params.get("kyushu").and_then(toml::Value::as_bool),
        Some(true)
    );
}

#[test]
fn records_are_kept_only_if_the_config_has_the_section() {
    let records = |lines: &str| read(&format!("name = \"kuma\"\n{POLICY}{lines}")).records;
    assert_eq!(records(""), None);
    let kept = records("[records]\n").expect("there is the section");
    assert_eq!(
        (kept.folder.as_path(), kept.retention),
        (Path::new("bots/records"), Retention::default())
    );
    let kept = records("[records]\nfolder = \"/games\"\nkeep_days = 2\nkeep_mib = 3\n")
        .expect("there is the section");
    let retention = Retention {
        age: Some(Duration::from_secs(2 * 86_400)),
        bytes: Some(3 << 20),
    };
    assert_eq!(
        (kept.folder.as_path(), kept.retention),
        (Path::new("/games"), retention)
    );
}

#[test]
fn a_folder_for_records_is_a_path_that_can_exist() {
    for (folder, words) in [
        ("", "an empty text"),
        (r"a\u0000b", "a control character"),
        (r"a\nb", "a control character"),
    ] {
        let message = problem(
            "records.folder",
            &format!("name = \"kuma\"\n{POLICY}[records]\nfolder = \"{folder}\"\n"),
        );
        assert!(
            message.contains(words) && message.contains("the path of a folder"),
            "{folder}: {message}"
        );
    }
}

#[test]
fn missing_keys_have_their_defaults() {
    let config = read(&with_arena("token_env = \"KUMA_TOKEN\""));
    let arena = config.arena.expect("there is one");
    let Some(ArenaAddress::Riichilab(url)) = &arena.address else {
        panic!("{:?}", arena.address)
    };
    assert_eq!(
        (url.to_string().as_str(), arena.queues_together()),
        (RIICHILAB_URL, false)
    );
    assert_eq!(
        config.policy.library,
        LibraryChoice::LikeId("greedy-tenpai".to_owned())
    );
    assert_eq!(
        (config.policy.think, config.policy.margin),
        (None, Duration::from_millis(250))
    );
    assert!(config.policy.params.is_empty());
    assert!(read(&format!("name = \"kuma\"\n{POLICY}")).arena.is_none());
}

#[test]
fn bots_queue_together_by_default_on_loopback_alone() {
    for (url, together) in [
        ("ws://127.0.0.1:4000", true),
        ("ws://localhost:4000", true),
        ("ws://[::1]:4000", true),
        ("wss://127.0.0.9", true),
        ("wss://example.org", false),
        ("wss://localhost.example.org", false),
    ] {
        let config = read(&with_arena(&format!(
            "url = {url:?}\ntoken_env = \"KUMA_TOKEN\""
        )));
        assert_eq!(
            config.arena.expect("there is one").queues_together(),
            together,
            "{url}"
        );
    }
    let apart = read(&with_arena(
        "url = \"ws://localhost:1\"\ntoken_env = \"T\"\nqueue_together = false",
    ));
    assert!(!apart.arena.expect("there is one").queues_together());
}

#[test]
fn an_address_is_scheme_and_host_and_keeps_the_token_encrypted_off_this_machine() {
    for (url, words) in [
        ("", "no address"),
        ("example.org", "no address"),
        ("//example.org", "no address"),
        ("https://example.org", "https://"),
        ("ws://example.org", "unencrypted"),
        ("ws://127.0.0.1.example.org", "unencrypted"),
        ("wss://kuma:canary@example.org", "user name"),
        ("wss://example.org/ws/ranked", "path"),
        ("wss://example.org/?token=canary", "query"),
        ("wss://example.org#canary", "fragment"),
        ("wss://example.org:0", "port"),
        ("wss://example.org:70000", "port"),
        ("wss://example.org:", "port"),
    ] {
        let message = ArenaUrl::parse(url).expect_err(url).to_string();
        assert!(
            message.contains(words) && !message.contains("canary"),
            "{url}: {message}"
        );
        assert!(
            message.contains("allowed are wss://HOST"),
            "{url}: {message}"
        );
    }
}

#[test]
fn an_address_that_shows_the_token_on_the_way_must_be_allowed_by_name() {
    let refused = problem(
        "arena.url",
        &with_arena("url = \"ws://example.org:4000\"\ntoken_env = \"T\""),
    );
    assert!(
        refused.contains("unencrypted") && refused.contains("allow_unencrypted = true"),
        "{refused}"
    );
    let allowed =
        with_arena("url = \"ws://example.org:4000\"\nallow_unencrypted = true\ntoken_env = \"T\"");
    let arena = read(&allowed).arena.expect("there is one");
    let Some(ArenaAddress::Riichilab(url)) = arena.address else {
        panic!("its kind")
    };
    assert!(url.exposes_token());
    assert_eq!(url.to_string(), "ws://example.org:4000");
    for closed in [
        "wss://example.org",
        "ws://127.0.0.1:4000",
        "ws://[::1]:4000",
    ] {
        assert!(
            !ArenaUrl::parse_unencrypted(closed)
                .expect(closed)
                .exposes_token(),
            "{closed}"
        );
    }
}

#[test]
fn an_address_has_one_spelling() {
    for (url, spelling) in [
        ("wss://example.org/", "wss://example.org/ws/ranked"),
        ("WSS://Example.ORG:443", "wss://example.org/ws/ranked"),
        ("wss://example.org:444", "wss://example.org:444/ws/ranked"),
        ("ws://LOCALHOST:80", "ws://localhost/ws/ranked"),
        ("ws://[0:0:0:0:0:0:0:1]:4000", "ws://[::1]:4000/ws/ranked"),
    ] {
        assert_eq!(
            ArenaUrl::parse(url).expect(url).with_path("/ws/ranked"),
            spelling
        );
    }
}

fn in_room(lines: &str) -> String {
    format!("name = \"kuma\"\n[arena]\nkind = \"mjsonp\"\n{lines}\n{POLICY}")
}

#[test]
fn a_room_defaults_to_the_original_servers() {
    for (line, spelling) in [
        ("", "mjsonp://127.0.0.1:11600/default"),
        (
            "url = \"mjsonp://example.org\"",
            "mjsonp://example.org:11600/default",
        ),
        (
            "url = \"mjsonp://example.org/\"",
            "mjsonp://example.org:11600/default",
        ),
        (
            "url = \"MJSONP://Example.ORG:7000/Kuma\"",
            "mjsonp://example.org:7000/Kuma",
        ),
        (
            "url = \"mjsonp://[::1]:7000/kuma\"",
            "mjsonp://[::1]:7000/kuma",
        ),
    ] {
        let arena = read(&in_room(line)).arena.expect("there is one");
        let Some(ArenaAddress::Mjsonp(room)) = &arena.address else {
            panic!("{:?}", arena.address)
        };
        assert_eq!(
            (room.to_string().as_str(), arena.queues_together()),
            (spelling, room.is_loopback())
        );
    }
    assert_eq!(
        RoomUrl::parse("mjsonp://[::1]").expect("an address").host(),
        "::1"
    );
}

#[test]
fn an_address_of_a_room_is_scheme_host_port_and_room() {
    for (url, words) in [
        ("example.org", "no address"),
        ("wss://example.org", "wss://"),
        ("mjsonp://kuma:canary@example.org", "user name"),
        ("mjsonp://example.org:0", "port"),
        ("mjsonp://example.org/kuma?canary", "query"),
        ("mjsonp://example.org/kuma#canary", "fragment"),
    ] {
        let message = problem("arena.url", &in_room(&format!("url = {url:?}")));
        assert!(
            message.contains(words) && !message.contains("canary"),
            "{url}: {message}"
        );
        assert!(
            message.contains("allowed is mjsonp://HOST"),
            "{url}: {message}"
        );
    }
}

#[test]
fn a_token_for_a_server_that_asks_for_none_is_a_mistake_and_not_repeated() {
    for key in ["token_env", "token_file"] {
        let message = problem(
            &format!("arena.{key}"),
            &in_room(&format!("{key} = \"canary\"")),
        );
        assert!(
            message.contains("no token") && !message.contains("canary"),
            "{message}"
        );
    }
}

fn at_botzone(lines: &str) -> String {
    format!("name = \"panda\"\n[arena]\nkind = \"botzone\"\n{lines}\n{POLICY}")
}

const ACCOUNT: &str = "game = \"doudizhu\"\nuser = \"0a1b\"\nsecret_env = \"SECRET\"";

#[test]
fn an_account_at_botzone_waits_for_matches_or_makes_some_of_its_game() {
    let arena = read(&at_botzone(ACCOUNT)).arena.expect("there is one");
    assert_eq!(
        (arena.players, arena.token_key()),
        (Some(3), "arena.secret_env")
    );
    let Some(ArenaAddress::Botzone(seat)) = arena.address.clone() else {
        panic!("{:?}", arena.address)
    };
    assert_eq!(
        (seat.to_string().as_str(), seat.game, seat.user.as_str()),
        (BOTZONE_URL, BotzoneGame::DOUDIZHU, "0a1b")
    );
    assert_eq!((seat.opponents, seat.matches_at_once), (vec![], 4));
    let made = format!(
        "{ACCOUNT}\nopponents = [\"1a\", \"2b\"]\nmatches_at_once = 2\nurl = \"http://127.0.0.1:4000\""
    );
    let arena = read(&at_botzone(&made)).arena.expect("there is one");
    let Some(ArenaAddress::Botzone(seat)) = arena.address.clone() else {
        panic!("{:?}", arena.address)
    };
    assert_eq!(
        (seat.opponents, seat.matches_at_once),
        (vec!["1a".to_owned(), "2b".to_owned()], 2)
    );
    assert!(seat.site.is_loopback() && arena.queues_together());
}

#[test]
fn mistakes_in_a_botzone_account_are_named_and_the_secret_is_not_repeated() {
    for (key, lines, words) in [
        (
            "arena.game",
            "user = \"0a1b\"\nsecret_env = \"S\"",
            "\"chinese-standard\", \"doudizhu\"",
        ),
        (
            "arena.game",
            "game = \"go\"\nuser = \"0a1b\"\nsecret_env = \"S\"",
            "\"chinese-standard\", \"doudizhu\"",
        ),
        (
            "arena.queue_together",
            "game = \"doudizhu\"\nuser = \"0a1b\"\nsecret_env = \"S\"\nqueue_together = false",
            "Botzone has no queue",
        ),
        (
            "arena.seats",
            &format!("{ACCOUNT}\nseats = 3"),
            "allowed are `kind`, `url`, `game`, `user`, `secret_env`, `secret_file`, `opponents`, `matches_at_once`",
        ),
        (
            "arena.user",
            "game = \"doudizhu\"\nsecret_env = \"S\"",
            "/api/",
        ),
        (
            "arena.user",
            "game = \"doudizhu\"\nuser = \"0a1b/canary\"\nsecret_env = \"S\"",
            "letters and digits",
        ),
        (
            "arena.secret_env",
            "game = \"doudizhu\"\nuser = \"0a1b\"",
            "secret_file",
        ),
        (
            "arena.secret_env",
            "game = \"doudizhu\"\nuser = \"0a1b\"\nsecret_env = \"canary-1\"",
            "secret itself",
        ),
        (
            "arena.secret",
            "game = \"doudizhu\"\nuser = \"0a1b\"\nsecret_env = \"S\"\nsecret = \"canary-1\"",
            "secret_env",
        ),
        (
            "arena.url",
            &format!("{ACCOUNT}\nurl = \"https://a.org/api/0a1b/canary/localai\""),
            "arena.user",
        ),
        (
            "arena.url",
            &format!("{ACCOUNT}\nurl = \"http://example.org\""),
            "unencrypted",
        ),
        (
            "arena.opponents",
            &format!("{ACCOUNT}\nopponents = [\"1a\"]"),
            "allowed are 2",
        ),
        (
            "arena.opponents",
            &format!("{ACCOUNT}\nopponents = [\"1a\", \"b b\"]"),
            "letters and digits",
        ),
        (
            "arena.matches_at_once",
            &format!("{ACCOUNT}\nmatches_at_once = 2"),
            "opponents",
        ),
    ] {
        let message = problem(key, &at_botzone(lines));
        assert!(
            message.contains(words) && !message.contains("canary"),
            "{lines}: {message}"
        );
        assert!(
            key == "arena.queue_together" || !message.contains("queue_together"),
            "{lines}: {message}"
        );
    }
}

fn with_ladder(url: &str, lines: &str) -> String {
    format!(
        "name = \"kuma\"\n[arena]\nkind = \"riichilab\"\n{url}token_env = \"T\"\n[policy]\nid = \"greedy-tenpai\"\n{lines}"
    )
}

#[test]
fn a_ladder_is_riichilabs_unless_addresses_are_named() {
    const RESULTS: &str = "[results]\ndatabase = \"sqlite:results.db\"\n";
    let ladder = |url: &str, lines: &str| {
        read(&with_ladder(url, &format!("{RESULTS}[ladder]\n{lines}")))
            .ladder
            .map(|ladder| {
                (
                    ladder.bot_id,
                    ladder.api.to_string(),
                    ladder.logs.to_string(),
                )
            })
    };
    let told = |api: &str, logs: &str| Some((317, api.to_owned(), logs.to_owned()));
    assert_eq!(
        ladder("", "bot_id = 317"),
        told("https://api.riichi.dev", "https://logs.riichi.dev")
    );
    assert_eq!(
        ladder(
            "url = \"ws://127.0.0.1:1\"\n",
            "bot_id = 317\napi = \"http://127.0.0.1:2\"\nlogs = \"http://127.0.0.1:3\""
        ),
        told("http://127.0.0.1:2", "http://127.0.0.1:3")
    );
    assert_eq!(read(&with_ladder("", RESULTS)).ladder, None);
}

#[test]
fn mistakes_about_a_ladder_are_named_with_advice() {
    const RESULTS: &str = "[results]\ndatabase = \"sqlite:results.db\"\n";
    for (url, lines, key, words) in [
        (
            "",
            "[ladder]",
            "ladder.bot_id",
            "bot-runner ladder find NAME",
        ),
        (
            "",
            "[ladder]\nbot_id = \"kuma\"",
            "ladder.bot_id",
            "allowed are whole numbers from 1",
        ),
        (
            "",
            "[ladder]\nbot_id = 1\napi = \"https://u:p@a\"",
            "ladder.api",
            "asks for no login",
        ),
        (
            "",
            "[ladder]\nbot_id = 1\ntoken = \"x\"",
            "ladder.token",
            "does not belong in a config",
        ),
        (
            "url = \"ws://127.0.0.1:1\"\n",
            "[ladder]\nbot_id = 1",
            "ladder.api",
            "give the address of that arena's interface",
        ),
    ] {
        let found = problem(key, &with_ladder(url, &format!("{RESULTS}{lines}")));
        assert!(found.contains(words), "{lines}: {found}");
    }
    let found = problem("ladder", &with_ladder("", "[ladder]\nbot_id = 1"));
    assert!(
        found.contains("the database of [results], which is missing"),
        "{found}"
    );
    let room = "name = \"kuma\"\n[arena]\nkind = \"mjsonp\"\n[policy]\nid = \"greedy-tenpai\"\n[results]\ndatabase = \"sqlite:r.db\"\n[ladder]\nbot_id = 1";
    let found = problem("ladder", room);
    assert!(found.contains("no ladder that is known"), "{found}");
}

#[test]
fn a_library_is_built_in_a_name_or_a_path_from_the_configs_folder_on() {
    for (library, choice) in [
        ("builtin", LibraryChoice::Builtin),
        ("mine", LibraryChoice::Name("mine".to_owned())),
        ("./mine", LibraryChoice::Path("bots/./mine".into())),
        ("libmine.so", LibraryChoice::Path("bots/libmine.so".into())),
        (
            "/opt/libmine.so",
            LibraryChoice::Path("/opt/libmine.so".into()),
        ),
    ] {
        let config = read(&with_policy(&format!(
            "library = {library:?}\nid = \"mine\""
        )));
        assert_eq!(config.policy.library, choice);
    }
    assert!(
        problem(
            "policy.library",
            &with_policy("library = \"\"\nid = \"mine\"")
        )
        .contains("builtin")
    );
}

#[test]
fn the_id_is_optional_if_a_library_is_named() {
    assert_eq!(read(&with_policy("library = \"mine\"")).policy.id, None);
    assert!(problem("policy.id", &with_policy("")).contains("missing"));
}

#[test]
fn a_token_comes_from_one_place() {
    let token = read(&with_arena("token_file = \"secrets/kuma\""))
        .arena
        .expect("there is one")
        .token;
    assert_eq!(
        token,
        Some(SecretKeys::TOKEN.in_file("bots/secrets/kuma".into()))
    );
    let both = problem(
        "arena.token_env",
        &with_arena("token_env = \"T\"\ntoken_file = \"t\""),
    );
    assert!(both.contains("one of the two"), "{both}");
    let none = problem("arena.token_env", &with_arena(""));
    assert!(
        none.contains("missing") && none.contains("token_file"),
        "{none}"
    );
}

#[test]
fn a_token_in_the_file_is_refused_under_whatever_key_and_not_repeated() {
    for key in [
        "token",
        "Authorization",
        "api_key",
        "api-key",
        "bearer",
        "arena_token",
        "password",
        "secret",
        "client_secret",
    ] {
        let message = problem(
            &format!("arena.{key}"),
            &with_arena(&format!("{key} = \"canary-1\"")),
        );
        assert!(
            message.contains("does not belong in a config") && !message.contains("canary"),
            "{key}: {message}"
        );
        assert!(
            message.contains("token_env") && message.contains("token_file"),
            "{key}: {message}"
        );
    }
    let top = format!("name = \"kuma\"\ntoken = \"canary-1\"\n{POLICY}");
    assert!(problem("token", &top).contains("does not belong in a config"));
    let near = problem(
        "arena.token_envi",
        &with_arena("token_file = \"t\"\ntoken_envi = \"canary-1\""),
    );
    assert_eq!(near, "unknown key; did you mean `token_env`?");
}

#[test]
fn an_invalid_name_of_a_variable_is_not_repeated() {
    for odd in ["", "1ST", "eyJ.canary", "canary-1", "KUMA TOKEN", "canary="] {
        let message = problem(
            "arena.token_env",
            &with_arena(&format!("token_env = {odd:?}")),
        );
        assert!(
            !message.contains("canary") && message.contains("letters, digits and _"),
            "{odd}: {message}"
        );
    }
}

#[test]
fn a_name_has_1_to_40_characters_on_one_line() {
    for name in [
        "",
        " ",
        "\u{3000} \u{200b}",
        "a\nb",
        "tab\there",
        &"x".repeat(41),
    ] {
        let message = problem(
            "name",
            &format!("name = {}\n{POLICY}", toml::Value::from(name)),
        );
        assert!(
            message.contains("1 to 40 characters"),
            "{name:?}: {message}"
        );
    }
    assert_eq!(
        read(&format!("name = \"{}\"\n{POLICY}", "熊".repeat(40)))
            .name
            .chars()
            .count(),
        40
    );
    assert!(problem("name", POLICY).contains("missing"));
}

#[test]
fn an_id_is_of_small_letters_digits_and_hyphens() {
    for id in ["", "Greedy", "greedy_tenpai", "../greedy"] {
        for library in ["", "library = \"mine\"\n"] {
            let message = problem("policy.id", &with_policy(&format!("{library}id = {id:?}")));
            assert!(
                message.contains("allowed are a-z, 0-9 and -"),
                "{id}: {message}"
            );
        }
    }
}

#[test]
fn a_file_that_is_not_text_is_reported_with_advice() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let message = |path: &Path| match &RawConfig::load(path).problems[..] {
        [problem] if problem.key.is_empty() => problem.message.clone(),
        problems => panic!("one about the whole file, not {problems:?}"),
    };
    assert!(message(&folder.path().join("none.toml")).contains("is the path right?"));
    assert_eq!(
        message(folder.path()),
        "is a folder; name a config file in it"
    );
    let latin = folder.path().join("latin.toml");
    std::fs::write(&latin, b"name = \"b\xe4r\"\n").expect("it can be written");
    assert_eq!(
        message(&latin),
        "is not UTF-8; a config is a TOML text, save it as UTF-8"
    );
}

#[test]
fn a_file_that_is_not_ordinary_or_has_no_end_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let message = |name: &str| match &RawConfig::load(&folder.path().join(name)).problems[..] {
        [problem] if problem.key.is_empty() => problem.message.clone(),
        problems => panic!("one about the whole file, not {problems:?}"),
    };
    let fifo = std::process::Command::new("mkfifo")
        .arg(folder.path().join("fifo.toml"))
        .status();
    assert!(fifo.expect("mkfifo runs").success());
    assert!(
        message("fifo.toml").contains("it is not an ordinary file"),
        "{}",
        message("fifo.toml")
    );
    let sparse = std::fs::File::create(folder.path().join("large.toml")).expect("it can be made");
    sparse.set_len(1 << 40).expect("it can be sparse");
    assert!(
        message("large.toml").contains("at most 1048576 are read"),
        "{}",
        message("large.toml")
    );
}

#[test]
fn of_a_key_without_end_only_the_beginning_is_shown_and_nothing_of_it_disturbs_the_terminal() {
    let long = "k".repeat(1 << 19);
    let raw = parse(&format!(
        "name = \"kuma\"\n{long} = 1\n\"a\\u001b[2Jb\" = 1\n{POLICY}"
    ));
    let shown = raw
        .problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(raw.problems.len(), 2);
    assert!(
        shown.len() < 500 && shown.contains("kkk…: unknown key"),
        "{shown:.1000}"
    );
    assert!(shown.contains(r"a\u{1b}[2Jb: unknown key"), "{shown:.1000}");
    let twice = parse(&format!("{long} = 1\n{long} = 1\n"));
    assert!(twice.problems[0].to_string().len() < 500);
}

#[test]
fn milliseconds_are_whole_and_in_range() {
    for (line, words) in [
        (
            "think_ms = 0",
            "found 0, allowed are whole milliseconds from 1 to 600000",
        ),
        ("think_ms = 2.5", "found 2.5"),
        ("think_ms = \"2750\"", "found \"2750\""),
        ("think_ms = -1", "found -1"),
        ("think_ms = 99999999999", "found 99999999999"),
    ] {
        let message = problem(
            "policy.think_ms",
            &with_policy(&format!("id = \"mine\"\n{line}")),
        );
        assert!(message.contains(words), "{message}");
    }
    assert!(
        problem(
            "policy.margin_ms",
            &with_policy("id = \"mine\"\nmargin_ms = 2001")
        )
        .contains("from 0 to 2000")
    );
}

#[test]
fn reload_and_isolation_are_chosen_from_lists() {
    let policy = |lines: &str| {
        let raw = RawConfig::parse(
            Path::new("kuma.toml"),
            &with_policy(&format!("id = \"mine\"\n{lines}")),
        );
        assert_eq!(raw.problems, []);
        raw.policy.expect("it is there")
    };
    let left_out = policy("");
    assert_eq!(
        (left_out.reload, left_out.isolation, left_out.sha256),
        (ReloadMode::Decision, Isolation::Thread, None)
    );
    let chosen = policy("reload = \"game\"\nisolation = \"process\"");
    assert_eq!(
        (chosen.reload, chosen.isolation),
        (ReloadMode::Game, Isolation::Process)
    );
    assert_eq!(policy("reload = \"off\"").reload, ReloadMode::Off);
    let other = problem(
        "policy.reload",
        &with_policy("id = \"mine\"\nreload = \"never\""),
    );
    assert_eq!(
        other,
        "found \"never\", allowed are \"decision\", \"game\", \"off\""
    );
    let other = problem(
        "policy.isolation",
        &with_policy("id = \"mine\"\nisolation = true"),
    );
    assert_eq!(other, "found true, allowed are \"thread\", \"process\"");
}

#[test]
fn a_content_is_64_hexadecimal_digits() {
    let digits = "0123456789abcdef".repeat(4);
    let raw = RawConfig::parse(
        Path::new("kuma.toml"),
        &with_policy(&format!("id = \"mine\"\nsha256 = {digits:?}")),
    );
    assert_eq!(
        raw.policy
            .and_then(|policy| policy.sha256)
            .map(|hash| hash.to_string()),
        Some(digits.clone())
    );
    let short = problem(
        "policy.sha256",
        &with_policy(&format!("id = \"mine\"\nsha256 = {:?}", &digits[1..])),
    );
    assert!(short.contains("64 hexadecimal digits"), "{short}");
}

#[test]
fn an_unknown_key_is_reported_with_the_nearest_one_or_with_all() {
    let near = problem(
        "policy.thnik_ms",
        &with_policy("id = \"mine\"\nthnik_ms = 3"),
    );
    assert_eq!(near, "unknown key; did you mean `think_ms`?");
    let far = problem(
        "policy.colour",
        &with_policy("id = \"mine\"\ncolour = \"red\""),
    );
    assert!(
        far.contains("`library`") && far.contains("`margin_ms`") && !far.contains("red"),
        "{far}"
    );
    let section = problem(
        "arean",
        &format!("name = \"kuma\"\n{POLICY}[arean]\nkind = \"riichilab\"\n"),
    );
    assert_eq!(section, "unknown key; did you mean `arena`?");
}

#[test]
fn a_value_of_the_wrong_type_is_reported_with_the_type_that_is_allowed() {
    for (key, text, words) in [
        (
            "name",
            format!("name = 3\n{POLICY}"),
            "a whole number, allowed is a text",
        ),
        (
            "arena",
            format!("name = \"kuma\"\narena = 3\n{POLICY}"),
            "a whole number, allowed is a section [arena]",
        ),
        (
            "policy",
            "name = \"kuma\"\npolicy = [1]\n".to_owned(),
            "a list, allowed is a section [policy]",
        ),
        (
            "policy.params",
            with_policy("id = \"m\"\nparams = true"),
            "true or false, allowed is a section [policy.params]",
        ),
        (
            "arena.queue_together",
            with_arena("token_env = \"T\"\nqueue_together = \"no\""),
            "\"no\", allowed are true",
        ),
    ] {
        let message = problem(key, &text);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn an_arena_is_of_a_kind_that_is_known() {
    let arena = |kind: &str| format!("name = \"kuma\"\n[arena]\n{kind}token_env = \"T\"\n{POLICY}");
    assert!(problem("arena.kind", &arena("")).contains("missing"));
    let other = problem("arena.kind", &arena("kind = \"tenhou\"\n"));
    assert_eq!(
        other,
        "found \"tenhou\", allowed are \"riichilab\", \"mjsonp\", \"botzone\""
    );
    // The keys show that Botzone is meant, so they are not reported as unknown.
    let lines = "game = \"doudizhu\"\nuser = \"0a1b\"\nsecret_env = \"S\"\n";
    let text = format!("name = \"panda\"\n[arena]\nkind = \"botzon\"\n{lines}{POLICY}");
    assert!(problem("arena.kind", &text).contains("found \"botzon\""));
}

#[test]
fn all_mistakes_of_a_file_are_found() {
    let text = "nmae = \"kuma\"\n[arena]\nkind = 3\nurl = \"http://x\"\nqueue = true\n[policy]\nthink_ms = 0\n";
    let keys: Vec<String> = problems(text).into_iter().map(|(key, _)| key).collect();
    let expected = [
        "name",
        "arena.kind",
        "arena.url",
        "arena.token_env",
        "arena.queue",
        "policy.think_ms",
        "policy.id",
        "nmae",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn a_mistake_of_syntax_is_reported_with_line_and_column_and_nothing_of_the_line() {
    for line in [
        "token = \"canary-123",
        "token = canary-123",
        "  token_env = canary-123\"",
        "token_env = \"KUMA_TOKEN\" canary-123",
        "canary-123",
        "= \"canary-123\"",
        "token = \"canary-123\"\ntoken = \"canary-123\"",
    ] {
        let message = problem("", &with_arena(line));
        assert!(
            message.starts_with("line 4, column ") || message.starts_with("line 5, column "),
            "{line}: {message}"
        );
        assert!(
            message.contains("nothing else in the file could be checked"),
            "{line}: {message}"
        );
        assert!(!message.contains("canary"), "{line}: {message}");
    }
}

#[test]
fn a_file_of_another_kind_is_reported_as_no_config_with_the_next_step() {
    let config = RawConfig::parse(
        Path::new("mine/policy.py"),
        "import sys\nsecret = canary-123\n",
    );
    let message = Problems(config.problems).to_string();
    assert!(
        message.starts_with("mine/policy.py: is not a config (line 1, column "),
        "{message}"
    );
    assert!(
        message.contains("plugin new NAME --lang python") && !message.contains("canary"),
        "{message}"
    );
}

#[test]
fn an_unknown_key_of_the_policy_leads_to_its_parameters() {
    let message = problem(
        "policy.command",
        "name = \"kuma\"\n[policy]\nid = \"program\"\ncommand = \"./kuma\"\n",
    );
    assert!(
        message.ends_with("such as `command`, belong to [policy.params]"),
        "{message}"
    );
}
