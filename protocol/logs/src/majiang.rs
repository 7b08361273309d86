//! The JSON of Majiang (majiang-core's 牌譜).
//!
//! A round is a list of events. Seats in them (`l`), and lists of hands and points, are counted
//! from the dealer; names and last scores are in the order of the players, of whom `qijia` deals
//! first and gets seat 0 here. Tiles are `m1` to `s9` and `z1` to `z7`, red fives `m0`; `_` is a
//! drawn tile that is discarded and `*` a riichi. In a meld, a sign follows the called tile: `-`
//! from the previous seat, `=` from the one opposite, `+` from the next.

use riichi::event::{DrawReason, HAND_SIZE, Hora, Points, StartKyoku, UraMarkers};
use riichi::referee::RecordedFacts;
use riichi::{Event, PerSeat, Seat, Tile, Wind};
use serde_json::Value;

use crate::form::LogForm;
use crate::game::{EventList, LogFacts, LogGame, ReadResult, malformed};
use crate::names::{draw_reason, our_name, suit_of, tile_of, told_of_win};

/// Maximum number of players.
const SEATS: usize = 4;

pub(crate) fn is_majiang(value: &Value) -> bool {
    value["log"][0][0]["qipai"].is_object()
}

/// The game of a log.
pub(crate) fn read(log: &Value) -> ReadResult<LogGame> {
    let rounds = log["log"].as_array().map_or(&[][..], Vec::as_slice);
    let first_dealer = log["qijia"].as_u64().unwrap_or(0) as usize % SEATS;
    let mut events = EventList::default();
    let mut players = SEATS as u8;
    for (number, round) in rounds.iter().enumerate() {
        let round = round.as_array().map_or(&[][..], Vec::as_slice);
        let within = |why: crate::game::Malformed| why.within(format!("round {}", number + 1));
        let mut reader = MajiangRound::dealt(round, &mut events).map_err(within)?;
        players = reader.players;
        for (place, entry) in round.iter().enumerate().skip(1) {
            reader
                .take(entry)
                .map_err(|why| why.within(format!("event {}", place + 1)))
                .map_err(within)?;
        }
        reader.end();
    }
    if let Some(scores) = log["defen"].as_array() {
        let mut scores: Vec<i32> = scores.iter().filter_map(points_of).collect();
        scores.truncate(players.into());
        from_first_dealer(&mut scores, first_dealer);
        let scores = Points::from_slice(&scores).filter(|scores| scores.players() == players);
        if scores.is_none() {
            return malformed(
                "defen",
                format!("it has not the points of {players} players"),
            );
        }
        events.push(Event::EndGame { scores });
    }
    let names = log["player"].as_array().into_iter().flatten();
    // A name may be followed by a line with the player's rank.
    let name = |name: &Value| {
        name.as_str()
            .map(|name| name.lines().next().unwrap_or_default().to_owned())
    };
    let mut names: Vec<String> = names.filter_map(name).take(players.into()).collect();
    from_first_dealer(&mut names, first_dealer);
    let facts = LogFacts {
        names,
        rules: log["title"]
            .as_str()
            .and_then(|title| title.lines().next())
            .filter(|title| !title.is_empty())
            .map(str::to_owned),
        ..LogFacts::unknown(LogForm::Majiang)
    };
    Ok(events.game(facts))
}

/// Puts the first dealer's to the front.
fn from_first_dealer<T>(of_players: &mut [T], first_dealer: usize) {
    let first = first_dealer % of_players.len().max(1);
    of_players.rotate_left(first);
}

fn points_of(value: &Value) -> Option<i32> {
    let points = value
        .as_f64()
        .or_else(|| value.as_str()?.trim().parse().ok())?;
    (points.abs() < 1e9).then_some(points as i32)
}

struct MajiangRound<'a> {
    events: &'a mut EventList,
    players: u8,
    /// The seat of the dealer.
    oya: Seat,
    discarded: Option<(Seat, Tile)>,
    drawn: Option<Seat>,
    riichi: PerSeat<bool>,
    owes_stick: Option<Seat>,
    is_over: bool,
}

