//! A policy in its own process: a child of the runner's own binary that loads the library, so that
//! damage to the process affects no other bot.
//!
//! The two speak in frames over pipes ([`frame`]). The runner sends two orders in JSON, to load a
//! library and to create a policy, and then questions: a number and the view's plain bytes. A
//! further order creates another policy in place of the first. The child replies to each
//! ([`ChildReply`]). On Linux the process has a guard between itself and the
//! runner ([`confinement`]), so that nothing it starts outlives it. [`serve`] is the child's side,
//! [`start`] and [`policy`] are the runner's.

mod callbacks;
mod frame;
pub(crate) mod launch;
pub(crate) mod options;
mod order;
mod policy;
mod process;
mod reply;
mod request;
mod serve;
mod start;
mod stderr;
mod traces;
mod trial;

pub use policy::ChildPolicy;
pub use reply::{ChildReplies, ChildReply};
pub use serve::serve;
pub(crate) use start::StartingChild;
pub use start::{ChildSpec, describe};
pub use trial::TrialError;
