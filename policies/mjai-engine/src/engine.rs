//! An engine at work: what it has been told, what it owes, and a decision of it.

use std::time::{Duration, Instant};

use mahjong::{Action, Event, Rules, Seat};
use policy_sdk::{BadView, DecideError, View};
use protocol::ActionKind;

use crate::answer::{EngineAnswer, Wish};
use crate::command::CommandLine;
use crate::decision_time::DecisionTime;
use crate::process::{EngineProcess, Heard, LAST_WORDS_WITHIN};
use crate::replies::Replies;
use crate::spelling::{Spelled, event, start_game, trial_round};

/// Why an engine did not decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EngineFault {
    /// It has ended, or has to be.
    Gone(String),
    /// It did not answer in time; what it still owes is waited for later.
    Late(String),
    /// It answered what cannot be done, or could not be asked.
    Useless(String),
    /// The round was not seen from its start, so that there is nothing to tell it.
    Unseen,
    /// The view's log is wrong.
    View(BadView),
}

impl From<EngineFault> for DecideError {
    fn from(fault: EngineFault) -> Self {
        match fault {
            EngineFault::Gone(text) | EngineFault::Late(text) | EngineFault::Useless(text) => {
                Self::Failed(format!("the engine: {text}"))
            }
            EngineFault::Unseen => Self::Failed("the round was not seen from its start".to_owned()),
            EngineFault::View(error) => Self::View(error),
        }
    }
}

/// The game and round that an engine has been told of.
#[derive(Debug)]
struct Told {
    game: u64,
    seat: Seat,
    /// The events of the round, in order. A riichi of its own may be ahead of what has happened.
    events: Vec<Event>,
}

/// A running engine for one seat at a time.
#[derive(Debug)]
pub(crate) struct Engine {
    process: EngineProcess,
    replies: Replies,
    started: Instant,
    /// It has decided the trial round.
    ready: bool,
    /// How many answers are still to come.
    owed: u32,
    /// `None` before the first game.
    told: Option<Told>,
    /// What it wants to do after the action it chose last.
    then: Option<Wish>,
    /// Whether anything came from it in this decision.
    heard: bool,
    /// Whether it said nothing throughout the last decision, which it let pass.
    was_silent: bool,
}

impl Engine {
    /// Starts the program and asks it to decide a trial round, which shows when it is ready.
    pub(crate) fn start(command: &CommandLine, seat: Seat, replies: Replies) -> Result<Self, EngineFault> {
        let mut engine = Self {
            process: EngineProcess::start(command, seat).map_err(EngineFault::Gone)?,
            replies,
            started: Instant::now(),
            ready: false,
            owed: 0,
            told: None,
            then: None,
            heard: false,
            was_silent: false,
        };
        let [deal, draw] = trial_round(seat);
        engine.put(&[start_game(seat, &Rules::default()), event(&deal), event(&draw)], true);
        Ok(engine)
    }

