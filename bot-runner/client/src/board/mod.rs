//! The state of each bot of this process, assembled from the bots' events and figures.

mod alert;
mod status;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use lab_stats::{Differences, Spread};

use policy_host::SetAside;

use crate::bot::{BotEvent, BotFigures, LifeEnd, LiveFigures, LiveRound};
use crate::game_report::GameReport;

use alert::AlertSender;
pub use alert::{AlertKind, AlertReceiver, BotAlert};
use status::unix_time_in;
pub use status::{
    BotActivity, BotRating, BotStatus, BotTrouble, PolicyStatus, RECENT_GAMES, RecentGames,
    TroubleKind,
};

/// The bots of this process. Clones share the same bots.
#[derive(Debug, Clone, Default)]
pub struct Board(Arc<Mutex<BoardState>>);

#[derive(Debug, Default)]
struct BoardState {
    bots: Vec<BoardLine>,
    /// The configs by which no bot has played, because of mistakes or since they wait.
    refused: BTreeMap<PathBuf, RefusedLine>,
    alerts: Option<AlertSender>,
}

#[derive(Debug)]
struct RefusedLine {
    /// Its name in place of a bot's.
    name: String,
    why: String,
}

#[derive(Debug)]
struct BoardLine {
    bot: String,
    arena: String,
    state: BotActivity,
    /// Games begun.
    begun: u32,
    /// Place and points of its last games.
    games: VecDeque<(f64, Option<f64>)>,
    recent: Option<RecentGames>,
    /// The reasons for refused changes of its policy and config: the last one of each, until a
    /// change succeeds.
    refused: [Option<String>; 2],
    /// Why it does not play, or plays without its policy.
    trouble: Option<BotTrouble>,
    /// On the arena's ladder.
    rating: Option<BotRating>,
    live: LiveFigures,
}

/// A change to a bot that is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BotChange {
    Policy,
    /// The rest of its config.
    Config,
}

impl Board {
    /// Adds a bot that will play at an arena, with its published figures. A bot with the name of an
    /// earlier one continues its counts.
    pub fn enter(&self, bot: &str, arena: String, live: LiveFigures) {
        let mut state = self.state();
        if let Some(entry) = state.bots.iter_mut().find(|entry| entry.bot == bot) {
            entry.arena = arena;
            entry.live = live;
            entry.refused = [None, None];
            return;
        }
        let (bot, games) = (bot.to_owned(), VecDeque::new());
        let (refused, trouble) = ([None, None], None);
        let activity = BotActivity::Starting;
        // Sorted by name, because bots start in any order.
        let place = state.bots.partition_point(|entry| entry.bot < bot);
        let line = BoardLine {
            bot,
            arena,
            state: activity,
            begun: 0,
            games,
            recent: None,
            refused,
            trouble,
            rating: None,
            live,
        };
        state.bots.insert(place, line);
    }

    /// Sends all alerts from now on to this receiver, of which so many may wait.
    pub fn alerts(&self, room: usize) -> AlertReceiver {
        let (sender, receiver) = alert::queue(room);
        self.state().alerts = Some(sender);
        receiver
    }

    /// Records the result of a change: the reason why it was refused, or `None` if it succeeded.
    pub fn note_change(&self, bot: &str, change: BotChange, refused: Option<&str>) {
        let mut state = self.state();
        let Some(entry) = state.bots.iter_mut().find(|entry| entry.bot == bot) else {
            return;
        };
        let noted = &mut entry.refused[change as usize];
        let is_new = noted.as_deref() != refused;
        *noted = refused.map(str::to_owned);
        if let (true, Some(why)) = (is_new, refused) {
            state.tell(bot, AlertKind::ChangeRefused, why, None);
        }
    }

