//! Reviews of recorded games: what each decision cost by the values of a policy.

use std::collections::BTreeMap;

use doudizhu::{DouDizhuAction, DouDizhuGame};
use lab_stats::{ClusteredMean, Estimate};
use mcr::{McrAction, McrGame};
use riichi::game::RiichiGame;
use riichi::{Action, ActionOf, Seat};
use serde::Serialize;

use crate::advisor::{Advisor, NoAdvice};
use crate::comparison::{Agreement, ComparedDecision, compare_each};
use crate::course::RecordedCourse;
use crate::replayed::{RecordDecision, ReplayedGame};

/// A hand at most this far from tenpai may push into a riichi.
const PUSHING_SHANTEN: i8 = 1;
/// How many of the costliest decisions are kept.
pub const COSTLIEST: usize = 20;

/// A game whose decisions are reviewed by their kinds.
pub trait ReviewedGame: ReplayedGame {
    /// The kind of a decision, by the question and not by the answer.
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str;
}

impl ReviewedGame for RiichiGame {
    /// A threat is another seat's riichi.
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&Action) -> bool| decision.legal.iter().any(wanted);
        if can(|action| matches!(action, Action::Hora { .. })) {
            return "win";
        }
        if can(|action| *action == Action::Ryukyoku) {
            return "nine terminals";
        }
        if can(|action| matches!(action, Action::Reach { .. })) {
            return "riichi or damaten";
        }
        if can(|action| *action == Action::None) {
            return "call";
        }
        let is_kan = |action: &Action| {
            matches!(
                action,
                Action::Ankan { .. } | Action::Kakan { .. } | Action::Kita
            )
        };
        if can(is_kan) {
            return "kan";
        }
        let table = decision.table;
        let threatens = |seat: Seat| seat != table.seat() && table.player(seat).riichi.is_some();
        if !Seat::all(table.rules().players).any(threatens) {
            return "discard in attack";
        }
        let shanten = table.view().shanten();
        if shanten.is_some_and(|shanten| shanten <= PUSHING_SHANTEN) {
            "push or fold"
        } else {
            "discard under threat"
        }
    }
}

impl ReviewedGame for McrGame {
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&McrAction) -> bool| decision.legal.iter().any(wanted);
        let is_kong = |action: &McrAction| {
            matches!(action, McrAction::ConcealedKong(_) | McrAction::AddKong(_))
        };
        if can(|action| *action == McrAction::Win) {
            "win"
        } else if can(|action| *action == McrAction::Pass) {
            "claim"
        } else if can(is_kong) {
            "kong"
        } else {
            "discard"
        }
    }
}

impl ReviewedGame for DouDizhuGame {
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&DouDizhuAction) -> bool| decision.legal.iter().any(wanted);
        if can(|action| matches!(action, DouDizhuAction::Bid(_))) {
            "bid"
        } else if can(|action| *action == DouDizhuAction::Pass) {
            "answer"
        } else {
            "lead"
        }
    }
}

/// A decision of a player by the values of a policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewedDecision {
    /// The log, as it is shown.
    pub log: String,
    /// Number of the game in its log, from 1.
    pub game: usize,
    /// Number of the round in the game, from 1.
    pub round: u64,
    /// Number of the decision in the round, from 1.
    pub decision: u64,
    /// Line of the record after which the seat is asked, from 1.
    pub line: u64,
    pub seat: usize,
    pub player: String,
    pub kind: &'static str,
    pub moment: String,
    /// The action that was played.
    pub done: String,
    /// The policy's own choice.
    pub own: String,
    /// Its value, and that of the action that was played, if the policy gives values.
    pub own_value: Option<f32>,
    pub done_value: Option<f32>,
    /// By how much the played action is worth less; 0 if it is worth as much, or more. `None`
    /// without values.
    pub loss: Option<f32>,
    pub agrees: bool,
    /// What the policy says of its choice.
    pub reason: String,
    /// The values of all actions that have one.
    #[serde(skip)]
    pub values: Vec<(String, f32)>,
    /// The lines of the record up to the decision, of those that are kept as the costliest.
    #[serde(skip)]
    pub lines: Vec<String>,
}

/// The decisions of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KindSums {
    pub agreement: Agreement,
    pub loss: f64,
    /// Decisions with values.
    pub valued: u64,
}

