//! `records show`: prints what a record contains.

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use client::records::{GameRecord, LatencySummary, LineCounts, Manifest, RecordedResult};
use foreign_text::{escaped, shown_path};
use say::output::{say, say_data};

use super::list::{began, own_score, state_word};
use super::mib;
use crate::commands::table::{after_rounds, number_of, score};

pub(super) fn show(game: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    if game.is_file() {
        let name = shown_path(game);
        bail!(
            "{name} is a file, as `play --record` writes it, and has no manifest; `bot-runner view {name}` shows it"
        );
    }
    let record = GameRecord::open(game)?;
    if as_json {
        say_data(serde_json::to_string_pretty(&record.manifest)?);
        return Ok(ExitCode::SUCCESS);
    }
    let Manifest {
        state,
        cut,
        about,
        started,
        ended,
        seat,
        policies,
        kept,
        missing,
        played,
        ..
    } = &record.manifest;
    let why = cut
        .as_ref()
        .map_or_else(String::new, |why| format!(": {why}"));
    row("record", format!("{}{why}", state_word(*state)));
    row(
        "bot",
        format!(
            "{} on seat {seat}, runner {}, config {}",
            about.bot, about.runner, about.config_sha256
        ),
    );
    row(
        "arena",
        format!(
            "{} ({}), for {}",
            about.arena, about.protocol, about.players
        ),
    );
    row("game", about.game.clone());
    row("began", format!("{} UTC", began(*started)));
    if let Some(ended) = ended {
        row("ended", format!("{} UTC", began(*ended)));
    }
    for policy in policies {
        let build = policy.sha256.as_deref().map_or_else(
            || "built in".to_owned(),
            |sha256| format!("sha256 {sha256}"),
        );
        row(
            "policy",
            format!(
                "{} {} ({build}), {}",
                policy.id,
                policy.version,
                number_of(policy.decisions, "decision")
            ),
        );
    }
    row(
        "kept",
        format!("{}, {} MiB", lines(kept), mib(record.bytes)),
    );
    if missing.total() > 0 {
        row("missing", lines(missing));
    }
    if let Some(played) = played {
        show_played(&record.manifest, played);
    }
    Ok(ExitCode::SUCCESS)
}

fn show_played(manifest: &Manifest, played: &RecordedResult) {
    if let (Some(place), Some(own)) = (played.place, own_score(manifest)) {
        let in_points = |&units: &i32| score(&manifest.about.game, units);
        let all: Vec<String> = played.scores.iter().flatten().map(in_points).collect();
        let after = after_rounds(played.rounds);
        row(
            "result",
            format!(
                "place {place} with {}{after} ({})",
                in_points(&own),
                all.join(" / ")
            ),
        );
    }
    if !played.names.is_empty() {
        row("players", played.names.join(", "));
    }
    let requests = &played.requests;
    row(
        "requests",
        format!(
            "{}: {} accepted, {} rejected, {} stale, {} defaulted; {} safe answers",
            requests.requests,
            requests.accepted,
            requests.rejected + requests.unparseable,
            requests.stale,
            requests.defaulted,
            played.safe_answers
        ),
    );
    for (what, times) in [
        ("decisions", played.decision_us),
        ("replies", played.reply_us),
    ] {
        if let Some(LatencySummary { p50, p99, max }) = times {
            row(
                what,
                format!("p50 {p50} us, p99 {p99} us, longest {max} us"),
            );
        }
    }
    for (fault, count) in &played.faults {
        row("fault", format!("the policy {fault}: {count}"));
    }
    if played.unreadable > 0 {
        row("frames", format!("{} could not be read", played.unreadable));
    }
    row("desyncs", played.desyncs.to_string());
    for text in &played.first_desyncs {
        row("desync", text.clone());
    }
}

fn lines(lines: &LineCounts) -> String {
    let counts = [
        (lines.frames, "frame"),
        (lines.events, "event"),
        (lines.decisions, "decision"),
    ];
    counts
        .map(|(count, what)| number_of(count, what))
        .join(", ")
}

fn row(name: &str, text: String) {
    // A manifest may be untrusted.
    say(format!("{name:<10}{}", escaped(text.as_bytes())));
}
