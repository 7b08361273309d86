//! `play` and `tournament` of games other than riichi: games on embedded judges, in this process.

mod live;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use lab::duplicate::{DuplicatePlan, WallScores, pairs, run, seatings, standings};
use lab::game::{
    ChineseStandardGame, DouDizhuGame, Entrant, Game, GameEnd, GameId, GameNews, PlayedGame, RecordedGame,
    SeatDecision, SeatPlayer, play,
};
use lab::tournament::Estimate;
use policy_host::{
    Decided, DirectThread, GameKind, Libraries, LibraryChoice, PolicyConfig, PolicyIdentity, PolicyInfo,
};
use protocol::game_record::{RecordEnd, RecordForm, RecordStart};
use tokio::runtime;
use tokio::time::timeout;

use self::live::DuplicateStanding;
use super::entrants::entrant;
use super::game_pages::{GamePages, ToldNews, seat_at};
use super::play::{Records, tell_apart};
use super::run::stop_words;
use super::success;
use super::table::{TextTable, number_of};
use super::words::policy_words;
use crate::config::RawConfig;
use crate::decision_note::{DecisionNote, DecisionOutcome, NotedAction};
use crate::fleet::{Prepared, Purpose, prepare_raw};
use crate::output::say;
use crate::place::{complete, short};
use crate::screen::note;
use crate::shutdown::Shutdown;
use crate::steps::{outcome_words, payment_words, seat_name};
use crate::web::PageOptions;

/// Seats of a table.
fn seats_of<G: Game>() -> usize {
    G::KIND.players()[0].into()
}

/// What to play.
#[derive(Debug, Clone)]
pub struct DuplicateOptions {
    /// The game.
    pub game: GameKind,
    /// The bots.
    pub configs: Vec<PathBuf>,
    /// How many sit at a table, where that was said.
    pub players: Option<u8>,
    /// How many games, rounded up to whole walls in a tournament.
    pub games: u64,
    /// What decides walls and the policies' randomness; `None` for a seed that nobody knows.
    pub seed: Option<u64>,
    /// How many games at a time; `None`: one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// Where to put the records of what `play` plays.
    pub record: Option<PathBuf>,
    /// How long `play` waits before each thing that happens.
    pub pace: Duration,
    /// The page that shows what `play` plays, if it is wanted.
    pub page: Option<PageOptions>,
}

/// A bot that plays.
struct DuplicateBot {
    name: String,
    policy: String,
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

/// Plays games between the bots of the configs and tells of each.
///
/// # Errors
///
/// When a config is wrong, or a policy does not start.
pub async fn play_games(mut options: DuplicateOptions) -> anyhow::Result<ExitCode> {
    (options.configs, options.record) = (complete(options.configs), complete(options.record).pop());
    match options.game {
        GameKind::ChineseStandard => play_all::<ChineseStandardGame>(options),
        GameKind::DouDizhu => play_all::<DouDizhuGame>(options),
        GameKind::Riichi => bail!("games of riichi are played on the embedded arena"),
    }
}

/// Plays a tournament and says how the bots stand.
///
/// # Errors
///
/// When the configs cannot be seated, one of them is wrong, or a policy does not start.
pub async fn duplicate_tournament(options: DuplicateOptions) -> anyhow::Result<ExitCode> {
    match options.game {
        GameKind::ChineseStandard => compare::<ChineseStandardGame>(options),
        GameKind::DouDizhu => compare::<DouDizhuGame>(options),
        GameKind::Riichi => bail!("tournaments of riichi have walls of their own"),
    }
}

/// The bots of the configs; without one, those that are built in for the game.
fn bots_of<G: Game>(options: &DuplicateOptions) -> anyhow::Result<Vec<DuplicateBot>> {
    let (game, seats) = (G::KIND, seats_of::<G>());
    if let Some(players) = options.players.filter(|&players| usize::from(players) != seats) {
        bail!("{game} is played by {seats}, and --players {players} is asked for; leave it out");
    }
    if options.configs.len() > seats {
        bail!("a table of {game} seats {seats} bots, and {} configs are given; leave some out", options.configs.len());
    }
    let raw = options.configs.iter().map(|file| RawConfig::load(file)).collect();
    let Prepared { mut bots, libraries } = prepare_raw(raw, Purpose::Policy { game, players: seats as u8 })?;
    options.page.as_ref().map(|page| page.keep_token_from(&libraries)).transpose()?;
    if bots.is_empty() {
        return built_in(game, seats as u8, &libraries);
    }
    tell_apart(&mut bots);
    let bot = |bot: &crate::fleet::ReadyBot| DuplicateBot {
        name: bot.config.name.clone(),
        policy: policy_words(&bot.policy),
        identity: Arc::new(bot.policy.identity()),
        entrant: entrant(bot, &libraries),
    };
    Ok(bots.iter().map(bot).collect())
}

/// A bot for each policy of the game that is linked into the runner and wants nothing to be said, such as which program decides.
fn built_in(game: GameKind, players: u8, libraries: &Libraries) -> anyhow::Result<Vec<DuplicateBot>> {
    let policies = libraries.builtin().iter().flat_map(|library| &library.description.policies);
    let wants_nothing = |policy: &&PolicyInfo| policy.params.iter().all(|param| param.default.is_some());
    let of_game = policies.filter(|policy| policy.game() == Some(game)).filter(wants_nothing);
    let sections = of_game.map(|policy| PolicyConfig::of(LibraryChoice::Builtin, Some(policy.id.clone())));
    sections
        .map(|section| {
            let id = section.id.clone().unwrap_or_default();
            let options = policy_host::StartOptions {
                bot: id.clone(),
                game,
                players,
                config_folder: PathBuf::new(),
                launch: libraries.launch.clone(),
            };
            let admitted = libraries.admit(&section, &options, None, Instant::now());
            match admitted {
                Ok(policy_host::Admitted::Ready(policy)) => Ok(DuplicateBot {
                    policy: format!("{} {}, built in", policy.info().id, policy.info().version),
                    identity: Arc::new(policy.identity()),
                    name: id,
                    entrant: Entrant {
                        budget: crate::budget::budget(None, std::time::Duration::ZERO, None),
                        policy,
                        options,
                        limit: None,
                    },
                }),
                _ => bail!("the policy {id} that is built in cannot be used"),
            }
        })
        .collect()
}

fn seed_of(options: &DuplicateOptions) -> u64 {
    options.seed.unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)))
}