    /// What it wrote besides its answers since the last time.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.process.complaints()
    }

    /// Its process, to be ended together with others.
    pub(crate) const fn process_mut(&mut self) -> &mut EngineProcess {
        &mut self.process
    }

    /// Waits until it has decided the trial round.
    pub(crate) fn await_ready(&mut self, time: &DecisionTime<'_>, start_within: Duration) -> Result<(), EngineFault> {
        if self.ready {
            return Ok(());
        }
        match self.hear_last(time) {
            Ok(line) => {
                EngineAnswer::parse(&line).map_err(EngineFault::Useless)?;
                self.ready = true;
                Ok(())
            }
            Err(EngineFault::Late(_)) if self.started.elapsed() < start_within => {
                Err(EngineFault::Late("it is still starting".to_owned()))
            }
            Err(EngineFault::Late(_)) => {
                let ended = self.process.end(Duration::ZERO);
                Err(EngineFault::Gone(format!(
                    "it did not decide a trial round in time ({ended}); `start_ms` sets how long it has"
                )))
            }
            Err(fault) => Err(fault),
        }
    }

    /// The legal action it chooses.
    pub(crate) fn decide(
        &mut self,
        view: &View<'_>,
        time: &DecisionTime<'_>,
        start_within: Duration,
    ) -> Result<usize, EngineFault> {
        self.heard = false;
        let decided = self.await_ready(time, start_within).and_then(|()| self.choose(view, time));
        let late = matches!(decided, Err(EngineFault::Late(_))) && time.has_run_out();
        let silent = late && self.ready && !self.heard;
        if std::mem::replace(&mut self.was_silent, silent) && silent {
            let ended = self.process.end(Duration::ZERO);
            return Err(EngineFault::Gone(format!("it said nothing throughout two decisions ({ended})")));
        }
        decided
    }

    fn choose(&mut self, view: &View<'_>, time: &DecisionTime<'_>) -> Result<usize, EngineFault> {
        let log = view.events().collect::<Result<Vec<_>, _>>().map_err(EngineFault::View)?;
        let asked = up_to_what_asks(&log);
        if asked.is_empty() {
            return Err(EngineFault::Unseen);
        }
        // It answers when it can act, so nobody could say to which of two lines an answer belongs.
        if self.replies == Replies::WhenAsked && self.owed > 0 {
            self.hear_last(time)?;
        }
        if time.is_over() {
            return Err(late());
        }
        let (wish, then) = match self.tell(view, asked) {
            Some(wish) => (wish, None),
            None => self.hear_answer(time)?,
        };
        if wish.kind != ActionKind::Reach {
            let place = wish.place_in(view.legal()).map_err(EngineFault::Useless)?;
            self.then = then;
            return Ok(place);
        }
        let discard = match then {
            _ if wish.pai.is_some() => wish,
            Some(discard) => discard,
            None => self.riichi_discard(view.seat(), view.legal(), time)?,
        };
        discard.place_of_riichi(view.legal()).map_err(EngineFault::Useless)
    }

    /// Tells what it has not been told of the round, and asks for a decision, unless what it said before is one already.
    fn tell(&mut self, view: &View<'_>, asked: &[Event]) -> Option<Wish> {
        let (seat, game) = (view.seat(), view.game());
        let then = self.then.take();
        let mut messages = Vec::new();
        let known = match &self.told {
            Some(told) if (told.game, told.seat) == (game, seat) => {
                if asked.len() > told.events.len() && asked.starts_with(&told.events) {
                    told.events.len()
                } else {
                    messages.push(event(&Event::EndKyoku));
                    if told.events.first() == asked.first() {
                        // What it was told did not come to be, so that it has to forget more than a round.
                        messages.push(start_game(seat, view.rules()));
                    }
                    0
                }
            }
            // Of an earlier game, or of the trial round.
            _ => {
                messages.push(event(&Event::EndKyoku));
                messages.push(start_game(seat, view.rules()));
                0
            }
        };
        let news = &asked[known..];
        messages.extend(news.iter().map(event));
        let planned = then.filter(|_| is_own_call(news, seat));
        self.put(&messages, planned.is_none());
        self.told = Some(Told { game, seat, events: asked.to_vec() });
        planned
    }

    /// The discard of the riichi that it wants to declare: it is told that it has. Should it come to nothing, the log will
    /// not go on like that, and it is told the round anew.
    fn riichi_discard(&mut self, seat: Seat, legal: &[Action], time: &DecisionTime<'_>) -> Result<Wish, EngineFault> {
        if !legal.iter().any(|action| matches!(action, Action::Reach { .. })) {
            return Err(EngineFault::Useless(format!("it wants to declare riichi; legal is {legal:?}")));
        }
        let reach = Event::Reach { actor: seat };
        self.put(&[event(&reach)], true);
        if let Some(told) = &mut self.told {
            told.events.push(reach);
        }
        self.hear_answer(time).map(|(discard, _)| discard)
    }

    /// Writes messages to it.
    fn put(&mut self, messages: &[Spelled], asks: bool) {
        if self.owed == 0 {
            self.process.forget_answers();
        }
        let said = self.replies.put(messages, asks);
        self.owed += said.answers;
        self.process.write(&said.lines);
    }

    /// Its answer to the last line it was told, taken apart.
    fn hear_answer(&mut self, time: &DecisionTime<'_>) -> Result<(Wish, Option<Wish>), EngineFault> {
        let line = self.hear_last(time)?;
        let EngineAnswer { wish, then } = EngineAnswer::parse(&line).map_err(EngineFault::Useless)?;
        Ok((wish, then))
    }

    /// The last of the answers that it owes.
    fn hear_last(&mut self, time: &DecisionTime<'_>) -> Result<String, EngineFault> {
        loop {
            match self.process.hear(time) {
                Heard::Line(line) => {
                    self.heard = true;
                    self.owed = self.owed.saturating_sub(1);
                    if self.owed == 0 {
                        return Ok(line);
                    }
                }
                Heard::Nothing => return Err(late()),
                Heard::End => {
                    return Err(EngineFault::Gone(format!("it ended ({})", self.process.end(LAST_WORDS_WITHIN))));
                }
            }
        }
    }
}

fn late() -> EngineFault {
    EngineFault::Late("it did not answer in time; `think_ms` sets how long it has".to_owned())
}

/// The log up to the event that is to be reacted to: what follows it, an engine hears the next time.
fn up_to_what_asks(log: &[Event]) -> &[Event] {
    let asks = log.iter().rposition(asks_something);
    &log[..asks.map_or(0, |place| place + 1)]
}

/// Whether somebody may have to react to an event.
const fn asks_something(event: &Event) -> bool {
    !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. })
}

/// Whether what happened is no more than a call of one's own, after which a discard is due.
fn is_own_call(news: &[Event], own: Seat) -> bool {
    let mut news = news.iter().filter(|event| asks_something(event));
    let call = matches!(news.next(), Some(Event::Chi { actor, .. } | Event::Pon { actor, .. }) if *actor == own);
    call && news.next().is_none()
}
