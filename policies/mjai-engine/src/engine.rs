//! The protocol of an engine: the messages sent to it, and the meaning of its answers.

use policy_process::{DecisionTime, Dialogue, ProgramFault, ProgramProtocol};
use policy_sdk::{Answer, ProgramIdentity, RiichiMahjong, RoundEnd, View};
use protocol::{ActionKind, Introduction};
use riichi::event::StartKyoku;
use riichi::{Action, Event, PerSeat, Rules, Seat};

use crate::answer::{EngineAnswer, Wish};
use crate::replies::Replies;
use crate::spelling::{Spelled, event, round_end, start_game, trial_actions, trial_round};

/// The game and round that an engine knows.
#[derive(Debug)]
struct EngineState {
    game: u64,
    seat: Seat,
    /// The events of the round, in order. The engine's own riichi may be ahead of the events.
    events: Vec<Event>,
}

/// The protocol of an engine, for one seat at a time.
#[derive(Debug)]
pub(crate) struct EngineProtocol {
    replies: Replies,
    /// `None` before the first game.
    told: Option<EngineState>,
    /// The action that it announced to follow its last choice.
    then: Option<Wish>,
}

impl ProgramProtocol for EngineProtocol {
    type Game = RiichiMahjong;

    const NOUN: &'static str = "engine";

    const TRIAL_HINT: &'static str = "; `replies` sets which lines it gets, and which it answers";

    type Config = Replies;

    /// An object or a list: libraries like to greet on the standard output.
    fn is_answer(line: &str) -> bool {
        line.starts_with(['{', '['])
    }

    fn begin(&replies: &Replies, seat: Seat, dialogue: &mut Dialogue) -> Self {
        let protocol = Self { replies, told: None, then: None };
        let [deal, draw] = trial_round(seat);
        protocol.put(dialogue, &[start_game(seat, &Rules::default()), event(&deal), event(&draw)], true);
        protocol
    }

    fn check_trial(&self, line: &str) -> Result<(), ProgramFault> {
        let fits = |answer: EngineAnswer| answer.wish.place_in(&trial_actions()).map(drop);
        let checked = EngineAnswer::parse(line).and_then(fits);
        checked.map_err(|why| ProgramFault::Useless(format!("asked for the first discard of a trial round, {why}")))
    }

    fn identity(first_line: &str, warnings: &mut Vec<String>) -> ProgramIdentity {
        let Introduction { name, version } = Introduction::parse(first_line, warnings);
        ProgramIdentity::new(name, version)
    }

    fn choose(
        &mut self,
        dialogue: &mut Dialogue,
        view: &View<'_>,
        time: &DecisionTime<'_>,
        _: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        let log = view.events().collect::<Result<Vec<_>, _>>().map_err(ProgramFault::View)?;
        let ended = view.ended_round().collect::<Result<Vec<_>, _>>().map_err(ProgramFault::View)?;
        let asked = up_to_request(&log);
        if asked.is_empty() {
            return Err(ProgramFault::Unavailable("the round was not seen from its start".to_owned()));
        }
        // The engine answers whenever it can act, so an answer could not be assigned to one of two lines.
        if self.replies == Replies::WhenAsked && dialogue.owes() {
            dialogue.hear_last(time)?;
        }
        if time.is_over() {
            return Err(ProgramFault::late());
        }
        let (wish, then) = match self.tell(dialogue, view, &ended, asked) {
            Some(wish) => (wish, None),
            None => hear_answer(dialogue, time)?,
        };
        if wish.kind != ActionKind::Reach {
            let place = wish.place_in(view.legal()).map_err(ProgramFault::Useless)?;
            self.then = then;
            return Ok(place);
        }
        let discard = match then {
            _ if wish.pai.is_some() => wish,
            Some(discard) => discard,
            None => self.riichi_discard(dialogue, view.seat(), view.legal(), time)?,
        };
        discard.place_of_riichi(view.legal()).map_err(ProgramFault::Useless)
    }
}

