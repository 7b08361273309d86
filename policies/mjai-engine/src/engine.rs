//! The protocol of an engine: the messages sent to it, and the meaning of its answers.

use policy_process::{
    DecisionTime, Dialogue, ProgramFault, ProgramProtocol, ProgramTable, ProgramTrial, as_json,
};
use policy_sdk::{Answer, ProgramIdentity, RiichiMahjong, RoundEnd, View};
use protocol::{ActionKind, Introduction};
use riichi::event::StartKyoku;
use riichi::rules::Length;
use riichi::{Action, Event, LegalActions, PerSeat, Rules, Seat};

use crate::answer::{EngineAnswer, Wish};
use crate::questions::SeatQuestions;
use crate::replies::Replies;
use crate::spelling::{Spelled, Spelling};
use crate::trial::trial_round;

/// The game and round that an engine knows.
#[derive(Debug)]
struct EngineState {
    game: u64,
    seat: Seat,
    /// The events of the round, in order. The engine's own riichi may be ahead of the events.
    events: Vec<Event>,
}

/// The form of the lines to an engine, and of its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EngineForm {
    pub(crate) replies: Replies,
    pub(crate) spelling: Spelling,
}

/// The protocol of an engine, for one seat at a time.
#[derive(Debug)]
pub(crate) struct EngineProtocol {
    form: EngineForm,
    /// `None` before the first game.
    told: Option<EngineState>,
    /// The action that it announced to follow its last choice.
    then: Option<Wish>,
    /// Whether it answers whenever it could act, even if the line says that it cannot.
    answers_history: bool,
    /// If so: what the seat could do after each line so far.
    questions: SeatQuestions,
    /// The legal actions at the questions of the trial round; the last one is asked.
    trial: Vec<LegalActions>,
    /// Whether it has answered in the trial round.
    has_answered: bool,
}

impl ProgramProtocol for EngineProtocol {
    type Game = RiichiMahjong;

    const NOUN: &'static str = "engine";

    const TRIAL_HINT: &'static str = "; `replies` sets which lines it gets, and which it answers";

    const LENGTH: Option<Length> = Some(Length::Half);

    type Config = EngineForm;

    fn form(form: &EngineForm) -> String {
        let Spelling { four_slots, north } = form.spelling;
        format!(
            "three players in {} slots with {}",
            if four_slots { "four" } else { "three" },
            north.name()
        )
    }

    /// An object or a list: libraries like to greet on the standard output.
    fn is_answer(line: &str) -> bool {
        line.starts_with(['{', '['])
    }

    fn begin(&form: &EngineForm, table: &ProgramTable, dialogue: &mut Dialogue) -> Self {
        let &ProgramTable {
            seat,
            players,
            length,
        } = table;
        let rules = Rules::TENHOU_HALF
            .with_players(players)
            .with_length(length.unwrap_or(Length::Half));
        let mut messages = vec![form.spelling.start_game(seat, &rules)];
        let (mut of_trial, mut trial) = (SeatQuestions::new(rules, seat), Vec::new());
        for event in trial_round(seat, &rules) {
            messages.push(form.spelling.event(&event));
            trial.push(of_trial.after(&event));
        }
        trial.retain(|legal| !legal.is_empty());
        let questions = SeatQuestions::new(rules, seat);
        let mut protocol = Self {
            form,
            told: None,
            then: None,
            questions,
            answers_history: false,
            trial,
            has_answered: false,
        };
        protocol.put(dialogue, &messages, &rules, true);
        protocol
    }

