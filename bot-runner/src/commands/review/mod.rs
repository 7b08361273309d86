//! `review`: what each decision in logs cost by the values of a policy.

mod change;
mod pages;
mod report;
mod state;
mod walk;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use anyhow::{Context, bail};
use client::records::{GameRecord, MANIFEST};
use foreign_text::{shown, shown_path};
use lab::review::{GameToReview, PlayerReview, Review, ReviewedDecision, review_game};
use lab::suite::SuitePosition;
use riichi::rules::Length;
use say::output::{say, say_data};
use say::screen::note;

use super::entrants::jobs;
use super::logs::files_of_logs;
use super::require_folder_of;
use super::success;
use super::view::ViewedGame;
use crate::cli::ReviewArgs;
use lab::whole_file::{create, replace};
use pages::{GamePage, ReviewFolder};
use report::{About, COLUMNS, csv_cells, json_of, say_review};
use state::{KeptReview, PageRow, PolicyReview, costliest};
use walk::{GameWork, NamedAdvisor, ReviewWalk, WalkedGame, WalkedLog, walk};

/// The name of all players of the baseline.
const BASELINE: &str = "baseline";

/// Reviews the decisions in logs by the values of each policy, and prints a summary for each
/// player. Logs that cannot be read, and games that contradict their rules, are named and left out;
/// the exit code says so.
///
/// # Errors
///
/// If there is no log, a policy cannot be started, or a file cannot be written.
pub fn review(args: ReviewArgs) -> anyhow::Result<ExitCode> {
    if let (Some(old), Some(new)) = (&args.old, &args.new) {
        return change::review_change(&args, old.clone(), new.clone());
    }
    if args.pages.is_some() && args.policies.len() > 1 {
        bail!("--pages is for one policy; give --policy once");
    }
    let files = files_of(&args)?;
    let positions = PositionsFile::of(&args)?;
    if let Some(folder) = &args.pages {
        pages::prepare(folder)?;
    }
    let baseline = baseline_of(&args)?;
    let mut kept = KeptReview::open(&args, &COLUMNS)?;
    let plan = ReviewWalk {
        files: &files,
        configs: &args.policies,
        jobs: threads(&args),
        length: length_of(&args),
        player: &args.player,
        done: kept.done(),
        until: deadline(&args),
    };
    let pages = args.pages.as_deref().map(|folder| ReviewFolder {
        folder,
        language: args.language,
    });
    let work = ReviewWork {
        wants_rows: args.csv.is_some(),
        pages,
        name: None,
    };
    let not_begun = walk(&plan, &work, |log| take(&mut kept, log))?;
    kept.keep(true)?;
    let state = &kept.state;
    for (number, PolicyReview { name, review }) in state.policies.iter().enumerate() {
        let about = About {
            policy: name,
            games: state.games,
            left_out: state.left_out,
            not_begun,
            baseline: baseline.get(number),
        };
        if args.json {
            say_data(json_of(&about, review).to_string());
        } else {
            if number > 0 {
                say("");
            }
            say_review(&about, review);
        }
    }
    if let Some(folder) = pages {
        pages::write_index(folder, state, baseline.first())?;
    }
    if let Some(file) = positions {
        file.write(costliest(state).map(|(policy, decision)| position_of(policy, decision)))?;
    }
    let decisions: u64 = state
        .policies
        .iter()
        .flat_map(|policy| policy.review.players.values())
        .map(PlayerReview::made)
        .sum();
    if decisions == 0 && args.player != "all" {
        bail!(
            "--player {}: no game has a decision of this player; name one of the players, a seat from 0, or all",
            shown(&args.player)
        );
    }
    if decisions == 0 {
        note("bot-runner: no decision was reviewed");
    }
    Ok(success(
        state.left_out == 0 && not_begun == 0 && decisions > 0,
    ))
}

/// Adds what was found in a log.
fn take(kept: &mut KeptReview, log: WalkedLog<ReviewFound>) -> anyhow::Result<()> {
    log.say_bad("");
    for (number, found) in log.found.policies.into_iter().enumerate() {
        for decision in &found.rows {
            kept.row(&csv_cells(&found.name, decision))?;
        }
        let policies = &mut kept.state.policies;
        if policies.len() <= number {
            policies.push(PolicyReview {
                name: found.name,
                review: Review::default(),
            });
        }
        policies[number].review.add(found.review);
    }
    let state = &mut kept.state;
    state.pages.extend(log.found.pages);
    state.games += log.games;
    state.left_out += log.left_out;
    state.logs += 1;
    state.last = log.name;
    kept.keep(false)
}

/// The files to review, in the order of their games if only the last are wanted.
fn files_of(args: &ReviewArgs) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = files_of_logs(&args.logs)?;
    if let Some(last) = args.last {
        files.sort_by_cached_key(|file| when(file));
        let first = files.len().saturating_sub(last.get());
        files.drain(..first);
    }
    Ok(files)
}

