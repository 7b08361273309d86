//! The runner's side of the policy boundary: finding and loading libraries, running their policies, each on its own
//! thread or in a process of its own.
//!
//! A policy gets in on one path, [`Libraries::admit`].
#![allow(unsafe_code, reason = "the host calls into libraries")]

mod admit;
pub mod child;
mod chosen;
mod content;
mod describe;
mod direct;
mod escape;
mod faults;
mod foreign_file;
mod host;
mod instance;
mod libraries;
mod library;
mod load;
mod locate;
mod params;
mod private;
mod quarantine;
mod replacement;
mod scripted;
mod seated;
mod section;
mod sha256;
mod stamp;
mod thread;
mod trials;
mod view;
mod worker;

pub use admit::{Admitted, KnownPolicy};
pub use child::Launch;
pub use chosen::{ChosenPolicy, PolicyIdentity};
pub use describe::{Description, ParamInfo, ParamKind, PolicyInfo};
pub use direct::{DirectHandle, DirectPolicy, DirectThread};
pub use escape::escaped;
pub use faults::{FaultCounts, FaultKind};
pub use foreign_file::{ForeignFile, ForeignFolder};
pub use instance::{CreateError, Decided, Fault};
pub use libraries::Libraries;
pub use library::{Library, Origin};
pub use load::LoadError;
pub use locate::FindError;
pub use params::{ParamValues, check_params};
pub use quarantine::{Quarantine, QuarantineKey};
pub use replacement::{Replacement, ReplacementSender};
pub use scripted::{Question, leaves_choice, questions};
pub use seated::{CannotAsk, Pace, SeatEvent, SeatedPolicy};
pub use section::{
    DEFAULT_MARGIN_MS, Isolation, LibraryChoice, PolicyConfig, PolicyProblem, ReloadMode, is_policy_id, kind_of,
    listed, shown,
};
pub use sha256::Sha256;
pub use stamp::FileStamp;
pub use thread::{HUNG_AFTER, PolicyThread, START_WITHIN, StartError, StartOptions};
pub use view::{Asked, RoundLog, ViewBuffer};
