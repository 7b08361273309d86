//! Reviews of recorded games: what each decision cost by the values of a policy.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lab_stats::{Advantage, Comparison, Estimate, GroupMean};
use policy_host::Decided;
use riichi::ActionOf;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::advisor::{Advisor, NoAdvice};
use crate::comparison::{ComparedDecision, compare_each};
use crate::course::RecordedCourse;
use crate::replayed::ReplayedGame;
use crate::tournament::TournamentLength;

/// How many of the costliest decisions are kept.
pub const COSTLIEST: usize = 20;

/// A decision of a player by the values of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub kind: Cow<'static, str>,
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
    /// What distinguishes the two actions besides their values, in a sentence.
    pub difference: String,
    /// The values of all actions that have one.
    pub values: Vec<(String, f32)>,
    /// The length of the game, if it has one.
    pub length: Option<TournamentLength>,
    /// The address of the moment on a page, if there is one.
    pub page: Option<String>,
    /// The record of the game.
    #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
    pub record: Arc<str>,
}

fn as_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

fn of_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    String::deserialize(deserializer).map(Arc::from)
}

/// The decisions of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct KindReview {
    /// Decisions with a known action.
    pub made: u64,
    /// Those in which the policy chose the same.
    pub agreed: u64,
    /// The loss of those with values, by games.
    pub loss: GroupMean,
    /// The loss in decisions of all other kinds, in the same games.
    pub others: GroupMean,
}

/// The decisions of a player in all games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerReview {
    /// By the kind of decision.
    pub kinds: BTreeMap<Cow<'static, str>, KindReview>,
    pub games: u64,
    pub rounds: u64,
    /// Decisions whose action the record does not show.
    pub unknown: u64,
    /// Decisions that the policy did not decide.
    pub faults: u64,
    of_rounds: GroupMean,
    of_games: GroupMean,
}

/// The loss in decisions of a kind beside a baseline: it is `Better` if the loss is greater.
#[derive(Debug, Clone)]
pub struct KindLoss {
    pub kind: Cow<'static, str>,
    pub comparison: Comparison,
}

impl PlayerReview {
    /// Decisions with a known action.
    pub fn made(&self) -> u64 {
        self.kinds.values().map(|kind| kind.made).sum()
    }

    /// Those in which the policy chose the same.
    pub fn agreed(&self) -> u64 {
        self.kinds.values().map(|kind| kind.agreed).sum()
    }

    /// The loss in all decisions with values.
    pub fn loss(&self) -> f64 {
        self.of_games.sum()
    }

    /// The loss in a round, over games as independent units.
    pub fn loss_of_round(&self) -> Option<Estimate> {
        Some(self.of_rounds.estimate()?.over_games(self.games))
    }

    /// The loss in a game.
    pub fn loss_of_game(&self) -> Option<Estimate> {
        Some(self.of_games.estimate()?.over_games(self.games))
    }

