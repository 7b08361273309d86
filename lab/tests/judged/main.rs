//! Records of Chinese Standard mahjong and Dou Dizhu: sound ones pass, and random changes of them
//! are found, unless the changed record is that of a game as well.
//!
//! The long runs:
//!
//! ```sh
//! GAMES=10000 cargo test -p lab --test judged sound
//! CHANGES=20000 cargo test -p lab --test judged changes -- --nocapture
//! ```

mod changes;
mod doudizhu;
mod mcr;

use std::io::Cursor;

use lab::game::{NamedGame, SteppedGame};
use lab::replay::{Replayed, replay, whole_courses};
use lab::replayed::ReplayedGame;
use protocol::game_record::{LineForm, RecordEnd, RecordStart};
use riichi::EventOf;

/// A game as the table records it.
struct PlayedGame<G: SteppedGame> {
    deals: Vec<Option<EventOf<G>>>,
    events: Vec<EventOf<G>>,
    end: RecordEnd,
}

impl<G: SteppedGame + NamedGame> PlayedGame<G> {
    fn lines(&self) -> Vec<String> {
        let start = RecordStart {
            game: G::KIND.name().to_owned(),
            id: None,
            names: Vec::new(),
        };
        let events = self.events.iter().filter_map(G::Form::event_line);
        std::iter::once(start.line())
            .chain(G::Form::deal_line(&self.deals))
            .chain(events)
            .chain([self.end.line()])
            .collect()
    }

    /// The record of one seat.
    fn seen_from(&self, seat: usize) -> Vec<String> {
        let start = RecordStart {
            game: G::KIND.name().to_owned(),
            id: Some(seat),
            names: Vec::new(),
        };
        let deals: Vec<_> = (0..self.deals.len())
            .map(|own| self.deals[own].clone().filter(|_| own == seat))
            .collect();
        let events = self
            .events
            .iter()
            .filter_map(|event| G::Form::event_line(&G::heard_by(event, seat)));
        let end = RecordEnd {
            scores: self.end.scores.clone(),
            outcome: None,
        };
        std::iter::once(start.line())
            .chain(G::Form::deal_line(&deals))
            .chain(events)
            .chain([end.line()])
            .collect()
    }
}

/// What is found in a record; the reason if it cannot be read.
fn judged<G: ReplayedGame>(lines: &[String]) -> Result<Replayed, String> {
    let courses = whole_courses::<G>(Box::new(Cursor::new(lines.join("\n"))))
        .map_err(|error| error.to_string())?;
    replay(&courses, None).map_err(|error| error.to_string())
}

/// Checks that the games are sound, from the table and from each seat.
fn are_sound<G: ReplayedGame + SteppedGame + NamedGame>(played: impl Fn(u64) -> PlayedGame<G>) {
    let games = std::env::var("GAMES").map_or(60, |text| text.parse().expect("GAMES is a number"));
    for number in 0..games {
        let game = played(number);
        let seats = (0..game.deals.len()).map(|seat| game.seen_from(seat));
        for lines in std::iter::once(game.lines()).chain(seats) {
            let found = judged::<G>(&lines).expect("it can be read");
            let words = |line: &str| line.chars().take(300).collect::<String>();
            assert!(
                found.findings.is_empty() && found.cuts.is_empty(),
                "game {number}: {:?}, {:?}, {}",
                found.findings,
                found.cuts,
                words(&lines[0])
            );
        }
    }
}

/// Whether the end of the game is the last line, and no other.
fn ends_with_its_end(lines: &[String]) -> bool {
    lines.iter().position(|line| line.contains("end_game")) == Some(lines.len() - 1)
}