    /// Records that a bot's policy is set aside, or that it decides again.
    pub fn note_set_aside(&self, bot: &str, set_aside: Option<&SetAside>) {
        let mut state = self.state();
        let Some(entry) = state.bots.iter_mut().find(|entry| entry.bot == bot) else {
            return;
        };
        let is_known = |trouble: &BotTrouble| trouble.kind == TroubleKind::SetAside;
        match set_aside {
            Some(SetAside { why, retry_at }) => {
                let until = unix_time_in(retry_at.saturating_duration_since(Instant::now()));
                entry.trouble = Some(BotTrouble {
                    kind: TroubleKind::SetAside,
                    why: why.clone(),
                    until,
                });
                state.tell(bot, AlertKind::SetAside, why, until);
            }
            None if entry.trouble.as_ref().is_some_and(is_known) => {
                entry.trouble = None;
                state.tell(bot, AlertKind::Returned, "", None);
            }
            None => {}
        }
    }

    /// Records why no bot plays by a config, whose name stands in for a bot's.
    pub fn refuse(&self, config: &Path, name: &str, why: &str) {
        if self.note_refused(config, name, why) {
            self.state().tell(name, AlertKind::DoesNotPlay, why, None);
        }
    }

    /// Records what a config waits for, which will come by itself: no alert tells of it.
    pub fn keep_waiting(&self, config: &Path, name: &str, why: &str) {
        self.note_refused(config, name, why);
    }

    /// Whether this is news.
    fn note_refused(&self, config: &Path, name: &str, why: &str) -> bool {
        let refused = RefusedLine {
            name: name.to_owned(),
            why: why.to_owned(),
        };
        let known = self.state().refused.insert(config.to_owned(), refused);
        known.is_none_or(|known| known.why != why)
    }

    /// The reason why no bot plays by a config holds no longer.
    pub fn clear_refused(&self, config: &Path) {
        self.state().refused.remove(config);
    }

    /// Records a bot's rating.
    pub fn note_rating(&self, bot: &str, rating: BotRating) {
        let mut state = self.state();
        if let Some(entry) = state.bots.iter_mut().find(|entry| entry.bot == bot) {
            entry.rating = Some(rating);
        }
    }

    pub fn remove(&self, bot: &str) {
        self.state().bots.retain(|entry| entry.bot != bot);
    }

    /// Applies an event of a bot.
    pub fn note(&self, bot: &str, event: &BotEvent) {
        let waiting = |why: &str| BotActivity::Waiting {
            why: why.to_owned(),
            until: None,
        };
        let state = match event {
            BotEvent::Starting => BotActivity::Starting,
            BotEvent::TokenInUse(why) => waiting(why),
            BotEvent::AwaitsTurn => waiting("another bot of this process is in the queue"),
            BotEvent::AwaitsPermit => {
                waiting("the maximum number of simultaneous games is running")
            }
            BotEvent::Queued => BotActivity::Queued,
            BotEvent::Started(_) => BotActivity::Playing,
            BotEvent::AwaitsPolicy => BotActivity::SetAside,
            BotEvent::Waiting { reason, wait } => BotActivity::waiting_for(reason.clone(), *wait),
            BotEvent::Ended(end) => BotActivity::Stopped { why: words(end) },
            BotEvent::Finished(game) => return self.count_game(bot, game),
            BotEvent::Decided(_) | BotEvent::Aborted(_) | BotEvent::Dropped(_) => return,
        };
        let mut board = self.state();
        let Some(entry) = board.bots.iter_mut().find(|entry| entry.bot == bot) else {
            return;
        };
        entry.begun += u32::from(state == BotActivity::Playing);
        entry.state = state;
        match event {
            BotEvent::Ended(end) => {
                let Some(why) = end.trouble() else { return };
                entry.trouble = Some(BotTrouble {
                    kind: TroubleKind::Stopped,
                    why: why.to_owned(),
                    until: None,
                });
                board.tell(bot, AlertKind::Stopped, why, None);
            }
            // It comes back.
            BotEvent::Starting if entry.trouble.take().is_some() => {
                board.tell(bot, AlertKind::Returned, "", None)
            }
            _ => {}
        }
    }

