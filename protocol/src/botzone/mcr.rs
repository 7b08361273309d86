//! Chinese Standard mahjong: requests of a seat, and its responses.
//!
//! Both are words with a space between them. In JSON form they are the same texts as JSON strings;
//! [`text_of_json`] and [`json_of_text`] go from one to the other.

use mcr::McrAction;
use mcr::event::Flower;
use riichi::{Counts, Kind, Seat, Wind};

use super::tile_name::{
    FLOWERS_ALLOWED, TILES_ALLOWED, parse_flower_name, parse_tile_name, tile_name,
};
use crate::field::{FieldError, quoted};

/// A request to a seat, which must answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McrRequest {
    /// The first request: the number of the seat.
    Seat {
        seat: Seat,
        prevalent_wind: Wind,
    },
    /// The second request: the deal.
    Deal {
        /// The own 13 tiles.
        hand: Counts,
        /// Flowers laid down by each seat.
        flowers: [u8; 4],
    },
    OwnDraw(Kind),
    /// A seat, this one or another, did something.
    Happened {
        seat: Seat,
        what: McrHappening,
    },
}

/// An action of a seat, as sent to all seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McrHappening {
    /// It drew a flower, and will draw again.
    FlowerDrawn(Flower),
    /// It drew a tile that the others do not see.
    Drawn,
    /// It discarded a tile after a draw.
    Discarded(Kind),
    /// It took the last discard for a pung, and discarded.
    PungClaimed { discard: Kind },
    /// It took the last discard for a chow, and discarded.
    ChowClaimed {
        /// The middle tile of the chow.
        middle: Kind,
        discard: Kind,
    },
    /// A kong: of the last discard if there is one, else a concealed one, whose tile is hidden.
    Kong,
    /// It added a tile to its pung.
    KongAdded(Kind),
}

/// Reads a request.
///
/// # Errors
///
/// If a word is missing or invalid; words after the last needed one are ignored.
pub fn parse_mcr_request(text: &str) -> Result<McrRequest, FieldError> {
    let mut words = TextWords::of(text, "request");
    Ok(match words.next("0, 1, 2 or 3")? {
        "0" => McrRequest::Seat {
            seat: words.seat()?,
            prevalent_wind: words.number(3, "a wind from 0, the east, to 3")?.wind(),
        },
        "1" => {
            let mut flowers = [0; 4];
            for count in &mut flowers {
                *count = words.number(8, "a number of flowers, 0 to 8")?.0;
            }
            let mut hand = Counts::EMPTY;
            for _ in 0..13 {
                hand[words.tile()?] += 1;
            }
            if let Some(kind) = Kind::all().find(|&kind| hand[kind] > 4) {
                let found = format!("{} of {}", hand[kind], tile_name(kind));
                let field = "request, words 6 to 18".to_owned();
                return Err(FieldError {
                    field,
                    found,
                    allowed: "at most four of a tile",
                });
            }
            McrRequest::Deal { hand, flowers }
        }
        "2" => McrRequest::OwnDraw(words.tile()?),
        "3" => McrRequest::Happened {
            seat: words.seat()?,
            what: words.happening()?,
        },
        other => return Err(words.wrong(other, "0, 1, 2 or 3")),
    })
}

/// Botzone's text of an answer.
pub fn mcr_response(action: McrAction) -> String {
    match action {
        McrAction::Pass => "PASS".to_owned(),
        McrAction::Win => "HU".to_owned(),
        McrAction::Discard(kind) => format!("PLAY {}", tile_name(kind)),
        McrAction::ConcealedKong(kind) => format!("GANG {}", tile_name(kind)),
        McrAction::AddKong(kind) => format!("BUGANG {}", tile_name(kind)),
        McrAction::ClaimKong => "GANG".to_owned(),
        McrAction::ClaimPung { discard } => format!("PENG {}", tile_name(discard)),
        McrAction::ClaimChow { middle, discard } => {
            format!("CHI {} {}", tile_name(middle), tile_name(discard))
        }
    }
}

