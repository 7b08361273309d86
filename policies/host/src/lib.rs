//! The runner's side of the policy boundary: finding and loading libraries, and running their
//! policies, each on its own thread or in its own process.
//!
//! A policy gets in on one path, [`Libraries::admit`]. The rooms, each of which uses only those
//! before it:
//!
//! | room | contents |
//! |---|---|
//! | `limits`, `files`, `policy_config` | time limits; files that others may change; what a bot wants for a policy |
//! | `fault` | decisions that fail, and what follows from that |
//! | `view`, `games` | a question as plain bytes; what fills them for each game |
//! | `find` | a policy's library: its file, its content, its description |
//! | `confine` | what a policy's process may do |
//! | `call` | calls across the boundary |
//! | `child` | a policy in its own process |
//! | `admit` | the way in: find, try out, load |
//! | `run` | a policy that plays for a seat |
#![allow(unsafe_code, reason = "the host calls into libraries")]

mod admit;
mod call;
pub mod child;
mod confine;
mod fault;
mod files;
mod find;
mod games;
mod limits;
mod policy_config;
mod run;
mod view;

pub use admit::chosen::{ChosenPolicy, PolicyIdentity};
pub use admit::libraries::Libraries;
pub use admit::{Admitted, KnownPolicy};
pub use call::host::WhenUnwanted;
pub use call::log_limit::{LogLimit, log_text};
pub use child::launch::{CHILD_COMMAND, Launch, TokenVariables};
pub use child::options::StartOptions;
pub use confine::{ObeyedFiles, SecretFiles, confinement_of, confinement_to_load};
pub use confinement::ProcessLimits;
pub use fault::child_error::{ChildError, Doing};
pub use fault::counts::{FaultCounts, FaultKind};
pub use fault::process_end::ProcessEnd;
pub use fault::set_aside::{ConditionChanges, GOOD_GAMES, RetryPauses, SeatCondition, SetAside};
pub use fault::{BadFrame, Decided, Fault, PolicyStartError};
pub use files::foreign_file::{ForeignFile, ForeignFolder};
pub use files::sha256::Sha256;
pub use files::stamp::FileStamp;
pub use find::announced::AnnouncedIdentity;
pub use find::child_library::ChildLibrary;
pub use find::describe::{Description, NoSuchPolicy, ParamInfo, ParamKind, PolicyInfo};
pub use find::library::Library;
pub use find::load::LoadError;
pub use find::locate::FindError;
pub use find::origin::Origin;
pub use find::params::{ParamValues, check_params};
pub use foreign_text::escaped;
pub use game_core::Measure;
pub use games::{
    GameKind, PolicyTable, RecordedEvents, RoundLog, ScriptedQuestion, ShownTable, UnknownGame,
    scripted_questions,
};
pub use limits::{MAX_START, START_TIMEOUT};
pub use policy_config::{
    DEFAULT_MARGIN_MS, Isolation, LibraryChoice, PolicyConfig, ReloadMode, is_policy_id,
};
pub use run::direct::{DirectHandle, DirectPolicy, DirectThread};
pub use run::pace::Pace;
pub use run::replacement::{GuestStage, Replacement, ReplacementSender};
pub use run::seated::{CannotAsk, MAX_FAULTS_PER_GAME, NoDecision, SeatEvent, SeatedPolicy};
pub use run::thread::{PolicyThread, StartError};
pub use run::timed::{TimeLimit, TimedPolicy};
pub use view::{Asked, EventLog, PointedView, ViewBuffer};
