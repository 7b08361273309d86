//! A person at a table: a policy that asks a person.
//!
//! To the rest of the program it is a policy like any other. It gets a view, has a limit, and the
//! safe answer is played when its time is over. The page of the seat shows its question and brings
//! back the person's choice.

mod advice;
mod same_wall;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use std::{fmt, io};

use client::bot::LiveRound;
use client::random_secret;
use doudizhu::DouDizhuAction;
use mcr::McrAction;
use mistakes::KeyProblem;
use policy_host::{
    ChosenPolicy, GameKind, Library, LibraryChoice, PolicyConfig, Sha256, StartOptions,
    WhenUnwanted,
};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Game, Games, Mcr,
    McrView, Param, Params, Policy, RiichiMahjong, View,
};
use riichi::acceptance::discard_options_within;
use riichi::{Action, ActionWords, Kind};
use serde::Serialize;
use tokio::sync::watch;

use crate::page::{ShownAction, ShownPieces, tile_code, tile_codes};

pub use self::advice::{AdviceCounts, AdviserAnswer, AdviserAtWork, QuestionForAdvice, SeatAdvice};
pub(crate) use self::advice::{AdviceNews, AdviceVersions, ComparedRound, Hint};
pub use self::same_wall::{SameWall, SameWallRow};

/// The id of the policy that asks a person. No config can name it.
pub const PERSON: &str = "person";

/// The person's time for a decision, unless it is set.
pub const PERSON_THINK: Duration = Duration::from_secs(60);

/// How often the policy looks whether its answer is still wanted, once its time is over.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Number of letters of a seat's token: 4 bits each.
const TOKEN_LENGTH: usize = 32;

/// The seats of this process that people play, by the parameter of their policies.
static SEATS: Mutex<BTreeMap<u64, Weak<SharedSeat>>> = Mutex::new(BTreeMap::new());

/// The number of the next seat.
static NEXT_SEAT: AtomicU64 = AtomicU64::new(0);

/// A seat that a person plays: its token, its open question, and what it sees. Clones share it.
#[derive(Clone)]
pub struct PersonSeat(Arc<SharedSeat>);

struct SharedSeat {
    /// Its place in [`SEATS`].
    number: u64,
    name: String,
    /// Whether it is a bot's seat, which the person gives back.
    is_lent: bool,
    token: String,
    /// What the browser that has taken the seat shows from then on.
    session: String,
    round: LiveRound,
    advice: SeatAdvice,
    state: Mutex<PersonState>,
    answered: Condvar,
    again: OnceLock<PlayAgain>,
    same_wall: watch::Sender<Option<SameWall>>,
    /// Sent to with every change of the state.
    changes: watch::Sender<()>,
}

#[derive(Default)]
struct PersonState {
    is_taken: bool,
    /// Whether a lent seat is the bot's again, or was never taken.
    is_returned: bool,
    /// Number of open pages of the seat.
    pages: usize,
    /// Number of questions so far.
    asked: u64,
    question: Option<PersonQuestion>,
    /// The names of the seats, where an arena sends none.
    names: Vec<(usize, String)>,
}

/// A question that waits for the person.
struct PersonQuestion {
    until: Instant,
    limit: Duration,
    actions: Vec<OfferedAction>,
    is_furiten: bool,
    answer: Option<usize>,
}

/// A legal action, as the page offers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfferedAction {
    pub words: String,
    /// The button that it is behind; empty for a piece that is chosen in the hand itself.
    pub call: &'static str,
    /// The pieces on the button, or the cards of a play.
    pub pieces: String,
    /// The tile of the hand that completes it, if one does.
    pub tile: String,
    /// Whether that is the tile just drawn; `None` if it makes no difference.
    pub drawn: Option<bool>,
    /// The tiles that the hand waits on after this discard, if that leaves it in tenpai.
    pub waits: String,
    /// Whether no one in riichi can win on this discard; false while no one is.
    pub is_safe: bool,
}

