//! Records of games: one JSON object on each line for an event, and one for each decision.
//!
//! A record begins with `start_game` and ends with `end_game` if the result is known. It belongs to
//! one seat, or to several whose hands are known. The lines of riichi are mjai's, with many deals;
//! in other games the `deal` follows on `start_game`.

mod doudizhu;
mod end;
mod mcr;
mod outcome;
mod riichi;

use ::riichi::{Finding, MAX_PLAYERS, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

pub use self::riichi::{EarlierLines, RiichiLineForm};
pub use doudizhu::DouDizhuRecordForm;
pub use end::WrongEnd;
pub use mcr::McrRecordForm;
pub use outcome::{GameOutcome, RecordedFan, WinningTile};

/// How the lines of a game's records spell its events, and those of its decisions the actions.
pub trait LineForm: Clone + PartialEq + std::fmt::Debug {
    type Event: Clone + PartialEq + std::fmt::Debug + Send;
    type Action: Send;
    /// What a line says besides its event.
    type Facts: Clone + Default + PartialEq + std::fmt::Debug + Send + Sync;
    /// What earlier lines say and later ones leave out.
    type Earlier: Clone + Default + PartialEq + std::fmt::Debug + Send;
    /// Whether the deal has a line of its own, before all events.
    const IS_DEAL_APART: bool;

    /// The first line of a record that the table writes: its players by name.
    fn start_line(start: &RecordStart) -> String {
        start.line()
    }

    /// The line of the deal, from the point of view of the seats whose hands are known: in seat
    /// order, `None` for the others. Empty if none of them saw a deal; `None` if the deal has no
    /// line of its own.
    fn deal_line(_deals: &[Option<Self::Event>]) -> Option<String> {
        None
    }

    /// The line of an event; `None` for an event that a record writes differently.
    fn event_line(event: &Self::Event) -> Option<String>;

    /// The last line of a record; `None` if an event ends it.
    fn end_line(end: &RecordEnd) -> Option<String> {
        Some(end.line())
    }

    /// Whether a page of the game in progress shows it from this event on.
    fn begins_round(_event: &Self::Event) -> bool {
        false
    }

    /// Reads the next line of a record; `None` for a line of an unknown kind.
    ///
    /// # Errors
    ///
    /// If it is malformed; the text says how.
    fn read(line: &str, earlier: &mut Self::Earlier) -> Result<Option<EntryOf<Self>>, String>;

    /// An action of a seat, in the form of a recorded decision.
    fn action(action: &Self::Action, seat: Seat) -> Box<RawValue>;

    /// Reads an action in this form; `None` for anything else.
    fn read_action(written: &Value) -> Option<Self::Action>;
}

/// The content of a line in a record of this form.
pub type EntryOf<F> = RecordedEntry<<F as LineForm>::Event, <F as LineForm>::Facts>;

/// The form of a game's records in which the deal and the result have their own lines.
pub trait RecordForm: LineForm {
    /// The settings agreed before the deal.
    type Rules;
    /// Number of players.
    const SEATS: usize;

    /// The rules, as far as a record shows them.
    fn rules(record: &RecordedGame<Self>) -> Self::Rules;

    fn is_deal(event: &Self::Event) -> bool;

    /// The outcome of the game, as far as the events and these scores show it: for arenas that send
    /// only scores, and old records.
    fn outcome(record: &RecordedGame<Self>, scores: &[f64]) -> Option<GameOutcome>;

    /// The ends that fit the events of a record that has ended, as far as they are known; empty if
    /// any fits. In the record of one seat the last events may be missing, and a card that it
    /// played last may have come too late.
    fn possible_ends(record: &RecordedGame<Self>, end: &RecordEnd) -> Vec<RecordEnd>;
}

/// The content of a line in a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedEntry<E, T = ()> {
    /// The first line, which mjai counts among the events.
    Started(RecordStart, Option<E>),
    /// The deal, from the point of view of each seat; `None` for a seat whose hand is not known.
    Dealt(Vec<Option<E>>),
    /// A later event, and what its line says besides.
    Happened(E, T),
    /// The last line, if it is no event.
    Ended(RecordEnd),
}

