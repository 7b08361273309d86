//! The runner's side of the policy boundary: finding and loading libraries, and running their
//! policies, each on its own thread or in its own process.
//!
//! A policy gets in on one path, [`Libraries::admit`].
#![allow(unsafe_code, reason = "the host calls into libraries")]

mod admit;
mod announced;
mod call_filter;
pub mod child;
mod child_error;
mod child_library;
mod chosen;
mod confinement;
mod content;
mod describe;
mod direct;
mod fault;
mod faults;
mod foreign_file;
mod games;
mod hang_alarm;
mod host;
mod instance;
mod kernel_rules;
mod launch;
mod libraries;
mod library;
mod limits;
mod load;
mod locate;
mod log_limit;
mod obeyed_files;
mod options;
mod origin;
mod own_time;
mod pace;
mod params;
mod policy_log;
mod private;
mod process_end;
mod process_limits;
mod replacement;
mod seated;
mod secret_files;
mod section;
mod set_aside;
mod sha256;
mod stamp;
mod starts;
mod thread;
mod timed;
mod trials;
mod view;
mod watched;
mod worker;

pub use admit::{Admitted, KnownPolicy};
pub use announced::AnnouncedIdentity;
pub use child_error::{ChildError, Doing};
pub use child_library::ChildLibrary;
pub use chosen::{ChosenPolicy, PolicyIdentity};
pub use confinement::Confinement;
pub use describe::{Description, NoSuchPolicy, ParamInfo, ParamKind, PolicyInfo};
pub use direct::{DirectHandle, DirectPolicy, DirectThread};
pub use fault::{BadFrame, Decided, Fault, PolicyStartError};
pub use faults::{FaultCounts, FaultKind};
pub use foreign_file::{ForeignFile, ForeignFolder};
pub use foreign_text::escaped;
pub use game_core::Measure;
pub use games::{
    GameKind, PolicyTable, RecordedEvents, RoundLog, ScriptedQuestion, ShownTable, UnknownGame,
    scripted_questions,
};
pub use launch::{CHILD_COMMAND, Launch, TokenVariables};
pub use libraries::Libraries;
pub use library::Library;
pub use limits::{MAX_START, START_TIMEOUT};
pub use load::LoadError;
pub use locate::FindError;
pub use log_limit::{LogLimit, log_text};
pub use obeyed_files::ObeyedFiles;
pub use options::StartOptions;
pub use origin::Origin;
pub use pace::Pace;
pub use params::{ParamValues, check_params};
pub use process_end::ProcessEnd;
pub use process_limits::ProcessLimits;
pub use replacement::{Replacement, ReplacementSender};
pub use seated::{CannotAsk, MAX_FAULTS_PER_GAME, SeatEvent, SeatedPolicy};
pub use secret_files::SecretFiles;
pub use section::{
    DEFAULT_MARGIN_MS, Isolation, LibraryChoice, PolicyConfig, ReloadMode, is_policy_id,
};
pub use set_aside::{ConditionChanges, GOOD_GAMES, RetryPauses, SeatCondition, SetAside};
pub use sha256::Sha256;
pub use stamp::FileStamp;
pub use thread::{PolicyThread, StartError};
pub use timed::{TimeLimit, TimedPolicy};
pub use view::{Asked, PointedView, ViewBuffer};
