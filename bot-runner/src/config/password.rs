//! Where the password of a database comes from.

use std::env;
use std::fmt;
use std::path::PathBuf;

use secrecy::SecretString;

use super::token::{TokenError, read_private};

/// Where to find the password of a database. The password itself never stands in a config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordSource {
    /// An environment variable.
    Env(String),
    /// A file that only its owner can read.
    File(PathBuf),
}

/// Why a password cannot be had; what it is called or contains is not told.
#[derive(Debug)]
pub struct NoPassword(String);

impl fmt::Display for NoPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoPassword {}

impl PasswordSource {
    /// The config key that names this source.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Env(_) => "results.password_env",
            Self::File(_) => "results.password_file",
        }
    }

    /// Fetches the password.
    ///
    /// # Errors
    ///
    /// When there is none, or its file is open to others.
    pub fn load(&self) -> Result<SecretString, NoPassword> {
        let text = match self {
            Self::Env(name) => env::var(name).map_err(|_| {
                let what = "the environment variable named here is not set, or not UTF-8; set it to the database's password \
                            before starting the runner: export NAME=…";
                NoPassword(what.to_owned())
            })?,
            Self::File(path) => read_private(path).map_err(|error| NoPassword(words(&error)))?,
        };
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if text.is_empty() || text.contains(['\n', '\0']) {
            let what = "what is named here is empty or has several lines; allowed is the database's password, and nothing \
                        else";
            return Err(NoPassword(what.to_owned()));
        }
        Ok(SecretString::from(text))
    }
}

fn words(error: &TokenError) -> String {
    match error {
        TokenError::NoFile => {
            "the file named here is not there (a relative path starts from the config's folder); write the \
                               database's password into it, readable for you alone: (umask 077; cat > FILE)"
                .to_owned()
        }
        // The others speak of the file alone.
        error => error.to_string().replace("holds the token", "holds the password"),
    }
}
