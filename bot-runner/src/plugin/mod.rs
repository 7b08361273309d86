//! The host side of the policy boundary: finding and loading libraries, running their policies, each on its own thread.
//!
//! The only module of the runner with `unsafe` in it.
#![allow(unsafe_code)]

pub mod child;
mod content;
mod describe;
mod direct;
mod executable;
mod faults;
mod find;
mod host;
mod instance;
mod library;
mod load;
mod params;
mod private;
mod quarantine;
mod replacement;
mod scripted;
mod seated;
mod thread;
mod view;
mod worker;

pub use child::Launch;
pub(crate) use content::FileStamp;
pub use describe::{Description, ParamInfo, ParamKind, PolicyInfo};
pub use direct::DirectPolicy;
pub use faults::{FaultCounts, FaultKind};
pub use find::{ChosenPolicy, FindError, Libraries, PolicyIdentity};
pub use instance::{CreateError, Decided, Fault};
pub use library::{Library, Origin};
pub use load::LoadError;
pub use params::{ParamValues, check_params};
pub use quarantine::Quarantine;
pub use replacement::{Replacement, ReplacementSender};
pub use scripted::{Question, leaves_choice, questions};
pub use seated::{Free, Pace, SeatEvent, SeatedPolicy};
pub use thread::{Answer, Job, PolicyThread, StartError, StartOptions};
pub(crate) use thread::{HUNG_AFTER, START_WITHIN};
pub use view::{Asked, RoundLog, ViewBuffer};
