//! A match of Chinese Standard mahjong.

use std::borrow::Cow;

use mcr::seat::McrStage;
use mcr::{McrAction, McrEvent, McrRules, McrSeatState};
use policy_host::{Asked, PolicyTable, ViewBuffer};
use protocol::botzone::mcr::{json_of_text, text_of_json};
use protocol::botzone::{
    McrHappening, McrRequest, mcr_response, parse_mcr_request, parse_mcr_response,
};
use riichi::{Kind, Seat, SeatTable, Wind};

use protocol::game_record::McrRecordForm;

use super::{BadMatchResponse, HeardRequest, LostMatch, MatchDesyncs, MatchDialect, wrong_game};
use crate::BotzoneGame;

/// Maximum number of characters of a request that are shown; valid requests are shorter.
const MAX_SHOWN: usize = 100;

/// Chinese Standard mahjong from the point of view of a seat.
///
/// If the past is unknown, because the match was joined in the middle or a request did not fit, it
/// passes and discards the drawn tile: these are always legal.
#[derive(Debug)]
pub struct McrDialect {
    table: Option<PolicyTable<McrSeatState>>,
    prevalent_wind: Wind,
    /// The events so far, for a restart with flowers in the walls.
    events: Vec<McrEvent>,
    /// The last request, verbatim.
    last: Option<String>,
    json: bool,
    /// The own answer to the last request: only it shows the kind of an own concealed kong.
    said: Option<McrAction>,
    out_of_step: bool,
    desyncs: MatchDesyncs,
}

impl Default for McrDialect {
    fn default() -> Self {
        Self {
            table: None,
            prevalent_wind: Wind::East,
            events: Vec::new(),
            last: None,
            json: false,
            said: None,
            out_of_step: false,
            desyncs: MatchDesyncs::default(),
        }
    }
}

impl McrDialect {
    /// The seat's view, once a request has named the seat.
    pub fn table(&self) -> Option<&McrSeatState> {
        self.table.as_deref()
    }

    fn begin(&mut self, seat: Seat, prevalent_wind: Wind) {
        self.prevalent_wind = prevalent_wind;
        self.table = Some(PolicyTable::new(McrSeatState::new(
            seat,
            McrRules::default(),
        )));
        self.events.clear();
    }

    fn take_in(&mut self, event: McrEvent) {
        let Some(table) = &mut self.table else {
            if !self.out_of_step {
                self.desyncs.report("the match was joined in its middle");
            }
            self.out_of_step = true;
            return;
        };
        let has_flowers = match &event {
            McrEvent::FlowerDrawn { .. } => true,
            McrEvent::Dealt { flowers, .. } => *flowers != [0; 4],
            _ => false,
        };
        let (seat, rules) = (table.seat(), table.rules());
        if has_flowers && !rules.flowers {
            *table = PolicyTable::new(McrSeatState::new(
                seat,
                McrRules {
                    flowers: true,
                    ..rules
                },
            ));
            self.out_of_step |= self.events.iter().any(|event| table.apply(event).is_err());
        }
        if self.out_of_step {
            return;
        }
        match table.apply(&event) {
            Ok(()) => self.events.push(event),
            Err(contradiction) => {
                self.out_of_step = true;
                let request = self.last.as_deref().unwrap_or_default().trim_matches('"');
                let request: String = request.chars().take(MAX_SHOWN).collect();
                self.desyncs.report(format_args!(
                    "the request {request:?} does not fit: {}",
                    contradiction.why
                ));
            }
        }
    }

