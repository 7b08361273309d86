//! The output for a terminal, here a pseudo-terminal.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, Winsize, tcflow, tcsetwinsize};

use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, Runner};

/// A terminal of 100 columns and 30 rows.
pub(crate) struct Terminal {
    /// The side that a user sees.
    screen: File,
    /// The side that a program writes to.
    line: File,
}

impl Terminal {
    pub(crate) fn open() -> Self {
        Self::open_with(100)
    }

    /// The same with so many columns.
    pub(crate) fn open_with(columns: u16) -> Self {
        let screen =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are pseudo-terminals");
        grantpt(&screen)
            .and_then(|()| unlockpt(&screen))
            .expect("it is ours");
        let name = ptsname(&screen, Vec::new())
            .expect("it has a name")
            .into_string()
            .expect("UTF-8");
        let line = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name)
            .expect("it can be opened");
        tcsetwinsize(
            &line,
            Winsize {
                ws_row: 30,
                ws_col: columns,
                ws_xpixel: 0,
                ws_ypixel: 0,
            },
        )
        .expect("it has a size");
        Self {
            screen: screen.into(),
            line,
        }
    }

    /// A user who types.
    pub(crate) fn keyboard(&self) -> File {
        self.screen.try_clone().expect("it can be opened twice")
    }

    /// A handle for a program's output or input.
    pub(crate) fn writer(&self) -> Stdio {
        self.line
            .try_clone()
            .expect("it can be opened twice")
            .into()
    }

    /// Reads until the last writer has gone.
    fn read(self) -> JoinHandle<String> {
        self.read_into(Arc::default())
    }

    /// The same, shown to others while it comes.
    pub(crate) fn read_into(self, shown: Arc<Mutex<String>>) -> JoinHandle<String> {
        let Self { mut screen, line } = self;
        drop(line);
        thread::spawn(move || {
            let (mut seen, mut part) = (Vec::new(), [0; 4096]);
            // The end of the last writer is an error there.
            while let Ok(count @ 1..) = screen.read(&mut part) {
                seen.extend_from_slice(&part[..count]);
                *shown.lock().expect("no thread panics with it") =
                    String::from_utf8_lossy(&seen).into_owned();
            }
            String::from_utf8(seen).expect("UTF-8")
        })
    }
}

fn tournament(folder: &Folder) -> Runner {
    for (name, policy) in [("old", "greedy-tenpai"), ("new", "weighted-shape")] {
        let text =
            format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n");
        folder.file(&format!("{name}.toml"), text);
    }
    let arguments = [
        "tournament",
        "old.toml",
        "new.toml",
        "--games=600",
        "--jobs=1",
        "--seed=1",
        "--length=east",
    ];
    Runner::new(arguments)
        .in_folder(folder.path())
        .env("TERM", "xterm")
}

#[test]
fn a_tournament_shows_its_progress_in_a_terminal_and_only_the_results_on_standard_output() {
    let (folder, terminal) = (Folder::new(), Terminal::open());
    let running = tournament(&folder).errors_to(terminal.writer());
    let screen = terminal.read();
    let played: Finished = running.run();
    let seen = screen.join().expect("it is read");
    assert!(
        played.status.success() && !played.out.contains('\u{1b}'),
        "{played:?}"
    );
    // Somewhere in the middle of it.
    let drawn = seen
        .split("\u{1b}[J")
        .find(|table| table.contains("games (") && table.contains(" to "))
        .expect("a table");
    let lines: Vec<&str> = drawn.lines().collect();
    assert!(
        lines[0].starts_with("bot") && lines[1].starts_with("old") && lines[2].starts_with("new"),
        "{drawn}"
    );
    assert!(
        lines[1].contains('█')
            && lines[3].contains(" of 600 games (")
            && lines[3].contains(" left"),
        "{drawn}"
    );
    // Colours are not wanted in these tests.
    assert!(!seen.contains("\u{1b}[3"), "{seen}");
}