fn play_all<G>(options: DuplicateOptions) -> anyhow::Result<ExitCode>
where
    G: RecordedGame<Record: RecordForm<Action: NotedAction>>,
{
    let bots = bots_of::<G>(&options)?;
    let mut records = options.record.as_deref().map(Records::open).transpose()?;
    let seed = seed_of(&options);
    let games = options.games;
    let game = G::KIND;
    let mut words = format!(
        "{} of {game} on the embedded judge, seed {seed} (the same again: --seed {seed})",
        if games == 1 { "a game".to_owned() } else { format!("{games} games") }
    );
    for bot in &bots {
        words.push_str(&format!("\n  {}: {}", bot.name, bot.policy));
    }
    if bots.len() < seats_of::<G>() {
        words.push_str(&format!("\nThe other {} seats do what is always safe.", seats_of::<G>() - bots.len()));
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
        let seated = |seat: usize| (seat + number as usize - 1) % seats_of::<G>();
        let at_seat = |seat: usize| bots.get(seated(seat));
        let name = |seat: usize| at_seat(seat).map_or("safe", |bot| bot.name.as_str());
        let mut lines = GameLines::new::<G>(number, name);
        if let Some(page) = &mut page {
            let bot_at = |seat: usize| Some(seated(seat)).filter(|&bot| bot < bots.len());
            page.begins(number, (0..seats_of::<G>()).map(bot_at).collect(), &lines.start);
        }
        let result = tokio::task::block_in_place(|| {
            DirectThread::run("game", |thread| {
                let player = |seat| at_seat(seat).map_or(SeatPlayer::Safe, |bot| SeatPlayer::Bot(thread, &bot.entrant));
                let rules = G::usual_rules(seats_of::<G>() as u8);
                let id = GameId { seed, wall: number, seating: 0 };
                play::<G>(rules, id, (0..seats_of::<G>()).map(player), |news| {
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
    fn new<'n, G: Game>(number: u64, name: impl Fn(usize) -> &'n str) -> Self {
        let names = (0..seats_of::<G>()).map(|seat| name(seat).to_owned()).collect();
        let start = RecordStart { game: G::KIND.name().to_owned(), id: None, names };
        Self { number, lines: vec![start.line()], start, decisions: String::new(), asked: Instant::now() }
    }

    /// What a record or a page is told of; nothing of what a seat without a bot decided.
    fn told<'b, G>(
        &mut self,
        news: GameNews<'_, G>,
        at_seat: impl Fn(usize) -> Option<&'b DuplicateBot>,
    ) -> Option<ToldNews>
    where
        G: RecordedGame<Record: RecordForm<Action: NotedAction>>,
    {
        match news {
            GameNews::Dealt(deals) => {
                let only = |seat: usize| -> Vec<_> {
                    (0..seats_of::<G>()).map(|of| deals[of].clone().filter(|_| of == seat)).collect()
                };
                let of_seats = (0..seats_of::<G>()).map(|seat| G::Record::deal_line(&only(seat))).collect();
                Some(ToldNews::Line { whole: G::Record::deal_line(deals), of_seats })
            }
            GameNews::Happened(event, _) => {
                let of_seats =
                    (0..seats_of::<G>()).filter_map(|seat| G::Record::event_line(&G::heard(event, seat))).collect();
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

fn compare<G: Game>(options: DuplicateOptions) -> anyhow::Result<ExitCode> {
    let seatings = seatings(options.configs.len(), seats_of::<G>())?;
    let bots = bots_of::<G>(&options)?;
    let seed = seed_of(&options);
    let walls = options.games.div_ceil(seatings.len() as u64);
    let games = walls * seatings.len() as u64;
    say(format!(
        "{} of {}: {}, each in {} seatings, seed {seed} (the same again: --seed {seed})",
        number_of(games, "game"),
        G::KIND,
        number_of(walls, "wall"),
        seatings.len()
    ));
    for bot in &bots {
        say(format!("  {}: {}", bot.name, bot.policy));
    }
    let jobs = options.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let plan =
        DuplicatePlan { seed, entrants: bots.iter().map(|bot| bot.entrant.clone()).collect(), seatings, walls, jobs };
    let shutdown = Shutdown::new();
    let stop = Arc::new(AtomicBool::new(false));
    shutdown.listen({
        let stop = Arc::clone(&stop);
        move |_| {
            stop.store(true, Ordering::Relaxed);
            note("Stopping after the walls that are on; what was played counts.");
        }
    })?;
    let names = bots.iter().map(|bot| bot.name.clone()).collect();
    let standing = DuplicateStanding::new(names, walls, plan.seatings.len() as u64);
    let table = standing.live_table();
    let played = tokio::task::block_in_place(|| run::<G>(&plan, &stop, |wall| standing.wall(wall)))?;
    drop(table);
    say(format!("\n{}", tables(&bots, &played)));
    if let Some((config, fault)) = played.iter().find_map(|wall| wall.first_fault.as_ref()) {
        say(format!("{}: {fault}, so the safe answer was played; this is told once", bots[*config].name));
    }
    Ok(success(played.len() as u64 == walls || shutdown.is_finishing()))
}

fn tables(bots: &[DuplicateBot], walls: &[WallScores]) -> String {
    let mut table = TextTable::new(
        ["bot", "score a game", "± error", "95 % interval", "won", "decisions", "faults"],
        [true, false, false, true, false, false, false],
    );
    let mut rows: Vec<_> = bots.iter().zip(standings(walls)).collect();
    rows.sort_by(|(_, one), (_, other)| other.score.mean.total_cmp(&one.score.mean));
    for (bot, standing) in rows {
        let [mean, error, interval] = written(&standing.score);
        table.row([
            bot.name.clone(),
            mean,
            error,
            interval,
            format!("{:.1} %", 100.0 * standing.won),
            standing.decisions.to_string(),
            standing.faults.to_string(),
        ]);
    }
    let mut text = format!("{table}\n");
    for pair in pairs(walls) {
        let [mean, error, interval] = written(&pair.ahead);
        let (one, other) = (&bots[pair.one].name, &bots[pair.other].name);
        text.push_str(&format!(
            "\n{one} less {other}: {mean} a game and seat, standard error {error}, 95 % interval {interval}"
        ));
    }
    text.push_str(&format!("\n{}", number_of(walls.len() as u64, "wall")));
    text
}

/// The mean, its standard error and its interval.
fn written(estimate: &Estimate) -> [String; 3] {
    let mean = format!("{:+.2}", estimate.mean);
    match estimate.spread {
        Some(spread) => {
            [mean, format!("{:.2}", spread.standard_error), format!("{:+.2} to {:+.2}", spread.low, spread.high)]
        }
        None => [mean, "-".to_owned(), "-".to_owned()],
    }
}
