//! The trainer's files: enough to resume after a kill as if it had not happened.
//!
//! | file | content |
//! |---|---|
//! | `state.json` | the [`TrainingProgress`] |
//! | `sums-….bin` | the sums of the current generation with a part of earlier ones, the held-out sums, the critic, a checksum |
//! | `weights.txt` | the weights that play |
//! | `weights-….txt` | the weights of each earlier generation, as opponents |
//! | `challenger.txt` | the weights of the latest match |
//! | `log.jsonl` | a line for each attempt at a generation, accepted or not |
//! | `log.svg` | the matches of the log as a chart |
//!
//! `state.json` names its sums by number and its weights by the games that they come from, so a
//! kill between two files loses nothing: each file is written under a new name and renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::iter;
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use correction::{FeatureSet, Weights, list_hash};
use lab::game::NamedGame;
use policy_host::{GameKind, Sha256};
use serde::Serialize;

use crate::chart::chart;
use crate::chunk::{Lessons, TRACES};
use crate::contest::Contestant;
use crate::critic::Critic;
use crate::games::{Sizes, TrainedGame};
use crate::progress::{AttemptShard, TrainingProgress};
use crate::sums::SelfPlaySums;

/// The file with the progress.
const STATE: &str = "state.json";
/// The file with the current weights.
const WEIGHTS: &str = "weights.txt";
/// The file with the weights of the latest match.
const CHALLENGER: &str = "challenger.txt";
/// The log, and its chart.
const LOG: &str = "log.jsonl";
const CHART: &str = "log.svg";
/// Weight of the games of the previous generation; those of the current one count 1.
const KEPT: f64 = 0.5;

#[derive(Debug)]
pub(crate) struct TrainingState<G: TrainedGame> {
    folder: PathBuf,
    pub(crate) progress: TrainingProgress,
    pub(crate) weights: Weights<G::Features>,
    /// The sums that are fitted.
    pub(crate) lessons: Lessons,
    /// The held-out sums that check the fit.
    pub(crate) held_out: Lessons,
    /// The critic for the next games.
    pub(crate) critic: Critic,
}

impl<G: TrainedGame> TrainingState<G> {
    /// The training in a folder, or a fresh one for this number of players (by default the usual
    /// one) and this seed.
    ///
    /// # Errors
    ///
    /// Those of [`existing`](Self::existing).
    pub(crate) fn open(folder: &Path, players: Option<u8>, seed: u64) -> Result<Self> {
        if let Some(state) = Self::existing(folder, players)? {
            return Ok(state);
        }
        let mut state = Self::fresh(folder, players.unwrap_or(G::Features::PLAYERS[0]), seed);
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        state.save()?;
        Ok(state)
    }

    /// The training in a folder; `None` if it has none.
    ///
    /// # Errors
    ///
    /// If the training has another number of players, or if the folder is a shard.
    pub(crate) fn existing(folder: &Path, players: Option<u8>) -> Result<Option<Self>> {
        let Some(state) = Self::load(folder)? else {
            return Ok(None);
        };
        if let Some(AttemptShard { part, .. }) = state.progress.shard {
            bail!(
                "{0}: it is shard {part} of a training; merge all shards into it: trainer TRAINING --merge {0} …",
                folder.display()
            );
        }
        match players.filter(|&players| players != state.progress.players) {
            Some(players) => bail!(
                "{}: it trains at tables of {} players, and --players is {players}; leave --players out, or begin in \
                 another folder",
                folder.join(STATE).display(),
                state.progress.players
            ),
            None => Ok(Some(state)),
        }
    }

