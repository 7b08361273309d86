//! Records of Chinese Standard mahjong. Tiles have mjai's names.

use mcr::event::{Flower, PLAYERS};
use mcr::game::{McrEnd, WonWith};
use mcr::seat::McrStage;
use mcr::{Fan, FanCount, McrAction, McrEvent, McrRules, McrSeatState};
use riichi::{Counts, Kind, Seat, Tile, Wind};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{
    EntryOf, GameOutcome, LineForm, RecordEnd, RecordForm, RecordStart, RecordedEntry, RecordedFan,
    RecordedGame, WinningTile, raw,
};

/// The form of records of Chinese Standard mahjong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McrRecordForm;

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum McrRecordLine {
    StartGame(RecordStart),
    EndGame(RecordEnd),
    Deal {
        prevalent_wind: String,
        hands: Vec<Option<Vec<String>>>,
        /// Laid down by each seat during the deal.
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
    Kind::all()
        .flat_map(|kind| std::iter::repeat_n(kind.to_string(), hand[kind].into()))
        .collect()
}

fn tile(name: &str) -> Result<Kind, String> {
    let tile = name.parse::<Tile>().ok().filter(|tile| !tile.is_red());
    tile.map(Tile::kind).ok_or_else(|| {
        format!("{name:?} is not a tile; allowed are 1m to 9m, 1p to 9p, 1s to 9s, E, S, W, N, P, F and C")
    })
}

fn seat(actor: u64) -> Result<Seat, String> {
    let seat = u8::try_from(actor).ok().and_then(Seat::new);
    seat.ok_or_else(|| format!("`actor` is {actor}, and allowed are 0 to 3"))
}

const fn number(seat: Seat) -> u64 {
    seat.index() as u64
}

/// The end of a record, from each seat whose hand is known and fits the events.
fn last_position(record: &RecordedGame<McrRecordForm>) -> Vec<McrSeatState> {
    let rules = McrRecordForm::rules(record);
    let table = |(seat, deal): (Seat, &Option<McrEvent>)| {
        let mut table = McrSeatState::new(seat, rules);
        let mut events = deal.iter().chain(&record.events);
        (deal.is_some() && events.all(|event| table.apply(&event.hidden_from(seat)).is_ok()))
            .then_some(table)
    };
    Seat::all(PLAYERS)
        .zip(&record.deals)
        .filter_map(table)
        .collect()
}

fn recorded_fan(fan: &FanCount) -> Vec<RecordedFan> {
    let recorded = |(fan, times): (Fan, u8)| RecordedFan {
        name: fan.english().to_owned(),
        value: fan.value(),
        times,
    };
    fan.fans().map(recorded).collect()
}

/// Whether the next draw is from an empty wall.
fn is_wall_empty(table: &McrSeatState) -> bool {
    let is_empty = |seat: Seat| table.public(seat).wall == 0;
    match table.stage() {
        McrStage::Discarded { seat, .. } => is_empty(seat.next(PLAYERS)),
        McrStage::Drawing | McrStage::KongAdded { .. } => Seat::all(PLAYERS).any(is_empty),
        McrStage::Undealt | McrStage::Drawn { .. } | McrStage::Over => false,
    }
}

/// The win of a seat at this moment, if it has one.
fn won_by(table: &McrSeatState) -> Option<McrEnd> {
    let (from, with, tile) = match table.stage() {
        McrStage::Drawn { seat, tile } => (seat, WonWith::Draw, tile?),
        McrStage::Discarded { seat, tile } => (seat, WonWith::Discard, tile),
        McrStage::KongAdded { seat, tile } => (seat, WonWith::RobbedKong, tile),
        McrStage::Undealt | McrStage::Drawing | McrStage::Over => return None,
    };
    let fan = table.win().filter(FanCount::is_enough)?;
    Some(McrEnd::Won {
        winner: table.seat(),
        from,
        with,
        tile,
        fan: Box::new(fan),
    })
}

fn whole_end(scores: [i32; 4], outcome: Option<GameOutcome>) -> RecordEnd {
    RecordEnd {
        scores: scores.map(f64::from).to_vec(),
        outcome,
    }
}

/// The ends by the outcome that the scores show, or else by the recorded one. From one seat the
/// number of fan is not known, and perhaps not whose tile it was.
fn ends_seen_from_a_seat(shown: Option<GameOutcome>, end: &RecordEnd) -> Vec<RecordEnd> {
    let win = match shown.as_ref().or(end.outcome.as_ref()) {
        Some(&GameOutcome::Win {
            winner,
            from,
            total,
            ..
        }) => Seat::at(winner).zip(Seat::at(from)).zip(Some(total)),
        _ => None,
    };
    let Some(((winner, from), total)) = win else {
        return vec![RecordEnd {
            scores: end.scores.clone(),
            outcome: shown,
        }];
    };
    if shown.is_none() {
        return vec![whole_end(
            McrEnd::win_scores(winner, from, total),
            end.outcome.clone(),
        )];
    }
    let gain = end.scores[winner.index()];
    let paid_by = |payer: Seat| {
        let fan = if payer == winner {
            gain / 3.0 - 8.0
        } else {
            gain - 24.0
        };
        let is_possible = fan >= 8.0 && fan.fract() == 0.0;
        is_possible.then(|| whole_end(McrEnd::win_scores(winner, payer, fan as u16), shown.clone()))
    };
    std::iter::once(from)
        .chain(Seat::all(PLAYERS))
        .filter_map(paid_by)
        .collect()
}

impl LineForm for McrRecordForm {
    type Event = McrEvent;
    type Action = McrAction;
    type Facts = ();
    type Earlier = ();
    const IS_DEAL_APART: bool = true;

    fn deal_line(deals: &[Option<McrEvent>]) -> Option<String> {
        let (mut wind, mut flowers) = (Wind::East, [0; 4]);
        let mut hands = vec![None; deals.len()];
        for (place, deal) in hands.iter_mut().zip(deals) {
            if let Some(McrEvent::Dealt {
                prevalent_wind,
                hand,
                flowers: laid,
            }) = deal
            {
                (wind, flowers) = (*prevalent_wind, *laid);
                *place = Some(tiles(hand));
            }
        }
        Some(super::json(&McrRecordLine::Deal {
            prevalent_wind: wind.kind().to_string(),
            hands,
            flowers,
        }))
    }

    fn event_line(event: &McrEvent) -> Option<String> {
        let name = |kind: &Kind| kind.to_string();
        Some(super::json(&match event {
            McrEvent::Dealt { .. } | McrEvent::Over => return None,
            McrEvent::Drawn { seat, tile } => McrRecordLine::Draw {
                actor: number(*seat),
                tile: tile.as_ref().map(name),
            },
            McrEvent::FlowerDrawn { seat, flower } => McrRecordLine::Flower {
                actor: number(*seat),
                flower: flower.number(),
            },
            McrEvent::Discarded { seat, tile } => McrRecordLine::Discard {
                actor: number(*seat),
                tile: name(tile),
            },
            McrEvent::PungClaimed { seat, discard } => McrRecordLine::Pung {
                actor: number(*seat),
                discard: name(discard),
            },
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } => McrRecordLine::Chow {
                actor: number(*seat),
                middle: name(middle),
                discard: name(discard),
            },
            McrEvent::KongClaimed { seat } => McrRecordLine::Kong {
                actor: number(*seat),
            },
            McrEvent::ConcealedKong { seat, tile } => McrRecordLine::ConcealedKong {
                actor: number(*seat),
                tile: tile.as_ref().map(name),
            },
            McrEvent::KongAdded { seat, tile } => McrRecordLine::AddedKong {
                actor: number(*seat),
                tile: name(tile),
            },
        }))
    }

    fn read(line: &str, (): &mut ()) -> Result<Option<EntryOf<Self>>, String> {
        let hidden = |name: Option<String>| name.as_deref().map(tile).transpose();
        let event = match serde_json::from_str(line).map_err(|error| error.to_string())? {
            McrRecordLine::StartGame(start) => {
                return Ok(Some(RecordedEntry::Started(start, None)));
            }
            McrRecordLine::EndGame(end) => return Ok(Some(RecordedEntry::Ended(end))),
            McrRecordLine::Deal {
                prevalent_wind,
                hands,
                flowers,
            } => {
                if hands.len() != Self::SEATS {
                    return Err(format!(
                        "`hands` are {}, and there are {} seats",
                        hands.len(),
                        Self::SEATS
                    ));
                }
                let prevalent_wind = tile(&prevalent_wind)?;
                let prevalent_wind = Wind::of_kind(prevalent_wind).ok_or_else(|| {
                    format!("{prevalent_wind} is not a wind; allowed are E, S, W and N")
                })?;
                let deal = |hand: Vec<String>| -> Result<McrEvent, String> {
                    let mut counts = Counts::EMPTY;
                    for name in hand.iter().take(Self::MAX_DEALT) {
                        counts[tile(name)?] += 1;
                    }
                    Ok(McrEvent::Dealt {
                        prevalent_wind,
                        hand: counts,
                        flowers,
                    })
                };
                let deals: Result<_, String> = hands
                    .into_iter()
                    .map(|hand| hand.map(deal).transpose())
                    .collect();
                return Ok(Some(RecordedEntry::Dealt(deals?)));
            }
            McrRecordLine::Draw { actor, tile } => McrEvent::Drawn {
                seat: seat(actor)?,
                tile: hidden(tile)?,
            },
            McrRecordLine::Flower { actor, flower } => McrEvent::FlowerDrawn {
                seat: seat(actor)?,
                flower: Flower::new(flower)
                    .ok_or_else(|| format!("`flower` is {flower}, and allowed are 1 to 8"))?,
            },
            McrRecordLine::Discard { actor, tile: name } => McrEvent::Discarded {
                seat: seat(actor)?,
                tile: tile(&name)?,
            },
            McrRecordLine::Pung { actor, discard } => McrEvent::PungClaimed {
                seat: seat(actor)?,
                discard: tile(&discard)?,
            },
            McrRecordLine::Chow {
                actor,
                middle,
                discard,
            } => McrEvent::ChowClaimed {
                seat: seat(actor)?,
                middle: tile(&middle)?,
                discard: tile(&discard)?,
            },
            McrRecordLine::Kong { actor } => McrEvent::KongClaimed { seat: seat(actor)? },
            McrRecordLine::ConcealedKong { actor, tile } => McrEvent::ConcealedKong {
                seat: seat(actor)?,
                tile: hidden(tile)?,
            },
            McrRecordLine::AddedKong { actor, tile: name } => McrEvent::KongAdded {
                seat: seat(actor)?,
                tile: tile(&name)?,
            },
            McrRecordLine::Other => return Ok(None),
        };
        Ok(Some(RecordedEntry::Happened(event, ())))
    }

    fn action(action: &McrAction, _: Seat) -> Box<RawValue> {
        let name = |kind: Kind| kind.to_string();
        raw(&match *action {
            McrAction::Pass => json!({"type": "pass"}),
            McrAction::Win => json!({"type": "win"}),
            McrAction::Discard(tile) => json!({"type": "discard", "tile": name(tile)}),
            McrAction::ConcealedKong(tile) => json!({"type": "concealed_kong", "tile": name(tile)}),
            McrAction::AddKong(tile) => json!({"type": "added_kong", "tile": name(tile)}),
            McrAction::ClaimKong => json!({"type": "kong"}),
            McrAction::ClaimPung { discard } => json!({"type": "pung", "discard": name(discard)}),
            McrAction::ClaimChow { middle, discard } => {
                json!({"type": "chow", "middle": name(middle), "discard": name(discard)})
            }
        })
    }

    fn read_action(written: &Value) -> Option<McrAction> {
        let kind = |field: &str| tile(written[field].as_str()?).ok();
        Some(match written["type"].as_str()? {
            "pass" => McrAction::Pass,
            "win" => McrAction::Win,
            "discard" => McrAction::Discard(kind("tile")?),
            "concealed_kong" => McrAction::ConcealedKong(kind("tile")?),
            "added_kong" => McrAction::AddKong(kind("tile")?),
            "kong" => McrAction::ClaimKong,
            "pung" => McrAction::ClaimPung {
                discard: kind("discard")?,
            },
            "chow" => McrAction::ClaimChow {
                middle: kind("middle")?,
                discard: kind("discard")?,
            },
            _ => return None,
        })
    }
}

