//! `analyze`: what there is to know of a hand, and what a policy would do with it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use mahjong::{Rules, Wind};
use serde::Serialize;

use super::entrants::entrant_of;
use super::success;
use super::table::{TextTable, points};
use super::words::action_words;
use crate::config::PLAYERS;
use crate::output::say;
use lab::advisor::{Advisor, NoAdvice};
use lab::analyze::{Facts, FutureFacts, Position, ScoreFacts, TypedHand, WaitFacts, WinFacts};
use policy_host::RoundLog;

/// Most splits that are shown to people.
const SPLITS_SHOWN: usize = 8;

/// What to analyze.
#[derive(Debug, Clone)]
pub struct AnalyzeOptions {
    /// The hand as it was typed.
    pub typed: TypedHand,
    /// The own wind.
    pub seat: Wind,
    /// The wind of the round.
    pub round: Wind,
    /// The bot whose policy is asked.
    pub policy: Option<PathBuf>,
    /// For programs instead of people.
    pub json: bool,
}

/// What a policy would do.
#[derive(Debug, Serialize)]
struct Advice {
    policy: String,
    action: String,
    reason: String,
    /// The values it gave its choices, in their order; none where it gave none.
    values: Vec<Valued>,
}

#[derive(Debug, Serialize)]
struct Valued {
    action: String,
    /// Not a number where the policy gave this action none.
    value: Option<f32>,
}

#[derive(Debug, Serialize)]
struct Analysis {
    #[serde(flatten)]
    facts: Facts,
    policy: Option<Advice>,
}

/// Says what there is to know of a hand.
///
/// # Errors
///
/// When it is not a hand, or the policy cannot be asked.
pub fn analyze(options: &AnalyzeOptions) -> anyhow::Result<ExitCode> {
    let rules = Rules::TENHOU_HALF;
    let position = Position::read(&options.typed, options.seat, options.round, rules)?;
    let facts = Facts::of(&position);
    let policy = options.policy.as_ref().map(|config| advice(config.clone(), &position)).transpose()?;
    if options.json {
        say(serde_json::to_string_pretty(&Analysis { facts, policy })?);
    } else {
        say(text(&position, &facts));
        if let Some(advice) = policy {
            say(advice_text(&advice));
        }
    }
    Ok(success(true))
}

fn advice(config: PathBuf, position: &Position) -> anyhow::Result<Advice> {
    let (entrant, name) = entrant_of(config, PLAYERS)?;
    if position.drawn.is_none() {
        anyhow::bail!("--policy: a policy decides after a draw; add the drawn tile to the end of the hand");
    }
    let table = position.table();
    let legal = table.legal_actions();
    let decided = Advisor::with(&entrant, |advisor| -> Result<_, NoAdvice> {
        advisor.ask(&table, &RoundLog::default(), &legal)
    })?;
    let valued = legal.iter().zip(&decided.values);
    Ok(Advice {
        policy: name,
        action: action_words(&legal[decided.index]),
        reason: decided.reason,
        values: valued
            .map(|(action, value)| Valued { action: action_words(action), value: value.is_finite().then_some(*value) })
            .collect(),
    })
}