/// The first line of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecordStart {
    /// The game's name in configs.
    pub game: String,
    /// The seat of the record; none if the table wrote it.
    pub id: Option<usize>,
    /// Names of the seats in their order.
    #[serde(default)]
    pub names: Vec<String>,
}

/// The last line of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordEnd {
    /// The score of each seat: the amount it was paid or, if negative, the amount it paid.
    pub scores: Vec<f64>,
    /// The outcome of the game; `None` in old records, and if its writer did not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<GameOutcome>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum FrameLine {
    StartGame(RecordStart),
    EndGame(RecordEnd),
    #[serde(other)]
    Other,
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("texts, numbers and lists of them always have a JSON form")
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("texts, numbers and lists of them always have a JSON form")
}

impl RecordStart {
    pub fn line(&self) -> String {
        json(&FrameLine::StartGame(self.clone()))
    }

    /// Reads the first line of a record; `None` for any other line, including the first line of an
    /// mjai record.
    pub fn read(line: &str) -> Option<Self> {
        match serde_json::from_str(line) {
            Ok(FrameLine::StartGame(start)) => Some(start),
            _ => None,
        }
    }

    /// Reads the first line of a record of any game; `None` for any other line.
    pub fn read_any(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        if line["type"] != "start_game" {
            return None;
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
        let id = line["id"].as_u64().and_then(|id| usize::try_from(id).ok());
        Some(Self {
            game: line["game"].as_str().unwrap_or(riichi::GAME).to_owned(),
            id,
            names,
        })
    }
}

impl RecordEnd {
    pub fn line(&self) -> String {
        json(&FrameLine::EndGame(self.clone()))
    }

    /// Reads the last line of a record; `None` for any other line.
    pub fn read(line: &str) -> Option<Self> {
        match serde_json::from_str(line) {
            Ok(FrameLine::EndGame(end)) => Some(end),
            _ => None,
        }
    }
}

/// A game as its record has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedGame<F: LineForm> {
    pub start: Option<RecordStart>,
    /// The deal, from the point of view of each seat.
    pub deals: Vec<Option<F::Event>>,
    /// The line of the deal, from 1; 0 if there is none.
    pub dealt: u64,
    /// The events after it.
    pub events: Vec<F::Event>,
    /// The line of each event, if they were read.
    pub event_lines: Vec<u64>,
    /// What the lines say besides the events, each with the place of its event; nothing for most.
    pub facts: Vec<(usize, F::Facts)>,
    pub end: Option<RecordEnd>,
    /// Why the record could not be read to its end, in words that name the line.
    pub broken: Option<String>,
    /// Number of lines read, with those before the game.
    lines: u64,
    /// The line of the end, from 1.
    ended: u64,
    after_end: AfterEnd,
    earlier: F::Earlier,
}

/// What follows on the end of a game.
#[derive(Debug, Clone, PartialEq, Default)]
enum AfterEnd {
    #[default]
    Nothing,
    /// An event that belongs to no game.
    Stray(WrongEnd),
    /// Another game.
    Game,
}

impl<F: LineForm> Default for RecordedGame<F> {
    fn default() -> Self {
        Self {
            start: None,
            deals: Vec::new(),
            dealt: 0,
            events: Vec::new(),
            event_lines: Vec::new(),
            facts: Vec::new(),
            end: None,
            broken: None,
            lines: 0,
            ended: 0,
            after_end: AfterEnd::Nothing,
            earlier: F::Earlier::default(),
        }
    }
}

impl<F: LineForm> RecordedGame<F> {
    /// A game that has not ended, or whose end is not known.
    pub fn so_far(deals: Vec<Option<F::Event>>, events: Vec<F::Event>) -> Self {
        Self {
            deals,
            events,
            ..Self::default()
        }
    }

