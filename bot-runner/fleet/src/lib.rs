//! The bots of this process, from the appearance of a config until its bot has left.

mod alerts;
pub mod control;
mod keeping;
mod ladder;
mod listen;
mod prepare;
mod reload;
mod roster;
mod running;
mod start;
mod start_places;
mod user_program;
mod watch;

pub use alerts::Alerts;
pub use keeping::{KeptResults, database_words};
pub use ladder::{JudgeLog, JudgedLog, LadderCounts};
pub use listen::{Takeovers, listen};
pub use prepare::{
    CommandFiles, NamedPlace, Prepared, Purpose, ReadyBot, ReadySeat, files_of_database, game_of,
    libraries_for, of_policy, prepare, prepare_raw, table_of,
};
pub use reload::{BotSeat, ReloadBot, Reloads};
pub use roster::{InitialConfigs, RatingLimits, RefusedBot, Roster, RosterEnd, RunContext};
pub use running::{EndedBot, RunningBots, live};
pub use start::start_policies;
pub use watch::{FileChange, FileStamps, FileWatcher, WATCH_EVERY, config_stamps_of, stamps_of};
