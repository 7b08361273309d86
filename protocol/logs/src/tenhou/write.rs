//! Writes games in the JSON of Tenhou's viewer.

use std::fmt::Write as _;

use riichi::event::{DrawReason, Hora, Points, StartKyoku};
use riichi::rules::{Preset, RIICHI_STICK};
use riichi::score::{Limit, Payment, Score};
use riichi::table::Contradiction;
use riichi::yaku::Yaku;
use riichi::{Event, Kind, PerSeat, Rules, Seat, Table, Tile, Wind};
use serde_json::{Value, json};

use super::{DRAWN, NO_DISCARD, SEATS};
use crate::names::{TENHOU_DORA, tenhou_draw_name, tenhou_name, tenhou_wind};

/// A game in Tenhou's form.
#[derive(Debug, Clone, PartialEq)]
pub struct TenhouForm {
    pub game: Value,
    /// What the form does not say, each with the place of its event, from 0.
    pub lost: Vec<(usize, String)>,
}

/// Why a game has no form of Tenhou's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NoTenhouForm {
    /// The place of the event, from 0; `None` if there is no round.
    pub place: Option<usize>,
    pub why: String,
}

/// The first game of these events.
///
/// # Errors
///
/// If a hand is hidden, or an event is impossible.
pub fn tenhou_form(events: &[Event], names: &[String]) -> Result<TenhouForm, NoTenhouForm> {
    let first = events.iter().find_map(|event| match event {
        Event::StartKyoku(start) => Some(start),
        _ => None,
    });
    let no_round = || NoTenhouForm {
        place: None,
        why: "there is no round in it".to_owned(),
    };
    let players = first.ok_or_else(no_round)?.tehais.players();
    let rules = Rules::TENHOU_HALF.with_players(players);
    let mut game = TenhouGame {
        rules,
        tables: Seat::all(players)
            .map(|seat| Table::new(rules, seat))
            .collect(),
        rounds: Vec::new(),
        round: None,
        has_south: false,
        place: 0,
        lost: Vec::new(),
    };
    for (place, event) in events.iter().enumerate() {
        game.place = place;
        game.take(event).map_err(|why| NoTenhouForm {
            place: Some(place),
            why,
        })?;
        if matches!(event, Event::EndGame { .. }) {
            break;
        }
    }
    game.end_round();
    let shown = |seat: usize| names.get(seat).map_or("", String::as_str);
    let length = if game.has_south { "南" } else { "東" };
    let disp = format!("{}{length}喰赤", if players == 3 { "三" } else { "般" });
    let form = json!({
        "title": ["", ""],
        "name": (0..SEATS).map(|seat| if seat < players.into() { shown(seat) } else { "" }).collect::<Vec<_>>(),
        "rule": { "disp": disp, "aka": 1 },
        "log": game.rounds,
    });
    Ok(TenhouForm {
        game: form,
        lost: game.lost,
    })
}

struct TenhouGame {
    rules: Rules,
    /// One for each seat.
    tables: Vec<Table>,
    rounds: Vec<Value>,
    round: Option<TenhouRound>,
    has_south: bool,
    /// The place of the event.
    place: usize,
    lost: Vec<(usize, String)>,
}

/// A round in progress.
struct TenhouRound {
    number: u8,
    honba: u8,
    kyotaku: u8,
    scores: Vec<i32>,
    dora: Vec<u8>,
    ura: Vec<u8>,
    seats: PerSeat<TenhouSeat>,
    /// The tile that others may win on, and whether it belongs to a kan.
    offered: Option<(Tile, bool)>,
    /// The discards so far.
    thrown: Vec<ThrownTile>,
    result: Vec<Value>,
}

/// A discard, with how many draws and calls each seat had before it.
struct ThrownTile {
    by: Seat,
    tile: Tile,
    drawn: PerSeat<usize>,
}