impl RecordForm for McrRecordForm {
    type Rules = McrRules;
    const SEATS: usize = PLAYERS as usize;

    fn rules(record: &RecordedGame<McrRecordForm>) -> McrRules {
        let dealt =
            |deal: &McrEvent| matches!(deal, McrEvent::Dealt { flowers, .. } if *flowers != [0; 4]);
        let drawn = |event: &McrEvent| matches!(event, McrEvent::FlowerDrawn { .. });
        let flowers = record.deals.iter().flatten().any(dealt) || record.events.iter().any(drawn);
        McrRules {
            flowers,
            ..McrRules::default()
        }
    }

    fn is_deal(event: &McrEvent) -> bool {
        matches!(event, McrEvent::Dealt { .. })
    }

    /// The scores show it, and the position who paid for what. The fan are counted if the winner's
    /// hand is known.
    fn outcome(record: &RecordedGame<McrRecordForm>, scores: &[f64]) -> Option<GameOutcome> {
        if scores.len() != Self::SEATS {
            return None;
        }
        if scores.iter().all(|&score| score == 0.0) {
            return Some(GameOutcome::Drawn);
        }
        let mut gained = Seat::all(PLAYERS).filter(|seat| scores[seat.index()] > 0.0);
        let (Some(winner), None) = (gained.next(), gained.next()) else {
            let lost = scores.iter().position(|&score| score < 0.0)?;
            return Some(GameOutcome::Fault { seat: lost });
        };
        let tables = last_position(record);
        let won = tables.iter().find(|table| table.seat() == winner);
        let (from, with, tile) = match tables.first()?.stage() {
            McrStage::Drawn { seat, .. } if seat == winner => {
                (seat, WinningTile::Draw, won.and_then(McrSeatState::drawn))
            }
            McrStage::Discarded { seat, tile } => (seat, WinningTile::Discard, Some(tile)),
            McrStage::KongAdded { seat, tile } => (seat, WinningTile::RobbedKong, Some(tile)),
            _ => return None,
        };
        // Each of the three pays 8, and the discarder, or each at a self-draw, also pays the fan.
        let score = scores[winner.index()];
        let total = if from == winner {
            score / 3.0 - 8.0
        } else {
            score - 24.0
        };
        let fan = won
            .and_then(McrSeatState::win)
            .filter(|fan| f64::from(fan.total()) == total);
        (total >= 8.0 && total.fract() == 0.0).then(|| GameOutcome::Win {
            winner: winner.index(),
            from: from.index(),
            with,
            tile: tile.map(|tile| tile.to_string()).unwrap_or_default(),
            total: total as u16,
            fan: fan.as_ref().map(recorded_fan).unwrap_or_default(),
        })
    }

