//! Leading, answering and passing.

use doudizhu::{DouDizhuAction, DouDizhuSeatState, RankMasks};

use crate::effort::SplitEffort;
use crate::playout::Playout;
use crate::playout::plan::HandPlan;
use crate::playout::ranks::RankPlay;
use crate::worlds::{HiddenCards, PossibleHands};

/// The policy's choice and its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitDecision {
    /// Place in the list of legal actions.
    pub index: usize,
    /// In the order of the list: the share of games won after a play or pass, the points of a bid.
    /// `None` for actions that were not tried.
    pub values: Vec<Option<f32>>,
    /// The standard errors of the values; `None` for a value that no game was played for.
    pub errors: Vec<Option<f32>>,
    pub reason: String,
}

struct TriedAction {
    /// Place in the list of legal actions.
    index: usize,
    /// The cards; `None` for a pass.
    played: Option<RankPlay>,
    /// The plan for playing the remaining cards.
    plan: HandPlan,
    games: usize,
    won: usize,
}

impl TriedAction {
    const fn new(index: usize, played: Option<RankPlay>, plan: HandPlan) -> Self {
        Self {
            index,
            played,
            plan,
            games: 0,
            won: 0,
        }
    }

    fn share(&self) -> f64 {
        self.won as f64 / self.games.max(1) as f64
    }
}

/// Chooses what to play, or to pass: what wins most of the games that are played out after it.
///
/// All actions are tried out with the same hands of the others. Then the better half of them is
/// tried out with more, and so on.
pub(crate) fn choose_play(
    table: &DouDizhuSeatState,
    legal: &[DouDizhuAction],
    effort: &SplitEffort,
) -> Option<SplitDecision> {
    let (mut values, mut errors) = (vec![None; legal.len()], vec![None; legal.len()]);
    let mut tried = candidates(table, legal, effort.candidates);
    if let [only] = &tried[..] {
        values[only.index] = Some(1.0);
        let reason = if only.plan.turns == 0 {
            "goes out"
        } else {
            "has no other choice"
        };
        return Some(SplitDecision {
            index: only.index,
            values,
            errors,
            reason: reason.to_owned(),
        });
    }
    let game = game_of(table)?;
    let mut hidden = HiddenCards::new(table, table.seat()?);
    let mut worlds: Vec<PossibleHands> = Vec::new();
    loop {
        worlds.resize_with(
            worlds.len() + (effort.playouts / tried.len()).max(1),
            || hidden.deal(),
        );
        for action in &mut tried {
            action.won += worlds[action.games..]
                .iter()
                .filter(|world| wins(&game, action, world))
                .count();
            action.games = worlds.len();
            values[action.index] = Some(action.share() as f32);
            errors[action.index] = Some(share_error(action.won, action.games) as f32);
        }
        tried.sort_by(|one, other| other.share().total_cmp(&one.share()));
        if tried.len() <= 2 {
            break;
        }
        tried.truncate(tried.len().div_ceil(2));
    }
    let best = tried.first()?;
    let highest = best.share() as f32;
    // Actions that were left out early were tried less often, so their values are less certain and
    // are capped.
    values
        .iter_mut()
        .flatten()
        .for_each(|value| *value = value.min(highest));
    let (won, games, turns) = (100.0 * best.share(), best.games, best.plan.turns);
    let reason = format!("wins {won:.0} % of {games} games played out, {turns} turns left");
    Some(SplitDecision {
        index: best.index,
        values,
        errors,
        reason,
    })
}

/// The standard error of a share. A game won and one lost are added, because a share of 0 or 1 is
/// no certainty.
pub(crate) fn share_error(won: usize, games: usize) -> f64 {
    let games = games as f64 + 2.0;
    let share = (won as f64 + 1.0) / games;
    (share * (1.0 - share) / games).sqrt()
}

/// The game in its present state, without the hands.
fn game_of(table: &DouDizhuSeatState) -> Option<Playout> {
    let (own, round) = (table.seat()?.index(), table.round());
    let last = round
        .to_beat()
        .and_then(|last| Some((RankPlay::of(&last.play?), last.seat.index())));
    Some(Playout {
        landlord: round.landlord()?.index(),
        turn: own,
        last,
        ..Playout::default()
    })
}

/// Whether the side of the seat in turn wins after the action, when the others have these hands.
fn wins(game: &Playout, action: &TriedAction, world: &PossibleHands) -> bool {
    let (own, landlord) = (game.turn, game.landlord);
    let mut game = Playout {
        hands: world.hands,
        plans: world.plans.clone(),
        ..game.clone()
    };
    game.plans[own] = action.plan.clone();
    game.take(action.played);
    game.landlord_wins() == (own == landlord)
}

/// The actions worth trying: one of those that differ only in the wings, and among all of these the
/// ones that leave the fewest turns. Only one if it goes out or there is no other.
fn candidates(
    table: &DouDizhuSeatState,
    legal: &[DouDizhuAction],
    most: usize,
) -> Vec<TriedAction> {
    let hand = RankMasks::new(table.hand_counts());
    let mut plays: Vec<(RankPlay, TriedAction)> = Vec::new();
    let mut tried = Vec::new();
    for (index, action) in legal.iter().enumerate() {
        let DouDizhuAction::Play(play) = action else {
            tried.push(TriedAction::new(index, None, HandPlan::of(hand)));
            continue;
        };
        let played = RankPlay::of(play);
        let rest = played.out_of(hand);
        let action = TriedAction::new(index, Some(played), HandPlan::of(rest));
        if rest.is_empty() {
            return vec![action];
        }
        let order = |played: &RankPlay, action: &TriedAction| (action.plan.turns, played.wings);
        match plays
            .iter_mut()
            .find(|(other, _)| other.combination == played.combination)
        {
            Some((other, known)) if order(&played, &action) < order(other, known) => {
                (*other, *known) = (played, action)
            }
            Some(_) => {}
            None => plays.push((played, action)),
        }
    }
    plays.sort_by_key(|(_, action)| action.plan.turns);
    tried.extend(plays.into_iter().map(|(_, action)| action));
    tried.truncate(most.max(2));
    tried
}
