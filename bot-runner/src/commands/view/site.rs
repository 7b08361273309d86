//! The games of a folder: a page each, and an index.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use client::records::{self, MANIFEST, Manifest};
use foreign_text::shown_path;
use lab::record::looks_like_games;
use say::output::say;
use time::OffsetDateTime;
use view::page::index_html;

use super::page_of;
use super::tables::{PagedRecord, games_of};
use crate::cli::ViewArgs;
use crate::commands::success;
use crate::commands::table::number_of;
use crate::commands::words::free_name;
use lab::whole_file::replace;

const INDEX: &str = "index.html";
/// The file name endings of records. Files of other names are looked at.
const ENDINGS: [&str; 4] = [".jsonl", ".jsonl.gz", ".mjson", ".mjson.gz"];

/// Maximum length, in bytes, of a record's name in the name of its page: names of files end at 255
/// bytes.
const MAX_STEM: usize = 200;

struct FoundRecord {
    path: PathBuf,
    began: OffsetDateTime,
    /// That of a ranked game.
    manifest: Option<Manifest>,
}

/// Whether this is a folder that is no record itself.
pub(super) fn is_folder_of_records(path: &Path) -> bool {
    path.is_dir() && !path.join(MANIFEST).exists()
}

/// Writes a page for each record of the folder, and the index, into another folder. Records that
/// cannot be shown are skipped with a warning, and the exit code reports that.
pub(super) fn write(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    let shown = shown_path(&args.record);
    let (mut found, unreadable) =
        records_of(&args.record).with_context(|| format!("the folder {shown} cannot be read"))?;
    if found.is_empty() {
        bail!(
            "{shown}: no record in this folder; `bot-runner play --record` writes records, as does a bot with a [records] \
             section"
        );
    }
    let Some(out) = &args.out else {
        bail!("{shown} is a folder of records; name a folder for their pages with --out FOLDER");
    };
    if out.exists() && !out.is_dir() {
        let out = out.display();
        bail!(
            "{out} is a file, and {shown} is a folder of records; name a folder for their pages with --out FOLDER"
        );
    }
    if !out.exists() && out.extension().is_some_and(|ending| ending == "html") {
        bail!(
            "--out {}: {shown} is a folder of records, which becomes a folder of pages; name a folder, such as {}",
            out.display(),
            out.with_extension("").display()
        );
    }
    let cannot = |path: &Path| format!("{} cannot be written", path.display());
    fs::create_dir_all(out).with_context(|| cannot(out))?;
    found.sort_by(|one, other| (other.began, &other.path).cmp(&(one.began, &one.path)));
    let (mut paged, mut files) = (Vec::new(), HashSet::from([INDEX.to_owned()]));
    for record in &found {
        let (page, policies) = match page_of(&record.path, args) {
            Ok(viewed) => viewed,
            Err(error) => {
                tracing::warn!("{error:#}");
                continue;
            }
        };
        let file = file_name(&record.path, &mut files);
        let path = out.join(&file);
        replace(&path, page.html().as_bytes()).with_context(|| cannot(&path))?;
        paged.push(PagedRecord::new(
            &page,
            &policies,
            file,
            record.began,
            record.manifest.as_ref(),
        ));
    }
    let left_out = unreadable + found.len() - paged.len();
    let pages = paged.len();
    let games = games_of(paged);
    let index = out.join(INDEX);
    let name = args
        .record
        .canonicalize()
        .unwrap_or_else(|_| args.record.clone());
    let title = format!(
        "Games in {}",
        name.file_name().unwrap_or_default().to_string_lossy()
    );
    replace(&index, index_html(&title, &games, args.language).as_bytes())
        .with_context(|| cannot(&index))?;
    let of_pages = match pages == games.len() {
        true => String::new(),
        false => format!(" in {}", number_of(pages as u64, "page")),
    };
    say(format!(
        "{}: written, with {}{of_pages}",
        index.display(),
        number_of(games.len() as u64, "game")
    ));
    if left_out > 0 {
        say(format!(
            "{} cannot be shown",
            number_of(left_out as u64, "record")
        ));
    }
    if args.open {
        super::open(index.as_os_str());
    }
    Ok(success(left_out == 0))
}

/// The records in a folder: folders of ranked games, and files; and the number of records that
/// cannot be read.
fn records_of(folder: &Path) -> std::io::Result<(Vec<FoundRecord>, usize)> {
    let (ranked, bad) = records::list(folder, |_| true)?;
    for error in &bad {
        tracing::warn!("{error}");
    }
    let ranked = ranked.into_iter().map(|record| FoundRecord {
        began: record.manifest.started,
        path: record.path,
        manifest: Some(record.manifest),
    });
    let mut found: Vec<FoundRecord> = ranked.collect();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A file does not say when its game began.
        let written = entry
            .metadata()
            .ok()
            .filter(fs::Metadata::is_file)
            .and_then(|file| file.modified().ok());
        let is_game = || {
            ENDINGS.iter().any(|ending| name.ends_with(ending)) || looks_like_games(&entry.path())
        };
        if let Some(written) = written.filter(|_| is_game()) {
            found.push(FoundRecord {
                path: entry.path(),
                began: written.into(),
                manifest: None,
            });
        }
    }
    // Records of other users are no fault of this folder.
    Ok((found, bad.iter().filter(|error| !error.is_foreign).count()))
}

/// The name of a record's page, which no other has.
fn file_name(record: &Path, taken: &mut HashSet<String>) -> String {
    let name = record
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let stem = ENDINGS
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    let end = (0..=stem.len().min(MAX_STEM))
        .rev()
        .find(|&end| stem.is_char_boundary(end))
        .unwrap_or(0);
    free_name(stem.get(..end).unwrap_or_default(), ".html", taken)
}