    /// A game whose record begins after this many lines of its file.
    pub fn after_lines(lines: u64) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }

    /// Whether the table wrote it, with all hands and events, and not one seat.
    fn is_of_table(&self) -> bool {
        self.start.as_ref().is_none_or(|start| start.id.is_none())
            && self.deals.iter().all(Option::is_some)
    }

    /// Reads a record, as far as it can be read.
    pub fn read(text: &str) -> Self {
        let mut game = Self::default();
        text.lines().for_each(|line| _ = game.line(line));
        game
    }

    /// Takes in the next line of a record, unless an earlier line is wrong. After the end of the
    /// game no event may follow. `false` if another game begins with this line or has begun.
    pub fn line(&mut self, line: &str) -> bool {
        if self.broken.is_some() {
            return true;
        }
        self.lines += 1;
        if line.trim().is_empty() || self.after_end != AfterEnd::Nothing {
            return self.after_end != AfterEnd::Game;
        }
        if self.end.is_some() {
            self.take_after_end(line);
        } else if let Err(why) = self.take(line) {
            self.broken = Some(format!("line {}: {why}", self.lines));
        }
        self.after_end != AfterEnd::Game
    }

    fn take_after_end(&mut self, line: &str) {
        match F::read(line, &mut self.earlier) {
            Ok(Some(RecordedEntry::Started(..))) => self.after_end = AfterEnd::Game,
            Ok(None) => {}
            _ => {
                let read: Value = serde_json::from_str(line).unwrap_or_default();
                let kind = read["type"].as_str().unwrap_or("missing").to_owned();
                let finding = Finding::because(
                    "type",
                    kind,
                    "the game is over, and only another `start_game` may follow",
                );
                self.after_end = AfterEnd::Stray(WrongEnd {
                    line: self.lines,
                    finding,
                    end: line.to_owned(),
                });
            }
        }
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        match F::read(line, &mut self.earlier)? {
            Some(RecordedEntry::Started(_, None)) if self.start.is_some() => {
                return Err("a game begins inside of a game".to_owned());
            }
            Some(RecordedEntry::Started(_, Some(_)))
                if self.start.is_some() || !self.events.is_empty() =>
            {
                self.after_end = AfterEnd::Game;
            }
            Some(RecordedEntry::Started(start, event)) => {
                self.start = Some(start);
                if let Some(event) = event {
                    self.happened(event, F::Facts::default());
                }
            }
            Some(RecordedEntry::Ended(end)) => (self.end, self.ended) = (Some(end), self.lines),
            Some(RecordedEntry::Dealt(_)) if !self.deals.is_empty() => {
                return Err("it is dealt a second time".to_owned());
            }
            Some(RecordedEntry::Dealt(deals)) => (self.deals, self.dealt) = (deals, self.lines),
            Some(RecordedEntry::Happened(..)) if F::IS_DEAL_APART && self.deals.is_empty() => {
                return Err("nothing is dealt yet".to_owned());
            }
            Some(RecordedEntry::Happened(event, facts)) => self.happened(event, facts),
            None => {}
        }
        Ok(())
    }

    fn happened(&mut self, event: F::Event, facts: F::Facts) {
        if facts != F::Facts::default() {
            self.facts.push((self.events.len(), facts));
        }
        self.events.push(event);
        self.event_lines.push(self.lines);
    }
}

impl<F: RecordForm> RecordedGame<F> {
    /// The outcome, as recorded or else as far as the events and the scores show it.
    pub fn outcome(&self) -> Option<GameOutcome> {
        let recorded = self.end.as_ref().and_then(|end| end.outcome.clone());
        recorded.or_else(|| F::outcome(self, self.end.as_ref().map_or(&[], |end| &end.scores)))
    }

