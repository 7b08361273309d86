//! Chinese Standard mahjong on its page.

use mcr::event::{Flower, PLAYERS};
use mcr::seat::{McrStage, RiverDiscard, SeenSet};
use mcr::{DeclaredSet, McrEvent, McrRules, McrSeatState};
use protocol::game_record::{McrRecordForm, RecordForm, RecordedGame};
use riichi::{Counts, Kind, Seat};

use super::model::{Pieces, Position, SeatPosition, ShownMeld, StepSort};
use super::record::show_end;
use super::walk::{ShownGame, Told, Walk};
use super::words::{tile_code, tile_word, tiles_word};

/// A game of Chinese Standard mahjong, from the seats whose hands are known.
#[derive(Debug)]
pub(crate) struct ShownMcr {
    rules: McrRules,
    seats: Vec<McrSeatState>,
}

fn kind_word(kind: Kind) -> String {
    tile_word(kind.tile())
}

fn codes(tiles: impl IntoIterator<Item = (Kind, u8)>) -> String {
    tiles
        .into_iter()
        .map(|(kind, count)| tile_code(kind.tile()).repeat(count.into()))
        .collect()
}

fn hand_codes(hand: &Counts) -> String {
    codes(Kind::all().map(|kind| (kind, hand[kind])))
}

/// The chow around a tile: `4 5 6 of dots`.
fn chow_words(middle: Kind) -> String {
    tiles_word(
        DeclaredSet::Chow(middle)
            .tiles()
            .map(|(kind, _)| kind.tile()),
    )
}

impl ShownGame for ShownMcr {
    type Form = McrRecordForm;
    const PIECES: Pieces = Pieces::Tiles;

    fn dealt(record: &RecordedGame<McrRecordForm>) -> Option<(Self, usize)> {
        let rules = McrRecordForm::rules(record);
        let table = |(seat, deal): (Seat, &Option<McrEvent>)| {
            let mut table = McrSeatState::new(seat, rules);
            table.apply(deal.as_ref()?).is_ok().then_some(table)
        };
        let seats: Vec<McrSeatState> = Seat::all(PLAYERS)
            .zip(&record.deals)
            .filter_map(table)
            .collect();
        (!seats.is_empty()).then_some((Self { rules, seats }, McrRecordForm::SEATS))
    }

    fn has_rules_of(&self, record: &RecordedGame<McrRecordForm>) -> bool {
        self.rules == McrRecordForm::rules(record)
    }

    fn take(&mut self, event: &McrEvent) -> Result<Option<String>, String> {
        for table in &mut self.seats {
            let seat = table.seat();
            table
                .apply(&event.hidden_from(seat))
                .map_err(|why| format!("seen from seat {seat}: {why}"))?;
        }
        Ok(None)
    }

    fn told(&self, event: &McrEvent, names: &[String]) -> Told {
        let name = |seat: &Seat| names.get(seat.index()).map_or("", String::as_str);
        let known = |tile: &Option<Kind>| tile.map_or_else(|| "a tile".to_owned(), kind_word);
        let (words, sort) = match event {
            McrEvent::Dealt { .. } | McrEvent::Over => return Told::Nothing,
            McrEvent::Drawn { seat, tile } => (
                format!("{} draws {}.", name(seat), known(tile)),
                StepSort::Turn,
            ),
            McrEvent::FlowerDrawn { seat, flower } => (
                format!("{} draws flower {}.", name(seat), Flower::number(*flower)),
                StepSort::Plain,
            ),
            McrEvent::Discarded { seat, tile } => (
                format!("{} discards {}.", name(seat), kind_word(*tile)),
                StepSort::Plain,
            ),
            McrEvent::PungClaimed { seat, discard } => (
                format!(
                    "{} claims a pung and discards {}.",
                    name(seat),
                    kind_word(*discard)
                ),
                StepSort::Pung,
            ),
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } => {
                let (chow, discard) = (chow_words(*middle), kind_word(*discard));
                (
                    format!(
                        "{} claims a chow, {chow}, and discards {discard}.",
                        name(seat)
                    ),
                    StepSort::Chow,
                )
            }
            McrEvent::KongClaimed { seat } => {
                (format!("{} claims a kong.", name(seat)), StepSort::Kong)
            }
            McrEvent::ConcealedKong { seat, tile } => (
                format!(
                    "{} declares a concealed kong of {}.",
                    name(seat),
                    known(tile)
                ),
                StepSort::Kong,
            ),
            McrEvent::KongAdded { seat, tile } => (
                format!("{} adds {} to a pung.", name(seat), kind_word(*tile)),
                StepSort::Kong,
            ),
        };
        Told::Step(words, sort)
    }

    fn position(&self) -> Position {
        let Some(any) = self.seats.first() else {
            return Position::default();
        };
        let (turn, latest) = match any.stage() {
            McrStage::Drawn { seat, .. } | McrStage::KongAdded { seat, .. } => (Some(seat), None),
            McrStage::Discarded { seat, .. } => (Some(seat), Some(seat)),
            McrStage::Undealt | McrStage::Drawing | McrStage::Over => (None, None),
        };
        Position {
            round: format!("{:?}", any.prevalent_wind()),
            counters: "round wind".to_owned(),
            left: Some(
                Seat::all(PLAYERS)
                    .map(|seat| u32::from(any.public(seat).wall))
                    .sum(),
            ),
            turn: turn.map(Seat::index),
            latest: latest.map(Seat::index),
            seats: Seat::all(PLAYERS)
                .map(|seat| self.seat(any, seat))
                .collect(),
            ..Position::default()
        }
    }

    fn ended(walk: &mut Walk<Self>, record: &RecordedGame<McrRecordForm>) {
        show_end(walk, record);
    }
}