/// When a game began: by its manifest, or else when its file was written.
fn when(file: &Path) -> SystemTime {
    let folder = file
        .parent()
        .filter(|folder| folder.join(MANIFEST).exists());
    let record = folder.and_then(|folder| GameRecord::open(folder).ok());
    let written = || fs::metadata(file).and_then(|file| file.modified()).ok();
    record
        .map(|record| record.manifest.started.into())
        .or_else(written)
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

fn threads(args: &ReviewArgs) -> NonZeroUsize {
    jobs(args.jobs)
}

fn length_of(args: &ReviewArgs) -> Option<Length> {
    args.length.map(Length::from)
}

fn deadline(args: &ReviewArgs) -> Option<Instant> {
    args.limit
        .and_then(|limit| Instant::now().checked_add(limit))
}

/// The baseline of each policy: all players of its logs as one.
fn baseline_of(args: &ReviewArgs) -> anyhow::Result<Vec<PlayerReview>> {
    if args.baseline.is_empty() {
        return Ok(Vec::new());
    }
    let files = files_of_logs(&args.baseline)?;
    let plan = ReviewWalk {
        files: &files,
        configs: &args.policies,
        jobs: threads(args),
        length: length_of(args),
        player: "all",
        done: None,
        until: None,
    };
    let work = ReviewWork {
        wants_rows: false,
        pages: None,
        name: Some(BASELINE),
    };
    let mut players: Vec<PlayerReview> = vec![PlayerReview::default(); args.policies.len()];
    walk(&plan, &work, |log: WalkedLog<ReviewFound>| {
        log.say_bad("baseline: ");
        for (player, found) in players.iter_mut().zip(&log.found.policies) {
            if let Some(more) = found.review.players.get(BASELINE) {
                player.add(more);
            }
        }
        Ok(())
    })?;
    if players.iter().any(|player| player.made() == 0) {
        bail!("--baseline: no decision was reviewed in these logs; name logs of whole games");
    }
    Ok(players)
}

/// Reviews games by each policy.
struct ReviewWork<'a> {
    /// Whether each decision is wanted in words.
    wants_rows: bool,
    /// Where the pages are written.
    pages: Option<ReviewFolder<'a>>,
    /// The name under which all players are reviewed as one.
    name: Option<&'static str>,
}

#[derive(Default)]
struct ReviewFound {
    policies: Vec<FoundByPolicy>,
    pages: Vec<PageRow>,
}

#[derive(Default)]
struct FoundByPolicy {
    /// Its name and version.
    name: String,
    review: Review,
    rows: Vec<ReviewedDecision>,
}

impl GameWork for ReviewWork<'_> {
    type Found = ReviewFound;

    fn game<G: ViewedGame>(
        &self,
        game: &WalkedGame<'_, G>,
        advisors: &mut [NamedAdvisor<'_>],
        found: &mut ReviewFound,
    ) -> anyhow::Result<()> {
        let all_as_one: Vec<String>;
        let players = match self.name {
            None => game.players,
            Some(name) => {
                all_as_one = vec![name.to_owned(); game.players.len()];
                &all_as_one
            }
        };
        let to_review = GameToReview {
            log: game.log,
            number: game.number,
            course: game.course,
            record: game.record.clone(),
            players,
        };
        for (number, NamedAdvisor { name, advisor }) in advisors.iter_mut().enumerate() {
            if found.policies.len() <= number {
                found.policies.push(FoundByPolicy {
                    name: name.clone(),
                    ..FoundByPolicy::default()
                });
            }
            let FoundByPolicy { review, rows, .. } = &mut found.policies[number];
            let mut page = self.pages.map(|folder| (folder, GamePage::of(game)));
            review_game(&to_review, game.seats, advisor, review, |known| {
                if self.wants_rows {
                    rows.push(known.reviewed());
                }
                if let Some((_, page)) = &mut page {
                    page.add(game, name, known);
                }
            })?;
            if let Some((folder, page)) = page {
                found.pages.push(page.write(game, name, folder, review)?);
            }
        }
        Ok(())
    }
}

/// A costly decision as a position: the policy's choice is right, and what was played is wrong.
fn position_of(policy: &str, decision: &ReviewedDecision) -> SuitePosition {
    let until = usize::try_from(decision.line).unwrap_or(usize::MAX);
    let lines = decision.record.lines().take(until);
    SuitePosition {
        name: format!(
            "{} {}.{}, seat {}",
            decision.log, decision.round, decision.decision, decision.seat
        ),
        reason: format!("by {policy}: {}", decision.reason),
        events: lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
        seat: Some(decision.seat),
        length: decision.length,
        right: vec![decision.own.clone()],
        wrong: vec![decision.done.clone()],
        values: decision
            .values
            .iter()
            .map(|(action, value)| (action.clone(), f64::from(*value)))
            .collect(),
        ..SuitePosition::default()
    }
}

/// The file of `--save-positions`, which is written at the end.
struct PositionsFile<'a> {
    path: &'a Path,
    /// Whether it may be that of the review to resume.
    goes_on: bool,
}

impl<'a> PositionsFile<'a> {
    /// Checks at the start that it can be written at the end.
    fn of(args: &'a ReviewArgs) -> anyhow::Result<Option<Self>> {
        let Some(path) = &args.save_positions else {
            return Ok(None);
        };
        let goes_on = args.resume.as_ref().is_some_and(|state| state.exists());
        require_folder_of(path)?;
        if !goes_on && path.exists() {
            bail!("{}", cannot_write(path));
        }
        Ok(Some(Self { path, goes_on }))
    }

    fn write(self, positions: impl Iterator<Item = SuitePosition>) -> anyhow::Result<()> {
        let mut text = String::new();
        for position in positions {
            text += &serde_json::to_string(&position)?;
            text.push('\n');
        }
        let written = match self.goes_on {
            true => replace(self.path, text.as_bytes()),
            false => create(self.path, text.as_bytes(), 0o666),
        };
        written.with_context(|| cannot_write(self.path))
    }
}

fn cannot_write(path: &Path) -> String {
    let path = shown_path(path);
    format!("--save-positions {path}: it cannot be written; the file must not exist yet")
}