    fn fresh(folder: &Path, players: u8, seed: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            progress: TrainingProgress {
                game: G::Game::KIND.name().to_owned(),
                players,
                seed,
                features: list_hash::<G::Features>(),
                generation: 0,
                weights_games: 0,
                rejected: 0,
                chunks: 0,
                chunks_of_attempt: 0,
                games: 0,
                matches: 0,
                sums: 0,
                shard: None,
            },
            weights: Weights::none(players),
            lessons: Lessons::none(Sizes::of::<G>()),
            held_out: Lessons::none(Sizes::of::<G>()),
            critic: Critic::none(Sizes::of::<G>()),
        }
    }

    /// A shard of this training's attempt, without games.
    pub(crate) fn fresh_shard(&self, folder: &Path, shard: AttemptShard) -> Result<Self> {
        let progress = TrainingProgress {
            chunks_of_attempt: 0,
            games: 0,
            sums: 0,
            shard: Some(shard),
            ..self.progress.clone()
        };
        let (weights, critic) = (self.weights.clone(), self.critic.clone());
        let (lessons, held_out) = (
            Lessons::none(Sizes::of::<G>()),
            Lessons::none(Sizes::of::<G>()),
        );
        let mut state = Self {
            folder: folder.to_owned(),
            progress,
            weights,
            lessons,
            held_out,
            critic,
        };
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        state.put_weights(WEIGHTS, &state.weights)?;
        state.save()?;
        Ok(state)
    }

    /// The training or the shard in a folder; `None` if it has no state.
    pub(crate) fn load(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(STATE);
        if !path.exists() {
            return Ok(None);
        }
        let progress: TrainingProgress = serde_json::from_slice(&fs::read(&path)?)
            .with_context(|| format!("{}", path.display()))?;
        if progress.features != list_hash::<G::Features>() {
            bail!(
                "{}: its sums are of the feature list {}, and this program has {}; begin anew in another folder",
                path.display(),
                progress.features,
                list_hash::<G::Features>()
            );
        }
        let weights = folder.join(WEIGHTS);
        // A kill came between the state and the weights that it accepted.
        if games_of::<G>(&weights) != Some(progress.weights_games)
            && progress.weights_games > 0
            && games_of::<G>(&folder.join(CHALLENGER)) == Some(progress.weights_games)
        {
            fs::rename(folder.join(CHALLENGER), &weights)
                .with_context(|| format!("{}", weights.display()))?;
        }
        let weights = match fs::read_to_string(&weights) {
            Ok(text) => text
                .parse()
                .with_context(|| format!("{}", weights.display()))?,
            Err(_) if progress.generation == 0 => Weights::none(progress.players),
            Err(error) => return Err(error).with_context(|| format!("{}", weights.display())),
        };
        let sums = folder.join(sums_name(progress.sums));
        let named = || format!("{}", sums.display());
        let bytes = fs::read(&sums).with_context(named)?;
        let mut rest = bytes.as_slice();
        let sizes = Sizes::of::<G>();
        let lessons = read(sizes, &mut rest).with_context(named)?;
        let held_out = read(sizes, &mut rest).with_context(named)?;
        let critic = Critic::read(sizes, &mut rest).with_context(named)?;
        let checksum = Sha256::of(&bytes[..bytes.len() - rest.len()]).to_string();
        // Files of earlier versions have none.
        if !rest.is_empty() && rest != checksum.as_bytes() {
            bail!(
                "{}: its checksum does not match, so it was changed or damaged; copy the folder again, or train anew",
                named()
            );
        }
        Ok(Some(Self {
            folder: folder.to_owned(),
            progress,
            weights,
            lessons,
            held_out,
            critic,
        }))
    }

    /// Writes all files.
    pub(crate) fn save(&mut self) -> Result<()> {
        let old = self.folder.join(sums_name(self.progress.sums));
        self.progress.sums += 1;
        self.put(&sums_name(self.progress.sums), |file| {
            let mut bytes = Vec::new();
            write(&self.lessons, &mut bytes)?;
            write(&self.held_out, &mut bytes)?;
            self.critic.write(&mut bytes)?;
            file.write_all(&bytes)?;
            Ok(file.write_all(Sha256::of(&bytes).to_string().as_bytes())?)
        })?;
        self.put(STATE, |file| {
            serde_json::to_writer_pretty(&mut *file, &self.progress)?;
            Ok(file.write_all(b"\n")?)
        })?;
        if old.exists() {
            fs::remove_file(old)?;
        }
        Ok(())
    }

    /// The opponents that a challenger must beat: the weights accepted last, the generations at a
    /// half, a quarter, … of their number as far as the folder has them, and the teacher, which is
    /// generation 0. Older ones are there because weights that beat only the last ones may
    /// go round in a circle.
    pub(crate) fn opponents(&self) -> Vec<Contestant> {
        let latest =
            (self.progress.generation > 0).then(|| Contestant::Latest(self.weights_file()));
        let older = iter::successors(Some(self.progress.generation / 2), |generation| {
            Some(generation / 2)
        })
        .take_while(|&generation| generation > 0)
        .map(|generation| (generation, self.folder.join(older_name(generation))))
        .filter(|(_, file)| file.exists())
        .map(|(generation, file)| Contestant::Older(generation, file));
        latest
            .into_iter()
            .chain(older)
            .chain([Contestant::Teacher])
            .collect()
    }

    /// Begins the next generation: makes the challenger the weights that play, once the state that
    /// accepts it is saved.
    pub(crate) fn accept(&mut self, challenger: Weights<G::Features>) -> Result<()> {
        if self.progress.generation > 0 {
            self.put_weights(&older_name(self.progress.generation), &self.weights)?;
        }
        self.progress.generation += 1;
        self.progress.rejected = 0;
        // The challenger was fitted to the held-out games too, so those check no later fit. Games
        // of the previous policy count less, because it chooses differently.
        let old = [&mut self.lessons, &mut self.held_out]
            .map(|games| mem::replace(games, Lessons::none(Sizes::of::<G>())));
        old.iter().for_each(|old| self.lessons.add(old, KEPT));
        self.progress.weights_games = challenger.provenance.games;
        self.put_challenger(&challenger)?;
        self.weights = challenger;
        self.save()?;
        Ok(fs::rename(
            self.folder.join(CHALLENGER),
            self.weights_file(),
        )?)
    }

    /// The file with the current weights; an accepted generation writes it.
    pub(crate) fn weights_file(&self) -> PathBuf {
        self.folder.join(WEIGHTS)
    }

    /// Writes the weights for the next match; returns the file.
    pub(crate) fn put_challenger(&self, weights: &Weights<G::Features>) -> Result<PathBuf> {
        self.put_weights(CHALLENGER, weights)?;
        Ok(self.folder.join(CHALLENGER))
    }

    fn put_weights(&self, name: &str, weights: &Weights<G::Features>) -> Result<()> {
        self.put(name, |file| {
            Ok(file.write_all(weights.to_text().as_bytes())?)
        })
    }

    /// Adds a line to the log, and draws it.
    pub(crate) fn log(&self, line: &impl Serialize) -> Result<()> {
        let path = self.folder.join(LOG);
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        writeln!(file, "{}", serde_json::to_string(line)?)?;
        let log = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        let chart = chart::<G>(&log, self.progress.players)
            .with_context(|| format!("{}", path.display()))?;
        self.put(CHART, |file| Ok(file.write_all(chart.as_bytes())?))
    }

    fn put(
        &self,
        name: &str,
        content: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
    ) -> Result<()> {
        let (path, new) = (
            self.folder.join(name),
            self.folder.join(format!("{name}.new")),
        );
        let mut file =
            BufWriter::new(File::create(&new).with_context(|| format!("{}", new.display()))?);
        content(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&new, &path).with_context(|| format!("{}", path.display()))
    }
}

