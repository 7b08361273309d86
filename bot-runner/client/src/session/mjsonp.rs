//! The protocol of the original mjai server (`mjsonp`), from the bot's side.
//!
//! The server expects exactly one line in answer to each of its lines, and a single wrong reply
//! aborts the game for all four. An event that leaves us something to do is the request; the answer
//! to every other line is `none`.

use foreign_text::ForeignText;
use protocol::lines::{EventLine, Line, NONE, action_json, join_json, parse_line};
use protocol::{ActionKind, EventError, PossibleAction};
use riichi::{Action, Event, KindSet, Rules, Seat, Table};

use super::choice::choices;
use super::game::{GameState, RequestChoice};
use super::lines::{blind_answer, owes_discard, without_events};
use super::{Dialect, SessionEnd, SessionStep, SessionSteps};

/// One connection: a game, from joining a room to its end.
#[derive(Debug)]
pub struct MjsonpSession {
    name: String,
    room: String,
    /// Number of requests so far; it numbers them.
    requests: u64,
    /// The server's list for the last request, until it is compared with ours.
    unreviewed: Option<(u64, Vec<PossibleAction>)>,
    /// Whether the last reply was an action that has not been confirmed yet.
    acted: bool,
    pub game: GameState,
}

impl MjsonpSession {
    /// A new connection, which will join a room under a name.
    pub fn new(name: &str, room: &str, rules: Rules) -> Self {
        Self {
            name: name.to_owned(),
            room: room.to_owned(),
            requests: 0,
            unreviewed: None,
            acted: false,
            game: GameState::new(rules),
        }
    }

    fn on_event(&mut self, line: EventLine) -> SessionSteps {
        for warning in &line.warnings {
            self.game
                .log
                .warn(|| format!("a line is malformed: {warning}"));
        }
        let event = self.game.at_our_table(line.event);
        if let Event::StartGame { .. } = event {
            self.game.names.clone_from(&line.names);
        }
        if let Some(wrong) = self.game.wrong_table(&event) {
            return SessionSteps::from_iter([SessionStep::Ended(SessionEnd::WrongTable(wrong))]);
        }
        let again = self.game.reject_repeat(&event);
        if !again {
            self.game.take_in(&event);
        }
        if let Event::EndGame { .. } = event {
            let steps = [
                SessionStep::Reply(NONE.to_owned()),
                SessionStep::Happened(event),
                SessionStep::Ended(SessionEnd::Game),
            ];
            return if again {
                without_events(steps.into())
            } else {
                steps.into()
            };
        }
        let steps = match self.game.seat().filter(|&seat| event.may_ask(seat)) {
            Some(seat) => self.on_request(EventLine { event, ..line }, seat),
            None => SessionSteps::from_iter([
                SessionStep::Reply(NONE.to_owned()),
                SessionStep::Happened(event),
            ]),
        };
        if again { without_events(steps) } else { steps }
    }

    fn on_request(&mut self, line: EventLine, seat: Seat) -> SessionSteps {
        let event = line.event;
        self.requests += 1;
        let forbidden: KindSet = line
            .cannot_dahai
            .iter()
            .flatten()
            .map(|tile| tile.kind())
            .collect();
        let legal = self.game.reliable_table().map(|table| {
            let list = whole_list(table, &line, forbidden, owes_discard(&event, seat));
            let legal = list
                .as_ref()
                .map_or_else(|| table.legal_actions(), |list| choices(table, list));
            (legal, list)
        });
        let choice = legal.and_then(|(legal, list)| {
            self.unreviewed = list.map(|list| (self.requests, list));
            self.game.ask(self.requests, legal, None)
        });
        let choice = choice.or_else(|| {
            // If the table is not reliable, a win that the server lists is still certain.
            let win = if self.game.reliable_table().is_none() {
                listed_win(&line, seat)
            } else {
                None
            };
            let blind = win.or_else(|| blind_answer(&event, seat, &self.game, forbidden));
            self.game.blind_answers +=
                u32::from(blind.is_some() || leaves_more_than_passing(&line));
            blind.map(RequestChoice::Only)
        });
        match choice {
            Some(RequestChoice::Open) => {
                SessionSteps::from_iter([SessionStep::Happened(event), SessionStep::Ask])
            }
            Some(RequestChoice::Only(action)) => SessionSteps::from_iter([
                SessionStep::Reply(self.reply(&action, seat)),
                SessionStep::Happened(event),
            ]),
            None => SessionSteps::from_iter([
                SessionStep::Reply(NONE.to_owned()),
                SessionStep::Happened(event),
            ]),
        }
    }

    fn reply(&mut self, action: &Action, seat: Seat) -> String {
        self.game.acks.requests += 1;
        self.acted = true;
        action_json(action, seat)
    }

