//! The answer of a strategy.

use crate::event::McrAction;

/// A choice among legal actions.
#[derive(Debug, Clone, PartialEq)]
pub struct McrDecision {
    /// Which of the legal actions.
    pub index: usize,
    /// The strategy's value of each legal action, in its own unit; the chosen one has the highest.
    pub values: Vec<f32>,
    /// Why, in a few words.
    pub reason: String,
}

impl McrDecision {
    /// The action with the highest value, the first of equal ones; `None` without any.
    pub fn best(values: Vec<f32>, reason: impl FnOnce(usize) -> String) -> Option<Self> {
        let mut index = 0;
        for (place, value) in values.iter().enumerate() {
            if value.total_cmp(values.get(index)?).is_gt() {
                index = place;
            }
        }
        values.get(index)?;
        Some(Self {
            index,
            reason: reason(index),
            values,
        })
    }
}

/// The decision to win, if that is legal.
pub fn win_if_legal(legal: &[McrAction]) -> Option<McrDecision> {
    legal.contains(&McrAction::Win).then(|| {
        let values = legal
            .iter()
            .map(|&action| f32::from(u8::from(action == McrAction::Win)))
            .collect();
        McrDecision::best(values, |_| "a win".to_owned())
    })?
}
