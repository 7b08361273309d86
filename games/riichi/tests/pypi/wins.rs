//! Writes constructed wins with our values, as JSON lines: `cargo run --release -p
//! bot-runner-riichi --example wins -- 1000 | python compare.py`.
//!
//! `compare.py` next to this file asks the Python package `mahjong` about the same wins.

#[path = "../hand/cases/mod.rs"]
#[allow(dead_code, reason = "who dealt in is not asked here")]
mod cases;
#[path = "../../benches/hand/random.rs"]
#[allow(dead_code, reason = "the benchmarks use the rest")]
mod random;
#[path = "../hand/text.rs"]
#[allow(dead_code, reason = "the tests of hands use the rest")]
mod text;

use std::io::{self, BufWriter, Write};

use riichi::rules::Preset;
use riichi::score::{Payment, Score};
use riichi::yaku::{WinBy, Yaku};
use riichi::{Rules, Wind};

use cases::{PhysicalMeld, WinCase};
use random::SplitMix64;

fn main() -> io::Result<()> {
    let wins = match std::env::args().nth(1).map(|number| number.parse()) {
        Some(Ok(wins)) => wins,
        _ => {
            return Err(io::Error::other(
                "usage: wins NUMBER, for instance: wins 1000",
            ));
        }
    };
    let aims: Vec<Option<Yaku>> = Yaku::all().map(Some).chain([None; 4]).collect();
    let mut random = SplitMix64::new(30);
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..wins {
        let preset = if random.below(2) == 0 {
            Rules::TENHOU_HALF
        } else {
            Rules::MAHJONG_SOUL_HALF
        };
        let aim = aims[number % aims.len()];
        let players = if random.below(8) == 0 && aim != Some(Yaku::SanshokuDoujun) {
            3
        } else {
            4
        };
        let case = WinCase::new(&mut random, Rules { players, ..preset }, aim);
        let ours = case
            .score()
            .map_or("null".to_owned(), |score| answer(&score));
        writeln!(out, "{{{},\"ours\":{ours}}}", question(&case))?;
    }
    out.flush()
}

/// Numbers and names in `Debug`'s spelling are JSON.
fn question(case: &WinCase) -> String {
    let meld = |PhysicalMeld { kind, tiles, .. }: &PhysicalMeld| {
        format!(
            "{{\"kind\":\"{kind:?}\",\"tiles\":{tiles:?},\"open\":{}}}",
            kind.opens_hand()
        )
    };
    let melds: Vec<String> = case.melds.iter().map(meld).collect();
    let seat_wind = Wind::of_seat(case.at.seat, case.at.oya, case.rules.players) as u8;
    let riichi = case.riichi.unwrap_or_default();
    let by = match case.by {
        WinBy::FirstDraw if seat_wind == 0 => "Tenhou".to_owned(),
        WinBy::FirstDraw => "Chiihou".to_owned(),
        by => format!("{by:?}"),
    };
    [
        format!("\"players\":{}", case.rules.players),
        format!(
            "\"double_yakuman\":{}",
            case.rules.preset == Preset::MahjongSoul
        ),
        format!("\"closed\":{:?}", case.closed),
        format!("\"melds\":[{}]", melds.join(",")),
        format!("\"by\":{by:?}"),
        format!("\"tsumo\":{}", case.by.is_tsumo()),
        format!("\"riichi\":{}", case.riichi.is_some()),
        format!("\"double\":{}", riichi.double),
        format!("\"ippatsu\":{}", riichi.ippatsu),
        format!("\"seat_wind\":{seat_wind}"),
        format!("\"round_wind\":{}", case.at.bakaze as u8),
        format!("\"dora_markers\":{:?}", case.dora_markers),
        format!("\"ura_markers\":{:?}", case.ura_markers),
        format!("\"kita\":{}", case.norths.len()),
    ]
    .join(",")
}

fn answer(score: &Score) -> String {
    let yaku: Vec<&str> = score.yaku.iter().map(Yaku::name).collect();
    let (main, additional) = match score.payment() {
        Payment::Ron(points) => (points, 0),
        Payment::Tsumo { oya: 0, ko } => (ko, ko),
        Payment::Tsumo { oya, ko } => (oya, ko),
    };
    format!(
        "{{\"yaku\":{yaku:?},\"han\":{},\"fu\":{},\"main\":{main},\"additional\":{additional}}}",
        score.han, score.fu
    )
}
