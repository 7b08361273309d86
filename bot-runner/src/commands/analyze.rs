//! `analyze`: facts about a hand, and a policy's choice for it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use riichi::{Action, Rules, Seat, Wind};
use say::output::{say, say_data};
use serde::Serialize;

use super::doudizhu_hand::analyze_cards;
use super::entrants::entrant_of;
use super::mcr_hand::analyze_mcr;
use super::simulate::{
    Moment, SimulatedAction, moment, simulate_hand, simulate_moment, simulation_text,
};
use super::success;
use super::table::{TextTable, points};
use crate::cli::{AnalyzeArgs, DecisionNumber, OfWind, SeatName};
use lab::advisor::{Advisor, NoAdvice};
use lab::analyze::{
    Facts, FutureFacts, HandPosition, ScoreFacts, TypedHand, TypedScene, WaitFacts,
    WinCircumstances, WinFacts, may_replace, payment_words,
};
use lab::course::record_start;
use policy_host::{Asked, GameKind, RoundLog, ViewBuffer, escaped};

const SPLITS_SHOWN: usize = 8;

#[derive(Debug, Serialize)]
struct PolicyAdvice {
    policy: String,
    action: String,
    reason: String,
    /// The values it gave its choices, in order; none if it gave none.
    values: Vec<Valued>,
}

#[derive(Debug, Serialize)]
struct Valued {
    action: String,
    /// NaN if the policy gave this action no value.
    value: Option<f32>,
}

#[derive(Debug, Serialize)]
struct Analysis {
    #[serde(flatten)]
    facts: Facts,
    policy: Option<PolicyAdvice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<SimulatedAction>>,
}

/// Says what there is to know of a hand, or of a moment of a record.
///
/// # Errors
///
/// If it is not a hand, the policy cannot be asked, or nothing can be simulated.
pub fn analyze(args: AnalyzeArgs) -> anyhow::Result<ExitCode> {
    refuse_moment_of_other_game(&args)?;
    let may_be_record = args.at.is_none().then(|| args.hand.clone());
    let analyzed = match args.game {
        GameKind::Riichi => analyze_riichi(args),
        GameKind::Mcr => analyze_mcr(&args),
        GameKind::DouDizhu => analyze_cards(&args),
    };
    match may_be_record {
        Some(file) if analyzed.is_err() && Path::new(&file).exists() => {
            bail!(
                "{} is a file; for a decision of a record, add --at ROUND.DECISION and --seat",
                escaped(file.as_bytes())
            )
        }
        _ => analyzed,
    }
}

/// Refuses --at where the game is not riichi, by the option or by the record.
fn refuse_moment_of_other_game(args: &AnalyzeArgs) -> anyhow::Result<()> {
    let recorded = args
        .at
        .and_then(|_| record_start(Path::new(&args.hand)).ok().flatten());
    let game = recorded
        .and_then(|start| start.game.parse().ok())
        .unwrap_or(args.game);
    if args.at.is_some() && game != GameKind::Riichi {
        bail!(
            "--at is for records of riichi; of {game} `bot-runner view RECORD --policy CONFIG --simulate N` shows what a policy \
             would do at each decision, and what each action comes to"
        );
    }
    Ok(())
}