#[derive(Default)]
struct TenhouSeat {
    dealt: Vec<u8>,
    drawn: Vec<Value>,
    discarded: Vec<Value>,
    /// Each pon: its kind, and its text with the letter.
    pons: Vec<(Kind, String)>,
    declares: bool,
}

impl TenhouGame {
    fn take(&mut self, event: &Event) -> Result<(), String> {
        if let Event::StartKyoku(start) = event
            && start.tehais.iter().any(|(_, hand)| hand.is_none())
        {
            let why = "hands are hidden, as in records of ranked games, and Tenhou's form shows all of them; \
                       `play --record` knows all hands";
            return Err(why.to_owned());
        }
        // Its value is computed before it is applied.
        let won = match event {
            Event::Hora(hora) => {
                let score = self.score_of(hora)?;
                self.lost
                    .extend(self.doubled(hora, &score).map(|words| (self.place, words)));
                Some(self.won(hora, &score)?)
            }
            _ => None,
        };
        for table in &mut self.tables {
            match table.apply(&event.masked_for(table.seat())) {
                // The scores are those of the record.
                Err(Contradiction::Scores { .. }) | Ok(()) => {}
                Err(why) => return Err(why.to_string()),
            }
        }
        if let Event::Ryukyoku { deltas, reason, .. } = *event {
            let result = self.drawn(deltas, reason);
            self.round
                .iter_mut()
                .for_each(|round| round.result.clone_from(&result));
        }
        self.lost
            .extend(self.ambiguous(event).map(|words| (self.place, words)));
        if let Event::StartKyoku(start) = event {
            self.end_round();
            self.begin_round(start)?;
            return Ok(());
        }
        let Some(round) = &mut self.round else {
            return Ok(());
        };
        match *event {
            Event::Tsumo { actor, tile } => {
                let tile = tile.ok_or("a drawn tile is hidden")?;
                round.seats[actor].drawn.push(number(tile).into());
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let seat = &mut round.seats[actor];
                let tile_number = if tsumogiri { DRAWN } else { number(tile) };
                let declares = std::mem::take(&mut seat.declares);
                seat.discarded.push(if declares {
                    format!("r{tile_number}").into()
                } else {
                    tile_number.into()
                });
                round.offered = Some((tile, false));
                let drawn =
                    PerSeat::from_fn(round.seats.players(), |seat| round.seats[seat].drawn.len());
                round.thrown.push(ThrownTile {
                    by: actor,
                    tile,
                    drawn,
                });
            }
            Event::Chi {
                actor,
                tile,
                consumed,
                ..
            } => {
                let text = called('c', number(tile), &consumed, 0);
                round.seats[actor].drawn.push(text.into());
            }
            Event::Pon {
                actor,
                target,
                tile,
                consumed,
            } => {
                let text = called('p', number(tile), &consumed, place(actor, target, 2));
                round.seats[actor].pons.push((tile.kind(), text.clone()));
                round.seats[actor].drawn.push(text.into());
            }
            Event::Daiminkan {
                actor,
                target,
                tile,
                consumed,
            } => {
                let text = called('m', number(tile), &consumed, place(actor, target, 3));
                round.seats[actor].drawn.push(text.into());
                round.seats[actor].discarded.push(NO_DISCARD.into());
            }
            Event::Ankan { actor, consumed } => {
                let [first @ .., last] = consumed;
                let text = called('a', number(last), &first, 3);
                round.seats[actor].discarded.push(text.into());
                round.offered = Some((last, true));
            }
            Event::Kakan { actor, tile, .. } => {
                let seat = &mut round.seats[actor];
                let pon = seat.pons.iter().find(|(kind, _)| *kind == tile.kind());
                let (_, text) = pon.ok_or("there is no pon to add to")?;
                let added = text.replace('p', &format!("k{}", number(tile)));
                seat.discarded.push(added.into());
                round.offered = Some((tile, true));
            }
            Event::Kita { actor } => {
                round.seats[actor]
                    .discarded
                    .push(format!("f{}", number(Kind::NORTH.tile())).into());
                round.offered = Some((Kind::NORTH.tile(), false));
            }
            Event::Dora { marker } => round.dora.push(number(marker)),
            Event::Reach { actor } => round.seats[actor].declares = true,
            Event::Hora(Hora {
                deltas,
                ura_markers,
                ..
            }) => {
                if round.result.is_empty() {
                    round.result.push("和了".into());
                }
                let ura: Vec<u8> = ura_markers.to_vec().into_iter().map(number).collect();
                if ura.len() > round.ura.len() {
                    round.ura = ura;
                }
                round.result.push(of_all_seats(deltas).into());
                round.result.extend(won);
            }
            _ => {}
        }
        Ok(())
    }

