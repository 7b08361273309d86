//! A record of Mahjong Soul, as downloaders write its messages in JSON.
//!
//! They differ in what surrounds the messages: a list of `name` and `data`, or of actions whose
//! `result` has these, with or without `.lq.` before the names; keys in snake or camel case; zeros
//! and falsehoods left out. Tiles are `1m` to `9s`, `0m` for red fives, `1z` to `7z`.

use std::collections::VecDeque;

use riichi::event::{DrawReason, HAND_SIZE, Hora, Points, StartKyoku, UraMarkers};
use riichi::referee::RecordedFacts;
use riichi::yaku::YAKUMAN;
use riichi::{Event, PerSeat, Seat, Tile, Wind};
use serde_json::Value;

use crate::form::LogForm;
use crate::game::{EventList, LogFacts, LogGame, ReadResult, malformed};
use crate::names::{name_by_mahjong_soul_number, tile_of_digit_first, told_of_win};

/// How many values deep the messages are looked for.
const MAX_DEPTH: usize = 6;
/// The message that begins a round.
const NEW_ROUND: &str = "RecordNewRound";

pub(crate) fn is_mahjong_soul(value: &Value) -> bool {
    messages_in(value).is_some()
}

/// The name of a message and its content.
fn message(entry: &Value) -> Option<(&str, &Value)> {
    let entry = if entry["result"].is_object() {
        &entry["result"]
    } else {
        entry
    };
    let name = entry["name"].as_str()?;
    Some((name.rsplit('.').next()?, &entry["data"]))
}

/// The list of messages, wherever it is.
fn messages_in(value: &Value) -> Option<&Vec<Value>> {
    let mut left = VecDeque::from([(value, 0)]);
    while let Some((value, depth)) = left.pop_front() {
        let begins = |entry: &Value| message(entry).is_some_and(|(name, _)| name == NEW_ROUND);
        match value {
            Value::Array(entries) if entries.iter().take(100).any(begins) => return Some(entries),
            Value::Object(entries) if depth < MAX_DEPTH => {
                left.extend(entries.values().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    None
}

/// A field by its name in snake case, which may be written in camel case.
fn field<'a>(data: &'a Value, name: &str) -> &'a Value {
    if let Some(value) = data.get(name) {
        return value;
    }
    let mut camel = String::new();
    for (place, part) in name.split('_').enumerate() {
        let mut letters = part.chars();
        if place > 0 {
            camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        }
        camel.extend(letters);
    }
    &data[camel]
}

fn list<'a>(data: &'a Value, name: &str) -> &'a [Value] {
    field(data, name).as_array().map_or(&[], Vec::as_slice)
}

/// A number, which is 0 where it is left out.
fn number(data: &Value, name: &str) -> ReadResult<i64> {
    match field(data, name) {
        Value::Null => Ok(0),
        value => value
            .as_i64()
            .or_else(|| value.as_str()?.parse().ok())
            .ok_or(())
            .or_else(|()| malformed(name, format!("{value} is no number"))),
    }
}

fn is_set(data: &Value, name: &str) -> bool {
    field(data, name).as_bool().unwrap_or(false)
}

fn tile(value: &Value, name: &str) -> ReadResult<Tile> {
    value
        .as_str()
        .and_then(tile_of_digit_first)
        .ok_or(())
        .or_else(|()| malformed(name, format!("{value} is no tile such as 1m, 0p or 7z")))
}

fn tiles(data: &Value, name: &str) -> ReadResult<Vec<Tile>> {
    list(data, name)
        .iter()
        .map(|value| tile(value, name))
        .collect()
}

/// The game of a log.
pub(crate) fn read(log: &Value) -> ReadResult<LogGame> {
    let messages = messages_in(log).map_or(&[][..], Vec::as_slice);
    let mut record = SoulRecord::default();
    for (place, entry) in messages.iter().enumerate() {
        if let Some((name, data)) = message(entry) {
            record
                .take(name, data)
                .map_err(|why| why.within(format!("message {} ({name})", place + 1)))?;
        }
    }
    let head = &log["head"];
    let mut final_scores = vec![None; record.players.into()];
    for player in list(&head["result"], "players") {
        let seat = number(player, "seat")?;
        let points = number(player, "part_point_1")?;
        if let Some(place) = usize::try_from(seat)
            .ok()
            .and_then(|seat| final_scores.get_mut(seat))
        {
            *place = i32::try_from(points).ok();
        }
    }
    let final_scores: Option<Vec<i32>> = final_scores.into_iter().collect();
    if let Some(scores) = final_scores {
        record.events.push(Event::EndGame {
            scores: Points::from_slice(&scores),
        });
    }
    let facts = facts_of(head, record.players);
    Ok(record.events.game(facts))
}

