//! The news of a connection at which riichi is played.

use std::sync::Arc;

use policy_host::{GameKind, PolicyIdentity};
use protocol::event_json;
use protocol::game_record::{RecordStart, RiichiLineForm};
use riichi::{Action, Event, Table};

use super::match_publisher::{MatchPublisher, tell};
use crate::decision_note::DecisionNote;
use crate::records::Recorder;
use crate::seat_news::SeatNews;
use crate::session::GameState;
use crate::session::observed::snapshot_line;

/// The match of a connection has no other beside it.
const MATCH: (u64, GameKind) = (0, GameKind::Riichi);

/// Something that happened and is not told yet.
#[derive(Debug)]
enum Untold {
    Event(Event),
    /// The table was rebuilt from this observation.
    Rebuilt(String),
}

/// The news of a connection: stored as they come, and told as lines after the reply.
#[derive(Debug)]
pub(super) struct RiichiNews<'a> {
    recorder: &'a mut Recorder,
    publisher: MatchPublisher,
    untold: Vec<Untold>,
    /// Whether the seat is known, so that a record has begun.
    began: bool,
    /// Whether a page can follow the round: its deal was seen, or the table was rebuilt.
    followed: bool,
    /// Whether this connection has seen the deal of a round.
    dealt: bool,
}

impl<'a> RiichiNews<'a> {
    pub(super) const fn new(recorder: &'a mut Recorder, publisher: MatchPublisher) -> Self {
        Self {
            recorder,
            publisher,
            untold: Vec::new(),
            began: false,
            followed: false,
            dealt: false,
        }
    }

    /// Whether a record or a page listens.
    pub(super) const fn is_on(&self) -> bool {
        self.recorder.is_on() || self.publisher.is_on()
    }

    pub(super) const fn recorder(&mut self) -> &mut Recorder {
        self.recorder
    }

    /// Stores an event that the game has applied.
    pub(super) fn happened(&mut self, event: &Event) {
        if self.is_on() {
            self.untold.push(Untold::Event(*event));
        }
    }

    /// Stores that the table was rebuilt.
    pub(super) fn rebuilt(&mut self, observation: String) {
        if self.publisher.is_on() {
            self.untold.push(Untold::Rebuilt(observation));
        }
    }

    /// Tells what has happened.
    pub(super) fn tell_events(&mut self, game: &GameState, policy: &Arc<PolicyIdentity>) {
        for untold in std::mem::take(&mut self.untold) {
            match untold {
                Untold::Event(event) => self.tell_event(&event, game, policy),
                // The page of a round goes on from its deal if that was seen.
                Untold::Rebuilt(observation) if !self.dealt => {
                    self.followed = true;
                    let players = game.table().map_or(0, |table| table.rules().players);
                    let snapshot = snapshot_line(&observation, players).into();
                    self.tell(SeatNews::Snapshot([start_line(game), snapshot]));
                }
                Untold::Rebuilt(_) => {}
            }
        }
    }

    fn tell_event(&mut self, event: &Event, game: &GameState, policy: &Arc<PolicyIdentity>) {
        let begins = matches!(event, Event::StartGame { .. });
        let seat = game.table().map(Table::seat);
        if let Some(seat) = seat.filter(|_| !self.began) {
            self.began = true;
            let policy = Arc::clone(policy);
            self.tell(SeatNews::Began { seat, policy });
            if !begins {
                self.tell_start();
            }
        }
        if begins {
            return self.tell_start();
        }
        if matches!(event, Event::StartKyoku(_)) {
            (self.dealt, self.followed) = (true, true);
            self.tell(SeatNews::Round(start_line(game)));
        }
        let line: Arc<str> = event_json(event).into();
        // An arena may show the tiles of others.
        let masked = game.seat().map_or(*event, |seat| event.masked_for(seat));
        self.tell(if !self.followed {
            SeatNews::Recorded(line)
        } else if masked == *event {
            SeatNews::Line(line)
        } else {
            SeatNews::Masked {
                recorded: line,
                shown: event_json(&masked).into(),
            }
        });
    }

    fn tell_start(&mut self) {
        if let Some(line) = self.recorder.riichi_start() {
            self.tell(SeatNews::Recorded(line.into()));
        }
    }

    /// Tells a decision; returns it as it was told.
    pub(super) fn tell_decision(&mut self, note: DecisionNote<Action>) -> Arc<DecisionNote> {
        let note = Arc::new(note.written::<RiichiLineForm>());
        self.tell(SeatNews::Decided(Arc::clone(&note)));
        note
    }

    /// Publishes what was told; never waits.
    pub(super) fn show(&mut self) {
        self.publisher.show();
    }

    fn tell(&mut self, news: SeatNews) {
        tell(self.recorder, &mut self.publisher, MATCH, news);
    }
}