    fn check_trial(&mut self, line: &str, owed: u32) -> Result<ProgramTrial, ProgramFault> {
        let is_first = !std::mem::replace(&mut self.has_answered, true);
        let useless = |why: String| {
            ProgramFault::Useless(format!(
                "asked for the first discard of a trial round, {why}"
            ))
        };
        let [before @ .., last] = self.trial.as_slice() else {
            return Ok(ProgramTrial::Right);
        };
        let answer = EngineAnswer::parse(line);
        if owed > 0 {
            // The first answer belongs to the start of the game.
            return match answer {
                Ok(EngineAnswer { wish, .. }) if is_first && wish.kind != ActionKind::None => Err(
                    useless(format!("it answered the start of the game with {wish}")),
                ),
                _ => Ok(ProgramTrial::Right),
            };
        }
        let answer = answer.map_err(useless)?;
        let Err(why) = answer.wish.place_in(last) else {
            return Ok(ProgramTrial::Right);
        };
        let answers_call = before
            .first()
            .is_some_and(|legal| answer.wish.place_in(legal).is_ok());
        if self.form.replies == Replies::WhenAsked && is_first && answers_call {
            self.answers_history = true;
            return Ok(ProgramTrial::Early {
                more: before.len() as u32,
                otherwise: useless(why),
            });
        }
        Err(useless(why))
    }

    fn identity(first_line: &str, warnings: &mut Vec<String>) -> ProgramIdentity {
        let Introduction { name, version } = Introduction::parse(&as_json(first_line), warnings);
        ProgramIdentity::new(name, version)
    }

    fn choose(
        &mut self,
        dialogue: &mut Dialogue,
        view: &View<'_>,
        time: &DecisionTime<'_>,
        _: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        let log = view
            .events()
            .collect::<Result<Vec<_>, _>>()
            .map_err(ProgramFault::View)?;
        let ended = view
            .ended_round()
            .collect::<Result<Vec<_>, _>>()
            .map_err(ProgramFault::View)?;
        let asked = up_to_request(&log);
        if asked.is_empty() {
            return Err(ProgramFault::Unavailable(
                "the round was not seen from its start".to_owned(),
            ));
        }
        // The engine answers when it can act, so an answer could not be assigned to one of two
        // lines.
        if self.form.replies == Replies::WhenAsked && dialogue.owes() {
            dialogue.hear_last(time)?;
        }
        if time.is_over() {
            return Err(ProgramFault::late());
        }
        let (wish, then) = match self.tell(dialogue, view, &ended, asked) {
            Some(wish) => (wish, None),
            None => self.hear_answer(dialogue, view.legal(), time)?,
        };
        if wish.kind != ActionKind::Reach {
            let place = wish.place_in(view.legal()).map_err(ProgramFault::Useless)?;
            self.then = then;
            return Ok(place);
        }
        let discard = match then {
            _ if wish.pai.is_some() => wish,
            Some(discard) => discard,
            None => self.riichi_discard(dialogue, view, time)?,
        };
        discard
            .place_of_riichi(view.legal())
            .map_err(ProgramFault::Useless)
    }
}

impl EngineProtocol {
    /// Sends the new events of the round, and asks for a decision, unless the engine has announced
    /// it already.
    fn tell(
        &mut self,
        dialogue: &mut Dialogue,
        view: &View<'_>,
        ended: &[RoundEnd],
        asked: &[Event],
    ) -> Option<Wish> {
        let (seat, game, spelling) = (view.seat(), view.game(), self.form.spelling);
        let then = self.then.take();
        let mut messages = Vec::new();
        let known = match &self.told {
            Some(told) if (told.game, told.seat) == (game, seat) => {
                if asked.len() > told.events.len() && asked.starts_with(&told.events) {
                    told.events.len()
                } else {
                    if self.form.replies.hear_ends() && are_between(ended, &told.events, asked) {
                        messages.extend(ended.iter().map(|end| spelling.round_end(end)));
                    }
                    messages.push(spelling.event(&Event::EndKyoku));
                    if told.events.first() == asked.first() {
                        // A message did not come true, so the engine has to forget more than a
                        // round.
                        messages.push(spelling.start_game(seat, view.rules()));
                    }
                    0
                }
            }
            // Of an earlier game, or of the trial round.
            _ => {
                messages.push(spelling.event(&Event::EndKyoku));
                messages.push(spelling.start_game(seat, view.rules()));
                0
            }
        };
        let news = &asked[known..];
        messages.extend(news.iter().map(|event| spelling.event(event)));
        let planned = then.filter(|_| is_own_call(news, seat));
        self.put(dialogue, &messages, view.rules(), planned.is_none());
        self.told = Some(EngineState {
            game,
            seat,
            events: asked.to_vec(),
        });
        planned
    }

