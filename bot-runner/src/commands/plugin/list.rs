//! `plugin list`: which libraries are found where.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use config::{Problems, RawConfig};
use fleet::{CommandFiles, libraries_for, of_policy, table_of};
use foreign_text::{escaped, shown_path};
use policy_host::{
    Admitted, Isolation, Launch, Libraries, Library, LibraryChoice, PolicyConfig, ProcessLimits,
    StartOptions,
};
use policy_section::complete_folder_of;
use say::output::say;

use crate::commands::success;

/// Lists the libraries in folders, libraries and configs; without arguments, in the default
/// folders. Exit code 1: a named library or config cannot be used.
///
/// # Errors
///
/// If a path leads nowhere.
pub(super) fn list(paths: &[PathBuf]) -> anyhow::Result<ExitCode> {
    if paths.is_empty() {
        let libraries = Libraries::new(Launch::own(Vec::new()), builtin::libraries());
        for folder in own_folders()? {
            list_folder(&libraries, &folder)?;
        }
        say("built in:");
        libraries
            .builtin()
            .iter()
            .for_each(|library| say(line(library)));
        return Ok(success(true));
    }
    let is_config = |path: &&PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    };
    let configs: Vec<RawConfig> = paths
        .iter()
        .filter(is_config)
        .map(|path| RawConfig::load(path))
        .collect();
    let libraries = libraries_for(&configs, CommandFiles::default());
    let mut good = true;
    for path in paths {
        if path.is_dir() {
            list_folder(&libraries, path)?;
        } else if !path.exists() {
            bail!("{} is neither a folder nor a file", path.display());
        } else if let Some(config) = configs.iter().find(|config| config.file == *path) {
            good &= list_config(&libraries, config);
        } else {
            good &= list_library(&libraries, path);
        }
    }
    Ok(success(good))
}

/// The folders in which libraries are looked up by name.
fn own_folders() -> anyhow::Result<Vec<PathBuf>> {
    let program = std::env::current_exe().context("cannot find the runner's own program file")?;
    let beside = program.parent().unwrap_or(Path::new("/")).canonicalize()?;
    let here = std::env::current_dir()
        .context("the current folder cannot be read")?
        .canonicalize()?;
    Ok(if here == beside {
        vec![here]
    } else {
        vec![beside, here]
    })
}

fn list_folder(libraries: &Libraries, folder: &Path) -> anyhow::Result<()> {
    let unreadable = || format!("{} cannot be read", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_file()
            && path
                .to_string_lossy()
                .ends_with(std::env::consts::DLL_SUFFIX)
        {
            files.push(path);
        }
    }
    files.sort();
    say(format!("{}:", shown_path(folder)));
    if files.is_empty() {
        say("  no libraries");
    }
    for file in files {
        list_library(libraries, &file);
    }
    Ok(())
}

/// Shows a library; whether it can be used.
fn list_library(libraries: &Libraries, file: &Path) -> bool {
    let described = libraries.describe(LibraryChoice::Path(file.to_owned()));
    match &described {
        Ok(library) => say(line(library)),
        Err(error) => say(format!(
            "  not usable: {}",
            escaped(error.to_string().as_bytes())
        )),
    }
    described.is_ok()
}

/// Shows what a config's bot decides by; whether that can be used.
fn list_config(libraries: &Libraries, config: &RawConfig) -> bool {
    let found = match &config.policy {
        Some(section) => {
            // A thread may read what the runner may, secrets too.
            let open = Libraries::new(libraries.launch.clone(), builtin::libraries());
            let (limits, libraries) = match section.isolation {
                Isolation::Thread => (ProcessLimits::all_allowed(), &open),
                Isolation::Process => (section.limits.clone(), libraries),
            };
            // So that it is not loaded here.
            let section = PolicyConfig {
                isolation: Isolation::Process,
                limits,
                ..section.clone()
            };
            let (game, players) = table_of(config, libraries);
            let options = StartOptions {
                bot: config.name.clone().unwrap_or_default(),
                game,
                players,
                config_folder: complete_folder_of(&config.file),
                launch: libraries.launch.clone(),
            };
            let admitted = libraries.admit(&section, &options, None, Instant::now());
            admitted.map_err(|found| {
                found
                    .into_iter()
                    .map(|problem| of_policy(&config.file, problem))
                    .collect()
            })
        }
        // The reason is among the config's own problems.
        None => Err(config.problems.clone()),
    };
    match &found {
        Ok(Admitted::Ready(policy)) => say(format!(
            "{}: {}",
            shown_path(&config.file),
            policy.identity()
        )),
        Ok(Admitted::Same) => {}
        Err(problems) => say(Problems(problems.clone()).to_string()),
    }
    found.is_ok()
}

fn line(library: &Library) -> String {
    let policies = library
        .description
        .policies
        .iter()
        .map(|policy| format!("{} {}", policy.id, policy.version));
    let policies = policies.collect::<Vec<_>>().join(", ");
    match library.hash {
        Some(hash) => format!("  {}  sha256 {}  {policies}", library.origin, hash.short()),
        None => format!("  {policies}"),
    }
}
