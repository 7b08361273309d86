//! The reason why results cannot be written or read.

/// The reason why results cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The database cannot be reached, or fails; this may be temporary.
    #[error("{0}")]
    Database(String),
    /// The database contains no results.
    #[error(
        "there are no results in {0}; `bot-runner run` with a [results] section writes there, and `bot-runner results \
         import` reads records that are there already"
    )]
    Nothing(String),
}

impl ResultsError {
    /// An error of this program.
    pub(crate) fn database(error: &dyn std::error::Error) -> Self {
        Self::Database(with_causes(error))
    }

    /// The error, preceded by the database's file or address.
    pub(crate) fn at(self, database: &str) -> Self {
        match self {
            Self::Database(text) => Self::Database(format!("{database}: {text}")),
            Self::Nothing(_) => self,
        }
    }
}

pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
