//! `view`: a record, and where to show it.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;
use view::page::PageLanguage;

use super::numbers::number;

/// The options of `view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The folder of a ranked game's record, or a record file (plain or gzipped), for example from
    /// `play --record`; with --out also a folder of records
    #[arg(value_name = "RECORD")]
    pub record: PathBuf,
    /// The seat whose decisions to show (default: the record's own seat)
    #[arg(long, value_parser = number::<u8>(0..=3))]
    pub seat: Option<u8>,
    /// Ask the policy of this config at each decision of the seat, and show where it would act
    /// differently. A policy with randomness may act differently than in its own game
    #[arg(long, value_name = "CONFIG")]
    pub policy: Option<PathBuf>,
    /// Simulate each action of each decision to the end of the round, with N simulations per
    /// decision in total, and show the outcome of each: the average place (riichi), the average
    /// points (Chinese Standard mahjong) or the share of games won (Dou Dizhu)
    #[arg(long, value_name = "N", value_parser = number::<NonZeroU64>(NonZeroU64::MIN..=NonZeroU64::MAX))]
    pub simulate: Option<NonZeroU64>,
    /// Write the page into this file, replacing it if it exists (default: serve the page on this
    /// machine until Ctrl-C). For a folder of records: write a page for each game and an index.html
    /// into this folder
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The language of the page (default: English)
    #[arg(long, value_parser = super::names::language())]
    pub language: Option<PageLanguage>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
}