    fn begin_round(&mut self, start: &StartKyoku) -> Result<(), String> {
        let mut seats = PerSeat::from_fn(self.rules.players, |_| TenhouSeat::default());
        for (seat, own) in seats.iter_mut() {
            let dealt = start.tehais[seat].ok_or("a hand is hidden")?;
            own.dealt = dealt.into_iter().map(number).collect();
        }
        self.has_south |= start.bakaze != Wind::East;
        let scores = self
            .tables
            .first()
            .map(|table| table.scores().as_slice().to_vec())
            .unwrap_or_default();
        self.round = Some(TenhouRound {
            number: 4 * start.bakaze as u8 + start.kyoku - 1,
            honba: start.honba,
            kyotaku: start.kyotaku,
            scores,
            dora: vec![number(start.dora_marker)],
            ura: Vec::new(),
            seats,
            offered: None,
            thrown: Vec::new(),
            result: Vec::new(),
        });
        Ok(())
    }

    fn end_round(&mut self) {
        let Some(round) = self.round.take() else {
            return;
        };
        let padded = |scores: &[i32]| {
            (0..SEATS)
                .map(|seat| scores.get(seat).copied().unwrap_or(0))
                .collect::<Vec<_>>()
        };
        let mut parts = vec![
            json!([round.number, round.honba, round.kyotaku]),
            json!(padded(&round.scores)),
            json!(round.dora),
            json!(round.ura),
        ];
        let mut seats = round.seats.as_slice().iter();
        for _ in 0..SEATS {
            let seat = seats.next();
            parts.push(seat.map_or_else(|| json!([]), |seat| json!(seat.dealt)));
            parts.push(seat.map_or_else(|| json!([]), |seat| json!(seat.drawn)));
            parts.push(seat.map_or_else(|| json!([]), |seat| json!(seat.discarded)));
        }
        parts.push(Value::Array(round.result));
        self.rounds.push(Value::Array(parts));
    }

    /// The result of a round that is drawn. Tenhou writes no payments of an abortive draw, nor if
    /// all seats are tenpai or none is.
    fn drawn(&mut self, deltas: Option<Points>, reason: Option<DrawReason>) -> Vec<Value> {
        let name = tenhou_draw_name(reason);
        let nothing =
            deltas.is_none_or(|deltas| deltas.as_slice().iter().all(|&points| points == 0));
        let is_exhausted = self
            .tables
            .first()
            .is_some_and(|table| table.tiles_left() == 0);
        let tenpai = self
            .tables
            .iter()
            .filter(|table| !table.waits().is_empty())
            .count();
        match reason {
            Some(DrawReason::NagashiMangan | DrawReason::IllegalAction(_)) => {}
            Some(DrawReason::Exhaustive) | None if !nothing => {}
            Some(DrawReason::Exhaustive) | None if tenpai == 0 && is_exhausted => {
                return vec!["全員不聴".into()];
            }
            Some(DrawReason::Exhaustive) | None if tenpai == self.tables.len() && is_exhausted => {
                return vec!["全員聴牌".into()];
            }
            Some(DrawReason::Exhaustive) | None => {
                let words = "Tenhou's form does not say why nothing is paid: all seats may be tenpai, or none";
                self.lost.push((self.place, words.to_owned()));
            }
            Some(_) => return vec![name.into()],
        }
        vec![name.into(), of_all_seats(deltas).into()]
    }

