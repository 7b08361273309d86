//! Records of Chinese Standard mahjong. Tiles have mjai's names.

use mcr::event::{Flower, PLAYERS};
use mcr::game::{StandardEnd, WonWith};
use mcr::{StandardAction, StandardEvent};
use riichi::{Counts, Kind, Seat, Tile, Wind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{GameOutcome, RecordForm, RecordedEntry, RecordedFan, WinningTile};

/// How games of Chinese Standard mahjong are recorded.
#[derive(Debug, Clone, Copy)]
pub struct StandardRecordForm;

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StandardLine {
    Deal {
        prevalent_wind: String,
        hands: Vec<Option<Vec<String>>>,
        /// Laid down by each seat while it was dealt.
        flowers: [u8; 4],
    },
    Draw {
        actor: u64,
        tile: Option<String>,
    },
    Flower {
        actor: u64,
        flower: u8,
    },
    Discard {
        actor: u64,
        tile: String,
    },
    Pung {
        actor: u64,
        discard: String,
    },
    Chow {
        actor: u64,
        middle: String,
        discard: String,
    },
    Kong {
        actor: u64,
    },
    ConcealedKong {
        actor: u64,
        tile: Option<String>,
    },
    AddedKong {
        actor: u64,
        tile: String,
    },
    #[serde(other)]
    Other,
}

fn tiles(hand: &Counts) -> Vec<String> {
    Kind::all().flat_map(|kind| std::iter::repeat_n(kind.to_string(), hand[kind].into())).collect()
}

fn tile(name: &str) -> Result<Kind, String> {
    let tile = name.parse::<Tile>().ok().filter(|tile| !tile.is_red());
    tile.map(Tile::kind)
        .ok_or_else(|| format!("{name:?} is no tile; allowed are 1m to 9m, 1p to 9p, 1s to 9s, E, S, W, N, P, F and C"))
}

fn seat(actor: u64) -> Result<Seat, String> {
    let seat = u8::try_from(actor).ok().and_then(Seat::new);
    seat.ok_or_else(|| format!("`actor` is {actor}, and allowed are 0 to 3"))
}

const fn number(seat: Seat) -> u64 {
    seat.index() as u64
}

impl RecordForm for StandardRecordForm {
    type Event = StandardEvent;
    type Action = StandardAction;
    const SEATS: usize = PLAYERS as usize;

    fn deal_line(deals: &[Option<StandardEvent>]) -> String {
        let (mut wind, mut flowers) = (Wind::East, [0; 4]);
        let mut hands = vec![None; deals.len()];
        for (place, deal) in hands.iter_mut().zip(deals) {
            if let Some(StandardEvent::Dealt { prevalent_wind, hand, flowers: laid }) = deal {
                (wind, flowers) = (*prevalent_wind, *laid);
                *place = Some(tiles(hand));
            }
        }
        super::json(&StandardLine::Deal { prevalent_wind: wind.kind().to_string(), hands, flowers })
    }

    fn is_deal(event: &StandardEvent) -> bool {
        matches!(event, StandardEvent::Dealt { .. })
    }

    fn event_line(event: &StandardEvent) -> Option<String> {
        let name = |kind: &Kind| kind.to_string();
        Some(super::json(&match event {
            StandardEvent::Dealt { .. } | StandardEvent::Over => return None,
            StandardEvent::Drawn { seat, tile } => {
                StandardLine::Draw { actor: number(*seat), tile: tile.as_ref().map(name) }
            }
            StandardEvent::FlowerDrawn { seat, flower } => {
                StandardLine::Flower { actor: number(*seat), flower: flower.number() }
            }
            StandardEvent::Discarded { seat, tile } => StandardLine::Discard { actor: number(*seat), tile: name(tile) },
            StandardEvent::PungClaimed { seat, discard } => {
                StandardLine::Pung { actor: number(*seat), discard: name(discard) }
            }
            StandardEvent::ChowClaimed { seat, middle, discard } => {
                StandardLine::Chow { actor: number(*seat), middle: name(middle), discard: name(discard) }
            }
            StandardEvent::KongClaimed { seat } => StandardLine::Kong { actor: number(*seat) },
            StandardEvent::ConcealedKong { seat, tile } => {
                StandardLine::ConcealedKong { actor: number(*seat), tile: tile.as_ref().map(name) }
            }
            StandardEvent::KongAdded { seat, tile } => {
                StandardLine::AddedKong { actor: number(*seat), tile: name(tile) }
            }
        }))
    }

    fn action(action: &StandardAction) -> Value {
        let name = |kind: Kind| kind.to_string();
        match *action {
            StandardAction::Pass => json!({"type": "pass"}),
            StandardAction::Win => json!({"type": "win"}),
            StandardAction::Discard(tile) => json!({"type": "discard", "tile": name(tile)}),
            StandardAction::ConcealedKong(tile) => json!({"type": "concealed_kong", "tile": name(tile)}),
            StandardAction::AddKong(tile) => json!({"type": "added_kong", "tile": name(tile)}),
            StandardAction::ClaimKong => json!({"type": "kong"}),
            StandardAction::ClaimPung { discard } => json!({"type": "pung", "discard": name(discard)}),
            StandardAction::ClaimChow { middle, discard } => {
                json!({"type": "chow", "middle": name(middle), "discard": name(discard)})
            }
        }
    }

    fn read(line: &str) -> Result<Option<RecordedEntry<StandardEvent>>, String> {
        let hidden = |name: Option<String>| name.as_deref().map(tile).transpose();
        let event = match serde_json::from_str(line).map_err(|error| error.to_string())? {
            StandardLine::Deal { prevalent_wind, hands, flowers } => {
                if hands.len() != Self::SEATS {
                    return Err(format!("`hands` are {}, and there are {} seats", hands.len(), Self::SEATS));
                }
                let prevalent_wind = tile(&prevalent_wind)?;
                let prevalent_wind = Wind::of_kind(prevalent_wind)
                    .ok_or_else(|| format!("{prevalent_wind} is no wind; allowed are E, S, W and N"))?;
                let deal = |hand: Vec<String>| -> Result<StandardEvent, String> {
                    let mut counts = Counts::EMPTY;
                    for name in hand.iter().take(Self::MOST_DEALT) {
                        counts[tile(name)?] += 1;
                    }
                    Ok(StandardEvent::Dealt { prevalent_wind, hand: counts, flowers })
                };
                let deals: Result<_, String> = hands.into_iter().map(|hand| hand.map(deal).transpose()).collect();
                return Ok(Some(RecordedEntry::Dealt(deals?)));
            }
            StandardLine::Draw { actor, tile } => StandardEvent::Drawn { seat: seat(actor)?, tile: hidden(tile)? },
            StandardLine::Flower { actor, flower } => StandardEvent::FlowerDrawn {
                seat: seat(actor)?,
                flower: Flower::new(flower).ok_or_else(|| format!("`flower` is {flower}, and allowed are 1 to 8"))?,
            },
            StandardLine::Discard { actor, tile: name } => {
                StandardEvent::Discarded { seat: seat(actor)?, tile: tile(&name)? }
            }
            StandardLine::Pung { actor, discard } => {
                StandardEvent::PungClaimed { seat: seat(actor)?, discard: tile(&discard)? }
            }
            StandardLine::Chow { actor, middle, discard } => {
                StandardEvent::ChowClaimed { seat: seat(actor)?, middle: tile(&middle)?, discard: tile(&discard)? }
            }
            StandardLine::Kong { actor } => StandardEvent::KongClaimed { seat: seat(actor)? },
            StandardLine::ConcealedKong { actor, tile } => {
                StandardEvent::ConcealedKong { seat: seat(actor)?, tile: hidden(tile)? }
            }
            StandardLine::AddedKong { actor, tile: name } => {
                StandardEvent::KongAdded { seat: seat(actor)?, tile: tile(&name)? }
            }
            StandardLine::Other => return Ok(None),
        };
        Ok(Some(RecordedEntry::Happened(event)))
    }
}

impl From<&StandardEnd> for GameOutcome {
    fn from(end: &StandardEnd) -> Self {
        match end {
            StandardEnd::Won { winner, from, with, tile, fan } => Self::Win {
                winner: winner.index(),
                from: from.index(),
                with: match with {
                    WonWith::Draw => WinningTile::Draw,
                    WonWith::Discard => WinningTile::Discard,
                    WonWith::RobbedKong => WinningTile::RobbedKong,
                },
                tile: tile.to_string(),
                total: fan.total(),
                fan: fan
                    .fans()
                    .map(|(fan, times)| RecordedFan { name: fan.english().to_owned(), value: fan.value(), times })
                    .collect(),
            },
            StandardEnd::Drawn => Self::Drawn,
            StandardEnd::Fault { seat, .. } => Self::Fault { seat: seat.index() },
        }
    }
}

impl StandardRecordForm {
    /// One more than are dealt: whoever takes in the deal refuses it.
    const MOST_DEALT: usize = 14;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Kind {
        name.parse::<Tile>().expect("a tile").kind()
    }

    #[test]
    fn what_happens_is_read_as_it_was_written() {
        let hand: Counts = ["1m", "9p", "E", "P", "C"].map(kind).into_iter().collect();
        let deal = StandardEvent::Dealt { prevalent_wind: Wind::West, hand, flowers: [0, 2, 0, 1] };
        let line = StandardRecordForm::deal_line(&[Some(deal.clone()), None, None, None]);
        let read = StandardRecordForm::read(&line);
        assert_eq!(read, Ok(Some(RecordedEntry::Dealt(vec![Some(deal), None, None, None]))), "{line}");
        let seat = Seat::FIRST.next(4);
        let [tile, middle, discard] = [kind("5s"), kind("2p"), kind("F")];
        for event in [
            StandardEvent::Drawn { seat, tile: None },
            StandardEvent::Drawn { seat, tile: Some(tile) },
            StandardEvent::FlowerDrawn { seat, flower: Flower::new(8).expect("a flower") },
            StandardEvent::Discarded { seat, tile },
            StandardEvent::PungClaimed { seat, discard },
            StandardEvent::ChowClaimed { seat, middle, discard },
            StandardEvent::KongClaimed { seat },
            StandardEvent::ConcealedKong { seat, tile: None },
            StandardEvent::ConcealedKong { seat, tile: Some(tile) },
            StandardEvent::KongAdded { seat, tile },
        ] {
            let line = StandardRecordForm::event_line(&event).expect("it has a line");
            assert_eq!(StandardRecordForm::read(&line), Ok(Some(RecordedEntry::Happened(event))), "{line}");
        }
    }

    #[test]
    fn what_is_no_tile_no_wind_and_no_seat_is_named_with_what_is_allowed() {
        let wrong = |line: &str| StandardRecordForm::read(line).expect_err("it is wrong");
        assert!(wrong(r#"{"type":"discard","actor":0,"tile":"5mr"}"#).starts_with("\"5mr\" is no tile; allowed are"));
        assert_eq!(wrong(r#"{"type":"kong","actor":4}"#), "`actor` is 4, and allowed are 0 to 3");
        assert_eq!(
            wrong(r#"{"type":"deal","prevalent_wind":"P","hands":[null,null,null,null],"flowers":[0,0,0,0]}"#),
            "P is no wind; allowed are E, S, W and N"
        );
        assert!(wrong(r#"{"type":"draw","actor":"0","tile":null}"#).contains("invalid type"));
    }
}