    /// The loss in a decision of each kind beside that of the baseline in the same kind, or,
    /// without one, beside the player's own decisions of all other kinds. All are judged together.
    pub fn kind_losses(&self, baseline: Option<&Self>) -> Vec<KindLoss> {
        let mut found: Vec<(Cow<'static, str>, Advantage)> = Vec::new();
        for (name, kind) in &self.kinds {
            let (beside, games) = match baseline {
                None => (Some(&kind.others), self.games),
                Some(baseline) => (
                    baseline.kinds.get(name).map(|kind| &kind.loss),
                    self.games.min(baseline.games),
                ),
            };
            if let Some(advantage) = beside.and_then(|other| kind.loss.advantage_over(other)) {
                found.push((name.clone(), advantage.over_games(games)));
            }
        }
        let advantages: Vec<Advantage> = found.iter().map(|(_, advantage)| *advantage).collect();
        let judged = Comparison::judge(&advantages);
        found
            .into_iter()
            .zip(judged)
            .map(|((kind, _), comparison)| KindLoss { kind, comparison })
            .collect()
    }

    /// Adds the review of other games.
    pub fn add(&mut self, other: &Self) {
        for (kind, more) in &other.kinds {
            let own = self.kinds.entry(kind.clone()).or_default();
            own.made += more.made;
            own.agreed += more.agreed;
            own.loss.merge(&more.loss);
            own.others.merge(&more.others);
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
        for decision in other.costliest {
            self.take(decision);
        }
    }

    /// Whether a decision with this loss is among the costliest so far.
    fn has_room_for(&self, loss: f32) -> bool {
        let last = self.costliest.get(COSTLIEST - 1);
        loss > 0.0
            && last
                .and_then(|last| last.loss)
                .is_none_or(|least| loss > least)
    }

    fn take(&mut self, decision: ReviewedDecision) {
        let Some(loss) = decision.loss.filter(|loss| self.has_room_for(*loss)) else {
            return;
        };
        let place = self
            .costliest
            .partition_point(|other| other.loss.is_some_and(|other| other >= loss));
        self.costliest.insert(place, decision);
        self.costliest.truncate(COSTLIEST);
    }
}

/// A game of a log to review.
pub struct GameToReview<'a, G: ReplayedGame> {
    /// The log, as it is shown.
    pub log: &'a str,
    /// Number of the game in its log, from 1.
    pub number: usize,
    pub course: &'a RecordedCourse<G>,
    /// Its record.
    pub record: Arc<str>,
    /// The players in the order of their seats.
    pub players: &'a [String],
}

/// The decisions of a player in one game, which are added together.
#[derive(Default)]
struct PlayerGame {
    kinds: BTreeMap<&'static str, KindGame>,
    rounds: u64,
    unknown: u64,
    faults: u64,
}

#[derive(Clone, Copy, Default)]
struct KindGame {
    made: u64,
    agreed: u64,
    valued: u64,
    loss: f64,
}

impl PlayerGame {
    fn review(self) -> PlayerReview {
        let valued: u64 = self.kinds.values().map(|kind| kind.valued).sum();
        let loss: f64 = self.kinds.values().map(|kind| kind.loss).sum();
        let mean = |count: u64, sum: f64| {
            let mut mean = GroupMean::default();
            mean.add(count, sum);
            mean
        };
        let kind = |(name, kind): (&&'static str, &KindGame)| {
            let review = KindReview {
                made: kind.made,
                agreed: kind.agreed,
                loss: mean(kind.valued, kind.loss),
                others: mean(valued - kind.valued, loss - kind.loss),
            };
            (Cow::Borrowed(*name), review)
        };
        // A policy without values says nothing of the loss.
        let (rounds, games) = if valued > 0 { (self.rounds, 1) } else { (0, 0) };
        PlayerReview {
            kinds: self.kinds.iter().map(kind).collect(),
            games: 1,
            rounds: self.rounds,
            unknown: self.unknown,
            faults: self.faults,
            of_rounds: mean(rounds, loss),
            of_games: mean(games, loss),
        }
    }
}

/// Reviews the decisions of these seats. `told` hears each whose action is known, with its loss,
/// and may ask for its words.
///
/// # Errors
///
/// If a seat cannot be watched, or the policy does not start again after a fault.
pub fn review_game<G: ReplayedGame>(
    game: &GameToReview<'_, G>,
    seats: &[usize],
    advisor: &mut Advisor<'_>,
    review: &mut Review,
    mut told: impl FnMut(&KnownDecision<'_, '_, G>),
) -> Result<(), NoAdvice> {
    let mut players: BTreeMap<&str, PlayerGame> = BTreeMap::new();
    for &seat in seats {
        let name = game.players.get(seat).map_or("", String::as_str);
        let player = players.entry(name).or_default();
        let courses = std::slice::from_ref(game.course);
        let walked = compare_each::<G>(courses, seat, advisor, |compared| {
            let Some(known) = KnownDecision::of(game, compared) else {
                player.unknown += u64::from(compared.done.is_none());
                player.faults += u64::from(compared.advised.is_err());
                return;
            };
            let kind = player.kinds.entry(known.kind).or_default();
            kind.made += 1;
            kind.agreed += u64::from(known.agrees);
            if let Some(loss) = known.loss {
                kind.loss += f64::from(loss);
                kind.valued += 1;
                if review.has_room_for(loss) {
                    review.take(known.reviewed());
                }
            }
            told(&known);
        })?;
        player.rounds += walked.rounds;
    }
    for (name, player) in players {
        let all = review.players.entry(name.to_owned()).or_default();
        all.add(&player.review());
    }
    Ok(())
}

/// A decision whose action is known, and that the policy decided.
pub struct KnownDecision<'a, 'd, G: ReplayedGame> {
    game: &'a GameToReview<'a, G>,
    pub compared: &'a ComparedDecision<'d, G>,
    pub decided: &'a Decided,
    pub kind: &'static str,
    pub agrees: bool,
    done: &'a ActionOf<G>,
    own: &'a ActionOf<G>,
    own_value: Option<f32>,
    done_value: Option<f32>,
    /// By how much the played action is worth less; `None` without values.
    pub loss: Option<f32>,
}

impl<'a, 'd, G: ReplayedGame> KnownDecision<'a, 'd, G> {
    fn of(game: &'a GameToReview<'a, G>, compared: &'a ComparedDecision<'d, G>) -> Option<Self> {
        let decision = compared.decision;
        let done = compared.done.as_ref()?;
        let decided = compared.advised.as_ref().ok()?;
        let own = decision.legal.get(decided.index)?;
        let value = |action: &ActionOf<G>| {
            let place = place_of::<G>(&decision.legal, action)?;
            let value = decided.values.get(place).copied()?;
            value.is_finite().then_some(value)
        };
        let agrees = compared.agrees() == Some(true);
        let own_value = value(own);
        let done_value = if agrees { own_value } else { value(done) };
        Some(Self {
            game,
            compared,
            decided,
            kind: G::kind_of(decision),
            agrees,
            done,
            own,
            own_value,
            done_value,
            loss: own_value
                .zip(done_value)
                .map(|(own, done)| (own - done).max(0.0)),
        })
    }

