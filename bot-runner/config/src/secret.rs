//! The source of a secret: a bot's token, or the password of a database.

use std::env::{self, VarError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use client::{BadToken, Token, is_quoted};
use policy_host::ForeignFile;
use policy_section::{Section, folder_of};
use secrecy::SecretString;

/// Maximum size of a file with a secret, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 10;

/// A text is not the name of an environment variable. The message does not show it: the secret may
/// have been put there by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is not the name of an environment variable (letters, digits and _ only); the {secret} itself belongs into \
     the variable, not here"
)]
pub struct BadVariableName {
    secret: &'static str,
}

/// The config keys for a secret, and its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretKeys {
    /// The config key or the option for an environment variable.
    env: &'static str,
    file: &'static str,
    /// The description, for a sentence.
    what: &'static str,
}

impl SecretKeys {
    /// At arenas where bots log in by a token.
    pub const TOKEN: Self = Self {
        env: "arena.token_env",
        file: "arena.token_file",
        what: "the bot's token",
    };
    /// For arenas whose address contains the secret of an account.
    pub const SECRET: Self = Self {
        env: "arena.secret_env",
        file: "arena.secret_file",
        what: "the account's secret",
    };
    /// Of a bot of an event.
    pub const EVENT_BOT: Self = Self {
        env: "bots",
        file: "",
        what: "the bot's token",
    };
    /// Of a database for results.
    pub const PASSWORD: Self = Self {
        env: "results.password_env",
        file: "results.password_file",
        what: "the database's password",
    };
    /// The same on the command line.
    pub const PASSWORD_OPTIONS: Self = Self {
        env: "--password-env",
        file: "--password-file",
        ..Self::PASSWORD
    };
    /// Of readers of a page; no option names a variable.
    pub const PAGE_TOKEN: Self = Self {
        env: "",
        file: "--page-token-file",
        what: "the page's token",
    };

    pub const fn in_variable(self, name: String) -> SecretSource {
        SecretSource {
            place: SecretPlace::Env(name),
            key: self.env,
            what: self.what,
        }
    }

    pub const fn in_file(self, path: PathBuf) -> SecretSource {
        SecretSource {
            place: SecretPlace::File(path),
            key: self.file,
            what: self.what,
        }
    }

    /// Reads which of the keys a section has; a relative path starts from the config's folder.
    pub(super) fn read(self, section: &mut Section<'_>) -> Option<SecretSource> {
        let [env, file] = self.in_section();
        match (section.text(env), section.text(file)) {
            (Some(_), Some(_)) => {
                section.refuse(env, format!("{file} is there as well; keep one of the two"));
                None
            }
            (Some(variable), None) => match self.check_variable(&variable) {
                Ok(()) => Some(self.in_variable(variable)),
                Err(bad) => {
                    section.refuse(env, bad.to_string());
                    None
                }
            },
            (None, path) => path.map(|path| self.in_file(folder_of(section.file).join(path))),
        }
    }

    /// Reads a secret that is required.
    pub(super) fn require(self, section: &mut Section<'_>) -> Option<SecretSource> {
        let source = self.read(section);
        let ([env, file], what) = (self.in_section(), self.what);
        if source.is_none() && !section.is_wrong(file) && !section.holds_secret() {
            let message = format!(
                "the key is missing; name the environment variable that holds {what} (or a file with mode 0600 as {file})"
            );
            section.refuse_missing(env, message);
        }
        source
    }

    /// Checks that an environment variable can have this name.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub fn check_variable(self, name: &str) -> Result<(), BadVariableName> {
        if is_variable_name(name) {
            return Ok(());
        }
        Err(BadVariableName {
            secret: short(self.what),
        })
    }

    /// The keys as their section has them.
    fn in_section(self) -> [&'static str; 2] {
        [self.env, self.file].map(|key| key.rsplit('.').next().unwrap_or(key))
    }
}

