//! `analyze --game chinese-standard`: what there is to know of a hand of Chinese Standard mahjong.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use lab::analyze::{CountedFan, JoinedName, McrHandFacts};
use mcr::count::MINIMUM_FAN;
use mcr::{DeclaredSet, HandTiles, WinToCount};
use riichi::notation::Tiles;
use riichi::{Kind, Wind};
use say::output::{say, say_data};

use super::success;
use super::table::TextTable;
use crate::cli::{AnalyzeArgs, SeatName, WinArgs};

/// Says what there is to know of a hand.
///
/// # Errors
///
/// If it is not a hand, or an option is given that is for another game.
pub(super) fn analyze_mcr(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let of_riichi = [
        ("--dora", !args.dora.is_empty()),
        ("--river", !args.river.is_empty()),
        ("--policy", args.policy.is_some()),
        ("--simulate", args.simulate.is_some()),
        ("--players", args.players != 4),
    ];
    if let Some((option, _)) = of_riichi.iter().find(|(_, given)| *given) {
        bail!(
            "{option} is for --game riichi; with --game chinese-standard allowed are --melds, --seat, --round, --last-tile, \
             --fourth-tile, --kong, --flowers and --json"
        );
    }
    let seat = match args.seat {
        Some(SeatName::Seat(_)) => {
            bail!("--seat: for a hand, give the own wind: east, south, west or north")
        }
        Some(SeatName::Wind(wind)) => wind,
        None => Wind::South,
    };
    let (hand, winning) = read(args)?;
    if let Some(tile) = winning {
        check_win(&hand, tile, &args.win)?;
    }
    let about = WinToCount {
        fourth: args.win.fourth_tile,
        about_kong: args.win.kong,
        wall_last: args.win.last_tile,
        seat_wind: seat,
        prevalent_wind: args.round.wind,
        flowers: args.win.flowers,
        ..WinToCount::new(&hand, Kind::NORTH)
    };
    let facts = McrHandFacts::of(about, winning).context("HAND")?;
    if args.json {
        say_data(serde_json::to_string_pretty(&facts)?);
    } else {
        say(text(&facts, &args.win));
    }
    Ok(success(true))
}

/// The hand, and the tile that wins if there is a `+` before it.
fn read(args: &AnalyzeArgs) -> anyhow::Result<(HandTiles, Option<Kind>)> {
    let (concealed, winning) = match args.hand.split_once('+') {
        Some((concealed, winning)) => (concealed, Some(winning)),
        None => (args.hand.as_str(), None),
    };
    let kinds = |text: &str| -> anyhow::Result<Vec<Kind>> {
        let tiles: Tiles = text.parse().context("HAND")?;
        match tiles.0.iter().find(|tile| tile.is_red()) {
            Some(red) => Err(anyhow!(
                "HAND: {red} in {text:?}; no tile of this game is red, write 5 for a five"
            )),
            None => Ok(tiles.0.into_iter().map(riichi::Tile::kind).collect()),
        }
    };
    let sets = args
        .melds
        .split([' ', ','])
        .filter(|text| !text.is_empty())
        .map(|text| DeclaredSet::parse(text).context("--melds"))
        .collect::<anyhow::Result<Vec<DeclaredSet>>>()?;
    let hand = HandTiles::new(kinds(concealed)?.into_iter().collect(), &sets).context("HAND")?;
    let winning = winning.map(kinds).transpose()?;
    match winning.as_deref() {
        None => Ok((hand, None)),
        Some(&[tile]) if !hand.is_full() => Ok((hand, Some(tile))),
        Some([_]) => Err(anyhow!("HAND: 14 tiles before the +; give 13")),
        Some(tiles) => Err(anyhow!("HAND: {} tiles after the +; give one", tiles.len())),
    }
}

/// Checks that the given circumstances of the win are possible.
fn check_win(hand: &HandTiles, tile: Kind, win: &WinArgs) -> anyhow::Result<()> {
    let held = hand.concealed()[tile];
    if win.fourth_tile && held > 0 {
        bail!(
            "--fourth-tile: the other three of {tile} are visible, and HAND holds {held}; leave one of the two out"
        );
    }
    if win.kong && held > 0 && !hand.sets().iter().any(|set| set.is_kong()) {
        bail!(
            "--kong: nothing is drawn in place of a tile without a kong in --melds, and {tile}, which HAND holds, is added to no \
             other pung; leave it out, or name the kong"
        );
    }
    Ok(())
}

fn text(facts: &McrHandFacts, about: &WinArgs) -> String {
    let mut text = format!("{}\nseat {}, round {}", facts.hand, facts.seat, facts.round);
    let forms: Vec<String> = facts
        .forms
        .iter()
        .map(|(name, lacks)| format!("{name} {lacks}"))
        .collect();
    let eight = facts
        .lacks_to_eight_fan
        .map_or_else(|| "none found".to_owned(), |lacks| lacks.to_string());
    let _ = write!(
        text,
        "\ntiles missing to a win: {} ({}); to one of {MINIMUM_FAN} fan: {eight}",
        facts.lacks,
        forms.join(", ")
    );
    if let Some(accepts) = &facts.accepts {
        let what = if facts.wins.is_empty() {
            "accepts"
        } else {
            "waits for"
        };
        let _ = write!(
            text,
            "\n{what} {}: {} unseen",
            accepts.tiles, accepts.unseen
        );
    }
    for win in &facts.wins {
        let by = |count: &CountedFan| {
            let enough = if count.enough { "" } else { ", too few" };
            format!("{} fan{enough}", count.fan)
        };
        let _ = write!(
            text,
            "\n\n{}: {}; self-drawn {}",
            win.tile,
            by(&win.by_discard),
            by(&win.self_drawn)
        );
        let _ = write!(text, "\n{}", fan_table(&win.by_discard));
        // If circumstances of the win are given, it is counted in full both ways.
        if about.given().is_some() {
            let _ = write!(text, "\n\nself-drawn\n{}", fan_table(&win.self_drawn));
        }
        let joined = win.by_discard.joined_already.iter().map(
            |JoinedName {
                 english,
                 chinese,
                 times,
             }| {
                if *times > 1 {
                    format!("{times} x {english} {chinese}")
                } else {
                    format!("{english} {chinese}")
                }
            },
        );
        let joined = joined.collect::<Vec<_>>().join(", ");
        if !joined.is_empty() {
            let _ = write!(
                text,
                "\nnot counted, since their chows are joined already: {joined}"
            );
        }
    }
    if !facts.discards.is_empty() {
        let heading = ["discard", "missing", "to eight fan", "accepts", "unseen"];
        let mut table = TextTable::new(heading, [true, false, false, true, false]);
        for discard in &facts.discards {
            table.row([
                discard.tile.clone(),
                discard.lacks.to_string(),
                discard
                    .lacks_to_eight_fan
                    .map_or_else(|| "-".to_owned(), |lacks| lacks.to_string()),
                discard.accepts.tiles.clone(),
                discard.accepts.unseen.to_string(),
            ]);
        }
        let _ = write!(text, "\n\n{}", table.for_output());
    }
    text
}

fn fan_table(count: &CountedFan) -> TextTable<4> {
    let mut table = TextTable::new(
        ["fan", "", "value", "not counted with it"],
        [true, true, false, true],
    );
    for fan in &count.fans {
        let value = if fan.times > 1 {
            format!("{} x {}", fan.times, fan.value)
        } else {
            fan.value.to_string()
        };
        table.row([
            fan.english.to_owned(),
            fan.chinese.to_owned(),
            value,
            fan.left_out.join(", "),
        ]);
    }
    table
}
