//! The table, as the deciding seat knows it: the same for all choices of a decision.

use correction::features;
use doudizhu::{CardSet, DouDizhuSeat, DouDizhuSeatState, Rank, RankCounts};

/// The situations, each with separate weights.
pub const SITUATIONS: usize = 9;

/// The part of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Bidder,
    Landlord,
    /// The peasant who plays after the landlord.
    After,
    /// The peasant who plays before the landlord.
    Before,
}

impl Role {
    /// `None` before the deal.
    pub(super) fn of(table: &DouDizhuSeatState) -> Option<Self> {
        let own = table.seat()?;
        Some(match table.round().landlord() {
            None => Self::Bidder,
            Some(landlord) if landlord == own => Self::Landlord,
            Some(landlord) if landlord.next() == own => Self::After,
            Some(_) => Self::Before,
        })
    }
}

/// Whether the play to beat is the partner's; `None` if the seat leads.
pub(super) fn answers_partner(table: &DouDizhuSeatState) -> Option<bool> {
    let last = table.round().to_beat()?;
    let own = table.seat()?;
    Some(last.seat != own && table.round().are_partners(last.seat, own))
}

pub(super) fn high_cards(cards: CardSet) -> usize {
    cards.iter().filter(|card| card.rank() >= Rank::TWO).count()
}

/// The others' cards: the fewest of an opponent, and the partner's.
pub(super) fn cards_of_others(table: &DouDizhuSeatState) -> (u8, u8) {
    let (mut fewest, mut partner) = (u8::MAX, 0);
    let own = table.seat();
    for seat in DouDizhuSeat::all().filter(|&seat| Some(seat) != own) {
        let left = table.round().left(seat);
        if own.is_some_and(|own| table.round().are_partners(own, seat)) {
            partner = left;
        } else {
            fewest = fewest.min(left);
        }
    }
    (fewest, partner)
}

features! {
    /// The features of the table, in their order.
    pub const TABLE;

    /// The features of the table, given the value of the best choice.
    pub(super) fn of_table(
        table: &DouDizhuSeatState,
        role: Role,
        best: f32,
    ) -> [f32; TABLE.len()] {
        let answers = answers_partner(table);
        let bidding = role == Role::Bidder;
        let (fewest, partner) = cards_of_others(table);
        let unseen = table.unseen();
        let counts = RankCounts::from(unseen);
        let rocket = counts.get(Rank::SMALL_JOKER) + counts.get(Rank::BIG_JOKER) == 2;
        let bombs = counts.at_least(4).count_ones() + u32::from(rocket);
        let plays = table
            .round()
            .trail()
            .iter()
            .filter(|played| played.play.is_some())
            .count();
    }

    flag("bidding", "whether it is a bid") = bidding;
    flag("landlord", "whether the own seat is the landlord") = role == Role::Landlord;
    flag("before", "whether it is the peasant who plays before the landlord") =
        role == Role::Before;
    flag("leads", "whether the own seat leads") = !bidding && answers.is_none();
    flag("partner", "whether the play to beat is the partner's") = answers == Some(true);
    upto("best", "units", 1.0, "the value of the best choice") = best;
    upto("own-left", "cards / 20", 1.0, "own cards") = f32::from(table.hand().len()) / 20.0;
    upto("fewest-left", "cards / 20", 1.0, "cards of the opponent with the fewest") =
        f32::from(fewest) / 20.0;
    upto("partner-left", "cards / 20", 1.0, "cards of the partner; 0 for the landlord") =
        f32::from(partner) / 20.0;
    upto("high-own", "cards / 6", 1.0, "own twos and jokers") =
        high_cards(table.hand()) as f32 / 6.0;
    upto("high-unseen", "cards / 6", 1.0, "unseen twos and jokers") =
        high_cards(unseen) as f32 / 6.0;
    upto("bombs", "bombs / 2", 2.0, "ranks of which all four cards are unseen, and the rocket") =
        bombs as f32 / 2.0;
    upto("plays", "plays / 12", 2.0, "plays so far, without passes") = plays as f32 / 12.0;
}

/// The situation: 0 for bids, 1 and 2 for the landlord who leads and who answers, 3 to 5 for the
/// peasant after the landlord who leads, answers the landlord, and answers the partner, 6 to 8 for
/// the one before the landlord.
pub(super) fn situation(table: &DouDizhuSeatState, role: Role) -> usize {
    let answer = match answers_partner(table) {
        None => 0,
        Some(false) => 1,
        Some(true) => 2,
    };
    match role {
        Role::Bidder => 0,
        Role::Landlord => 1 + answer.min(1),
        Role::After => 3 + answer,
        Role::Before => 6 + answer,
    }
}
