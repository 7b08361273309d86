//! A chunk of self-play: some games, and the sums of what was learned from them.

use calculator::places::place_chances;
use judge::features::{CHOICE_FEATURES, SITUATIONS, TABLE_FEATURES};
use lab::game::{GameError, GameId, GameNews, SeatPlayer, play};
use policy_host::{ChosenPolicy, DirectThread};
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::game::RoundId;
use riichi::rng::Rng;
use riichi::{Event, PerSeat, Rules};

use crate::contest::entrant_of;
use crate::explorer::{Exploration, ExploredDecision, Explorer, explore, take_decisions};
use crate::sums::SelfPlaySums;

/// Games of a chunk.
pub(crate) const CHUNK_GAMES: u64 = 50;
/// How often the rest of a game is drawn to find the places that are to be expected before a round.
const PLACE_DRAWS: u32 = 200;

/// The inputs of the baseline: the table, and a constant.
pub(crate) const BASELINE_INPUTS: usize = TABLE_FEATURES + 1;

/// What was learned from some games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lessons {
    pub(crate) games: u64,
    /// The sums of each situation.
    pub(crate) situations: Vec<SelfPlaySums>,
    /// The sums of the baseline: the reward by the features of the table alone.
    pub(crate) baseline: SelfPlaySums,
}

impl Lessons {
    pub(crate) fn none() -> Self {
        Self {
            games: 0,
            situations: vec![SelfPlaySums::new(CHOICE_FEATURES); SITUATIONS],
            baseline: SelfPlaySums::new(BASELINE_INPUTS),
        }
    }

    /// Adds others, each of their games counting `weight` times.
    pub(crate) fn add(&mut self, other: &Self, weight: f64) {
        self.games += other.games;
        self.situations.iter_mut().zip(&other.situations).for_each(|(sums, other)| sums.add(other, weight));
        self.baseline.add(&other.baseline, weight);
    }

    /// Decisions.
    pub(crate) fn decisions(&self) -> f64 {
        self.situations.iter().map(|sums| sums.number).sum()
    }
}

/// What the games of a chunk are played by.
#[derive(Debug, Clone)]
pub(crate) struct ChunkPlan {
    pub(crate) seed: u64,
    pub(crate) rules: Rules,
    pub(crate) exploration: Exploration,
    /// The weights of the baseline; empty before there are any.
    pub(crate) baseline: Vec<f64>,
}

/// Plays the chunk with this number, from 0, on this thread.
///
/// # Errors
///
/// When a game cannot be played out.
pub(crate) fn play_chunk(thread: &DirectThread, plan: &ChunkPlan, number: u64) -> Result<Lessons, GameError> {
    explore(plan.exploration.clone());
    let players = plan.rules.players;
    let entrant = entrant_of(ChosenPolicy::of::<Explorer>(), players);
    let mut lessons = Lessons::none();
    for game in 1..=CHUNK_GAMES {
        let wall = number * CHUNK_GAMES + game;
        let mut rounds = Rounds { plan, wall, expected: None, lessons: &mut lessons, decisions: Vec::new() };
        let id = GameId { seed: plan.seed, wall, seating: 0 };
        let players = (0..plan.rules.players).map(|_| SeatPlayer::Bot(thread, &entrant));
        let played = play::<RiichiGame>(plan.rules, id, players, |news| {
            if let GameNews::Happened(event, _) = news {
                rounds.hear(event);
            }
        })?;
        let places: Vec<f64> = played.end.places.iter().copied().map(f64::from).collect();
        rounds.end(&PerSeat::from_slice(&places).expect("a game has at most four seats"));
        lessons.games += 1;
    }
    Ok(lessons)
}

/// The rounds of a game: what each brought every seat, in places.
struct Rounds<'c> {
    plan: &'c ChunkPlan,
    wall: u64,
    /// The place that each seat could expect before the round.
    expected: Option<PerSeat<f64>>,
    lessons: &'c mut Lessons,
    decisions: Vec<ExploredDecision>,
}

impl Rounds<'_> {
    fn hear(&mut self, event: &Event) {
        if let Event::StartKyoku(start) = event {
            let expected = self.expected_before(start);
            self.end(&expected);
            self.expected = Some(expected);
        }
    }

    /// Learns from the decisions of the round that has ended, now that each seat can expect these places.
    fn end(&mut self, after: &PerSeat<f64>) {
        self.decisions = take_decisions();
        let Some(before) = &self.expected else { return };
        for decision in &self.decisions {
            let reward = (before[decision.seat] - after[decision.seat]) as f32;
            let mut table = [1.0; BASELINE_INPUTS];
            table[..TABLE_FEATURES].copy_from_slice(&decision.table);
            let usual: f64 =
                table.iter().zip(&self.plan.baseline).map(|(&input, weight)| f64::from(input) * weight).sum();
            self.lessons.baseline.add_sample(&table, reward);
            let unexplained = reward - usual as f32 - decision.reckoned;
            self.lessons.situations[decision.situation].add_sample(&decision.features, unexplained);
        }
    }

    fn expected_before(&self, start: &StartKyoku) -> PerSeat<f64> {
        let rules = &self.plan.rules;
        let round = RoundId { bakaze: start.bakaze, oya: start.oya, honba: start.honba };
        let scores = start.scores.expect("a game played here says its scores");
        let key = [self.plan.seed, self.wall, round.bakaze as u64, round.oya.index() as u64, round.honba.into()];
        let chances = place_chances(rules, &scores, start.kyotaku, round, PLACE_DRAWS, &mut Rng::keyed(&key));
        PerSeat::from_fn(rules.players, |seat| {
            chances[seat].iter().zip(1..).map(|(chance, place)| chance * f64::from(place)).sum()
        })
    }
}