impl ShownMcr {
    fn known(&self, seat: Seat) -> Option<&McrSeatState> {
        self.seats.iter().find(|table| table.seat() == seat)
    }

    fn seat(&self, any: &McrSeatState, seat: Seat) -> SeatPosition {
        let public = any.public(seat);
        let holds_drawn =
            matches!(any.stage(), McrStage::Drawn { seat: holder, .. } if holder == seat);
        let (hand, drawn, sets) = match self.known(seat) {
            Some(table) => {
                let mut concealed = *table.hand().concealed();
                let drawn = table.drawn().inspect(|&drawn| concealed[drawn] -= 1);
                let sets = table
                    .hand()
                    .sets()
                    .iter()
                    .map(|&set| shown_set(SeenSet::Known(set)))
                    .collect();
                (
                    hand_codes(&concealed),
                    drawn.map_or_else(String::new, |drawn| tile_code(drawn.tile())),
                    sets,
                )
            }
            None => {
                let drawn = if holds_drawn { "??" } else { "" };
                let hand = "??".repeat(usize::from(public.concealed) - drawn.len() / 2);
                (
                    hand,
                    drawn.to_owned(),
                    public.sets.iter().map(|&set| shown_set(set)).collect(),
                )
            }
        };
        let flowers = match public.flowers {
            0 => String::new(),
            1 => ", 1 flower".to_owned(),
            flowers => format!(", {flowers} flowers"),
        };
        let discard = |&RiverDiscard { tile, claimed }: &RiverDiscard| {
            format!(
                "{}{}",
                tile_code(tile.tile()),
                if claimed { "-" } else { "" }
            )
        };
        SeatPosition {
            wind: Some(seat.index() as u8),
            note: format!("{} tiles in its wall{flowers}", public.wall),
            hand,
            drawn,
            melds: sets,
            river: public.river.iter().map(discard).collect(),
            // The page does not show which flowers they are.
            aside: "1f".repeat(public.flowers.into()),
            ..SeatPosition::default()
        }
    }
}

fn shown_set(set: SeenSet) -> ShownMeld {
    let SeenSet::Known(set) = set else {
        return ShownMeld {
            name: "concealed kong",
            from: None,
            tiles: "??".repeat(4),
        };
    };
    let tiles = codes(set.tiles());
    match set {
        DeclaredSet::Chow(_) => ShownMeld {
            name: "chow",
            from: None,
            tiles,
        },
        DeclaredSet::Pung(_) => ShownMeld {
            name: "pung",
            from: None,
            tiles,
        },
        DeclaredSet::MeldedKong(_) => ShownMeld {
            name: "kong",
            from: None,
            tiles,
        },
        DeclaredSet::ConcealedKong(kind) => {
            let tile = tile_code(kind.tile());
            ShownMeld {
                name: "concealed kong",
                from: None,
                tiles: format!("{tile}_{tile}{tile}{tile}_"),
            }
        }
    }
}