impl<'a> MajiangRound<'a> {
    fn dealt(round: &[Value], events: &'a mut EventList) -> ReadResult<Self> {
        let deal = round.first().map_or(&Value::Null, |first| &first["qipai"]);
        let hands = deal["shoupai"].as_array().map_or(&[][..], Vec::as_slice);
        let hands: Vec<&str> = hands.iter().filter_map(Value::as_str).collect();
        let players = match hands.as_slice() {
            [_, _, _] | [_, _, _, ""] => 3,
            [_, _, _, _] => 4,
            _ => return malformed("qipai", format!("it has {} hands", hands.len())),
        };
        let counter = |key: &str| {
            let count = deal[key]
                .as_u64()
                .and_then(|count| u8::try_from(count).ok());
            count
                .ok_or(())
                .or_else(|()| malformed(key, format!("{} is no count", deal[key])))
        };
        let (wind, round_number) = (counter("zhuangfeng")?, counter("jushu")?);
        let oya = Seat::new(round_number).filter(|_| round_number < players);
        let bakaze = Wind::ALL.get(usize::from(wind)).copied();
        let (Some(oya), Some(bakaze)) = (oya, bakaze) else {
            return malformed("qipai", "there is no such round");
        };
        let reader = Self {
            events,
            players,
            oya,
            discarded: None,
            drawn: None,
            riichi: PerSeat::from_fn(players, |_| false),
            owes_stick: None,
            is_over: false,
        };
        let mut tehais = PerSeat::from_fn(players, |_| None);
        for (place, hand) in hands.iter().take(players.into()).enumerate() {
            let what = format!("qipai, hand {place}");
            let tiles = tiles_of(hand)
                .ok_or(())
                .or_else(|()| malformed(&what, format!("{hand:?} is no hand")))?;
            let dealt: [Tile; HAND_SIZE] = tiles.as_slice().try_into().or_else(|_| {
                malformed(
                    &what,
                    format!("there are {} tiles, and 13 are dealt", tiles.len()),
                )
            })?;
            tehais[reader.seat_after(place)] = Some(dealt);
        }
        let start = StartKyoku {
            bakaze,
            kyoku: round_number + 1,
            honba: counter("changbang")?,
            kyotaku: counter("lizhibang")?,
            oya,
            dora_marker: tile_in(&deal["baopai"])?,
            scores: Some(reader.points_in(deal, "defen")?),
            tehais,
        };
        reader.events.push(Event::StartKyoku(start));
        Ok(reader)
    }

    /// The seat that sits so many places after the dealer.
    fn seat_after(&self, place: usize) -> Seat {
        let index = (self.oya.index() + place) % usize::from(self.players);
        Seat::at(index).unwrap_or(self.oya)
    }

    fn seat_in(&self, entry: &Value, key: &str) -> ReadResult<Seat> {
        let place = entry[key]
            .as_u64()
            .and_then(|place| usize::try_from(place).ok());
        place
            .filter(|&place| place < self.players.into())
            .map(|place| self.seat_after(place))
            .ok_or(())
            .or_else(|()| {
                malformed(
                    key,
                    format!("{} is no seat: 0 to {} are", entry[key], self.players - 1),
                )
            })
    }

    /// Points, of which the first are the dealer's.
    fn points_in(&self, entry: &Value, key: &str) -> ReadResult<Points> {
        let list = entry[key].as_array().map_or(&[][..], Vec::as_slice);
        let found: Vec<i32> = list.iter().filter_map(points_of).collect();
        if found.len() < self.players.into() {
            return malformed(
                key,
                format!("it has not the points of {} players", self.players),
            );
        }
        let mut points = Points::from_fn(self.players, |_| 0);
        for (place, &value) in found.iter().take(self.players.into()).enumerate() {
            points[self.seat_after(place)] = value;
        }
        Ok(points)
    }

    fn pay_stick(&mut self) {
        if let Some(actor) = self.owes_stick.take() {
            self.events.push(Event::ReachAccepted {
                actor,
                scores: None,
            });
        }
    }

