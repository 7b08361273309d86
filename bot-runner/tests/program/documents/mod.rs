//! Every `sh` block of the README and of the documents works exactly as written, from the first
//! line on, in an empty home.
//!
//! So do the commands that the comments of configs show. The blocks of a document are run in order
//! by one shell, in a folder like the one that a reader has: by default like a checkout, with the
//! program that was just built, or with `DOCUMENTS_OF=FOLDER` the release archive that is unpacked
//! there and nothing else. Two things differ for a reader: RiichiLab is a local arena, and numbers
//! of games and simulations are smaller. New documents and blocks are found automatically;
//! [`ADVICE`] explains the rules to their author.

mod reference;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File, Permissions};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use bot_runner::cli::Cli;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::configs::Folder;
use super::program::Runner;
use crate::common::libraries::{GREEDY_TENPAI, PROGRAM};

/// The rules for the author of a block.
const ADVICE: &str = "\
Each `sh` block of README.md and docs/ is run as it is written: all of a document in order by one shell (`sh -eu`), in a \
folder with what a checkout and the release archive both have, with `bot-runner` on the PATH. So a file that a command takes \
has to be made by a block before it, or be shown as a file: a line `<!-- file kuma.toml -->` before a block that is not `sh` \
writes it. RiichiLab is a local arena there. Other notes for a block, in the line before it: `<!-- run by .ci/parts.py -->`, where \
another script runs the same lines; `<!-- not run: REASON -->`, only for what no test can do. What is not a command is not \
`sh`: say `text`, `toml`, `json` …
Try it: cargo test -p bot-runner --test program documents";

/// The line of a config that the address of the arena may follow.
const ARENA: &str = "kind = \"riichilab\"\n";

/// Maximum numbers of games and simulations for a command, and maximum pause.
const SMALLER: [(&str, u32); 3] = [("--games", 24), ("--simulate", 100), ("--pace-ms", 1)];

/// Minimum number of games of `tune`.
const SEARCH: u32 = 240;

/// Longer than any document takes; what has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(900);

/// The folder whose documents are read and which a reader has: an unpacked archive, or else the
/// checkout.
fn root() -> PathBuf {
    let checkout = || {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("the workspace")
            .to_owned()
    };
    archive().unwrap_or_else(checkout)
}

fn archive() -> Option<PathBuf> {
    std::env::var_os("DOCUMENTS_OF").map(PathBuf::from)
}

/// The note about a block in the line before it.
#[derive(Debug, PartialEq, Eq)]
enum Note {
    /// It shows this file.
    File(String),
    /// This script runs its lines.
    RunBy(String),
    /// It is not run, for this reason.
    NotRun(String),
}

impl Note {
    /// The note in a line, if there is a comment in it.
    fn read(line: &str) -> Result<Option<Self>, String> {
        let Some(comment) = line.trim().strip_prefix("<!--") else {
            return Ok(None);
        };
        let comment = comment.strip_suffix("-->").unwrap_or(comment).trim();
        let words = [
            ("file ", Self::File as fn(String) -> Self),
            ("run by ", Self::RunBy),
            ("not run: ", Self::NotRun),
        ];
        let note = words
            .into_iter()
            .find_map(|(word, note)| Some(note(comment.strip_prefix(word)?.trim().to_owned())));
        note.map(Some)
            .ok_or_else(|| format!("found the note {comment:?} before a block"))
    }
}

/// A block between fences.
#[derive(Debug)]
struct Block {
    /// Number of the line that opens it.
    line: usize,
    language: String,
    note: Option<Note>,
    text: String,
}

fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut before = "";
    let mut lines = text.lines().zip(1..);
    while let Some((opening, line)) = lines.next() {
        if let Some(language) = opening.trim_start().strip_prefix("```") {
            let indent = opening.len() - opening.trim_start().len();
            let note = Note::read(before).map_err(|error| format!("line {line}: {error}"))?;
            let mut text = String::new();
            loop {
                let Some((inside, _)) = lines.next() else {
                    return Err(format!("line {line}: the block has no end"));
                };
                if inside.trim_start().starts_with("```") {
                    break;
                }
                text.push_str(inside.get(indent..).unwrap_or_default());
                text.push('\n');
            }
            blocks.push(Block {
                line,
                language: language.trim().to_owned(),
                note,
                text,
            });
        }
        if !opening.trim().is_empty() {
            before = opening;
        }
    }
    Ok(blocks)
}

