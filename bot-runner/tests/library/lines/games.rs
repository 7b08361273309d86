//! Whole games of the built program at a server that aborts at the first fault. `MJSONP_GAMES=50`
//! for the long run.

use std::process::{Command, Stdio};

use client::records::RecordState;
use riichi::rules::Length;
use tempfile::TempDir;

use super::server::{Outcome, Server, play};
use crate::common::libraries::PROGRAM;
use crate::common::records::sound_records;

/// Policies that differ, each with all that it may do switched on.
pub(crate) const POLICIES: [(&str, &str); 4] = [
    ("greedy-tenpai", "calls = \"yaku\"\nkan = \"safe\"\n"),
    ("defensive-fold", ""),
    ("weighted-shape", ""),
    ("eight-step", ""),
];

pub(crate) fn policy(id: &str, params: &str) -> String {
    format!("[policy]\nlibrary = \"builtin\"\nid = {id:?}\n[policy.params]\n{params}")
}

#[test]
fn whole_games_of_four_policies_end_without_a_fault_or_a_desync() {
    let games: u64 =
        std::env::var("MJSONP_GAMES").map_or(1, |games| games.parse().expect("a number of games"));
    let server = Server::open();
    let folder = TempDir::new().expect("a folder can be made");
    let mut command = Command::new(PROGRAM);
    command.args(["run", "--games", &games.to_string()]);
    for (id, params) in POLICIES {
        let arena = format!(
            "[arena]\nkind = \"mjsonp\"\nurl = \"{}\"\n",
            server.room("default")
        );
        let file = folder.path().join(format!("{id}.toml"));
        std::fs::write(
            &file,
            format!("name = {id:?}\n{arena}{}[records]\n", policy(id, params)),
        )
        .expect("it can be written");
        command.arg(file);
    }
    command
        .env("XDG_RUNTIME_DIR", folder.path())
        .env("NO_COLOR", "1")
        .env("BOT_RUNNER_LOG", "warn");
    let program = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let program = program.spawn().expect("the program starts");
    for number in 1..=games {
        let outcome = play(
            &mut server.gather(number),
            number,
            Length::Half,
            |_, _, reply| reply,
        );
        assert!(
            matches!(outcome, Outcome::Played(_)),
            "game {number}: {outcome:?}"
        );
    }
    let output = program.wait_with_output().expect("it ends");
    let (out, log) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}{log}");
    let records = sound_records(&folder.path().join("records"));
    assert_eq!(
        records
            .iter()
            .filter(|record| record.manifest.state == RecordState::Complete)
            .count() as u64,
        4 * games
    );
    for (id, _) in POLICIES {
        let row = out
            .lines()
            .rfind(|line| line.starts_with(id) && !line.contains(':'))
            .expect("a row of the summary");
        let cells: Vec<&str> = row.split_whitespace().collect();
        let (played, [requests, accepted], faults) = (cells[1], [cells[3], cells[4]], &cells[5..9]);
        assert_eq!(
            (played, requests),
            (games.to_string().as_str(), accepted),
            "{out}"
        );
        assert_eq!(
            faults, ["0"; 4],
            "safe answers, defaulted, rejected, desyncs: {out}{log}"
        );
    }
}
