//! The game from one seat's point of view, based on public events, and the seat's legal actions.
//!
//! The rules of play follow the judge: each seat has its own wall of 34 tiles and draws only from
//! it; 13 are dealt, so that 21 draws remain. The wall of the next seat decides about the *last
//! tile*: when it is empty, no player may claim a discard except for a win, and a win is Last Tile
//! Draw or Last Tile Claim.

use std::fmt;

use arrayvec::ArrayVec;
use game_core::{Seat, SeatTable};
use tiles::{Counts, Kind, Wind};

use crate::count::{FanCount, WinToCount, count_fan};
use crate::division::completing_with;
use crate::event::{FLOWERS, McrAction, McrEvent, PLAYERS, safe_mcr_answer};
use crate::fan::Counting;
use crate::hand::{DeclaredSet, HandTiles, MAX_SETS};

/// The options of a game of Chinese Standard mahjong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct McrRules {
    /// Whether the walls hold the eight flowers: 36 tiles each, else 34. Botzone plays without.
    pub flowers: bool,
    /// The way of counting fan.
    pub counting: Counting,
}

impl McrRules {
    /// Tiles of each seat's wall before the deal.
    pub const fn wall(self) -> u8 {
        if self.flowers { 36 } else { 34 }
    }
}

/// A declared set as others see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeenSet {
    /// A set whose tiles are known.
    Known(DeclaredSet),
    /// Another's concealed kong.
    HiddenKong,
}

/// A discard in a seat's river.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RiverDiscard {
    /// The tile.
    pub tile: Kind,
    /// Whether another seat claimed it.
    pub claimed: bool,
}

/// The public state of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeatPublic {
    /// Declared sets, in the order in which they were laid down.
    pub sets: ArrayVec<SeenSet, MAX_SETS>,
    /// All its discards, in order.
    pub river: Vec<RiverDiscard>,
    /// Flowers laid down.
    pub flowers: u8,
    /// Tiles left in its wall.
    pub wall: u8,
    /// Its concealed tiles.
    pub concealed: u8,
}

/// The stage of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McrStage {
    /// Nothing was dealt yet.
    Undealt,
    /// A deal, a replacement or the next draw is due: no player has anything to decide.
    Drawing,
    /// A seat has drawn and is to act.
    Drawn {
        /// The seat.
        seat: Seat,
        /// The tile, if it is this seat's.
        tile: Option<Kind>,
    },
    /// A tile was discarded and may be claimed.
    Discarded {
        /// The discarder.
        seat: Seat,
        /// The tile.
        tile: Kind,
    },
    /// A tile was added to a pung and may be robbed.
    KongAdded {
        /// The seat that added it.
        seat: Seat,
        /// The tile.
        tile: Kind,
    },
    /// The hand is over.
    Over,
}

impl fmt::Display for McrStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undealt => f.write_str("nothing was dealt"),
            Self::Drawing => f.write_str("a draw was due"),
            Self::Drawn { seat, .. } => write!(f, "seat {seat} drew"),
            Self::Discarded { seat, tile } => write!(f, "seat {seat} discarded {tile}"),
            Self::KongAdded { seat, tile } => write!(f, "seat {seat} added {tile} to a pung"),
            Self::Over => f.write_str("the hand ended"),
        }
    }
}

/// An event that contradicts earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why} (before this, {stage})")]
pub struct McrContradiction {
    /// The seat that received it.
    pub seat: Seat,
    /// The event.
    pub event: McrEvent,
    /// The stage of the hand before the event.
    pub stage: McrStage,
    /// The contradiction.
    pub why: &'static str,
}

/// The game as one seat may know it.
#[derive(Debug, Clone)]
pub struct McrSeatState {
    seat: Seat,
    rules: McrRules,
    prevalent_wind: Wind,
    hand: HandTiles,
    seats: [SeatPublic; 4],
    /// Tiles open to everyone, without a discard that may still be claimed; concealed kongs are not
    /// open.
    shown: Counts,
    stage: McrStage,
    /// The tile drawn or about to be drawn replaces one after a kong of the seat that draws.
    replacement: bool,
}

