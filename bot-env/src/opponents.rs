//! Opponents by the configs of their bots, or by the ids of policies.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use defensive_fold::DefensiveFold;
use eight_step::EightStep;
use greedy_tenpai::GreedyTenpai;
use lab::game::Entrant;
use learned::Learned;
use monte_carlo::MonteCarlo;
use policy_host::{
    Admitted, GameKind, Isolation, Launch, Libraries, Library, LibraryChoice, PolicyConfig, ProcessLimits, Sha256,
    StartOptions, TokenVariables,
};
use serde::Deserialize;
use weighted_shape::WeightedShape;

use crate::USUAL_BUDGET;

/// The keys of a config that are used here; the others are for arenas.
#[derive(Deserialize)]
struct Config {
    policy: Section,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    library: Option<String>,
    id: Option<String>,
    think_ms: Option<u64>,
    #[serde(default)]
    isolation: IsolationName,
    #[serde(default)]
    limits: Limits,
    sha256: Option<String>,
    #[serde(default)]
    params: toml::Table,
    // For arenas.
    #[serde(rename = "margin_ms")]
    _margin_ms: Option<toml::Value>,
    #[serde(rename = "reload")]
    _reload: Option<toml::Value>,
    #[serde(default)]
    watch: Vec<PathBuf>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
enum IsolationName {
    #[default]
    Thread,
    Process,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Limits {
    memory_mib: Option<u32>,
    threads: Option<u32>,
    processes: Option<u32>,
    file_mib: Option<u32>,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    execute: Vec<PathBuf>,
    network: bool,
}

/// The policies of these opponents, admitted as for a tournament. `program` is the runner, which tries out the policies
/// that are files.
pub(crate) fn opponents_of(named: &[String], players: u8, program: PathBuf) -> Result<Arc<[Entrant]>, String> {
    let builtin = vec![
        Library::of::<GreedyTenpai>(),
        Library::of::<WeightedShape>(),
        Library::of::<EightStep>(),
        Library::of::<DefensiveFold>(),
        Library::of::<Learned>(),
        Library::of::<MonteCarlo>(),
    ];
    let launch = Launch { program, token_variables: TokenVariables::default() };
    let libraries = Libraries::new(launch.clone(), builtin);
    let entrant = |named: &String| {
        let (section, config_folder) =
            section_of(named).map_err(|why| format!("the opponent {named:?} cannot be had: {why}"))?;
        let options =
            StartOptions { bot: named.clone(), game: GameKind::Riichi, players, config_folder, launch: launch.clone() };
        match libraries.admit(&section, &options, None, Instant::now()) {
            Ok(Admitted::Ready(policy)) => {
                Ok(Entrant { policy, options, budget: section.think.unwrap_or(USUAL_BUDGET), limit: None })
            }
            Ok(Admitted::Same) => Err(format!("the opponent {named:?} plays already")),
            Err(problems) => {
                let problems: Vec<String> =
                    problems.iter().map(|problem| format!("{}: {}", problem.key, problem.message)).collect();
                Err(format!("the opponent {named:?} cannot be had: {}", problems.join("; ")))
            }
        }
    };
    named.iter().map(entrant).collect()
}

/// The section of a config, with its folder; or a section for a policy, by its id.
fn section_of(named: &str) -> Result<(PolicyConfig, PathBuf), String> {
    if !named.ends_with(".toml") {
        return Ok((PolicyConfig::of(LibraryChoice::Builtin, Some(named.to_owned())), PathBuf::new()));
    }
    let text = fs::read_to_string(named).map_err(|error| error.to_string())?;
    let Config { policy: section } = toml::from_str(&text).map_err(|error| error.to_string())?;
    let folder = Path::new(named).parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(folder).or_else(|_| std::env::current_dir()).map_err(|error| error.to_string())?;
    let paths = |paths: Vec<PathBuf>| paths.into_iter().map(|path| folder.join(path)).collect();
    let library = match (section.library, &section.id) {
        (Some(library), _) if library == "builtin" => LibraryChoice::Builtin,
        (Some(library), _) if library.contains('/') || library.ends_with(std::env::consts::DLL_SUFFIX) => {
            LibraryChoice::Path(folder.join(library))
        }
        (Some(library), _) => LibraryChoice::Name(library),
        (None, Some(id)) => LibraryChoice::LikeId(id.clone()),
        (None, None) => return Err("[policy] names no `id` and no `library`".to_owned()),
    };
    let sha256 = section.sha256.map(|text| Sha256::parse(&text).ok_or("`sha256` has not 64 hexadecimal digits"));
    let Limits { memory_mib, threads, processes, file_mib, read, write, execute, network } = section.limits;
    let (read, write, execute) = (paths(read), paths(write), paths(execute));
    let config = PolicyConfig {
        think: section.think_ms.map(Duration::from_millis),
        isolation: match section.isolation {
            IsolationName::Thread => Isolation::Thread,
            IsolationName::Process => Isolation::Process,
        },
        limits: ProcessLimits { memory_mib, threads, processes, file_mib, read, write, execute, network },
        sha256: sha256.transpose()?,
        watch: paths(section.watch),
        params: section.params,
        ..PolicyConfig::of(library, section.id)
    };
    Ok((config, folder))
}
