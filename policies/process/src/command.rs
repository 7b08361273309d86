//! The command of a program: its words, and its working folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use foreign_text::may_hold_secret;
use policy_sdk::BadParameter;
use riichi::Seat;
use riichi::rules::Length;

/// ENOEXEC: what is to be started has none of the forms that the system knows.
const NO_PROGRAM: i32 = rustix::io::Errno::NOEXEC.raw_os_error();

/// Maximum number of bytes of a script's first line that are looked at; the system looks at 256.
const MAX_FIRST_LINE: u64 = 128;

/// The placeholders in a command: the number of the own seat, the number of players, and the length
/// of the games.
const SEAT: &str = "{seat}";
const PLAYERS: &str = "{players}";
const LENGTH: &str = "{length}";

/// The table that a program is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramTable {
    pub seat: Seat,
    pub players: u8,
    /// The length of its games; `None` in games that have none.
    pub length: Option<Length>,
}

impl ProgramTable {
    /// The word with each placeholder replaced.
    fn fill(&self, word: &str) -> String {
        let word = word
            .replace(SEAT, &self.seat.to_string())
            .replace(PLAYERS, &self.players.to_string());
        match self.length {
            None => word,
            Some(Length::Half) => word.replace(LENGTH, "half"),
            Some(Length::East) => word.replace(LENGTH, "east"),
            Some(Length::Single) => word.replace(LENGTH, "single"),
        }
    }
}

/// A command, and the folder it runs in.
#[derive(Debug, Clone)]
pub(crate) struct CommandLine {
    program: String,
    arguments: Vec<String>,
    folder: PathBuf,
}

impl CommandLine {
    /// The command of a text, split into words as a shell does, without any other processing. An
    /// empty folder means this process's.
    ///
    /// # Errors
    /// When there is no program in it, or a quote is left open.
    pub(crate) fn parse(text: &str, folder: &Path) -> Result<Self, BadParameter> {
        let bad = |allowed: &str| BadParameter {
            name: "command".to_owned(),
            found: format!("`{text}`"),
            allowed: allowed.to_owned(),
        };
        let words = shell_words::split(text).map_err(|_| bad("words, with every quote closed"))?;
        match words.split_first() {
            Some((program, arguments)) if !program.is_empty() => Ok(Self {
                program: program.clone(),
                arguments: arguments.to_vec(),
                folder: folder.to_owned(),
            }),
            _ => Err(bad("a program and its arguments")),
        }
    }

    /// Whether the command names the seat, so that the program plays no other.
    pub(crate) fn names_seat(&self) -> bool {
        self.names(SEAT)
    }

    /// Whether the command names the length of the games, so that the program plays no other.
    pub(crate) fn names_length(&self) -> bool {
        self.names(LENGTH)
    }

    fn names(&self, placeholder: &str) -> bool {
        std::iter::once(&self.program)
            .chain(&self.arguments)
            .any(|word| word.contains(placeholder))
    }

    /// Starts the program for a table, with pipes to it.
    pub(crate) fn start(&self, table: &ProgramTable) -> Result<Child, String> {
        let program = self.program_file(&table.fill(&self.program));
        let mut command = Command::new(&program);
        command.args(self.arguments.iter().map(|word| table.fill(word)));
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(&self.folder);
        }
        for (name, _) in std::env::vars_os().filter(|(name, value)| may_hold_secret(name, value)) {
            command.env_remove(name);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Its own process group: all processes that the program starts can be ended together with
        // it, and Ctrl-C, which lets the runner finish its games, does not reach it.
        command.process_group(0);
        command
            .spawn()
            .map_err(|error| self.not_started(&program, &error))
    }

    /// A name is looked up on the system's path, anything else in the working folder.
    fn program_file(&self, program: &str) -> PathBuf {
        if program.contains('/') {
            self.folder.join(program)
        } else {
            PathBuf::from(program)
        }
    }

    fn not_started(&self, program: &Path, error: &io::Error) -> String {
        // The system gives the same error for a missing folder as for a missing program.
        if !self.folder.as_os_str().is_empty() && !self.folder.is_dir() {
            return format!("the working folder {} is missing", self.folder.display());
        }
        let on_path = !program.to_string_lossy().contains('/');
        let file = if on_path {
            found_on_path(program)
        } else {
            Some(program.to_owned())
        };
        if let Some(why) = file.and_then(|file| wrong_script(&file, error)) {
            return format!("cannot start {}: {why}", program.display());
        }
        let program = program.display();
        if error.kind() == io::ErrorKind::NotFound && on_path {
            return format!(
                "cannot start {program}: it is not on the PATH; correct policy.params.command (a program in the working \
                 folder is written ./{program})"
            );
        }
        if error.kind() == io::ErrorKind::PermissionDenied {
            return format!(
                "cannot start {program}: {error}; its file has to be executable, and with isolation = \"process\" `execute` in \
                 [policy.limits] has to name the folders of what it takes to run it"
            );
        }
        format!("cannot start {program}: {error}; correct policy.params.command")
    }
}