fn facts_of(head: &Value, players: u8) -> LogFacts {
    let accounts = list(head, "accounts");
    let mut names = vec![String::new(); players.into()];
    for account in accounts {
        let seat = number(account, "seat").unwrap_or(0);
        let name = field(account, "nickname").as_str().unwrap_or_default();
        if let Some(place) = usize::try_from(seat)
            .ok()
            .and_then(|seat| names.get_mut(seat))
        {
            name.clone_into(place);
        }
    }
    let rule = field(&head["config"]["mode"], "detail_rule");
    let began = field(head, "start_time");
    let began = began.as_i64().or_else(|| began.as_str()?.parse().ok());
    LogFacts {
        names: if accounts.is_empty() {
            Vec::new()
        } else {
            names
        },
        red_fives: field(rule, "dora_count")
            .as_u64()
            .and_then(|count| count.try_into().ok()),
        open_tanyao: field(rule, "shiduan").as_u64().map(|allowed| allowed != 0),
        began: began.map(|seconds| format!("{seconds} s after 1970-01-01T00:00Z")),
        ..LogFacts::unknown(LogForm::MahjongSoul)
    }
}

#[derive(Debug)]
struct SoulRecord {
    events: EventList,
    players: u8,
    doras: Vec<Tile>,
    /// The closed tiles of each seat, and its pons.
    hands: PerSeat<Vec<Tile>>,
    pons: Vec<(Seat, [Tile; 3])>,
    last: Option<Seat>,
    riichi: PerSeat<bool>,
    owes_stick: Option<Seat>,
    in_round: bool,
}

impl Default for SoulRecord {
    fn default() -> Self {
        Self {
            events: EventList::default(),
            players: 4,
            doras: Vec::new(),
            hands: PerSeat::from_fn(4, |_| Vec::new()),
            pons: Vec::new(),
            last: None,
            riichi: PerSeat::from_fn(4, |_| false),
            owes_stick: None,
            in_round: false,
        }
    }
}

impl SoulRecord {
    fn take(&mut self, name: &str, data: &Value) -> ReadResult<()> {
        if name != NEW_ROUND && !self.in_round {
            return Ok(());
        }
        match name {
            NEW_ROUND => self.new_round(data),
            "RecordDealTile" => {
                self.pay_stick();
                self.turn_doras(data)?;
                let actor = self.seat(data, "seat")?;
                let tile = tile(field(data, "tile"), "tile")?;
                self.draw(actor, tile);
                Ok(())
            }
            "RecordDiscardTile" => self.discard(data),
            "RecordChiPengGang" => self.call(data),
            "RecordAnGangAddGang" => self.kan(data),
            "RecordBaBei" => {
                let actor = self.seat(data, "seat")?;
                let north = tile_of_digit_first("4z");
                self.remove(actor, north)?;
                self.last = Some(actor);
                self.events.push(Event::Kita { actor });
                Ok(())
            }
            "RecordHule" => self.won(data),
            "RecordNoTile" => self.no_tile(data),
            "RecordLiuJu" => self.aborted(data),
            _ => Ok(()),
        }
    }

    fn seat(&self, data: &Value, name: &str) -> ReadResult<Seat> {
        let number = number(data, name)?;
        u8::try_from(number)
            .ok()
            .filter(|&number| number < self.players)
            .and_then(Seat::new)
            .ok_or(())
            .or_else(|()| {
                malformed(
                    name,
                    format!("{number} is no seat: 0 to {} are", self.players - 1),
                )
            })
    }