    fn count_game(&self, bot: &str, game: &GameReport) {
        let mut state = self.state();
        let Some(entry) = state.bots.iter_mut().find(|entry| entry.bot == bot) else {
            return;
        };
        entry.games.push_back((game.place.into(), game.points()));
        if entry.games.len() > RECENT_GAMES {
            entry.games.pop_front();
        }
        let players = game.scores.players();
        let middle = f64::midpoint(1.0, players.into());
        let (mut places, mut points) = (Differences::default(), Differences::default());
        for &(place, scored) in &entry.games {
            places.add(place - middle);
            scored.into_iter().for_each(|scored| points.add(scored));
        }
        let over = |differences: &Differences, middle: f64| {
            Some(
                differences
                    .advantage()?
                    .estimate_from(middle)
                    .over_games(differences.count()),
            )
        };
        let (place, points) = (over(&places, middle), over(&points, 0.0));
        let ends = |spread: Spread| [spread.low, spread.high];
        entry.recent = place.map(|place| RecentGames {
            games: entry.games.len(),
            average_place: place.mean,
            interval: place.within(1.0, players.into()).spread.map(ends),
            average_points: points.map(|points| points.mean),
            points_interval: points.and_then(|points| points.spread).map(ends),
        });
    }

    /// The round that a bot shows; `None` for an unknown bot, or without a page.
    pub fn round(&self, bot: &str) -> Option<LiveRound> {
        self.live(bot)?.round
    }

    /// The round of a bot as its seat sees it; `None` for an unknown bot, or without a page.
    pub fn seat_round(&self, bot: &str) -> Option<LiveRound> {
        self.live(bot)?.seat_round
    }

    fn live(&self, bot: &str) -> Option<LiveFigures> {
        let state = self.state();
        let entry = state.bots.iter().find(|entry| entry.bot == bot)?;
        Some(entry.live.clone())
    }

    pub fn figures(&self) -> Vec<(String, BotFigures)> {
        self.state()
            .bots
            .iter()
            .map(|entry| (entry.bot.clone(), entry.live.read()))
            .collect()
    }

    /// The status of each bot by name, and of each config that no bot plays by.
    pub fn status(&self) -> Vec<BotStatus> {
        let state = self.state();
        state
            .bots
            .iter()
            .map(BoardLine::status)
            .chain(state.refused.values().map(RefusedLine::status))
            .collect()
    }

    /// One line about all bots.
    pub fn line(&self) -> String {
        let bots = self.status();
        let count = |word: &str| bots.iter().filter(|bot| bot.state.word() == word).count();
        let states: Vec<String> = BotActivity::WORDS
            .into_iter()
            .filter(|word| count(word) > 0)
            .map(|word| format!("{} {word}", count(word)))
            .collect();
        let sum = |figure: fn(&BotStatus) -> u32| {
            bots.iter().map(|bot| u64::from(figure(bot))).sum::<u64>()
        };
        let slowest = bots
            .iter()
            .max_by(|one, other| one.p99_ms.total_cmp(&other.p99_ms));
        format!(
            "status: {} bots ({}); games finished {}, decisions {}, faults {}, desyncs {}, p99 {}",
            bots.len(),
            states.join(", "),
            sum(|bot| bot.finished),
            sum(|bot| bot.decisions),
            sum(|bot| bot.faults),
            sum(|bot| bot.desyncs),
            slowest.map_or_else(
                || "-".to_owned(),
                |bot| format!("{:.2} ms at most ({})", bot.p99_ms, bot.bot)
            ),
        )
    }

    fn state(&self) -> MutexGuard<'_, BoardState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BoardState {
    fn tell(&self, bot: &str, kind: AlertKind, why: &str, until: Option<u64>) {
        if let Some(alerts) = &self.alerts {
            let (time, bot, why) = (SystemTime::now(), bot.to_owned(), why.to_owned());
            alerts.send(BotAlert {
                time,
                bot,
                kind,
                why,
                until,
            });
        }
    }
}