impl McrSeatState {
    /// A seat before the deal.
    pub fn new(seat: Seat, rules: McrRules) -> Self {
        let hand = HandTiles::empty();
        Self {
            seat,
            rules,
            prevalent_wind: Wind::East,
            hand,
            seats: std::array::from_fn(|_| SeatPublic {
                wall: rules.wall(),
                ..SeatPublic::default()
            }),
            shown: Counts::EMPTY,
            stage: McrStage::Undealt,
            replacement: false,
        }
    }

    /// Which seat this is; its wind is the seat's number, and stays.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The seat's wind.
    pub const fn seat_wind(&self) -> Wind {
        Wind::ALL[self.seat.index()]
    }

    /// The round's wind.
    pub const fn prevalent_wind(&self) -> Wind {
        self.prevalent_wind
    }

    /// The rules.
    pub const fn rules(&self) -> McrRules {
        self.rules
    }

    /// The own tiles; full while the seat is to act after a draw.
    pub const fn hand(&self) -> &HandTiles {
        &self.hand
    }

    /// The public state of a seat.
    pub const fn public(&self, seat: Seat) -> &SeatPublic {
        &self.seats[seat.index()]
    }

    /// Tiles that lie open, the last discard included: rivers and declared sets, without concealed
    /// kongs.
    pub fn open_tiles(&self) -> Counts {
        let mut open = self.shown;
        if let McrStage::Discarded { tile, .. } = self.stage {
            open[tile] += 1;
        }
        open
    }

    /// Number of tiles of each kind that this seat cannot see: four less open and own ones.
    pub fn unseen(&self) -> Counts {
        let open = self.open_tiles();
        let own_kongs = self.hand.sets().iter().filter_map(|set| match set {
            DeclaredSet::ConcealedKong(kind) => Some(*kind),
            _ => None,
        });
        let mut unseen = Counts([0; tiles::KINDS]);
        for kind in Kind::all() {
            unseen[kind] = 4_u8.saturating_sub(open[kind] + self.hand.concealed()[kind]);
        }
        own_kongs.for_each(|kind| unseen[kind] = 0);
        unseen
    }

    /// The stage of the hand.
    pub const fn stage(&self) -> McrStage {
        self.stage
    }

    /// The tile this seat has just drawn.
    pub fn drawn(&self) -> Option<Kind> {
        match self.stage {
            McrStage::Drawn { seat, tile } if seat == self.seat => tile,
            _ => None,
        }
    }

    /// The same moment as another seat knows it that holds these tiles.
    pub(crate) fn seen_from(&self, seat: Seat, hand: HandTiles) -> Self {
        let mut other = Self {
            seat,
            hand,
            ..self.clone()
        };
        for set in &mut other.seats[self.seat.index()].sets {
            if matches!(set, SeenSet::Known(DeclaredSet::ConcealedKong(_))) {
                *set = SeenSet::HiddenKong;
            }
        }
        other.seats[seat.index()].sets = other
            .hand
            .sets()
            .iter()
            .copied()
            .map(SeenSet::Known)
            .collect();
        other
    }

    /// Whether the seat after this one has no tile left to draw.
    fn is_last_for(&self, seat: Seat) -> bool {
        self.seats[seat.next(PLAYERS).index()].wall == 0
    }

