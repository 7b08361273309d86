//! Calls across the boundary, in the process that holds a policy's code: the host's functions for
//! the policy, and the policy's for the host.

pub(crate) mod host;
pub(crate) mod instance;
pub(crate) mod log_limit;
pub(crate) mod policy_log;
