//! What a seat tells of its games, for their records and its page alike.

use std::sync::Arc;

use policy_host::PolicyIdentity;
use riichi::Seat;

use crate::decision_note::DecisionNote;

/// A piece of news from a seat, told after the reply is sent. Lines are those of records.
#[derive(Debug, Clone)]
pub enum SeatNews {
    /// The seat is known: a record begins.
    Began {
        seat: Seat,
        /// The policy that will decide.
        policy: Arc<PolicyIdentity>,
    },
    /// The next line of the record.
    Line(Arc<str>),
    /// The next line of the record and of the page, which hides the tiles of others.
    Masked {
        recorded: Arc<str>,
        shown: Arc<str>,
    },
    /// A line of the record that a page does not show.
    Recorded(Arc<str>),
    /// A page shows the following round, whose first line this is.
    Round(Arc<str>),
    /// A page shows a round from its middle on, with these lines.
    Snapshot([Arc<str>; 2]),
    Decided(Arc<DecisionNote>),
}