    fn take(&mut self, entry: &Value) -> ReadResult<()> {
        let Some((name, entry)) = entry.as_object().and_then(|entry| entry.iter().next()) else {
            return malformed("event", "it is no object");
        };
        match name.as_str() {
            "zimo" | "gangzimo" => {
                self.pay_stick();
                let actor = self.seat_in(entry, "l")?;
                let tile = Some(tile_in(&entry["p"])?);
                self.drawn = Some(actor);
                self.events.push(Event::Tsumo { actor, tile });
            }
            "dapai" => self.discard(entry)?,
            "fulou" => {
                self.pay_stick();
                self.call(entry)?;
            }
            "gang" => self.kan(entry)?,
            "kaigang" => {
                let marker = tile_in(&entry["baopai"])?;
                self.events.turn_dora(marker);
            }
            "hule" => self.won(entry)?,
            "pingju" => self.drawn_round(entry)?,
            _ => {}
        }
        Ok(())
    }

    fn discard(&mut self, entry: &Value) -> ReadResult<()> {
        let actor = self.seat_in(entry, "l")?;
        let text = entry["p"].as_str().unwrap_or_default();
        let tile = tile_in(&entry["p"])?;
        if text.contains('*') {
            self.riichi[actor] = true;
            self.owes_stick = Some(actor);
            self.events.push(Event::Reach { actor });
        }
        self.events.push(Event::Dahai {
            actor,
            tile,
            tsumogiri: text.contains('_') && self.drawn == Some(actor),
        });
        (self.discarded, self.drawn) = (Some((actor, tile)), None);
        Ok(())
    }

    fn call(&mut self, entry: &Value) -> ReadResult<()> {
        let actor = self.seat_in(entry, "l")?;
        let text = entry["m"].as_str().unwrap_or_default();
        let wrong = || malformed("m", format!("{text:?} is no call of the last discard"));
        let (Some((target, tile)), Some(meld)) = (self.discarded, MajiangMeld::read(text)) else {
            return wrong();
        };
        let Some((called, steps)) = meld.called else {
            return wrong();
        };
        let turns = target.turns_after(actor, self.players);
        let is_from = |steps: u8| turns == steps || self.players == 3;
        if meld.tiles.get(called) != Some(&tile) || !is_from(steps) {
            return wrong();
        }
        let mut own = meld.tiles;
        own.remove(called);
        let is_run = own.iter().any(|own| own.kind() != tile.kind());
        let event = match *own.as_slice() {
            [first, second] if is_run => Event::Chi {
                actor,
                target,
                tile,
                consumed: [first, second],
            },
            [first, second] => Event::Pon {
                actor,
                target,
                tile,
                consumed: [first, second],
            },
            [first, second, third] => Event::Daiminkan {
                actor,
                target,
                tile,
                consumed: [first, second, third],
            },
            _ => return wrong(),
        };
        self.drawn = None;
        self.events.push(event);
        Ok(())
    }

    fn kan(&mut self, entry: &Value) -> ReadResult<()> {
        let actor = self.seat_in(entry, "l")?;
        let text = entry["m"].as_str().unwrap_or_default();
        let meld = MajiangMeld::read(text);
        let event = meld.and_then(|meld| match (meld.called, meld.tiles.as_slice()) {
            (None, &[first, second, third, fourth]) => Some(Event::Ankan {
                actor,
                consumed: [first, second, third, fourth],
            }),
            // The added tile is the last.
            (Some(_), &[first, second, third, added]) => Some(Event::Kakan {
                actor,
                tile: added,
                consumed: [first, second, third],
            }),
            _ => None,
        });
        let Some(event) = event else {
            return malformed("m", format!("{text:?} is no kan"));
        };
        self.drawn = None;
        self.events.push(event);
        Ok(())
    }

