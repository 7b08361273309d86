//! `play` of games other than riichi: on judges in this process, by the rules of Botzone.

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use client::bot::BotPolicy;
use client::budget::budget;
use client::shutdown::Shutdown;
use config::RawConfig;
use fleet::ReadyBot;
use lab::game::{
    GameEnd, GameId, GameNews, NamedGame, PlayedGame, SeatDecision, SeatPlayer, SteppedGame, play,
};
use policy_host::{Decided, GameKind, PolicyIdentity, ViewBuffer};
use protocol::game_record::{RecordEnd, RecordStart};
use riichi::Seat;
use say::output::say;
use tokio::runtime::Handle;
use view::page::{outcome_words, payment_words, seat_name};
use view::web::RecentLog;

use super::super::game_pages::{ShownBots, ShownRounds, ToldNews};
use super::super::success;
use super::super::table::{TextTable, signed};
use super::super::work::StoppableWork;
use super::open_table::OpenTable;
use super::person::pace;
use super::records::Records;
use crate::cli::PlayArgs;
use client::decision_note::{DecisionNote, DecisionOutcome};
use client::place::short;

/// The time of a bot for a decision: no clock decides anything, and Ctrl-C ends a policy that
/// hangs.
const THINK_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

struct JudgedBot {
    name: String,
    /// The time that a decision has according to the view.
    budget: Duration,
    policy: RefCell<BotPolicy>,
    plays_by: PlaysBy,
}

/// Why a bot sits at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlaysBy {
    /// A person decides.
    Person,
    Config,
    /// The configs leave its seat empty.
    Fill,
}

impl JudgedBot {
    fn identity(&self) -> Arc<PolicyIdentity> {
        Arc::clone(self.policy.borrow().identity())
    }