    /// Why readers cannot see which discard is called: the form lists the draws of each seat, and
    /// the seat might have called an equal discard before.
    fn ambiguous(&self, event: &Event) -> Option<String> {
        let (actor, target, tile) = match *event {
            Event::Chi {
                actor,
                target,
                tile,
                ..
            }
            | Event::Pon {
                actor,
                target,
                tile,
                ..
            } => (actor, target, tile),
            Event::Daiminkan {
                actor,
                target,
                tile,
                ..
            } => (actor, target, tile),
            _ => return None,
        };
        let round = self.round.as_ref()?;
        let (_, before) = round.thrown.split_last()?;
        let drawn = round.seats[actor].drawn.len();
        let is_equal = |thrown: &&ThrownTile| {
            thrown.by == target && thrown.tile == tile && thrown.drawn[actor] == drawn
        };
        before.iter().find(is_equal)?;
        Some(format!(
            "Tenhou's form does not say which {tile} of seat {target} seat {actor} calls: it discarded two since seat \
             {actor} had drawn or called, and readers take the first"
        ))
    }

    fn table_of(&self, seat: Seat) -> Result<&Table, String> {
        let table = self.tables.get(seat.index());
        table.ok_or_else(|| "there is no such seat".to_owned())
    }

    /// That a win is paid as a double yakuman: Tenhou has none.
    fn doubled(&self, hora: &Hora, score: &Score) -> Option<String> {
        let double = score
            .yaku_with_han()
            .map(|(yaku, _)| yaku)
            .find(|&yaku| Preset::MahjongSoul.yakuman_units(yaku) > 1)?;
        let round = self.round.as_ref()?;
        let sticks = i32::from(round.kyotaku) + i32::from(self.rules.players);
        let extra = 300 * i32::from(round.honba) + RIICHI_STICK * sticks;
        let paid = hora.deltas.map(|deltas| deltas[hora.actor])?;
        let worth = score.points();
        (paid > worth + extra).then(|| {
            format!(
                "the win of seat {} is paid as a double yakuman ({}), which Tenhou does not have: its form says {worth} \
                 points beside payments of {paid}",
                hora.actor,
                double.name()
            )
        })
    }

    /// The value of a win by Tenhou's rules.
    fn score_of(&self, hora: &Hora) -> Result<Score, String> {
        let Hora {
            actor,
            target,
            ura_markers,
            ..
        } = *hora;
        let table = self.table_of(actor)?;
        let offered = || {
            self.round
                .as_ref()
                .and_then(|round| round.offered)
                .ok_or("nothing is offered")
        };
        let won = if actor == target {
            (table.drawn().ok_or("it has drawn nothing")?, false)
        } else {
            offered()?
        };
        table
            .score_of_win(target, won, ura_markers)
            .map_err(|why| why.to_string())
    }

    /// A win: the winner, the seat that dealt in, the seat that pays, the value and the yaku.
    fn won(&self, hora: &Hora, score: &Score) -> Result<Value, String> {
        let Hora { actor, target, .. } = *hora;
        let table = self.table_of(actor)?;
        let payer = score.liable().unwrap_or(actor);
        let mut parts: Vec<Value> = vec![
            actor.index().into(),
            target.index().into(),
            payer.index().into(),
        ];
        parts.push(worth(score).into());
        let is_yakuman = matches!(score.limit, Some(Limit::Yakuman(_)));
        for (yaku, han) in score.yaku_with_han() {
            let name = yaku_name(yaku, table.seat_wind(actor), table.bakaze());
            parts.push(
                if is_yakuman {
                    format!("{name}(役満)")
                } else {
                    format!("{name}({han}飜)")
                }
                .into(),
            );
        }
        let dora = score.dora;
        let counts = [dora.dora + dora.kita, dora.red, dora.ura];
        for (name, han) in TENHOU_DORA.into_iter().zip(counts) {
            if han > 0 {
                parts.push(format!("{name}({han}飜)").into());
            }
        }
        Ok(Value::Array(parts))
    }
}