    fn new_round(&mut self, data: &Value) -> ReadResult<()> {
        let hands = ["tiles0", "tiles1", "tiles2", "tiles3"].map(|name| tiles(data, name));
        let mut dealt = Vec::new();
        for hand in hands {
            dealt.push(hand?);
        }
        dealt.retain(|hand| !hand.is_empty());
        let players = dealt.len();
        if !(3..=4).contains(&players) {
            return malformed("tiles0 to tiles3", format!("there are {players} hands"));
        }
        self.players = players as u8;
        let oya = self.seat(data, "ju")?;
        let counter = |name: &str| {
            let count = number(data, name)?;
            u8::try_from(count).or_else(|_| malformed(name, format!("{count} is no count")))
        };
        let wind = counter("chang")?;
        let Some(&bakaze) = Wind::ALL.get(usize::from(wind)) else {
            return malformed("chang", format!("{wind} is no wind"));
        };
        // The dealer has drawn already.
        let drawn = dealt[oya.index()].get(HAND_SIZE).copied();
        dealt[oya.index()].truncate(HAND_SIZE);
        let mut tehais = PerSeat::from_fn(self.players, |_| None);
        for (seat, hand) in tehais.iter_mut() {
            let tiles = &dealt[seat.index()];
            let hand_of_seat: [Tile; HAND_SIZE] = tiles.as_slice().try_into().or_else(|_| {
                malformed(
                    format!("tiles{seat}"),
                    format!("there are {} tiles, and 13 are dealt", tiles.len()),
                )
            })?;
            *hand = Some(hand_of_seat);
        }
        self.doras = tiles(data, "doras")?;
        if self.doras.is_empty() {
            // Old records have the first alone.
            self.doras.push(tile(field(data, "dora"), "dora")?);
        }
        self.hands = PerSeat::from_fn(self.players, |seat| {
            dealt.get(seat.index()).cloned().unwrap_or_default()
        });
        self.riichi = PerSeat::from_fn(self.players, |_| false);
        (self.pons, self.owes_stick, self.in_round) = (Vec::new(), None, true);
        self.events.push(Event::StartKyoku(StartKyoku {
            bakaze,
            kyoku: oya.index() as u8 + 1,
            honba: counter("ben")?,
            kyotaku: counter("liqibang")?,
            oya,
            dora_marker: self.doras[0],
            scores: Some(self.points(field(data, "scores"), "scores")?),
            tehais,
        }));
        if let Some(tile) = drawn {
            self.draw(oya, tile);
        }
        Ok(())
    }

    fn points(&self, value: &Value, name: &str) -> ReadResult<Points> {
        let points = value.as_array().map_or(&[][..], Vec::as_slice);
        let points: Vec<i32> = points
            .iter()
            .take(self.players.into())
            .filter_map(|points| i32::try_from(points.as_i64()?).ok())
            .filter(|points| points.abs() < 1_000_000_000)
            .collect();
        Points::from_slice(&points)
            .filter(|points| points.players() == self.players)
            .ok_or(())
            .or_else(|()| {
                malformed(
                    name,
                    format!("{value} are not the points of {} players", self.players),
                )
            })
    }

    fn pay_stick(&mut self) {
        if let Some(actor) = self.owes_stick.take() {
            self.events.push(Event::ReachAccepted {
                actor,
                scores: None,
            });
        }
    }

    /// The indicators that a message adds to the known ones: it has all of them, or the new one.
    fn turn_doras(&mut self, data: &Value) -> ReadResult<()> {
        let shown = tiles(data, "doras")?;
        let new = match shown.strip_prefix(self.doras.as_slice()) {
            Some(new) => new,
            None if shown.len() == 1 => &shown[..],
            None => return Ok(()),
        };
        for &marker in new {
            self.events.push(Event::Dora { marker });
            self.doras.push(marker);
        }
        Ok(())
    }

    fn draw(&mut self, actor: Seat, tile: Tile) {
        self.hands[actor].push(tile);
        self.last = Some(actor);
        self.events.push(Event::Tsumo {
            actor,
            tile: Some(tile),
        });
    }

    /// Takes a tile from a hand.
    fn remove(&mut self, actor: Seat, wanted: Option<Tile>) -> ReadResult<Tile> {
        let hand = &mut self.hands[actor];
        let place = hand.iter().position(|tile| Some(*tile) == wanted);
        match place {
            Some(place) => Ok(hand.remove(place)),
            None => malformed("tile", format!("seat {actor} does not hold it")),
        }
    }

