//! Access to the page.

use std::os::unix::fs::PermissionsExt;

use super::{address, ask, ask_with_body, get};
use crate::configs::Folder;
use crate::program::{Finished, Runner, Running};

const TOKEN: &str = "canary-0123456789-abcdef";

/// A game with a page that is reached by these arguments.
fn play(folder: &Folder, args: &[&str]) -> Runner {
    let args = ["play", "--pace-ms", "100"].iter().chain(args);
    Runner::new(args).in_folder(folder.path())
}

fn token_file(folder: &Folder, token: &str, mode: u32) {
    let path = folder.file("page.token", format!("{token}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}

fn guarded(folder: &Folder) -> (Running, String) {
    token_file(folder, TOKEN, 0o600);
    let mut running = play(
        folder,
        &["--page", "127.0.0.1:0", "--page-token-file", "page.token"],
    )
    .start();
    let address = address(&mut running);
    (running, address)
}

#[test]
fn another_name_than_this_machines_is_turned_away() {
    let folder = Folder::new();
    let mut running = play(&folder, &["--page"]).start();
    let address = address(&mut running);
    let port = address.rsplit(':').next().expect("a port");
    let with = |hosts: &[&str]| ask(&address, "GET /api/status", hosts).status;
    for own in [
        address.as_str(),
        "localhost",
        "127.0.0.1",
        &format!("LOCALHOST:{port}"),
        "localhost:9",
    ] {
        assert_eq!(with(&[&format!("Host: {own}")]), 200, "{own}");
    }
    for other in [
        "rebind.example.org",
        &format!("rebind.example.org:{port}"),
        "127.0.0.1.example.org",
        "192.0.2.1",
        "127.0.0.2",
        "localhost.",
        "user@localhost",
        "",
    ] {
        assert_eq!(with(&[&format!("Host: {other}")]), 421, "{other}");
    }
    assert_eq!(with(&[]), 421, "no name at all");
    assert_eq!(
        with(&["Host: localhost", "Host: rebind.example.org"]),
        421,
        "two names"
    );
    let absolute = format!("GET http://rebind.example.org:{port}/api/status");
    assert_eq!(ask(&address, &absolute, &["Host: localhost"]).status, 421);
    let (absolute, with_user) = (
        format!("GET http://{address}/"),
        format!("GET http://user@{address}/"),
    );
    assert_eq!(ask(&address, &absolute, &["Host: localhost"]).status, 200);
    assert_eq!(ask(&address, &with_user, &["Host: localhost"]).status, 421);
    for answer in [
        get(&address, "/"),
        ask(&address, "GET /", &["Host: rebind.example.org"]),
    ] {
        for header in [
            "content-security-policy: default-src 'none';",
            "x-content-type-options: nosniff",
        ] {
            assert!(answer.head.contains(header), "{}", answer.head);
        }
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
    }
    running.stop();
}

#[test]
fn beyond_this_machine_a_token_is_needed() {
    let folder = Folder::new();
    let refused = |args: &[&str]| -> Finished {
        let finished = play(&folder, args).run();
        finished.exited(1);
        finished
    };
    let open = refused(&["--page", "0.0.0.0:0"]);
    assert!(
        open.err.contains("it needs --page-token-file FILE"),
        "{}",
        open.err
    );
    token_file(&folder, TOKEN, 0o644);
    let readable = refused(&["--page", "0.0.0.0:0", "--page-token-file", "page.token"]);
    assert!(
        readable.err.contains("--page-token-file: ") && readable.err.contains("0644"),
        "{}",
        readable.err
    );
    token_file(&folder, "short", 0o600);
    let short = refused(&["--page", "0.0.0.0:0", "--page-token-file", "page.token"]);
    assert!(
        short.err.contains("fewer than 16 characters") && !short.err.contains("short\""),
        "{}",
        short.err
    );
    token_file(&folder, TOKEN, 0o600);
    let mut running = play(
        &folder,
        &["--page", "0.0.0.0:0", "--page-token-file", "page.token"],
    )
    .start();
    // The first address is this machine's.
    let address = address(&mut running)
        .split('/')
        .next()
        .expect("an address")
        .to_owned();
    assert_eq!(get(&address, "/api/status").status, 401);
    let bearer = format!("Authorization: Bearer {TOKEN}");
    let host = format!("Host: {address}");
    assert_eq!(
        ask(&address, "GET /api/status", &[&host, &bearer]).status,
        200
    );
    assert_eq!(
        ask(
            &address,
            "GET /api/status",
            &["Host: rebind.example.org", &bearer]
        )
        .status,
        421
    );
    running.stop();
}

#[test]
fn without_the_token_the_page_shows_only_that_the_process_lives() {
    let folder = Folder::new();
    let (running, address) = guarded(&folder);
    let host = format!("Host: {address}");
    for path in [
        "/",
        "/events",
        "/metrics",
        "/api/status",
        "/api/round?bot=kuma",
        "/api/log",
        "/assets/bots.js",
        "/nothing",
    ] {
        for header in [
            "X-None: 1",
            "Authorization: Bearer canary-0123456789-abcdeg",
            "Cookie: bot-runner-1=x; a=b",
        ] {
            let answer = ask(&address, &format!("GET {path}"), &[&host, header]);
            assert_eq!(answer.status, 401, "{path} {header}");
            assert!(
                !answer.body.contains("kuma") && !answer.body.contains("canary"),
                "{answer:?}"
            );
        }
    }
    assert_eq!(get(&address, "/healthz").body, "ok\n");
    running.stop();
}

#[test]
fn a_browser_shows_the_token_once_and_is_known_by_a_cookie_that_is_not_the_token() {
    let folder = Folder::new();
    let (running, address) = guarded(&folder);
    let host = format!("Host: {address}");
    let form = ask(&address, "GET /", &[&host, "Accept: text/html"]);
    assert!(
        form.status == 401 && form.body.contains("action=\"/login\""),
        "{form:?}"
    );
    let kind = "Content-Type: application/x-www-form-urlencoded";
    let wrong = ask_with_body(
        &address,
        "POST /login",
        &[&host, kind],
        "token=canary-0123456789-abcdeg",
    );
    assert!(
        wrong.status == 401 && !wrong.head.contains("set-cookie"),
        "{wrong:?}"
    );
    let right = ask_with_body(
        &address,
        "POST /login",
        &[&host, kind],
        &format!("token={TOKEN}"),
    );
    assert_eq!(right.status, 303, "{right:?}");
    let cookie = right
        .head
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .expect("a cookie");
    assert!(
        cookie.contains("httponly")
            && cookie.contains("samesite=strict")
            && !cookie.contains("canary"),
        "{cookie}"
    );
    let pair = cookie.split(';').next().expect("a pair");
    let page = ask(
        &address,
        "GET /",
        &[&host, &format!("Cookie: other=1; {pair}")],
    );
    assert!(
        page.status == 200 && page.body.contains("bots.js"),
        "{page:?}"
    );
    let finished = running.stop();
    assert!(!finished.all().contains("canary"), "{}", finished.all());
}