    /// Returns the policy's decision; a build that is ready takes over first. Called on a thread
    /// that may wait, and that waits for the end of the process if all is stopped meanwhile.
    fn decide(
        &self,
        runtime: &Handle,
        shutdown: &Shutdown,
        fill: &dyn Fn(&mut ViewBuffer),
    ) -> Result<Decided, String> {
        let mut policy = self.policy.borrow_mut();
        let time = match self.plays_by {
            PlaysBy::Person => self.budget,
            PlaysBy::Config | PlaysBy::Fill => THINK_TIMEOUT,
        };
        let decided = runtime.block_on(async {
            let decide = async {
                policy.swap_if_ready(true).await;
                policy.decide_until(Instant::now() + time, fill).await
            };
            tokio::select! {
                decided = decide => Some(decided),
                () = shutdown.immediately() => None,
            }
        });
        decided.unwrap_or_else(|| {
            loop {
                thread::park();
            }
        })
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct BotTotals {
    won: u64,
    score: f64,
    faults: u64,
}

/// The totals over all games: their number, and each bot's figures.
#[derive(Debug)]
struct Totals {
    played: u64,
    bots: Vec<BotTotals>,
}

/// Plays games between the bots of the configs and reports each.
///
/// # Errors
///
/// If a config is wrong, a policy does not start, or a record cannot be written.
pub(super) async fn play_judged<G>(
    args: PlayArgs,
    raw: Vec<RawConfig>,
    log: Option<RecentLog>,
) -> anyhow::Result<ExitCode>
where
    G: SteppedGame + NamedGame,
{
    let game = G::KIND;
    let mut table = OpenTable::prepare(args, raw, game)?;
    let work = StoppableWork::listen("")?;
    let policies = table.open(log, |seed, _| seed, work.shutdown()).await?;
    let own = table.own;
    let names: Vec<String> = table
        .bots
        .iter()
        .map(|bot| bot.config.name.clone())
        .collect();
    let judged = |(index, (bot, policy)): (usize, (&ReadyBot, BotPolicy))| JudgedBot {
        name: bot.config.name.clone(),
        budget: budget(bot.config.policy.think, bot.config.policy.margin, None),
        policy: RefCell::new(policy),
        plays_by: match (index, &table.person) {
            (0, Some(_)) => PlaysBy::Person,
            (index, _) if index < own => PlaysBy::Config,
            _ => PlaysBy::Fill,
        },
    };
    let bots: Vec<JudgedBot> = table
        .bots
        .iter()
        .zip(policies)
        .enumerate()
        .map(judged)
        .collect();
    let shown = bots.iter().map(|bot| (bot.name.as_str(), bot.identity()));
    let rounds = ShownRounds::of(table.has_page(), table.person_seat());
    let shown = ShownBots::enter(table.board.clone(), game, shown, rounds);
    let live = table.live();
    let totals = Arc::new(Mutex::new(Totals {
        played: 0,
        bots: vec![BotTotals::default(); bots.len()],
    }));
    let (runtime, shutdown, sums, games) = (
        Handle::current(),
        work.shutdown().clone(),
        Arc::clone(&totals),
        u64::from(table.args.games),
    );
    let (seed, records) = (table.seed, table.records.take());
    let pace = pace(&table.args);
    let first_seat = usize::from(table.args.seat.unwrap_or(0));
    let ended = work
        .run(move |stop| {
            let mut played = JudgedGames {
                bots,
                runtime,
                shutdown,
                shown,
                records,
                seed,
                pace,
                first_seat,
            };
            let goes_on = || !stop.load(Ordering::Relaxed);
            for number in (1..=games).take_while(|_| goes_on()) {
                say(played.play::<G>(number, &sums)?);
                // A page shows how it ended before the next one begins.
                if number < games && goes_on() {
                    thread::sleep(pace);
                }
            }
            let JudgedGames { bots, runtime, .. } = played;
            for bot in bots {
                runtime.block_on(bot.policy.into_inner().end());
            }
            anyhow::Ok(())
        })
        .await?;
    let totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
    let result = (totals.played > 0).then(|| result_table(&names, &totals).for_output());
    table.end(live, result);
    ended.transpose()?;
    Ok(success(
        totals.played == games || work.shutdown().is_finishing(),
    ))
}

fn result_table(names: &[String], Totals { played, bots }: &Totals) -> TextTable<6> {
    let mut table = TextTable::new(
        ["bot", "games", "won", "score", "a game", "faults"],
        [true, false, false, false, false, false],
    );
    let mut ranked: Vec<(&String, &BotTotals)> = names.iter().zip(bots).collect();
    ranked.sort_by(|(_, one), (_, other)| other.score.total_cmp(&one.score));
    for (name, BotTotals { won, score, faults }) in ranked {
        // Every bot sits at every game.
        let average = score / *played as f64;
        table.row([
            name.clone(),
            played.to_string(),
            won.to_string(),
            format!("{score:+}"),
            signed(average, 2),
            faults.to_string(),
        ]);
    }
    table
}

/// The state for playing the games in sequence.
struct JudgedGames {
    bots: Vec<JudgedBot>,
    runtime: Handle,
    shutdown: Shutdown,
    shown: ShownBots,
    records: Option<Records>,
    seed: u64,
    /// The minimum time between two events.
    pace: Duration,
    /// The seat of the first bot in the first game.
    first_seat: usize,
}

impl JudgedGames {
    /// Plays a game; the lines about it.
    fn play<G>(&mut self, number: u64, totals: &Mutex<Totals>) -> anyhow::Result<String>
    where
        G: SteppedGame + NamedGame,
    {
        let Self {
            bots,
            runtime,
            shutdown,
            shown,
            records,
            seed,
            pace,
            first_seat,
        } = self;
        let rules = G::usual_rules(G::KIND.players()[0]);
        let seats = G::seat_count(&rules);
        // Seats go round from game to game.
        let seated = |seat: usize| (seat + number as usize - 1 + seats - *first_seat) % seats;
        let at_seat = |seat: usize| bots.get(seated(seat));
        let name = |seat: usize| at_seat(seat).map_or("safe", |bot| bot.name.as_str());
        for bot in bots.iter() {
            runtime.block_on(bot.policy.borrow_mut().begin_game());
        }
        let mut lines = GameLines::new(G::KIND, number, (0..seats).map(name));
        let bot_at = |seat: usize| Some(seated(seat)).filter(|&bot| bot < bots.len());
        shown.begins(number, (0..seats).map(bot_at).collect(), &lines.start);
        let player = |seat| match at_seat(seat) {
            None => SeatPlayer::Safe,
            Some(bot) => SeatPlayer::Hosted {
                budget: bot.budget,
                decide: Box::new(|fill| bot.decide(runtime, shutdown, fill)),
            },
        };
        let id = GameId {
            seed: *seed,
            wall: number,
            seating: 0,
        };
        let person = bots
            .iter()
            .position(|bot| bot.plays_by == PlaysBy::Person)
            .and_then(|bot| (0..seats).find(|&seat| seated(seat) == bot));
        let mut happened = Instant::now();
        let result = play::<G>(rules, id, (0..seats).map(player), |news| {
            if matches!(news, GameNews::Happened(..)) {
                thread::sleep(pace.saturating_sub(happened.elapsed()));
                happened = Instant::now();
            }
            if let Some(line) = person.and_then(|seat| news.line(Some(seat))) {
                shown.tell_person(line.into());
            }
            if let Some(told) = lines.told::<G>(news, at_seat) {
                shown.take(&told);
                // Only decisions of the configs' bots are kept.
                let is_kept = match &told {
                    ToldNews::Decision { seat, .. } => {
                        at_seat(*seat).is_some_and(|bot| bot.plays_by == PlaysBy::Config)
                    }
                    ToldNews::Line(_) => true,
                };
                if records.is_some() && is_kept {
                    lines.take(told);
                }
            }
        })?;
        shown.ended(&result);
        let mut said = game_line(number, &result, &lines.start.names);
        if let Some(records) = records {
            let path = records.write(number, &lines.with_end(&result.end))?;
            records.write_decisions(&path, lines.decisions)?;
            said.push_str(&format!("\nrecord: {}", short(&path).display()));
        }
        let winners = result.end.winners();
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        for (seat, &score) in result.end.scores.iter().enumerate() {
            if let Some(bot) = totals.bots.get_mut(seated(seat)) {
                bot.won += u64::from(winners.contains(&seat));
                bot.score += score;
                bot.faults += result.seats[seat].faults();
            }
        }
        totals.played += 1;
        Ok(said)
    }
}

/// A game as its record has it.
struct GameLines {
    number: u64,
    start: RecordStart,
    lines: Vec<Arc<str>>,
    /// Lines of decisions.
    decisions: String,
    /// When the policy was asked last.
    asked: Instant,
}

impl GameLines {
    fn new<'n>(game: GameKind, number: u64, names: impl Iterator<Item = &'n str>) -> Self {
        let start = RecordStart {
            game: game.name().to_owned(),
            id: None,
            names: names.map(str::to_owned).collect(),
        };
        Self {
            number,
            lines: vec![start.line().into()],
            start,
            decisions: String::new(),
            asked: Instant::now(),
        }
    }

    /// The news for a record or a page; decisions of seats without a bot are left out.
    fn told<'b, G>(
        &mut self,
        news: GameNews<'_, G>,
        at_seat: impl Fn(usize) -> Option<&'b JudgedBot>,
    ) -> Option<ToldNews>
    where
        G: SteppedGame,
    {
        match news {
            GameNews::Dealt(_) | GameNews::Happened(..) => {
                Some(ToldNews::Line(news.line(None)?.into()))
            }
            GameNews::Asked { .. } => {
                self.asked = Instant::now();
                None
            }
            GameNews::Decided(SeatDecision {
                seat,
                decision,
                legal,
                chosen,
                decided,
            }) => {
                let took = self.asked.elapsed();
                let (bot, own) = at_seat(seat).zip(Seat::at(seat))?;
                let outcome = match decided {
                    Ok(Decided { values, reason, .. }) => DecisionOutcome::Decided {
                        took,
                        values: values.clone(),
                        reason: reason.clone(),
                    },
                    Err(why) => DecisionOutcome::SafeAnswer(why.to_owned()),
                };
                let note = DecisionNote {
                    game: self.number - 1,
                    decision,
                    seat: own,
                    legal: legal.to_vec(),
                    chosen: Some(chosen),
                    policy: bot.identity(),
                    outcome,
                };
                Some(ToldNews::Decision {
                    seat,
                    bot: bot.name.clone(),
                    note: Arc::new(note.written::<G::Form>()),
                })
            }
        }
    }

    fn take(&mut self, told: ToldNews) {
        match told {
            ToldNews::Line(line) => self.lines.push(line),
            ToldNews::Decision { bot, note, .. } => {
                self.decisions.push_str(&note.line(&bot));
                self.decisions.push('\n');
            }
        }
    }

    fn with_end(&self, end: &GameEnd) -> Vec<Arc<str>> {
        let end = RecordEnd {
            scores: end.scores.clone(),
            outcome: end.outcome.clone(),
        };
        let end = end.line().into();
        self.lines.iter().cloned().chain([end]).collect()
    }
}

fn game_line(number: u64, played: &PlayedGame, names: &[String]) -> String {
    let PlayedGame {
        end, first_fault, ..
    } = played;
    let outcome = end
        .outcome
        .as_ref()
        .map_or_else(String::new, |outcome| outcome_words(outcome, names));
    let mut line = format!(
        "game {number}: {outcome}; {}",
        payment_words(&end.scores, names)
    );
    if let Some((seat, fault)) = first_fault {
        line.push_str(&format!(
            "; {}: {fault}, so the safe answer was played",
            seat_name(names, *seat)
        ));
    }
    line
}