impl EngineProtocol {
    /// Sends the new events of the round, and asks for a decision, unless the engine has announced it already.
    fn tell(&mut self, dialogue: &mut Dialogue, view: &View<'_>, ended: &[RoundEnd], asked: &[Event]) -> Option<Wish> {
        let (seat, game) = (view.seat(), view.game());
        let then = self.then.take();
        let mut messages = Vec::new();
        let known = match &self.told {
            Some(told) if (told.game, told.seat) == (game, seat) => {
                if asked.len() > told.events.len() && asked.starts_with(&told.events) {
                    told.events.len()
                } else {
                    if self.replies.hear_ends() && are_between(ended, &told.events, asked) {
                        messages.extend(ended.iter().map(round_end));
                    }
                    messages.push(event(&Event::EndKyoku));
                    if told.events.first() == asked.first() {
                        // A message did not come true, so the engine has to forget more than a round.
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
        self.put(dialogue, &messages, planned.is_none());
        self.told = Some(EngineState { game, seat, events: asked.to_vec() });
        planned
    }

    /// The discard of the riichi that it wants: the engine is sent its declaration. If the riichi fails, the log will
    /// not continue like that, and the engine is sent the round from its start.
    fn riichi_discard(
        &mut self,
        dialogue: &mut Dialogue,
        seat: Seat,
        legal: &[Action],
        time: &DecisionTime<'_>,
    ) -> Result<Wish, ProgramFault> {
        if !legal.iter().any(|action| matches!(action, Action::Reach { .. })) {
            return Err(ProgramFault::Useless(format!("it wants to declare riichi; legal is {legal:?}")));
        }
        let reach = Event::Reach { actor: seat };
        self.put(dialogue, &[event(&reach)], true);
        if let Some(told) = &mut self.told {
            told.events.push(reach);
        }
        hear_answer(dialogue, time).map(|(discard, _)| discard)
    }

    fn put(&self, dialogue: &mut Dialogue, messages: &[Spelled], asks: bool) {
        let said = self.replies.put(messages, asks);
        dialogue.put(&said.lines, said.answers);
    }
}

/// Parses its answer to the last line.
fn hear_answer(dialogue: &mut Dialogue, time: &DecisionTime<'_>) -> Result<(Wish, Option<Wish>), ProgramFault> {
    let line = dialogue.hear_last(time)?;
    let EngineAnswer { wish, then } = EngineAnswer::parse(&line).map_err(ProgramFault::Useless)?;
    Ok((wish, then))
}

/// The log up to the event to react to: an engine receives the later ones the next time.
fn up_to_request(log: &[Event]) -> &[Event] {
    let asks = log.iter().rposition(asks_something);
    &log[..asks.map_or(0, |place| place + 1)]
}

/// Whether this is the end of the round that was sent, and not of another one without a question: its points lead from
/// the one's start to the other's.
fn are_between(ended: &[RoundEnd], told: &[Event], asked: &[Event]) -> bool {
    let points = |events: &[Event]| match events.first() {
        Some(Event::StartKyoku(StartKyoku { scores, .. })) => *scores,
        _ => None,
    };
    let deltas = ended.iter().map(|end| match end {
        RoundEnd::Won(won) => won.deltas,
        RoundEnd::Drawn(drawn) => drawn.deltas,
    });
    let Some((before, after)) = points(told).zip(points(asked)) else { return false };
    let Some(deltas) = deltas.collect::<Option<Vec<PerSeat<i32>>>>() else { return false };
    // A stick that was paid for a riichi is in no win and in no draw.
    before.iter().all(|(seat, &before)| {
        let paid = before + deltas.iter().map(|deltas| deltas[seat]).sum::<i32>() - after[seat];
        paid == 0 || paid == 1_000
    })
}

/// Whether a seat may have to react to an event.
const fn asks_something(event: &Event) -> bool {
    !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. })
}

/// Whether the new events are only an own call, after which a discard is due.
fn is_own_call(news: &[Event], own: Seat) -> bool {
    let mut news = news.iter().filter(|event| asks_something(event));
    let call = matches!(news.next(), Some(Event::Chi { actor, .. } | Event::Pon { actor, .. }) if *actor == own);
    call && news.next().is_none()
}