    /// The fan of a win with the tile in question; `None` when there is none to win with.
    pub fn win(&self) -> Option<FanCount> {
        let (tile, active, about_kong) = match self.stage {
            McrStage::Drawn { seat, tile } if seat == self.seat => (tile?, seat, self.replacement),
            McrStage::Discarded { seat, tile } if seat != self.seat => (tile, seat, false),
            McrStage::KongAdded { seat, tile } if seat != self.seat => (tile, seat, true),
            _ => return None,
        };
        let self_drawn = active == self.seat;
        let before;
        let hand = if self_drawn {
            before = self.hand.without(tile)?;
            &before
        } else {
            &self.hand
        };
        if !completing_with(hand, tile) {
            return None;
        }
        let win = WinToCount {
            hand,
            tile,
            self_drawn,
            fourth: self.shown[tile] == 3,
            about_kong,
            wall_last: self.is_last_for(active),
            seat_wind: self.seat_wind(),
            prevalent_wind: self.prevalent_wind,
            flowers: self.seats[self.seat.index()].flowers,
        };
        count_fan(&win, self.rules.counting)
    }

    /// The legal actions of this seat. Only [`McrAction::Pass`] when there is nothing to decide;
    /// empty before the deal and after the end.
    pub fn legal(&self) -> Vec<McrAction> {
        let mut legal = Vec::new();
        match self.stage {
            McrStage::Undealt | McrStage::Over => {}
            McrStage::Drawn { seat, .. } if seat == self.seat => self.add_turn(&mut legal),
            McrStage::Discarded { seat, tile } if seat != self.seat => {
                legal.push(McrAction::Pass);
                self.add_win(&mut legal);
                self.add_claims(seat, tile, &mut legal);
            }
            McrStage::KongAdded { seat, .. } if seat != self.seat => {
                legal.push(McrAction::Pass);
                self.add_win(&mut legal);
            }
            _ => legal.push(McrAction::Pass),
        }
        legal
    }

    fn add_win(&self, legal: &mut Vec<McrAction>) {
        if self.win().is_some_and(|count| count.is_enough()) {
            legal.push(McrAction::Win);
        }
    }

    fn add_turn(&self, legal: &mut Vec<McrAction>) {
        self.add_win(legal);
        let held = self.hand.concealed();
        legal.extend(held.kinds().iter().map(McrAction::Discard));
        // A kong needs a tile to replace, and one for the next seat.
        if self.seats[self.seat.index()].wall == 0 || self.is_last_for(self.seat) {
            return;
        }
        legal.extend(held.at_least(4).iter().map(McrAction::ConcealedKong));
        for set in self.hand.sets() {
            if let DeclaredSet::Pung(kind) = set
                && held[*kind] > 0
            {
                legal.push(McrAction::AddKong(*kind));
            }
        }
    }

    /// Claims of a discard. A claimed kong does not ask for a tile to replace: without one the hand
    /// is drawn.
    fn add_claims(&self, from: Seat, tile: Kind, legal: &mut Vec<McrAction>) {
        if self.is_last_for(from) {
            return;
        }
        let held = self.hand.concealed();
        if held[tile] >= 3 {
            legal.push(McrAction::ClaimKong);
        }
        if held[tile] >= 2 {
            let mut rest = *held;
            rest[tile] -= 2;
            legal.extend(
                rest.kinds()
                    .iter()
                    .map(|discard| McrAction::ClaimPung { discard }),
            );
        }
        if from.next(PLAYERS) != self.seat {
            return;
        }
        for middle in [-1, 0, 1].into_iter().filter_map(|step| tile.offset(step)) {
            let mut rest = *held;
            rest[tile] += 1;
            let complete = [-1, 0, 1].into_iter().all(|step| {
                middle.offset(step).is_some_and(|part| {
                    let there = rest[part] > 0;
                    rest[part] = rest[part].saturating_sub(1);
                    there
                })
            });
            if complete {
                legal.extend(
                    rest.kinds()
                        .iter()
                        .map(|discard| McrAction::ClaimChow { middle, discard }),
                );
            }
        }
    }

