//! The answer of a policy that another policy calls.
#![allow(unsafe_code, reason = "an answer writes to buffers by their addresses")]

use policy_abi::decision::{Decision, INDEX_NONE};
use policy_abi::text::TextBuffer;

use crate::answer::Answer;
use crate::env::Env;
use crate::error::DecideError;
use crate::game::Game;
use crate::policy::Policy;

/// Maximum length of a kept reason, in bytes.
const REASON: usize = 512;

/// The answer of a policy that another policy calls: for policies that build on others.
///
/// ```
/// use policy_sdk::{Advice, DecideError, Env, Policy, RiichiMahjong, View};
///
/// /// The choice of another policy if it gives a reason, else the first action.
/// fn with_reason<P: Policy<Game = RiichiMahjong>>(
///     other: &mut P,
///     view: &View<'_>,
///     env: &Env,
/// ) -> Result<usize, DecideError> {
///     let advice = Advice::of(other, view, env)?;
///     Ok(if advice.reason.is_empty() { 0 } else { advice.index })
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The index of its choice among the legal actions.
    pub index: usize,
    /// The value of each legal action, NaN for an action without one; empty if there are none.
    pub values: Vec<f32>,
    /// The reason that it gave.
    pub reason: String,
}

impl Advice {
    /// Asks a policy for a decision.
    ///
    /// # Errors
    ///
    /// The errors of the policy.
    pub fn of<P: Policy>(
        policy: &mut P,
        view: &<P::Game as Game>::View<'_>,
        env: &Env,
    ) -> Result<Self, DecideError> {
        let actions = P::Game::actions(view);
        let mut values = vec![f32::NAN; actions];
        let mut reason = [0_u8; REASON];
        let mut decision = Decision {
            struct_size: size_of::<Decision>() as u32,
            index: INDEX_NONE,
            question: 0,
            values: values.as_mut_ptr(),
            values_capacity: actions as u32,
            values_len: 0,
            reason: TextBuffer::new(&mut reason),
        };
        // SAFETY: the buffers belong to this function, live as long as the answer, and have no
        // other user meanwhile.
        let mut answer = unsafe { Answer::new(actions, &decision) };
        let index = policy.decide(view, env, &mut answer)?;
        answer.finish(&mut decision);
        values.truncate(decision.values_len as usize);
        let len = (decision.reason.len as usize).min(REASON);
        Ok(Self {
            index,
            values,
            reason: String::from_utf8_lossy(&reason[..len]).into_owned(),
        })
    }
}
