//! `view`: what to show, and where.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

/// What to show.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The folder of a ranked game's record, or an mjai record (plain or gzipped), for instance of `play --record`; of
    /// Chinese Standard mahjong and Dou Dizhu too
    #[arg(value_name = "RECORD")]
    pub record: PathBuf,
    /// Whose decisions to show (default: the seat that the record is of)
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..4))]
    pub seat: Option<u8>,
    /// Ask the policy of this config at each decision of the seat, and show where it would have done something else. What
    /// a policy does at random it does otherwise than in its own game
    #[arg(long, value_name = "CONFIG")]
    pub policy: Option<PathBuf>,
    /// Play each action of each decision to the end of the round, so many simulations a decision in all, and show what place
    /// each comes to
    #[arg(long, value_name = "N")]
    pub simulate: Option<NonZeroU64>,
    /// Write the page into this file, in the place of one that is there (default: serve it on this machine until Ctrl-C)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}
