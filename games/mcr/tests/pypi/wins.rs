//! Writes random wins with our counts, as JSON lines: `cargo run --release -p bot-runner-mcr
//! --example fan -- 20000 | python compare.py`.
//!
//! Each fan in turn is aimed at, so that the rare ones occur as well; `compare.py` next to this
//! file asks PyMahjongGB about the same wins and lists how often each fan occurred.

#[path = "random.rs"]
#[allow(dead_code, reason = "the benchmark uses the rest")]
mod random;

use std::io::{self, BufWriter, Write};

use game_core::rng::Rng;
use mcr::count::count_readings;
use mcr::{Counting, DeclaredSet, Fan, FanCount, count_fan};
use protocol::botzone::tile_name;
use tiles::Kind;

use random::RandomWin;

fn main() -> io::Result<()> {
    let wins = match std::env::args()
        .nth(1)
        .map(|number| number.parse::<usize>())
    {
        Some(Ok(wins)) => wins,
        _ => {
            return Err(io::Error::other(
                "usage: fan NUMBER, for instance: fan 20000",
            ));
        }
    };
    let mut random = Rng::keyed(&[81]);
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..wins {
        // Every second win as it comes, the others aimed at a fan each.
        let aim = if number % 2 == 0 {
            None
        } else {
            Fan::new(number / 2 % Fan::ALL.len())
        };
        let win = RandomWin::new(&mut random, aim);
        write_line(&mut out, &win)?;
    }
    out.flush()
}

fn write_line(out: &mut impl Write, win: &RandomWin) -> io::Result<()> {
    let question = win.to_count();
    let count = count_fan(&question, Counting::Judge)
        .ok_or_else(|| io::Error::other(format!("no win: {}", win.hand)))?;
    let mut others: Vec<String> = count_readings(&question, Counting::Judge)
        .iter()
        .filter(|reading| reading.total() == count.total())
        .map(fans)
        .collect();
    others.dedup();
    let packs: Vec<String> = win.hand.sets().iter().map(pack).collect();
    let hand: Vec<String> = Kind::all()
        .flat_map(|kind| {
            std::iter::repeat_n(
                format!("{:?}", tile_name(kind)),
                usize::from(win.hand.concealed()[kind]),
            )
        })
        .collect();
    writeln!(
        out,
        "{{\"pack\":[{}],\"hand\":[{}],\"tile\":{:?},\"flags\":[{},{},{},{},{},{},{}],\"total\":{},\"fans\":{},\"equal\":[{}]}}",
        packs.join(","),
        hand.join(","),
        tile_name(win.tile),
        win.flowers,
        u8::from(win.self_drawn),
        u8::from(win.fourth),
        u8::from(win.about_kong),
        u8::from(win.wall_last),
        win.seat_wind as u8,
        win.prevalent_wind as u8,
        count.total(),
        fans(&count),
        others.join(","),
    )
}

fn fans(count: &FanCount) -> String {
    let fans: Vec<String> = count
        .fans()
        .map(|(fan, times)| format!("[{:?},{},{times}]", fan.english(), fan.value()))
        .collect();
    format!("[{}]", fans.join(","))
}

fn pack(set: &DeclaredSet) -> String {
    let (verb, offer) = match set {
        DeclaredSet::Chow(_) => ("CHI", 1),
        DeclaredSet::Pung(_) => ("PENG", 1),
        DeclaredSet::MeldedKong(_) => ("GANG", 1),
        DeclaredSet::ConcealedKong(_) => ("GANG", 0),
    };
    format!("[{verb:?},{:?},{offer}]", tile_name(set.kind()))
}