fn number(tile: Tile) -> u8 {
    let index = tile.kind().index() as u8;
    match index {
        _ if tile.is_red() => 51 + index / 9,
        0..27 => 11 + 10 * (index / 9) + index % 9,
        _ => 41 + index - 27,
    }
}

/// The number of own tiles before the called tile, which depends on the discarder: none for the
/// previous seat, all for the next one.
fn place(actor: Seat, target: Seat, own: usize) -> usize {
    match (target.index() + SEATS - actor.index()) % SEATS {
        3 => 0,
        2 => 1,
        _ => own,
    }
}

fn called(letter: char, tile: u8, own: &[Tile], before: usize) -> String {
    let mut text = String::new();
    for (index, &tile_of_own) in own.iter().enumerate() {
        if index == before {
            let _ = write!(text, "{letter}{tile}");
        }
        let _ = write!(text, "{}", number(tile_of_own));
    }
    if before >= own.len() {
        let _ = write!(text, "{letter}{tile}");
    }
    text
}

fn of_all_seats(deltas: Option<Points>) -> Vec<i32> {
    let known = deltas
        .map(|deltas| deltas.as_slice().to_vec())
        .unwrap_or_default();
    (0..SEATS)
        .map(|seat| known.get(seat).copied().unwrap_or(0))
        .collect()
}

/// The value of a win, without honba and sticks.
fn worth(score: &Score) -> String {
    let points = match score.payment() {
        Payment::Ron(points) => format!("{points}点"),
        Payment::Tsumo { oya: 0, ko } => format!("{ko}点∀"),
        Payment::Tsumo { oya, ko } => format!("{ko}-{oya}点"),
    };
    let limit = match score.limit {
        None => return format!("{}符{}飜{points}", score.fu, score.han),
        Some(Limit::Mangan) => "満貫",
        Some(Limit::Haneman) => "跳満",
        Some(Limit::Baiman) => "倍満",
        Some(Limit::Sanbaiman) => "三倍満",
        Some(Limit::Kazoe) => "数え役満",
        Some(Limit::Yakuman(_)) => "役満",
    };
    format!("{limit}{points}")
}

fn yaku_name(yaku: Yaku, seat: Wind, round: Wind) -> String {
    let name = tenhou_name(yaku);
    match yaku {
        Yaku::SeatWind => format!("{name} {}", tenhou_wind(seat)),
        Yaku::RoundWind => format!("{name} {}", tenhou_wind(round)),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().expect("a tile")
    }

    fn seat(index: u8) -> Seat {
        Seat::new(index).expect("a seat")
    }

    #[test]
    fn tiles_have_tenhous_numbers() {
        let numbers = [
            "1m", "9m", "1p", "9s", "E", "N", "P", "F", "C", "5mr", "5pr", "5sr",
        ]
        .map(|name| number(tile(name)));
        assert_eq!(numbers, [11, 19, 21, 39, 41, 44, 45, 46, 47, 51, 52, 53]);
    }

    #[test]
    fn the_letter_of_a_call_shows_its_source() {
        let own = [tile("5m"), tile("5mr")];
        let pon = |target| called('p', 15, &own, place(seat(1), seat(target), 2));
        assert_eq!([0, 3, 2].map(pon), ["p151551", "15p1551", "1551p15"]);
        let kan = |target| called('m', 41, &[tile("E"); 3], place(seat(0), seat(target), 3));
        assert_eq!([3, 2, 1].map(kan), ["m41414141", "41m414141", "414141m41"]);
        // Of three players the seat before the first sits opposite, in the place of four.
        assert_eq!(
            called('p', 41, &[tile("E"); 2], place(seat(0), seat(2), 2)),
            "41p4141"
        );
    }
}
