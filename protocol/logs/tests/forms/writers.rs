//! Writes games in forms that the program reads and does not write. They are as small as the forms
//! allow.

use std::fmt::Write as _;

use game_logs::tenhou_form;
use riichi::event::{DrawReason, Hora, Points};
use riichi::{Event, PerSeat, Rules, Seat, Tile};
use serde_json::{Value, json};

fn drawn_by(reason: Option<DrawReason>) -> DrawReason {
    reason.expect("our games name the reason")
}

fn all<T>(points: &Points, change: impl Fn(i32) -> T) -> Vec<T> {
    points
        .as_slice()
        .iter()
        .map(|&points| change(points))
        .collect()
}

/// The winners' group of events that begins here.
fn wins_from(events: &[Event]) -> Vec<Hora> {
    let wins = events.iter().map_while(|event| match event {
        Event::Hora(hora) => Some(*hora),
        _ => None,
    });
    wins.collect()
}

/// The numbers of tiles in an mjlog, each of which is there once.
struct Numbers {
    used: Vec<u8>,
    /// The tiles of each seat, and its pons with the place of the called tile.
    hands: PerSeat<Vec<u8>>,
    pons: Vec<(Seat, Vec<u8>, u8)>,
    discarded: Option<u8>,
}

impl Numbers {
    fn new_number(&mut self, tile: Tile) -> u8 {
        let kind = tile.kind().index() as u8;
        let is_red = |number: u8| [16, 52, 88].contains(&number);
        let number = (4 * kind..4 * kind + 4)
            .find(|&number| is_red(number) == tile.is_red() && !self.used.contains(&number))
            .expect("there are four of a kind");
        self.used.push(number);
        number
    }

    fn tile(number: u8, tile: Tile) -> bool {
        number / 4 == tile.kind().index() as u8 && [16, 52, 88].contains(&number) == tile.is_red()
    }

    /// Takes a tile from a hand: the last, or another if there is one.
    fn take(&mut self, seat: Seat, tile: Tile, last: bool) -> u8 {
        let hand = &mut self.hands[seat];
        let mut places = (0..hand.len()).filter(|&place| Self::tile(hand[place], tile));
        let place = if last {
            places.next_back()
        } else {
            places.next()
        };
        hand.remove(place.expect("it is in the hand"))
    }
}

