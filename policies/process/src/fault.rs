//! Why a program did not decide.

use policy_sdk::{BadView, DecideError};

/// Why a program did not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramFault {
    /// It has ended, or has to be.
    Gone(String),
    /// It did not answer in time; what it still owes is waited for later.
    Late(String),
    /// It answered what cannot be done, or could not be asked.
    Useless(String),
    /// A resource or information that it needs is unavailable: not its fault.
    Unavailable(String),
    /// The view's log is wrong.
    View(BadView),
}

impl ProgramFault {
    /// The words for users.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Gone(text) | Self::Late(text) | Self::Useless(text) | Self::Unavailable(text) => {
                text.clone()
            }
            Self::View(error) => error.to_string(),
        }
    }

    /// The fault as a policy reports it; `noun` is the users' word for the program.
    pub(crate) fn told(self, noun: &str) -> DecideError {
        match self {
            Self::Gone(text) | Self::Late(text) | Self::Useless(text) => {
                DecideError::Failed(format!("the {noun}: {text}"))
            }
            Self::Unavailable(text) => DecideError::Unavailable(format!("the {noun}: {text}")),
            Self::View(error) => DecideError::View(error),
        }
    }
}