/// The game of the training in a folder; `None` if it has none.
///
/// # Errors
///
/// If the state cannot be read.
pub(crate) fn game_of(folder: &Path) -> Result<Option<GameKind>> {
    let path = folder.join(STATE);
    if !path.exists() {
        return Ok(None);
    }
    let named = || format!("{}", path.display());
    let progress: TrainingProgress =
        serde_json::from_slice(&fs::read(&path)?).with_context(named)?;
    Ok(Some(progress.game.parse().with_context(named)?))
}

/// The games of self-play that the weights in a file come from; `None` if it has none.
fn games_of<G: TrainedGame>(file: &Path) -> Option<u64> {
    fs::read_to_string(file)
        .ok()?
        .parse()
        .ok()
        .map(|weights: Weights<G::Features>| weights.provenance.games)
}

/// The file with the weights of an earlier generation.
fn older_name(generation: u32) -> String {
    format!("weights-{generation}.txt")
}

fn sums_name(number: u64) -> String {
    format!("sums-{number}.bin")
}

fn write(lessons: &Lessons, file: &mut impl Write) -> Result<()> {
    file.write_all(&lessons.games.to_le_bytes())?;
    lessons
        .situations
        .iter()
        .chain(&lessons.critic)
        .try_for_each(|sums| Ok(sums.write(file)?))
}