/// Reads an answer; it does not check whether it was legal.
///
/// # Errors
///
/// If a word is missing, invalid, or one too many.
pub fn parse_mcr_response(text: &str) -> Result<McrAction, FieldError> {
    const ALLOWED: &str = "PASS, HU, PLAY, GANG, BUGANG, PENG or CHI";
    let mut words = TextWords::of(text, "response");
    let action = match words.next(ALLOWED)? {
        "PASS" => McrAction::Pass,
        "HU" => McrAction::Win,
        "PLAY" => McrAction::Discard(words.tile()?),
        "GANG" if words.is_empty() => McrAction::ClaimKong,
        "GANG" => McrAction::ConcealedKong(words.tile()?),
        "BUGANG" => McrAction::AddKong(words.tile()?),
        "PENG" => McrAction::ClaimPung {
            discard: words.tile()?,
        },
        "CHI" => McrAction::ClaimChow {
            middle: words.tile()?,
            discard: words.tile()?,
        },
        other => return Err(words.wrong(other, ALLOWED)),
    };
    match words.rest.next() {
        None => Ok(action),
        Some(more) => {
            words.place += 1;
            Err(words.wrong(more, "the end"))
        }
    }
}

/// The text in a JSON string, which is its JSON form.
///
/// # Errors
///
/// If it is not a JSON string.
pub fn text_of_json(json: &str) -> Result<String, FieldError> {
    serde_json::from_str(json.trim()).map_err(|_| FieldError {
        field: "request".to_owned(),
        found: quoted(json),
        allowed: "a JSON string",
    })
}

pub fn json_of_text(text: &str) -> String {
    serde_json::to_string(text).expect("a text always has a JSON form")
}

struct SmallNumber(u8);

impl SmallNumber {
    fn wind(&self) -> Wind {
        Wind::ALL[usize::from(self.0 & 3)]
    }
}

/// Reads the words of a text one by one.
struct TextWords<'a> {
    name: &'static str,
    rest: std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>,
    /// Number of the last word read, from 1.
    place: usize,
}

impl<'a> TextWords<'a> {
    fn of(text: &'a str, name: &'static str) -> Self {
        Self {
            name,
            rest: text.split_ascii_whitespace().peekable(),
            place: 0,
        }
    }

    fn is_empty(&mut self) -> bool {
        self.rest.peek().is_none()
    }

    fn wrong(&self, found: &str, allowed: &'static str) -> FieldError {
        FieldError {
            field: format!("{}, word {}", self.name, self.place),
            found: quoted(found),
            allowed,
        }
    }

    fn next(&mut self, allowed: &'static str) -> Result<&'a str, FieldError> {
        self.place += 1;
        self.rest.next().ok_or_else(|| FieldError {
            found: "missing".to_owned(),
            ..self.wrong("", allowed)
        })
    }

    fn parsed<T>(
        &mut self,
        allowed: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, FieldError> {
        let word = self.next(allowed)?;
        parse(word).ok_or_else(|| self.wrong(word, allowed))
    }

    fn number(&mut self, most: u8, allowed: &'static str) -> Result<SmallNumber, FieldError> {
        self.parsed(allowed, |word| {
            word.parse()
                .ok()
                .filter(|&number: &u8| number <= most)
                .map(SmallNumber)
        })
    }

    fn seat(&mut self) -> Result<Seat, FieldError> {
        self.parsed("a seat, 0 to 3", |word| Seat::new(word.parse().ok()?))
    }

    fn tile(&mut self) -> Result<Kind, FieldError> {
        self.parsed(TILES_ALLOWED, parse_tile_name)
    }

    fn happening(&mut self) -> Result<McrHappening, FieldError> {
        const ALLOWED: &str = "BUHUA, DRAW, PLAY, PENG, CHI, GANG or BUGANG";
        Ok(match self.next(ALLOWED)? {
            "BUHUA" => McrHappening::FlowerDrawn(self.parsed(FLOWERS_ALLOWED, parse_flower_name)?),
            "DRAW" => McrHappening::Drawn,
            "PLAY" => McrHappening::Discarded(self.tile()?),
            "PENG" => McrHappening::PungClaimed {
                discard: self.tile()?,
            },
            "CHI" => McrHappening::ChowClaimed {
                middle: self.tile()?,
                discard: self.tile()?,
            },
            "GANG" => McrHappening::Kong,
            "BUGANG" => McrHappening::KongAdded(self.tile()?),
            other => return Err(self.wrong(other, ALLOWED)),
        })
    }
}
