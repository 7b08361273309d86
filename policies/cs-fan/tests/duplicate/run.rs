//! Duplicate games between two strategies: `cargo run --release -p cs-fan --example duplicate --
//! 500 fan eight-step`.
//!
//! Two seats each; all six ways to seat them at the same walls, which cover all 24 seatings of four
//! players in two equal pairs.

mod duplicate;

use std::io::{self, Write};

use duplicate::{Strategy, duplicate};

fn main() -> io::Result<()> {
    let usage = || {
        io::Error::other(
            "usage: duplicate WALLS FIRST SECOND, of fan, eight-step-1, eight-step-2, eight-step-3, random",
        )
    };
    let mut arguments = std::env::args().skip(1);
    let walls = arguments
        .next()
        .and_then(|walls| walls.parse().ok())
        .ok_or_else(usage)?;
    let mut strategy = || {
        arguments
            .next()
            .and_then(|name| Strategy::named(&name))
            .ok_or_else(usage)
    };
    let result = duplicate(walls, [strategy()?, strategy()?]);
    writeln!(io::stdout(), "{result}")
}