    /// The discard of the riichi that it wants: the engine is sent its declaration. If the riichi
    /// fails, the log will not continue like that, and the engine is sent the round from its start.
    fn riichi_discard(
        &mut self,
        dialogue: &mut Dialogue,
        view: &View<'_>,
        time: &DecisionTime<'_>,
    ) -> Result<Wish, ProgramFault> {
        let (seat, legal) = (view.seat(), view.legal());
        if !legal
            .iter()
            .any(|action| matches!(action, Action::Reach { .. }))
        {
            return Err(ProgramFault::Useless(format!(
                "it wants to declare riichi; legal is {legal:?}"
            )));
        }
        let reach = Event::Reach { actor: seat };
        self.put(
            dialogue,
            &[self.form.spelling.event(&reach)],
            view.rules(),
            true,
        );
        if let Some(told) = &mut self.told {
            told.events.push(reach);
        }
        let line = dialogue.hear_last(time)?;
        EngineAnswer::parse(&line)
            .map(|answer| answer.wish)
            .map_err(ProgramFault::Useless)
    }

    /// Parses its answer to the last line, and to the line after it if it announces that.
    ///
    /// An engine that answers earlier lines may see more to answer in them than the rules do: its
    /// answers that are not legal now are passed over as long as there is time.
    fn hear_answer(
        &self,
        dialogue: &mut Dialogue,
        legal: &[Action],
        time: &DecisionTime<'_>,
    ) -> Result<(Wish, Option<Wish>), ProgramFault> {
        let mut line = dialogue.hear_last(time)?;
        loop {
            let EngineAnswer { wish, then } =
                EngineAnswer::parse(&line).map_err(ProgramFault::Useless)?;
            match wish.place_or_riichi_in(legal) {
                Err(why) if self.answers_history => {
                    line = dialogue.hear(time).map_err(|fault| match fault {
                        ProgramFault::Late(_) => ProgramFault::Useless(why),
                        other => other,
                    })?;
                }
                _ => return Ok((wish, then)),
            }
        }
    }

    /// Sends messages; with `asks`, the last of them calls for a decision.
    fn put(&mut self, dialogue: &mut Dialogue, messages: &[Spelled], rules: &Rules, asks: bool) {
        let said = self.form.replies.put(messages, asks);
        let unasked = if self.answers_history {
            self.unasked(messages, rules, asks)
        } else {
            0
        };
        dialogue.put(&said.lines, said.answers + unasked);
    }

    /// Number of messages besides the one that asks after which the seat could act.
    fn unasked(&mut self, messages: &[Spelled], rules: &Rules, asks: bool) -> u32 {
        let mut unasked = 0;
        for (place, message) in messages.iter().enumerate() {
            if let Event::StartGame { seat: Some(seat) } = message.event {
                self.questions = SeatQuestions::new(*rules, seat);
            }
            let could_act = !self.questions.after(&message.event).is_empty();
            unasked += u32::from(could_act && !(asks && place + 1 == messages.len()));
        }
        unasked
    }
}

/// The log up to the event to react to: an engine receives the later ones the next time.
fn up_to_request(log: &[Event]) -> &[Event] {
    let asks = log.iter().rposition(asks_something);
    &log[..asks.map_or(0, |place| place + 1)]
}

/// Whether this is the end of the round that was sent, and not of another one without a question:
/// its points lead from the one's start to the other's.
fn are_between(ended: &[RoundEnd], told: &[Event], asked: &[Event]) -> bool {
    let points = |events: &[Event]| match events.first() {
        Some(Event::StartKyoku(StartKyoku { scores, .. })) => *scores,
        _ => None,
    };
    let deltas = ended.iter().map(|end| match end {
        RoundEnd::Won(won) => won.deltas,
        RoundEnd::Drawn(drawn) => drawn.deltas,
    });
    let Some((before, after)) = points(told).zip(points(asked)) else {
        return false;
    };
    let Some(deltas) = deltas.collect::<Option<Vec<PerSeat<i32>>>>() else {
        return false;
    };
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
