//! Steps 4 and 5: its records.

use protocol::game_record::{
    EntryOf, GameOutcome, LineForm, RecordEnd, RecordForm, RecordStart, RecordedEntry, RecordedGame,
};
use riichi::{Seat, WholeGame};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::rules::{SEATS, StonesAction, StonesEvent, StonesGame};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StonesForm;

fn seat_of(line: &Value) -> Result<usize, String> {
    let actor = line["actor"]
        .as_u64()
        .and_then(|actor| usize::try_from(actor).ok());
    let actor = actor.filter(|&actor| actor < SEATS);
    actor.ok_or_else(|| format!("`actor` is {}, and allowed are 0 and 1", line["actor"]))
}

fn stone_of(value: &Value) -> Option<u8> {
    value.as_u64().and_then(|stone| u8::try_from(stone).ok())
}

impl LineForm for StonesForm {
    type Event = StonesEvent;
    type Action = StonesAction;
    type Facts = ();
    type Earlier = ();
    const IS_DEAL_APART: bool = true;

    fn deal_line(deals: &[Option<StonesEvent>]) -> Option<String> {
        let stone = |deal: &Option<StonesEvent>| match deal {
            Some(StonesEvent::Dealt { stone, .. }) => Some(*stone),
            _ => None,
        };
        let stones: Vec<_> = deals.iter().map(stone).collect();
        Some(json!({"type": "deal", "stones": stones}).to_string())
    }

    fn event_line(event: &StonesEvent) -> Option<String> {
        let line = match *event {
            StonesEvent::Dealt { .. } => return None,
            StonesEvent::Kept { seat } => json!({"type": "keep", "actor": seat}),
            StonesEvent::Swapped { seat, stone } => {
                json!({"type": "swap", "actor": seat, "stone": stone})
            }
        };
        Some(line.to_string())
    }

    fn read(text: &str, (): &mut ()) -> Result<Option<EntryOf<Self>>, String> {
        if let Some(start) = RecordStart::read(text) {
            return Ok(Some(RecordedEntry::Started(start, None)));
        }
        if let Some(end) = RecordEnd::read(text) {
            return Ok(Some(RecordedEntry::Ended(end)));
        }
        let line: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let event = match line["type"].as_str() {
            Some("deal") => {
                let stones = line["stones"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(stone_of);
                let dealt = stones.enumerate().map(|(seat, stone)| {
                    let stone = stone?;
                    Some(StonesEvent::Dealt { seat, stone })
                });
                return Ok(Some(RecordedEntry::Dealt(dealt.collect())));
            }
            Some("keep") => StonesEvent::Kept {
                seat: seat_of(&line)?,
            },
            Some("swap") => StonesEvent::Swapped {
                seat: seat_of(&line)?,
                stone: stone_of(&line["stone"]),
            },
            _ => return Ok(None),
        };
        Ok(Some(RecordedEntry::Happened(event, ())))
    }

    fn action(action: &StonesAction, _: Seat) -> Box<RawValue> {
        to_raw_value(&json!({"type": action.to_string()})).expect("a text has a JSON form")
    }

    fn read_action(written: &Value) -> Option<StonesAction> {
        [StonesAction::Keep, StonesAction::Swap]
            .into_iter()
            .find(|action| written["type"] == action.to_string())
    }
}

impl RecordForm for StonesForm {
    type Rules = ();
    const SEATS: usize = SEATS;

    fn rules(_: &RecordedGame<Self>) {}

    fn is_deal(event: &StonesEvent) -> bool {
        matches!(event, StonesEvent::Dealt { .. })
    }

    fn outcome(_: &RecordedGame<Self>, _: &[f64]) -> Option<GameOutcome> {
        None
    }

    /// With both stones known the events say who won.
    fn possible_ends(record: &RecordedGame<Self>, _: &RecordEnd) -> Vec<RecordEnd> {
        let &[
            Some(StonesEvent::Dealt { stone: first, .. }),
            Some(StonesEvent::Dealt { stone: second, .. }),
        ] = &record.deals[..]
        else {
            return Vec::new();
        };
        let Some(face_down) = 6_u8.checked_sub(first.saturating_add(second)) else {
            return Vec::new();
        };
        let mut game = StonesGame::new([first, second, face_down]);
        for (seat, event) in record.events.iter().enumerate() {
            let action = match event {
                StonesEvent::Swapped { .. } => StonesAction::Swap,
                _ => StonesAction::Keep,
            };
            if game.answer_all(&[(seat, action)]).is_err() {
                return Vec::new();
            }
        }
        let end = |scores| RecordEnd {
            scores,
            outcome: None,
        };
        game.end_scores().map(end).into_iter().collect()
    }
}
