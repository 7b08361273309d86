//! The host side of the policy boundary: finding and loading libraries, running their policies, each on its own thread.
//!
//! The only module of the runner with `unsafe` in it.
#![allow(unsafe_code)]

pub mod child;
mod describe;
mod find;
mod instance;
mod library;
mod params;
mod thread;
mod view;

pub use describe::{Description, ParamInfo, ParamKind, PolicyInfo};
pub use find::{ChosenPolicy, FindError, Libraries};
pub use instance::{CreateError, Decided, Fault};
pub use library::{Library, LoadError, Origin};
pub use params::{ParamValues, check_params};
pub use thread::{Answer, Job, PolicyThread, StartError, StartOptions};
pub use view::{Asked, RoundLog, ViewBuffer};