fn is_variable_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 128
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The description in one word.
fn short(what: &'static str) -> &'static str {
    what.rsplit(' ').next().unwrap_or(what)
}

/// The secret itself is never in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretSource {
    place: SecretPlace,
    /// The key that names the source.
    key: &'static str,
    what: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum SecretPlace {
    Env(String),
    /// In a file that only its owner can read.
    File(PathBuf),
}

/// Why a secret is not available. The message names neither the variable nor the file: the secret
/// may have been put there by mistake, and the key shows where to look.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    #[error(
        "the environment variable named here is not set; set it to {0} before starting the runner: export NAME=…"
    )]
    NoVariable(&'static str),
    #[error(
        "the environment variable named here: {0}; set it to {1} and nothing else: export NAME=…"
    )]
    BadVariable(BadToken, &'static str),
    /// There is no such file.
    #[error(
        "the file named here is not there (a relative path starts from the config's folder); write the {word} into it, \
         readable for you alone: (umask 077; cat > FILE)",
        word = short(.0)
    )]
    NoFile(&'static str),
    #[error(
        "the file named here cannot be read: {0}; it has to belong to the runner's user and to have mode 0600"
    )]
    Unreadable(io::Error),
    /// It is a folder, a pipe or a device.
    #[error(
        "this is not an ordinary file; expected a file that holds the {word} and has mode 0600",
        word = short(.0)
    )]
    NotAFile(&'static str),
    /// Others can read the file.
    #[error(
        "the file named here has mode {0:04o}, so others may read it; allowed is 0600: chmod 600 FILE"
    )]
    OpenFile(u32),
    /// The file has another name.
    #[error(
        "the file has {0} names (hard links), so it may be readable by another name; expected one: remove the \
         others, or make a file of its own: (umask 077; cp FILE NEW; mv NEW FILE)"
    )]
    OtherNames(u64),
    #[error("the file named here: {0}; write the {word} into it and nothing else", word = short(.1))]
    BadFile(BadToken, &'static str),
    #[error("it is not UTF-8; expected {0} and nothing else")]
    NotUtf8(&'static str),
    #[error("it is empty or has several lines; expected {0} and nothing else")]
    BadPassword(&'static str),
}

impl SecretSource {
    /// The config key or the option that names the place.
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// The environment variable that it is in, if it is in one.
    pub fn variable(&self) -> Option<&str> {
        match &self.place {
            SecretPlace::Env(name) => Some(name),
            SecretPlace::File(_) => None,
        }
    }

    /// The file that it is in, if it is in one.
    pub fn file(&self) -> Option<&Path> {
        match &self.place {
            SecretPlace::Env(_) => None,
            SecretPlace::File(path) => Some(path),
        }
    }

    /// Fetches a token.
    ///
    /// # Errors
    ///
    /// If there is none, or its file is open to others.
    pub fn token(&self) -> Result<Token, SecretError> {
        let token = Token::new(&self.text()?).map_err(|error| match self.place {
            SecretPlace::Env(_) => SecretError::BadVariable(error, self.what),
            SecretPlace::File(_) => SecretError::BadFile(error, self.what),
        })?;
        Ok(token.from_key(self.key))
    }

    /// Fetches a password, without one line break at its end.
    ///
    /// # Errors
    ///
    /// If there is none, or its file is open to others.
    pub fn password(&self) -> Result<SecretString, SecretError> {
        let text = self.text()?;
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if is_quoted(text) {
            tracing::warn!(
                "{}: {} is in quotes, which count as a part of it",
                self.key,
                self.what
            );
        }
        if text.is_empty() || text.contains(['\n', '\r', '\0']) {
            return Err(SecretError::BadPassword(self.what));
        }
        Ok(SecretString::from(text))
    }

    fn text(&self) -> Result<String, SecretError> {
        match &self.place {
            SecretPlace::Env(name) => env::var(name).map_err(|error| match error {
                VarError::NotPresent => SecretError::NoVariable(self.what),
                VarError::NotUnicode(_) => SecretError::NotUtf8(self.what),
            }),
            SecretPlace::File(path) => self.private_text(path),
        }
    }

    /// The text of a file that no other user may read.
    fn private_text(&self, path: &Path) -> Result<String, SecretError> {
        let error = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => SecretError::NoFile(self.what),
            ErrorKind::InvalidInput => SecretError::NotAFile(self.what),
            ErrorKind::InvalidData => SecretError::NotUtf8(self.what),
            _ => SecretError::Unreadable(error),
        };
        let mut file = ForeignFile::open(path).map_err(error)?;
        // From the open file, wherever its path leads in the meantime.
        let mode = file.metadata().mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(SecretError::OpenFile(mode));
        }
        // The rules for a policy's process hold for names, so a second link would get around them.
        let names = file.metadata().nlink();
        if names > 1 {
            return Err(SecretError::OtherNames(names));
        }
        let mut text = file.read_text(MAX_FILE_BYTES).map_err(error)?;
        // A byte order mark is no part of the secret.
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        text.drain(..start);
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn a_token_file_that_others_can_read_is_refused_with_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
        let error = SecretKeys::TOKEN
            .in_file(file.path().to_owned())
            .token()
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("0640") && error.contains("0600") && !error.contains("canary"),
            "{error}"
        );
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(file.path(), "\u{feff}canary-123\r\n").unwrap();
        assert!(
            SecretKeys::TOKEN
                .in_file(file.path().to_owned())
                .token()
                .unwrap()
                == Token::new("canary-123").unwrap()
        );
    }

    #[test]
    fn a_token_file_with_a_second_name_is_refused_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("token"), folder.path().join("other"));
        fs::write(&file, "canary-123\n").unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        fs::hard_link(&file, &other).unwrap();
        let load = || SecretKeys::TOKEN.in_file(file.clone()).token();
        let error = load().unwrap_err().to_string();
        assert!(
            error.contains("2 names") && error.contains("umask 077") && !error.contains("canary"),
            "{error}"
        );
        fs::remove_file(other).unwrap();
        assert!(load().is_ok());
    }

    #[test]
    fn a_source_without_a_token_is_reported_with_advice_and_without_its_name_which_may_be_the_token()
     {
        let folder = tempfile::tempdir().unwrap();
        let error = |source: SecretSource| source.token().unwrap_err().to_string();
        for name in [
            "BOT_RUNNER_NO_SUCH_TOKEN",
            "canary0123456789abcdef",
            "CANARY_9f86d081884c7d65",
        ] {
            let variable = error(SecretKeys::TOKEN.in_variable(name.to_owned()));
            assert!(
                variable.contains("is not set") && variable.ends_with("export NAME=…"),
                "{variable}"
            );
            let file = error(SecretKeys::TOKEN.in_file(folder.path().join(name)));
            assert!(
                file.contains("is not there") && file.contains("umask 077"),
                "{file}"
            );
            assert!(
                !variable.contains(name) && !file.contains(name),
                "{variable} {file}"
            );
        }
    }

    #[test]
    fn a_token_file_that_is_a_pipe_or_a_folder_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        for path in [pipe.as_path(), folder.path()] {
            let error = SecretKeys::TOKEN
                .in_file(path.to_owned())
                .token()
                .unwrap_err()
                .to_string();
            assert!(
                error.contains("not an ordinary file") && error.contains("0600"),
                "{error}"
            );
        }
    }

    #[test]
    fn one_line_break_at_the_end_of_a_password_is_cut_off_and_any_other_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let password = |text: &str| {
            fs::write(file.path(), text).unwrap();
            let password = SecretKeys::PASSWORD
                .in_file(file.path().to_owned())
                .password();
            password
                .map(|password| password.expose_secret().to_owned())
                .map_err(|error| error.to_string())
        };
        for text in ["my canary", "my canary\n", "my canary\r\n"] {
            assert_eq!(password(text), Ok("my canary".to_owned()), "{text:?}");
        }
        for text in [
            "",
            "\r\n",
            "canary\n\n",
            "canary\r\r\n",
            "can\rary",
            "canary\n\r",
        ] {
            let error = password(text).unwrap_err();
            assert!(
                error.contains("empty or has several lines") && !error.contains("canary"),
                "{text:?}: {error}"
            );
        }
    }

    #[test]
    fn a_token_knows_the_key_that_it_comes_from() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        let source = SecretKeys::TOKEN.in_file(file.path().to_owned());
        assert_eq!(source.token().unwrap().key(), "arena.token_file");
    }
}