impl OfferedAction {
    /// Whether both are one action; what helps the person to choose makes no difference.
    #[must_use]
    pub fn is_same_action(&self, other: &Self) -> bool {
        self.call == other.call
            && self.drawn == other.drawn
            && self.words == other.words
            && self.pieces == other.pieces
            && self.tile == other.tile
    }
}

/// An action that a page can offer to a person.
pub trait PersonAction: ActionWords<Pieces: ShownPieces> {
    fn offered(&self) -> OfferedAction;
}

/// The open question, as the page gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownQuestion {
    /// Number of the question at this seat, from 1.
    pub number: u64,
    /// Time that is left.
    pub left_ms: u64,
    /// All its time.
    pub limit_ms: u64,
    /// The legal actions; an answer is an index of them.
    pub actions: Vec<OfferedAction>,
    /// Whether the seat is in furiten.
    pub is_furiten: bool,
}

/// How to play the same games again, for the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlayAgain {
    /// The command line without the seat.
    pub command: String,
    /// Number of games.
    pub games: u32,
    /// The seat that was asked for in the first game.
    pub seat: Option<u8>,
}

impl PlayAgain {
    /// The command line with the same seat.
    #[must_use]
    pub fn from_the_same_seat(&self) -> String {
        let command = &self.command;
        match self.seat {
            Some(seat) => format!("{command} --seat {seat}"),
            None => command.clone(),
        }
    }
}

/// Why an answer is refused. It changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PersonRefusal {
    #[error("this question is not open: it was answered before, or its time was over")]
    NotOpen,
    #[error("the question has no action of this number")]
    NoSuchAction,
}

impl fmt::Debug for PersonSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PersonSeat")
            .field("name", &self.0.name)
            .finish_non_exhaustive()
    }
}

impl PersonSeat {
    /// A seat of this process for a person of this name.
    ///
    /// # Errors
    ///
    /// If the system gives no random bytes for its token.
    pub fn new(name: &str) -> io::Result<Self> {
        Self::with_round(name, LiveRound::watched(), false)
    }

    /// The seat of a bot, which a person may take over and gives back. The round is what the seat
    /// sees.
    ///
    /// # Errors
    ///
    /// If the system gives no random bytes for its token.
    pub fn lent(bot: &str, round: LiveRound) -> io::Result<Self> {
        Self::with_round(bot, round, true)
    }

    fn with_round(name: &str, round: LiveRound, is_lent: bool) -> io::Result<Self> {
        let mut token = random_secret()?;
        token.truncate(TOKEN_LENGTH);
        Ok(Self(Arc::new(SharedSeat {
            number: NEXT_SEAT.fetch_add(1, Ordering::Relaxed),
            name: name.to_owned(),
            is_lent,
            token,
            session: random_secret()?,
            advice: SeatAdvice::of(round.clone()),
            round,
            state: Mutex::default(),
            answered: Condvar::new(),
            again: OnceLock::new(),
            same_wall: watch::Sender::new(None),
            changes: watch::Sender::new(()),
        })))
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The token with which a browser takes the seat, once.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// Where the game is published as the seat sees it.
    #[must_use]
    pub fn round(&self) -> &LiveRound {
        &self.0.round
    }

    /// Says how to play the same games again. Only the first time counts.
    pub fn offer_again(&self, again: PlayAgain) {
        let _ = self.0.again.set(again);
    }

    /// How to play the same games again, if that is possible.
    #[must_use]
    pub fn again(&self) -> Option<&PlayAgain> {
        self.0.again.get()
    }

    /// Shows how bots did in the person's place, unless a later game is shown.
    pub fn show_same_wall(&self, wall: SameWall) {
        self.0.same_wall.send_if_modified(|shown| {
            let is_newer = shown.as_ref().is_none_or(|shown| shown.game <= wall.game);
            if is_newer {
                *shown = Some(wall);
            }
            is_newer
        });
    }

    /// How bots did in the person's place, in the last game of which that is known.
    pub(crate) fn same_wall(&self) -> watch::Receiver<Option<SameWall>> {
        self.0.same_wall.subscribe()
    }

    /// The adviser of the seat, if it has one.
    #[must_use]
    pub fn advice(&self) -> &SeatAdvice {
        &self.0.advice
    }

    /// The policy that asks this person, and plays the safe action so long before the arena's
    /// deadline.
    ///
    /// # Errors
    ///
    /// If it cannot play at the tables of these options.
    pub fn policy(
        &self,
        think: Duration,
        margin: Duration,
        options: &StartOptions,
    ) -> Result<ChosenPolicy, NoPersonHere> {
        let library = match options.game {
            GameKind::Riichi => Library::of::<AskPerson<RiichiMahjong>>(),
            GameKind::Mcr => Library::of::<AskPerson<Mcr>>(),
            GameKind::DouDizhu => Library::of::<AskPerson<DouDizhu>>(),
        };
        let number = self.0.number;
        let mut seats = SEATS.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|_, seat| seat.strong_count() > 0);
        seats.insert(number, Arc::downgrade(&self.0));
        drop(seats);
        let mut section = PolicyConfig::of(LibraryChoice::Builtin, Some(PERSON.to_owned()));
        section.think = Some(think);
        section.margin = margin;
        section
            .params
            .insert(SEAT.to_owned(), (number as i64).into());
        let mut chosen = ChosenPolicy::choose(library, &section, options).map_err(NoPersonHere)?;
        let seat = self.clone();
        chosen.when_unwanted = Some(WhenUnwanted::new(move || {
            // One that has looked and does not wait yet holds the state.
            drop(seat.state());
            seat.0.answered.notify_all();
        }));
        Ok(chosen)
    }

