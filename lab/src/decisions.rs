//! The moments of a record at which a seat had a choice.

use mahjong::table::Phase;
use mahjong::{Action, Event, LegalActions, Rules, Seat, Table, Tile};

use crate::replay::FoundContradiction;
use policy_host::{RoundLog, leaves_choice};

/// A moment at which a seat has a choice.
#[derive(Debug)]
pub struct DecisionPoint<'a> {
    /// Index of the event after which it is asked.
    pub place: usize,
    /// Line of the record with that event, from 1.
    pub line: u64,
    /// The game as the seat knows it.
    pub table: &'a Table,
    /// The round so far, as policies are told of it.
    pub log: &'a RoundLog,
    /// What it can do.
    pub legal: LegalActions,
    /// What it did.
    pub done: Done,
}

/// What a seat did, as far as a record shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// This.
    Action(Action),
    /// Nobody knows: another seat's claim came first, or the record ends.
    Unknown,
}

impl Done {
    /// Whether this action is what was done; of equal tiles it does not matter which. `None` when it is not known what was
    /// done.
    #[must_use]
    pub fn agrees(&self, action: Option<&Action>) -> Option<bool> {
        let Self::Action(done) = *self else { return None };
        Some(match (done, action.copied()) {
            (Action::Dahai { tile, .. }, Some(Action::Dahai { tile: other, .. }))
            | (Action::Reach { tile, .. }, Some(Action::Reach { tile: other, .. })) => tile == other,
            (done, other) => other == Some(done),
        })
    }
}

/// How far a record was gone through.
#[derive(Debug, Default)]
pub struct Walked {
    /// Rounds begun.
    pub rounds: u64,
    /// The first event that cannot have happened, where the walk ended.
    pub contradiction: Option<FoundContradiction>,
}

/// Goes through a record from one seat; `told` hears of each decision with a choice.
///
/// # Errors
///
/// Those of `told`.
pub fn walk<E>(
    events: &[(u64, Event)],
    rules: Rules,
    seat: Seat,
    mut told: impl FnMut(DecisionPoint<'_>) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut table = Table::new(rules, seat);
    let mut log = RoundLog::default();
    let mut walked = Walked::default();
    for (place, (line, event)) in events.iter().enumerate() {
        match event {
            Event::StartGame { .. } => table = Table::new(rules, seat),
            Event::StartKyoku(_) => walked.rounds += 1,
            _ => {}
        }
        let heard = event.masked_for(seat);
        if let Err(contradiction) = table.apply(&heard) {
            walked.contradiction = Some(FoundContradiction { line: *line, seat, event: *event, contradiction });
            break;
        }
        log.push(&heard, &table);
        let next = &events[place + 1..];
        // An indicator that is turned belongs to what came before: the question comes after it.
        if matches!(next.first(), Some((_, Event::Dora { .. }))) || matches!(table.phase(), Phase::Declared(_)) {
            continue;
        }
        let legal = table.legal_actions();
        if leaves_choice(&legal) {
            let done = done(&table, &legal, next);
            told(DecisionPoint { place, line: *line, table: &table, log: &log, legal, done })?;
        }
    }
    Ok(walked)
}

/// What the table's seat did when it had these choices, from the events that came next.
fn done(table: &Table, legal: &[Action], next: &[(u64, Event)]) -> Done {
    let seat = table.seat();
    let mut next = next
        .iter()
        .map(|(_, event)| *event)
        .filter(|event| !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. }));
    let Some(first) = next.next() else { return Done::Unknown };
    let own = first.actor() == Some(seat);
    let can = |wanted: fn(&Action) -> bool| legal.iter().any(wanted);
    Done::Action(match first {
        Event::Dahai { tile, tsumogiri, .. } if own => Action::Dahai { tile, tsumogiri },
        Event::Reach { .. } if own => match next.next() {
            Some(Event::Dahai { tile, tsumogiri, .. }) => Action::Reach { tile, tsumogiri },
            _ => return Done::Unknown,
        },
        Event::Chi { target, tile, consumed, .. } if own => Action::Chi { target, tile, consumed: in_order(consumed) },
        Event::Pon { target, tile, consumed, .. } if own => Action::Pon { target, tile, consumed: in_order(consumed) },
        Event::Daiminkan { target, tile, consumed, .. } if own => {
            Action::Daiminkan { target, tile, consumed: in_order(consumed) }
        }
        Event::Ankan { consumed, .. } if own => Action::Ankan { consumed: in_order(consumed) },
        Event::Kakan { tile, consumed, .. } if own => Action::Kakan { tile, consumed: in_order(consumed) },
        Event::Kita { .. } if own => Action::Kita,
        Event::Hora(_) => {
            let wins = std::iter::once(first).chain(next).map_while(|event| match event {
                Event::Hora(hora) => Some(hora.actor),
                _ => None,
            });
            let won = legal.iter().find(|action| matches!(action, Action::Hora { .. }));
            match won {
                Some(won) if wins.into_iter().any(|winner| winner == seat) => *won,
                _ => return Done::Unknown,
            }
        }
        Event::Ryukyoku { .. } if can(|action| *action == Action::Ryukyoku) => Action::Ryukyoku,
        // Three wins on one tile make a draw too.
        Event::Ryukyoku { .. } if table.tiles_left() > 0 && can(|action| matches!(action, Action::Hora { .. })) => {
            return Done::Unknown;
        }
        // A triplet goes before a run, wherever it comes from.
        Event::Pon { .. } | Event::Daiminkan { .. } if can(|action| matches!(action, Action::Chi { .. })) => {
            return Done::Unknown;
        }
        _ if can(|action| *action == Action::None) => Action::None,
        _ => return Done::Unknown,
    })
}

/// A call's own tiles as a legal action lists them: by kind, plain before red.
fn in_order<const N: usize>(mut tiles: [Tile; N]) -> [Tile; N] {
    tiles.sort_unstable();
    tiles
}
