//! The wall that a person has played, once more with each bot of the table at the person's seat.
//!
//! The bots play on a thread of low priority, and no game waits for them.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use builtin::ValueUnit;
use foreign_text::shown;
use lab::advisor::{Advisor, NoAdvice};
use lab::game::{Entrant, GameError, GameId, GameNews, PlayedGame, SeatPlayer, play};
use lab::replay::whole_courses;
use lab::review::{GameToReview, Review, review_game};
use policy_host::{
    CannotAsk, DirectPolicy, DirectThread, GameKind, Measure, NoDecision, PolicyStartError,
    ShownTable, ViewBuffer,
};
use protocol::game_record::{LineForm, RecordStart};
use say::output::say;
use view::person::{PersonSeat, SameWall, SameWallRow};

use super::super::low_priority::spawn_low;
use super::super::table::{TextTable, amount, number_of, points};
use super::game_words::PlayableGame;

/// How long the bots may take for a wall.
const SAME_WALL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a policy may take to notice that its game is given up, once all games are over.
const GIVE_UP_TIMEOUT: Duration = Duration::from_secs(1);
/// How often the end of all games looks whether it still has to wait.
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
    /// By whose values decisions cost something, if the person has an adviser.
    adviser: Option<Entrant>,
    at_work: Option<WallAtWork>,
}

/// Games on a wall that are being played.
struct WallAtWork {
    wanted: WantedGames,
    /// Nothing is sent: it is closed by the end of the games.
    ended: Receiver<()>,
}

/// How long games are wanted.
#[derive(Clone)]
struct WantedGames {
    given_up: Arc<AtomicBool>,
    until: Instant,
}

impl WantedGames {
    fn are_wanted(&self) -> bool {
        !self.given_up.load(Ordering::Relaxed) && Instant::now() < self.until
    }
}

/// A game of the person that has ended.
pub(super) struct WallToReplay<'g, G: PlayableGame> {
    pub(super) rules: G::Rules,
    pub(super) id: GameId,
    /// Number of games in all.
    pub(super) games: u64,
    /// The player on each seat.
    pub(super) players: &'g [usize],
    pub(super) result: &'g PlayedGame,
    /// Its record, if the [losses](SameWalls::needs_lines) are wanted.
    pub(super) lines: &'g [Arc<str>],
}

impl SameWalls {
    pub(super) fn new(seat: PersonSeat, bots: Vec<TableEntrant>, adviser: Option<Entrant>) -> Self {
        Self {
            seat,
            bots: Arc::new(bots),
            adviser,
            at_work: None,
        }
    }

    /// Whether it needs the records of the person's games.
    pub(super) const fn needs_lines(&self) -> bool {
        self.adviser.is_some()
    }