    /// The first field of the last line that contradicts the events, or an event after it, if there
    /// is one.
    pub fn wrong_end(&self) -> Option<WrongEnd> {
        let end = self.end.as_ref()?;
        WrongEnd::nearest(self.ended, end, &F::possible_ends(self, end)).or_else(|| {
            match &self.after_end {
                AfterEnd::Stray(stray) => Some(stray.clone()),
                AfterEnd::Nothing | AfterEnd::Game => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_frame_of_a_record_reads_back_the_same_and_an_mjai_record_has_none() {
        let start = RecordStart {
            game: "doudizhu".to_owned(),
            id: Some(1),
            names: vec!["a".to_owned(), "<b>".to_owned()],
        };
        assert_eq!(RecordStart::read(&start.line()), Some(start));
        assert_eq!(
            RecordStart::read(r#"{"type":"start_game","id":0,"names":["a"]}"#),
            None
        );
        assert_eq!(RecordStart::read(r#"{"type":"start_kyoku"}"#), None);
        let scores_alone = RecordEnd {
            scores: vec![2.5, -1.0],
            outcome: None,
        };
        assert_eq!(
            scores_alone.line(),
            r#"{"type":"end_game","scores":[2.5,-1.0]}"#
        );
    }

    #[test]
    fn a_written_end_reads_back_the_same_and_an_unknown_end_is_no_error() {
        let fan = vec![RecordedFan {
            name: "All Chows".to_owned(),
            value: 2,
            times: 1,
        }];
        let (tile, with) = ("5m".to_owned(), WinningTile::RobbedKong);
        for outcome in [
            GameOutcome::Win {
                winner: 0,
                from: 2,
                with,
                tile,
                total: 2,
                fan,
            },
            GameOutcome::Drawn,
            GameOutcome::Fault { seat: 1 },
            GameOutcome::LastCard {
                landlord: 1,
                landlord_won: false,
                bid: Some(3),
                bombs: Some(2),
                spring: Some(true),
                stake: Some(24.0),
            },
        ] {
            let end = RecordEnd {
                scores: vec![1.0, -1.0],
                outcome: Some(outcome),
            };
            let read = RecordedGame::<DouDizhuRecordForm>::read(&end.line());
            assert_eq!((read.end, read.broken), (Some(end), None));
        }
        let newer = r#"{"type":"end_game","scores":[0,0],"outcome":{"type":"meteor","seat":1}}"#;
        let read = RecordedGame::<DouDizhuRecordForm>::read(newer);
        assert_eq!(
            read.end.and_then(|end| end.outcome),
            Some(GameOutcome::Other)
        );
    }

    #[test]
    fn a_record_is_read_up_to_the_line_that_is_wrong_and_unknown_lines_are_passed_over() {
        let text = concat!(
            "{\"type\":\"start_game\",\"game\":\"doudizhu\",\"id\":0,\"names\":[]}\n",
            "{\"type\":\"weather\",\"rain\":true}\n",
            "{\"type\":\"deal\",\"bidding\":true,\"hands\":[[0],null,null]}\n",
            "{\"type\":\"bid\",\"actor\":0,\"bid\":1}\n",
            "{\"type\":\"bid\",\"actor\":9,\"bid\":1}\n",
            "{\"type\":\"bid\",\"actor\":1,\"bid\":2}\n",
        );
        let game = RecordedGame::<DouDizhuRecordForm>::read(text);
        assert_eq!(
            (game.deals.len(), game.events.len(), game.end.is_none()),
            (3, 1, true)
        );
        assert_eq!(
            game.broken.as_deref(),
            Some("line 5: `actor` is 9, and allowed are 0 to 2")
        );
        let early =
            RecordedGame::<DouDizhuRecordForm>::read("{\"type\":\"bid\",\"actor\":0,\"bid\":1}\n");
        assert_eq!(
            early.broken.as_deref(),
            Some("line 1: nothing is dealt yet")
        );
        let torn = RecordedGame::<DouDizhuRecordForm>::read(&text[..text.len() / 3]);
        assert!(
            torn.broken.is_some_and(|why| why.starts_with("line ")),
            "a torn line is reported"
        );
    }
}