/// The first line of a round on a page. Without names the arena has sent none.
fn start_line(game: &GameState) -> Arc<str> {
    let start = RecordStart {
        game: GameKind::Riichi.name().to_owned(),
        id: game.seat().map(riichi::Seat::index),
        names: game.names.clone(),
    };
    start.line().into()
}

#[cfg(test)]
mod tests {
    use policy_host::Origin;
    use protocol::game_record::LineForm;
    use protocol::game_record::RecordedEntry;
    use protocol::riichilab::observation::observation_base64;
    use riichi::game::RiichiGame;
    use riichi::{Rules, Seat};

    use super::*;
    use crate::bot::shown_match::LiveRound;
    use crate::session::observed::snapshot_table;

    fn deal() -> Event {
        let game = RiichiGame::new(Rules::TENHOU_HALF, 7);
        let mut events = game.events().iter();
        *events
            .find(|event| matches!(event, Event::StartKyoku(_)))
            .expect("a deal")
    }

    fn drawn(actor: Seat, tile: Option<&str>) -> Event {
        Event::Tsumo {
            actor,
            tile: tile.map(|name| name.parse().expect("a tile")),
        }
    }

    /// A game of seat 0, and the lines on its page after these events.
    fn told(news: &mut RiichiNews<'_>, game: &GameState, events: &[Event]) {
        let policy = PolicyIdentity {
            id: "mine".to_owned(),
            version: "1".to_owned(),
            library: Origin::Builtin,
            hash: None,
        };
        events.iter().for_each(|event| news.happened(event));
        news.tell_events(game, &Arc::new(policy));
        news.show();
    }

    fn begun() -> GameState {
        let mut game = GameState::new(Rules::TENHOU_HALF);
        game.take_in(&Event::StartGame {
            seat: Some(Seat::FIRST),
        });
        game
    }

    fn events_on(place: &LiveRound) -> Vec<Event> {
        let shown = place.shown().expect("something is shown");
        let lines = shown.lines.iter().skip(1);
        let read = |line: &Arc<str>| match RiichiLineForm::read(line, &mut Default::default()) {
            Ok(Some(RecordedEntry::Happened(event, _))) => Some(event),
            _ => None,
        };
        lines.filter_map(read).collect()
    }

    #[test]
    fn other_seats_tiles_are_not_shown_even_if_the_arena_sends_them() {
        let (place, mut recorder) = (LiveRound::default(), Recorder::off());
        let publisher = MatchPublisher::new(Some(place.clone()));
        let mut news = RiichiNews::new(&mut recorder, publisher);
        let other = Seat::new(2).expect("a seat");
        told(&mut news, &begun(), &[deal(), drawn(other, Some("5mr"))]);
        let events = events_on(&place);
        let Event::StartKyoku(start) = events[0] else {
            panic!("{events:?}")
        };
        let open: Vec<Seat> = start
            .tehais
            .iter()
            .filter(|(_, hand)| hand.is_some())
            .map(|(seat, _)| seat)
            .collect();
        assert_eq!((open, events[1]), (vec![Seat::FIRST], drawn(other, None)));
    }

    #[test]
    fn a_round_that_was_joined_after_its_deal_is_shown_from_the_arenas_observation_on() {
        let (place, mut recorder) = (LiveRound::default(), Recorder::off());
        let publisher = MatchPublisher::new(Some(place.clone()));
        let mut news = RiichiNews::new(&mut recorder, publisher);
        let mut game = begun();
        let events = [
            deal().masked_for(Seat::FIRST),
            drawn(Seat::FIRST, Some("1m")),
        ];
        events.iter().for_each(|event| game.take_in(event));
        // The deal was not seen, and nothing can be shown.
        told(&mut news, &game, &events[1..]);
        assert!(place.shown().is_none());
        let table = game.table().expect("it is dealt");
        news.rebuilt(observation_base64(table, &[], &[]));
        let discard = Event::Dahai {
            actor: Seat::FIRST,
            tile: table.drawn().expect("it has drawn"),
            tsumogiri: true,
        };
        told(&mut news, &game, &[discard]);
        let shown = place.shown().expect("it is shown");
        let rebuilt = snapshot_table(&shown.lines[1]).expect("the table");
        assert_eq!(
            (rebuilt.hand(), rebuilt.drawn()),
            (table.hand(), table.drawn())
        );
        assert_eq!(events_on(&place), [discard]);
        told(&mut news, &game, &[deal()]);
        assert_eq!(events_on(&place).len(), 1, "the next round");
        // A round whose deal was seen goes on.
        news.rebuilt(observation_base64(table, &[], &[]));
        told(&mut news, &game, &[]);
        assert_eq!(events_on(&place).len(), 1);
    }
}
