//! Records of riichi: mjai's events.

use riichi::referee::RecordedFacts;
use riichi::{Action, Event, MAX_PLAYERS, Seat, Tile};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{EntryOf, LineForm, RecordEnd, RecordStart, RecordedEntry, raw};
use crate::event::{
    OmittedFields, Parsed, RecordedLine, event_json, parse_recorded, without_empty_slot,
};
use crate::reply::{RecordedAction, recorded_action};

/// The number of players of a game whose fourth slot may be empty.
const THREE: u8 = 3;

/// The game's name in configs.
pub(super) const GAME: &str = "riichi";

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
        // The number of players stays for a game, also where a round does not show it.
        *event = without_empty_slot(*event, self.players);
        if let Event::StartKyoku(start) = &event {
            self.players = start.tehais.players();
        }
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

/// Whether a first line says that three play, as Akagi's does.
fn says_three(line: &str) -> bool {
    let line: Option<Value> = serde_json::from_str(line).ok();
    line.is_some_and(|line| line["num_players"] == THREE)
}

impl LineForm for RiichiLineForm {
    type Event = Event;
    type Action = Action;
    type Facts = RecordedFacts;
    type Earlier = EarlierLines;
    const IS_DEAL_APART: bool = false;

    /// As mjai has it: the names, and no game.
    fn start_line(start: &RecordStart) -> String {
        serde_json::json!({"type": "start_game", "names": start.names}).to_string()
    }

    fn event_line(event: &Event) -> Option<String> {
        Some(event_json(event))
    }

    fn end_line(_: &RecordEnd) -> Option<String> {
        None
    }

    fn begins_round(event: &Event) -> bool {
        matches!(event, Event::StartKyoku(_))
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
            Event::StartGame { seat } => {
                let start = RecordStart::read_any(line).unwrap_or_default();
                if start.game != GAME {
                    return Err(format!(
                        "this is the record of a game of {}, and records of riichi are read here",
                        start.game
                    ));
                }
                if start.names.len() == usize::from(THREE) || says_three(line) {
                    earlier.players = THREE;
                }
                let id = seat.map(Seat::index);
                RecordedEntry::Started(RecordStart { id, ..start }, Some(event))
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_record::RecordedGame;

    const HANDS: &str = r#"[["?","?","?","?","?","?","?","?","?","?","?","?","?"],
        ["?","?","?","?","?","?","?","?","?","?","?","?","?"],["?","?","?","?","?","?","?","?","?","?","?","?","?"],
        ["?","?","?","?","?","?","?","?","?","?","?","?","?"]]"#;

    fn start(rest: &str) -> String {
        let start = r#"{"type":"start_kyoku","bakaze":"S","kyoku":1,"honba":0,"oya":0,"dora_marker":"1m","tehais":"#;
        format!("{start}{}{rest}}}", HANDS.replace('\n', ""))
    }

    fn read(lines: &[String]) -> RecordedGame<RiichiLineForm> {
        RecordedGame::read(&lines.join("\n"))
    }

    #[test]
    fn sticks_that_a_record_leaves_out_are_counted() {
        let accepted = r#"{"type":"reach_accepted","actor":1}"#.to_owned();
        let drawn = r#"{"type":"ryukyoku"}"#.to_owned();
        let won = r#"{"type":"hora","actor":1,"target":0}"#.to_owned();
        let lines = [
            start(""),
            accepted.clone(),
            accepted,
            drawn.clone(),
            start(""),
            won,
            start(""),
            start(r#","kyotaku":3"#),
        ];
        let sticks: Vec<u8> = read(&lines)
            .events
            .iter()
            .filter_map(|event| match event {
                Event::StartKyoku(start) => Some(start.kyotaku),
                _ => None,
            })
            .collect();
        assert_eq!(sticks, [0, 2, 0, 3]);
        let mut earlier = EarlierLines::default();
        let again = [
            start(""),
            r#"{"type":"reach_accepted","actor":0}"#.to_owned(),
            r#"{"type":"start_game"}"#.to_owned(),
            start(""),
        ];
        let last = again
            .iter()
            .map(|line| RiichiLineForm::read(line, &mut earlier))
            .last();
        let Some(Ok(Some(RecordedEntry::Happened(Event::StartKyoku(first), _)))) = last else {
            panic!("a round begins: {last:?}");
        };
        assert_eq!(first.kyotaku, 0, "another game begins without sticks");
    }

    #[test]
    fn hidden_hands_in_four_slots_without_scores_are_of_three_if_the_first_line_says_so() {
        let players = |first: &str| {
            let lines = [first.to_owned(), start("")];
            let game = read(&lines);
            let dealt = game.events.iter().find_map(|event| match event {
                Event::StartKyoku(start) => Some(start.tehais.players()),
                _ => None,
            });
            dealt.unwrap_or_else(|| panic!("{game:?}"))
        };
        for (first, right) in [
            (r#"{"type":"start_game","names":["a","b","c",""]}"#, 3),
            (r#"{"type":"start_game","num_players":3}"#, 3),
            (r#"{"type":"start_game","names":["a","b","c","d"]}"#, 4),
            (r#"{"type":"start_game"}"#, 4),
        ] {
            assert_eq!(players(first), right, "{first}");
        }
        // The dealt tiles may show four players all the same.
        let deal = start("").replace(r#""dora_marker":"1m""#, r#""dora_marker":"2m""#);
        let first = r#"{"type":"start_game","num_players":3}"#.to_owned();
        let game = read(&[first, deal]);
        assert!(
            matches!(game.events.last(), Some(Event::StartKyoku(start)) if start.tehais.players() == 4),
            "{game:?}"
        );
    }

    #[test]
    fn a_discard_is_the_drawn_tile_only_if_it_can_be_that() {
        let lines = [
            start(r#","kyotaku":0"#),
            r#"{"type":"tsumo","actor":0,"pai":"5p"}"#.to_owned(),
            r#"{"type":"dahai","actor":0,"pai":"5p"}"#.to_owned(),
            r#"{"type":"pon","actor":1,"target":0,"pai":"5p","consumed":["5p","5p"]}"#.to_owned(),
            r#"{"type":"dahai","actor":1,"pai":"E","tsumogiri":true}"#.to_owned(),
            r#"{"type":"tsumo","actor":2,"pai":"1s"}"#.to_owned(),
            r#"{"type":"dahai","actor":2,"pai":"2s"}"#.to_owned(),
            r#"{"type":"tsumo","actor":3,"pai":"1s"}"#.to_owned(),
            r#"{"type":"dahai","actor":3,"pai":"1s","tsumogiri":false}"#.to_owned(),
        ];
        let game = read(&lines);
        let after_call = |place: usize| {
            let mut facts = game.facts.iter();
            facts.any(|(at, facts)| *at == place && facts.tsumogiri_after_call)
        };
        let discards: Vec<(Tile, bool, bool)> = (0..)
            .zip(&game.events)
            .filter_map(|(place, event)| match *event {
                Event::Dahai {
                    tile, tsumogiri, ..
                } => Some((tile, tsumogiri, after_call(place))),
                _ => None,
            })
            .collect();
        let tile = |name: &str| name.parse::<Tile>().expect("a tile");
        let right = [
            ("5p", true, false),
            ("E", false, true),
            ("2s", false, false),
            ("1s", false, false),
        ];
        assert_eq!(
            discards,
            right.map(|(name, drawn, after_call)| (tile(name), drawn, after_call))
        );
    }
}
