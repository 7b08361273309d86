//! What was done in a record beside what a policy would have done.

use std::fmt;

use riichi::{Action, Event, LegalActions, Rules, Seat, Table, Tile, Wind};

use crate::advisor::{Advisor, NoAdvice};
use crate::decisions::{RecordDecision, each_decision};
use crate::replay::FoundContradiction;
use policy_host::{Decided, Fault};

/// A decision of the watched seat.
#[derive(Debug)]
pub struct ComparedDecision {
    /// Line of the record after which it was asked, from 1.
    pub line: u64,
    /// The round: its wind, number and repeat counters.
    pub round: (Wind, u8, u8),
    /// How many tiles the seat had thrown before.
    pub thrown: usize,
    /// Its closed tiles without the one it drew.
    pub hand: Vec<Tile>,
    /// The tile it drew, on its own turn.
    pub drawn: Option<Tile>,
    /// What it could do.
    pub legal: LegalActions,
    /// What it did.
    pub done: Done,
    /// What the policy would have done, or why it did not decide.
    pub advised: Result<Decided, Fault>,
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
    /// What was done at a decision of a record.
    #[must_use]
    pub fn at(decision: &RecordDecision<'_>) -> Self {
        done(decision.table, &decision.legal, decision.next)
    }

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

/// How many decisions of one sort were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Decisions of which it is known what was done.
    pub made: u64,
    /// Those in which the policy would have done the same.
    pub agreed: u64,
}

/// The sorts of decision, by what was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each name says it")]
pub enum Sort {
    Discard,
    Riichi,
    Call,
    Kan,
    Pass,
    Win,
    NineTerminals,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Discard, Self::Riichi, Self::Call, Self::Kan, Self::Pass, Self::Win, Self::NineTerminals];

    const fn of(action: &Action) -> Self {
        match action {
            Action::Dahai { .. } => Self::Discard,
            Action::Reach { .. } => Self::Riichi,
            Action::Chi { .. } | Action::Pon { .. } => Self::Call,
            Action::Daiminkan { .. } | Action::Ankan { .. } | Action::Kakan { .. } | Action::Kita => Self::Kan,
            Action::Hora { .. } => Self::Win,
            Action::Ryukyoku => Self::NineTerminals,
            Action::None => Self::Pass,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discard => "discard",
            Self::Riichi => "riichi",
            Self::Call => "call",
            Self::Kan => "kan",
            Self::Pass => "pass",
            Self::Win => "win",
            Self::NineTerminals => "nine terminals",
        })
    }
}

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Compared {
    /// Agreement for each of [`Sort::ALL`].
    pub sorts: [Agreement; Sort::ALL.len()],
    /// Decisions of which it is not known what was done.
    pub unknown: u64,
    /// Rounds begun.
    pub rounds: u64,
    /// The first event that cannot have happened, where the comparison ended.
    pub contradiction: Option<FoundContradiction>,
}

impl Compared {
    /// All sorts together.
    #[must_use]
    pub fn total(&self) -> Agreement {
        self.sorts.iter().fold(Agreement::default(), |sum, sort| Agreement {
            made: sum.made + sort.made,
            agreed: sum.agreed + sort.agreed,
        })
    }
}

impl ComparedDecision {
    /// What the policy would have done.
    #[must_use]
    pub fn advice(&self) -> Option<&Action> {
        self.advised.as_ref().ok().and_then(|decided| self.legal.get(decided.index))
    }

    /// Whether the policy would have done the same; of equal tiles it does not matter which. `None` when it is not known
    /// what was done.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        self.done.agrees(self.advice())
    }
}

/// Goes through a record from one seat and asks the policy at each decision with a choice; `told` hears of each.
///
/// # Errors
///
/// When the policy does not start again after a fault.
pub fn compare(
    events: &[(u64, Event)],
    rules: Rules,
    seat: Seat,
    advisor: &mut Advisor<'_>,
    mut told: impl FnMut(&ComparedDecision),
) -> Result<Compared, NoAdvice> {
    let mut compared = Compared::default();
    let walked = each_decision(events, rules, seat, |RecordDecision { line, table, log, legal, next, .. }| {
        let done = done(table, &legal, next);
        let advised = match advisor.ask(table, log, &legal) {
            Ok(decided) => Ok(decided),
            Err(NoAdvice::Fault(fault)) => Err(fault),
            Err(error) => return Err(error),
        };
        let mut hand = *table.hand();
        let drawn = table.drawn().filter(|&drawn| hand.remove(drawn).is_ok());
        let decision = ComparedDecision {
            line,
            round: (table.bakaze(), table.kyoku(), table.honba()),
            thrown: table.player(seat).river.len(),
            hand: hand.tiles().collect(),
            drawn,
            legal,
            done,
            advised,
        };
        match decision.done {
            Done::Action(action) => {
                let sort = &mut compared.sorts[Sort::of(&action) as usize];
                sort.made += 1;
                sort.agreed += u64::from(decision.agrees() == Some(true));
            }
            Done::Unknown => compared.unknown += 1,
        }
        told(&decision);
        Ok(())
    })?;
    (compared.rounds, compared.contradiction) = (walked.rounds, walked.contradiction);
    Ok(compared)
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