fn analyze_riichi(args: AnalyzeArgs) -> anyhow::Result<ExitCode> {
    if let Some(option) = args.win.of_mcr() {
        bail!("{option} is for --game chinese-standard; leave it out, or name that game");
    }
    let more = [
        ("--at", args.at.is_some()),
        ("--policy", args.policy.is_some()),
        ("--simulate", args.simulate.is_some()),
    ];
    if let (Some(option), Some((other, _))) =
        (args.win.given(), more.iter().find(|(_, given)| *given))
    {
        bail!(
            "{option} says how the winning tile of a typed hand comes, and {other} is about a position; leave one of them out"
        );
    }
    if args.win.last_tile && args.win.kong {
        bail!(
            "--last-tile, --kong: no tile of riichi is both the last of the wall and one after a kan; leave one of them out"
        );
    }
    if let Some(at) = args.at {
        return analyze_moment(args, at);
    }
    let wind = match args.seat {
        Some(SeatName::Seat(_)) => {
            bail!("--seat: for a hand, give the own wind: east, south, west or north")
        }
        Some(SeatName::Wind(wind)) => wind,
        None => Wind::South,
    };
    let rules = Rules::TENHOU_HALF.with_players(args.players);
    let typed = TypedHand {
        hand: args.hand,
        melds: args.melds,
        dora: args.dora,
        river: args.river,
    };
    let position = HandPosition::read(&typed, wind, (args.round.wind, args.round.kyoku), rules)?;
    let circumstances = WinCircumstances {
        last_tile: args.win.last_tile,
        kong: args.win.kong,
        first_turn: false,
    };
    if args.win.kong && position.drawn.is_some() && !may_replace(&position.melds, args.players) {
        bail!(
            "--kong: no tile is drawn in place of another without a kan in --melds; leave it out, or name the kan"
        );
    }
    let facts = Facts::of(&position, circumstances);
    let policy = args
        .policy
        .map(|config| typed_advice(config, &position))
        .transpose()?;
    let of_winds = |given: Vec<OfWind>| {
        given
            .into_iter()
            .map(|OfWind { wind, text }| (wind, text))
            .collect()
    };
    let scene = TypedScene {
        scores: args.scores,
        honba: args.honba,
        turn: args.turn,
        rivers: of_winds(args.river_of),
        melds: of_winds(args.melds_of),
    };
    let actions = args
        .simulate
        .map(|limit| simulate_hand(&position, &scene, limit, args.seed))
        .transpose()?;
    if args.json {
        say_data(serde_json::to_string_pretty(&Analysis {
            facts,
            policy,
            actions,
        })?);
    } else {
        say(text(&position, &facts, true));
        if let Some(advice) = policy {
            say(advice_text(&advice));
        }
        if let Some(actions) = actions {
            let table = position.table();
            let winds: Vec<String> = Seat::all(position.rules.players)
                .map(|seat| wind_word(table.seat_wind(seat)))
                .collect();
            say(format!("\n{}", simulation_text(&actions, &winds)));
        }
    }
    Ok(success(true))
}

/// Prints the facts about the hand at a decision of a record and, if wanted, the simulated outcome
/// of each action.
fn analyze_moment(args: AnalyzeArgs, at: DecisionNumber) -> anyhow::Result<ExitCode> {
    let seat = match args.seat {
        Some(SeatName::Wind(_)) => {
            bail!("--seat: with --at, give the number of a seat of the record, 0 to 3")
        }
        Some(SeatName::Seat(seat)) => Some(seat),
        None => None,
    };
    let (moment, policy) = moment(Path::new(&args.hand), seat, at, |decision| {
        let ask = |config| {
            let players = decision.table.rules().players;
            let fill = |view: &mut ViewBuffer, asked: &Asked| {
                decision.table.fill(view, &decision.legal, asked)
            };
            advice(config, players, &decision.legal, fill)
        };
        args.policy.clone().map(ask).transpose()
    })?;
    let position = HandPosition::of_table(&moment.table);
    let table = &moment.table;
    let circumstances = WinCircumstances {
        last_tile: table.tiles_left() == 0,
        kong: table.is_rinshan(),
        first_turn: table.is_first_turn(),
    };
    let mut facts = Facts::of(&position, circumstances);
    if !moment
        .legal
        .iter()
        .any(|action| matches!(action, Action::Hora { .. }))
    {
        facts.win = None;
    }
    let players = position.rules.players;
    let actions = args
        .simulate
        .map(|limit| simulate_moment(&moment, limit, args.seed))
        .transpose()?;
    if args.json {
        say_data(serde_json::to_string_pretty(&Analysis {
            facts,
            policy,
            actions,
        })?);
        return Ok(success(true));
    }
    say(format!(
        "{}\n\n{}",
        moment_words(&moment),
        text(&position, &facts, false)
    ));
    if let Some(advice) = policy {
        say(advice_text(&advice));
    }
    if let Some(actions) = actions {
        let seats: Vec<String> = Seat::all(players)
            .map(|seat| format!("seat {seat}"))
            .collect();
        say(format!("\n{}", simulation_text(&actions, &seats)));
    }
    Ok(success(true))
}