/// The file that a name on the system's path leads to.
fn found_on_path(program: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// What is wrong with the first line of a script that the system cannot start for this reason;
/// `None` if it is something else.
fn wrong_script(file: &Path, error: &io::Error) -> Option<String> {
    let first = first_line(file)?;
    let shown = first.trim_end().escape_debug();
    let interpreter = first
        .strip_prefix("#!")
        .map(|line| line.trim_start_matches([' ', '\t']));
    let interpreter = interpreter
        .and_then(|line| line.split([' ', '\t', '\n']).next())
        .filter(|name| !name.is_empty());
    let missing = error.kind() == io::ErrorKind::NotFound;
    match interpreter {
        Some(name) if missing && name.ends_with('\r') => Some(format!(
            "its first line {shown} ends with a carriage return, which counts as a part of the interpreter's name; save \
             the file with line ends of Unix"
        )),
        Some(name) if missing => Some(format!(
            "the interpreter {} of its first line {shown} is not there; correct that line, or name the interpreter in \
             policy.params.command before the script",
            name.escape_debug()
        )),
        None if error.raw_os_error() == Some(NO_PROGRAM) => Some(format!(
            "it is neither a program of this system nor a script that names its interpreter; its first line is {shown}: \
             begin the file with a line such as #!/usr/bin/env python3, or name the interpreter in \
             policy.params.command before the script"
        )),
        None if missing && first.starts_with("\u{7f}ELF") => Some(
            "the file is there, and the loader that it needs is not: it was built for another system; build it for this one"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The beginning of a file, to the end of its first line.
fn first_line(file: &Path) -> Option<String> {
    let mut start = Vec::new();
    // A pipe would wait for its writer.
    fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    File::open(file)
        .ok()?
        .take(MAX_FIRST_LINE)
        .read_to_end(&mut start)
        .ok()?;
    let text = String::from_utf8_lossy(&start);
    Some(
        text.split_inclusive('\n')
            .next()
            .unwrap_or_default()
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: ProgramTable = ProgramTable {
        seat: Seat::FIRST,
        players: 4,
        length: Some(Length::Half),
    };

    #[test]
    fn placeholders_are_replaced_by_the_table() {
        let east = ProgramTable {
            players: 3,
            length: Some(Length::East),
            ..TABLE
        };
        assert_eq!(
            east.fill("--seat={seat} {players}p-{length}"),
            "--seat=0 3p-east"
        );
        let card_game = ProgramTable {
            length: None,
            ..TABLE
        };
        assert_eq!(
            card_game.fill("{players} {length} {other}"),
            "4 {length} {other}"
        );
        assert!(parsed("bot {length}").names_length() && !parsed("bot {seat}").names_length());
    }

    fn parsed(text: &str) -> CommandLine {
        CommandLine::parse(text, Path::new("/bots")).unwrap()
    }

    #[test]
    fn a_command_is_split_into_words_as_a_shell_does() {
        let line = parsed(r#"docker run -i --rm -v "/my models:/mnt" 'mortal:latest' {seat}"#);
        assert_eq!(line.program, "docker");
        assert_eq!(
            line.arguments,
            [
                "run",
                "-i",
                "--rm",
                "-v",
                "/my models:/mnt",
                "mortal:latest",
                "{seat}"
            ]
        );
    }

    #[test]
    fn a_program_with_a_slash_lies_in_the_working_folder_and_a_name_on_the_path() {
        for (program, file) in [
            ("./system.exe", "/bots/./system.exe"),
            ("program/run", "/bots/program/run"),
            ("/opt/program", "/opt/program"),
            ("python3", "python3"),
        ] {
            assert_eq!(parsed(program).program_file(program), PathBuf::from(file));
        }
    }

    #[test]
    fn only_a_command_that_names_its_seat_is_bound_to_one() {
        assert!(parsed("mortal {seat}").names_seat());
        assert!(parsed("mortal --id={seat}").names_seat());
        assert!(!parsed("mortal seat").names_seat());
    }

    #[test]
    fn a_text_that_is_no_command_is_refused() {
        for (text, allowed) in [
            ("", "a program and its arguments"),
            ("  ", "a program and its arguments"),
            ("''", "a program and its arguments"),
            ("python3 'bot.py", "words, with every quote closed"),
        ] {
            let refused = CommandLine::parse(text, Path::new("")).unwrap_err();
            assert_eq!(
                (refused.name.as_str(), refused.allowed.as_str()),
                ("command", allowed),
                "{text}"
            );
        }
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let missing = CommandLine::parse("./no-such-program", Path::new("/")).unwrap();
        let error = missing.start(&TABLE).unwrap_err();
        assert!(
            error.starts_with("cannot start /./no-such-program: "),
            "{error}"
        );
        assert!(
            error.ends_with("; correct policy.params.command"),
            "{error}"
        );
        let folder =
            std::env::temp_dir().join(format!("bot-runner-command-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text, says) in [
            (
                "bad",
                "#!/opt/nopython/bin/python -u\nprint(1)\n",
                "the interpreter /opt/nopython/bin/python of its first line",
            ),
            (
                "windows",
                "#!/bin/sh\r\necho 1\r\n",
                "its first line #!/bin/sh ends with a carriage return",
            ),
            (
                "none",
                "print('\u{202e}')\n",
                "its first line is print(\\'\\u{202e}\\'): begin the file with a line such as #!",
            ),
            ("empty", "", "it is neither a program"),
        ] {
            let script = folder.join(name);
            fs::write(&script, text).unwrap();
            fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))
                .unwrap();
            let error = CommandLine::parse(&format!("./{name}"), &folder)
                .unwrap()
                .start(&TABLE)
                .unwrap_err();
            assert!(
                error.starts_with(&format!("cannot start {}/./{name}: ", folder.display())),
                "{error}"
            );
            assert!(error.contains(says), "{error}");
        }
        fs::remove_dir_all(&folder).unwrap();
        let misspelled = CommandLine::parse("pyhton3 bot.py", Path::new("/")).unwrap();
        let says = "cannot start pyhton3: it is not on the PATH; correct policy.params.command (a program in the working \
                    folder is written ./pyhton3)";
        assert_eq!(misspelled.start(&TABLE).unwrap_err(), says);
        let elsewhere = CommandLine::parse("true", Path::new("/no-such-folder")).unwrap();
        assert_eq!(
            elsewhere.start(&TABLE).unwrap_err(),
            "the working folder /no-such-folder is missing"
        );
    }
}
