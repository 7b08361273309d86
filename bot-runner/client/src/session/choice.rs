//! Converts an arena's list of possible actions to complete actions, and back for comparison.
//!
//! The arena's list wins: a policy is offered its actions only, including those that our own list
//! lacks. Entries are compared by meaning, because the list is inexact about tsumogiri, targets,
//! duplicates and red fives.

use protocol::reply::RecordedAction;
use protocol::{ActionKind, PossibleAction};
use riichi::{Action, LegalActions, Seat, Table, Tile};

/// The available actions: ours that the list covers, then those that only the list contains.
///
/// A listed riichi means each of our tenpai-keeping discards; without one of those it is omitted,
/// since it could not be completed.
pub fn choices(table: &Table, list: &[PossibleAction]) -> LegalActions {
    let ours = table.legal_actions();
    let mut legal: LegalActions = ours
        .iter()
        .copied()
        .filter(|action| list.iter().any(|entry| entry.covers(action)))
        .collect();
    for entry in list {
        if ours.iter().any(|action| entry.covers(action)) {
            continue;
        }
        if let Some(action) = completed(table, entry)
            && !legal.contains(&action)
        {
            let _ = legal.try_push(action);
        }
    }
    legal
}

/// An entry that is not in our list, with missing fields filled in from the table.
fn completed(table: &Table, entry: &PossibleAction) -> Option<Action> {
    let offered = table.offered();
    let target = || entry.target.or(offered.map(|(by, _)| by));
    let own = |count: usize| entry.consumed.get(..count);
    match entry.kind {
        ActionKind::Dahai => {
            let tile = entry.pai?;
            (table.hand().count(tile) > 0).then(|| Action::Dahai {
                tile,
                tsumogiri: table.drawn() == Some(tile) && table.hand().count(tile) == 1,
            })
        }
        ActionKind::Chi => Some(Action::Chi {
            target: target()?,
            tile: entry.pai?,
            consumed: own(2)?.try_into().ok()?,
        }),
        ActionKind::Pon => Some(Action::Pon {
            target: target()?,
            tile: entry.pai?,
            consumed: own(2)?.try_into().ok()?,
        }),
        ActionKind::Daiminkan => Some(Action::Daiminkan {
            target: target()?,
            tile: entry.pai?,
            consumed: own(3)?.try_into().ok()?,
        }),
        ActionKind::Ankan => Some(Action::Ankan {
            consumed: own(4)?.try_into().ok()?,
        }),
        ActionKind::Kakan => Some(Action::Kakan {
            tile: entry.pai?,
            consumed: own(3)?.try_into().ok()?,
        }),
        ActionKind::Hora => match (table.drawn(), offered) {
            (Some(tile), _) => Some(Action::Hora {
                target: table.seat(),
                tile,
            }),
            (None, Some((by, tile))) => Some(Action::Hora { target: by, tile }),
            (None, None) => None,
        },
        ActionKind::Kita => Some(Action::Kita),
        ActionKind::Ryukyoku => Some(Action::Ryukyoku),
        ActionKind::None => Some(Action::None),
        ActionKind::Reach => None,
    }
}

/// Actions of a seat as a JSON list, in the form of records.
pub(super) fn actions_json(actions: &[Action], seat: Seat) -> String {
    let actions: Vec<RecordedAction> = actions
        .iter()
        .map(|action| RecordedAction::of(action, seat))
        .collect();
    serde_json::to_string(&actions).expect("texts, numbers and lists of them have a JSON form")
}

/// The entries in which our list and the arena's differ.
#[derive(Debug, Default)]
pub struct ListDifference {
    /// Our actions that no entry covers.
    pub only_ours: Vec<Action>,
    /// Entries that cover none of our actions.
    pub only_theirs: Vec<PossibleAction>,
}

impl ListDifference {
    pub fn between(ours: &[Action], theirs: &[PossibleAction]) -> Self {
        Self {
            only_ours: ours
                .iter()
                .copied()
                .filter(|action| !theirs.iter().any(|entry| entry.covers(action)))
                .collect(),
            only_theirs: theirs
                .iter()
                .filter(|entry| !ours.iter().any(|action| entry.covers(action)))
                .cloned()
                .collect(),
        }
    }

    /// The difference as a text for users, from this seat.
    pub fn words(&self, seat: Seat) -> String {
        let theirs = serde_json::to_string(&self.only_theirs)
            .expect("texts, numbers and lists of them have a JSON form");
        format!(
            "only ours {}, only the arena's {theirs}",
            actions_json(&self.only_ours, seat)
        )
    }

    /// Whether the lists agree.
    pub fn is_empty(&self) -> bool {
        self.only_ours.is_empty() && self.only_theirs.is_empty()
    }
}

/// The safe answer among entries, without a table to complete them: a win, else passing, else the
/// discard of the drawn tile, else the first discard.
pub fn safe_entry(list: &[PossibleAction], drawn: Option<Tile>) -> Option<PossibleAction> {
    let of = |kind| list.iter().filter(move |entry| entry.kind == kind);
    let tsumogiri = || {
        let marked = of(ActionKind::Dahai).find(|entry| entry.tsumogiri == Some(true));
        marked.or_else(|| of(ActionKind::Dahai).find(|entry| drawn.is_some() && entry.pai == drawn))
    };
    of(ActionKind::Hora)
        .next()
        .or_else(|| of(ActionKind::None).next())
        .cloned()
        .or_else(|| {
            Some(PossibleAction {
                tsumogiri: Some(true),
                ..tsumogiri()?.clone()
            })
        })
        .or_else(|| of(ActionKind::Dahai).next().cloned())
}
