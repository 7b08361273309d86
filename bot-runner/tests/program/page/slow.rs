//! Pages that take nothing.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{address, at_work, get};
use crate::configs::Folder;
use crate::program::{cell, table};

#[test]
fn pages_that_take_nothing_and_questions_that_never_end_are_in_no_ones_way() {
    let folder = Folder::new();
    let (_arena, mut running) =
        at_work(&folder, &["--page", "--games", "1", "--status-every", "0"]);
    let address = address(&mut running);
    let stuck: Vec<TcpStream> = (0..60)
        .map(|number| {
            let mut stream = TcpStream::connect(&address).expect("the page listens");
            let question = match number % 3 {
                0 => format!("GET /events?bot=kuma HTTP/1.1\r\nHost: {address}\r\n\r\n"),
                1 => format!(
                    "POST /login HTTP/1.1\r\nHost: {address}\r\nContent-Length: 4000\r\n\r\ntoken="
                ),
                _ => "GET / HTTP/1.1\r\nHost: ".to_owned(),
            };
            stream.write_all(question.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    assert_eq!(get(&address, "/healthz").status, 200);
    let finished = running.finish();
    drop(stuck);
    for row in table(finished.exited(0)) {
        assert_eq!(
            (
                cell(&row, "games"),
                cell(&row, "safe"),
                cell(&row, "defaulted")
            ),
            ("1", "0", "0"),
            "{row:?}"
        );
    }
}

#[test]
fn connections_that_are_held_without_a_question_keep_no_question_unanswered() {
    // Both ends of all of them.
    let files = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: files.maximum,
            ..files
        },
    )
    .expect("the limit may be raised");
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page"]);
    let address = address(&mut running);
    let held: Vec<TcpStream> = (0..700)
        .map(|number| {
            let mut stream = TcpStream::connect(&address).expect("the page listens");
            if number % 2 == 0 {
                stream
                    .write_all(b"GET /healthz HTTP/1.1\r\nHost: ")
                    .expect("it reads");
            }
            stream
        })
        .collect();
    let asked = Instant::now();
    for path in ["/healthz", "/metrics", "/"] {
        assert_eq!(get(&address, path).status, 200);
    }
    // A held connection is closed automatically after 30 s.
    assert!(
        asked.elapsed() < Duration::from_secs(20),
        "{:?}",
        asked.elapsed()
    );
    drop(held);
    running.stop();
}

#[test]
fn there_are_no_more_open_pages_than_may_be_and_a_page_that_goes_makes_room() {
    let folder = Folder::new();
    let (_arena, mut running) = at_work(&folder, &["--page"]);
    let address = address(&mut running);
    let open = || {
        let mut stream = TcpStream::connect(&address).expect("the page listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .expect("a time");
        write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("it reads");
        let mut head = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut head).expect("an answer");
        (stream, String::from_utf8_lossy(&head[9..]).into_owned())
    };
    let mut pages: Vec<(TcpStream, String)> = (0..256).map(|_| open()).collect();
    assert!(pages.iter().all(|(_, status)| status == "200"));
    assert_eq!(open().1, "503");
    assert!(
        get(&address, "/metrics")
            .body
            .contains("bot_runner_open_pages 256.0")
    );
    pages.clear();
    let until = std::time::Instant::now() + Duration::from_secs(30);
    while open().1 != "200" {
        assert!(
            std::time::Instant::now() < until,
            "no room although all pages have gone"
        );
    }
    running.stop();
}
