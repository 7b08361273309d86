//! A decision of Dou Dizhu as a line.

use doudizhu::split::fewest_turns;
use doudizhu::{CardSet, DouDizhuAction, DouDizhuSeat};
use policy_sdk::DouDizhuView;
use serde::Serialize;

use crate::SCHEMA_VERSION;
use crate::riichi::TimeLine;

/// The knowledge of a Dou Dizhu seat when it decides, and nothing else.
///
/// A card is a number: 0 to 51 are four each of the ranks 3456789TJQKA2, in this order, so that a
/// card by 4 is its rank; 52 is the small joker and 53 the big one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "DouDizhuView"))]
pub(crate) struct DouDizhuLine {
    /// Version of this schema.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA_VERSION)))]
    schema: u32,
    /// The game.
    #[cfg_attr(test, schemars(extend("const" = "doudizhu")))]
    game: &'static str,
    /// Number of this game in the bot's run, from 0.
    game_number: u64,
    /// Number of this decision in the game, from 0.
    decision: u32,
    /// Randomness of this decision, the same when it is repeated.
    random: u64,
    /// The time for this decision.
    time: TimeLine,

    /// The kind of request: a bid, a lead, or an answer to the last play.
    request: DouDizhuRequestKind,
    /// The legal actions, never empty. The answer is the `index` of one of these.
    #[cfg_attr(test, schemars(length(min = 1, max = policy_sdk::abi::card::MAX_CARD_LEGAL)))]
    legal: Vec<DouDizhuLegalAction>,

    /// The own seat.
    #[cfg_attr(test, schemars(range(max = 2)))]
    seat: u8,
    /// The own cards in their order.
    #[cfg_attr(test, schemars(length(min = 1, max = 20)))]
    hand: Vec<u8>,
    /// The fewest turns in which the own hand can be played out.
    turns: usize,
    /// The cards that are neither the own ones nor played.
    unseen: Vec<u8>,
    /// The landlord's seat; null while it is bid for.
    #[cfg_attr(test, schemars(range(max = 2)))]
    landlord: Option<u8>,
    /// The three cards that all may see; empty while they are hidden.
    public: Vec<u8>,
    /// Bids so far, from seat 0 on; 0 is none.
    bids: Vec<u8>,
    /// The play to beat; null if there is none.
    to_beat: Option<PlayLine>,
    /// All that was played, oldest first, passes too.
    plays: Vec<PlayLine>,
    /// Number of cards of each seat.
    #[cfg_attr(test, schemars(length(min = 3, max = 3)))]
    left: Vec<u8>,
    /// Whether the landlord is bid for.
    bidding: bool,
    /// Number of wings for each four in a run of fours.
    shuttle_wings: u8,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum DouDizhuRequestKind {
    Bid,
    Lead,
    Answer,
}

/// A legal action.
#[derive(Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "CardLegalAction")
)]
struct DouDizhuLegalAction {
    /// Its index: what an answer names.
    index: usize,
    /// Which action.
    #[serde(rename = "type")]
    kind: DouDizhuActionKind,
    /// The bid, 0 to 3, where 0 is none; null for other actions.
    bid: Option<u8>,
    /// The cards that are played; empty for other actions.
    cards: Vec<u8>,
    /// The combination; null if no cards are played.
    combination: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
enum DouDizhuActionKind {
    Bid,
    Pass,
    Play,
}

/// Cards that a seat has played, or a pass.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PlayLine {
    /// The seat.
    #[cfg_attr(test, schemars(range(max = 2)))]
    seat: u8,
    /// The cards; none is a pass.
    cards: Vec<u8>,
    /// The combination; null for a pass.
    combination: Option<&'static str>,
}

impl DouDizhuLine {
    /// The decision that a view asks for.
    pub(crate) fn of(view: &DouDizhuView<'_>) -> Self {
        let (table, round) = (view.table(), view.table().round());
        let rules = round.rules();
        let to_beat = round.to_beat().map(PlayLine::of);
        let request = match (round.landlord(), &to_beat) {
            (None, _) => DouDizhuRequestKind::Bid,
            (Some(_), None) => DouDizhuRequestKind::Lead,
            (Some(_), Some(_)) => DouDizhuRequestKind::Answer,
        };
        let legal = view.legal().iter().enumerate();
        Self {
            schema: SCHEMA_VERSION,
            game: "doudizhu",
            game_number: view.game(),
            decision: view.decision(),
            random: view.rng().next_u64(),
            time: TimeLine::of(view.time()),
            request,
            legal: legal
                .map(|(index, action)| DouDizhuLegalAction::of(index, action, table.hand()))
                .collect(),
            seat: number(view.seat()),
            hand: numbers(table.hand()),
            turns: fewest_turns(table.hand_counts(), rules),
            unseen: numbers(table.unseen()),
            landlord: round.landlord().map(number),
            public: numbers(round.public()),
            bids: round.bids().to_vec(),
            to_beat,
            plays: round.trail().iter().map(PlayLine::of).collect(),
            left: DouDizhuSeat::all().map(|seat| round.left(seat)).collect(),
            bidding: rules.bidding,
            shuttle_wings: rules.shuttle_wings,
        }
    }
}

impl DouDizhuLegalAction {
    fn of(index: usize, action: &DouDizhuAction, hand: CardSet) -> Self {
        let none = Self {
            index,
            kind: DouDizhuActionKind::Pass,
            bid: None,
            cards: Vec::new(),
            combination: None,
        };
        match action {
            DouDizhuAction::Bid(bid) => Self {
                kind: DouDizhuActionKind::Bid,
                bid: Some(*bid),
                ..none
            },
            DouDizhuAction::Pass => none,
            DouDizhuAction::Play(play) => Self {
                kind: DouDizhuActionKind::Play,
                cards: numbers(play.cards.cards_of(hand).unwrap_or_default()),
                combination: Some(play.combination.kind.name()),
                ..none
            },
        }
    }
}

impl PlayLine {
    fn of(played: &doudizhu::round::PlayedCards) -> Self {
        let combination = played
            .play
            .as_ref()
            .map(|play| play.combination.kind.name());
        Self {
            seat: number(played.seat),
            cards: numbers(played.cards),
            combination,
        }
    }
}

fn number(seat: DouDizhuSeat) -> u8 {
    seat.index() as u8
}

fn numbers(cards: CardSet) -> Vec<u8> {
    cards.iter().map(|card| card.number()).collect()
}
