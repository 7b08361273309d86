//! Records of ranked games: a folder for each game, written while the bot plays.
//!
//! A bot's connection passes each frame that it reads or sends to a [`Recorder`], which never
//! blocks. A few threads for each folder of records append that to files in a folder with a hidden
//! name, `.unfinished-…`, and rename the folder when the game is over. If a line cannot be written,
//! because the disk is full or slow, it is counted as missing; the record then holds the game up to
//! that point and is marked as cut.

mod counts;
mod folder;
mod folder_writer;
mod game_record;
mod keeper;
mod leftovers;
mod line_file;
mod manifest;
mod message;
mod names;
mod open_game;
mod options;
mod recorded_bot;
mod recorder;
mod retention;

pub use counts::RecordCounts;
pub use folder::{put_file, remove};
pub use game_record::{GameRecord, NotARecord, list, of_bot_between};
pub use keeper::Keeper;
pub use leftovers::{clear_leftovers, settle_leftovers};
pub use manifest::{
    GamesAbout, LatencySummary, LineCounts, Manifest, PolicyNote, RecordState, RecordedResult,
};
pub use names::{
    DECISIONS, FRAMES, GAME, LADDER, MANIFEST, OPEN_GAME, OTHER_GAME, is_named_like_a_record,
};
pub use options::KeeperOptions;
pub use recorder::Recorder;
pub use retention::{Retention, surplus};