    /// Whether both are the same seat.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether it is a bot's seat, which the person gives back.
    #[must_use]
    pub fn is_lent(&self) -> bool {
        self.0.is_lent
    }

    /// Gives a lent seat back: no browser has it from then on, and no other takes it.
    pub fn give_back(&self) {
        let mut state = self.state();
        state.is_returned = true;
        state.question = None;
        drop(state);
        self.0.changes.send_replace(());
    }

    #[must_use]
    pub fn is_given_back(&self) -> bool {
        self.state().is_returned
    }

    /// Ready once the seat is given back.
    pub async fn given_back(&self) {
        let mut changes = self.0.changes.subscribe();
        while !self.is_given_back() {
            // The sender lives as long as this.
            let _ = changes.changed().await;
        }
    }

    /// Ready once the seat is taken.
    pub async fn taken(&self) {
        let mut changes = self.0.changes.subscribe();
        while !self.is_taken() {
            // The sender lives as long as this.
            let _ = changes.changed().await;
        }
    }

    /// Ready while a page of the seat is open.
    pub async fn present(&self) {
        let mut changes = self.0.changes.subscribe();
        while self.state().pages == 0 {
            // The sender lives as long as this.
            let _ = changes.changed().await;
        }
    }

    /// Notes that a page of the seat is open, until this is dropped.
    pub(crate) fn page(&self) -> PresentPage {
        self.state().pages += 1;
        self.0.changes.send_replace(());
        PresentPage(self.clone())
    }

    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.state().is_taken
    }

    /// Takes the seat for the browser that shows its token; the secret that the browser shows from
    /// then on. `None` if the token is another, or the seat is taken.
    pub(crate) fn take(&self, token: &str) -> Option<&str> {
        if !self.opens(token) {
            return None;
        }
        let mut state = self.state();
        if state.is_returned || std::mem::replace(&mut state.is_taken, true) {
            return None;
        }
        drop(state);
        self.0.changes.send_replace(());
        Some(&self.0.session)
    }

    /// Whether this is the token of the seat's link.
    pub(crate) fn opens(&self, token: &str) -> bool {
        Sha256::of(token.as_bytes()) == Sha256::of(self.0.token.as_bytes())
    }

    /// Whether this is the secret of the browser that has taken the seat.
    pub(crate) fn is_holder(&self, session: &str) -> bool {
        self.is_taken()
            && !self.is_given_back()
            && Sha256::of(session.as_bytes()) == Sha256::of(self.0.session.as_bytes())
    }

    /// Says who sits at a seat of the table, for an arena that sends no names.
    pub fn sits(&self, seat: usize, name: &str) {
        let names = &mut self.state().names;
        names.retain(|(known, of)| *known != seat && of != name);
        names.push((seat, name.to_owned()));
    }

    /// The known names, each with its seat.
    pub(crate) fn names(&self) -> Vec<(usize, String)> {
        self.state().names.clone()
    }

    /// Ready with every change of the question.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.0.changes.subscribe()
    }

    /// The open question. It is open until it is answered, even before the policy has its answer.
    #[must_use]
    pub fn question(&self) -> Option<ShownQuestion> {
        let state = self.state();
        let question = state.question.as_ref()?;
        if question.answer.is_some() {
            return None;
        }
        Some(ShownQuestion {
            number: state.asked,
            left_ms: question
                .until
                .saturating_duration_since(Instant::now())
                .as_millis() as u64,
            limit_ms: question.limit.as_millis() as u64,
            actions: question.actions.clone(),
            is_furiten: question.is_furiten,
        })
    }

    /// Answers the open question.
    ///
    /// # Errors
    ///
    /// If that question is not open, or has no such action.
    pub fn answer(&self, number: u64, action: usize) -> Result<(), PersonRefusal> {
        let mut state = self.state();
        let asked = state.asked;
        let question = state
            .question
            .as_mut()
            .filter(|question| question.answer.is_none() && Instant::now() < question.until)
            .filter(|_| number == asked)
            .ok_or(PersonRefusal::NotOpen)?;
        if action >= question.actions.len() {
            return Err(PersonRefusal::NoSuchAction);
        }
        question.answer = Some(action);
        drop(state);
        self.0.answered.notify_all();
        Ok(())
    }

    /// Asks the person on this thread; `None` if no answer came while one was wanted.
    fn ask(
        &self,
        SeatQuestion {
            actions,
            is_furiten,
            limit,
        }: SeatQuestion,
        is_wanted: impl Fn() -> bool,
    ) -> Option<usize> {
        let mut state = self.state();
        state.asked += 1;
        let number = state.asked;
        self.0.advice.asked(number, &actions);
        let until = Instant::now() + limit;
        if !state.is_returned {
            state.question = Some(PersonQuestion {
                until,
                limit,
                actions,
                is_furiten,
                answer: None,
            });
        }
        self.0.changes.send_replace(());
        let answer = loop {
            let answer = state.question.as_ref().and_then(|open| open.answer);
            if answer.is_some() || !is_wanted() {
                break answer;
            }
            let left = until.saturating_duration_since(Instant::now());
            (state, _) = self
                .0
                .answered
                .wait_timeout(state, left.max(LOOK_EVERY))
                .unwrap_or_else(PoisonError::into_inner);
        };
        state.question = None;
        drop(state);
        self.0.changes.send_replace(());
        self.0.advice.answered(number, answer);
        answer
    }

    fn state(&self) -> MutexGuard<'_, PersonState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reasons why a person cannot play at a table.