    fn possible_ends(record: &RecordedGame<McrRecordForm>, end: &RecordEnd) -> Vec<RecordEnd> {
        let tables = last_position(record);
        match tables.first() {
            // A table that refused an event says what is wrong.
            _ if tables.len() < record.deals.iter().flatten().count() => Vec::new(),
            Some(any) if record.is_of_table() => {
                let faults = Seat::all(PLAYERS).map(|seat| McrEnd::Fault {
                    seat,
                    wrong_win: false,
                });
                let drawn = is_wall_empty(any).then_some(McrEnd::Drawn);
                let ends = tables.iter().filter_map(won_by).chain(drawn).chain(faults);
                ends.map(|end| whole_end(end.scores(), Some(GameOutcome::from(&end))))
                    .collect()
            }
            _ => ends_seen_from_a_seat(Self::outcome(record, &end.scores), end),
        }
    }
}

impl From<&McrEnd> for GameOutcome {
    fn from(end: &McrEnd) -> Self {
        match end {
            McrEnd::Won {
                winner,
                from,
                with,
                tile,
                fan,
            } => Self::Win {
                winner: winner.index(),
                from: from.index(),
                with: match with {
                    WonWith::Draw => WinningTile::Draw,
                    WonWith::Discard => WinningTile::Discard,
                    WonWith::RobbedKong => WinningTile::RobbedKong,
                },
                tile: tile.to_string(),
                total: fan.total(),
                fan: recorded_fan(fan),
            },
            McrEnd::Drawn => Self::Drawn,
            McrEnd::Fault { seat, .. } => Self::Fault { seat: seat.index() },
        }
    }
}