    /// The event of an action, given the earlier events: a kong after a discard claims that
    /// discard.
    fn event(&self, seat: Seat, what: McrHappening) -> McrEvent {
        match what {
            McrHappening::FlowerDrawn(flower) => McrEvent::FlowerDrawn { seat, flower },
            McrHappening::Drawn => McrEvent::Drawn { seat, tile: None },
            McrHappening::Discarded(tile) => McrEvent::Discarded { seat, tile },
            McrHappening::PungClaimed { discard } => McrEvent::PungClaimed { seat, discard },
            McrHappening::ChowClaimed { middle, discard } => McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            },
            McrHappening::KongAdded(tile) => McrEvent::KongAdded { seat, tile },
            McrHappening::Kong => match self.table().map(McrSeatState::stage) {
                Some(McrStage::Discarded { .. }) => McrEvent::KongClaimed { seat },
                _ => McrEvent::ConcealedKong {
                    seat,
                    tile: self.own_kong(seat),
                },
            },
        }
    }

    fn own_kong(&self, seat: Seat) -> Option<Kind> {
        match self.said {
            Some(McrAction::ConcealedKong(kind)) if self.table()?.seat() == seat => Some(kind),
            _ => None,
        }
    }
}

impl MatchDialect for McrDialect {
    type Record = McrRecordForm;

    fn hear(
        &mut self,
        request: &str,
        _taken: bool,
    ) -> Result<Option<HeardRequest<McrAction>>, LostMatch> {
        // Consecutive requests are never equal.
        if self.last.as_deref() == Some(request) {
            return Ok(None);
        }
        if let Some(other) = wrong_game(request, BotzoneGame::MCR) {
            self.desyncs.report(&other);
            return Err(LostMatch(other));
        }
        self.last = Some(request.to_owned());
        self.json = request.starts_with('"');
        let text = if self.json {
            text_of_json(request)
        } else {
            Ok(request.to_owned())
        };
        let mut drawn = None;
        match text.and_then(|text| parse_mcr_request(&text)) {
            Ok(McrRequest::Seat {
                seat,
                prevalent_wind,
            }) => self.begin(seat, prevalent_wind),
            Ok(McrRequest::Deal { hand, flowers }) => {
                self.take_in(McrEvent::Dealt {
                    prevalent_wind: self.prevalent_wind,
                    hand,
                    flowers,
                });
            }
            Ok(McrRequest::OwnDraw(tile)) => {
                drawn = Some(tile);
                let seat = self.table().map_or(Seat::FIRST, McrSeatState::seat);
                self.take_in(McrEvent::Drawn {
                    seat,
                    tile: Some(tile),
                });
            }
            Ok(McrRequest::Happened { seat, what }) => self.take_in(self.event(seat, what)),
            Err(error) => {
                self.out_of_step = true;
                self.desyncs
                    .report(format_args!("a request cannot be read: {error}"));
            }
        }
        let known = self.table().filter(|_| !self.out_of_step);
        let mut legal = known.map(McrSeatState::legal).unwrap_or_default();
        if legal.is_empty() {
            legal.push(drawn.map_or(McrAction::Pass, McrAction::Discard));
        }
        Ok(Some(HeardRequest {
            legal,
            may_be_repeated: false,
        }))
    }

    fn respond(&mut self, action: McrAction) -> Option<String> {
        self.said = Some(action);
        let text = mcr_response(action);
        Some(if self.json { json_of_text(&text) } else { text })
    }

    fn recall(&mut self, response: &str) -> Result<(), BadMatchResponse> {
        let text = if self.json {
            text_of_json(response)
        } else {
            Ok(response.to_owned())
        };
        self.said = Some(text.and_then(|text| parse_mcr_response(&text))?);
        Ok(())
    }

    fn sent(&mut self) {}

    fn forget_request(&mut self) {
        self.last = None;
    }

    fn safe(&self, legal: &[McrAction]) -> Option<usize> {
        self.table.as_ref()?.safe(legal)
    }

    fn fill(&self, view: &mut ViewBuffer, legal: &[McrAction], asked: &Asked) {
        if let Some(table) = &self.table {
            table.fill(view, legal, asked);
        }
    }

    fn happened(&self, _: bool) -> Cow<'_, [McrEvent]> {
        Cow::Borrowed(&self.events)
    }

    fn seat(&self) -> Option<Seat> {
        self.table().map(McrSeatState::seat)
    }

    fn desyncs(&self) -> &MatchDesyncs {
        &self.desyncs
    }
}