#[derive(Debug, thiserror::Error)]
#[error("{}", messages(.0))]
pub struct NoPersonHere(Vec<KeyProblem>);

fn messages(problems: &[KeyProblem]) -> String {
    let messages: Vec<&str> = problems.iter().map(|found| &*found.message).collect();
    messages.join("; ")
}

/// The seats of a process that people play or may take over. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct PersonSeats(Arc<Mutex<Vec<PersonSeat>>>);

impl PersonSeats {
    #[must_use]
    pub fn of(seats: Vec<PersonSeat>) -> Self {
        Self(Arc::new(Mutex::new(seats)))
    }

    #[must_use]
    pub fn all(&self) -> Vec<PersonSeat> {
        self.seats().clone()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seats().is_empty()
    }

    /// Whether a person plays, who may not know what the pages of the bots show.
    #[must_use]
    pub fn hide_games(&self) -> bool {
        let mut seats = self.seats().clone().into_iter();
        seats.any(|seat| !seat.is_lent() || seat.is_taken())
    }

    pub(crate) fn add(&self, seat: PersonSeat) {
        self.seats().push(seat);
    }

    pub(crate) fn remove(&self, seat: &PersonSeat) {
        self.seats().retain(|other| !other.is(seat));
    }

    fn seats(&self) -> MutexGuard<'_, Vec<PersonSeat>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open page of a seat.
pub(crate) struct PresentPage(PersonSeat);

impl Drop for PresentPage {
    fn drop(&mut self) {
        self.0.state().pages -= 1;
        self.0.0.changes.send_replace(());
    }
}

/// The parameter that says which of [`SEATS`] is asked.
const SEAT: &str = "seat";

/// Asks a person of this process.
struct AskPerson<G> {
    seat: PersonSeat,
    game: std::marker::PhantomData<G>,
}

/// A game that a person can play.
trait PersonGame: Game {
    fn question(view: &Self::View<'_>) -> SeatQuestion;
}

/// What a person is asked.
struct SeatQuestion {
    actions: Vec<OfferedAction>,
    is_furiten: bool,
    limit: Duration,
}

impl PersonGame for RiichiMahjong {
    fn question(view: &View<'_>) -> SeatQuestion {
        let tenpai = discard_options_within(view.concealed(), 0);
        let waits = |kind: Kind| {
            let option = tenpai.iter().find(|option| option.kind == kind);
            option.map_or_else(String::new, |option| {
                tile_codes(option.acceptance.iter().map(Kind::tile))
            })
        };
        let mut riichi = view
            .opponents()
            .filter(|player| player.riichi().is_some())
            .map(|player| player.cannot_ron().all());
        let safe = riichi
            .next()
            .map(|first| riichi.fold(first, |safe, kinds| safe & kinds));
        let offer = |action: &Action| {
            let offered = action.offered();
            match *action {
                Action::Dahai { tile, .. } | Action::Reach { tile, .. } => OfferedAction {
                    waits: waits(tile.kind()),
                    is_safe: safe.is_some_and(|safe| safe.contains(tile.kind())),
                    ..offered
                },
                _ => offered,
            }
        };
        SeatQuestion {
            actions: view.legal().iter().map(offer).collect(),
            is_furiten: view.furiten().any(),
            limit: view.time().budget,
        }
    }
}

impl PersonGame for Mcr {
    fn question(view: &McrView<'_>) -> SeatQuestion {
        SeatQuestion {
            actions: view.legal().iter().map(McrAction::offered).collect(),
            is_furiten: false,
            limit: view.time().budget,
        }
    }
}

impl PersonGame for DouDizhu {
    fn question(view: &DouDizhuView<'_>) -> SeatQuestion {
        SeatQuestion {
            actions: view.legal().iter().map(DouDizhuAction::offered).collect(),
            is_furiten: false,
            limit: view.time().budget,
        }
    }
}

impl<G: PersonGame> Policy for AskPerson<G> {
    type Game = G;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: PERSON,
        name: "Person",
        version: "1",
        summary: "Asks a person.",
        games: Games::Both,
        params: &[Param::integer(
            SEAT,
            0,
            0,
            i64::MAX,
            "Which of the seats of this process is asked.",
        )],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        let number = params.integer(SEAT)?;
        let seats = SEATS.lock().unwrap_or_else(PoisonError::into_inner);
        let seat = u64::try_from(number)
            .ok()
            .and_then(|number| seats.get(&number)?.upgrade());
        let seat = seat.ok_or_else(|| CreateError::Failed("no person sits there".to_owned()))?;
        Ok(Self {
            seat: PersonSeat(seat),
            game: std::marker::PhantomData,
        })
    }

