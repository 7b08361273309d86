//! Logs of games as other sites and programs write them, read as our records, and written.
//!
//! There is one reader for each form. Each gives the lines of our own records (mjai's events, or
//! those of [`protocol::game_record`]), so that every command takes any log. What a form does not
//! say is left out of the lines, never guessed; [`LogFacts`] says what it knows of the rules.
//!
//! The form is told from the content, never from a file's name. Input is untrusted: nothing makes
//! this crate panic, and it holds at most [`MAX_BYTES`] of a log at a time.
#![forbid(unsafe_code)]

mod chinese_standard;
mod container;
mod form;
mod game;
mod mahjong_soul;
mod majiang;
mod mjai;
mod mjlog;
mod names;
mod tenhou;
mod text;
mod text_games;

pub use container::{Log, LogFile, MAX_BYTES, each_log, log_lines, looks_like_logs};
pub use form::LogForm;
pub use game::{LogError, LogFacts, LogGame};
pub use tenhou::{NoTenhouForm, TenhouForm, tenhou_form};
pub use text_games::read_text;