impl RefusedLine {
    fn status(&self) -> BotStatus {
        let why = self.why.clone();
        let trouble = BotTrouble {
            kind: TroubleKind::Config,
            why: why.clone(),
            until: None,
        };
        let line = BoardLine {
            bot: self.name.clone(),
            arena: String::new(),
            state: BotActivity::DoesNotPlay { why },
            begun: 0,
            games: VecDeque::new(),
            recent: None,
            refused: [None, None],
            trouble: Some(trouble),
            rating: None,
            live: LiveFigures::default(),
        };
        line.status()
    }
}

impl BoardLine {
    fn status(&self) -> BotStatus {
        let BotFigures {
            totals,
            decisions,
            safe_answers,
            faults,
            desyncs,
            latency,
            limit,
            policy,
        } = self.live.read();
        let milliseconds = |share| latency.quantile(share).as_micros() as f64 / 1000.0;
        BotStatus {
            bot: self.bot.clone(),
            arena: self.arena.clone(),
            state: self.state.clone(),
            game: self.begun,
            finished: totals.games(),
            average_place: totals.average_place(),
            average_points: totals.average_points(),
            places: totals.places,
            recent: self.recent,
            refused_change: self.refused.iter().flatten().next().cloned(),
            trouble: self.trouble.clone(),
            decisions,
            safe_answers,
            p50_ms: milliseconds(0.5),
            p99_ms: milliseconds(0.99),
            slowest_ms: milliseconds(1.0),
            limit_ms: limit.map(|limit| limit.as_millis() as u64),
            faults,
            desyncs,
            policy: policy.map(|policy| PolicyStatus {
                id: policy.id.clone(),
                version: policy.version.clone(),
                sha256: policy.hash.map(|hash| hash.to_string()),
            }),
            rating: self.rating,
        }
    }
}