    fn discard(&mut self, data: &Value) -> ReadResult<()> {
        let actor = self.seat(data, "seat")?;
        let tile = tile(field(data, "tile"), "tile")?;
        if is_set(data, "is_liqi") || is_set(data, "is_wliqi") {
            self.riichi[actor] = true;
            self.owes_stick = Some(actor);
            self.events.push(Event::Reach { actor });
        }
        self.remove(actor, Some(tile))?;
        self.last = Some(actor);
        self.events.push(Event::Dahai {
            actor,
            tile,
            tsumogiri: is_set(data, "moqie"),
        });
        self.turn_doras(data)
    }

    fn call(&mut self, data: &Value) -> ReadResult<()> {
        self.pay_stick();
        let actor = self.seat(data, "seat")?;
        let all = tiles(data, "tiles")?;
        let froms = list(data, "froms");
        let from = |place: usize| froms.get(place).and_then(Value::as_u64);
        let called = (0..all.len())
            .find(|&place| from(place).is_some_and(|from| from != actor.index() as u64));
        let called = called.or(all.len().checked_sub(1));
        let target = called
            .and_then(from)
            .and_then(|from| Seat::at(usize::try_from(from).ok()?))
            .filter(|seat| *seat != actor && seat.index() < self.players.into())
            .or(self.last);
        let (Some(called), Some(target)) = (called, target) else {
            return malformed("tiles", "there are none");
        };
        let tile = all[called];
        let mut own = all;
        own.remove(called);
        let is_run = own.iter().any(|own| own.kind() != tile.kind());
        let event = match *own.as_slice() {
            [first, second] if is_run => Event::Chi {
                actor,
                target,
                tile,
                consumed: [first, second],
            },
            [first, second] => {
                self.pons.push((actor, [first, second, tile]));
                Event::Pon {
                    actor,
                    target,
                    tile,
                    consumed: [first, second],
                }
            }
            [first, second, third] => Event::Daiminkan {
                actor,
                target,
                tile,
                consumed: [first, second, third],
            },
            _ => return malformed("tiles", format!("there are {}", own.len() + 1)),
        };
        for tile in own {
            self.remove(actor, Some(tile))?;
        }
        self.last = Some(actor);
        self.events.push(event);
        self.turn_doras(data)
    }

    fn kan(&mut self, data: &Value) -> ReadResult<()> {
        let actor = self.seat(data, "seat")?;
        let shown = tile(field(data, "tiles"), "tiles")?;
        let kind = shown.kind();
        let event = match number(data, "type")? {
            2 => {
                let pon = self
                    .pons
                    .iter()
                    .find(|(seat, pon)| *seat == actor && pon[0].kind() == kind);
                let Some(&(_, consumed)) = pon else {
                    return malformed(
                        "tiles",
                        format!("seat {actor} has no pon to add {shown} to"),
                    );
                };
                let tile = self.remove(actor, Some(shown))?;
                Event::Kakan {
                    actor,
                    tile,
                    consumed,
                }
            }
            3 => {
                let hand = &mut self.hands[actor];
                let four: Vec<Tile> = hand
                    .iter()
                    .copied()
                    .filter(|tile| tile.kind() == kind)
                    .collect();
                hand.retain(|tile| tile.kind() != kind);
                let consumed: [Tile; 4] = four.as_slice().try_into().or_else(|_| {
                    malformed(
                        "tiles",
                        format!(
                            "seat {actor} holds {} of {shown}, and a kan has four",
                            four.len()
                        ),
                    )
                })?;
                Event::Ankan { actor, consumed }
            }
            other => {
                return malformed(
                    "type",
                    format!("{other} is neither 2 (added) nor 3 (closed)"),
                );
            }
        };
        self.last = Some(actor);
        self.events.push(event);
        self.turn_doras(data)
    }

