//! Records of ranked games: a folder for each game, written beside the path of the decisions.
//!
//! A bot's connection hands what it reads and sends to a [`Recorder`], which never waits. A thread of its own writes it into
//! a folder with a hidden name, `.unfinished-…`, and gives that its real name when the game is over. What cannot be written,
//! because the disk is full or slow, is counted as missing; a record is then that of the game up to there, and marked as cut.

mod disk;
mod folder;
mod keeper;
mod leftovers;
mod lines;
mod manifest;
mod open_game;
mod published;
mod recorder;
mod redact;
mod retention;
mod room;
mod shelf;
mod writer;

pub use disk::{Disk, RealDisk};
pub use folder::{is_named_like_a_record, usable};
pub use keeper::{Keeper, KeeperOptions, RecordCounts};
pub use leftovers::{clear_leftovers, settle_leftovers};
pub use manifest::{About, Lines, Manifest, Played, PolicyNote, Requests, State, Times};
pub use published::{DECISIONS, FRAMES, GAME, MANIFEST, NoRecord, Published, list};
pub use recorder::{Outcome, Recorder};
pub use retention::{Aged, prune, surplus};
