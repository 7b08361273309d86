//! `play` of games other than riichi: on judges in this process, by the rules of Botzone.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use lab::game::{Entrant, GameEnd, GameId, GameNews, PlayedGame, SeatDecision, SeatPlayer, SteppedGame, play};
use policy_host::{Decided, DirectThread, GameKind, PolicyIdentity, PolicyInfo};
use protocol::game_record::{RecordEnd, RecordForm, RecordStart};
use tokio::runtime;
use tokio::time::timeout;

use super::super::entrants::{entrant, players_of};
use super::super::game_pages::{GamePages, ToldNews, seat_at};
use super::super::run::stop_words;
use super::super::success;
use super::super::table::TextTable;
use super::super::words::{library_words, policy_words};
use super::records::Records;
use super::{PlayOptions, tell_apart};
use crate::builtin;
use crate::config::RawConfig;
use crate::fleet::{Prepared, Purpose, ReadyBot, prepare_raw};
use crate::output::say;
use crate::page::PageOptions;
use client::decision_note::{DecisionNote, DecisionOutcome, NotedAction};
use client::place::short;
use client::shutdown::Shutdown;
use view::page::{outcome_words, payment_words, seat_name};

/// A bot that plays.
struct JudgedBot {
    name: String,
    words: String,
    identity: Arc<PolicyIdentity>,
    entrant: Entrant,
}

/// What a bot has come to in the games played.
#[derive(Debug, Clone, Copy, Default)]
struct BotTotals {
    won: u64,
    score: f64,
    faults: u64,
}

/// The bots of the configs; without one, those that are built in for the game.
fn bots_of(options: &PlayOptions) -> anyhow::Result<Vec<JudgedBot>> {
    let game = options.game;
    let mut raw: Vec<RawConfig> = options.configs.iter().map(|file| RawConfig::load(file)).collect();
    let players = players_of(game, &raw, options.players)?;
    if raw.len() > players.into() {
        bail!("a table of {game} seats {players} bots, and {} configs are given; leave some out", raw.len());
    }
    if raw.is_empty() {
        raw = built_in(game);
    }
    let secret = options.page.as_ref().and_then(PageOptions::secret_file);
    let Prepared { mut bots, libraries } = prepare_raw(raw, Purpose::Policy { game, players }, secret)?;
    tell_apart(&mut bots);
    let bot = |bot: &ReadyBot| JudgedBot {
        name: bot.config.name.clone(),
        words: format!("{}, {}", policy_words(&bot.policy), library_words(&bot.policy.library.origin)),
        identity: Arc::new(bot.policy.identity()),
        entrant: entrant(bot, &libraries),
    };
    Ok(bots.iter().map(bot).collect())
}

/// A config for each policy of the game that is linked into the runner and wants nothing to be said, such as which program decides.
fn built_in(game: GameKind) -> Vec<RawConfig> {
    let libraries = builtin::libraries();
    let policies = libraries.iter().flat_map(|library| &library.description.policies);
    let wants_nothing = |policy: &&PolicyInfo| policy.params.iter().all(|param| param.default.is_some());
    let of_game = policies.filter(|policy| policy.game() == Some(game)).filter(wants_nothing);
    let config = |policy: &PolicyInfo| {
        let text = format!("name = {0:?}\n[policy]\nid = {0:?}\nlibrary = \"builtin\"\n", policy.id);
        RawConfig::parse(Path::new(&policy.id), &text)
    };
    of_game.map(config).collect()
}

/// Plays games between the bots of the configs and tells of each.
///
/// # Errors
///
/// When a config is wrong, a policy does not start, or a record cannot be written.
pub(super) fn play_judged<G>(options: &PlayOptions) -> anyhow::Result<ExitCode>
where
    G: SteppedGame<Record: RecordForm<Action: NotedAction>>,
{
    let bots = bots_of(options)?;
    let mut records = options.record.as_deref().map(Records::open).transpose()?;
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)));
    let games = u64::from(options.games);
    let game = G::KIND;
    let rules = G::usual_rules(game.players()[0]);
    let seats = G::seat_count(&rules);
    let mut words = format!(
        "{} of {game} on the embedded judge, seed {seed} (the same again: --seed {seed})",
        if games == 1 { "a game".to_owned() } else { format!("{games} games") }
    );
    for bot in &bots {
        words.push_str(&format!("\n  {}: {}", bot.name, bot.words));
    }
    if bots.len() < seats {
        words.push_str(&format!("\nThe other {} seats play the safe action.", seats - bots.len()));
    }
    say(words);
    let shutdown = Shutdown::new();
    shutdown.listen(|step| say(stop_words(step)))?;
    let shown = bots.iter().map(|bot| (bot.name.as_str(), &bot.identity));
    let mut page = options.page.as_ref().map(|page| GamePages::start(page, game, shown)).transpose()?;
    let runtime = runtime::Handle::current();
    let mut totals = vec![BotTotals::default(); bots.len()];
    let mut played = 0;
    for number in 1..=games {
        if shutdown.is_finishing() {
            break;
        }
        // Seats go round from game to game.
        let seated = |seat: usize| (seat + number as usize - 1) % seats;
        let at_seat = |seat: usize| bots.get(seated(seat));
        let name = |seat: usize| at_seat(seat).map_or("safe", |bot| bot.name.as_str());
        let mut lines = GameLines::new(game, number, (0..seats).map(name));
        if let Some(page) = &mut page {
            let bot_at = |seat: usize| Some(seated(seat)).filter(|&bot| bot < bots.len());
            page.begins(number, (0..seats).map(bot_at).collect(), &lines.start);
        }
        let result = tokio::task::block_in_place(|| {
            DirectThread::run("game", |thread| {
                let player = |seat| at_seat(seat).map_or(SeatPlayer::Safe, |bot| SeatPlayer::Bot(thread, &bot.entrant));
                let id = GameId { seed, wall: number, seating: 0 };
                play::<G>(rules, id, (0..seats).map(player), |news| {
                    if matches!(news, GameNews::Happened(..)) && !options.pace.is_zero() {
                        let wait = async { timeout(options.pace, shutdown.immediately()).await };
                        let _ = runtime.block_on(wait);
                    }
                    if page.is_none() && records.is_none() {
                        return;
                    }
                    let Some(told) = lines.told::<G>(news, at_seat) else { return };
                    if let Some(page) = &mut page {
                        page.take(&told);
                    }
                    if records.is_some() {
                        lines.take(told);
                    }
                })
            })
        })??;
        say(game_line(number, &result, &lines.start.names));
        if let Some(page) = &mut page {
            page.ended(&result);
        }
        if let Some(records) = &mut records {
            let path = records.write(number, &lines.with_end(&result.end))?;
            records.write_decisions(&path, lines.decisions)?;
            say(format!("record: {}", short(&path).display()));
        }
        let winners = result.end.winners();
        for (seat, &score) in result.end.scores.iter().enumerate() {
            if let Some(bot) = totals.get_mut(seated(seat)) {
                bot.won += u64::from(winners.contains(&seat));
                bot.score += score;
                bot.faults += result.seats[seat].faults();
            }
        }
        played += 1;
    }
    let mut table =
        TextTable::new(["bot", "games", "won", "score", "a game", "faults"], [true, false, false, false, false, false]);
    for (bot, BotTotals { won, score, faults }) in bots.iter().zip(&totals) {
        // Every bot sits at every game.
        let average = if played == 0 { 0.0 } else { score / played as f64 };
        table.row([
            bot.name.clone(),
            played.to_string(),
            won.to_string(),
            format!("{score:+}"),
            format!("{average:+.2}"),
            faults.to_string(),
        ]);
    }
    say(format!("\n{table}"));
    Ok(success(played == games || shutdown.is_finishing()))
}