impl KindSums {
    fn add(&mut self, other: &Self) {
        self.agreement.made += other.agreement.made;
        self.agreement.agreed += other.agreement.agreed;
        self.loss += other.loss;
        self.valued += other.valued;
    }
}

/// The decisions of a player in all games.
#[derive(Debug, Clone, Default)]
pub struct PlayerReview {
    /// By the kind of decision.
    pub kinds: BTreeMap<&'static str, KindSums>,
    pub games: u64,
    pub rounds: u64,
    /// Decisions whose action the record does not show.
    pub unknown: u64,
    /// Decisions that the policy did not decide.
    pub faults: u64,
    of_rounds: ClusteredMean,
    of_games: ClusteredMean,
}

impl PlayerReview {
    #[must_use]
    pub fn total(&self) -> KindSums {
        let mut total = KindSums::default();
        self.kinds.values().for_each(|kind| total.add(kind));
        total
    }

    /// The loss in a round, over games as independent units.
    #[must_use]
    pub fn loss_of_round(&self) -> Option<Estimate> {
        Some(self.of_rounds.estimate()?.over_games(self.games))
    }

    /// The loss in a game.
    #[must_use]
    pub fn loss_of_game(&self) -> Option<Estimate> {
        Some(self.of_games.estimate()?.over_games(self.games))
    }

    fn add(&mut self, other: &Self) {
        for (kind, more) in &other.kinds {
            self.kinds.entry(kind).or_default().add(more);
        }
        self.games += other.games;
        self.rounds += other.rounds;
        self.unknown += other.unknown;
        self.faults += other.faults;
        self.of_rounds.merge(&other.of_rounds);
        self.of_games.merge(&other.of_games);
    }
}

/// A review of games by one policy.
#[derive(Debug, Clone, Default)]
pub struct Review {
    pub players: BTreeMap<String, PlayerReview>,
    /// The costliest decisions, the costliest first.
    pub costliest: Vec<ReviewedDecision>,
}

impl Review {
    /// Adds the review of other games.
    pub fn add(&mut self, other: Self) {
        for (name, player) in &other.players {
            self.players.entry(name.clone()).or_default().add(player);
        }
        self.costliest.extend(other.costliest);
        self.keep_costliest();
    }

    fn take(&mut self, decision: ReviewedDecision) {
        if decision.loss.is_some_and(|loss| loss > 0.0) {
            self.costliest.push(decision);
            if self.costliest.len() > 2 * COSTLIEST {
                self.keep_costliest();
            }
        }
    }

    fn keep_costliest(&mut self) {
        let loss = |decision: &ReviewedDecision| decision.loss.unwrap_or(0.0);
        self.costliest
            .sort_by(|one, other| loss(other).total_cmp(&loss(one)));
        self.costliest.truncate(COSTLIEST);
    }
}

/// A game of a log to review.
pub struct GameToReview<'a, G: ReviewedGame> {
    /// The log, as it is shown.
    pub log: &'a str,
    /// Number of the game in its log, from 1.
    pub number: usize,
    /// A number that no other game has.
    pub unit: u64,
    pub course: &'a RecordedCourse<G>,
    /// The lines of its record.
    pub text: &'a str,
    /// The players in the order of their seats.
    pub players: &'a [String],
}

