//! The player on a seat.

use std::time::Duration;

use policy_host::{
    ChosenPolicy, Decided, DirectPolicy, DirectThread, NoDecision, PolicyStartError, PolicyTable,
    ShownTable, StartOptions, TimeLimit, TimedPolicy, ViewBuffer,
};
use riichi::SeatTable;

/// A bot in a game.
#[derive(Debug, Clone)]
pub struct Entrant {
    pub policy: ChosenPolicy,
    pub options: StartOptions,
    /// The time for a decision in the view; it is not enforced, unless there is a limit.
    pub budget: Duration,
    /// The enforced time: a later decision counts as late, and the safe answer is played.
    pub limit: Option<TimeLimit>,
}

/// Chooses among a seat's legal actions; `None` for the safe action.
type PickAction<'p, T> =
    Box<dyn FnMut(&PolicyTable<T>, &[<T as SeatTable>::Action]) -> Option<usize> + 'p>;

/// Asks a policy that runs elsewhere; the argument fills its view. The error is the reason why it
/// did not decide.
pub type PolicyCall<'p> =
    Box<dyn FnMut(&dyn Fn(&mut ViewBuffer)) -> Result<Decided, NoDecision> + 'p>;

pub enum SeatPlayer<'p, T: ShownTable> {
    /// A bot. Its instance is created on this thread for the game and destroyed after it, so
    /// nothing is carried over.
    Bot(&'p DirectThread, &'p Entrant),
    /// A bot whose policy runs elsewhere and outlives the game.
    Hosted {
        /// The time for a decision in the view.
        budget: Duration,
        /// Asks it.
        decide: PolicyCall<'p>,
    },
    /// Always takes the safe action.
    Safe,
    /// Played from outside if there is a choice: a [`GameUnderWay`](super::GameUnderWay) stops for
    /// it.
    Outside,
    /// Played by this function. It is called even if there is only one action.
    Chooser(PickAction<'p, T>),
}

impl<'p, T: ShownTable> SeatPlayer<'p, T> {
    /// A seat that plays this function's choices.
    pub fn chooser(
        choose: impl FnMut(&PolicyTable<T>, &[T::Action]) -> Option<usize> + 'p,
    ) -> Self {
        Self::Chooser(Box::new(choose))
    }
}

/// The policy of a seat: called on this thread or, if its time is limited, on its own; or asked
/// elsewhere.
#[allow(
    clippy::large_enum_variant,
    reason = "one is created for each seat and remains there"
)]
pub(super) enum PolicyAtSeat<'t> {
    Direct(DirectPolicy<'t>),
    Timed(TimedPolicy),
    Hosted(PolicyCall<'t>),
}

impl<'t> PolicyAtSeat<'t> {
    pub(super) fn create(
        thread: &'t DirectThread,
        entrant: &Entrant,
    ) -> Result<Self, PolicyStartError> {
        match &entrant.limit {
            None => {
                DirectPolicy::create(thread, &entrant.policy, &entrant.options).map(Self::Direct)
            }
            Some(limit) => {
                TimedPolicy::create(&entrant.policy, &entrant.options, limit).map(Self::Timed)
            }
        }
    }

    /// The decision, or the reason why there is none. `fill` fills the view.
    pub(super) fn decide(
        &mut self,
        view: &mut ViewBuffer,
        fill: &dyn Fn(&mut ViewBuffer),
    ) -> Result<Result<Decided, NoDecision>, PolicyStartError> {
        Ok(match self {
            Self::Direct(policy) => {
                fill(view);
                policy.decide(view)?.map_err(NoDecision::from)
            }
            Self::Timed(policy) => {
                fill(view);
                match policy.decide(view)? {
                    Some(decided) => decided.map_err(NoDecision::from),
                    None => Err(NoDecision::Late),
                }
            }
            Self::Hosted(decide) => decide(fill),
        })
    }
}