    fn won(&mut self, data: &Value) -> ReadResult<()> {
        let wins = list(data, "hules");
        let from = self.last;
        let is_ron = wins.iter().any(|win| !is_set(win, "zimo"));
        if is_ron && self.owes_stick == from {
            let ronned = self.owes_stick.take();
            ronned
                .into_iter()
                .for_each(|seat| self.riichi[seat] = false);
        }
        self.pay_stick();
        // An indicator that the last discard turned may be in no message before this.
        if let Some(win) = wins.first() {
            self.turn_doras(win)?;
        }
        let all_deltas = self.points(field(data, "delta_scores"), "delta_scores")?;
        let scores = match field(data, "scores") {
            Value::Null => None,
            scores => Some(self.points(scores, "scores")?),
        };
        for (place, win) in wins.iter().enumerate() {
            let actor = self.seat(win, "seat")?;
            let target = if is_set(win, "zimo") {
                actor
            } else {
                from.unwrap_or(actor)
            };
            let ura = tiles(win, "li_doras")?;
            let Some(ura_markers) = UraMarkers::from_slice(&ura) else {
                return malformed("li_doras", format!("there are {}", ura.len()));
            };
            let is_yakuman = is_set(win, "yiman");
            let part = |fan: &Value| {
                let id = number(fan, "id").ok()?;
                let value = number(fan, "val").ok()?;
                let han = if is_yakuman {
                    value.saturating_mul(YAKUMAN.into())
                } else {
                    value
                };
                Some((name_by_mahjong_soul_number(u64::try_from(id).ok()?), han))
            };
            let parts = list(win, "fans").iter().filter_map(part).collect();
            let fu = number(win, "fu")?;
            let told = RecordedFacts {
                ura_left_out: self.riichi[actor] && ura.is_empty(),
                ..told_of_win(parts, Some(fu).filter(|&fu| fu > 0), None)
            };
            // Of several wins only the sum of all payments is known.
            let is_last = place + 1 == wins.len();
            let hora = Hora {
                actor,
                target,
                deltas: (wins.len() == 1).then_some(all_deltas),
                scores: scores.filter(|_| is_last),
                ura_markers,
            };
            self.events.push_told(Event::Hora(hora), told);
        }
        self.end();
        Ok(())
    }

    fn no_tile(&mut self, data: &Value) -> ReadResult<()> {
        self.pay_stick();
        let mut deltas = Points::from_fn(self.players, |_| 0);
        for part in list(data, "scores") {
            if !list(part, "delta_scores").is_empty() {
                let paid = self.points(field(part, "delta_scores"), "delta_scores")?;
                deltas
                    .iter_mut()
                    .for_each(|(seat, sum)| *sum = sum.saturating_add(paid[seat]));
            }
        }
        let is_nagashi = is_set(data, "liujumanguan");
        let shown = list(data, "players");
        let tenpai = (shown.len() >= self.players.into() && !is_nagashi).then(|| {
            PerSeat::from_fn(self.players, |seat| {
                shown
                    .get(seat.index())
                    .is_some_and(|player| is_set(player, "tingpai"))
            })
        });
        let told = RecordedFacts {
            tenpai,
            ..RecordedFacts::default()
        };
        let reason = if is_nagashi {
            DrawReason::NagashiMangan
        } else {
            DrawReason::Exhaustive
        };
        self.draw_round(reason, Some(deltas), told);
        Ok(())
    }

    fn aborted(&mut self, data: &Value) -> ReadResult<()> {
        let reason = match number(data, "type")? {
            1 => DrawReason::NineTerminals,
            2 => DrawReason::FourWinds,
            3 => DrawReason::FourKans,
            4 => DrawReason::FourRiichi,
            5 => DrawReason::ThreeWinners,
            other => {
                return malformed(
                    "type",
                    format!("{other} is no reason for a draw: 1 to 5 are"),
                );
            }
        };
        // A riichi whose tile is won on is not paid.
        if reason != DrawReason::ThreeWinners {
            self.pay_stick();
        }
        self.draw_round(reason, None, RecordedFacts::default());
        Ok(())
    }

    fn draw_round(&mut self, reason: DrawReason, deltas: Option<Points>, told: RecordedFacts) {
        let event = Event::Ryukyoku {
            deltas,
            scores: None,
            reason: Some(reason),
        };
        self.events.push_told(event, told);
        self.end();
    }

    fn end(&mut self) {
        self.in_round = false;
        self.events.push(Event::EndKyoku);
    }
}