    /// The own hand with the set that an action declares, before the discard that belongs to it; as
    /// it is if the action declares none. `None` if the tiles for the set are missing.
    pub fn with_set_of(&self, action: McrAction) -> Option<HandTiles> {
        let claim = |set: fn(Kind) -> DeclaredSet, of: Option<Kind>| {
            let (_, tile) = self.claimed(self.seat).ok()?;
            let set = set(of.unwrap_or(tile));
            let mut own: ArrayVec<Kind, 4> = set
                .tiles()
                .flat_map(|(kind, count)| std::iter::repeat_n(kind, usize::from(count)))
                .collect();
            own.remove(own.iter().position(|&kind| kind == tile)?);
            self.hand.changed(&own, Some(set))
        };
        match action {
            McrAction::ConcealedKong(tile) => self
                .hand
                .changed(&[tile; 4], Some(DeclaredSet::ConcealedKong(tile))),
            McrAction::AddKong(tile) => self.hand.with_added(tile),
            McrAction::ClaimKong => claim(DeclaredSet::MeldedKong, None),
            McrAction::ClaimPung { .. } => claim(DeclaredSet::Pung, None),
            McrAction::ClaimChow { middle, .. } => claim(DeclaredSet::Chow, Some(middle)),
            McrAction::Discard(_) | McrAction::Pass | McrAction::Win => Some(self.hand.clone()),
        }
    }

    /// Takes in an event.
    ///
    /// # Errors
    ///
    /// If the event contradicts earlier ones; the state is then unchanged.
    pub fn apply(&mut self, event: &McrEvent) -> Result<(), McrContradiction> {
        let stage = self.stage;
        self.take(event).map_err(|why| McrContradiction {
            seat: self.seat,
            event: event.clone(),
            stage,
            why,
        })
    }

