//! A chunk of self-play: some games, and the regression sums of their decisions.

use lab::game::{GameError, GameId, GameNews, SeatPlayer, play};
use policy_host::{ChosenPolicy, DirectThread};
use riichi::rng::Rng;
use riichi::{MAX_PLAYERS, WholeGame};

use crate::contest::entrant_of;
use crate::critic::Critic;
use crate::explorer::{Exploration, ExploredDecision, Learners, explore, take_decisions};
use crate::games::{Gains, Rewards, RulesOf, Sizes, TrainedGame};
use crate::sums::SelfPlaySums;

/// Games of a chunk. Tests play fewer.
pub(crate) const CHUNK_GAMES: u64 = if cfg!(test) { 10 } else { 50 };

/// The factors λ of the advantage estimates: the advantage of a decision is its change of the
/// expected reward plus λ times the advantage of the next decision. A small λ trusts the critic,
/// which is biased but varies less; λ = 1 trusts the result alone.
pub(crate) const TRACES: [f32; 4] = [1.0, 0.9, 0.75, 0.5];

/// The regression sums of some games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lessons {
    pub(crate) games: u64,
    /// The sums of each situation, with an outcome for each of [`TRACES`].
    pub(crate) situations: Vec<SelfPlaySums>,
    /// The sums of the critic, one for each situation: the reward by the inputs before the choice.
    pub(crate) critic: Vec<SelfPlaySums>,
}

impl Lessons {
    pub(crate) fn none(sizes: Sizes) -> Self {
        let sums = |inputs, outcomes| vec![SelfPlaySums::new(inputs, outcomes); sizes.situations];
        Self {
            games: 0,
            situations: sums(sizes.choice_features, TRACES.len()),
            critic: sums(sizes.critic_inputs, 1),
        }
    }

    fn add_game(&mut self, samples: &[Sample]) {
        self.games += 1;
        for (situation, (sums, critic)) in
            self.situations.iter_mut().zip(&mut self.critic).enumerate()
        {
            let samples = || {
                samples
                    .iter()
                    .filter(|sample| sample.decision.situation == situation)
            };
            let of_choices: Vec<_> = samples()
                .filter_map(
                    |Sample {
                         decision,
                         unexplained,
                         ..
                     }| {
                        Some((
                            decision.chosen.as_ref()?.features.as_slice(),
                            unexplained.as_slice(),
                        ))
                    },
                )
                .collect();
            sums.add_samples(&of_choices);
            let of_critic: Vec<_> = samples()
                .map(
                    |Sample {
                         decision, reward, ..
                     }| (&decision.before[..], &reward[..]),
                )
                .collect();
            critic.add_samples(&of_critic);
        }
    }

    /// Adds others, each of their games counting `weight` times.
    pub(crate) fn add(&mut self, other: &Self, weight: f64) {
        self.games += other.games;
        for (all, others) in [
            (&mut self.situations, &other.situations),
            (&mut self.critic, &other.critic),
        ] {
            all.iter_mut()
                .zip(others)
                .for_each(|(sums, other)| sums.add(other, weight));
        }
    }

    pub(crate) fn decisions(&self) -> f64 {
        self.situations.iter().map(|sums| sums.number).sum()
    }
}

#[derive(Debug)]
pub(crate) struct ChunkPlan<G: TrainedGame> {
    pub(crate) seed: u64,
    pub(crate) rules: RulesOf<G>,
    pub(crate) exploration: Exploration,
    pub(crate) critic: Critic,
}