/// A game in Tenhou's mjlog.
pub(crate) fn mjlog(events: &[Event], rules: Rules) -> String {
    let players = rules.players;
    let sort = 0x9 | if players == 3 { 0x10 } else { 0 };
    let mut xml = format!(r#"<mjloggm ver="2.3"><GO type="{sort}" lobby="0"/>"#);
    xml += r#"<UN n0="%E6%9D%B1" n1="b" n2="c" n3="d"/><TAIKYOKU oya="0"/>"#;
    let mut numbers = Numbers {
        used: Vec::new(),
        hands: PerSeat::from_fn(players, |_| Vec::new()),
        pons: Vec::new(),
        discarded: None,
    };
    let mut scores = Points::from_fn(players, |_| 0);
    let tenhou = tenhou_form(events, &[]).expect("all hands are shown").game;
    let results = tenhou["log"].as_array().expect("rounds").iter();
    let draws: Vec<Value> = results.map(|round| round[16][0].clone()).collect();
    let mut rounds = 0;
    let list = |numbers: &[u8]| {
        let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        texts.join(",")
    };
    let relative = |actor: Seat, target: Seat| ((target.index() + 4 - actor.index()) % 4) as u32;
    // The payments are behind the scores before them.
    let paid = |scores: &Points, deltas: &Points| {
        let mut pairs: Vec<String> = scores
            .iter()
            .map(|(seat, points)| format!("{},{}", points / 100, deltas[seat] / 100))
            .collect();
        pairs.resize(4, "0,0".to_owned());
        pairs.join(",")
    };
    for (place, event) in events.iter().enumerate() {
        let ends = |scores: &Points| match events.get(place + 2) {
            Some(Event::EndGame { scores: last }) => {
                let last = last.unwrap_or(*scores);
                let mut pairs = all(&last, |points| format!("{},0.0", points / 100));
                pairs.resize(4, "0,0.0".to_owned());
                format!(r#" owari="{}""#, pairs.join(","))
            }
            _ => String::new(),
        };
        match *event {
            Event::StartKyoku(start) => {
                rounds += 1;
                numbers.used.clear();
                numbers.pons.clear();
                scores = start.scores.expect("our games have scores");
                let dora = numbers.new_number(start.dora_marker);
                let mut ten = all(&scores, |points| (points / 100).to_string());
                ten.resize(4, "0".to_owned());
                let round = 4 * start.bakaze as u8 + start.kyoku - 1;
                let _ = write!(
                    xml,
                    r#"<INIT seed="{round},{},{},1,2,{dora}" ten="{}" oya="{}""#,
                    start.honba,
                    start.kyotaku,
                    ten.join(","),
                    start.oya
                );
                for (seat, hand) in start.tehais.iter() {
                    let hand = hand.expect("all hands are known");
                    numbers.hands[seat] = hand.map(|tile| numbers.new_number(tile)).to_vec();
                    let _ = write!(xml, r#" hai{seat}="{}""#, list(&numbers.hands[seat]));
                }
                xml += "/>";
            }
            Event::Tsumo { actor, tile } => {
                let number = numbers.new_number(tile.expect("it is known"));
                numbers.hands[actor].push(number);
                let letter = b"TUVW"[actor.index()] as char;
                let _ = write!(xml, "<{letter}{number}/>");
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let number = numbers.take(actor, tile, tsumogiri);
                numbers.discarded = Some(number);
                let letter = b"DEFG"[actor.index()] as char;
                let _ = write!(xml, "<{letter}{number}/>");
            }
            Event::Chi {
                actor,
                target,
                consumed,
                ..
            } => {
                let called = numbers.discarded.expect("it is discarded");
                let mut three = consumed
                    .map(|tile| numbers.take(actor, tile, false))
                    .to_vec();
                three.push(called);
                three.sort_unstable();
                let first = u32::from(three[0] / 4);
                let at = three
                    .iter()
                    .position(|&number| number == called)
                    .unwrap_or(0) as u32;
                let shape = (first / 9 * 7 + first % 9) * 3 + at;
                let copies = (0..3).fold(0, |bits, place| {
                    bits | u32::from(three[place] % 4) << (3 + 2 * place)
                });
                let bits = shape << 10 | copies | 0x4 | relative(actor, target);
                let _ = write!(xml, r#"<N who="{actor}" m="{bits}"/>"#);
            }
            Event::Pon {
                actor,
                target,
                consumed,
                ..
            } => {
                let called = numbers.discarded.expect("it is discarded");
                let mut three = consumed
                    .map(|tile| numbers.take(actor, tile, false))
                    .to_vec();
                three.push(called);
                three.sort_unstable();
                let kind = u32::from(called / 4);
                let fourth = (0..4).find(|copy| !three.contains(&(4 * kind as u8 + copy)));
                let fourth = u32::from(fourth.expect("three of four"));
                let at = three
                    .iter()
                    .position(|&number| number == called)
                    .unwrap_or(0) as u32;
                let bits = (kind * 3 + at) << 9 | fourth << 5 | 0x8 | relative(actor, target);
                numbers.pons.push((actor, three, at as u8));
                let _ = write!(xml, r#"<N who="{actor}" m="{bits}" />"#);
            }
            Event::Daiminkan {
                actor,
                target,
                consumed,
                ..
            } => {
                let called = numbers.discarded.expect("it is discarded");
                for tile in consumed {
                    numbers.take(actor, tile, false);
                }
                let bits = u32::from(called) << 8 | relative(actor, target);
                let _ = write!(xml, r#"<N who="{actor}" m="{bits}" />"#);
            }
            Event::Ankan { actor, consumed } => {
                let four = consumed.map(|tile| numbers.take(actor, tile, false));
                let _ = write!(
                    xml,
                    r#"<N who="{actor}" m="{}" />"#,
                    u32::from(four[0]) << 8
                );
            }
            Event::Kakan { actor, tile, .. } => {
                let added = numbers.take(actor, tile, false);
                let pon = numbers
                    .pons
                    .iter()
                    .find(|(seat, three, _)| *seat == actor && three[0] / 4 == added / 4);
                let &(_, _, at) = pon.expect("there is a pon");
                numbers.discarded = Some(added);
                let shape = u32::from(added / 4) * 3 + u32::from(at);
                let bits = shape << 9 | u32::from(added % 4) << 5 | 0x10 | 1;
                let _ = write!(xml, r#"<N who="{actor}" m="{bits}" />"#);
            }
            Event::Kita { actor } => {
                let north = numbers.take(actor, "N".parse().expect("a tile"), false);
                let bits = u32::from(north) << 8 | 0x20;
                let _ = write!(xml, r#"<N who="{actor}" m="{bits}" />"#);
            }
            Event::Dora { marker } => {
                let _ = write!(xml, r#"<DORA hai="{}" />"#, numbers.new_number(marker));
            }
            Event::Reach { actor } => {
                let _ = write!(xml, r#"<REACH who="{actor}" step="1"/>"#);
            }
            Event::ReachAccepted { actor, .. } => {
                scores[actor] -= 1000;
                let _ = write!(xml, r#"<REACH who="{actor}" ten="" step="2"/>"#);
            }
            Event::Hora(hora) => {
                let deltas = hora.deltas.expect("our games have payments");
                let ura: Vec<u8> = hora
                    .ura_markers
                    .to_vec()
                    .iter()
                    .map(|marker| {
                        4 * marker.kind().index() as u8 + if marker.is_red() { 0 } else { 1 }
                    })
                    .collect();
                let ura = if ura.is_empty() {
                    String::new()
                } else {
                    format!(r#" doraHaiUra="{}""#, list(&ura))
                };
                let _ = write!(
                    xml,
                    r#"<AGARI ba="0,0" ten="" sc="{}" who="{}" fromWho="{}"{ura}{}/>"#,
                    paid(&scores, &deltas),
                    hora.actor,
                    hora.target,
                    ends(&scores)
                );
                scores
                    .iter_mut()
                    .for_each(|(seat, points)| *points += deltas[seat]);
            }
            Event::Ryukyoku { deltas, reason, .. } => {
                let sort = match drawn_by(reason) {
                    DrawReason::NagashiMangan => r#" type="nm""#,
                    DrawReason::NineTerminals => r#" type="yao9""#,
                    DrawReason::FourWinds => r#" type="kaze4""#,
                    DrawReason::FourKans => r#" type="kan4""#,
                    DrawReason::FourRiichi => r#" type="reach4""#,
                    DrawReason::ThreeWinners => r#" type="ron3""#,
                    DrawReason::Exhaustive | DrawReason::IllegalAction(_) => "",
                };
                let deltas = deltas.unwrap_or_else(|| Points::from_fn(players, |_| 0));
                let tenpai = tenpai_by(&deltas, sort.is_empty(), &draws[rounds - 1]);
                let _ = write!(
                    xml,
                    r#"<RYUUKYOKU{sort} ba="0,0" sc="{}"{tenpai}{}/>"#,
                    paid(&scores, &deltas),
                    ends(&scores)
                );
                scores
                    .iter_mut()
                    .for_each(|(seat, points)| *points += deltas[seat]);
            }
            Event::StartGame { .. } | Event::EndKyoku | Event::EndGame { .. } => {}
        }
    }
    xml + "</mjloggm>"
}

/// The hands that are shown at a draw: the payments say whose they are, or Tenhou's name of it.
fn tenpai_by(deltas: &Points, is_exhaustive: bool, name: &Value) -> String {
    let is_tenpai = |points: i32| is_exhaustive && (points > 0 || *name == "全員聴牌");
    let shown = deltas.iter().filter(|(_, points)| is_tenpai(**points));
    shown
        .map(|(seat, _)| format!(r#" hai{seat}="1""#))
        .collect()
}

fn majiang_tile(tile: Tile) -> String {
    let index = tile.kind().index();
    let (suit, number) = match index {
        0..27 => ("mps".as_bytes()[index / 9] as char, index % 9 + 1),
        _ => ('z', index - 26),
    };
    format!("{suit}{}", if tile.is_red() { 0 } else { number })
}

/// Tiles of one suit with its letter once, the called one with its sign.
fn majiang_meld(own: &[Tile], called: Option<(Tile, &str)>) -> String {
    let letter = majiang_tile(own[0])[..1].to_owned();
    let digits: String = own
        .iter()
        .map(|tile| majiang_tile(*tile)[1..].to_owned())
        .collect();
    let called = called.map_or_else(String::new, |(tile, sign)| {
        format!("{}{sign}", &majiang_tile(tile)[1..])
    });
    format!("{letter}{digits}{called}")
}

/// A game of four in Majiang's JSON. The second of the players deals first.
pub(crate) fn majiang(events: &[Event]) -> String {
    let (mut log, mut round): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut oya = Seat::FIRST;
    let mut signs: Vec<(Seat, Tile, &str)> = Vec::new();
    let (mut declares, mut is_replacement) = (false, false);
    let place = |seat: Seat, oya: Seat| (seat.index() + 4 - oya.index()) % 4;
    let by_place = |points: &Points, oya: Seat| {
        let mut list = vec![0; 4];
        points
            .iter()
            .for_each(|(seat, &points)| list[place(seat, oya)] = points);
        list
    };
    let sign = |actor: Seat, target: Seat| match (target.index() + 4 - actor.index()) % 4 {
        1 => "+",
        2 => "=",
        _ => "-",
    };
    let mut defen = Vec::new();
    for event in events {
        match *event {
            Event::StartKyoku(start) => {
                oya = start.oya;
                signs.clear();
                let mut hands = vec![String::new(); 4];
                for (seat, hand) in start.tehais.iter() {
                    let hand = hand.expect("all hands are known");
                    hands[place(seat, oya)] = hand.iter().map(|tile| majiang_tile(*tile)).collect();
                }
                round = vec![json!({"qipai": {
                    "zhuangfeng": start.bakaze as u8, "jushu": start.kyoku - 1,
                    "changbang": start.honba, "lizhibang": start.kyotaku,
                    "defen": by_place(&start.scores.expect("our games have scores"), oya),
                    "baopai": majiang_tile(start.dora_marker), "shoupai": hands,
                }})];
            }
            Event::Tsumo { actor, tile } => {
                let name = if std::mem::take(&mut is_replacement) {
                    "gangzimo"
                } else {
                    "zimo"
                };
                let tile = majiang_tile(tile.expect("it is known"));
                round.push(json!({name: {"l": place(actor, oya), "p": tile}}));
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let drawn = if tsumogiri { "_" } else { "" };
                let riichi = if std::mem::take(&mut declares) {
                    "*"
                } else {
                    ""
                };
                let text = format!("{}{drawn}{riichi}", majiang_tile(tile));
                round.push(json!({"dapai": {"l": place(actor, oya), "p": text}}));
            }
            Event::Chi {
                actor,
                target,
                tile,
                consumed,
            }
            | Event::Pon {
                actor,
                target,
                tile,
                consumed,
            } => {
                let sign = sign(actor, target);
                signs.push((actor, tile, sign));
                let meld = majiang_meld(&consumed, Some((tile, sign)));
                round.push(json!({"fulou": {"l": place(actor, oya), "m": meld}}));
            }
            Event::Daiminkan {
                actor,
                target,
                tile,
                consumed,
            } => {
                is_replacement = true;
                let meld = majiang_meld(&consumed, Some((tile, sign(actor, target))));
                round.push(json!({"fulou": {"l": place(actor, oya), "m": meld}}));
            }
            Event::Ankan { actor, consumed } => {
                is_replacement = true;
                let meld = majiang_meld(&consumed, None);
                round.push(json!({"gang": {"l": place(actor, oya), "m": meld}}));
            }
            Event::Kakan {
                actor,
                tile,
                consumed,
            } => {
                is_replacement = true;
                let of_pon = |(seat, called, _): &&(Seat, Tile, &str)| {
                    *seat == actor && called.kind() == tile.kind()
                };
                let &(_, _, sign) = signs.iter().find(of_pon).expect("there is a pon");
                let meld = format!(
                    "{}{sign}{}",
                    majiang_meld(&consumed, None),
                    &majiang_tile(tile)[1..]
                );
                round.push(json!({"gang": {"l": place(actor, oya), "m": meld}}));
            }
            Event::Dora { marker } => {
                round.push(json!({"kaigang": {"baopai": majiang_tile(marker)}}));
            }
            Event::Reach { .. } => declares = true,
            Event::Hora(hora) => {
                let mut win = json!({
                    "l": place(hora.actor, oya),
                    "fenpei": by_place(&hora.deltas.expect("our games have payments"), oya),
                });
                if hora.actor != hora.target {
                    win["baojia"] = json!(place(hora.target, oya));
                }
                let ura = hora.ura_markers.to_vec();
                if !ura.is_empty() {
                    let ura: Vec<String> = ura.iter().map(|tile| majiang_tile(*tile)).collect();
                    win["fubaopai"] = json!(ura);
                }
                round.push(json!({"hule": win}));
            }
            Event::Ryukyoku { deltas, reason, .. } => {
                let name = match drawn_by(reason) {
                    DrawReason::NagashiMangan => "流し満貫",
                    DrawReason::NineTerminals => "九種九牌",
                    DrawReason::FourWinds => "四風連打",
                    DrawReason::FourKans => "四開槓",
                    DrawReason::FourRiichi => "四家立直",
                    DrawReason::ThreeWinners => "三家和",
                    DrawReason::Exhaustive | DrawReason::IllegalAction(_) => "荒牌平局",
                };
                let deltas = deltas.unwrap_or_else(|| Points::from_fn(4, |_| 0));
                round.push(json!({"pingju": {"name": name, "fenpei": by_place(&deltas, oya)}}));
            }
            Event::EndKyoku => log.push(Value::Array(std::mem::take(&mut round))),
            Event::EndGame { scores } => {
                defen = all(&scores.expect("our games have scores"), |points| points);
                defen.rotate_right(1);
            }
            Event::StartGame { .. } | Event::ReachAccepted { .. } | Event::Kita { .. } => {}
        }
    }
    let paipu = json!({
        "title": "a game\n2024/01/01", "player": ["d", "a", "b", "c"], "qijia": 1, "log": log,
        "defen": defen,
    });
    paipu.to_string()
}

fn soul_tile(tile: Tile) -> String {
    majiang_tile(tile).chars().rev().collect()
}

fn soul_tiles(tiles: &[Tile]) -> Vec<String> {
    tiles.iter().map(|tile| soul_tile(*tile)).collect()
}

/// A game of Mahjong Soul, with zeros and falsehoods left out.
pub(crate) fn mahjong_soul(events: &[Event], camel: bool) -> String {
    let mut messages: Vec<Value> = Vec::new();
    let mut doras: Vec<Tile> = Vec::new();
    let (mut declares, mut turned) = (false, false);
    let mut scores: Vec<i32> = Vec::new();
    let mut final_scores = Vec::new();
    let mut dealt: Option<Value> = None;
    for (place, event) in events.iter().enumerate() {
        let mut say = |name: &str, data: Value| messages.push(soul_message(name, data, camel));
        match *event {
            Event::StartKyoku(start) => {
                doras = vec![start.dora_marker];
                scores = all(&start.scores.expect("our games have scores"), |points| {
                    points
                });
                let mut round = json!({
                    "chang": start.bakaze as u8, "ju": start.kyoku - 1, "ben": start.honba,
                    "liqibang": start.kyotaku, "scores": scores, "doras": soul_tiles(&doras),
                });
                for (seat, hand) in start.tehais.iter() {
                    let hand = hand.expect("all hands are known");
                    round[format!("tiles{seat}")] = json!(soul_tiles(&hand));
                }
                dealt = Some(round);
            }
            Event::Tsumo { actor, tile } => {
                let tile = soul_tile(tile.expect("it is known"));
                match dealt.take() {
                    // The dealer has 14 tiles.
                    Some(mut round) => {
                        let hand = &mut round[format!("tiles{actor}")];
                        hand.as_array_mut().expect("a hand").push(json!(tile));
                        say("RecordNewRound", round);
                    }
                    None => {
                        let mut data = json!({"seat": actor.index(), "tile": tile});
                        if std::mem::take(&mut turned) {
                            data["doras"] = json!(soul_tiles(&doras));
                        }
                        say("RecordDealTile", data);
                    }
                }
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let riichi = std::mem::take(&mut declares);
                let mut data = json!({"seat": actor.index(), "tile": soul_tile(tile),
                    "moqie": tsumogiri, "is_liqi": riichi});
                if std::mem::take(&mut turned) {
                    data["doras"] = json!(soul_tiles(&doras));
                }
                say("RecordDiscardTile", data);
            }
            Event::Chi {
                actor,
                target,
                tile,
                consumed,
            }
            | Event::Pon {
                actor,
                target,
                tile,
                consumed,
            } => {
                let sort = u8::from(matches!(event, Event::Pon { .. }));
                let [first, second] = consumed;
                let from = [actor, actor, target].map(Seat::index);
                say(
                    "RecordChiPengGang",
                    json!({"seat": actor.index(), "type": sort, "tiles": soul_tiles(&[first, second, tile]), "froms": from}),
                );
            }
            Event::Daiminkan {
                actor,
                target,
                tile,
                consumed: [first, second, third],
            } => {
                let from = [actor, actor, actor, target].map(Seat::index);
                let tiles = soul_tiles(&[first, second, third, tile]);
                say(
                    "RecordChiPengGang",
                    json!({"seat": actor.index(), "type": 2, "tiles": tiles, "froms": from}),
                );
            }
            Event::Ankan { actor, consumed } => say(
                "RecordAnGangAddGang",
                json!({"seat": actor.index(), "type": 3, "tiles": soul_tile(consumed[0])}),
            ),
            Event::Kakan { actor, tile, .. } => say(
                "RecordAnGangAddGang",
                json!({"seat": actor.index(), "type": 2, "tiles": soul_tile(tile)}),
            ),
            Event::Kita { actor } => say("RecordBaBei", json!({"seat": actor.index()})),
            Event::Dora { marker } => {
                doras.push(marker);
                let all = json!(soul_tiles(&doras));
                match events[place + 1..]
                    .iter()
                    .find(|event| !matches!(event, Event::ReachAccepted { .. }))
                {
                    // Without another tile the discard that turned it has it.
                    Some(Event::Ryukyoku { .. }) => {
                        let last = messages.last_mut().expect("a discard");
                        last["result"]["data"]["doras"] = all;
                    }
                    // The next message has it.
                    _ => turned = true,
                }
            }
            Event::Reach { .. } => declares = true,
            Event::Hora(_) if matches!(events[place - 1], Event::Hora(_)) => {}
            Event::Hora(_) => {
                let wins = wins_from(&events[place..]);
                let mut sum = vec![0; scores.len()];
                for win in &wins {
                    let deltas = win.deltas.expect("our games have payments");
                    deltas
                        .iter()
                        .for_each(|(seat, points)| sum[seat.index()] += points);
                }
                turned = false;
                let hules: Vec<Value> = wins
                    .iter()
                    .map(|win| {
                        json!({"seat": win.actor.index(), "zimo": win.actor == win.target,
                            "doras": soul_tiles(&doras),
                            "li_doras": soul_tiles(&win.ura_markers.to_vec())})
                    })
                    .collect();
                say("RecordHule", json!({"hules": hules, "delta_scores": sum}));
            }
            Event::Ryukyoku { deltas, reason, .. } => {
                let sort = match drawn_by(reason) {
                    DrawReason::NineTerminals => 1,
                    DrawReason::FourWinds => 2,
                    DrawReason::FourKans => 3,
                    DrawReason::FourRiichi => 4,
                    DrawReason::ThreeWinners => 5,
                    reason => {
                        let deltas =
                            deltas.map_or_else(Vec::new, |deltas| all(&deltas, |points| points));
                        let nagashi = reason == DrawReason::NagashiMangan;
                        say(
                            "RecordNoTile",
                            json!({"liujumanguan": nagashi, "scores": [{"delta_scores": deltas}]}),
                        );
                        continue;
                    }
                };
                say("RecordLiuJu", json!({"type": sort}));
            }
            Event::EndGame { scores } => {
                let scores = scores.expect("our games have scores");
                final_scores = scores
                    .iter()
                    .map(|(seat, points)| json!({"seat": seat.index(), "part_point_1": points}))
                    .collect();
            }
            Event::StartGame { .. } | Event::ReachAccepted { .. } | Event::EndKyoku => {}
        }
    }
    let players = scores.len();
    let accounts: Vec<Value> = (0..players)
        .map(|seat| json!({"seat": seat, "nickname": format!("player {seat}")}))
        .collect();
    let head = in_case(
        json!({"accounts": accounts, "start_time": 1_700_000_000, "result": {"players": final_scores}}),
        camel,
    );
    json!({"head": head, "data": {"name": ".lq.GameDetailRecords", "data": {"version": 210_715, "actions": messages}}})
        .to_string()
}

fn soul_message(name: &str, data: Value, camel: bool) -> Value {
    let Value::Object(mut fields) = in_case(data, camel) else {
        unreachable!("a message is an object")
    };
    fields.retain(|_, value| *value != json!(0) && *value != json!(false));
    json!({"passed": 100, "type": 1, "result": {"name": format!(".lq.{name}"), "data": fields}})
}

/// A value with its keys in camel case, if asked for.
fn in_case(value: Value, camel: bool) -> Value {
    let changed = |key: String| {
        let mut upper = false;
        let mut new = String::new();
        for letter in key.chars() {
            match letter {
                '_' => upper = true,
                letter if upper => {
                    new.extend(letter.to_uppercase());
                    upper = false;
                }
                letter => new.push(letter),
            }
        }
        new
    };
    match value {
        Value::Object(fields) if camel => fields
            .into_iter()
            .map(|(key, value)| (changed(key), in_case(value, camel)))
            .collect(),
        Value::Array(values) => values
            .into_iter()
            .map(|value| in_case(value, camel))
            .collect(),
        value => value,
    }
}