fn text(position: &Position, facts: &Facts) -> String {
    let mut text = position.written();
    if !facts.dora.is_empty() {
        let _ = write!(text, "  dora {}", facts.dora);
    }
    text.push('\n');
    let shanten = &facts.shanten;
    let _ = write!(text, "{} (standard {}", shanten_words(shanten.lowest), shanten.standard);
    if let (Some(pairs), Some(orphans)) = (shanten.seven_pairs, shanten.thirteen_orphans) {
        let _ = write!(text, ", seven pairs {pairs}, thirteen orphans {orphans}");
    }
    text.push(')');
    if let Some(accepted) = &facts.acceptance {
        let what = if facts.waits.is_empty() { "accepts" } else { "waits for" };
        let _ = write!(text, "\n{what} {}: {} unseen", accepted.tiles, accepted.unseen);
        if facts.furiten {
            let _ = write!(text, "; furiten, a wait lies in the river");
        }
    }
    if !facts.waits.is_empty() {
        let _ = write!(text, "\n\n{}", waits_table(&facts.waits));
    }
    if let Some(win) = &facts.win {
        let _ = write!(text, "\n\ntsumo: {}", long_win(win));
    }
    if !facts.discards.is_empty() {
        let columns = ["discard", "shanten", "accepts", "unseen", "tenpai %", "win %", "points"];
        let mut table = TextTable::new(columns, [true, false, true, false, false, false, false]);
        for discard in &facts.discards {
            let future =
                |figure: &dyn Fn(&FutureFacts) -> String| discard.future.as_ref().map_or_else(String::new, figure);
            let furiten = if discard.furiten { " (furiten)" } else { "" };
            table.row([
                discard.tile.clone(),
                discard.shanten.to_string(),
                format!("{}{furiten}", discard.acceptance.tiles),
                discard.acceptance.unseen.to_string(),
                future(&|future| format!("{:.1}", 100.0 * future.tenpai)),
                future(&|future| format!("{:.1}", 100.0 * future.win)),
                future(&|future| points(future.points.round() as i32)),
            ]);
        }
        let _ = write!(text, "\n\n{table}");
        if let Some(future) = facts.discards.iter().find_map(|discard| discard.future.as_ref()) {
            let _ = write!(
                text,
                "\n\ntenpai, win and points are those of a hand that nobody disturbs in {} more draws, without calls",
                future.draws
            );
        }
    }
    for discard in facts.discards.iter().filter(|discard| !discard.waits.is_empty()) {
        let _ = write!(text, "\n\nafter {}:\n{}", discard.tile, waits_table(&discard.waits));
    }
    if !facts.splits.is_empty() {
        let _ = write!(text, "\n\nsplits:");
        for parts in facts.splits.iter().take(SPLITS_SHOWN) {
            let _ = write!(text, "\n  {}", parts.join(" "));
        }
        if facts.splits.len() > SPLITS_SHOWN {
            let _ = write!(text, "\n  and {} more (--json shows all)", facts.splits.len() - SPLITS_SHOWN);
        }
    }
    text
}

fn waits_table(waits: &[WaitFacts]) -> TextTable<5> {
    let mut table = TextTable::new(["wait", "unseen", "ron", "tsumo", "riichi ron"], [true, false, true, true, true]);
    for wait in waits {
        let riichi = wait.riichi_ron.as_ref().map_or_else(|| "-".to_owned(), short_win);
        table.row([wait.tile.clone(), wait.unseen.to_string(), short_win(&wait.ron), short_win(&wait.tsumo), riichi]);
    }
    table
}

fn shanten_words(shanten: i8) -> String {
    match shanten {
        -1 => "complete".to_owned(),
        0 => "tenpai".to_owned(),
        more => format!("{more} from tenpai"),
    }
}

fn short_win(win: &WinFacts) -> String {
    match win {
        WinFacts::Score(score) => format!("{} ({} han {} fu)", points(score.points), score.han, score.fu),
        WinFacts::NoWin(why) => why.clone(),
    }
}

fn long_win(win: &WinFacts) -> String {
    let ScoreFacts { yaku, dora, red_fives, han, fu, limit, points: gain, paid } = match win {
        WinFacts::Score(score) => score,
        WinFacts::NoWin(why) => return why.clone(),
    };
    let mut parts: Vec<String> = yaku.iter().map(|(name, han)| format!("{name} {han}")).collect();
    parts.extend((*dora > 0).then(|| format!("dora {dora}")));
    parts.extend((*red_fives > 0).then(|| format!("red fives {red_fives}")));
    let limit = limit.as_ref().map_or_else(String::new, |limit| format!(", {limit}"));
    format!("{} points ({paid}): {han} han {fu} fu{limit}: {}", points(*gain), parts.join(", "))
}

fn advice_text(advice: &Advice) -> String {
    let Advice { policy, action, reason, values } = advice;
    let mut text = format!("\n{policy}: {action}");
    if !reason.is_empty() {
        let _ = write!(text, ": {reason}");
    }
    let mut valued: Vec<(&String, f32)> =
        values.iter().filter_map(|valued| Some((&valued.action, valued.value?))).collect();
    // Of equal values the one that it takes comes first.
    valued.sort_by(|one, other| other.1.total_cmp(&one.1).then((other.0 == action).cmp(&(one.0 == action))));
    if !valued.is_empty() {
        let mut table = TextTable::new(["action", "value"], [true, false]);
        for (action, value) in valued {
            table.row([action.clone(), format!("{value:.4}")]);
        }
        let _ = write!(text, "\n\n{table}");
    }
    text
}