#[test]
fn bots_play_on_while_the_terminal_with_their_table_is_stopped() {
    let folder = Folder::new();
    let mut running = Runner::new(["arena", "--length", "east", "--fill-after", "0"]).start();
    let url = running
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    let config = folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{}{POLICY}\n", arena(&url, "BOT_TOKEN")),
    );
    let terminal = Terminal::open();
    // As Ctrl-S does it.
    tcflow(&terminal.line, Action::OOff).expect("it is a terminal");
    let run =
        Runner::new(["run".into(), "--games=30".into(), config]).env("BOT_TOKEN", "token-of-a-bot");
    let ended = run.env("TERM", "xterm").errors_to(terminal.writer()).run();
    assert!(ended.status.success(), "{ended:?}");
    let summary = ended
        .out
        .lines()
        .rfind(|line| line.starts_with("kuma  "))
        .expect("a row")
        .to_owned();
    let cells: Vec<&str> = summary.split_whitespace().collect();
    // Bot, games, place, requests, accepted, safe, defaulted, rejected.
    assert_eq!(
        (cells[1], cells[5], cells[6], cells[7]),
        ("30", "0", "0", "0"),
        "{summary}"
    );
}

/// The lines of a text on a terminal of this width, where none is longer.
#[track_caller]
fn lines_within(columns: usize, shown: &str) -> Vec<String> {
    let lines: Vec<String> = shown
        .split('\n')
        .map(|line| line.trim_end_matches('\r').to_owned())
        .collect();
    for line in &lines {
        assert!(
            say::columns::width(line) <= columns || !line.trim().contains(' '),
            "{line:?}"
        );
    }
    lines
}

#[test]
fn results_of_a_tournament_fit_a_terminal_of_80_columns() {
    let (folder, terminal) = (Folder::new(), Terminal::open_with(80));
    let running = tournament(&folder).output_to(terminal.writer());
    let screen = terminal.read();
    running.run().exited(0);
    let shown = screen.join().expect("it is read");
    let lines = lines_within(80, &shown);
    let headings: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("bot "))
        .collect();
    assert!(headings.len() > 2, "{shown}");
    for heading in ["avg place", "deal-in %", "avg loss", "illegal"] {
        assert!(
            headings.iter().any(|line| line.contains(heading)),
            "{heading}: {shown}"
        );
    }
    assert!(
        lines.iter().filter(|line| line.starts_with("old ")).count() >= headings.len(),
        "{shown}"
    );
}

#[test]
fn the_tables_of_run_and_status_keep_at_80_columns_what_tells_of_trouble() {
    let folder = Folder::new();
    let mut table = Runner::new([
        "arena",
        "--length",
        "east",
        "--fill-after",
        "0",
        "--pace-ms",
        "2",
    ])
    .start();
    let url = table
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    let name = "熊猫".repeat(8);
    let config = folder.file(
        "kuma.toml",
        format!("name = {name:?}\n{}{POLICY}\n", arena(&url, "BOT_TOKEN")),
    );
    let (errors, shown) = (Terminal::open_with(80), Arc::default());
    let runtime = folder.private("runtime");
    let runtime = runtime.to_str().expect("UTF-8");
    let run = Runner::new(["run".into(), config])
        .env("BOT_TOKEN", "token-of-a-bot")
        .env("XDG_RUNTIME_DIR", runtime);
    let mut running = run.env("TERM", "xterm").errors_to(errors.writer()).start();
    let screen = errors.read_into(Arc::clone(&shown));
    running.line_with("game over after");
    let (terminal, status) = (
        Terminal::open_with(80),
        Runner::new(["status"]).env("XDG_RUNTIME_DIR", runtime),
    );
    let status = status.output_to(terminal.writer());
    let status_screen = terminal.read();
    status.run().exited(0);
    let status = status_screen.join().expect("it is read");
    running.stop();
    let seen = screen.join().expect("it is read");
    let drawn = seen
        .split("\u{1b}[J")
        .filter(|table| table.contains("desyncs"))
        .last()
        .expect("a table");
    let lines = lines_within(80, drawn);
    for heading in ["state", "games", "faults", "desyncs"] {
        assert!(lines[0].contains(heading), "{heading}: {drawn}");
    }
    let lines = lines_within(80, &status);
    for heading in ["faults", "desyncs", "state"] {
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("bot ") && line.contains(heading)),
            "{heading}: {status}"
        );
    }
    // The columns behind the name begin where their headings do.
    let heading = lines
        .iter()
        .find(|line| line.contains("faults"))
        .expect("a heading");
    let row = lines
        .iter()
        .find(|line| line.starts_with('熊'))
        .expect("a row");
    assert_eq!(
        say::columns::width(heading),
        say::columns::width(row),
        "{status}"
    );
}
