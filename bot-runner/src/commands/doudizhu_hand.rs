//! `analyze --game doudizhu`: the best ways to play a hand of cards out.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use doudizhu::RankCounts;
use lab::analyze::{DouDizhuHandFacts, SPLITS_LISTED};
use riichi::Wind;
use say::output::{say, say_data};

use super::success;
use super::table::{TextTable, number_of};
use crate::cli::{AnalyzeArgs, RoundName};

const SPLITS_SHOWN: usize = 8;
/// The landlord's hand.
const MAX_CARDS: u8 = 20;

/// Says in how few turns a hand can be played out, and how.
///
/// # Errors
///
/// If it is not a hand, or an option is given that is for another game.
pub(super) fn analyze_cards(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let of_tiles = [
        ("--melds", !args.melds.is_empty()),
        ("--dora", !args.dora.is_empty()),
        ("--river", !args.river.is_empty()),
        ("--seat", args.seat.is_some()),
        (
            "--round",
            args.round
                != RoundName {
                    wind: Wind::East,
                    kyoku: 1,
                },
        ),
        ("--players", args.players != 4),
        ("--policy", args.policy.is_some()),
        ("--simulate", args.simulate.is_some()),
        ("--honba", args.honba != 0),
    ];
    if let Some((option, _)) = of_tiles.iter().find(|(_, given)| *given) {
        bail!("{option} is for --game riichi; with --game doudizhu only --json is allowed");
    }
    if let Some(option) = args.win.given() {
        bail!("{option} is for mahjong; with --game doudizhu only --json is allowed");
    }
    let cards: RankCounts = args
        .hand
        .parse()
        .map_err(|error| anyhow::anyhow!("HAND: {error}"))?;
    if !(1..=MAX_CARDS).contains(&cards.len()) {
        bail!(
            "HAND: {} cards; a hand of Dou Dizhu has 1 to {MAX_CARDS}",
            cards.len()
        );
    }
    let facts = DouDizhuHandFacts::of(cards);
    if args.json {
        say_data(serde_json::to_string_pretty(&facts)?);
    } else {
        say(text(&facts, cards.len()));
    }
    Ok(success(true))
}

fn text(facts: &DouDizhuHandFacts, cards: u8) -> String {
    let mut text = format!("{}: {}\n\n", facts.cards, number_of(cards.into(), "card"));
    let mut table = TextTable::new(["turns", "weight", "split"], [false, false, true]);
    for split in facts.splits.iter().take(SPLITS_SHOWN) {
        let plays: Vec<&str> = split.plays.iter().map(|play| play.cards.as_str()).collect();
        table.row([
            split.turns.to_string(),
            split.weight.to_string(),
            plays.join(" "),
        ]);
    }
    let _ = write!(text, "{table}");
    if facts.splits.len() > SPLITS_SHOWN {
        let _ = write!(
            text,
            "\nand more, which take at least as many turns (--json shows up to {SPLITS_LISTED})"
        );
    }
    text
}
