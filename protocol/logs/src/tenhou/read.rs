//! Reads the JSON of Tenhou's viewer.

use riichi::event::{DrawReason, HAND_SIZE, Hora, MAX_DORA, Points, StartKyoku, UraMarkers};
use riichi::referee::RecordedFacts;
use riichi::{Event, PerSeat, Seat, Tile, Wind};
use serde_json::Value;

use super::SEATS;
use super::round::{RoundTiles, tile_by_number};
use crate::form::LogForm;
use crate::game::{EventList, LogFacts, LogGame, ReadResult, malformed};
use crate::names::{draw_reason, our_name, told_of_win};

/// Parts of a round, the result included.
const PARTS: usize = 17;
/// The first of the parts of the seats, three each.
const FIRST_SEAT: usize = 4;

/// Whether a value is a log of this form.
pub(crate) fn is_tenhou(value: &Value) -> bool {
    let first = value.get("log").and_then(|log| log.get(0));
    first.is_some_and(|round| round.get(0).is_some_and(Value::is_array))
}

/// The game of a log.
pub(crate) fn read(log: &Value) -> ReadResult<LogGame> {
    let rounds = log["log"].as_array().map_or(&[][..], Vec::as_slice);
    let Some(first) = rounds.first() else {
        return malformed("log", "there is no round in it");
    };
    let disp = log["rule"]["disp"].as_str().unwrap_or_default();
    let is_empty = |part: &Value| part.as_array().is_none_or(Vec::is_empty);
    let players = if disp.contains('三') || first.get(13).is_none_or(is_empty) {
        3
    } else {
        4
    };
    let mut events = EventList::default();
    for (number, round) in rounds.iter().enumerate() {
        read_round(round, players, &mut events)
            .map_err(|why| why.within(format!("round {}", number + 1)))?;
    }
    if let Some(scores) = log["sc"].as_array() {
        // Each score is followed by the points of the place.
        let scores: Vec<Value> = scores.iter().step_by(2).cloned().collect();
        let scores = points_of(&Value::Array(scores), players, "sc")?;
        events.push(Event::EndGame {
            scores: Some(scores),
        });
    }
    Ok(events.game(facts_of(log, players)))
}

fn facts_of(log: &Value, players: u8) -> LogFacts {
    let names = log["name"].as_array().into_iter().flatten();
    let names: Vec<String> = names
        .map(|name| name.as_str().unwrap_or("?").to_owned())
        .take(players.into())
        .collect();
    let rule = &log["rule"];
    let has_name = |name: &String| !name.is_empty();
    let reds: Vec<u64> = ["aka51", "aka52", "aka53"]
        .iter()
        .filter_map(|key| rule[key].as_u64())
        .collect();
    let aka = rule["aka"].as_u64();
    // 1 is one of each suit; three players have no five of characters.
    let each = |aka: u64| if aka == 0 { 0 } else { u64::from(players) - 1 };
    let red_fives = if reds.is_empty() {
        aka.map(each)
    } else {
        Some(
            reds.iter()
                .fold(0, |sum: u64, count| sum.saturating_add(*count)),
        )
    };
    let disp = rule["disp"].as_str().filter(|disp| !disp.is_empty());
    LogFacts {
        names: if names.iter().any(has_name) {
            names
        } else {
            Vec::new()
        },
        rules: disp.map(str::to_owned),
        red_fives: red_fives.and_then(|count| count.try_into().ok()),
        open_tanyao: disp
            .filter(|disp| disp.contains(['般', '特', '上', '鳳', '三', '若', '琥']))
            .map(|disp| disp.contains('喰')),
        began: log["ref"].as_str().and_then(hour_of_name),
        ..LogFacts::unknown(LogForm::TenhouJson)
    }
}

/// The hour at which a game with this name at Tenhou began, such as `2019050417gm-0029-…`.
pub(crate) fn hour_of_name(name: &str) -> Option<String> {
    let digits = name.get(..10)?;
    let is_hour = digits.bytes().all(|byte| byte.is_ascii_digit()) && name.get(10..12)? == "gm";
    is_hour.then(|| {
        let [year, month, day, hour] = [&digits[..4], &digits[4..6], &digits[6..8], &digits[8..]];
        format!("{year}-{month}-{day}T{hour}+09:00")
    })
}