/// Plays the chunk with this number, from 0, on this thread.
///
/// # Errors
///
/// If a game cannot be played to its end.
pub(crate) fn play_chunk<G: TrainedGame>(
    thread: &DirectThread,
    plan: &ChunkPlan<G>,
    number: u64,
) -> Result<Lessons, GameError> {
    let players = G::Game::seat_count(&plan.rules);
    let entrant = entrant_of::<G>(ChosenPolicy::of::<G::Explorer>(), players as u8);
    let mut lessons = Lessons::none(Sizes::of::<G>());
    for game in 1..=CHUNK_GAMES {
        let wall = number * CHUNK_GAMES + game;
        let learners = learners(plan.seed, wall, players);
        explore(plan.exploration.clone(), learners);
        let mut rewards = G::Rewards::new(plan.rules, plan.seed, wall);
        let mut samples = Vec::new();
        let id = GameId {
            seed: plan.seed,
            wall,
            seating: 0,
        };
        let seated = (0..players).map(|_| SeatPlayer::Bot(thread, &entrant));
        let played = play::<G::Game>(plan.rules, id, seated, |news| {
            if let GameNews::Happened(event, _) = news
                && let Some(gains) = rewards.hear(event)
            {
                add_round(&plan.critic, learners, &gains, &mut samples);
            }
        })?;
        let gains = rewards.end(&played.end);
        add_round(&plan.critic, learners, &gains, &mut samples);
        lessons.add_game(&samples);
    }
    Ok(lessons)
}

/// The seats that learn in a game. In every third game all of them do. In the others half of the
/// seats, drawn at random, play as the teacher; with three players that is one seat or two.
fn learners(seed: u64, wall: u64, players: usize) -> Learners {
    let teachers = match wall % 3 {
        0 => 0,
        1 => players / 2,
        _ => players.div_ceil(2),
    };
    let mut learners = [false; MAX_PLAYERS];
    let seats = &mut learners[..players];
    seats[teachers..].fill(true);
    Rng::keyed(&[seed, wall]).shuffle(seats);
    learners
}

/// A decision of a learner, with its outcomes.
struct Sample {
    decision: ExploredDecision,
    /// What the seat gained in the round.
    reward: [f32; 1],
    /// For each of [`TRACES`], the merit of the decision that its estimated value does not explain.
    unexplained: [f32; TRACES.len()],
}

/// Adds the decisions of the round that has ended on this thread, in which each seat gained this
/// much.
fn add_round(critic: &Critic, learners: Learners, gains: &Gains, samples: &mut Vec<Sample>) {
    let mut merits = gains.map(Merits::of_round);
    for decision in take_decisions()
        .into_iter()
        .rev()
        .filter(|decision| learners[decision.seat])
    {
        let merits = merits[decision.seat].before(critic.expected(&decision), !critic.is_none());
        let reckoned = decision
            .chosen
            .as_ref()
            .map_or(0.0, |choice| choice.reckoned);
        samples.push(Sample {
            reward: [gains[decision.seat]],
            unexplained: merits.map(|merit| merit - reckoned),
            decision,
        });
    }
}

/// The advantages of a seat's decisions in a round, from the last one back.
struct Merits {
    /// The critic's value after the decision.
    next: f32,
    /// The advantage of the following decision, for each of [`TRACES`].
    merits: [f32; TRACES.len()],
}

impl Merits {
    const fn of_round(reward: f32) -> Self {
        Self {
            next: reward,
            merits: [0.0; TRACES.len()],
        }
    }

    /// The advantages of the decision before, at which the critic expected this value. λ applies
    /// only if the critic has been fitted.
    fn before(&mut self, expected: f32, has_learned: bool) -> [f32; TRACES.len()] {
        for (merit, trace) in self.merits.iter_mut().zip(TRACES) {
            *merit = self.next - expected + *merit * if has_learned { trace } else { 1.0 };
        }
        self.next = expected;
        self.merits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_trace_counts_all_that_happened_and_the_last_mostly_what_is_expected_next() {
        let mut merits = Merits::of_round(1.0);
        assert_eq!(merits.before(0.25, true), [0.75; 4]);
        let [all, .., least] = merits.before(-0.5, true);
        assert_eq!((all, least), (1.0 + 0.5, 0.25 + 0.5 + 0.5 * 0.75));
    }

    #[test]
    fn before_the_critic_has_learned_every_trace_counts_all_that_happened() {
        let mut merits = Merits::of_round(1.0);
        assert_eq!(merits.before(0.0, false), [1.0; 4]);
        assert_eq!(merits.before(0.0, false), [1.0; 4]);
    }
}
