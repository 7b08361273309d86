//! A policy of Dou Dizhu: it plays what leaves the fewest turns, keeps its bombs, and lets its
//! partner's cards be.

use policy_sdk::doudizhu::game::split::fewest_turns;
use policy_sdk::doudizhu::game::{DouDizhuAction, DouDizhuPlay};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Param,
    Params, Policy, abi,
};

/// The entry of the library. There may be several policies in it.
static ENTRY: abi::Entry = policy_sdk::entry(
    // The build id, which logs show: raise the version in Cargo.toml when the policy changes.
    concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Strategy>()],
);

policy_sdk::export!(ENTRY);

/// One seat's instance. The view says all there is to know, so nothing of the game is kept here.
struct Strategy {
    bid_from: usize,
}

impl Policy for Strategy {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: env!("CARGO_PKG_NAME"),
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        summary: "Plays what leaves the fewest turns, and keeps its bombs.",
        games: Games::ThreePlayers,
        params: &[Param::integer(
            "bid_from",
            6,
            1,
            17,
            "Bids three with a hand that can be played out in at most this many turns.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            bid_from: params.integer("bid_from")? as usize,
        })
    }

    fn decide(
        &mut self,
        view: &DouDizhuView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let mut best = (0, f32::NEG_INFINITY);
        for (index, action) in view.legal().iter().enumerate() {
            let value = match action {
                DouDizhuAction::Bid(bid) => self.bid(view, *bid),
                DouDizhuAction::Pass => 0.0,
                DouDizhuAction::Play(play) => play_value(view, play),
            };
            answer.value(index, value);
            if value > best.1 {
                best = (index, value);
            }
        }
        Ok(best.0)
    }
}

impl Strategy {
    /// Three if the hand is good, else none.
    fn bid(&self, view: &DouDizhuView<'_>, bid: u8) -> f32 {
        let rules = view.table().round().rules();
        let good = fewest_turns(view.table().hand_counts(), rules) <= self.bid_from;
        if bid == if good { 3 } else { 0 } {
            1.0
        } else {
            0.0
        }
    }
}

/// The value of a play; a pass has the value 0.
fn play_value(view: &DouDizhuView<'_>, play: &DouDizhuPlay) -> f32 {
    let (table, round) = (view.table(), view.table().round());
    let Some(rest) = table.hand_counts().minus(play.cards) else {
        return f32::NEG_INFINITY;
    };
    if rest.is_empty() {
        return 1_000.0;
    }
    let partners = |other| round.are_partners(view.seat(), other);
    if play.combination.is_bomb() || round.to_beat().is_some_and(|last| partners(last.seat)) {
        return -1.0;
    }
    let turns = fewest_turns(rest, round.rules());
    30.0 - turns as f32 - 0.1 * play.combination.low.index() as f32
}