/// A game as its record has it.
struct GameLines {
    number: u64,
    start: RecordStart,
    lines: Vec<String>,
    /// Lines of decisions.
    decisions: String,
    /// When the policy was asked last.
    asked: Instant,
}

impl GameLines {
    fn new<'n>(game: GameKind, number: u64, names: impl Iterator<Item = &'n str>) -> Self {
        let start = RecordStart { game: game.name().to_owned(), id: None, names: names.map(str::to_owned).collect() };
        Self { number, lines: vec![start.line()], start, decisions: String::new(), asked: Instant::now() }
    }

    /// What a record or a page is told of; nothing of what a seat without a bot decided.
    fn told<'b, G>(
        &mut self,
        news: GameNews<'_, G>,
        at_seat: impl Fn(usize) -> Option<&'b JudgedBot>,
    ) -> Option<ToldNews>
    where
        G: SteppedGame<Record: RecordForm<Action: NotedAction>>,
    {
        match news {
            GameNews::Dealt(deals) => {
                let only = |seat: usize| -> Vec<_> {
                    (0..self.start.names.len()).map(|of| deals[of].clone().filter(|_| of == seat)).collect()
                };
                let of_seats = (0..self.start.names.len()).map(|seat| G::Record::deal_line(&only(seat))).collect();
                Some(ToldNews::Line { whole: G::Record::deal_line(deals), of_seats })
            }
            GameNews::Happened(event, _) => {
                let of_seats = (0..self.start.names.len())
                    .filter_map(|seat| G::Record::event_line(&G::heard_by(event, seat)))
                    .collect();
                Some(ToldNews::Line { whole: G::Record::event_line(event)?, of_seats })
            }
            GameNews::Asked { .. } => {
                self.asked = Instant::now();
                None
            }
            GameNews::Decided(SeatDecision { seat, decision, legal, chosen, decided }) => {
                let took = self.asked.elapsed();
                let (bot, own) = at_seat(seat).zip(seat_at(seat))?;
                let outcome = match decided {
                    Ok(Decided { values, reason, .. }) => {
                        DecisionOutcome::Decided { took, values: values.clone(), reason: reason.clone() }
                    }
                    Err(why) => DecisionOutcome::SafeAnswer(why.to_owned()),
                };
                let note = DecisionNote {
                    game: self.number - 1,
                    decision,
                    seat: own,
                    legal: legal.to_vec(),
                    chosen: Some(chosen),
                    policy: Arc::clone(&bot.identity),
                    outcome,
                };
                Some(ToldNews::Decision { seat, bot: bot.name.clone(), note: Arc::new(note) })
            }
        }
    }

    fn take(&mut self, told: ToldNews) {
        match told {
            ToldNews::Line { whole, .. } => self.lines.push(whole),
            ToldNews::Decision { bot, note, .. } => {
                self.decisions.push_str(&note.line(&bot));
                self.decisions.push('\n');
            }
        }
    }

    /// The lines of the game, with its result.
    fn with_end(&self, end: &GameEnd) -> Vec<String> {
        let end = RecordEnd { scores: end.scores.clone(), outcome: end.outcome.clone() };
        self.lines.iter().cloned().chain([end.line()]).collect()
    }
}

fn game_line(number: u64, played: &PlayedGame, names: &[String]) -> String {
    let PlayedGame { end, first_fault, .. } = played;
    let outcome = end.outcome.as_ref().map_or_else(String::new, |outcome| outcome_words(outcome, names));
    let mut line = format!("game {number}: {outcome}; {}", payment_words(&end.scores, names));
    if let Some((seat, fault)) = first_fault {
        line.push_str(&format!("; {}: {fault}, so the safe answer was played", seat_name(names, *seat)));
    }
    line
}
