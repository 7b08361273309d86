//! A policy of Chinese Standard mahjong: it goes for tiles of one suit alone, wins when it can, and
//! claims nothing.

use policy_sdk::mahjong::Kind;
use policy_sdk::mcr::game::McrAction;
use policy_sdk::mcr::game::distance::discards;
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Mcr, McrView, Param, Params, Policy,
    abi,
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
    flush: f32,
}

impl Policy for Strategy {
    type Game = Mcr;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: env!("CARGO_PKG_NAME"),
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        summary: "Goes for tiles of one suit alone.",
        games: Games::FourPlayers,
        params: &[Param::number(
            "flush",
            100.0,
            0.0,
            400.0,
            "So many helping tiles a tile of the longest suit is worth.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            flush: params.number("flush")? as f32,
        })
    }

    fn decide(
        &mut self,
        view: &McrView<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let (table, legal) = (view.table(), view.legal());
        let first = |wanted: McrAction| legal.iter().position(|&action| action == wanted);
        // A win is among the legal actions when it is worth the fan that it needs.
        if let Some(index) = first(McrAction::Win).or_else(|| first(McrAction::Pass)) {
            return Ok(index);
        }

        let suit = longest_suit(view);
        let unseen = table.unseen();
        let mut best = None;
        for left in discards(table.hand()) {
            let Some(index) = first(McrAction::Discard(left.discard)) else {
                continue;
            };
            let keeps = if left.discard.suit() == Some(suit) {
                self.flush
            } else {
                0.0
            };
            let helping = unseen.total_of(left.acceptance);
            let value = helping as f32 - 40.0 * f32::from(left.distance) - keeps;
            answer.value(index, value);
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((index, value));
            }
        }
        answer.reason(format_args!(
            "goes for {}",
            ["characters", "dots", "bamboo"][usize::from(suit)]
        ));
        best.map(|(index, _)| index)
            .ok_or_else(|| DecideError::Failed(format!("nothing to do in {legal:?}")))
    }
}

/// The suit with the most tiles in the hand: 0 characters, 1 dots, 2 bamboo.
fn longest_suit(view: &McrView<'_>) -> u8 {
    let concealed = view.table().hand().concealed();
    let tiles = |suit: u8| -> u8 {
        Kind::all()
            .filter(|kind| kind.suit() == Some(suit))
            .map(|kind| concealed[kind])
            .sum()
    };
    (0..3).max_by_key(|&suit| tiles(suit)).unwrap_or(0)
}
