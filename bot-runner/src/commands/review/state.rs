//! The state of a review, from which it continues.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use foreign_text::shown_path;
use lab::review::{Review, ReviewedDecision};
use policy_host::Sha256;
use serde::{Deserialize, Serialize};

use super::super::csv::{CsvCell, line as csv_line};
use super::super::require_folder_of;
use crate::cli::ReviewArgs;
use lab::whole_file::replace;

/// How often the state is written.
const PERIOD: Duration = Duration::from_secs(10);

/// Everything that is known of the logs so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ReviewState {
    /// What must be the same to continue.
    asked: AskedReview,
    /// How many logs are done, and the name of the last.
    pub(super) logs: u64,
    pub(super) last: String,
    pub(super) games: u64,
    pub(super) left_out: u64,
    pub(super) policies: Vec<PolicyReview>,
    /// The games with a page.
    pub(super) pages: Vec<PageRow>,
    /// Size of the CSV file.
    csv_bytes: u64,
}

/// A game with its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PageRow {
    pub(super) file: String,
    pub(super) log: String,
    /// The players whose decisions were reviewed, each with the loss in the game.
    pub(super) losses: Vec<(String, f64)>,
}

/// The options on which the state depends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct AskedReview {
    version: String,
    configs: Vec<String>,
    player: String,
    length: Option<String>,
    has_csv: bool,
    has_pages: bool,
}

/// The review by one policy.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PolicyReview {
    /// Its name and version.
    pub(super) name: String,
    pub(super) review: Review,
}

impl AskedReview {
    fn of(args: &ReviewArgs) -> anyhow::Result<Self> {
        let config = |path: &PathBuf| {
            let text =
                fs::read(path).with_context(|| format!("{} cannot be read", shown_path(path)))?;
            Ok(Sha256::of(&text).to_string())
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            configs: args
                .policies
                .iter()
                .map(config)
                .collect::<anyhow::Result<_>>()?,
            player: args.player.clone(),
            length: args.length.map(|length| format!("{length:?}")),
            has_csv: args.csv.is_some(),
            has_pages: args.pages.is_some(),
        })
    }
}

/// The state of a review, its file, and the CSV file that grows with it.
pub(super) struct KeptReview {
    pub(super) state: ReviewState,
    file: Option<PathBuf>,
    csv: Option<BufWriter<File>>,
    written: Instant,
}

impl KeptReview {
    /// Begins a review, or continues the one of `--resume`.
    ///
    /// # Errors
    ///
    /// If the file is of another review, or a file cannot be read or written.
    pub(super) fn open(args: &ReviewArgs, columns: &[&str]) -> anyhow::Result<Self> {
        let asked = AskedReview::of(args)?;
        let mut state = ReviewState {
            asked: asked.clone(),
            ..ReviewState::default()
        };
        if let Some(file) = &args.resume {
            require_folder_of(file)?;
            if let Some(found) = read(file)? {
                if found.asked != asked {
                    bail!(
                        "{} is the state of another review: of other configs, options, or another version of this \
                         program; name another file",
                        shown_path(file)
                    );
                }
                state = found;
            }
        }
        let csv = args
            .csv
            .as_deref()
            .map(|path| open_csv(path, &state, columns))
            .transpose()?;
        Ok(Self {
            state,
            file: args.resume.clone(),
            csv,
            written: Instant::now(),
        })
    }

    /// Which logs are done.
    pub(super) fn done(&self) -> Option<(u64, String)> {
        let ReviewState { logs, last, .. } = &self.state;
        (*logs > 0).then(|| (*logs, last.clone()))
    }

    /// Writes a decision to the CSV file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn row(&mut self, cells: &[CsvCell]) -> anyhow::Result<()> {
        match &mut self.csv {
            Some(csv) => {
                writeln!(csv, "{}", csv_line(cells)).context("the CSV file cannot be written")
            }
            None => Ok(()),
        }
    }

    /// Writes the state if it has not been for a while, or now.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn keep(&mut self, now: bool) -> anyhow::Result<()> {
        if !now && (self.file.is_none() || self.written.elapsed() < PERIOD) {
            return Ok(());
        }
        if let Some(csv) = &mut self.csv {
            let size = csv.flush().and_then(|()| csv.get_ref().metadata());
            self.state.csv_bytes = size.context("the CSV file cannot be written")?.len();
        }
        if let Some(file) = &self.file {
            replace(file, &serde_json::to_vec(&self.state)?)
                .with_context(|| format!("{} cannot be written", shown_path(file)))?;
        }
        self.written = Instant::now();
        Ok(())
    }
}

fn read(file: &Path) -> anyhow::Result<Option<ReviewState>> {
    let name = shown_path(file);
    match fs::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{name} cannot be read")),
        Ok(text) => serde_json::from_slice(&text).map(Some).with_context(|| {
            format!("{name} is not the state of a review of this version; name another file")
        }),
    }
}

/// The CSV file: a new one, or that of the state without the rows that came later.
fn open_csv(path: &Path, state: &ReviewState, columns: &[&str]) -> anyhow::Result<BufWriter<File>> {
    require_folder_of(path)?;
    let goes_on = state.logs > 0;
    let cannot = || {
        let must = if goes_on {
            "it must be that of the review to resume"
        } else {
            "the file must not exist yet"
        };
        format!("{} cannot be written; {must}", shown_path(path))
    };
    if goes_on {
        let mut file = OpenOptions::new()
            .write(true)
            .open(path)
            .with_context(cannot)?;
        if file.metadata().with_context(cannot)?.len() < state.csv_bytes {
            bail!("{}", cannot());
        }
        file.set_len(state.csv_bytes).with_context(cannot)?;
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        return Ok(BufWriter::new(file));
    }
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .with_context(cannot)?;
    let mut csv = BufWriter::new(file);
    let names: Vec<CsvCell> = columns
        .iter()
        .map(|name| CsvCell::Text((*name).to_owned()))
        .collect();
    writeln!(csv, "{}", csv_line(&names)).with_context(cannot)?;
    Ok(csv)
}

/// The costliest decisions, with the policy that says so.
pub(super) fn costliest(state: &ReviewState) -> impl Iterator<Item = (&str, &ReviewedDecision)> {
    state.policies.iter().flat_map(|policy| {
        let decisions = policy.review.costliest.iter();
        decisions.map(|decision| (&*policy.name, decision))
    })
}