    fn won(&mut self, entry: &Value) -> ReadResult<()> {
        let actor = self.seat_in(entry, "l")?;
        let target = match &entry["baojia"] {
            Value::Null => actor,
            _ => self.seat_in(entry, "baojia")?,
        };
        if self.owes_stick == Some(target) && actor != target {
            self.owes_stick = None;
        }
        self.pay_stick();
        let ura = entry["fubaopai"].as_array().map_or(&[][..], Vec::as_slice);
        let ura = ura.iter().map(tile_in).collect::<ReadResult<Vec<_>>>()?;
        let Some(ura_markers) = UraMarkers::from_slice(&ura) else {
            return malformed("fubaopai", format!("there are {}", ura.len()));
        };
        let yaku = entry["hupai"].as_array().into_iter().flatten();
        let part = |part: &Value| {
            let name = our_name(part["name"].as_str()?, false).to_owned();
            let han = match &part["fanshu"] {
                // A star for each time that a yakuman counts.
                Value::String(stars) => 13 * stars.matches('*').count() as i64,
                han => han.as_i64()?,
            };
            Some((name, han))
        };
        let told = told_of_win(
            yaku.filter_map(part).collect(),
            entry["fu"].as_i64(),
            entry["defen"].as_i64(),
        );
        let is_in_riichi = self.riichi[actor];
        let told = RecordedFacts {
            ura_left_out: is_in_riichi && ura.is_empty(),
            ..told
        };
        let hora = Hora {
            actor,
            target,
            deltas: Some(self.points_in(entry, "fenpei")?),
            scores: None,
            ura_markers,
        };
        self.is_over = true;
        self.events.push_told(Event::Hora(hora), told);
        Ok(())
    }

    fn drawn_round(&mut self, entry: &Value) -> ReadResult<()> {
        let name = entry["name"].as_str().unwrap_or_default();
        let reason = draw_reason(name);
        // A riichi whose tile is won on is not paid.
        if reason != Some(DrawReason::ThreeWinners) {
            self.pay_stick();
        }
        let shown = entry["shoupai"].as_array().map_or(&[][..], Vec::as_slice);
        let mut tenpai = PerSeat::from_fn(self.players, |_| false);
        for (place, hand) in shown.iter().take(self.players.into()).enumerate() {
            tenpai[self.seat_after(place)] = hand.as_str().is_some_and(|hand| !hand.is_empty());
        }
        let tells = reason == Some(DrawReason::Exhaustive) && shown.len() >= self.players.into();
        let told = RecordedFacts {
            tenpai: tells.then_some(tenpai),
            reason: Some(name.to_owned()).filter(|_| reason.is_none()),
            ..RecordedFacts::default()
        };
        let event = Event::Ryukyoku {
            deltas: Some(self.points_in(entry, "fenpei")?),
            scores: None,
            reason,
        };
        self.is_over = true;
        self.events.push_told(event, told);
        Ok(())
    }

    fn end(self) {
        if self.is_over {
            self.events.push(Event::EndKyoku);
        }
    }
}

/// The tile at the beginning of a text such as `m1_*`.
fn tile_in(value: &Value) -> ReadResult<Tile> {
    let text = value.as_str().unwrap_or_default();
    let mut letters = text.chars();
    let tile = letters.next().and_then(suit_of).and_then(|suit| {
        let number = letters.next()?.to_digit(10)?;
        tile_of(suit, number as u8)
    });
    tile.ok_or(())
        .or_else(|()| malformed("tile", format!("{value} is no tile such as m1, p0 or z7")))
}

/// The tiles of a hand such as `m127p234688s457z4`.
fn tiles_of(hand: &str) -> Option<Vec<Tile>> {
    let (mut tiles, mut suit) = (Vec::new(), None);
    for letter in hand.chars() {
        match letter.to_digit(10) {
            Some(number) => tiles.push(tile_of(suit?, number as u8)?),
            None => suit = Some(suit_of(letter)?),
        }
        if tiles.len() > HAND_SIZE + 1 {
            return None;
        }
    }
    Some(tiles)
}

/// A meld such as `m1-23`.
struct MajiangMeld {
    tiles: Vec<Tile>,
    /// The place of the called tile, and how many turns after the caller its discarder sits.
    called: Option<(usize, u8)>,
}

impl MajiangMeld {
    fn read(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let suit = suit_of(letters.next()?)?;
        let (mut tiles, mut called) = (Vec::new(), None);
        for letter in letters {
            let steps = match letter {
                '-' => 3,
                '=' => 2,
                '+' => 1,
                digit => {
                    tiles.push(tile_of(suit, digit.to_digit(10)? as u8)?);
                    continue;
                }
            };
            called = Some((tiles.len().checked_sub(1)?, steps));
        }
        (tiles.len() <= 4).then_some(Self { tiles, called })
    }
}
