//! A game played to its end by rules of thumb: [`lead`], [`answer`]. Each player knows its own
//! hand, what the two others hold together, and how many cards each has left.
//!
//! A player has a plan, which part of its hand it plays in which turn ([`plan`]), and keeps to it
//! while it can. A whole game takes a few microseconds.

mod answer;
mod lead;
pub(crate) mod plan;
pub(crate) mod ranks;

use doudizhu::RankMasks;
use plan::HandPlan;
use ranks::RankPlay;

/// Seats are numbers from 0 to 2 here.
pub(crate) const SEATS: usize = 3;

/// A game under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Playout {
    pub(crate) hands: [RankMasks; SEATS],
    pub(crate) plans: [HandPlan; SEATS],
    pub(crate) landlord: usize,
    pub(crate) turn: usize,
    /// The play to beat and its seat.
    pub(crate) last: Option<(RankPlay, usize)>,
}

impl Playout {
    pub(crate) fn landlord_wins(mut self) -> bool {
        loop {
            let seat = self.turn;
            self.play();
            if self.hands[seat].is_empty() {
                return seat == self.landlord;
            }
        }
    }

    /// Plays for the seat in turn, or passes.
    pub(crate) fn play(&mut self) -> Option<RankPlay> {
        let seat = self.turn;
        let played = match &self.last {
            Some((last, by)) if *by != seat => self.answer(last, *by),
            _ => Some(self.lead()),
        };
        self.take(played);
        if let Some(played) = &played
            && !self.plans[seat].take(played)
        {
            self.plans[seat] = HandPlan::of(self.hands[seat]);
        }
        played
    }

    /// Takes in a play or a pass of the seat in turn; its plan is the caller's to see to.
    pub(crate) fn take(&mut self, played: Option<RankPlay>) {
        let seat = self.turn;
        self.turn = (seat + 1) % SEATS;
        if let Some(played) = played {
            self.hands[seat] = played.out_of(self.hands[seat]);
            self.last = Some((played, seat));
        }
    }

    fn own(&self) -> (RankMasks, &HandPlan) {
        (self.hands[self.turn], &self.plans[self.turn])
    }

    /// The cards of the two others.
    fn others(&self) -> RankMasks {
        self.hands[(self.turn + 1) % SEATS].plus(self.hands[(self.turn + 2) % SEATS])
    }

    fn are_partners(&self, one: usize, other: usize) -> bool {
        one != self.landlord && other != self.landlord
    }

    /// The fewest cards that an opponent of the seat in turn has left.
    fn fewest_left(&self) -> u8 {
        let left = |seat: usize| self.hands[seat].len();
        if self.turn == self.landlord {
            left((self.turn + 1) % SEATS).min(left((self.turn + 2) % SEATS))
        } else {
            left(self.landlord)
        }
    }
}