    fn decide(
        &mut self,
        view: &G::View<'_>,
        env: &Env,
        _: &mut Answer,
    ) -> Result<usize, DecideError> {
        // After riichi, for instance.
        if G::actions(view) == 1 {
            return Ok(0);
        }
        // An answer after its time does not count, whatever it is.
        Ok(self
            .seat
            .ask(G::question(view), || env.still_wanted())
            .unwrap_or(0))
    }
}

/// An action of the hand itself, or behind a button.
fn offered(
    action: &impl ActionWords<Pieces: ShownPieces>,
    call: &'static str,
    tile: String,
    drawn: Option<bool>,
) -> OfferedAction {
    let ShownAction { words, pieces, .. } = ShownAction::of(action);
    // A tile to be chosen is not on the button.
    let pieces = if pieces == tile {
        String::new()
    } else {
        pieces
    };
    OfferedAction {
        words,
        call,
        pieces,
        tile,
        drawn,
        waits: String::new(),
        is_safe: false,
    }
}

impl PersonAction for Action {
    fn offered(&self) -> OfferedAction {
        let (call, chosen) = match *self {
            Action::Dahai { tile, tsumogiri } => ("", Some((tile, tsumogiri))),
            Action::Reach { tile, tsumogiri } => ("Riichi", Some((tile, tsumogiri))),
            Action::Chi { .. } => ("Chi", None),
            Action::Pon { .. } => ("Pon", None),
            Action::Daiminkan { .. } | Action::Ankan { .. } | Action::Kakan { .. } => ("Kan", None),
            Action::Kita => ("North", None),
            Action::Hora { .. } => ("Win", None),
            Action::Ryukyoku => ("Nine terminals", None),
            Action::None => ("Pass", None),
        };
        let (tile, drawn) = chosen.map_or((String::new(), None), |(tile, drawn)| {
            (tile_code(tile), Some(drawn))
        });
        offered(self, call, tile, drawn)
    }
}

impl PersonAction for McrAction {
    fn offered(&self) -> OfferedAction {
        let (call, tile) = match *self {
            McrAction::Pass => ("Pass", None),
            McrAction::Win => ("Win", None),
            McrAction::Discard(tile) => ("", Some(tile)),
            McrAction::ConcealedKong(_) | McrAction::AddKong(_) | McrAction::ClaimKong => {
                ("Kong", None)
            }
            McrAction::ClaimPung { discard } => ("Pung", Some(discard)),
            McrAction::ClaimChow { discard, .. } => ("Chow", Some(discard)),
        };
        let tile = tile.map_or_else(String::new, |kind| tile_code(kind.tile()));
        offered(self, call, tile, None)
    }
}

impl PersonAction for DouDizhuAction {
    fn offered(&self) -> OfferedAction {
        let call = match self {
            DouDizhuAction::Bid(0) => "No bid",
            DouDizhuAction::Bid(1) => "Bid 1",
            DouDizhuAction::Bid(2) => "Bid 2",
            DouDizhuAction::Bid(_) => "Bid 3",
            DouDizhuAction::Pass => "Pass",
            DouDizhuAction::Play(_) => "",
        };
        offered(self, call, String::new(), None)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_person_is_present_while_a_page_of_the_seat_is_open() {
        let seat = PersonSeat::new("Mia").expect("random bytes");
        assert_eq!(seat.present().now_or_never(), None);
        let (first, second) = (seat.page(), seat.page());
        drop(first);
        assert_eq!(seat.present().now_or_never(), Some(()));
        drop(second);
        assert_eq!(seat.present().now_or_never(), None);
    }

    #[test]
    fn a_question_is_open_until_it_is_answered() {
        let seat = PersonSeat::new("Mia").expect("random bytes");
        let limit = Duration::from_secs(60);
        let mut state = seat.state();
        state.asked = 1;
        state.question = Some(PersonQuestion {
            until: Instant::now() + limit,
            limit,
            actions: vec![Action::None.offered()],
            is_furiten: false,
            answer: None,
        });
        drop(state);
        assert_eq!(seat.question().map(|open| open.number), Some(1));
        // The policy that asks has not seen the answer yet.
        assert_eq!(seat.answer(1, 0), Ok(()));
        assert_eq!(seat.question(), None);
        assert_eq!(seat.answer(1, 0), Err(PersonRefusal::NotOpen));
    }
}
