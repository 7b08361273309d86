//! `analyze --game chinese-standard`: what there is to know of a hand of Chinese Standard mahjong.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use mcr::count::{MINIMUM_FAN, WinningForm};
use mcr::distance::{acceptance, discards, distance, distance_to};
use mcr::targets::{TargetSituation, distance_with_eight};
use mcr::{Counting, DeclaredSet, FanCount, HandTiles, WinToCount, count_fan};
use riichi::notation::Tiles;
use riichi::{Counts, Kind, KindSet, Wind};
use serde::Serialize;

use super::success;
use super::table::TextTable;
use crate::cli::{AnalyzeArgs, SeatName, WinArgs};
use crate::output::say;

#[derive(Debug, Serialize)]
struct McrHandFacts {
    hand: String,
    /// Tiles that it lacks to the nearest win, and to each form that its sets allow.
    lacks: u8,
    forms: Vec<(&'static str, u8)>,
    /// Tiles that it lacks to the nearest win of eight fan that was found.
    lacks_to_eight_fan: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepts: Option<AcceptedTiles>,
    discards: Vec<McrDiscardFacts>,
    /// The value of a win with each tile that completes the hand.
    wins: Vec<McrWinFacts>,
}

#[derive(Debug, Serialize)]
struct AcceptedTiles {
    tiles: String,
    unseen: u32,
}

#[derive(Debug, Serialize)]
struct McrDiscardFacts {
    tile: String,
    lacks: u8,
    lacks_to_eight_fan: Option<u8>,
    accepts: AcceptedTiles,
}

#[derive(Debug, Serialize)]
struct McrWinFacts {
    tile: String,
    unseen: u8,
    /// Of another seat's tile: a discard, or one that is added to a pung.
    by_discard: CountedFan,
    self_drawn: CountedFan,
}

#[derive(Debug, Serialize)]
struct CountedFan {
    fan: u16,
    /// Whether it is eight or more.
    enough: bool,
    fans: Vec<CountedName>,
    /// Fan of two chows that the tiles show as well and that are not counted, because their chows are joined by others
    /// already.
    joined_already: Vec<JoinedName>,
}

#[derive(Debug, Serialize)]
struct JoinedName {
    english: &'static str,
    chinese: &'static str,
    times: u8,
}

#[derive(Debug, Serialize)]
struct CountedName {
    english: &'static str,
    chinese: &'static str,
    value: u8,
    times: u8,
    /// Fan that the tiles also show, but that do not count in addition.
    left_out: Vec<&'static str>,
}

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
        Some(SeatName::Seat(_)) => bail!("--seat: of a hand it is the own wind: east, south, west or north"),
        Some(SeatName::Wind(wind)) => wind,
        None => Wind::South,
    };
    let (hand, winning) = read(args)?;
    if let Some(tile) = winning {
        check_win(&hand, tile, &args.win)?;
    }
    let facts = facts(&hand, winning, (seat, args.round.wind), &args.win)?;
    say(if args.json { serde_json::to_string_pretty(&facts)? } else { text(&facts, &args.win) });
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
            Some(red) => Err(anyhow!("HAND: {red} in {text:?}; no tile of this game is red, write 5 for a five")),
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
        Some([_]) => Err(anyhow!("HAND: 14 tiles before the +; a tile that wins comes to 13")),
        Some(tiles) => Err(anyhow!("HAND: {} tiles after the +; one tile wins", tiles.len())),
    }
}

/// Checks that the given circumstances of the win are possible.
fn check_win(hand: &HandTiles, tile: Kind, win: &WinArgs) -> anyhow::Result<()> {
    let held = hand.concealed()[tile];
    if win.fourth_tile && held > 0 {
        bail!("--fourth-tile: the other three of {tile} lie open, and HAND holds {held}; leave one of the two out");
    }
    if win.kong && held > 0 && !hand.sets().iter().any(|set| set.is_kong()) {
        bail!(
            "--kong: nothing is drawn in place of a tile without a kong in --melds, and {tile}, which HAND holds, is added to no \
             other pung; leave it out, or name the kong"
        );
    }
    Ok(())
}

