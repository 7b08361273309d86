//! Records of riichi: mjai's events.

use riichi::referee::RecordedFacts;
use riichi::{Action, Event, MAX_PLAYERS, Seat, Tile};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{EntryOf, LineForm, RecordStart, RecordedEntry, raw};
use crate::event::{
    OmittedFields, Parsed, RecordedLine, event_json, parse_recorded, without_empty_slot,
};
use crate::reply::{RecordedAction, recorded_action};

/// The game's name in configs.
const GAME: &str = "riichi";

/// The form of records of riichi.
///
/// What a record leaves out or has in another way is as in any other: three players without a
/// fourth slot, riichi sticks counted, and a discard marked as the drawn tile only if it can be
/// that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiichiLineForm;

/// The facts of earlier lines that later ones leave out.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierLines {
    /// Players of the last round that began.
    players: u8,
    /// Riichi sticks on the table.
    sticks: u8,
    /// The last tile drawn, where it is known, and who drew it.
    drawn: Option<(Seat, Option<Tile>)>,
    /// The seat that has called and not discarded yet.
    called: Option<Seat>,
    /// The seats whose riichi was accepted.
    in_riichi: [bool; MAX_PLAYERS],
}

impl Default for EarlierLines {
    fn default() -> Self {
        Self {
            players: MAX_PLAYERS as u8,
            sticks: 0,
            drawn: None,
            called: None,
            in_riichi: [false; MAX_PLAYERS],
        }
    }
}

impl EarlierLines {
    /// Takes an event in, and gives it what its line leaves out.
    fn complete(&mut self, event: &mut Event, facts: &mut RecordedFacts, left_out: OmittedFields) {
        if let Event::StartKyoku(start) = &event {
            self.players = start.tehais.players();
        }
        *event = without_empty_slot(*event, self.players);
        let called = self.called.take();
        match event {
            Event::StartGame { .. } => *self = Self::default(),
            Event::StartKyoku(start) => {
                if left_out.sticks {
                    start.kyotaku = self.sticks;
                }
                self.sticks = start.kyotaku;
                (self.drawn, self.in_riichi) = (None, [false; MAX_PLAYERS]);
            }
            Event::Tsumo { actor, tile } => self.drawn = Some((*actor, *tile)),
            Event::Chi { actor, .. } | Event::Pon { actor, .. } => {
                (self.called, self.drawn) = (Some(*actor), None);
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let drawn = self.drawn.take().filter(|(seat, _)| seat == actor);
                if left_out.tsumogiri {
                    *tsumogiri = match drawn {
                        Some((_, Some(drawn))) => drawn == *tile,
                        Some((_, None)) => self.in_riichi[actor.index()],
                        None => false,
                    };
                }
                facts.tsumogiri_after_call = *tsumogiri && called == Some(*actor);
                *tsumogiri &= called != Some(*actor);
            }
            Event::ReachAccepted { actor, .. } => {
                self.sticks = self.sticks.saturating_add(1);
                self.in_riichi[actor.index()] = true;
            }
            Event::Hora(_) => self.sticks = 0,
            _ => {}
        }
    }
}

/// The first line of a record, with the fields that all games have there.
///
/// # Errors
///
/// If it begins another game.
fn start_of(line: &str, seat: Option<Seat>) -> Result<RecordStart, String> {
    let line: Value = serde_json::from_str(line).unwrap_or_default();
    let game = line["game"].as_str().unwrap_or(GAME);
    if game != GAME {
        return Err(format!(
            "this is the record of a game of {game}, and records of riichi are read here"
        ));
    }
    let names = line["names"].as_array().into_iter().flatten();
    let mut names: Vec<String> = names
        .map(|name| name.as_str().unwrap_or("?").to_owned())
        .take(MAX_PLAYERS)
        .collect();
    // Programs that write a game of three in four slots leave the name of the fourth empty.
    if let [_, _, _, fourth] = names.as_slice()
        && fourth.is_empty()
    {
        names.pop();
    }
    Ok(RecordStart {
        game: GAME.to_owned(),
        id: seat.map(Seat::index),
        names,
    })
}

impl LineForm for RiichiLineForm {
    type Event = Event;
    type Action = Action;
    type Facts = RecordedFacts;
    type Earlier = EarlierLines;
    const IS_DEAL_APART: bool = false;

    fn event_line(event: &Event) -> Option<String> {
        Some(event_json(event))
    }

    fn read(line: &str, earlier: &mut EarlierLines) -> Result<Option<EntryOf<Self>>, String> {
        let RecordedLine {
            parsed,
            told: mut facts,
            left_out,
        } = parse_recorded(line.trim()).map_err(|error| error.to_string())?;
        let Parsed::Event(mut event) = parsed else {
            return Ok(None);
        };
        earlier.complete(&mut event, &mut facts, left_out);
        Ok(Some(match event {
            Event::StartGame { seat } => RecordedEntry::Started(start_of(line, seat)?, Some(event)),
            _ => RecordedEntry::Happened(event, facts),
        }))
    }

    fn action(action: &Action, seat: Seat) -> Box<RawValue> {
        raw(&RecordedAction::of(action, seat))
    }

    fn read_action(written: &Value) -> Option<Action> {
        recorded_action(written)
    }
}
