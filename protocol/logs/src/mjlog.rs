//! Tenhou's mjlog: XML whose elements are the events of a game.
//!
//! Tiles are numbers from 0 to 135, four of each kind; the first of the fives are red. A call is a
//! number in whose bits the tiles are. Names are percent-encoded. Three players sit on the first
//! three of four seats.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use quick_xml::events::{BytesStart, Event as XmlEvent};
use quick_xml::{Reader, XmlVersion};
use riichi::event::{DrawReason, HAND_SIZE, Hora, Points, StartKyoku, UraMarkers};
use riichi::referee::RecordedFacts;
use riichi::{Event, Kind, PerSeat, Seat, Tile, Wind};

use crate::form::LogForm;
use crate::game::{EventList, LogFacts, LogGame, Malformed, ReadResult, malformed};
use crate::names::{name_by_tenhou_number, told_of_win};

/// Seats of a round in this form; with three players the last is empty.
const SEATS: u8 = 4;
/// The numbers of the red fives.
const REDS: [u8; 3] = [16, 52, 88];
/// Number of tiles.
const TILES: u8 = 136;
/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// Bits of the `type` of a game.
mod sort {
    pub(super) const NO_REDS: u32 = 0x2;
    pub(super) const NO_OPEN_TANYAO: u32 = 0x4;
    pub(super) const EAST_AND_SOUTH: u32 = 0x8;
    pub(super) const THREE_PLAYERS: u32 = 0x10;
    pub(super) const FAST: u32 = 0x40;
}

pub(crate) fn is_mjlog(text: &str) -> bool {
    let mut head = text.chars().take(400).collect::<String>();
    head.make_ascii_lowercase();
    head.contains("<mjlog")
}

/// The game of a log.
pub(crate) fn read(text: &str) -> ReadResult<LogGame> {
    let mut reader = Reader::from_str(text);
    let mut log = Mjlog::default();
    let (mut number, mut ends) = (0_usize, false);
    loop {
        let place = |number: usize| format!("element {number}");
        match reader.read_event() {
            Ok(XmlEvent::Eof) => break,
            Ok(XmlEvent::Start(element) | XmlEvent::Empty(element)) => {
                number += 1;
                let name = element.name().as_ref().to_owned();
                let attributes =
                    attributes_of(&element).map_err(|why| why.within(place(number)))?;
                log.take(&name, &Attributes(attributes))
                    .map_err(|why| why.within(format!("{} ({name})", place(number))))?;
            }
            Ok(XmlEvent::End(element)) => ends |= element.name().as_ref() == "mjloggm",
            Ok(_) => {}
            Err(why) => {
                return malformed(
                    format!("byte {}", reader.error_position()),
                    format!("it is not XML, or cut: {why}"),
                );
            }
        }
    }
    if log.events.len() == 0 {
        return malformed("log", "there is no round in it");
    }
    if !ends {
        return malformed("end", "the log ends before </mjloggm>; it is cut");
    }
    log.end_kyoku();
    Ok(log.events.game(log.facts))
}

fn attributes_of(element: &BytesStart<'_>) -> ReadResult<HashMap<String, String>> {
    let mut found = HashMap::new();
    for attribute in element.attributes().take(MAX_ATTRIBUTES) {
        let read = attribute.map_err(|why| Malformed {
            place: "attribute".to_owned(),
            what: why.to_string(),
        })?;
        let value = read
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|why| Malformed {
                place: "attribute".to_owned(),
                what: why.to_string(),
            })?;
        let key = read.key.as_ref().to_owned();
        found.insert(key, value.into_owned());
    }
    Ok(found)
}

struct Attributes(HashMap<String, String>);

impl Attributes {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    fn wanted(&self, key: &str) -> ReadResult<&str> {
        self.get(key)
            .ok_or(())
            .or_else(|()| malformed(key, "it is missing"))
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> ReadResult<T> {
        let text = self.wanted(key)?;
        text.trim()
            .parse()
            .or_else(|_| malformed(key, format!("{text:?} is no number that fits")))
    }

