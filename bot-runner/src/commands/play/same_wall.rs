//! The wall that a person has played, once more with each bot of the table at the person's seat.
//!
//! The bots play on a thread of low priority, and no game waits for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use foreign_text::shown;
use lab::game::{Entrant, GameError, GameId, PlayedGame, SeatPlayer, play};
use policy_host::{
    CannotAsk, DirectPolicy, DirectThread, GameKind, Measure, NoDecision, PolicyStartError,
    ShownTable, ViewBuffer,
};
use say::output::say;
use view::person::{PersonSeat, SameWall, SameWallRow};

use super::super::low_priority::spawn_low;
use super::super::table::{TextTable, number_of, points};
use super::game_words::PlayableGame;

/// How long the bots may take for a wall.
const SAME_WALL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a policy may take to notice that its game is given up, once all games are over.
const GIVE_UP_TIMEOUT: Duration = Duration::from_secs(1);
/// How often the end of all games looks whether it is still to wait.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A bot of the table.
#[derive(Clone)]
pub(super) struct TableEntrant {
    pub(super) name: String,
    pub(super) entrant: Entrant,
}

impl TableEntrant {
    /// Whether both would do the same.
    fn plays_as(&self, other: &Self) -> bool {
        let (one, other) = (&self.entrant, &other.entrant);
        one.policy.identity() == other.policy.identity()
            && one.policy.section.params == other.policy.section.params
            && one.budget == other.budget
    }
}

/// The bots of a table, who play the walls of its person.
pub(super) struct SameWalls {
    seat: PersonSeat,
    /// All players with a policy but the first one, who is the person.
    bots: Arc<Vec<TableEntrant>>,
    at_work: Option<WallAtWork>,
}

/// Games on a wall that are being played.
struct WallAtWork {
    given_up: Arc<AtomicBool>,
    until: Instant,
    /// Nothing is sent: it is closed by the end of the games.
    ended: Receiver<()>,
}

/// A game of the person that has ended.
pub(super) struct PersonGame<'g, G: PlayableGame> {
    pub(super) rules: G::Rules,
    pub(super) id: GameId,
    /// Number of games in all.
    pub(super) games: u64,
    /// The player on each seat.
    pub(super) players: &'g [usize],
    pub(super) result: &'g PlayedGame,
}

impl SameWalls {
    pub(super) fn new(seat: PersonSeat, bots: Vec<TableEntrant>) -> Self {
        Self {
            seat,
            bots: Arc::new(bots),
            at_work: None,
        }
    }