/// The documents for users; a new one is included automatically.
fn files() -> Vec<PathBuf> {
    let root = root();
    let listed = |folder: &str| fs::read_dir(root.join(folder)).expect("it can be listed");
    let pages = ["docs", "docs/experiments"]
        .into_iter()
        .flat_map(listed)
        .map(|entry| entry.expect("it is there").path());
    let mut files: Vec<PathBuf> = pages
        .filter(|file| file.extension().is_some_and(|end| end == "md"))
        .collect();
    files.extend(["README.md", "policies/examples/c/README.md"].map(|file| root.join(file)));
    files.sort();
    files
}

/// The commands that the comment of a config shows, a line each: `#   bot-runner check …`.
fn commands_of_config(text: &str) -> Vec<Block> {
    let secret = |line: &'_ str| {
        let name = line
            .strip_prefix("token_env = ")
            .or_else(|| line.strip_prefix("secret_env = "))?;
        Some(format!("export {}=anything\n", name.trim_matches('"')))
    };
    let secrets: String = text.lines().filter_map(secret).collect();
    let shown = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((line.strip_prefix("#   bot-runner ")?, number)));
    let block = |(line, number): (&str, usize)| {
        // The explanation follows the command.
        let command = line.split("  ").next().unwrap_or_default();
        let (note, most) = match command.split(' ').next() {
            Some("tournament") => (
                Some(Note::NotRun(
                    "its games are slow, and the laboratory's are run".to_owned(),
                )),
                "",
            ),
            Some("run") if text.contains("kind = \"mjsonp\"") => (
                Some(Note::NotRun(
                    "needs a server of the original mjai protocol".to_owned(),
                )),
                "",
            ),
            Some("run") if text.contains("kind = \"botzone\"") => (
                Some(Note::NotRun("needs an account at Botzone".to_owned())),
                "",
            ),
            Some("botzone") => (Some(Note::NotRun("needs a judge".to_owned())), ""),
            Some("run") => (None, " --games 1"),
            _ => (None, ""),
        };
        Block {
            line: number,
            language: "sh".to_owned(),
            note,
            text: format!("{secrets}bot-runner {command}{most}\n"),
        }
    };
    shown.map(block).collect()
}

struct Document {
    /// Its path from the root.
    name: String,
    blocks: Vec<Block>,
}

impl Document {
    /// Those for users, and the configs with the commands in their comments.
    fn all() -> Vec<Self> {
        let configs = fs::read_dir(root().join("configs")).expect("it can be listed");
        let configs = configs
            .map(|entry| entry.expect("it is there").path())
            .filter(|path| path.is_file());
        let read = |file: PathBuf| {
            let name = file
                .strip_prefix(root())
                .expect("it lies there")
                .display()
                .to_string();
            let text = fs::read_to_string(&file).expect("it is text");
            let blocks = match file.extension().is_some_and(|end| end == "toml") {
                true => commands_of_config(&text),
                false => {
                    blocks(&text).unwrap_or_else(|error| panic!("{name}, {error}\n\n{ADVICE}"))
                }
            };
            Self { name, blocks }
        };
        files()
            .into_iter()
            .chain(configs)
            .map(read)
            .filter(|document| !document.blocks.is_empty())
            .collect()
    }

    /// Its commands as a script that says in the file OUTCOME at which line it ended.
    fn script(&self) -> String {
        // Should a command fail, nothing plays on in the background.
        let mut script =
            "block=0\ntrap 'echo \"$block $?\" > \"$OUTCOME\"; kill $(jobs -p) 2>/dev/null || true' EXIT\n".to_owned();
        for Block {
            line,
            language,
            note,
            text,
        } in &self.blocks
        {
            match (language.as_str(), note) {
                ("sh", None) => write!(script, "block={line}\n{}", smaller(text)),
                (_, Some(Note::File(file))) => {
                    let folder = Path::new(file).parent().map_or(".", |folder| folder.to_str().expect("a text"));
                    let folder = if folder.is_empty() { "." } else { folder };
                    write!(
                        script,
                        "block={line}\nmkdir -p '{folder}'\ncat > '{file}' <<'END OF FILE'\n{text}END OF FILE\n"
                    )
                }
                _ => Ok(()),
            }
            .expect("a text takes it");
        }
        script
    }
}

/// The same commands with as few games and simulations as do.
fn smaller(commands: &str) -> String {
    let lines = commands.split_inclusive('\n').map(|line| {
        // What plays in the background is to play until the document ends it.
        match line.trim_end().ends_with('&') {
            true => line.to_owned(),
            false => smaller_line(line),
        }
    });
    lines.collect()
}