    fn numbers(&self, key: &str) -> ReadResult<Vec<i64>> {
        let text = self.wanted(key)?;
        let number = |part: &str| {
            let number: f64 = part.trim().parse().ok()?;
            (number.abs() < 1e9).then_some(number as i64)
        };
        text.split(',')
            .filter(|part| !part.is_empty())
            .map(number)
            .collect::<Option<Vec<_>>>()
            .ok_or(())
            .or_else(|()| malformed(key, format!("{text:?} is no list of numbers")))
    }
}

#[derive(Debug)]
struct Mjlog {
    events: EventList,
    facts: LogFacts,
    players: u8,
    has_reds: bool,
    has_norths: bool,
    drawn: Option<(Seat, u8)>,
    is_over: bool,
}

impl Default for Mjlog {
    fn default() -> Self {
        Self {
            events: EventList::default(),
            facts: LogFacts::unknown(LogForm::Mjlog),
            players: SEATS,
            has_reds: true,
            has_norths: false,
            drawn: None,
            is_over: false,
        }
    }
}

impl Mjlog {
    fn take(&mut self, name: &str, element: &Attributes) -> ReadResult<()> {
        match name {
            "GO" => self.go(element),
            "UN" => {
                self.names(element);
                Ok(())
            }
            "INIT" => self.init(element),
            "N" => self.call(element),
            "REACH" => self.reach(element),
            "DORA" => {
                let marker = self.tile_in(element, "hai")?;
                self.events.push(Event::Dora { marker });
                Ok(())
            }
            "AGARI" => self.won(element),
            "RYUUKYOKU" => self.drawn_round(element),
            _ => self.draw_or_discard(name),
        }
    }

    fn go(&mut self, element: &Attributes) -> ReadResult<()> {
        let sorts: u32 = element.number("type")?;
        let has = |bit: u32| sorts & bit != 0;
        self.players = if has(sort::THREE_PLAYERS) { 3 } else { SEATS };
        self.has_reds = !has(sort::NO_REDS);
        let length = if has(sort::EAST_AND_SOUTH) {
            "East and South"
        } else {
            "East"
        };
        let speed = if has(sort::FAST) { ", fast" } else { "" };
        self.facts.rules = Some(format!("{length}{speed}"));
        self.facts.red_fives = Some(if self.has_reds { self.players - 1 } else { 0 });
        self.facts.open_tanyao = Some(!has(sort::NO_OPEN_TANYAO));
        Ok(())
    }

    /// The first has all names, and a later one the name of a player who is back.
    fn names(&mut self, element: &Attributes) {
        if !self.facts.names.is_empty() {
            return;
        }
        let name = |seat: u8| {
            let name = element.get(&format!("n{seat}")).unwrap_or_default();
            percent_decode_str(name).decode_utf8_lossy().into_owned()
        };
        self.facts.names = (0..self.players).map(name).collect();
    }

    fn tile(&self, number: u8) -> Option<Tile> {
        if number >= TILES {
            return None;
        }
        if self.has_reds && REDS.contains(&number) {
            return Tile::red_five(number / 36);
        }
        Some(Kind::new(number / 4)?.tile())
    }

    fn tile_or(&self, number: i64, key: &str) -> ReadResult<Tile> {
        u8::try_from(number)
            .ok()
            .and_then(|number| self.tile(number))
            .ok_or(())
            .or_else(|()| malformed(key, format!("{number} is no tile: 0 to 135 are")))
    }

    fn tile_in(&self, element: &Attributes, key: &str) -> ReadResult<Tile> {
        self.tile_or(element.number(key)?, key)
    }

    fn tiles_in(&self, element: &Attributes, key: &str) -> ReadResult<Vec<Tile>> {
        if element.get(key).is_none_or(str::is_empty) {
            return Ok(Vec::new());
        }
        let numbers = element.numbers(key)?;
        numbers
            .into_iter()
            .map(|number| self.tile_or(number, key))
            .collect()
    }

    fn seat(&self, number: u8) -> Option<Seat> {
        Seat::new(number).filter(|_| number < self.players)
    }

    fn seat_in(&self, element: &Attributes, key: &str) -> ReadResult<Seat> {
        let number = element.number(key)?;
        self.seat(number).ok_or(()).or_else(|()| {
            malformed(
                key,
                format!("{number} is no seat: 0 to {} are", self.players - 1),
            )
        })
    }

    /// Points in hundreds, of which every `step`th counts from `first`.
    fn points_in(
        &self,
        element: &Attributes,
        key: &str,
        (first, step): (usize, usize),
    ) -> ReadResult<Points> {
        let numbers = element.numbers(key)?;
        let points: Vec<i32> = numbers
            .iter()
            .skip(first)
            .step_by(step)
            .take(self.players.into())
            .filter_map(|&hundreds| i32::try_from(hundreds * 100).ok())
            .collect();
        Points::from_slice(&points)
            .filter(|points| points.players() == self.players)
            .ok_or(())
            .or_else(|()| malformed(key, format!("there are {} points", points.len())))
    }

