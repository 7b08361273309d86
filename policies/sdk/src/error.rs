//! Errors, and how they are passed to the host.

/// A view that contradicts itself or holds an unknown code: a fault of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("view.{field} is {found}; allowed: {allowed}")]
pub struct BadView {
    /// The field, as in `policy_abi::view::View`.
    pub field: &'static str,
    /// The value found.
    pub found: u64,
    /// The allowed values.
    pub allowed: &'static str,
}

/// A parameter that the policy does not have, or a value that it does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("parameter `{name}` is {found}; allowed: {allowed}")]
pub struct BadParameter {
    /// Its name.
    pub name: String,
    /// The value found.
    pub found: String,
    /// The allowed values.
    pub allowed: String,
}

/// The reason why an instance could not be created.
///
/// ```
/// use policy_sdk::{CreateError, Env, Params};
///
/// fn weights(params: &Params, env: &Env) -> Result<Vec<u8>, CreateError> {
///     let file = params.path("weights")?.map_or_else(|| env.library_folder().join("weights.bin"), |file| file.to_owned());
///     std::fs::read(&file).map_err(|error| CreateError::Failed(format!("{}: {error}", file.display())))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateError {
    /// A parameter is wrong.
    #[error(transparent)]
    Parameter(#[from] BadParameter),
    /// Any other reason, in the policy's words.
    #[error("{0}")]
    Failed(String),
}

/// The reason why there is no decision.
///
/// ```
/// use std::io::{Error, ErrorKind};
///
/// use policy_sdk::DecideError;
///
/// /// The error of a policy that asks a server.
/// fn no_answer(error: Error) -> DecideError {
///     match error.kind() {
///         ErrorKind::ConnectionRefused | ErrorKind::TimedOut => {
///             DecideError::Unavailable(format!("the server is away: {error}"))
///         }
///         _ => DecideError::Failed(error.to_string()),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    /// The view's log is wrong; the rest of a view is checked before a policy sees it.
    #[error(transparent)]
    View(#[from] BadView),
    /// It cannot decide now, through no fault of the policy: a resource that it needs, such as a
    /// server, is unavailable. The policy is not set aside, however often this happens. The text
    /// names the resource.
    #[error("{0}")]
    Unavailable(String),
    /// Any other reason, in the policy's words.
    #[error("{0}")]
    Failed(String),
}
