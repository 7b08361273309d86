//! Leading, answering and passing.

use doudizhu::split::best_splits;
use doudizhu::{CardAction, CardPlay, CardSeat, CardTable, RankCounts};

use crate::chances::{OtherHand, holds};
use crate::weights::SplitWeights;
use crate::worth::hand_worth;

/// What the policy does and why.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitDecision {
    /// Place in the list of legal actions.
    pub index: usize,
    /// What each legal action is worth, in the order of the list; turns, the more the better.
    pub values: Vec<f32>,
    /// In words.
    pub reason: String,
}

impl SplitDecision {
    /// The first of the highest values.
    pub(crate) fn highest(values: Vec<f32>, reason: impl FnOnce(usize) -> String) -> Option<Self> {
        let index = (0..values.len()).reduce(|best, index| if values[index] > values[best] { index } else { best })?;
        Some(Self { index, reason: reason(index), values })
    }
}

/// What a seat knows when it plays.
struct Scene<'a> {
    table: &'a CardTable,
    weights: &'a SplitWeights,
    hand: RankCounts,
    opponents: Vec<OtherHand>,
    partner: Option<OtherHand>,
}

/// Chooses what to play, or to pass.
pub(crate) fn choose_play(table: &CardTable, legal: &[CardAction], weights: &SplitWeights) -> Option<SplitDecision> {
    let own = table.seat()?;
    let others: Vec<CardSeat> = CardSeat::all().filter(|&seat| seat != own).collect();
    let (partners, opponents): (Vec<CardSeat>, Vec<CardSeat>) =
        others.into_iter().partition(|&seat| table.round().are_partners(own, seat));
    let scene = Scene {
        table,
        weights,
        hand: table.hand_counts(),
        opponents: opponents.into_iter().map(|seat| OtherHand::new(table, seat)).collect(),
        partner: partners.first().map(|&seat| OtherHand::new(table, seat)),
    };
    let unstoppable = scene.unstoppable();
    let values = legal.iter().map(|action| scene.value(action, unstoppable.as_ref()) as f32).collect();
    SplitDecision::highest(values, |index| scene.reason(&legal[index], unstoppable.as_ref()))
}

impl Scene<'_> {
    fn value(&self, action: &CardAction, unstoppable: Option<&CardPlay>) -> f64 {
        match action {
            CardAction::Bid(_) => f64::NEG_INFINITY,
            CardAction::Pass => self.value_of_pass(),
            CardAction::Play(play) => {
                self.value_of(play) + if unstoppable == Some(play) { 2.0 * self.weights.opponent_out } else { 0.0 }
            }
        }
    }

    fn worth(&self, hand: RankCounts) -> f64 {
        hand_worth(hand, self.table.round().rules(), &self.opponents, self.weights)
    }

    fn value_of(&self, play: &CardPlay) -> f64 {
        let Some(left) = self.hand.minus(play.cards) else { return f64::NEG_INFINITY };
        let holding = holds(play, &self.opponents);
        let opponent_out: f64 = self.opponents.iter().map(|other| other.goes_out_on(play)).sum();
        let partner_out = self.partner.as_ref().map_or(0.0, |partner| self.partner_goes_out(partner, play));
        self.worth(left) + self.weights.lead * holding - self.weights.opponent_out * opponent_out
            + self.weights.partner_out * partner_out
            - (1.0 - holding) * self.near_out()
    }

    fn value_of_pass(&self) -> f64 {
        let worth = self.worth(self.hand);
        let Some(last) = self.table.round().to_beat() else { return worth };
        let Some(play) = last.play else { return worth };
        match self.partner.as_ref().filter(|partner| partner.seat == last.seat) {
            // The partner keeps the lead where no opponent comes between.
            Some(partner) => {
                let holding = self.opponents.iter().filter(|other| self.is_between(other.seat, last.seat));
                let holding: f64 = holding.map(|other| 1.0 - other.beats(&play)).product();
                let out =
                    if partner.left <= 2 { self.weights.partner_out / f64::from(partner.left.max(1)) } else { 0.0 };
                worth + holding * (self.weights.lead + out) - (1.0 - holding) * self.near_out()
            }
            None => worth - self.near_out(),
        }
    }

    /// Whether a seat has its turn after the own one and before `end`.
    fn is_between(&self, seat: CardSeat, end: CardSeat) -> bool {
        let own = self.table.seat().unwrap_or(CardSeat::FIRST);
        own.next() == seat && own.next() != end
    }

    /// The chance that the partner goes out on a play, if it comes before the opponent or that one does not beat it.
    fn partner_goes_out(&self, partner: &OtherHand, play: &CardPlay) -> f64 {
        let before: f64 = self
            .opponents
            .iter()
            .filter(|other| self.is_between(other.seat, partner.seat))
            .map(|other| 1.0 - other.beats(play))
            .product();
        partner.goes_out_on(play) * before
    }

    /// What it costs that an opponent has the lead.
    fn near_out(&self) -> f64 {
        let fewest = self.opponents.iter().map(|other| other.left).min().unwrap_or(0);
        usize::from(fewest).checked_sub(1).and_then(|place| self.weights.near_out.get(place)).copied().unwrap_or(0.0)
    }

    /// The first play of a hand that nobody can stop: each but the last holds for certain.
    fn unstoppable(&self) -> Option<CardPlay> {
        let round = self.table.round();
        let last = round.to_beat().and_then(|played| played.play);
        let is_legal = |play: &CardPlay| last.is_none_or(|last| play.combination.beats(&last.combination));
        best_splits(self.hand, round.rules(), UNSTOPPABLE_SPLITS).iter().find_map(|split| {
            let (certain, open): (Vec<CardPlay>, Vec<CardPlay>) =
                split.plays.iter().copied().partition(|play| holds(play, &self.opponents) >= CERTAIN);
            match (certain.iter().find(|play| is_legal(play)), open.len()) {
                (Some(play), 0 | 1) => Some(*play),
                (None, 1) if split.turns() == 1 && is_legal(&open[0]) => Some(open[0]),
                _ => None,
            }
        })
    }

    fn reason(&self, action: &CardAction, unstoppable: Option<&CardPlay>) -> String {
        let rules = self.table.round().rules();
        let turns = |hand: RankCounts| doudizhu::split::fewest_turns(hand, rules);
        match action {
            CardAction::Play(play) => match self.hand.minus(play.cards).map(turns) {
                Some(0) => "goes out".to_owned(),
                Some(left) if unstoppable == Some(play) => format!("{left} turns left, and nobody can stop them"),
                left => format!("{} turns left", left.unwrap_or_default()),
            },
            _ => format!("keeps a hand of {} turns", turns(self.hand)),
        }
    }
}

/// So many splits are looked at for one that nobody can stop.
const UNSTOPPABLE_SPLITS: usize = 12;
/// As good as certain.
const CERTAIN: f64 = 1.0 - 1e-9;