    fn init(&mut self, element: &Attributes) -> ReadResult<()> {
        self.end_kyoku();
        let seed = element.numbers("seed")?;
        let [number, honba, kyotaku, _, _, dora] = seed[..] else {
            return malformed(
                "seed",
                format!("there are {} numbers, and 6 are needed", seed.len()),
            );
        };
        let oya = self.seat_in(element, "oya")?;
        let wind = usize::try_from(number)
            .ok()
            .map(|number| number / usize::from(SEATS));
        let counter = |count: i64| u8::try_from(count).ok();
        let (Some(&bakaze), Some(honba), Some(kyotaku)) = (
            wind.and_then(|wind| Wind::ALL.get(wind)),
            counter(honba),
            counter(kyotaku),
        ) else {
            return malformed("seed", "the round, or a counter, is impossible");
        };
        let mut tehais = PerSeat::from_fn(self.players, |_| None);
        for (seat, hand) in tehais.iter_mut() {
            let key = format!("hai{seat}");
            let dealt = self.tiles_in(element, &key)?;
            let dealt: [Tile; HAND_SIZE] = dealt.as_slice().try_into().or_else(|_| {
                malformed(
                    &key,
                    format!("there are {} tiles, and 13 are dealt", dealt.len()),
                )
            })?;
            *hand = Some(dealt);
        }
        self.drawn = None;
        self.has_norths = false;
        self.events.push(Event::StartKyoku(StartKyoku {
            bakaze,
            kyoku: (number % i64::from(SEATS)) as u8 + 1,
            honba,
            kyotaku,
            oya,
            dora_marker: self.tile_or(dora, "seed")?,
            scores: Some(self.points_in(element, "ten", (0, 1))?),
            tehais,
        }));
        Ok(())
    }

    fn end_kyoku(&mut self) {
        if std::mem::take(&mut self.is_over) {
            self.events.push(Event::EndKyoku);
        }
    }

    /// `T12` is a draw of seat 0, `E12` a discard of seat 1.
    fn draw_or_discard(&mut self, name: &str) -> ReadResult<()> {
        let mut letters = name.chars();
        let letter = letters.next().unwrap_or_default();
        let Ok(number) = letters.as_str().parse::<u8>() else {
            // Other elements say nothing of the game.
            return Ok(());
        };
        let (draws, seat) = match ("TUVW".find(letter), "DEFG".find(letter)) {
            (Some(seat), _) => (true, seat),
            (_, Some(seat)) => (false, seat),
            _ => return Ok(()),
        };
        let Some(actor) = self.seat(seat as u8) else {
            return malformed(
                "seat",
                format!("{seat} is no seat: 0 to {} are", self.players - 1),
            );
        };
        let tile = self.tile_or(number.into(), "tile")?;
        if draws {
            self.drawn = Some((actor, number));
            self.events.push(Event::Tsumo {
                actor,
                tile: Some(tile),
            });
        } else {
            let tsumogiri = self.drawn.take() == Some((actor, number));
            self.events.push(Event::Dahai {
                actor,
                tile,
                tsumogiri,
            });
        }
        Ok(())
    }

    fn reach(&mut self, element: &Attributes) -> ReadResult<()> {
        let actor = self.seat_in(element, "who")?;
        self.events.push(match element.wanted("step")? {
            "2" => Event::ReachAccepted {
                actor,
                scores: None,
            },
            _ => Event::Reach { actor },
        });
        Ok(())
    }

    fn call(&mut self, element: &Attributes) -> ReadResult<()> {
        let actor = self.seat_in(element, "who")?;
        let bits: u32 = element.number("m")?;
        self.drawn = None;
        let event = self.called(actor, bits);
        let Some(event) = event else {
            return malformed("m", format!("{bits} is no call"));
        };
        self.has_norths |= matches!(event, Event::Kita { .. });
        self.events.push(event);
        Ok(())
    }

    fn called(&self, actor: Seat, bits: u32) -> Option<Event> {
        let target = || self.seat(((actor.index() as u32 + (bits & 3)) % u32::from(SEATS)) as u8);
        let tile = |number: u32| self.tile(u8::try_from(number).ok()?);
        if bits & 0x4 != 0 {
            let (called, shape) = ((bits >> 10) % 3, (bits >> 10) / 3);
            let first = shape / 7 * 9 + shape % 7;
            let tiles =
                [0, 1, 2].map(|place| tile((first + place) * 4 + (bits >> (3 + 2 * place) & 3)));
            let (tile, consumed) = apart(&tiles, called as usize)?;
            return Some(Event::Chi {
                actor,
                target: target()?,
                tile,
                consumed: consumed.try_into().ok()?,
            });
        }
        if bits & 0x18 != 0 {
            let (called, kind) = ((bits >> 9) % 3, (bits >> 9) / 3);
            let fourth = bits >> 5 & 3;
            let three = (0..4).filter(|&place| place != fourth);
            let tiles: Vec<Option<Tile>> = three.map(|place| tile(kind * 4 + place)).collect();
            let (called, consumed) = apart(&tiles, called as usize)?;
            if bits & 0x8 != 0 {
                return Some(Event::Pon {
                    actor,
                    target: target()?,
                    tile: called,
                    consumed: consumed.try_into().ok()?,
                });
            }
            let pon: Option<Vec<Tile>> = tiles.into_iter().collect();
            return Some(Event::Kakan {
                actor,
                tile: tile(kind * 4 + fourth)?,
                consumed: pon?.try_into().ok()?,
            });
        }
        if bits & 0x20 != 0 {
            return Some(Event::Kita { actor });
        }
        let (called, kind) = ((bits >> 8) % 4, (bits >> 8) / 4);
        let tiles: Vec<Option<Tile>> = (0..4).map(|place| tile(kind * 4 + place)).collect();
        if bits & 3 == 0 {
            let all: Option<Vec<Tile>> = tiles.into_iter().collect();
            return Some(Event::Ankan {
                actor,
                consumed: all?.try_into().ok()?,
            });
        }
        let (tile, consumed) = apart(&tiles, called as usize)?;
        Some(Event::Daiminkan {
            actor,
            target: target()?,
            tile,
            consumed: consumed.try_into().ok()?,
        })
    }

