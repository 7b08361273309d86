//! Dou Dizhu in steps.

use doudizhu::{CardAction, CardEvent, CardRules, CardSeat, CardSet, Rank, RankCounts};
use page::{Pieces, StepRow, StepSeat};
use policy_host::DouDizhuTable;
use protocol::game_record::{CardRecordForm, RecordedGame};

use super::ShownGame;

/// Dou Dizhu, shown in steps.
pub(super) struct ShownCards;

/// A rank as people say it.
fn word(rank: Rank) -> String {
    match rank.letter() {
        'T' => "10".to_owned(),
        'x' => "small joker".to_owned(),
        'X' => "big joker".to_owned(),
        letter => letter.to_string(),
    }
}

/// Cards as people say them: `3 3 10 K big joker`.
fn words(cards: CardSet) -> String {
    cards.iter().map(|card| word(card.rank())).collect::<Vec<_>>().join(" ")
}

/// The same of how many there are of each rank.
fn count_words(counts: RankCounts) -> String {
    let each = counts.iter().flat_map(|(rank, cards)| std::iter::repeat_n(word(rank), cards.into()));
    each.collect::<Vec<_>>().join(" ")
}

fn ranks(cards: CardSet) -> String {
    cards.iter().map(|card| card.rank().to_string()).collect()
}

impl ShownGame for ShownCards {
    type Form = CardRecordForm;
    type Table = DouDizhuTable;
    const PIECES: Pieces = Pieces::Cards;

    fn table(_: usize, game: &RecordedGame<CardEvent>) -> DouDizhuTable {
        let bidding = matches!(game.events.first(), Some(CardEvent::Bid { .. }));
        DouDizhuTable::new(if bidding { CardRules::BIDDING } else { CardRules::FIXED })
    }

    fn heard(event: &CardEvent, _: usize) -> CardEvent {
        *event
    }

    fn action_words(action: &CardAction) -> String {
        match action {
            CardAction::Bid(0) => "no bid".to_owned(),
            CardAction::Bid(bid) => format!("bid {bid}"),
            CardAction::Pass => "pass".to_owned(),
            CardAction::Play(play) => format!("play {}", count_words(play.cards)),
        }
    }

    fn actor(event: &CardEvent) -> Option<usize> {
        match event {
            CardEvent::Bid { seat, .. } | CardEvent::Landlord { seat, .. } | CardEvent::Play { seat, .. } => {
                Some(seat.index())
            }
            _ => None,
        }
    }

    fn words(event: &CardEvent, names: &[String]) -> String {
        let who = Self::actor(event).and_then(|seat| names.get(seat)).map_or("", String::as_str);
        match event {
            CardEvent::Bid { bid: 0, .. } => format!("{who} does not bid."),
            CardEvent::Bid { bid, .. } => format!("{who} bids {bid}."),
            CardEvent::Landlord { public, .. } => {
                format!("{who} is the landlord and takes {}.", words(*public))
            }
            CardEvent::Play { cards, .. } if cards.is_empty() => format!("{who} passes."),
            CardEvent::Play { cards, .. } => format!("{who} plays {}.", words(*cards)),
            _ => String::new(),
        }
    }

    fn seat(seat: usize, own: Option<&DouDizhuTable>, any: &DouDizhuTable) -> StepSeat {
        let round = any.table().round();
        let Some(seat) = CardSeat::all().nth(seat) else { return StepSeat::default() };
        let hand = match own {
            Some(table) => ranks(table.table().hand()),
            None => "?".repeat(round.left(seat).into()),
        };
        let plays = round.trail().iter().filter(|played| played.seat == seat && !played.cards.is_empty());
        let role = match round.landlord() {
            Some(landlord) if landlord == seat => "landlord",
            Some(_) => "peasant",
            None => "bidding",
        };
        StepSeat {
            note: format!("{role}, {} cards", round.left(seat)),
            acted: false,
            rows: vec![
                StepRow { label: "hand", groups: vec![hand], gone: Vec::new() },
                StepRow { label: "plays", groups: plays.map(|played| ranks(played.cards)).collect(), gone: Vec::new() },
            ],
        }
    }
}