fn read_round(round: &Value, players: u8, events: &mut EventList) -> ReadResult<()> {
    let parts = round.as_array().map_or(&[][..], Vec::as_slice);
    if parts.len() < PARTS - 1 {
        let found = parts.len();
        return malformed(
            "parts",
            format!("there are {found}, and a round has {PARTS}; is the log cut?"),
        );
    }
    let start = start_of(parts, players)?;
    let doras = tiles_of(&parts[2], "dora indicators")?;
    let ura = tiles_of(&parts[3], "ura indicators")?;
    events.push(Event::StartKyoku(start));
    let result = parts.get(PARTS - 1).and_then(Value::as_array);
    let result = result.map_or(&[][..], Vec::as_slice);
    let wins = wins_of(result, players)?;
    let seats = PerSeat::from_fn(players, |seat| FIRST_SEAT + 3 * seat.index());
    let tiles = RoundTiles::read(|seat, list| &parts[seats[seat] + 1 + list], players)?;
    let is_ron = wins.first().is_some_and(|win| win.actor != win.target);
    let drawn_by = result.first().and_then(Value::as_str).and_then(draw_reason);
    let last_is_won_on = is_ron || drawn_by == Some(DrawReason::ThreeWinners);
    let later_doras = doras.get(1..).unwrap_or_default();
    let (mut happened, declared) = tiles.played(start.oya, later_doras, last_is_won_on)?;
    events.append(&mut happened);
    if wins.is_empty() {
        events_of_draw(result, players, events)?;
    }
    let ura = UraMarkers::from_slice(&ura)
        .ok_or(())
        .or_else(|()| malformed("ura indicators", format!("there are {}", ura.len())))?;
    let has_norths = declared.has_norths;
    for win in wins {
        let is_in_riichi = declared.riichi[win.actor];
        let told = RecordedFacts {
            ura_left_out: is_in_riichi && ura.to_vec().is_empty(),
            ..told_of(&win, players, has_norths)
        };
        let hora = Hora {
            actor: win.actor,
            target: win.target,
            deltas: win.deltas,
            scores: None,
            ura_markers: if is_in_riichi {
                ura
            } else {
                UraMarkers::default()
            },
        };
        events.push_told(Event::Hora(hora), told);
    }
    if !result.is_empty() {
        events.push(Event::EndKyoku);
    }
    Ok(())
}

fn start_of(parts: &[Value], players: u8) -> ReadResult<StartKyoku> {
    let counter = |index: usize, name: &str| {
        let found = &parts[0][index];
        found
            .as_u64()
            .and_then(|count| u8::try_from(count).ok())
            .ok_or(())
            .or_else(|()| malformed(name, format!("{found} is no count")))
    };
    let number = counter(0, "round number")?;
    let (wind, oya) = (number / SEATS as u8, number % SEATS as u8);
    let bakaze = Wind::ALL.get(usize::from(wind)).copied();
    let seat = Seat::new(oya).filter(|_| oya < players);
    let (Some(bakaze), Some(oya)) = (bakaze, seat) else {
        return malformed(
            "round number",
            format!("{number} is none of a game of {players} players"),
        );
    };
    let doras = tiles_of(&parts[2], "dora indicators")?;
    let dora_marker = match doras.first() {
        Some(&marker) if doras.len() <= MAX_DORA => marker,
        _ => return malformed("dora indicators", format!("there are {}", doras.len())),
    };
    let mut tehais = PerSeat::from_fn(players, |_| None);
    for (seat, hand) in tehais.iter_mut() {
        let what = format!("seat {seat}, dealt tiles");
        let dealt = tiles_of(&parts[FIRST_SEAT + 3 * seat.index()], &what)?;
        let dealt: [Tile; HAND_SIZE] = dealt.as_slice().try_into().or_else(|_| {
            malformed(
                &what,
                format!("there are {}, and 13 are dealt", dealt.len()),
            )
        })?;
        *hand = Some(dealt);
    }
    Ok(StartKyoku {
        bakaze,
        kyoku: oya.index() as u8 + 1,
        honba: counter(1, "repeat counters")?,
        kyotaku: counter(2, "riichi sticks")?,
        oya,
        dora_marker,
        scores: Some(points_of(&parts[1], players, "scores")?),
        tehais,
    })
}

fn tiles_of(list: &Value, what: &str) -> ReadResult<Vec<Tile>> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    let tile = |value: &Value| {
        value
            .as_u64()
            .and_then(tile_by_number)
            .ok_or(())
            .or_else(|()| malformed(what, format!("{value} is no tile: 11 to 19, 21 to 29, 31 to 39, 41 to 47 and 51 to 53 are")))
    };
    list.iter().map(tile).collect()
}

/// Points of each seat; those of an empty seat are left out.
fn points_of(list: &Value, players: u8, what: &str) -> ReadResult<Points> {
    let point = |value: &Value| value.as_f64().filter(|points| points.abs() < 1e9);
    let points: Option<Vec<i32>> = list
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .take(players.into())
        .map(|value| point(value).map(|points| points as i32))
        .collect();
    points
        .filter(|points| points.len() == usize::from(players))
        .and_then(|points| Points::from_slice(&points))
        .ok_or(())
        .or_else(|()| {
            malformed(
                what,
                format!("{list} are not the points of {players} players"),
            )
        })
}

/// A win, as the result has it.
struct ToldWin<'a> {
    actor: Seat,
    target: Seat,
    deltas: Option<Points>,
    /// The value, and the yaku behind it.
    details: &'a [Value],
}