    fn won(&mut self, element: &Attributes) -> ReadResult<()> {
        let actor = self.seat_in(element, "who")?;
        let target = self.seat_in(element, "fromWho")?;
        let list = |key: &str| match element.get(key) {
            None | Some("") => Ok(Vec::new()),
            Some(_) => element.numbers(key),
        };
        let name = |number: i64| {
            name_by_tenhou_number(
                usize::try_from(number).unwrap_or(usize::MAX),
                self.has_norths,
            )
        };
        let yakuman = list("yakuman")?;
        let yaku = list("yaku")?;
        let mut parts: Vec<(String, i64)> =
            yakuman.iter().map(|&number| (name(number), 13)).collect();
        if parts.is_empty() {
            let pairs = yaku.chunks_exact(2);
            parts.extend(pairs.map(|pair| (name(pair[0]), pair[1])));
        }
        let worth = element.numbers("ten")?;
        let ura = self.tiles_in(element, "doraHaiUra")?;
        let Some(ura_markers) = UraMarkers::from_slice(&ura) else {
            return malformed("doraHaiUra", format!("there are {}", ura.len()));
        };
        let told = RecordedFacts {
            tile: element
                .get("machi")
                .map(|_| self.tile_in(element, "machi"))
                .transpose()?,
            ..told_of_win(parts, worth.first().copied(), worth.get(1).copied())
        };
        let hora = Hora {
            actor,
            target,
            deltas: Some(self.points_in(element, "sc", (1, 2))?),
            scores: None,
            ura_markers,
        };
        self.events.push_told(Event::Hora(hora), told);
        self.finish(element)
    }

    fn drawn_round(&mut self, element: &Attributes) -> ReadResult<()> {
        let sort = element.get("type");
        if sort.is_none() && element.get("sc").is_none() {
            // All players have left: the round has no end.
            return Ok(());
        }
        let reason = match sort {
            None => Some(DrawReason::Exhaustive),
            Some("yao9") => Some(DrawReason::NineTerminals),
            Some("reach4") => Some(DrawReason::FourRiichi),
            Some("ron3") => Some(DrawReason::ThreeWinners),
            Some("kan4") => Some(DrawReason::FourKans),
            Some("kaze4") => Some(DrawReason::FourWinds),
            Some("nm") => Some(DrawReason::NagashiMangan),
            Some(_) => None,
        };
        let deltas = match element.get("sc") {
            Some(_) => Some(self.points_in(element, "sc", (1, 2))?),
            None => None,
        };
        let shows_hand = |seat: Seat| element.get(&format!("hai{seat}")).is_some();
        let told = RecordedFacts {
            tenpai: sort
                .is_none()
                .then(|| PerSeat::from_fn(self.players, shows_hand)),
            reason: sort.filter(|_| reason.is_none()).map(str::to_owned),
            ..RecordedFacts::default()
        };
        let event = Event::Ryukyoku {
            deltas,
            scores: None,
            reason,
        };
        self.events.push_told(event, told);
        self.finish(element)
    }

    fn finish(&mut self, element: &Attributes) -> ReadResult<()> {
        self.is_over = true;
        if element.get("owari").is_some() {
            self.end_kyoku();
            let scores = Some(self.points_in(element, "owari", (0, 2))?);
            self.events.push(Event::EndGame { scores });
        }
        Ok(())
    }
}

/// The called tile, and the others.
fn apart(tiles: &[Option<Tile>], called: usize) -> Option<(Tile, Vec<Tile>)> {
    let mut tiles: Vec<Tile> = tiles.iter().copied().collect::<Option<_>>()?;
    if called >= tiles.len() {
        return None;
    }
    let tile = tiles.remove(called);
    Some((tile, tiles))
}
