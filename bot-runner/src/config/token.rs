//! Where a bot's token comes from, and the token itself.

use std::env;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use client::{BadToken, Token};
use policy_host::ForeignFile;

/// Where to find a token. The token itself never stands in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Env(String),
    /// A file that only its owner can read.
    File(PathBuf),
}

/// Which config keys say where a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenKeys {
    /// The one for an environment variable.
    pub env: &'static str,
    /// The one for a file.
    pub file: &'static str,
}

impl TokenKeys {
    /// The keys of arenas where bots log in by a token.
    pub const TOKEN: Self = Self { env: "arena.token_env", file: "arena.token_file" };
    /// The keys of arenas where the secret of an account is a part of the address.
    pub const SECRET: Self = Self { env: "arena.secret_env", file: "arena.secret_file" };

    /// The key that names this source.
    #[must_use]
    pub const fn of(self, source: &TokenSource) -> &'static str {
        match source {
            TokenSource::Env(_) => self.env,
            TokenSource::File(_) => self.file,
        }
    }
}

/// Largest file with a token, bytes.
const LARGEST_FILE: u64 = 64 << 10;

/// Why a token cannot be had from its source. Neither the variable nor the file is named: somebody may have put the token
/// there by mistake, and the config's key tells where to look.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The variable is not set.
    #[error(
        "the environment variable named here is not set; set it to the bot's token (at Botzone the account's secret) \
         before starting the runner: export NAME=…"
    )]
    NoVariable,
    /// The variable's content is not a token.
    #[error("the environment variable named here: {0}; set it to the bot's token and nothing else: export NAME=…")]
    BadVariable(BadToken),
    /// There is no such file.
    #[error(
        "the file named here is not there (a relative path starts from the config's folder); write the token into it, \
         readable for you alone: (umask 077; cat > FILE)"
    )]
    NoFile,
    /// The file cannot be read.
    #[error("the file named here cannot be read: {0}; it has to belong to the runner's user and to have mode 0600")]
    Unreadable(io::Error),
    /// It is a folder, a pipe or a device.
    #[error("what is named here is not an ordinary file; allowed is one that holds the token and has mode 0600")]
    NotAFile,
    /// Others can read the file.
    #[error("the file named here has mode {0:04o}, so others may read it; allowed is 0600: chmod 600 FILE")]
    OpenFile(u32),
    /// The file has another name.
    #[error(
        "the file named here has {0} names (hard links), so that it may be read by another one; allowed is one: remove the \
         others, or make a file of its own: (umask 077; cp FILE NEW; mv NEW FILE)"
    )]
    OtherNames(u64),
    /// The file's content is not a token.
    #[error("the file named here: {0}; write the token into it and nothing else")]
    BadFile(BadToken),
}

impl TokenSource {
    /// Fetches the token, which these keys name.
    ///
    /// # Errors
    ///
    /// When there is none, or its file is open to others.
    pub fn load(&self, keys: TokenKeys) -> Result<Token, TokenError> {
        let token = match self {
            Self::Env(name) => match env::var(name) {
                Ok(text) => Token::new(&text).map_err(TokenError::BadVariable)?,
                Err(env::VarError::NotPresent) => return Err(TokenError::NoVariable),
                Err(env::VarError::NotUnicode(_)) => return Err(TokenError::BadVariable(BadToken::NotPrintable)),
            },
            Self::File(path) => {
                let text = read_private(path)?;
                Token::new(&text).map_err(TokenError::BadFile)?
            }
        };
        Ok(token.from_key(keys.of(self)))
    }
}

/// The text of a file that nobody else may read.
pub(super) fn read_private(path: &Path) -> Result<String, TokenError> {
    let error = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => TokenError::NoFile,
        ErrorKind::InvalidInput => TokenError::NotAFile,
        ErrorKind::InvalidData => TokenError::BadFile(BadToken::NotPrintable),
        _ => TokenError::Unreadable(error),
    };
    let mut file = ForeignFile::open(path).map_err(error)?;
    // Of the file that is open, whatever its path leads to in the meantime.
    let mode = file.metadata().mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(TokenError::OpenFile(mode));
    }
    // Rules for what a policy's process may read hold for names.
    let names = file.metadata().nlink();
    if names > 1 {
        return Err(TokenError::OtherNames(names));
    }
    file.read_text(LARGEST_FILE).map_err(error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_token_file_that_others_can_read_is_refused_with_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
        let error = TokenSource::File(file.path().to_owned()).load(TokenKeys::TOKEN).unwrap_err().to_string();
        assert!(error.contains("0640") && error.contains("0600") && !error.contains("canary"), "{error}");
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o600)).unwrap();
        assert!(
            TokenSource::File(file.path().to_owned()).load(TokenKeys::TOKEN).unwrap()
                == Token::new("canary-123").unwrap()
        );
    }

    #[test]
    fn a_token_file_with_another_name_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("token"), folder.path().join("other"));
        fs::write(&file, "canary-123\n").unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        fs::hard_link(&file, &other).unwrap();
        let load = || TokenSource::File(file.clone()).load(TokenKeys::TOKEN);
        let error = load().unwrap_err().to_string();
        assert!(error.contains("2 names") && error.contains("umask 077") && !error.contains("canary"), "{error}");
        fs::remove_file(other).unwrap();
        assert!(load().is_ok());
    }

    #[test]
    fn a_source_without_a_token_is_told_with_what_to_do_and_without_its_name_which_may_be_the_token() {
        let folder = tempfile::tempdir().unwrap();
        let error = |source: TokenSource| source.load(TokenKeys::TOKEN).unwrap_err().to_string();
        for name in ["BOT_RUNNER_NO_SUCH_TOKEN", "canary0123456789abcdef", "CANARY_9f86d081884c7d65"] {
            let variable = error(TokenSource::Env(name.to_owned()));
            assert!(variable.contains("is not set") && variable.ends_with("export NAME=…"), "{variable}");
            let file = error(TokenSource::File(folder.path().join(name)));
            assert!(file.contains("is not there") && file.contains("umask 077"), "{file}");
            assert!(!variable.contains(name) && !file.contains(name), "{variable} {file}");
        }
    }

    #[test]
    fn a_token_file_that_is_a_pipe_or_a_folder_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe.as_path(), folder.path()] {
            let error = TokenSource::File(path.to_owned()).load(TokenKeys::TOKEN).unwrap_err().to_string();
            assert!(error.contains("not an ordinary file") && error.contains("0600"), "{error}");
        }
    }

    #[test]
    fn a_token_knows_the_key_that_it_comes_from() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "canary-123\n").unwrap();
        let source = TokenSource::File(file.path().to_owned());
        assert_eq!(source.load(TokenKeys::TOKEN).unwrap().key(), "arena.token_file");
    }
}