fn words(end: &LifeEnd) -> String {
    match end {
        LifeEnd::Done => "it has played its games".to_owned(),
        LifeEnd::Stopped => "as asked".to_owned(),
        LifeEnd::Refused(why)
        | LifeEnd::GaveUp(why)
        | LifeEnd::NotBegun(why)
        | LifeEnd::WrongTable(why) => why.clone(),
        LifeEnd::Validated { .. } => "it was validated".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use riichi::Seat;

    use super::*;

    fn entered(bot: &str) -> Board {
        let board = Board::default();
        board.enter(
            bot,
            "wss://game.riichi.dev".to_owned(),
            LiveFigures::default(),
        );
        board
    }

    #[test]
    fn a_bots_state_follows_its_last_event() {
        let board = entered("kuma");
        let wait = BotEvent::Waiting {
            reason: "no connection".to_owned(),
            wait: Duration::from_secs(60),
        };
        for (event, state) in [
            (BotEvent::Starting, "starting"),
            (
                BotEvent::TokenInUse("by process 1".to_owned()),
                "waiting: by process 1",
            ),
            (
                BotEvent::AwaitsTurn,
                "waiting: another bot of this process is in the queue",
            ),
            (
                BotEvent::AwaitsPermit,
                "waiting: the maximum number of simultaneous games is running",
            ),
            (BotEvent::Queued, "queued"),
            (BotEvent::Started(Seat::FIRST), "playing"),
            (BotEvent::Dropped("closed".to_owned()), "playing"),
            (BotEvent::AwaitsPolicy, "set aside"),
            (
                BotEvent::Ended(LifeEnd::Refused("Invalid token".to_owned())),
                "stopped: Invalid token",
            ),
        ] {
            board.note("kuma", &event);
            assert_eq!(board.status()[0].state.to_string(), state);
        }
        board.note("kuma", &wait);
        let told = board.status()[0].state.to_string();
        assert!(told.starts_with("waiting: no connection (for "), "{told}");
    }

    #[test]
    fn a_bot_that_comes_back_continues_its_count_of_games() {
        let board = entered("kuma");
        board.note("kuma", &BotEvent::Started(Seat::FIRST));
        board.note("kuma", &BotEvent::Ended(LifeEnd::Stopped));
        board.enter(
            "kuma",
            "ws://127.0.0.1:1".to_owned(),
            LiveFigures::default(),
        );
        board.note("kuma", &BotEvent::Started(Seat::FIRST));
        let status = board.status();
        assert_eq!(
            (status.len(), status[0].game, status[0].arena.as_str()),
            (1, 2, "ws://127.0.0.1:1")
        );
    }

    #[test]
    fn the_rolling_average_is_that_of_the_last_hundred_games_and_has_an_interval() {
        let board = entered("kuma");
        let finish = |place: u8| {
            let scores = riichi::PerSeat::from_fn(4, |_| 25_000);
            let game = GameReport {
                game: policy_host::GameKind::Riichi,
                seat: Seat::FIRST,
                scores,
                place,
                rounds: 8,
            };
            board.note("kuma", &BotEvent::Finished(game));
            board.status()[0].recent.expect("a game was played")
        };
        let first = RecentGames {
            games: 1,
            average_place: 4.0,
            interval: None,
            average_points: None,
            points_interval: None,
        };
        assert_eq!(finish(4), first);
        assert_eq!(finish(2).average_place, 3.0);
        let last = (0..100).fold(finish(1), |_, game| {
            finish(if game % 2 == 0 { 2 } else { 1 })
        });
        assert_eq!((last.games, last.average_place), (100, 1.5));
        let [low, high] = last.interval.expect("of enough games");
        // The squares around the mean are 25; four imagined games add the average square around
        // 2.5, 1.25, each. The standard error is the root of 30 / (100 * 99), and Student's t for
        // 99 degrees of freedom 1.984.
        assert!(
            (low - 1.3908).abs() < 1e-3 && (high - 1.6092).abs() < 1e-3,
            "{low} {high}"
        );
    }

    #[test]
    fn few_games_have_no_interval_and_ten_that_ended_alike_have_one() {
        let board = entered("kuma");
        let finish = || {
            let scores = riichi::PerSeat::from_fn(4, |_| 25_000);
            let game = policy_host::GameKind::Riichi;
            let report = GameReport {
                game,
                seat: Seat::FIRST,
                scores,
                place: 1,
                rounds: 8,
            };
            board.note("kuma", &BotEvent::Finished(report));
            board.status()[0]
                .recent
                .expect("a game was played")
                .interval
        };
        assert!((1..10).all(|_| finish().is_none()), "fewer than ten");
        let [low, high] = finish().expect("of ten games");
        assert!(low == 1.0 && high > 1.2, "{low} {high}");
    }

    #[test]
    fn games_of_three_that_are_compared_by_points_show_them_and_have_no_fourth_place() {
        let board = entered("kuma");
        for scores in [[-4.0, 2.0, 2.0], [4.5, -2.25, -2.25]].repeat(5) {
            let game = GameReport::of_scores(policy_host::GameKind::DouDizhu, 0, &scores)
                .expect("three seats");
            board.note("kuma", &BotEvent::Finished(game));
        }
        let recent = board.status()[0].recent.expect("ten games were played");
        let [low, high] = recent.interval.expect("of ten games");
        assert!(
            recent.average_place == 2.0 && low >= 1.0 && high <= 3.0,
            "{recent:?}"
        );
        assert_eq!(recent.average_points, Some(0.25));
        let [low, high] = recent.points_interval.expect("the games differ");
        assert!(low < 0.25 && high > 0.25, "{low} {high}");
    }

    #[test]
    fn the_line_counts_bots_by_state() {
        let board = entered("kuma");
        for bot in ["neko", "risu"] {
            board.enter(
                bot,
                "wss://game.riichi.dev".to_owned(),
                LiveFigures::default(),
            );
        }
        board.note("neko", &BotEvent::Queued);
        board.note("risu", &BotEvent::Queued);
        assert!(
            board
                .line()
                .starts_with("status: 3 bots (2 queued, 1 starting); games finished 0, "),
            "{}",
            board.line()
        );
    }
}