fn facts(
    hand: &HandTiles,
    winning: Option<Kind>,
    (seat, round): (Wind, Wind),
    about: &WinArgs,
) -> anyhow::Result<McrHandFacts> {
    let declared = hand.declared();
    let unseen = Counts(std::array::from_fn(|index| 4 - hand.concealed().0[index] - declared.0[index]));
    let situation = TargetSituation { seat_wind: seat, prevalent_wind: round, counting: Counting::Judge, unseen };
    let accepted = |tiles: KindSet| AcceptedTiles { tiles: tiles.to_string(), unseen: unseen.total_of(tiles) };
    let count = |hand: &HandTiles, tile: Kind, self_drawn: bool| {
        let win = WinToCount {
            self_drawn,
            fourth: about.fourth_tile,
            about_kong: about.kong,
            wall_last: about.last_tile,
            seat_wind: seat,
            prevalent_wind: round,
            flowers: about.flowers,
            ..WinToCount::new(hand, tile)
        };
        count_fan(&win, Counting::Judge).map(|count| counted(&count, hand))
    };
    let win_with = |tile: Kind| {
        Some(McrWinFacts {
            tile: tile.to_string(),
            unseen: unseen[tile],
            by_discard: count(hand, tile, false)?,
            self_drawn: count(hand, tile, true)?,
        })
    };
    let wins: Vec<McrWinFacts> = match winning {
        Some(tile) => vec![win_with(tile).ok_or_else(|| anyhow!("HAND: {tile} does not complete {hand}"))?],
        None => Kind::all().filter_map(win_with).collect(),
    };
    let mut found: Vec<McrDiscardFacts> = discards(hand)
        .into_iter()
        .map(|discard| McrDiscardFacts {
            tile: discard.discard.to_string(),
            lacks: discard.distance,
            lacks_to_eight_fan: hand.without(discard.discard).and_then(|left| distance_with_eight(&left, &situation)),
            accepts: accepted(discard.acceptance),
        })
        .collect();
    found.sort_by_key(|discard| {
        let eight = discard.lacks_to_eight_fan.unwrap_or(u8::MAX);
        (eight, discard.lacks, std::cmp::Reverse(discard.accepts.unseen))
    });
    Ok(McrHandFacts {
        hand: winning.map_or_else(|| hand.to_string(), |tile| format!("{hand} + {tile}")),
        lacks: distance(hand),
        forms: FORMS.into_iter().filter_map(|(form, name)| Some((name, distance_to(hand, form)?))).collect(),
        lacks_to_eight_fan: distance_with_eight(hand, &situation),
        accepts: (!hand.is_full()).then(|| accepted(acceptance(hand))),
        discards: found,
        wins,
    })
}

const FORMS: [(WinningForm, &str); 6] = [
    (WinningForm::Sets, "sets"),
    (WinningForm::SevenPairs, "seven pairs"),
    (WinningForm::ThirteenOrphans, "thirteen orphans"),
    (WinningForm::HonoursAndKnitted, "honours and knitted tiles"),
    (WinningForm::KnittedStraight, "knitted straight"),
    (WinningForm::NineGates, "nine gates"),
];

fn counted(count: &FanCount, hand: &HandTiles) -> CountedFan {
    let name = |(fan, times): (mcr::Fan, u8)| CountedName {
        english: fan.english(),
        chinese: fan.chinese(),
        value: fan.value(),
        times,
        left_out: count.left_out_beside(fan).map(mcr::Fan::english).collect(),
    };
    let joined = |(fan, times): (mcr::Fan, u8)| JoinedName { english: fan.english(), chinese: fan.chinese(), times };
    CountedFan {
        fan: count.total(),
        enough: count.is_enough(),
        fans: count.fans().map(name).collect(),
        joined_already: count.joined_already(hand).into_iter().map(joined).collect(),
    }
}

fn text(facts: &McrHandFacts, about: &WinArgs) -> String {
    let mut text = facts.hand.clone();
    let forms: Vec<String> = facts.forms.iter().map(|(name, lacks)| format!("{name} {lacks}")).collect();
    let eight = facts.lacks_to_eight_fan.map_or_else(|| "none found".to_owned(), |lacks| lacks.to_string());
    let _ = write!(
        text,
        "\ntiles missing to a win: {} ({}); to one of {MINIMUM_FAN} fan: {eight}",
        facts.lacks,
        forms.join(", ")
    );
    if let Some(accepts) = &facts.accepts {
        let what = if facts.wins.is_empty() { "accepts" } else { "waits for" };
        let _ = write!(text, "\n{what} {}: {} unseen", accepts.tiles, accepts.unseen);
    }
    for win in &facts.wins {
        let by = |count: &CountedFan| {
            let enough = if count.enough { "" } else { ", too few" };
            format!("{} fan{enough}", count.fan)
        };
        let _ = write!(text, "\n\n{}: {}; self-drawn {}", win.tile, by(&win.by_discard), by(&win.self_drawn));
        let _ = write!(text, "\n{}", fan_table(&win.by_discard));
        // If circumstances of the win are given, it is counted in full both ways.
        if about.given().is_some() {
            let _ = write!(text, "\n\nself-drawn\n{}", fan_table(&win.self_drawn));
        }
        let joined = win.by_discard.joined_already.iter().map(|JoinedName { english, chinese, times }| {
            if *times > 1 { format!("{times} x {english} {chinese}") } else { format!("{english} {chinese}") }
        });
        let joined = joined.collect::<Vec<_>>().join(", ");
        if !joined.is_empty() {
            let _ = write!(text, "\nnot counted, since their chows are joined already: {joined}");
        }
    }
    if !facts.discards.is_empty() {
        let heading = ["discard", "missing", "to eight fan", "accepts", "unseen"];
        let mut table = TextTable::new(heading, [true, false, false, true, false]);
        for discard in &facts.discards {
            table.row([
                discard.tile.clone(),
                discard.lacks.to_string(),
                discard.lacks_to_eight_fan.map_or_else(|| "-".to_owned(), |lacks| lacks.to_string()),
                discard.accepts.tiles.clone(),
                discard.accepts.unseen.to_string(),
            ]);
        }
        let _ = write!(text, "\n\n{table}");
    }
    text
}

fn fan_table(count: &CountedFan) -> TextTable<4> {
    let mut table = TextTable::new(["fan", "", "value", "not counted with it"], [true, true, false, true]);
    for fan in &count.fans {
        let value = if fan.times > 1 { format!("{} x {}", fan.times, fan.value) } else { fan.value.to_string() };
        table.row([fan.english.to_owned(), fan.chinese.to_owned(), value, fan.left_out.join(", ")]);
    }
    table
}