    /// What distinguishes the two actions besides their values, in a sentence.
    pub fn difference(&self) -> String {
        G::difference(self.compared.decision, self.own, self.done)
    }

    /// The decision in words.
    pub fn reviewed(&self) -> ReviewedDecision {
        let (game, decision) = (self.game, self.compared.decision);
        let player = game.players.get(decision.seat).cloned();
        ReviewedDecision {
            log: game.log.to_owned(),
            game: game.number,
            round: decision.round,
            decision: decision.number,
            line: decision.line,
            seat: decision.seat,
            player: player.unwrap_or_default(),
            kind: Cow::Borrowed(self.kind),
            moment: G::moment(decision.table),
            done: self.done.to_string(),
            own: self.own.to_string(),
            own_value: self.own_value,
            done_value: self.done_value,
            loss: self.loss,
            agrees: self.agrees,
            reason: self.decided.reason.clone(),
            difference: if self.agrees {
                String::new()
            } else {
                self.difference()
            },
            values: valued::<G>(&decision.legal, &self.decided.values),
            length: G::length(&game.course.rules).map(TournamentLength::from),
            page: None,
            record: Arc::clone(&game.record),
        }
    }
}

/// The place of an action among the legal ones; one that differs in irrelevant details counts.
pub(crate) fn place_of<G: ReplayedGame>(
    legal: &[ActionOf<G>],
    action: &ActionOf<G>,
) -> Option<usize> {
    let exact = legal.iter().position(|legal| legal == action);
    exact.or_else(|| legal.iter().position(|legal| G::is_same(legal, action)))
}

/// The words of the actions that have a value, with it.
fn valued<G: ReplayedGame>(legal: &[ActionOf<G>], values: &[f32]) -> Vec<(String, f32)> {
    let each = legal.iter().zip(values);
    each.filter(|(_, value)| value.is_finite())
        .map(|(action, value)| (action.to_string(), *value))
        .collect()
}

#[cfg(test)]
mod tests {
    use lab_stats::Verdict::{self, Better, NoInterval, NotShown, Worse};

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
            kind: Cow::Borrowed("discard"),
            moment: String::new(),
            done: String::new(),
            own: String::new(),
            own_value: Some(loss),
            done_value: Some(0.0),
            loss: Some(loss),
            agrees: false,
            reason: String::new(),
            difference: String::new(),
            values: Vec::new(),
            length: None,
            page: None,
            record: Arc::from("{}"),
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

    /// A player who lost so much in each of so many calls and discards of a game.
    fn player(games: u32, call: f64, discard: f64) -> PlayerReview {
        let mut player = PlayerReview::default();
        for game in 0..games {
            // No two games are the same.
            let more = f64::from(game % 5) / 100.0;
            let kind = |made, loss| KindGame {
                made,
                agreed: 0,
                valued: made,
                loss: loss * made as f64 + more,
            };
            let kinds = BTreeMap::from([("call", kind(10, call)), ("discard", kind(60, discard))]);
            let game = PlayerGame {
                kinds,
                rounds: 8,
                ..PlayerGame::default()
            };
            player.add(&game.review());
        }
        player
    }

    fn verdicts(player: &PlayerReview, baseline: Option<&PlayerReview>) -> Vec<Verdict> {
        let losses = player.kind_losses(baseline);
        losses.iter().map(|loss| loss.comparison.verdict).collect()
    }

    #[test]
    fn a_kind_with_more_loss_than_the_players_others_or_the_baselines_is_shown() {
        let weak_in_calls = player(30, 0.5, 0.1);
        assert_eq!(verdicts(&weak_in_calls, None), [Better, Worse]);
        let strong = player(30, 0.1, 0.1);
        assert_eq!(verdicts(&weak_in_calls, Some(&strong)), [Better, NotShown]);
        assert_eq!(
            verdicts(&player(9, 0.5, 0.1), None),
            [NoInterval, NoInterval],
            "fewer than 10 games"
        );
    }

    #[test]
    fn a_review_is_the_same_after_its_text() {
        let mut review = Review::default();
        review.take(decision(0.1));
        review.players.insert("a".to_owned(), player(30, 0.1, 0.3));
        let text = serde_json::to_string(&review).expect("it is written");
        let read: Review = serde_json::from_str(&text).expect("it is read");
        assert_eq!(read, review);
    }
}