    /// Has the bots play the wall of a game that the person has played.
    pub(super) fn begin<G>(&mut self, game: &WallToReplay<'_, G>)
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
        let wanted = WantedGames {
            given_up: Arc::default(),
            until: Instant::now() + SAME_WALL_TIMEOUT,
        };
        let (at_work, ended) = channel();
        let mut work = SameWallGames::<G> {
            page: self.seat.clone(),
            bots: Arc::clone(&self.bots),
            seat,
            rules: game.rules,
            id: game.id,
            players: game.players.to_vec(),
            adviser: self.adviser.clone(),
            lines: game.lines.join("\n"),
            wanted: wanted.clone(),
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
                self.at_work = Some(WallAtWork { wanted, ended });
            }
            Err(why) => say_no_thread(&why),
        }
    }

    /// Ends the games on the last wall. A policy that decides at that moment is not waited for.
    pub(super) fn give_up(&self) {
        if let Some(at_work) = &self.at_work {
            at_work.wanted.given_up.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for the games on the last wall, in their time and as long as `goes_on` says so.
    pub(super) fn finish(self, goes_on: impl Fn() -> bool) {
        let Some(WallAtWork { wanted, ended }) = &self.at_work else {
            return;
        };
        let has_ended = |within| {
            matches!(
                ended.recv_timeout(within),
                Err(RecvTimeoutError::Disconnected)
            )
        };
        while goes_on() && wanted.are_wanted() {
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

/// A loss for each unit of values.
type Losses = Vec<(ValueUnit, f64)>;

/// The games on a wall.
struct SameWallGames<G: PlayableGame> {
    page: PersonSeat,
    bots: Arc<Vec<TableEntrant>>,
    /// The seat of the person.
    seat: usize,
    rules: G::Rules,
    id: GameId,
    players: Vec<usize>,
    adviser: Option<Entrant>,
    /// The record of the person's game.
    lines: String,
    wanted: WantedGames,
    wall: SameWall,
}

impl<G: PlayableGame> SameWallGames<G> {
    /// Plays a game with each bot that no bot before it equals, and says how they ended.
    fn play(&mut self, thread: &DirectThread) {
        let (bots, wanted) = (Arc::clone(&self.bots), self.wanted.clone());
        let are_wanted = || wanted.are_wanted();
        let (mut notes, mut given_up) = (Vec::new(), Vec::new());
        let adviser = self.adviser.clone();
        let mut advisor = adviser.as_ref().and_then(|adviser| {
            let advisor = Advisor::start(thread, adviser);
            let advisor = advisor.map_err(|why| notes.push(format!("no losses: {why}")));
            advisor
                .ok()
                .map(|advisor| advisor.while_wanted(&are_wanted))
        });
        let mut losses = |this: &Self, lines: &str| {
            let losses = this.losses(lines, advisor.as_mut()?);
            losses.unwrap_or_else(|why| {
                notes.push(format!("no losses: {why}"));
                None
            })
        };
        self.wall.rows[0].losses = losses(self, &self.lines);
        let (mut faults, mut failed) = (Vec::new(), Vec::new());
        for (place, bot) in bots.iter().enumerate() {
            if bots[..place].iter().any(|before| before.plays_as(bot)) {
                continue;
            }
            match self.played_by(thread, bot, &are_wanted) {
                Ok(Some((played, lines))) => {
                    let policy = bot.entrant.policy.identity().words();
                    let mut row = row_of::<G>(&bot.name, Some(policy), self.seat, &played);
                    row.losses = losses(self, &lines);
                    self.wall.rows.push(row);
                    self.page.show_same_wall(self.wall.clone());
                    let safe = played.seats[self.seat].faults();
                    if safe > 0 {
                        faults.push(format!("{}: {}", bot.name, number_of(safe, "safe answer")));
                    }
                }
                Ok(None) => given_up.push(shown(&bot.name)),
                Err(why) => failed.push(format!("{}: {why}", bot.name)),
            }
        }
        if self.wall.rows.len() == 1 && self.wanted.given_up.load(Ordering::Relaxed) {
            return;
        }
        notes.extend(faults.into_iter().chain(failed));
        if !given_up.is_empty() {
            notes.push(format!("not played to the end: {}", given_up.join(", ")));
        }
        say(self.words(&notes));
    }

    /// The game with a bot in place of the person, and its record; `None` if it was given up.
    fn played_by(
        &self,
        thread: &DirectThread,
        bot: &TableEntrant,
        are_wanted: &dyn Fn() -> bool,
    ) -> Result<Option<(PlayedGame, String)>, GameError> {
        let at_seat = |(seat, &player): (usize, &usize)| match player.checked_sub(1) {
            _ if seat == self.seat => Some(bot),
            Some(place) => self.bots.get(place),
            None => None,
        };
        let bots = self.players.iter().enumerate().map(at_seat);
        let players: Result<Vec<_>, _> = bots
            .clone()
            .map(|bot| match bot {
                Some(bot) => player(thread, &bot.entrant, are_wanted),
                None => Ok(SeatPlayer::Safe),
            })
            .collect();
        let name = |bot: Option<&TableEntrant>| bot.map_or("", |bot| &bot.name).to_owned();
        let mut lines = vec![G::Form::start_line(&RecordStart {
            game: G::KIND.name().to_owned(),
            id: None,
            names: bots.map(name).collect(),
        })];
        let told = |news: GameNews<'_, G>| lines.extend(news.line(None));
        let played = play::<G>(self.rules, self.id, players?, told)?;
        lines.extend(G::Form::end_line(&played.end.recorded()));
        Ok(are_wanted().then(|| (played, lines.join("\n"))))
    }

    /// What the decisions of the person's seat in a record cost by the adviser's values, a sum for
    /// each unit; `None` if that is not wanted any more.
    fn losses(&self, lines: &str, advisor: &mut Advisor<'_>) -> anyhow::Result<Option<Losses>> {
        let mut courses = whole_courses::<G>(Box::new(Cursor::new(lines.to_owned())))?;
        let adviser = self.adviser.as_ref();
        let adviser = adviser.map(|adviser| adviser.policy.identity().words());
        let adviser = adviser.unwrap_or_default();
        let mut losses = Losses::new();
        for course in &mut courses {
            course.rules = self.rules;
            let game = GameToReview {
                log: "",
                number: 1,
                course,
                record: Arc::default(),
                players: &[],
            };
            let reviewed = review_game(
                &game,
                &[self.seat],
                advisor,
                &mut Review::default(),
                |known| {
                    let Some(loss) = known.loss.map(f64::from) else {
                        return;
                    };
                    let unit = ValueUnit::of_policy(&adviser, known.kind);
                    match losses.iter_mut().find(|(of, _)| *of == unit) {
                        Some((_, sum)) => *sum += loss,
                        None => losses.push((unit, loss)),
                    }
                },
            );
            match reviewed {
                Err(NoAdvice::Unwanted) => return Ok(None),
                reviewed => reviewed?,
            }
        }
        Ok(Some(losses))
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
        let heading = ["player", "policy", "place", "score", "loss"];
        let mut table = TextTable::new(heading, [true, true, false, false, true]);
        for SameWallRow {
            name,
            policy,
            place,
            score,
            losses,
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
                losses.as_ref().map_or_else(
                    || "-".to_owned(),
                    |losses| {
                        let words = losses.iter().map(|&(unit, sum)| amount(unit, sum as f32));
                        words.collect::<Vec<_>>().join(" and ")
                    },
                ),
            ]);
        }
        table.hide_unused("place");
        table.hide_unused("loss");
        let name = shown(self.page.name());
        let adviser = self.adviser.as_ref();
        let by = adviser.map_or_else(String::new, |adviser| {
            format!("; losses by {}", shown(&adviser.policy.identity().words()))
        });
        let mut lines = format!("\n{wall} at the seat of {name}, each in one game{by}:\n");
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
        losses: None,
    }
}

/// A bot at a seat, who is not asked any more once its game is given up.
fn player<'t, T: ShownTable>(
    thread: &'t DirectThread,
    entrant: &Entrant,
    are_wanted: &'t dyn Fn() -> bool,
) -> Result<SeatPlayer<'t, T>, PolicyStartError> {
    let mut policy = DirectPolicy::create(thread, &entrant.policy, &entrant.options)?;
    let mut view = ViewBuffer::default();
    Ok(SeatPlayer::Hosted {
        budget: entrant.budget,
        decide: Box::new(move |fill| {
            if !are_wanted() {
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
