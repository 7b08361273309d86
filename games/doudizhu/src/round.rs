//! The public part of a game: bids, the landlord, the plays, and the number of cards left.
//!
//! The order of bidding and of turns comes from Botzone's judges: `checkLandlord` in
//! `FightTheLandlord2`, the first lines of `main` in both.

use arrayvec::ArrayVec;

use crate::card::CardSet;
use crate::combination::{Combination, NotBeaten};
use crate::counts::RankCounts;
use crate::event::{DouDizhuAction, HIGHEST_BID};
use crate::plays::{DouDizhuPlay, plays};
use crate::rules::DouDizhuRules;
use crate::seat::DouDizhuSeat;

/// Cards dealt to each seat, before the landlord takes the public ones.
pub const DEALT: u8 = 17;
/// Public cards.
pub const PUBLIC: u8 = 3;

/// A play or a pass that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedCards {
    /// The seat.
    pub seat: DouDizhuSeat,
    /// The cards; none is a pass.
    pub cards: CardSet,
    /// The cards; `None` for a pass.
    pub play: Option<DouDizhuPlay>,
}

/// The reason why a bid or a play is against the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AgainstRules {
    /// The bid is not 0 to 3, or not higher than the earlier ones.
    #[error("a bid is 0, or higher than all before it, and at most {HIGHEST_BID}")]
    Bid,
    /// Another action is due, or none.
    #[error("it is the time for something else")]
    Phase,
    /// A pass by the seat that leads.
    #[error("the seat that leads has to play")]
    Pass,
    /// The cards are not a combination.
    #[error("these cards make no combination")]
    NoCombination,
    /// It is not higher, or of another kind or size.
    #[error("this does not beat the previous play")]
    NotBeaten(NotBeaten),
}

/// The end of a game in which a seat played its last card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DouDizhuEnd {
    /// The landlord.
    pub landlord: DouDizhuSeat,
    /// Whether the landlord won, and not the peasants.
    pub landlord_won: bool,
    /// The highest bid; `None` without bidding.
    pub bid: Option<u8>,
    /// Number of bombs and rockets played.
    pub bombs: u8,
    /// Whether the losing side did not play any cards, or the landlord only once.
    pub spring: bool,
}

impl DouDizhuEnd {
    /// The amount that each peasant wins or loses: the highest bid, doubled for each bomb and
    /// rocket and for a spring. `None` without bidding, because the score then depends on the cards
    /// played.
    pub fn stake(&self) -> Option<f64> {
        let doubled = i32::from(self.bombs) + i32::from(self.spring);
        self.bid
            .map(|bid| f64::from(bid.max(1)) * 2_f64.powi(doubled))
    }
}

/// The scores of a game with bidding in which each peasant gains this amount.
pub fn staked_scores(landlord: DouDizhuSeat, peasants: f64) -> [f64; DouDizhuSeat::COUNT] {
    let mut scores = [peasants; DouDizhuSeat::COUNT];
    scores[landlord.index()] = -2.0 * peasants;
    scores
}

/// The public part of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DouDizhuRound {
    rules: DouDizhuRules,
    bids: ArrayVec<u8, { DouDizhuSeat::COUNT }>,
    landlord: Option<DouDizhuSeat>,
    public: CardSet,
    trail: Vec<PlayedCards>,
    played: CardSet,
    left: [u8; DouDizhuSeat::COUNT],
}

impl DouDizhuRound {
    /// Before the first bid or, without bidding, before the landlord is known.
    pub const fn new(rules: DouDizhuRules) -> Self {
        Self {
            rules,
            bids: ArrayVec::new_const(),
            landlord: None,
            public: CardSet::EMPTY,
            trail: Vec::new(),
            played: CardSet::EMPTY,
            left: [DEALT; DouDizhuSeat::COUNT],
        }
    }

    /// The rules of the game.
    pub const fn rules(&self) -> DouDizhuRules {
        self.rules
    }

    /// The bids, from seat 0 on.
    pub fn bids(&self) -> &[u8] {
        &self.bids
    }

    /// The landlord, once known.
    pub const fn landlord(&self) -> Option<DouDizhuSeat> {
        self.landlord
    }

