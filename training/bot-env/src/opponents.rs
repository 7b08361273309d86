//! Opponents by the configs of their bots, or by the ids of policies.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use lab::game::Entrant;
use mistakes::KeyProblem;
use policy_host::{
    Admitted, GameKind, Launch, Libraries, LibraryChoice, PolicyConfig, StartOptions,
    TokenVariables,
};
use policy_section::{Section, complete_folder_of, read_policy};

use crate::USUAL_BUDGET;

/// The policies of these opponents, admitted as for a tournament. `program` is the runner, which
/// tries out the policies that are files.
pub(crate) fn opponents_of(
    named: &[String],
    players: u8,
    program: PathBuf,
) -> Result<Arc<[Entrant]>, String> {
    let launch = Launch {
        program,
        token_variables: TokenVariables::default(),
    };
    let libraries = Libraries::new(launch.clone(), builtin::libraries());
    let entrant = |named: &String| {
        let (section, config_folder) = section_of(named)
            .map_err(|why| format!("the opponent {named:?} cannot play: {why}"))?;
        let options = StartOptions {
            bot: named.clone(),
            game: GameKind::Riichi,
            players,
            config_folder,
            launch: launch.clone(),
        };
        match libraries.admit(&section, &options, None, Instant::now()) {
            Ok(Admitted::Ready(policy)) => Ok(Entrant {
                policy,
                options,
                budget: section.think.unwrap_or(USUAL_BUDGET),
                limit: None,
            }),
            Ok(Admitted::Same) => Err(format!("the opponent {named:?} plays already")),
            Err(problems) => Err(format!(
                "the opponent {named:?} cannot play: {}",
                all(&problems)
            )),
        }
    };
    named.iter().map(entrant).collect()
}

/// The section of a config, with its folder; or a section for a policy, by its id.
fn section_of(named: &str) -> Result<(PolicyConfig, PathBuf), String> {
    if !named.ends_with(".toml") {
        return Ok((
            PolicyConfig::of(LibraryChoice::Builtin, Some(named.to_owned())),
            PathBuf::new(),
        ));
    }
    let text = fs::read_to_string(named).map_err(|error| error.to_string())?;
    let config = toml::from_str(&text).map_err(|error| error.to_string())?;
    let folder = complete_folder_of(Path::new(named));
    let (file, problems) = (folder.join("config"), RefCell::default());
    let policy = read_policy(&mut Section::top(&file, config, &problems));
    policy
        .filter(|_| problems.borrow().is_empty())
        .map(|policy| (policy, folder))
        .ok_or(all(&problems.into_inner()))
}

/// What is wrong, in a line.
fn all(problems: &[KeyProblem]) -> String {
    problems
        .iter()
        .map(|KeyProblem { key, message }| format!("{key}: {message}"))
        .collect::<Vec<_>>()
        .join("; ")
}