/// Reviews the decisions of a seat; `told` hears each whose action is known.
///
/// # Errors
///
/// If the seat cannot be watched, or the policy does not start again after a fault.
pub fn review_seat<G: ReviewedGame>(
    game: &GameToReview<'_, G>,
    seat: usize,
    advisor: &mut Advisor<'_>,
    review: &mut Review,
    mut told: impl FnMut(&ReviewedDecision),
) -> Result<(), NoAdvice> {
    let name = game.players.get(seat).cloned().unwrap_or_default();
    let mut player = PlayerReview::default();
    let mut rounds: BTreeMap<u64, f64> = BTreeMap::new();
    let mut costly = Vec::new();
    let courses = std::slice::from_ref(game.course);
    let walked = compare_each::<G>(courses, seat, advisor, |compared| {
        let round = rounds.entry(compared.decision.round).or_default();
        let Some(reviewed) = reviewed(game, &name, compared) else {
            player.unknown += u64::from(compared.done.is_none());
            player.faults += u64::from(compared.advised.is_err());
            return;
        };
        let kind = player.kinds.entry(reviewed.kind).or_default();
        kind.agreement.made += 1;
        kind.agreement.agreed += u64::from(reviewed.agrees);
        if let Some(loss) = reviewed.loss {
            kind.loss += f64::from(loss);
            kind.valued += 1;
            *round += f64::from(loss);
        }
        told(&reviewed);
        costly.push(reviewed);
    })?;
    player.games = 1;
    player.rounds = walked.rounds;
    let total: f64 = rounds.values().sum();
    if player.total().valued > 0 {
        // In some rounds a seat has no decision.
        for round in 1..=walked.rounds {
            let loss = rounds.get(&round).copied().unwrap_or(0.0);
            player.of_rounds.add(game.unit, loss);
        }
        player.of_games.add(game.unit, total);
    }
    for decision in costly {
        review.take(decision);
    }
    review.keep_costliest();
    for decision in &mut review.costliest {
        if decision.lines.is_empty() && (&*decision.log, decision.game) == (game.log, game.number) {
            let until = usize::try_from(decision.line).unwrap_or(usize::MAX);
            decision.lines = game.text.lines().take(until).map(str::to_owned).collect();
        }
    }
    review.players.entry(name).or_default().add(&player);
    Ok(())
}

/// A decision whose action is known, if the policy decided it.
fn reviewed<G: ReviewedGame>(
    game: &GameToReview<'_, G>,
    player: &str,
    compared: &ComparedDecision<'_, G>,
) -> Option<ReviewedDecision> {
    let decision = compared.decision;
    let done = compared.done.as_ref()?;
    let decided = compared.advised.as_ref().ok()?;
    let own = decision.legal.get(decided.index)?;
    let value = |action: &ActionOf<G>| {
        let exact = decision.legal.iter().position(|legal| legal == action);
        let place = exact.or_else(|| {
            decision
                .legal
                .iter()
                .position(|legal| G::is_same(legal, action))
        })?;
        let value = decided.values.get(place).copied()?;
        value.is_finite().then_some(value)
    };
    let agrees = compared.agrees() == Some(true);
    let (own_value, done_value) = (value(own), if agrees { value(own) } else { value(done) });
    let loss = own_value
        .zip(done_value)
        .map(|(own, done)| (own - done).max(0.0));
    Some(ReviewedDecision {
        log: game.log.to_owned(),
        game: game.number,
        round: decision.round,
        decision: decision.number,
        line: decision.line,
        seat: decision.seat,
        player: player.to_owned(),
        kind: G::kind_of(decision),
        moment: G::moment(decision.table),
        done: G::words(done),
        own: G::words(own),
        own_value,
        done_value,
        loss,
        agrees,
        reason: decided.reason.clone(),
        values: decision
            .legal
            .iter()
            .zip(&decided.values)
            .filter(|(_, value)| value.is_finite())
            .map(|(action, value)| (G::words(action), *value))
            .collect(),
        lines: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(loss: f32) -> ReviewedDecision {
        ReviewedDecision {
            log: "a".to_owned(),
            game: 1,
            round: 1,
            decision: 1,
            line: 1,
            seat: 0,
            player: "a".to_owned(),
            kind: "discard",
            moment: String::new(),
            done: String::new(),
            own: String::new(),
            own_value: Some(loss),
            done_value: Some(0.0),
            loss: Some(loss),
            agrees: false,
            reason: String::new(),
            values: Vec::new(),
            lines: Vec::new(),
        }
    }

    #[test]
    fn the_costliest_decisions_of_all_games_are_kept_and_no_more() {
        let mut review = Review::default();
        for part in 0..5_u8 {
            let mut of_part = Review::default();
            for place in 0..100_u8 {
                of_part.take(decision(f32::from(place) + f32::from(part) / 10.0));
            }
            review.add(of_part);
        }
        let losses: Vec<f32> = review
            .costliest
            .iter()
            .filter_map(|decision| decision.loss)
            .collect();
        assert_eq!(losses.len(), COSTLIEST);
        assert_eq!((losses[0], losses[4], losses[5]), (99.4, 99.0, 98.4));
    }
}
