//! The rules in the form of frames: questions with listed offers, and a riichi in two steps.

use arrayvec::ArrayVec;
use protocol::riichilab::observation::observation_base64;
use protocol::{ActionKind, PossibleAction, event_json};
use riichi::event::Points;
use riichi::score::Score;
use riichi::{Action, Event, PerSeat, Rules, Seat, Table, Tile};

use crate::error::ArenaGameError;
use crate::matching::ListedOffer;

/// A game with the table of each seat.
pub(crate) struct TableGame {
    game: riichi::game::RiichiGame,
    tables: PerSeat<Table>,
    /// A declared riichi whose discard is requested next.
    declared: Option<Seat>,
    /// All events so far, with nothing hidden.
    events: Vec<Event>,
    /// The values of the wins among the events, in their order.
    wins: Vec<Score>,
    /// Number of events that each seat's last observation included.
    observed: PerSeat<usize>,
}

/// A question to one seat.
pub(crate) struct EngineQuestion {
    pub(crate) seat: Seat,
    /// The legal actions. An offer is named by its place in the list.
    pub(crate) offers: Vec<ListedOffer>,
    /// The observation in base64.
    pub(crate) observation: String,
}

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineChoice {
    /// The offer at this place of the list.
    Offer(usize),
    /// An illegal action, which costs a chombo.
    Illegal,
}

impl TableGame {
    /// Deals the first round.
    pub(crate) fn new(rules: Rules, seed: u64) -> Result<Self, ArenaGameError> {
        let game = riichi::game::RiichiGame::new(rules, seed);
        let mut engine = Self {
            tables: PerSeat::from_fn(rules.players, |seat| Table::new(rules, seat)),
            declared: None,
            events: Vec::new(),
            wins: Vec::new(),
            observed: PerSeat::from_fn(rules.players, |_| 0),
            game,
        };
        engine.hear(0)?;
        Ok(engine)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// All events so far, with nothing hidden.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The values of the wins among the events, in their order.
    pub(crate) fn wins(&self) -> &[Score] {
        &self.wins
    }

    /// The scores in seat order.
    pub(crate) fn scores(&self) -> Points {
        *self.game.scores()
    }

    /// The open questions, in seat order. Empty after the end of the game.
    pub(crate) fn questions(&mut self) -> Vec<EngineQuestion> {
        self.game
            .asked()
            .into_iter()
            .map(|seat| self.question(seat))
            .collect()
    }

    fn question(&mut self, seat: Seat) -> EngineQuestion {
        let table = &self.tables[seat];
        let offers = offers(table);
        let since = std::mem::replace(&mut self.observed[seat], self.events.len());
        let news: Vec<String> = self.events[since..]
            .iter()
            .map(|event| event_json(&event.masked_for(seat)))
            .collect();
        let entries: Vec<PossibleAction> = offers.iter().map(|offer| offer.entry.clone()).collect();
        EngineQuestion {
            seat,
            observation: observation_base64(table, &entries, &news),
            offers,
        }
    }

    /// Plays the answers to all questions, up to the next question or the end of the game.
    pub(crate) fn answer(
        &mut self,
        answers: &[(EngineQuestion, EngineChoice)],
    ) -> Result<(), ArenaGameError> {
        // Of several offenders the first is punished.
        if let Some((offender, _)) = answers
            .iter()
            .find(|(_, choice)| *choice == EngineChoice::Illegal)
        {
            self.declared = None;
            self.game.end_by_penalty(offender.seat);
            return self.hear(0);
        }
        for (question, choice) in answers {
            let EngineChoice::Offer(place) = *choice else {
                continue;
            };
            let seat = question.seat;
            let action = question.offers[place].action;
            match (action, self.declared) {
                (None, _) => {
                    self.declared = Some(seat);
                    return self.tell(Event::Reach { actor: seat });
                }
                (Some(Action::Dahai { tile, tsumogiri }), Some(_)) => {
                    self.declared = None;
                    self.play(seat, Action::Reach { tile, tsumogiri })?;
                    // The declaration has already been sent.
                    return self.hear(1);
                }
                (Some(action), _) => self.play(seat, action)?,
            }
        }
        self.hear(0)
    }

    fn play(&mut self, seat: Seat, action: Action) -> Result<(), ArenaGameError> {
        Ok(self.game.answer(seat, action)?)
    }

    /// Announces the events of the game after the first `known` ones.
    fn hear(&mut self, known: usize) -> Result<(), ArenaGameError> {
        self.wins.extend_from_slice(self.game.wins());
        let news: ArrayVec<Event, 16> = self.game.events().iter().skip(known).copied().collect();
        news.into_iter().try_for_each(|event| self.tell(event))
    }

    fn tell(&mut self, event: Event) -> Result<(), ArenaGameError> {
        for (seat, table) in self.tables.iter_mut() {
            let contradicts = |contradiction| ArenaGameError::Table {
                seat,
                event: Box::new(event),
                contradiction,
            };
            table.apply(&event.masked_for(seat)).map_err(contradicts)?;
        }
        self.events.push(event);
        Ok(())
    }
}

/// A seat's legal actions in the public arena's form: one discard for each copy of the tile, and a
/// riichi without its tile.
fn offers(table: &Table) -> Vec<ListedOffer> {
    let mut offers = Vec::new();
    for action in table.legal_actions() {
        match action {
            Action::Dahai {
                tile,
                tsumogiri: false,
            } => {
                let copies = table.hand().count(tile) - u8::from(table.drawn() == Some(tile));
                offers.extend(std::iter::repeat_n(offer(action), usize::from(copies)));
            }
            Action::Reach { .. } => {
                if offers
                    .iter()
                    .all(|offer: &ListedOffer| offer.entry.kind != ActionKind::Reach)
                {
                    offers.push(ListedOffer {
                        action: None,
                        ..offer(action)
                    });
                }
            }
            _ => offers.push(offer(action)),
        }
    }
    offers
}

fn offer(action: Action) -> ListedOffer {
    let own = |tiles: &[Tile]| tiles.iter().copied().collect();
    // The public arena names no tile for a win and for a riichi.
    let (pai, consumed) = match action {
        Action::Dahai { tile, .. } => (Some(tile), own(&[])),
        Action::Chi { tile, consumed, .. } | Action::Pon { tile, consumed, .. } => {
            (Some(tile), own(&consumed))
        }
        Action::Daiminkan { tile, consumed, .. } | Action::Kakan { tile, consumed } => {
            (Some(tile), own(&consumed))
        }
        Action::Ankan { consumed } => (Some(consumed[0]), own(&consumed)),
        Action::Kita => (Some(riichi::Wind::North.kind().tile()), own(&[])),
        Action::Reach { .. } | Action::Hora { .. } | Action::Ryukyoku | Action::None => {
            (None, own(&[]))
        }
    };
    let entry = PossibleAction {
        kind: ActionKind::of(&action),
        pai,
        consumed,
        tsumogiri: None,
        target: None,
    };
    ListedOffer {
        entry,
        drawn: matches!(
            action,
            Action::Dahai {
                tsumogiri: true,
                ..
            }
        ),
        action: Some(action),
    }
}