impl McrRecordForm {
    /// One tile more than a deal has, so that a table refuses the deal.
    const MAX_DEALT: usize = 14;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Kind {
        name.parse::<Tile>().expect("a tile").kind()
    }

    #[test]
    fn written_events_read_back_the_same() {
        let hand: Counts = ["1m", "9p", "E", "P", "C"].map(kind).into_iter().collect();
        let deal = McrEvent::Dealt {
            prevalent_wind: Wind::West,
            hand,
            flowers: [0, 2, 0, 1],
        };
        let line = McrRecordForm::deal_line(&[Some(deal.clone()), None, None, None])
            .expect("it has a line");
        let read = McrRecordForm::read(&line, &mut ());
        assert_eq!(
            read,
            Ok(Some(RecordedEntry::Dealt(vec![
                Some(deal),
                None,
                None,
                None
            ]))),
            "{line}"
        );
        let seat = Seat::FIRST.next(4);
        let [tile, middle, discard] = [kind("5s"), kind("2p"), kind("F")];
        for event in [
            McrEvent::Drawn { seat, tile: None },
            McrEvent::Drawn {
                seat,
                tile: Some(tile),
            },
            McrEvent::FlowerDrawn {
                seat,
                flower: Flower::new(8).expect("a flower"),
            },
            McrEvent::Discarded { seat, tile },
            McrEvent::PungClaimed { seat, discard },
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            },
            McrEvent::KongClaimed { seat },
            McrEvent::ConcealedKong { seat, tile: None },
            McrEvent::ConcealedKong {
                seat,
                tile: Some(tile),
            },
            McrEvent::KongAdded { seat, tile },
        ] {
            let line = McrRecordForm::event_line(&event).expect("it has a line");
            assert_eq!(
                McrRecordForm::read(&line, &mut ()),
                Ok(Some(RecordedEntry::Happened(event, ()))),
                "{line}"
            );
        }
    }

    #[test]
    fn an_invalid_tile_wind_or_seat_is_named_with_the_allowed_values() {
        let wrong = |line: &str| McrRecordForm::read(line, &mut ()).expect_err("it is wrong");
        assert!(
            wrong(r#"{"type":"discard","actor":0,"tile":"5mr"}"#)
                .starts_with("\"5mr\" is not a tile; allowed are")
        );
        assert_eq!(
            wrong(r#"{"type":"kong","actor":4}"#),
            "`actor` is 4, and allowed are 0 to 3"
        );
        assert_eq!(
            wrong(
                r#"{"type":"deal","prevalent_wind":"P","hands":[null,null,null,null],"flowers":[0,0,0,0]}"#
            ),
            "P is not a wind; allowed are E, S, W and N"
        );
        assert!(wrong(r#"{"type":"draw","actor":"0","tile":null}"#).contains("invalid type"));
    }
}