    /// All steps that can fail come before any change.
    fn take(&mut self, event: &McrEvent) -> Result<(), &'static str> {
        let undealt = self.stage == McrStage::Undealt;
        if undealt != matches!(event, McrEvent::Dealt { .. }) {
            return Err(if undealt {
                "nothing is dealt yet"
            } else {
                "it was dealt already"
            });
        }
        match *event {
            McrEvent::Dealt {
                prevalent_wind,
                hand,
                flowers,
            } => {
                let hand = HandTiles::new(hand, &[])
                    .ok()
                    .filter(|hand| !hand.is_full())
                    .ok_or("13 tiles are dealt, at most four of a kind")?;
                if flowers
                    .iter()
                    .map(|&flowers| u32::from(flowers))
                    .sum::<u32>()
                    > u32::from(FLOWERS)
                {
                    return Err("more flowers than there are");
                }
                let mut walls = [0; 4];
                for ((wall, public), flowers) in walls.iter_mut().zip(&self.seats).zip(flowers) {
                    *wall = public
                        .wall
                        .checked_sub(13 + flowers)
                        .ok_or("its wall is empty")?;
                }
                for ((public, wall), flowers) in self.seats.iter_mut().zip(walls).zip(flowers) {
                    public.wall = wall;
                    public.flowers = flowers;
                    public.concealed = 13;
                }
                (self.prevalent_wind, self.hand) = (prevalent_wind, hand);
                self.stage = McrStage::Drawing;
            }
            McrEvent::Drawn { seat, tile } => {
                let wall = self.wall_after_draw(seat)?;
                let tile = tile.filter(|_| seat == self.seat);
                if seat == self.seat {
                    let tile = tile.ok_or("the own tile is hidden")?;
                    self.hand = self
                        .hand
                        .with(tile)
                        .ok_or("the hand has its 14 tiles, or four of the kind")?;
                }
                self.pass_by();
                let public = &mut self.seats[seat.index()];
                public.wall = wall;
                public.concealed += 1;
                self.stage = McrStage::Drawn { seat, tile };
            }
            McrEvent::FlowerDrawn { seat, .. } => {
                let wall = self.wall_after_draw(seat)?;
                self.pass_by();
                let public = &mut self.seats[seat.index()];
                public.wall = wall;
                public.flowers += 1;
                // A replacement for a flower is no replacement for a kong.
                self.replacement = false;
                self.stage = McrStage::Drawing;
            }
            McrEvent::Discarded { seat, tile } => {
                self.needs_draw(seat)?;
                let kept = self.kept(seat).discarding(tile)?;
                self.discard(seat, tile, kept);
            }
            McrEvent::PungClaimed { seat, discard } => {
                let (from, tile) = self.claimed(seat)?;
                let set = DeclaredSet::Pung(tile);
                let kept = self
                    .kept(seat)
                    .declaring(set, &[tile, tile])?
                    .discarding(discard)?;
                self.declare(seat, set, from);
                self.shown[tile] += 3;
                self.discard(seat, discard, kept);
            }
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } => {
                let (from, tile) = self.claimed(seat)?;
                let set = DeclaredSet::Chow(middle);
                let mut own: ArrayVec<Kind, 3> = set.tiles().map(|(kind, _)| kind).collect();
                let place = own
                    .iter()
                    .position(|&kind| kind == tile)
                    .filter(|_| own.len() == 3);
                own.remove(place.ok_or("the discard is not in the chow")?);
                let kept = self.kept(seat).declaring(set, &own)?.discarding(discard)?;
                self.declare(seat, set, from);
                for (kind, _) in set.tiles() {
                    self.shown[kind] += 1;
                }
                self.discard(seat, discard, kept);
            }
            McrEvent::KongClaimed { seat } => {
                let (from, tile) = self.claimed(seat)?;
                let set = DeclaredSet::MeldedKong(tile);
                let kept = self.kept(seat).declaring(set, &[tile; 3])?;
                self.declare(seat, set, from);
                self.keep(seat, kept);
                self.shown[tile] = 4;
                self.replacement = true;
                self.stage = McrStage::Drawing;
            }
            McrEvent::ConcealedKong { seat, tile } => {
                self.needs_draw(seat)?;
                let own = tile.filter(|_| seat == self.seat);
                if seat == self.seat && own.is_none() {
                    return Err("the own tile is hidden");
                }
                // Which tile it is counts for the own hand alone.
                let set = DeclaredSet::ConcealedKong(own.unwrap_or(Kind::EAST));
                let kept = self.kept(seat).declaring(set, &[set.kind(); 4])?;
                self.seats[seat.index()]
                    .sets
                    .push(own.map_or(SeenSet::HiddenKong, |_| SeenSet::Known(set)));
                self.keep(seat, kept);
                self.replacement = true;
                self.stage = McrStage::Drawing;
            }
            McrEvent::KongAdded { seat, tile } => {
                self.needs_draw(seat)?;
                self.add_to_pung(seat, tile)?;
                self.shown[tile] = 4;
                self.replacement = true;
                self.stage = McrStage::KongAdded { seat, tile };
            }
            McrEvent::Over => self.stage = McrStage::Over,
        }
        Ok(())
    }

    /// A discard that no player claimed remains in the river.
    fn pass_by(&mut self) {
        if let McrStage::Discarded { tile, .. } = self.stage {
            self.shown[tile] = (self.shown[tile] + 1).min(4);
        }
    }

    fn wall_after_draw(&self, seat: Seat) -> Result<u8, &'static str> {
        self.seats[seat.index()]
            .wall
            .checked_sub(1)
            .ok_or("its wall is empty")
    }

    fn needs_draw(&self, seat: Seat) -> Result<(), &'static str> {
        match self.stage {
            McrStage::Drawn { seat: drawer, .. } if drawer == seat => Ok(()),
            _ => Err("the seat has not just drawn"),
        }
    }

    /// The discard that a seat claims, and who discarded it.
    fn claimed(&self, seat: Seat) -> Result<(Seat, Kind), &'static str> {
        match self.stage {
            McrStage::Discarded { seat: from, .. } if from == seat => {
                Err("it is the seat's own discard")
            }
            McrStage::Discarded { seat: from, tile } => Ok((from, tile)),
            _ => Err("there is no discard to claim"),
        }
    }

    /// The concealed tiles of a seat.
    fn kept(&self, seat: Seat) -> KeptTiles {
        let public = &self.seats[seat.index()];
        let hand = (seat == self.seat).then(|| self.hand.clone());
        KeptTiles {
            concealed: public.concealed,
            sets: public.sets.len(),
            hand,
        }
    }

    /// Sets the concealed tiles of a seat.
    fn keep(&mut self, seat: Seat, kept: KeptTiles) {
        self.seats[seat.index()].concealed = kept.concealed;
        if let Some(hand) = kept.hand {
            self.hand = hand;
        }
    }

    fn discard(&mut self, seat: Seat, tile: Kind, kept: KeptTiles) {
        self.keep(seat, kept);
        self.seats[seat.index()].river.push(RiverDiscard {
            tile,
            claimed: false,
        });
        self.replacement = false;
        self.stage = McrStage::Discarded { seat, tile };
    }

    /// Lays down a set with a tile claimed from a seat.
    fn declare(&mut self, seat: Seat, set: DeclaredSet, from: Seat) {
        if let Some(last) = self.seats[from.index()].river.last_mut() {
            last.claimed = true;
        }
        self.seats[seat.index()].sets.push(SeenSet::Known(set));
    }

    fn add_to_pung(&mut self, seat: Seat, tile: Kind) -> Result<(), &'static str> {
        let pung = SeenSet::Known(DeclaredSet::Pung(tile));
        let public = &mut self.seats[seat.index()];
        let place = public
            .sets
            .iter()
            .position(|&set| set == pung)
            .ok_or("it has no such pung")?;
        let concealed = public
            .concealed
            .checked_sub(1)
            .ok_or("it has fewer tiles")?;
        if seat == self.seat {
            self.hand = self
                .hand
                .with_added(tile)
                .ok_or("the tile is not in the hand")?;
        }
        public.sets[place] = SeenSet::Known(DeclaredSet::MeldedKong(tile));
        public.concealed = concealed;
        Ok(())
    }
}