fn read(sizes: Sizes, file: &mut impl Read) -> Result<Lessons> {
    let mut games = [0; 8];
    file.read_exact(&mut games)?;
    let mut all = |inputs, outcomes| -> io::Result<Vec<SelfPlaySums>> {
        (0..sizes.situations)
            .map(|_| SelfPlaySums::read(inputs, outcomes, file))
            .collect()
    };
    let situations = all(sizes.choice_features, TRACES.len())?;
    Ok(Lessons {
        games: u64::from_le_bytes(games),
        situations,
        critic: all(sizes.critic_inputs, 1)?,
    })
}

#[cfg(test)]
mod tests {
    use judge::features::{CHOICE_FEATURES, RiichiFeatures, SITUATIONS};

    use super::*;
    use crate::games::RiichiTraining;

    type RiichiState = TrainingState<RiichiTraining>;

    fn weights_from(games: u64) -> Weights<RiichiFeatures> {
        let mut weights = Weights::none(4);
        weights.linear = vec![vec![0.5; CHOICE_FEATURES]; SITUATIONS];
        weights.provenance.games = games;
        weights
    }

    #[test]
    fn weights_that_are_accepted_play_after_a_kill_before_their_file_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = RiichiState::open(folder.path(), None, 1).unwrap();
        state.accept(weights_from(100)).unwrap();
        state.accept(weights_from(200)).unwrap();
        // As the kill leaves it.
        fs::rename(state.weights_file(), folder.path().join(CHALLENGER)).unwrap();
        fs::write(state.weights_file(), weights_from(100).to_text()).unwrap();

        let opened = RiichiState::open(folder.path(), None, 1).unwrap();
        assert_eq!(
            (
                opened.weights.provenance.games,
                games_of::<RiichiTraining>(&opened.weights_file())
            ),
            (200, Some(200))
        );
    }

    #[test]
    fn sums_of_which_a_byte_was_changed_are_refused_and_those_without_a_checksum_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let state = RiichiState::open(folder.path(), None, 1).unwrap();
        let sums = folder.path().join(sums_name(state.progress.sums));
        let bytes = fs::read(&sums).unwrap();
        for place in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(&sums, changed).unwrap();
            let error = RiichiState::load(folder.path()).unwrap_err().to_string();
            assert!(
                error.contains("checksum does not match"),
                "{place}: {error}"
            );
        }
        fs::write(&sums, &bytes[..bytes.len() - 64]).unwrap();
        assert!(RiichiState::load(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_challenger_meets_the_last_weights_those_at_halves_of_their_number_and_the_teacher() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = RiichiState::open(folder.path(), None, 1).unwrap();
        assert!(matches!(state.opponents()[..], [Contestant::Teacher]));
        for generation in 1..=7 {
            state.accept(weights_from(100 * generation)).unwrap();
        }
        let opponents = state.opponents();
        let [
            Contestant::Latest(latest),
            Contestant::Older(3, third),
            Contestant::Older(1, first),
            Contestant::Teacher,
        ] = &opponents[..]
        else {
            panic!("{opponents:?}");
        };
        assert_eq!(
            [latest, third, first].map(|file| games_of::<RiichiTraining>(file)),
            [Some(700), Some(300), Some(100)]
        );
    }

    #[test]
    fn games_that_checked_the_accepted_weights_are_held_out_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = RiichiState::open(folder.path(), None, 1).unwrap();
        let sample = ([1.0; CHOICE_FEATURES], [0.0; TRACES.len()]);
        for (games, samples) in [(&mut state.lessons, 7), (&mut state.held_out, 1)] {
            games.situations[0].add_samples(&vec![(&sample.0[..], &sample.1[..]); samples]);
        }
        state.accept(weights_from(100)).unwrap();
        assert_eq!(
            (state.lessons.decisions(), state.held_out.decisions()),
            (KEPT * 8.0, 0.0)
        );
        assert_eq!((state.progress.generation, state.progress.rejected), (1, 0));
    }
}