    /// Has the bots play the wall of a game that the person has played.
    pub(super) fn begin<G>(&mut self, game: &PersonGame<'_, G>)
    where
        G: PlayableGame<Rules: 'static> + 'static,
    {
        self.give_up();
        let Some(seat) = game.players.iter().position(|&player| player == 0) else {
            return;
        };
        if self.bots.is_empty() {
            return;
        }
        let given_up = Arc::new(AtomicBool::new(false));
        let until = Instant::now() + SAME_WALL_TIMEOUT;
        let (at_work, ended) = channel();
        let mut work = SameWallGames::<G> {
            page: self.seat.clone(),
            bots: Arc::clone(&self.bots),
            seat,
            rules: game.rules,
            id: game.id,
            players: game.players.to_vec(),
            given_up: Arc::clone(&given_up),
            until,
            wall: SameWall {
                game: game.id.wall,
                games: game.games,
                rows: vec![row_of::<G>(self.seat.name(), None, seat, game.result)],
            },
        };
        let started = spawn_low("same wall", move || {
            let played = DirectThread::run("same wall", |thread| work.play(thread));
            if let Err(why) = played {
                say_no_thread(&why);
            }
            drop(at_work);
        });
        match started {
            Ok(()) => {
                self.at_work = Some(WallAtWork {
                    given_up,
                    until,
                    ended,
                });
            }
            Err(why) => say_no_thread(&why),
        }
    }

    /// Ends the games on the last wall. A policy that decides at that moment is not waited for.
    pub(super) fn give_up(&self) {
        if let Some(at_work) = &self.at_work {
            at_work.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for the games on the last wall, in their time and as long as `goes_on` says so.
    pub(super) fn finish(self, goes_on: impl Fn() -> bool) {
        let Some(WallAtWork { until, ended, .. }) = &self.at_work else {
            return;
        };
        let has_ended = |within| {
            matches!(
                ended.recv_timeout(within),
                Err(RecvTimeoutError::Disconnected)
            )
        };
        while goes_on() && Instant::now() < *until {
            if has_ended(LOOK_EVERY) {
                return;
            }
        }
        self.give_up();
        if !has_ended(GIVE_UP_TIMEOUT) {
            say("the same wall: a bot has not returned from a decision, and is not waited for");
        }
    }
}

fn say_no_thread(why: &std::io::Error) {
    say(format!("the same wall: no thread to play on: {why}"));
}

/// The games on a wall.
struct SameWallGames<G: PlayableGame> {
    page: PersonSeat,
    bots: Arc<Vec<TableEntrant>>,
    /// The seat of the person.
    seat: usize,
    rules: G::Rules,
    id: GameId,
    players: Vec<usize>,
    given_up: Arc<AtomicBool>,
    until: Instant,
    wall: SameWall,
}

impl<G: PlayableGame> SameWallGames<G> {
    fn is_wanted(&self) -> bool {
        !self.given_up.load(Ordering::Relaxed) && Instant::now() < self.until
    }

    /// Plays a game with each bot that no bot before it equals, and says how they ended.
    fn play(&mut self, thread: &DirectThread) {
        let bots = Arc::clone(&self.bots);
        let (mut notes, mut given_up) = (Vec::new(), Vec::new());
        for (place, bot) in bots.iter().enumerate() {
            if bots[..place].iter().any(|before| before.plays_as(bot)) {
                continue;
            }
            match self.played_by(thread, bot) {
                Ok(Some(played)) => {
                    let policy = bot.entrant.policy.identity().words();
                    let row = row_of::<G>(&bot.name, Some(policy), self.seat, &played);
                    self.wall.rows.push(row);
                    self.page.show_same_wall(self.wall.clone());
                    let faults = played.seats[self.seat].faults();
                    if faults > 0 {
                        let safe = number_of(faults, "safe answer");
                        notes.push(format!("{}: {safe}", shown(&bot.name)));
                    }
                }
                Ok(None) => given_up.push(shown(&bot.name)),
                Err(why) => notes.push(format!("{}: {why}", shown(&bot.name))),
            }
        }
        if !given_up.is_empty() {
            notes.push(format!("not played to the end: {}", given_up.join(", ")));
        }
        say(self.words(&notes));
    }

    /// The game with a bot in place of the person; `None` if it was given up.
    fn played_by(
        &self,
        thread: &DirectThread,
        bot: &TableEntrant,
    ) -> Result<Option<PlayedGame>, GameError> {
        let is_wanted = || self.is_wanted();
        let at_seat = |(seat, &player): (usize, &usize)| match player.checked_sub(1) {
            _ if seat == self.seat => Some(bot),
            Some(place) => self.bots.get(place),
            None => None,
        };
        let bots = self.players.iter().enumerate().map(at_seat);
        let players: Result<Vec<_>, _> = bots
            .map(|bot| match bot {
                Some(bot) => player(thread, &bot.entrant, &is_wanted),
                None => Ok(SeatPlayer::Safe),
            })
            .collect();
        let played = play::<G>(self.rules, self.id, players?, |_| ())?;
        Ok(is_wanted().then_some(played))
    }

    /// The results in a table, and the notes below it.
    fn words(&self, notes: &[String]) -> String {
        let SameWall { game, games, rows } = &self.wall;
        let wall = match G::KIND {
            GameKind::DouDizhu => "deal",
            GameKind::Riichi | GameKind::Mcr => "wall",
        };
        let wall = match games {
            1 => format!("the same {wall}"),
            _ => format!("the {wall} of game {game}"),
        };
        let heading = ["player", "policy", "place", "score"];
        let mut table = TextTable::new(heading, [true, true, false, false]);
        for SameWallRow {
            name,
            policy,
            place,
            score,
        } in rows
        {
            table.row([
                name.clone(),
                policy.clone().unwrap_or_else(|| "a person".to_owned()),
                place.map_or_else(|| "-".to_owned(), |place| place.to_string()),
                match G::MEASURE {
                    Measure::Places => points(*score as i32),
                    Measure::Points { .. } => format!("{score:+}"),
                },
            ]);
        }
        table.hide_unused("place");
        let name = shown(self.page.name());
        let mut lines = format!("\n{wall} at the seat of {name}, each in one game:\n");
        lines += table.for_output().trim_end();
        for note in notes {
            lines.push('\n');
            lines += note;
        }
        lines
    }
}

/// The result of the person's seat with this player.
fn row_of<G: PlayableGame>(
    name: &str,
    policy: Option<String>,
    seat: usize,
    PlayedGame { end, .. }: &PlayedGame,
) -> SameWallRow {
    SameWallRow {
        name: name.to_owned(),
        policy,
        place: (G::MEASURE == Measure::Places).then(|| end.places[seat]),
        score: end.scores[seat],
    }
}

/// A bot at a seat, who is not asked any more once its game is given up.
fn player<'t, T: ShownTable>(
    thread: &'t DirectThread,
    entrant: &Entrant,
    is_wanted: &'t dyn Fn() -> bool,
) -> Result<SeatPlayer<'t, T>, PolicyStartError> {
    let mut policy = DirectPolicy::create(thread, &entrant.policy, &entrant.options)?;
    let mut view = ViewBuffer::default();
    Ok(SeatPlayer::Hosted {
        budget: entrant.budget,
        decide: Box::new(move |fill| {
            if !is_wanted() {
                return Err(NoDecision::Late);
            }
            fill(&mut view);
            match policy.decide(&mut view) {
                Ok(decided) => Ok(decided?),
                Err(_) => Err(CannotAsk::SetAside.into()),
            }
        }),
    })
}