fn wind_word(wind: Wind) -> String {
    wind.name().to_ascii_lowercase()
}

/// A moment of a record in a line.
fn moment_words(Moment { table, name, .. }: &Moment) -> String {
    let wind = table.bakaze().name();
    let scores = table
        .scores()
        .as_slice()
        .iter()
        .map(|&score| points(score))
        .collect::<Vec<_>>()
        .join(" ");
    let seat = table.seat();
    let name = name.as_ref().map_or_else(String::new, |name| {
        format!("{}, ", escaped(name.as_bytes()))
    });
    format!(
        "{wind} {}-{}, seat {seat} ({name}{}), {} tiles left, scores {scores}",
        table.kyoku(),
        table.honba(),
        wind_word(table.seat_wind(seat)),
        table.tiles_left(),
    )
}

fn typed_advice(config: PathBuf, position: &HandPosition) -> anyhow::Result<PolicyAdvice> {
    if position.drawn.is_none() {
        bail!("--policy: a policy decides after a draw; add the drawn tile to the end of the hand");
    }
    let table = position.table();
    let legal = table.legal_actions();
    let fill = |view: &mut ViewBuffer, asked: &Asked| {
        view.fill(&table, &RoundLog::default(), &legal, asked)
    };
    advice(config, position.rules.players, &legal, fill)
}

fn advice(
    config: PathBuf,
    players: u8,
    legal: &[Action],
    fill: impl FnOnce(&mut ViewBuffer, &Asked) + Send,
) -> anyhow::Result<PolicyAdvice> {
    let (entrant, name) = entrant_of(config, GameKind::Riichi, players)?;
    let decided = Advisor::with(&entrant, |advisor| -> Result<_, NoAdvice> {
        advisor.ask(fill)
    })?;
    let valued = legal.iter().zip(&decided.values);
    Ok(PolicyAdvice {
        policy: name,
        action: legal[decided.index].to_string(),
        reason: decided.reason,
        values: valued
            .map(|(action, value)| Valued {
                action: action.to_string(),
                value: value.is_finite().then_some(*value),
            })
            .collect(),
    })
}

