//! Games between policies in this process, to compare them.
//!
//! The unit is the wall: each is played in all seatings, so that the luck of the wall and of the
//! seats is the same for all, and the statistics are computed over walls. Nothing here knows a
//! clock: the same seed gives the same results on any number of threads. Decision times are
//! measured separately.

mod arguments;
mod clear;
mod game;
mod rating;
mod result;
mod results_file;
mod run;
mod seating;
mod sprt;
#[cfg(test)]
mod tests;
mod times;
mod transcript;
mod wall;

pub use arguments::{Arguments, Competitor, MAX_GAMES, Ruleset, TournamentLength};
pub use clear::{CLOSE_ERROR_RATE, Clear, ClearAfter, ERROR_RATE, TEST, Watch};
pub use game::{TakenDown, TournamentGame, counts_of, play_counted};
pub use rating::rating_degrees;
pub use result::{
    AloneFigures, EloResult, Ended, EntrantFigures, EntrantResult, MeanEstimate, PairResult,
    PlaceFigures, PointFigures, RatingResult, SprtResult, TestResult, TournamentResult, middle,
};
pub use results_file::{BadResultsFile, ResultsFile, ResultsFileError, journal_of};
pub use run::{Plan, PlayedWalls, TournamentError, TournamentProgress, UntilClear, Walls, run};
pub use seating::{CannotSeat, Format, MAX_CONFIGS, Schedule, Seating};
pub use times::{DecisionTimes, thread_time};
pub use transcript::{GameTranscript, TranscriptDecision, first_difference};
pub use wall::{Meeting, Meetings, WallResult};
