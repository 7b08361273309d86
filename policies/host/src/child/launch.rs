//! How the runner starts a policy's process: the program and its environment.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use foreign_text::may_hold_secret;

/// The hidden command of the program that a policy's process runs.
pub const CHILD_COMMAND: &str = "policy-child";

/// Names of environment variables that hold tokens: the `token_env` of every config of this
/// process. Clones share the list.
#[derive(Debug, Clone, Default)]
pub struct TokenVariables(Arc<Mutex<Vec<String>>>);

impl TokenVariables {
    /// Adds names; processes that are started from now on do not get these variables.
    pub fn add(&self, names: impl IntoIterator<Item = String>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(names);
    }

    fn hold(&self, name: &OsStr) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .any(|variable| name == variable.as_str())
    }
}

impl PartialEq for TokenVariables {
    /// Whether both are clones of one list.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for TokenVariables {}

impl FromIterator<String> for TokenVariables {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let list = Self::default();
        list.add(names);
        list
    }
}

/// How processes for policies are started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program; it must be the runner's own.
    pub program: PathBuf,
    /// The variables hidden from them.
    pub token_variables: TokenVariables,
}

impl Launch {
    /// Processes of the running program itself.
    pub fn own(token_variables: Vec<String>) -> Self {
        // On Linux this is the running file itself, even when another one has been put in its place
        // since.
        let program = if cfg!(target_os = "linux") {
            PathBuf::from("/proc/self/exe")
        } else {
            env::current_exe().unwrap_or_default()
        };
        Self {
            program,
            token_variables: token_variables.into_iter().collect(),
        }
    }

    /// Starts a process with pipes for its input, its output and its standard error.
    pub(crate) fn spawn(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.arg0("bot-runner").arg(CHILD_COMMAND);
        self.hide_secrets(&mut command);
        // Its own group: Ctrl-C is for the runner, which lets its games finish first.
        command.process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    }

    /// Keeps the variables that hold secrets from a command.
    pub fn hide_secrets(&self, command: &mut Command) {
        for (name, _) in env::vars_os().filter(|(name, value)| self.is_secret(name, value)) {
            command.env_remove(name);
        }
    }

    fn is_secret(&self, name: &OsStr, value: &OsStr) -> bool {
        may_hold_secret(name, value) || self.token_variables.hold(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_are_named_or_sound_like_secrets_are_kept_back() {
        let launch = Launch {
            program: PathBuf::new(),
            token_variables: TokenVariables::default(),
        };
        // Of a config that has come since.
        launch.clone().token_variables.add(["KUMA".to_owned()]);
        for secret in [
            "KUMA",
            "KUMA_TOKEN",
            "TOKENS",
            "github_token",
            "AWS_SECRET_KEY",
            "DB_PASSWORD",
        ] {
            assert!(
                launch.is_secret(OsStr::new(secret), OsStr::new("")),
                "{secret}"
            );
        }
        for plain in ["PATH", "HOME", "KUMA_2", "BOT_RUNNER_LOG", "kuma"] {
            assert!(
                !launch.is_secret(OsStr::new(plain), OsStr::new("a@b")),
                "{plain}"
            );
        }
        let proxy = |value: &str| launch.is_secret(OsStr::new("https_proxy"), OsStr::new(value));
        assert_eq!(
            (proxy("http://kuma:canary@proxy:1"), proxy("http://proxy:1")),
            (true, false)
        );
    }
}
