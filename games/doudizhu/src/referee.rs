//! The referee: whether the events of a record can have happened.
//!
//! The cards of a deal are there once, each bid and play is one of the seat's, and legal. Of hands
//! that are hidden it checks what all seats know.

use game_core::Finding;

use crate::card::CardSet;
use crate::event::DouDizhuEvent;
use crate::round::AgainstRules;
use crate::rules::DouDizhuRules;
use crate::table::{DouDizhuContradiction, DouDizhuSeatState};

/// The first event that cannot have happened: its place, from 0, or `None` for the deal.
pub type ImpossibleEvent = (Option<usize>, Finding);

/// Judges a game: the deal of each seat whose cards are known, and the events after it.
///
/// # Errors
///
/// With the first event that cannot have happened.
pub fn judge(
    rules: DouDizhuRules,
    deals: &[Option<DouDizhuEvent>],
    events: &[DouDizhuEvent],
) -> Result<(), ImpossibleEvent> {
    let mut tables = Vec::new();
    let mut dealt = CardSet::EMPTY;
    for deal in deals.iter().flatten() {
        let mut table = DouDizhuSeatState::new(rules);
        table
            .apply(deal)
            .map_err(|why| (None, refused(deal, &why)))?;
        if let Some(card) = table.hand().intersection(dealt).iter().next() {
            let found = Finding::because(
                "hands",
                format!("card {}", card.number()),
                "it is dealt to two seats",
            );
            return Err((None, found));
        }
        dealt = dealt.union(table.hand());
        tables.push(table);
    }
    for (place, event) in events.iter().enumerate() {
        for table in &mut tables {
            table
                .apply(event)
                .map_err(|why| (Some(place), refused(event, &why)))?;
        }
    }
    Ok(())
}

/// The field of an event that a table refuses.
fn refused(event: &DouDizhuEvent, why: &DouDizhuContradiction) -> Finding {
    let (actor, name) = match *event {
        DouDizhuEvent::Deal { seat, .. } => (seat, "deal"),
        DouDizhuEvent::Bid { seat, .. } => (seat, "bid"),
        DouDizhuEvent::Landlord { seat, .. } => (seat, "landlord"),
        DouDizhuEvent::Play { seat, .. } => (seat, "play"),
    };
    let field = match why {
        DouDizhuContradiction::Turn(_) | DouDizhuContradiction::Landlord(_) => {
            return Finding::because("actor", actor.index(), why.to_string());
        }
        DouDizhuContradiction::HandSize { .. } if name == "deal" => "hands",
        DouDizhuContradiction::HandSize { .. }
        | DouDizhuContradiction::PublicSize { .. }
        | DouDizhuContradiction::PublicHeld(_) => "public",
        DouDizhuContradiction::NotHeld(..) | DouDizhuContradiction::TooMany { .. } => "cards",
        DouDizhuContradiction::Rules(AgainstRules::Bid) => "bid",
        DouDizhuContradiction::Rules(
            AgainstRules::Pass | AgainstRules::NoCombination | AgainstRules::NotBeaten(_),
        ) => "cards",
        DouDizhuContradiction::DealtTwice
        | DouDizhuContradiction::NotDealt
        | DouDizhuContradiction::Rules(AgainstRules::Phase) => "type",
    };
    let found = match (*event, field) {
        (_, "type") => name.to_owned(),
        (DouDizhuEvent::Bid { bid, .. }, _) => bid.to_string(),
        (DouDizhuEvent::Deal { hand: cards, .. }, _)
        | (DouDizhuEvent::Landlord { public: cards, .. }, _)
        | (DouDizhuEvent::Play { cards, .. }, _) => listed(cards),
    };
    Finding::because(field, found, why.to_string())
}

/// Cards by their numbers, as a record has them.
fn listed(cards: CardSet) -> String {
    let all: Vec<String> = cards.iter().map(|card| card.number().to_string()).collect();
    format!("[{}]", all.join(","))
}
