//! Policies as players of games: by the configs of their bots, or by their ids.
//!
//! Of a config only the section `[policy]` is read.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use lab::game::Entrant;
use mistakes::KeyProblem;
use policy_host::{
    Admitted, GameKind, Launch, Libraries, LibraryChoice, PolicyConfig, StartOptions,
};
use policy_section::{Section, complete_folder_of, read_policy};

/// The time for a decision, if the config names none.
const USUAL_BUDGET: Duration = Duration::from_secs(3);

/// Admits policies to a game with this many players.
pub struct GameEntrants {
    libraries: Libraries,
    launch: Launch,
    game: GameKind,
    players: u8,
}

/// Why a policy cannot play.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    #[error("its config cannot be read: {0}; is the path right?")]
    Unread(#[from] io::Error),
    #[error("its config is not TOML: {0}")]
    NotToml(#[from] toml::de::Error),
    #[error("{}", in_a_line(.0))]
    Problems(Vec<KeyProblem>),
}

impl GameEntrants {
    /// `launch` says which program tries out the policies that are files.
    pub fn new(launch: Launch, game: GameKind, players: u8) -> Self {
        Self {
            libraries: Libraries::new(launch.clone(), builtin::libraries()),
            launch,
            game,
            players,
        }
    }

    /// The built-in policy with this id.
    ///
    /// # Errors
    ///
    /// If there is none, or it does not play the game with this number of players.
    pub fn by_id(&self, id: &str) -> Result<Entrant, EntrantError> {
        let section = PolicyConfig::of(LibraryChoice::Builtin, Some(id.to_owned()));
        self.admit(id, &section, PathBuf::new())
    }

    /// The policy of this config.
    ///
    /// # Errors
    ///
    /// If the config cannot be read, or its policy is not admitted.
    pub fn by_config(&self, file: &Path) -> Result<Entrant, EntrantError> {
        let config = toml::from_str(&fs::read_to_string(file)?)?;
        let folder = complete_folder_of(file);
        let (place, problems) = (folder.join("config"), RefCell::default());
        let policy = read_policy(&mut Section::top(&place, config, &problems));
        match policy.filter(|_| problems.borrow().is_empty()) {
            Some(section) => self.admit(&file.display().to_string(), &section, folder),
            None => Err(EntrantError::Problems(problems.into_inner())),
        }
    }

    fn admit(
        &self,
        bot: &str,
        section: &PolicyConfig,
        config_folder: PathBuf,
    ) -> Result<Entrant, EntrantError> {
        let options = StartOptions {
            bot: bot.to_owned(),
            game: self.game,
            players: self.players,
            config_folder,
            launch: self.launch.clone(),
        };
        let admitted = self
            .libraries
            .admit(section, &options, None, Instant::now())
            .map_err(EntrantError::Problems)?;
        match admitted {
            Admitted::Ready(policy) => Ok(Entrant {
                policy,
                options,
                budget: section.think.unwrap_or(USUAL_BUDGET),
                limit: None,
            }),
            Admitted::Same => unreachable!("no policy is replaced"),
        }
    }
}

fn in_a_line(problems: &[KeyProblem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|KeyProblem { key, message }| format!("{key}: {message}"))
        .collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_config(text: &str) -> Result<Entrant, EntrantError> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("kuma.toml");
        fs::write(&file, text).expect("a file can be written");
        GameEntrants::new(Launch::own(Vec::new()), GameKind::Riichi, 4).by_config(&file)
    }

    #[track_caller]
    fn refused(entrant: Result<Entrant, EntrantError>, words: &str) {
        let Err(error) = entrant else {
            panic!("{words:?} is not refused")
        };
        assert!(error.to_string().contains(words), "{error}");
    }

    #[test]
    fn a_config_gives_the_policy_and_its_time_and_other_sections_are_not_read() {
        let entrant = by_config(
            "name = 5\n[arena]\nkind = \"no such arena\"\n\
             [policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\nthink_ms = 70\n",
        );
        let entrant = entrant.expect("it is admitted");
        assert_eq!(entrant.budget, Duration::from_millis(70));
    }

    #[test]
    fn a_policy_that_cannot_play_is_refused_with_the_key_or_the_reason() {
        let entrants = GameEntrants::new(Launch::own(Vec::new()), GameKind::Riichi, 4);
        assert!(entrants.by_id("greedy-tenpai").is_ok());
        refused(entrants.by_id("greedy-tenpay"), "greedy-tenpai");
        refused(entrants.by_id("cs-fan"), "riichi");
        refused(by_config("policy = 5"), "policy");
        refused(by_config("[policy"), "not TOML");
        refused(
            by_config("[policy]\nid = \"greedy-tenpai\"\nthinkms = 70\n"),
            "policy.thinkms",
        );
        refused(
            entrants.by_config(Path::new("no/such.toml")),
            "cannot be read",
        );
    }
}