/// The wins of a result.
fn wins_of(result: &[Value], players: u8) -> ReadResult<Vec<ToldWin<'_>>> {
    let [name, rest @ ..] = result else {
        return Ok(Vec::new());
    };
    if !matches!(name.as_str(), Some("和了" | "Agari" | "agari")) {
        return Ok(Vec::new());
    }
    let mut wins = Vec::new();
    for pair in rest.chunks(2) {
        let [deltas, details] = pair else {
            return malformed("result", "a win is its payments and its details");
        };
        let details = details.as_array().map_or(&[][..], Vec::as_slice);
        let seat = |index: usize| {
            let number = details.get(index).and_then(Value::as_u64);
            number
                .and_then(|number| Seat::new(u8::try_from(number).ok()?))
                .filter(|seat| seat.index() < players.into())
        };
        let (Some(actor), Some(target)) = (seat(0), seat(1)) else {
            return malformed("result", "a win names the winner and who dealt in");
        };
        wins.push(ToldWin {
            actor,
            target,
            deltas: Some(points_of(deltas, players, "payments")?),
            details: details.get(3..).unwrap_or_default(),
        });
    }
    Ok(wins)
}

fn events_of_draw(result: &[Value], players: u8, events: &mut EventList) -> ReadResult<()> {
    let Some(name) = result.first().and_then(Value::as_str) else {
        return Ok(());
    };
    let reason = draw_reason(name);
    let deltas = match result.get(1) {
        Some(deltas) if deltas.is_array() => Some(points_of(deltas, players, "payments")?),
        // Nothing is paid.
        _ if reason.is_some() => Some(Points::from_fn(players, |_| 0)),
        _ => None,
    };
    let all = |tenpai: bool| Some(PerSeat::from_fn(players, |_| tenpai));
    let told = RecordedFacts {
        tenpai: match name {
            "全員聴牌" => all(true),
            "全員不聴" => all(false),
            _ => None,
        },
        reason: Some(name.to_owned()).filter(|_| reason.is_none()),
        ..RecordedFacts::default()
    };
    let deltas = deltas.filter(|_| reason != Some(DrawReason::NagashiMangan) || result.len() > 1);
    let event = Event::Ryukyoku {
        deltas,
        scores: None,
        reason,
    };
    events.push_told(event, told);
    Ok(())
}

/// What the details say of a win's value: `30符4飜7700点`, and yaku such as `立直(1飜)`.
fn told_of(win: &ToldWin<'_>, players: u8, has_norths: bool) -> RecordedFacts {
    let Some((value, yaku)) = win.details.split_first() else {
        return RecordedFacts::default();
    };
    let value = value.as_str().unwrap_or_default();
    let number_before = |sign: &str| {
        let (before, _) = value.split_once(sign)?;
        let digits = before.rfind(|letter: char| !letter.is_ascii_digit());
        before[digits.map_or(0, |end| end + 1)..].parse().ok()
    };
    let parts = yaku.iter().filter_map(|part| {
        let (name, han) = part.as_str()?.rsplit_once('(')?;
        let han = match han.strip_suffix(')')? {
            "役満" => 13,
            han => han.strip_suffix('飜')?.parse().ok()?,
        };
        Some((our_name(name, has_norths).to_owned(), han))
    });
    let parts: Vec<(String, i64)> = parts.collect();
    let is_whole = parts.len() == yaku.len();
    let points = value
        .split_once('点')
        .and_then(|(before, all)| points_in_words(before, all == "∀", players));
    RecordedFacts {
        points,
        ..told_of_win(
            if is_whole { parts } else { Vec::new() },
            number_before("符"),
            None,
        )
    }
}

/// All points of a hand: `7700`, `2000-4000`, or `2600` of each.
fn points_in_words(words: &str, of_each: bool, players: u8) -> Option<i64> {
    let digits = words.rfind(|letter: char| !letter.is_ascii_digit() && letter != '-');
    let from = digits.map_or(0, |end| {
        end + words[end..].chars().next().map_or(0, char::len_utf8)
    });
    let words = &words[from..];
    let others = i64::from(players) - 1;
    match words.split_once('-') {
        Some((ko, oya)) => {
            let (ko, oya): (i32, i32) = (ko.parse().ok()?, oya.parse().ok()?);
            Some(i64::from(ko) * (others - 1) + i64::from(oya))
        }
        None => {
            let points: i32 = words.parse().ok()?;
            Some(i64::from(points) * if of_each { others } else { 1 })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_summed_up() {
        let cases = [
            ("30符4飜7700", false, 4, 7700),
            ("満貫2000-4000", false, 4, 8000),
            ("満貫2000-4000", false, 3, 6000),
            ("30符2飜1000", true, 4, 3000),
            ("三倍満12000", true, 3, 24_000),
        ];
        for (words, of_each, players, points) in cases {
            assert_eq!(
                points_in_words(words, of_each, players),
                Some(points),
                "{words}"
            );
        }
    }

    #[test]
    fn the_name_of_a_game_says_its_hour() {
        let hour = hour_of_name("2019050417gm-0029-0000-4f2a8622");
        assert_eq!(hour.as_deref(), Some("2019-05-04T17+09:00"));
        assert_eq!(hour_of_name("a game of mine"), None);
    }
}
