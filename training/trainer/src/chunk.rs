//! A chunk of self-play: some games, and the regression sums of their decisions.

use calculator::places::place_chances;
use judge::features::{CHOICE_FEATURES, SITUATIONS};
use lab::game::{GameError, GameId, GameNews, SeatPlayer, play};
use policy_host::{ChosenPolicy, DirectThread};
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::game::RoundId;
use riichi::rng::Rng;
use riichi::{Event, MAX_PLAYERS, PerSeat, Rules};

use crate::contest::entrant_of;
use crate::critic::Critic;
use crate::explorer::{
    CRITIC_INPUTS, Exploration, ExploredDecision, Explorer, Learners, explore, take_decisions,
};
use crate::sums::SelfPlaySums;

/// Hanchan of a chunk. Tests play fewer.
pub(crate) const CHUNK_GAMES: u64 = if cfg!(test) { 10 } else { 50 };
/// Number of random continuations of a game from which the expected places before a round are
/// estimated.
const PLACE_DRAWS: u32 = 200;

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
    pub(crate) fn none() -> Self {
        Self {
            games: 0,
            situations: vec![SelfPlaySums::new(CHOICE_FEATURES, TRACES.len()); SITUATIONS],
            critic: vec![SelfPlaySums::new(CRITIC_INPUTS, 1); SITUATIONS],
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

#[derive(Debug, Clone)]
pub(crate) struct ChunkPlan {
    pub(crate) seed: u64,
    pub(crate) rules: Rules,
    pub(crate) exploration: Exploration,
    pub(crate) critic: Critic,
}

/// Plays the chunk with this number, from 0, on this thread.
///
/// # Errors
///
/// If a game cannot be played to its end.
pub(crate) fn play_chunk(
    thread: &DirectThread,
    plan: &ChunkPlan,
    number: u64,
) -> Result<Lessons, GameError> {
    let players = plan.rules.players;
    let entrant = entrant_of(ChosenPolicy::of::<Explorer>(), players);
    let mut lessons = Lessons::none();
    for game in 1..=CHUNK_GAMES {
        let wall = number * CHUNK_GAMES + game;
        let learners = learners(plan, wall);
        explore(plan.exploration.clone(), learners);
        let mut rounds = Rounds {
            plan,
            wall,
            learners,
            expected: None,
            samples: Vec::new(),
        };
        let id = GameId {
            seed: plan.seed,
            wall,
            seating: 0,
        };
        let players = (0..plan.rules.players).map(|_| SeatPlayer::Bot(thread, &entrant));
        let played = play::<RiichiGame>(plan.rules, id, players, |news| {
            if let GameNews::Happened(event, _) = news {
                rounds.hear(event);
            }
        })?;
        let places: Vec<f64> = played.end.places.iter().copied().map(f64::from).collect();
        rounds.end(&PerSeat::from_slice(&places).expect("a game has at most four seats"));
        lessons.add_game(&rounds.samples);
    }
    Ok(lessons)
}

/// The seats that learn in a game. In every third game all of them do. In the others half of the
/// seats, drawn at random, play as the teacher; with three players that is one seat or two.
fn learners(plan: &ChunkPlan, wall: u64) -> Learners {
    let players = plan.rules.players;
    let teachers = match wall % 3 {
        0 => 0,
        1 => players / 2,
        _ => players.div_ceil(2),
    };
    let mut learners = [false; MAX_PLAYERS];
    let seats = &mut learners[..usize::from(players)];
    seats[usize::from(teachers)..].fill(true);
    Rng::keyed(&[plan.seed, wall]).shuffle(seats);
    learners
}

/// The rounds of a game, with the change of each seat's expected place.
struct Rounds<'c> {
    plan: &'c ChunkPlan,
    wall: u64,
    learners: Learners,
    /// The expected place of each seat before the round.
    expected: Option<PerSeat<f64>>,
    samples: Vec<Sample>,
}

/// A decision of a learner, with its outcomes.
struct Sample {
    decision: ExploredDecision,
    /// What the seat gained in the round, in places.
    reward: [f32; 1],
    /// For each of [`TRACES`], the merit of the decision that its estimated value does not explain.
    unexplained: [f32; TRACES.len()],
}

impl Rounds<'_> {
    fn hear(&mut self, event: &Event) {
        if let Event::StartKyoku(start) = event {
            let expected = self.expected_before(start);
            self.end(&expected);
            self.expected = Some(expected);
        }
    }

    /// Keeps the decisions of the round that has ended; `after` are the expected places of the
    /// seats now.
    fn end(&mut self, after: &PerSeat<f64>) {
        let decisions = take_decisions();
        let Some(before) = &self.expected else { return };
        let critic = &self.plan.critic;
        let reward = |seat| (before[seat] - after[seat]) as f32;
        let mut merits = PerSeat::from_fn(self.plan.rules.players, |seat| {
            Merits::of_round(reward(seat))
        });
        for decision in decisions
            .into_iter()
            .rev()
            .filter(|decision| self.learners[decision.seat.index()])
        {
            let merits =
                merits[decision.seat].before(critic.expected(&decision), !critic.is_none());
            let reckoned = decision
                .chosen
                .as_ref()
                .map_or(0.0, |choice| choice.reckoned);
            let (reward, unexplained) = (
                [reward(decision.seat)],
                merits.map(|merit| merit - reckoned),
            );
            self.samples.push(Sample {
                decision,
                reward,
                unexplained,
            });
        }
    }

    fn expected_before(&self, start: &StartKyoku) -> PerSeat<f64> {
        let rules = &self.plan.rules;
        let round = RoundId {
            bakaze: start.bakaze,
            oya: start.oya,
            honba: start.honba,
        };
        let scores = start.scores.expect("a game played here says its scores");
        let key = [
            self.plan.seed,
            self.wall,
            round.bakaze as u64,
            round.oya.index() as u64,
            round.honba.into(),
        ];
        let chances = place_chances(
            rules,
            &scores,
            start.kyotaku,
            round,
            PLACE_DRAWS,
            &mut Rng::keyed(&key),
        );
        PerSeat::from_fn(rules.players, |seat| {
            chances[seat]
                .iter()
                .zip(1..)
                .map(|(chance, place)| chance * f64::from(place))
                .sum()
        })
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