    /// The three cards that the landlord took; none before.
    pub const fn public(&self) -> CardSet {
        self.public
    }

    /// The plays and passes, first to last.
    pub fn trail(&self) -> &[PlayedCards] {
        &self.trail
    }

    /// All cards that were played.
    pub const fn played(&self) -> CardSet {
        self.played
    }

    /// Number of cards of a seat.
    pub const fn left(&self, seat: DouDizhuSeat) -> u8 {
        self.left[seat.index()]
    }

    /// The seat that has played its last card.
    pub fn winner(&self) -> Option<DouDizhuSeat> {
        DouDizhuSeat::all().find(|&seat| self.left(seat) == 0)
    }

    /// The end of the game, once a seat has played its last card.
    pub fn end(&self) -> Option<DouDizhuEnd> {
        let (landlord, winner) = (self.landlord?, self.winner()?);
        let plays = || {
            self.trail
                .iter()
                .filter_map(|played| Some((played.seat, played.play?)))
        };
        let landlord_won = landlord == winner;
        let of_landlord = plays().filter(|&(seat, _)| seat == landlord).count();
        let of_peasants = plays().count() - of_landlord;
        Some(DouDizhuEnd {
            landlord,
            landlord_won,
            bid: self.rules.bidding.then(|| self.highest_bid()),
            bombs: plays()
                .filter(|(_, play)| play.combination.is_bomb())
                .count() as u8,
            spring: if landlord_won {
                of_peasants == 0
            } else {
                of_landlord == 1
            },
        })
    }

    /// The scores once a seat has played its last card, in the order of the seats. Without bidding
    /// they do not add up to zero.
    pub fn scores(&self) -> Option<[f64; DouDizhuSeat::COUNT]> {
        let end = self.end()?;
        Some(match end.stake() {
            Some(stake) => {
                staked_scores(end.landlord, if end.landlord_won { -stake } else { stake })
            }
            None => self.fixed_scores(end.landlord_won),
        })
    }

    /// 2 for each winner, and the points for the cards played, which the peasants share.
    fn fixed_scores(&self, landlord_won: bool) -> [f64; DouDizhuSeat::COUNT] {
        let mut points = [0; DouDizhuSeat::COUNT];
        for played in &self.trail {
            points[played.seat.index()] += played
                .play
                .map_or(0, |play| u32::from(play.combination.points()));
        }
        let [landlord, one, two] = points;
        let won = |won: bool| if won { 2.0 } else { 0.0 };
        let peasants = won(!landlord_won) + f64::from(one + two) / 200.0;
        [
            won(landlord_won) + f64::from(landlord) / 100.0,
            peasants,
            peasants,
        ]
    }

    /// The scores of a game that ends with a fault: without bidding with the first one, of this
    /// seat, else when all seats are at fault.
    pub fn fault_scores(&self, seat: DouDizhuSeat) -> [f64; DouDizhuSeat::COUNT] {
        match self.landlord == Some(seat) {
            _ if self.rules.bidding => [-1.0; DouDizhuSeat::COUNT],
            true => [-1.0, 2.5, 2.5],
            false => [2.5, -1.0, -1.0],
        }
    }

    /// Whether two seats are partners.
    pub fn are_partners(&self, one: DouDizhuSeat, other: DouDizhuSeat) -> bool {
        let landlord = self.landlord;
        one == other || landlord.is_some_and(|landlord| one != landlord && other != landlord)
    }

    /// The seat in turn; `None` at the end, and while the landlord is unknown.
    pub fn turn(&self) -> Option<DouDizhuSeat> {
        match self.landlord {
            None if self.bidding_is_open() => Some(DouDizhuSeat::FIRST.after(self.bids.len())),
            Some(landlord) if self.winner().is_none() => Some(landlord.after(self.trail.len())),
            _ => None,
        }
    }

    fn bidding_is_open(&self) -> bool {
        self.rules.bidding
            && self.bids.len() < DouDizhuSeat::COUNT
            && self.bids.last() != Some(&HIGHEST_BID)
    }

    /// The landlord according to the bids; `None` while bids may still change it.
    pub fn landlord_by_bids(&self) -> Option<DouDizhuSeat> {
        if self.bidding_is_open() {
            return None;
        }
        let highest = self.highest_bid();
        let first = self
            .bids
            .iter()
            .position(|&bid| bid > 0 && bid == highest)
            .unwrap_or(0);
        Some(DouDizhuSeat::FIRST.after(first))
    }