/// The facts about a hand; `with_winds` tells for which seat and round they hold.
fn text(position: &HandPosition, facts: &Facts, with_winds: bool) -> String {
    let mut text = position.written();
    if !facts.dora.is_empty() {
        let _ = write!(text, "  dora {}", facts.dora);
    }
    text.push('\n');
    if with_winds {
        let _ = writeln!(text, "seat {}, round {}", facts.seat, facts.round);
    }
    let shanten = &facts.shanten;
    let _ = write!(
        text,
        "{} (standard {}",
        shanten_words(shanten.lowest),
        shanten.standard
    );
    if let (Some(pairs), Some(orphans)) = (shanten.seven_pairs, shanten.thirteen_orphans) {
        let _ = write!(text, ", seven pairs {pairs}, thirteen orphans {orphans}");
    }
    text.push(')');
    if let Some(accepted) = &facts.acceptance {
        let what = if facts.waits.is_empty() {
            "accepts"
        } else {
            "waits for"
        };
        let _ = write!(
            text,
            "\n{what} {}: {} unseen",
            accepted.tiles, accepted.unseen
        );
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
        let columns = [
            "discard", "shanten", "accepts", "unseen", "tenpai %", "win %", "points",
        ];
        let mut table = TextTable::new(columns, [true, false, true, false, false, false, false]);
        for discard in &facts.discards {
            let future = |figure: &dyn Fn(&FutureFacts) -> String| {
                discard.future.as_ref().map_or_else(String::new, figure)
            };
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
        let _ = write!(text, "\n\n{}", table.for_output());
        if let Some(future) = facts
            .discards
            .iter()
            .find_map(|discard| discard.future.as_ref())
        {
            let _ = write!(
                text,
                "\n\ntenpai, win and points are for an undisturbed hand over {} more draws, its own calls included",
                future.draws
            );
        }
    }
    for discard in facts
        .discards
        .iter()
        .filter(|discard| !discard.waits.is_empty())
    {
        let _ = write!(
            text,
            "\n\nafter {}:\n{}",
            discard.tile,
            waits_table(&discard.waits)
        );
    }
    if !facts.splits.is_empty() {
        let _ = write!(text, "\n\nsplits:");
        for parts in facts.splits.iter().take(SPLITS_SHOWN) {
            let _ = write!(text, "\n  {}", parts.join(" "));
        }
        if facts.splits.len() > SPLITS_SHOWN {
            let _ = write!(
                text,
                "\n  and {} more (--json shows all)",
                facts.splits.len() - SPLITS_SHOWN
            );
        }
    }
    text
}

fn waits_table(waits: &[WaitFacts]) -> TextTable<5> {
    let mut table = TextTable::new(
        ["wait", "unseen", "ron", "tsumo", "riichi ron"],
        [true, false, true, true, true],
    );
    for wait in waits {
        let riichi = wait
            .riichi_ron
            .as_ref()
            .map_or_else(|| "-".to_owned(), short_win);
        table.row([
            wait.tile.clone(),
            wait.unseen.to_string(),
            short_win(&wait.ron),
            short_win(&wait.tsumo),
            riichi,
        ]);
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
        WinFacts::Score(score) => match &score.limit {
            Some(limit) if is_yakuman(score) => format!("{} ({limit})", points(score.points)),
            _ => format!(
                "{} ({} han {} fu)",
                points(score.points),
                score.han,
                score.fu
            ),
        },
        WinFacts::NoWin(why) => why.clone(),
    }
}

/// Whether it is a yakuman, which has neither han nor fu.
const fn is_yakuman(score: &ScoreFacts) -> bool {
    score.fu == 0
}

fn long_win(win: &WinFacts) -> String {
    let score = match win {
        WinFacts::Score(score) => score,
        WinFacts::NoWin(why) => return why.clone(),
    };
    let ScoreFacts {
        yaku,
        dora,
        red_fives,
        han,
        fu,
        limit,
        points: gain,
        paid,
    } = score;
    let paid = payment_words(*paid, points);
    if let Some(limit) = limit.as_ref().filter(|_| is_yakuman(score)) {
        let names: Vec<&str> = yaku.iter().map(|(name, _)| name.as_str()).collect();
        return format!(
            "{} points ({paid}): {limit}: {}",
            points(*gain),
            names.join(", ")
        );
    }
    let mut parts: Vec<String> = yaku
        .iter()
        .map(|(name, han)| format!("{name} {han}"))
        .collect();
    parts.extend((*dora > 0).then(|| format!("dora {dora}")));
    parts.extend((*red_fives > 0).then(|| format!("red fives {red_fives}")));
    let limit = limit
        .as_ref()
        .map_or_else(String::new, |limit| format!(", {limit}"));
    format!(
        "{} points ({paid}): {han} han {fu} fu{limit}: {}",
        points(*gain),
        parts.join(", ")
    )
}

fn advice_text(advice: &PolicyAdvice) -> String {
    let PolicyAdvice {
        policy,
        action,
        reason,
        values,
    } = advice;
    let mut text = format!("\n{policy}: {action}");
    if !reason.is_empty() {
        let _ = write!(text, ": {reason}");
    }
    let mut valued: Vec<(&String, f32)> = values
        .iter()
        .filter_map(|valued| Some((&valued.action, valued.value?)))
        .collect();
    // Of equal values the one that it takes comes first.
    valued.sort_by(|one, other| {
        other
            .1
            .total_cmp(&one.1)
            .then((other.0 == action).cmp(&(one.0 == action)))
    });
    if !valued.is_empty() {
        let mut table = TextTable::new(["action", "value"], [true, false]);
        for (action, value) in valued {
            table.row([action.clone(), format!("{value:.4}")]);
        }
        let _ = write!(text, "\n\n{}", table.for_output());
    }
    text
}
