//! Steps 7, 8 and 10. The game has no view of its own (step 6) and no row of `GameKind` (step 9):
//! both would need a code in the boundary.

use lab::course::RecordedCourse;
use lab::game::LabGame;
use lab::judgement::JudgedGame;
use lab::replayed::{RecordDecision, ReplayedGame, course_of, judged_by};
use policy_abi::card::{
    CARD_ACTION_PASS, CARD_ACTION_PLAY, CARD_EVENT_DEAL, CARD_EVENT_PLAY, CardLegal, CardLogEvent,
    CardView, MAX_CARD_EVENTS,
};
use policy_host::{Asked, EventLog, Measure, ShownTable, ViewBuffer};
use protocol::game_record::{GameOutcome, RecordedGame};
use riichi::{Finding, SeatTable};

use crate::lines::StonesForm;
use crate::rules::{StonesAction, StonesEvent, StonesGame, StonesTable};

/// A stone as a card of the borrowed view.
const fn card(stone: u8) -> u64 {
    1 << stone
}

/// The view is borrowed from Dou Dizhu: the boundary has no other for a game without tiles.
impl ShownTable for StonesTable {
    type View = CardView;
    type Log = EventLog<CardLogEvent>;

    fn empty_log() -> Self::Log {
        EventLog::new(MAX_CARD_EVENTS)
    }

    fn log(&self, log: &mut Self::Log, event: &StonesEvent) {
        let (kind, seat, stone) = match *event {
            StonesEvent::Dealt { seat, stone } => (CARD_EVENT_DEAL, seat, Some(stone)),
            StonesEvent::Kept { seat } => (CARD_EVENT_PLAY, seat, None),
            StonesEvent::Swapped { seat, stone } => (CARD_EVENT_PLAY, seat, stone),
        };
        log.push(CardLogEvent {
            kind,
            seat: seat as u8,
            bid: 0,
            reserved: [0; 5],
            cards: stone.map_or(0, card),
        });
    }

    fn fill(&self, log: &Self::Log, view: &mut ViewBuffer, legal: &[StonesAction], asked: &Asked) {
        let coded = |action: &StonesAction| CardLegal {
            kind: match action {
                StonesAction::Keep => CARD_ACTION_PASS,
                StonesAction::Swap => CARD_ACTION_PLAY,
            },
            bid: 0,
            combination: 0,
            wings: 0,
            low: 0,
            length: 0,
            reserved: [0; 2],
            cards: 0,
        };
        let view = view.begin::<CardView>(legal.iter().map(coded), Some(log), asked);
        view.seat = self.seat as u8;
        view.hand = self.stone.map_or(0, card);
    }

    fn scripts(_: u8) -> Vec<(Self, Vec<StonesEvent>)> {
        let deal = StonesEvent::Dealt { seat: 0, stone: 2 };
        vec![(Self::new(0), vec![deal])]
    }
}

impl LabGame for StonesGame {
    const MEASURE: Measure = Measure::Points { cap: 2 };
    type Form = StonesForm;
    const TRIAL_OPPONENTS: &'static str = "one bot that plays a random legal action";

    fn outcome(&self) -> Option<GameOutcome> {
        None
    }
}

impl ReplayedGame for StonesGame {
    const PIECES: &'static str = "stones";

    fn course(record: RecordedGame<StonesForm>) -> Option<RecordedCourse<Self>> {
        course_of(record)
    }

    fn moment(table: &StonesTable) -> String {
        format!("stone {}", table.stone.unwrap_or_default())
    }

    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame {
        judged_by(course, seat, |deals, events| {
            for (seat, deal) in deals.iter().enumerate() {
                let Some(deal) = deal else { continue };
                let mut table = StonesTable::new(seat);
                let wrong = |why| Finding::because("type", "deal", format!("{why}"));
                table.apply(deal).map_err(|why| (None, wrong(why)))?;
                for (place, event) in events.iter().enumerate() {
                    table.apply(event).map_err(|why| {
                        let wrong = Finding::because("type", format!("{event:?}"), why.to_string());
                        (Some(place), wrong)
                    })?;
                }
            }
            Ok(())
        })
    }

    fn done(decision: &RecordDecision<'_, Self>) -> Option<StonesAction> {
        match decision.next.first()?.1 {
            StonesEvent::Dealt { .. } => None,
            StonesEvent::Kept { .. } => Some(StonesAction::Keep),
            StonesEvent::Swapped { .. } => Some(StonesAction::Swap),
        }
    }

    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        match decision.seat {
            0 => "first",
            _ => "second",
        }
    }
}