    /// The highest bid; 0 if there is none.
    pub fn highest_bid(&self) -> u8 {
        self.bids.iter().copied().max().unwrap_or(0)
    }

    /// The play to beat; `None` if the seat in turn leads.
    pub fn to_beat(&self) -> Option<&PlayedCards> {
        self.trail
            .iter()
            .rev()
            .take(DouDizhuSeat::COUNT - 1)
            .find(|played| played.play.is_some())
    }

    /// The legal actions of the seat in turn with this hand. The first is always safe: no bid, a
    /// pass, or the lowest single card.
    pub fn legal_actions(&self, hand: CardSet) -> Vec<DouDizhuAction> {
        if self.turn().is_none() {
            return Vec::new();
        }
        if self.landlord.is_none() {
            let higher = self.highest_bid() + 1..=HIGHEST_BID;
            return std::iter::once(0)
                .chain(higher)
                .map(DouDizhuAction::Bid)
                .collect();
        }
        let last = self
            .to_beat()
            .and_then(|played| played.play)
            .map(|play| play.combination);
        let pass = last.is_some().then_some(DouDizhuAction::Pass);
        let plays = plays(RankCounts::from(hand), last.as_ref(), self.rules);
        pass.into_iter()
            .chain(plays.into_iter().map(DouDizhuAction::Play))
            .collect()
    }

    /// Applies the bid of the seat in turn.
    ///
    /// # Errors
    ///
    /// If no bid is due, or it is neither 0 nor higher than the earlier ones.
    pub fn bid(&mut self, bid: u8) -> Result<(), AgainstRules> {
        if self.landlord.is_some() || !self.bidding_is_open() {
            return Err(AgainstRules::Phase);
        }
        if bid != 0 && (bid > HIGHEST_BID || bid <= self.highest_bid()) {
            return Err(AgainstRules::Bid);
        }
        self.bids.push(bid);
        Ok(())
    }

    /// Sets the landlord.
    ///
    /// # Errors
    ///
    /// If the landlord is known already, or a bid is due.
    pub fn begin(&mut self, landlord: DouDizhuSeat, public: CardSet) -> Result<(), AgainstRules> {
        if self.landlord.is_some() || self.bidding_is_open() {
            return Err(AgainstRules::Phase);
        }
        self.landlord = Some(landlord);
        self.public = public;
        self.left[landlord.index()] += PUBLIC;
        Ok(())
    }

    /// The play that the cards would be for the seat in turn; `None` for a pass.
    ///
    /// # Errors
    ///
    /// If the rules do not allow it. It does not check whether the seat has the cards.
    pub fn check(&self, cards: CardSet) -> Result<Option<DouDizhuPlay>, AgainstRules> {
        if self.landlord.is_none() || self.turn().is_none() {
            return Err(AgainstRules::Phase);
        }
        let to_beat = self.to_beat().and_then(|played| played.play);
        if cards.is_empty() {
            return if to_beat.is_some() {
                Ok(None)
            } else {
                Err(AgainstRules::Pass)
            };
        }
        let counts = RankCounts::from(cards);
        let combination = Combination::of(counts, self.rules).ok_or(AgainstRules::NoCombination)?;
        if let Some(last) = to_beat {
            combination
                .check_beats(&last.combination)
                .map_err(AgainstRules::NotBeaten)?;
        }
        Ok(Some(DouDizhuPlay {
            combination,
            cards: counts,
        }))
    }

    /// Applies the play or pass of the seat in turn.
    ///
    /// # Errors
    ///
    /// If the rules do not allow it. The caller must check whether the seat has the cards.
    pub fn play(&mut self, cards: CardSet) -> Result<(), AgainstRules> {
        let play = self.check(cards)?;
        let seat = self.turn().ok_or(AgainstRules::Phase)?;
        self.left[seat.index()] = self.left[seat.index()].saturating_sub(cards.len());
        self.played = self.played.union(cards);
        self.trail.push(PlayedCards { seat, cards, play });
        Ok(())
    }
}