    /// The server does not acknowledge a reply that it accepts; after a rejected one it names the
    /// seat.
    fn on_error(&mut self, message: &str) -> SessionSteps {
        let ours = self
            .game
            .seat()
            .is_some_and(|seat| message.contains(&format!("player {seat}'s")));
        let end = if self.game.in_game() {
            self.game.acks.rejected += u32::from(ours);
            SessionEnd::Aborted {
                words: ForeignText::new(message, None),
                by_us: ours,
            }
        } else {
            SessionEnd::Refused(ForeignText::new(message, None))
        };
        SessionSteps::from_iter([SessionStep::Reply(NONE.to_owned()), SessionStep::Ended(end)])
    }

    fn on_unreadable(&mut self, error: &EventError) -> SessionSteps {
        self.game.unreadable += 1;
        let shown = ForeignText::new(&error.to_string(), None);
        match error {
            EventError::Field { .. } if self.game.in_game() => {
                self.game
                    .miss(|| format!("an event cannot be read: {shown}"));
            }
            _ => self
                .game
                .log
                .warn(|| format!("a line cannot be read: {shown}")),
        }
        SessionSteps::from_iter([SessionStep::Reply(NONE.to_owned())])
    }
}

/// Whether the server lists something to do besides passing.
fn leaves_more_than_passing(line: &EventLine) -> bool {
    line.possible_actions
        .iter()
        .flatten()
        .any(|entry| entry.kind != ActionKind::None)
}

fn listed_win(line: &EventLine, seat: Seat) -> Option<Action> {
    let listed = line
        .possible_actions
        .iter()
        .flatten()
        .any(|entry| entry.kind == ActionKind::Hora);
    let won = match line.event {
        Event::Tsumo { tile, .. } => tile.map(|tile| (seat, tile)),
        Event::Dahai { actor, tile, .. } | Event::Kakan { actor, tile, .. } => Some((actor, tile)),
        _ => None,
    };
    won.filter(|_| listed)
        .map(|(target, tile)| Action::Hora { target, tile })
}

/// The server's list, completed with the actions that it omits: passing, and all discards except
/// the `forbidden` ones. `None` if the server sent no list.
fn whole_list(
    table: &Table,
    line: &EventLine,
    forbidden: KindSet,
    own_turn: bool,
) -> Option<Vec<PossibleAction>> {
    let entry = |kind| PossibleAction {
        kind,
        pai: None,
        consumed: Default::default(),
        tsumogiri: None,
        target: None,
    };
    if line.possible_actions.is_none() && line.cannot_dahai.is_none() {
        return None;
    }
    let mut list = line.possible_actions.clone().unwrap_or_default();
    if own_turn {
        list.extend(
            table
                .legal_actions()
                .iter()
                .filter_map(|action| match *action {
                    Action::Dahai { tile, .. } if !forbidden.contains(tile.kind()) => {
                        Some(PossibleAction {
                            pai: Some(tile),
                            ..entry(ActionKind::Dahai)
                        })
                    }
                    _ => None,
                }),
        );
    } else if !list.is_empty() {
        list.push(entry(ActionKind::None));
    }
    Some(list)
}

impl Dialect for MjsonpSession {
    fn hear(&mut self, frame: &str) -> SessionSteps {
        if frame.trim().is_empty() {
            return SessionSteps::new();
        }
        self.review();
        let line = parse_line(frame);
        let acted = std::mem::take(&mut self.acted);
        if acted && !matches!(line, Ok(Line::Error { .. })) {
            self.game.acks.accepted += 1;
        }
        match line {
            Ok(Line::Hello) => {
                SessionSteps::from_iter([SessionStep::Reply(join_json(&self.name, &self.room))])
            }
            Ok(Line::Event(line)) => self.on_event(line),
            Ok(Line::Error { message }) => self.on_error(&message),
            Ok(Line::Unknown { kind }) => {
                self.game.log.debug(|| {
                    format!(
                        "a line of unknown type \"{}\"",
                        ForeignText::new(&kind, None)
                    )
                });
                SessionSteps::from_iter([SessionStep::Reply(NONE.to_owned())])
            }
            Err(error) => self.on_unreadable(&error),
        }
    }

    fn answer(&mut self, choice: Option<usize>) -> Option<String> {
        let action = self.game.answer(choice)?;
        Some(self.reply(&action, self.game.seat()?))
    }

    fn review(&mut self) {
        if let Some((request_id, list)) = self.unreviewed.take() {
            self.game.compare_list(request_id, &list);
        }
    }

    fn answers_in_turn(&self) -> bool {
        true
    }

    fn game(&self) -> &GameState {
        &self.game
    }
}
