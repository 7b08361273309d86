//! A game whose record is being written.

use std::io;
use std::path::PathBuf;

use foreign_text::redacted;
use serde_json::json;

use super::folder::LockedFolder;
use super::line_file::LineFile;
use super::manifest::{
    FORMAT, LatencySummary, LineCounts, Manifest, PolicyNote, RecordState, RecordedResult,
    to_the_millisecond,
};
use super::message::{GameBegin, GameEnding, RecordEntry};
use super::names::DECISIONS;
use super::options::KeeperOptions;
use crate::Token;
use crate::decision_note::DecisionOutcome;
use crate::latency::Latency;

/// A game whose record is being written.
pub(super) struct OpenGame {
    folder: LockedFolder,
    events: LineFile,
    decisions: LineFile,
    manifest: Manifest,
    safe_answers: u64,
    decision_times: Latency,
    reply_times: Latency,
    /// The reason why writing has stopped.
    failed: Option<String>,
}

impl OpenGame {
    /// Creates the folder with everything that is known at the beginning.
    pub(super) fn begin(begin: &GameBegin) -> io::Result<Self> {
        let options = &begin.bot.options;
        let started = to_the_millisecond(begin.opened.into());
        let folder = LockedFolder::create(&options.folder, started, &options.about.bot)?;
        let manifest = Manifest {
            format: FORMAT,
            state: RecordState::Playing,
            cut: None,
            about: options.about.clone(),
            started,
            ended: None,
            seat: begin.seat.index(),
            policies: vec![PolicyNote::of(&begin.policy)],
            kept: LineCounts::default(),
            missing: LineCounts::default(),
            played: None,
        };
        // The manifest comes last: a folder that has one is complete.
        let files = folder
            .new_file(options.about.game_file())
            .and_then(|events| {
                let decisions = folder.new_file(DECISIONS)?;
                folder.write_manifest(&manifest)?;
                Ok((events, decisions))
            });
        let (events, decisions) = match files {
            Ok(files) => files,
            Err(error) => {
                let _ = folder.remove();
                return Err(error);
            }
        };
        Ok(Self {
            folder,
            events,
            decisions,
            manifest,
            safe_answers: 0,
            decision_times: Latency::default(),
            reply_times: Latency::default(),
            failed: None,
        })
    }

    /// Writes entries until one fails; that error is returned once.
    pub(super) fn keep(&mut self, entry: &RecordEntry, options: &KeeperOptions) -> io::Result<()> {
        if self.failed.is_some() {
            *entry.counted_in(&mut self.manifest.missing) += 1;
            return Ok(());
        }
        let written = self.write(entry, options);
        let Manifest { kept, missing, .. } = &mut self.manifest;
        let lines = if written.is_ok() { kept } else { missing };
        *entry.counted_in(lines) += 1;
        written.inspect_err(|error| {
            self.failed = Some(format!("it could not be written any further: {error}"));
        })
    }

    fn write(&mut self, entry: &RecordEntry, options: &KeeperOptions) -> io::Result<()> {
        let (bot, token) = (
            &options.about.bot,
            options.token.as_ref().map(Token::secret),
        );
        match entry {
            RecordEntry::Frame { at, text, took } => {
                if let Some(took) = took {
                    self.reply_times.record(*took);
                }
                let dir = if took.is_some() { "out" } else { "in" };
                let line = json!({"t_ms": at.as_millis() as u64, "dir": dir, "frame": redacted(token, text)});
                self.folder.frames.append(line.to_string())
            }
            RecordEntry::Line(line) => self.events.append(redacted(token, line).into_owned()),
            RecordEntry::Decision(note) => {
                match &note.outcome {
                    DecisionOutcome::Decided { took, .. } => self.decision_times.record(*took),
                    DecisionOutcome::SafeAnswer(_) => self.safe_answers += 1,
                }
                self.decisions
                    .append(redacted(token, &note.line(bot)).into_owned())?;
                PolicyNote::count(&mut self.manifest.policies, PolicyNote::of(&note.policy));
                Ok(())
            }
        }
    }

    pub(super) const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Finishes the record and publishes it; returns its path. After a failure the manifest lists
    /// the missing lines.
    pub(super) fn finish(
        &mut self,
        ending: GameEnding,
        token: Option<&Token>,
    ) -> io::Result<PathBuf> {
        let GameEnding {
            at,
            missing,
            played,
            cut,
        } = ending;
        let manifest = &mut self.manifest;
        manifest.missing.add(&missing);
        for file in [&self.folder.frames, &self.events, &self.decisions] {
            file.file.sync_all()?;
        }
        let lost = (missing.total() > 0).then(|| "the disk was too slow for it".to_owned());
        let token = token.map(Token::secret);
        let hide = |text: String| redacted(token, &text).into_owned();
        manifest.cut = self.failed.take().or(lost).or(cut.map(hide));
        manifest.state = if manifest.cut.is_none() {
            RecordState::Complete
        } else {
            RecordState::Cut
        };
        manifest.ended = Some(to_the_millisecond(at.into()));
        manifest.played = Some(RecordedResult {
            // Those without a note were given without asking the policy.
            safe_answers: self.safe_answers + played.safe_answers,
            first_desyncs: played.first_desyncs.into_iter().map(hide).collect(),
            decision_us: LatencySummary::of(&self.decision_times),
            reply_us: LatencySummary::of(&self.reply_times),
            ..played
        });
        self.folder.write_manifest(manifest)?;
        self.folder.publish(manifest.state == RecordState::Cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_taken_out_however_it_is_spelled() {
        let token = Token::new("canary-1").expect("a token");
        assert_eq!(
            redacted(Some(token.secret()), r#"{"a":"\n canary"}"#),
            r#"{"a":"\n canary"}"#
        );
        assert_eq!(
            redacted(Some(token.secret()), r#"{"a":"x canary-1"}"#),
            r#"{"a":"x [token]"}"#
        );
        for escaped in [
            r#"{"a":["\u0063anary-1"]}"#,
            r#"{"canary\u002d1":1}"#,
            r#"{"a":"canary-1 \u0063anary-1"}"#,
        ] {
            assert_eq!(redacted(Some(token.secret()), escaped), "[token]");
        }
    }
}