/// The concealed tiles of a seat after an event; computed before the event takes effect.
struct KeptTiles {
    concealed: u8,
    /// Number of declared sets.
    sets: usize,
    /// Only for the own seat.
    hand: Option<HandTiles>,
}

impl KeptTiles {
    /// After a discard.
    fn discarding(mut self, tile: Kind) -> Result<Self, &'static str> {
        self.concealed = self.concealed.checked_sub(1).ok_or("it has fewer tiles")?;
        if let Some(hand) = &mut self.hand {
            *hand = hand
                .changed(&[tile], None)
                .ok_or("the tile is not in the hand")?;
        }
        Ok(self)
    }

    /// After a set is laid down with these own tiles.
    fn declaring(mut self, set: DeclaredSet, own: &[Kind]) -> Result<Self, &'static str> {
        if self.sets == MAX_SETS {
            return Err("it has four sets");
        }
        self.sets += 1;
        self.concealed = self
            .concealed
            .checked_sub(own.len() as u8)
            .ok_or("it has fewer tiles")?;
        if let Some(hand) = &mut self.hand {
            *hand = hand
                .changed(own, Some(set))
                .ok_or("the tiles are not in the hand")?;
        }
        Ok(self)
    }
}

impl SeatTable for McrSeatState {
    type Event = McrEvent;
    type Action = McrAction;
    type Contradiction = McrContradiction;

    fn apply(&mut self, event: &McrEvent) -> Result<(), McrContradiction> {
        self.apply(event)
    }

    fn legal(&self) -> Vec<McrAction> {
        self.legal()
    }

    fn safe(&self, legal: &[McrAction]) -> Option<usize> {
        let safe = safe_mcr_answer(legal, self.drawn())?;
        legal.iter().position(|&action| action == safe)
    }
}