fn smaller_line(line: &str) -> String {
    let (mut before, mut searches) = ("", false);
    let words = line.split_inclusive(char::is_whitespace).map(|word| {
        let (name, space) = word.split_at(word.trim_end().len());
        let most = SMALLER
            .iter()
            .find(|(option, _)| *option == before)
            .map(|&(_, most)| most);
        let most = most.map(|most| if searches { SEARCH } else { most });
        searches |= name == "tune";
        before = name;
        match (most, name.parse::<u32>()) {
            (Some(most), Ok(number)) => format!("{}{space}", number.min(most)),
            _ => word.to_owned(),
        }
    });
    words.collect()
}

/// Copies a folder; large files are linked.
fn copy(from: &Path, to: &Path) {
    const LARGE: u64 = 1 << 20;
    if from.is_dir() {
        fs::create_dir_all(to).expect("it can be made");
        for entry in fs::read_dir(from).expect("it can be listed") {
            let entry = entry.expect("it is there");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else if fs::metadata(from).expect("it is there").len() > LARGE {
        symlink(from, to).expect("it can be linked");
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("it can be made");
        fs::copy(from, to).expect("it can be copied");
    }
}

/// The entries that an archive and a checkout share and that the documents' commands use.
const SHARED: [&str; 5] = [
    "README.md",
    "configs",
    "docs",
    "packaging",
    "policies/examples",
];

/// A reader's folder, and the folders of the programs that he has put into his PATH.
fn readers_folder(home: &Path) -> (PathBuf, OsString) {
    let work = home.join("bot-runner");
    let mut path = OsString::new();
    match archive() {
        Some(archive) => {
            copy(&archive, &work);
            path.push(&work);
        }
        None => {
            // The libraries next to the program.
            let _ = &*GREEDY_TENPAI;
            for part in SHARED.iter().chain(&[
                "policies/abi/include",
                "policies/mjai-engine/tests/line_bot.py",
            ]) {
                copy(&root().join(part), &work.join(part));
            }
            let release = work.join("target/release");
            fs::create_dir_all(&release).expect("it can be made");
            symlink(PROGRAM, release.join("bot-runner")).expect("it can be linked");
            path.push(&release);
        }
    }
    path.push(":");
    path.push(programs(home));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    (work, path)
}

/// A folder with a cargo that keeps its build for the next time, and tests with the profile that it
/// builds with, so that dependencies are built once.
fn programs(home: &Path) -> PathBuf {
    let programs = home.join("programs");
    fs::create_dir(&programs).expect("it can be made");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(if archive().is_some() {
        "archive"
    } else {
        "guide"
    });
    fs::create_dir_all(&kept).expect("it can be made");
    let cargo = programs.join("cargo");
    let script = format!(
        "#!/bin/sh\nln -sfn '{}' target\n\
         [ \"$1\" != test ] || {{ shift; set -- test --release \"$@\"; }}\n\
         exec '{}' \"$@\"\n",
        kept.display(),
        env!("CARGO"),
    );
    fs::write(&cargo, script).expect("it can be written");
    fs::set_permissions(&cargo, Permissions::from_mode(0o755)).expect("it is ours");
    programs
}

/// The port of the documents' own arena.
const PORT: &str = "127.0.0.1:4000";

/// A free address for the arena of the document with this number. Nothing else uses its IP address
/// of loopback, so the port is still free when the arena starts.
fn own_address(number: u8) -> SocketAddr {
    let [_, _, high, low] = std::process::id().to_be_bytes();
    let free = TcpListener::bind((Ipv4Addr::new(127, high, low, number), 0))
        .and_then(|free| free.local_addr());
    free.expect("a port is free")
}

/// Redirects RiichiLab to the local arena, and the documents' own arena to a free port.
fn local(url: &str, own: SocketAddr, text: &str) -> String {
    let text = text.replace(ARENA, &format!("{ARENA}url = {url:?}\n"));
    text.replace(
        "--arena riichilab",
        &format!("--arena riichilab --url {url}"),
    )
    .replace(PORT, &own.to_string())
}

/// Runs a document, which has this number; returns the output of its commands, or the failure.
fn walk(document: &Document, number: u8) -> Result<String, String> {
    let folder = Folder::new();
    let home = folder.path();
    let (work, path) = readers_folder(home);
    let mut arena = Runner::new(["arena", "--fill-after=200", "--seed=1"]).start();
    let line = arena.line_with("ws://");
    let url = line
        .split_whitespace()
        .find(|word| word.starts_with("ws://"))
        .expect("an address");
    let own = own_address(number);
    for config in fs::read_dir(work.join("configs")).expect("it can be listed") {
        let config = config.expect("it is there").path();
        if config.is_file() {
            let text = fs::read_to_string(&config).expect("it is text");
            if !text.lines().any(|line| line.starts_with("url = ")) {
                fs::write(&config, local(url, own, &text)).expect("it can be written");
            } else {
                fs::write(&config, text.replace(PORT, &own.to_string()))
                    .expect("it can be written");
            }
        }
    }

    let (outcome, said) = (home.join("outcome"), home.join("said"));
    let output = File::create(&said).expect("it can be made");
    let kept = |name: &str, folder: &str| {
        let given = std::env::var_os(name).map(PathBuf::from);
        given.unwrap_or_else(|| std::env::home_dir().unwrap_or_default().join(folder))
    };
    let mut shell = Command::new("sh")
        .args(["-eu", "-c", &local(url, own, &document.script())])
        .current_dir(&work)
        .env_clear()
        .env("HOME", home)
        .env("PATH", path)
        .env("CARGO_HOME", kept("CARGO_HOME", ".cargo"))
        .env("RUSTUP_HOME", kept("RUSTUP_HOME", ".rustup"))
        // Sources of crates may name a toolchain or parts of one, which rustup would install or
        // update, for the whole machine.
        .env("RUSTUP_AUTO_INSTALL", "0")
        .envs(std::env::var_os("RUSTUP_TOOLCHAIN").map(|toolchain| ("RUSTUP_TOOLCHAIN", toolchain)))
        .env("CARGO_NET_OFFLINE", "true")
        // What it builds is built once, is never debugged, and plays a few games.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")
        .env("XDG_RUNTIME_DIR", folder.private("runtime"))
        .env("NO_COLOR", "1")
        .env("OUTCOME", &outcome)
        .stdin(Stdio::null())
        .stdout(output.try_clone().expect("a file can be shared"))
        .stderr(output)
        .process_group(0)
        .spawn()
        .expect("there is a shell");
    let group = Pid::from_child(&shell);
    let (sender, ended) = channel();
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    thread::spawn(move || waitid(WaitId::Pid(group), look).map(|_| sender.send(())));
    let has_ended = ended.recv_timeout(PATIENCE).is_ok();
    // Its leftover processes are killed too. Until the shell is reaped its group keeps this number.
    let _ = kill_process_group(group, Signal::KILL);
    let status = shell.wait().expect("it is our child");

    let said = String::from_utf8_lossy(&fs::read(&said).expect("it is there")).into_owned();
    let last = last_words(&said, &work);
    let line = fs::read_to_string(&outcome).unwrap_or_default();
    let line = line.split(' ').next().unwrap_or_default();
    match has_ended {
        true if status.success() => Ok(said),
        true => Err(format!(
            "{}:{line}: the block that begins here fails ({status}):\n{last}",
            document.name
        )),
        false => Err(format!(
            "{}: still at work after {PATIENCE:?}:\n{last}",
            document.name
        )),
    }
}

/// The last lines of a document's output, and those of the logs that it leaves in this folder.
fn last_words(said: &str, work: &Path) -> String {
    let end = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    };
    let files = fs::read_dir(work)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let logs = files.filter(|file| file.extension().is_some_and(|extension| extension == "log"));
    let words = |log: PathBuf| {
        format!(
            "\n{}:\n{}",
            log.display(),
            end(&fs::read_to_string(&log).unwrap_or_default())
        )
    };
    end(said) + &logs.map(words).collect::<String>()
}

/// The minimum number of times that each text appears in the output of a document.
const SAID: [(&str, &str, usize); 5] = [
    ("docs/writing-a-policy.md", "verdict: passed", 3),
    ("docs/writing-a-policy.md", "mine: mine 0.2.0 (", 1),
    ("docs/writing-a-policy.md", "decides from now on", 1),
    ("docs/writing-a-policy.md", "mine: passed", 1),
    ("docs/laboratory.md", "dora 4p", 1),
];

#[test]
fn every_sh_block_works_in_order() {
    let documents = Document::all();
    let walks: Vec<_> = thread::scope(|scope| {
        let numbered = documents.iter().zip(1..);
        let walks: Vec<_> = numbered
            .map(|(document, number)| scope.spawn(move || walk(document, number)))
            .collect();
        walks
            .into_iter()
            .map(|walk| walk.join().expect("a document that fails is reported"))
            .collect()
    });
    let failed: Vec<&str> = walks
        .iter()
        .filter_map(|walk| walk.as_ref().err())
        .map(String::as_str)
        .collect();
    assert!(failed.is_empty(), "{}\n\n{ADVICE}", failed.join("\n\n"));
    for (name, text, times) in SAID {
        let place = documents
            .iter()
            .position(|document| document.name == name)
            .expect("there is such a document");
        let said = walks[place].as_ref().expect("none has failed");
        assert!(
            said.matches(text).count() >= times,
            "{name} does not say {text:?} {times} times: {said}"
        );
    }
}

#[test]
fn every_block_states_its_kind_and_its_runner() {
    let mut wrong = Vec::new();
    for Document { name, blocks } in Document::all() {
        for Block {
            line,
            language,
            note,
            text,
        } in blocks
        {
            let mut say = |what: String| wrong.push(format!("{name}:{line}: {what}"));
            match note {
                _ if language.is_empty() => say("the block has no language".to_owned()),
                Some(Note::NotRun(reason)) if reason.is_empty() => {
                    say("the note gives no reason".to_owned())
                }
                Some(Note::NotRun(_) | Note::RunBy(_)) if language != "sh" => {
                    say(format!("{language} is not run anyway"))
                }
                Some(Note::File(_)) if language == "sh" => {
                    say("a file that is shown is no `sh`".to_owned())
                }
                Some(Note::RunBy(script)) if archive().is_none() => {
                    let script = fs::read_to_string(root().join(&script)).unwrap_or_default();
                    for command in text.lines().filter(|command| !script.contains(*command)) {
                        say(format!(
                            "the script that is named does not have the line {command:?}"
                        ));
                    }
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n\n{ADVICE}", wrong.join("\n"));
}

/// The anchors of a page's headings, as web sites of repositories make them.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("it is text");
    let headings = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        kept.map(|letter| {
            if letter == ' ' {
                '-'
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_of_a_document_leads_to_a_file_and_a_heading() {
    let others = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ]
    .map(|file| root().join(file));
    let (mut links, mut wrong) = (0, Vec::new());
    for document in files().into_iter().chain(others) {
        let text = fs::read_to_string(&document).expect("it is text");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if file.contains("://") {
                continue;
            }
            let folder = document.parent().expect("it lies in a folder");
            let target = if file.is_empty() {
                document.clone()
            } else {
                folder.join(file)
            };
            let has_heading =
                || anchor.is_empty() || anchors(&target).iter().any(|heading| heading == anchor);
            if !target.exists() || !has_heading() {
                wrong.push(format!("{}: {link}", document.display()));
            }
            links += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(links > 10, "{links}");
}

#[test]
fn a_command_that_is_not_run_is_at_least_parsed() {
    let mut taken = 0;
    for Document { name, blocks } in Document::all() {
        for Block { line, text, .. } in blocks
            .iter()
            .filter(|block| matches!(block.note, Some(Note::NotRun(_))))
        {
            let commands = text
                .lines()
                .filter_map(|command| command.trim().strip_prefix("bot-runner "));
            for command in commands {
                let words = command
                    .split_whitespace()
                    .take_while(|word| !matches!(*word, "&" | "|" | ">" | "#"));
                if let Err(error) = Cli::of(["bot-runner"].into_iter().chain(words)) {
                    panic!("{name}:{line}: {command}: {error}");
                }
                taken += 1;
            }
        }
    }
    assert!(taken > 0);
}

#[test]
fn numbers_of_games_and_simulations_are_made_smaller_and_nothing_else() {
    let commands = "bot-runner tournament a.toml --games 2000 --seed 1000\nbot-runner analyze 123m --simulate 5s --games 3\n";
    let expected = "bot-runner tournament a.toml --games 24 --seed 1000\nbot-runner analyze 123m --simulate 5s --games 3\n";
    assert_eq!(smaller(commands), expected);
}

#[test]
fn a_command_in_the_background_keeps_its_number_of_games() {
    let commands = "bot-runner play bot.toml --games 10000 > played.txt 2>&1 &\n";
    assert_eq!(smaller(commands), commands);
}

#[test]
fn a_block_is_read_with_its_line_its_note_and_without_its_indent() {
    let text =
        "Words\n<!-- not run: it takes a year -->\n\n   ```sh\n   sleep 1\n     now\n   ```\n";
    let found = blocks(text).expect("it is right");
    assert_eq!(found.len(), 1);
    let Block {
        line,
        language,
        note,
        text,
    } = &found[0];
    assert_eq!(
        (*line, language.as_str(), text.as_str()),
        (4, "sh", "sleep 1\n  now\n")
    );
    assert_eq!(*note, Some(Note::NotRun("it takes a year".to_owned())));
    assert!(
        blocks("<!-- never run -->\n```sh\n```\n").is_err_and(|error| error.contains("never run"))
    );
    assert!(blocks("```sh\n").is_err_and(|error| error.contains("no end")));
}
