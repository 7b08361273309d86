//! Dou Dizhu on its page.

use doudizhu::round::PUBLIC;
use doudizhu::{
    CardSet, DouDizhuEvent, DouDizhuRules, DouDizhuSeat, DouDizhuSeatState, Rank, RankCounts,
};
use protocol::game_record::{DouDizhuRecordForm, RecordForm, RecordedGame};

use super::model::{Pieces, Position, SeatPosition, StepSort};
use super::record::show_end;
use super::walk::{ShownGame, Told, Walk};
use super::words::ShownPieces;

/// A game of Dou Dizhu, from the seats whose hands are known.
#[derive(Debug)]
pub(crate) struct ShownDouDizhu {
    rules: DouDizhuRules,
    tables: Vec<DouDizhuSeatState>,
}

fn word(rank: Rank) -> String {
    match rank.letter() {
        'T' => "10".to_owned(),
        'x' => "small joker".to_owned(),
        'X' => "big joker".to_owned(),
        letter => letter.to_string(),
    }
}

/// Cards as text: `3 3 10 K big joker`.
fn words(cards: CardSet) -> String {
    cards
        .iter()
        .map(|card| word(card.rank()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn count_words(counts: RankCounts) -> String {
    let each = counts
        .iter()
        .flat_map(|(rank, cards)| std::iter::repeat_n(word(rank), cards.into()));
    each.collect::<Vec<_>>().join(" ")
}

impl ShownPieces for RankCounts {
    fn in_words(&self) -> String {
        count_words(*self)
    }

    fn codes(&self) -> String {
        self.to_string()
    }
}

fn ranks(cards: CardSet) -> String {
    cards.iter().map(|card| card.rank().letter()).collect()
}

impl ShownGame for ShownDouDizhu {
    type Form = DouDizhuRecordForm;
    const PIECES: Pieces = Pieces::Cards;

    fn dealt(record: &RecordedGame<DouDizhuRecordForm>) -> Option<(Self, usize)> {
        let rules = DouDizhuRecordForm::rules(record);
        let table = |deal: &DouDizhuEvent| {
            let mut table = DouDizhuSeatState::new(rules);
            table.apply(deal).is_ok().then_some(table)
        };
        let tables: Vec<DouDizhuSeatState> =
            record.deals.iter().flatten().filter_map(table).collect();
        (!tables.is_empty()).then_some((Self { rules, tables }, DouDizhuRecordForm::SEATS))
    }

    fn has_rules_of(&self, record: &RecordedGame<DouDizhuRecordForm>) -> bool {
        self.rules == DouDizhuRecordForm::rules(record)
    }

    fn take(&mut self, event: &DouDizhuEvent) -> Result<Option<String>, String> {
        for table in &mut self.tables {
            let seat = table.seat().map_or(0, DouDizhuSeat::index);
            table
                .apply(event)
                .map_err(|why| format!("seen from seat {seat}: {why}"))?;
        }
        Ok(None)
    }

    fn told(&self, event: &DouDizhuEvent, names: &[String]) -> Told {
        let name = |seat: &DouDizhuSeat| names.get(seat.index()).map_or("", String::as_str);
        let (words, sort) = match event {
            DouDizhuEvent::Bid { seat, bid: 0 } => {
                (format!("{} does not bid.", name(seat)), StepSort::Plain)
            }
            DouDizhuEvent::Bid { seat, bid } => {
                (format!("{} bids {bid}.", name(seat)), StepSort::Plain)
            }
            DouDizhuEvent::Landlord { seat, public } => (
                format!(
                    "{} is the landlord and takes {}.",
                    name(seat),
                    words(*public)
                ),
                StepSort::Turn,
            ),
            DouDizhuEvent::Play { seat, cards } if cards.is_empty() => {
                (format!("{} passes.", name(seat)), StepSort::Plain)
            }
            DouDizhuEvent::Play { seat, cards } => {
                let last = self
                    .tables
                    .first()
                    .and_then(|table| table.round().trail().last());
                let play = last.and_then(|played| played.play);
                let bomb = play.is_some_and(|play| play.combination.is_bomb());
                (
                    format!("{} plays {}.", name(seat), words(*cards)),
                    if bomb { StepSort::Bomb } else { StepSort::Turn },
                )
            }
            _ => return Told::Nothing,
        };
        Told::Step(words, sort)
    }

    fn position(&self) -> Position {
        let Some(any) = self.tables.first() else {
            return Position::default();
        };
        let round = any.round();
        let latest = round.trail().last().map(|played| played.seat);
        let bombs = round.trail().iter().filter_map(|played| played.play);
        let bombs = bombs.filter(|play| play.combination.is_bomb()).count();
        let bid = (!round.bids().is_empty()).then(|| format!("bid {}", round.highest_bid()));
        let bombs =
            (bombs > 0).then(|| format!("{bombs} {}", if bombs == 1 { "bomb" } else { "bombs" }));
        let bottom = if round.landlord().is_none() {
            "?".repeat(PUBLIC.into())
        } else {
            ranks(round.public())
        };
        Position {
            round: if round.landlord().is_none() {
                "Bidding"
            } else {
                "Play"
            }
            .to_owned(),
            counters: bid.into_iter().chain(bombs).collect::<Vec<_>>().join(" · "),
            bottom,
            turn: round.turn().map(DouDizhuSeat::index),
            latest: latest.map(DouDizhuSeat::index),
            seats: DouDizhuSeat::all()
                .map(|seat| self.seat(any, seat))
                .collect(),
            ..Position::default()
        }
    }

    fn ended(walk: &mut Walk<Self>, record: &RecordedGame<DouDizhuRecordForm>) {
        show_end(walk, record);
    }
}

impl ShownDouDizhu {
    fn table(&self, seat: DouDizhuSeat) -> Option<&DouDizhuSeatState> {
        self.tables.iter().find(|table| table.seat() == Some(seat))
    }

    fn seat(&self, any: &DouDizhuSeatState, seat: DouDizhuSeat) -> SeatPosition {
        let round = any.round();
        let hand = match self.table(seat) {
            Some(table) => ranks(table.hand()),
            None => "?".repeat(round.left(seat).into()),
        };
        let cards = match round.left(seat) {
            1 => "1 card".to_owned(),
            cards => format!("{cards} cards"),
        };
        let plays = round.trail().iter().filter(|played| played.seat == seat);
        let role = match round.landlord() {
            Some(landlord) if landlord == seat => "landlord",
            Some(_) => "peasant",
            None => "bidding",
        };
        SeatPosition {
            note: format!("{role}, {cards}"),
            hand,
            river: plays.map(|played| ranks(played.cards)).collect(),
            bid: round.bids().get(seat.index()).copied(),
            ..SeatPosition::default()
        }
    }
}
