//! The whole game with its walls, as Botzone's judge plays it: one hand, four walls, answers
//! handled in the judge's order.
//!
//! All four seats answer each time ([`McrGame::answer`]). The first illegal answer in that order
//! ends the hand with the judge's penalty; later answers cost nothing.

use std::borrow::Cow;
use std::convert::Infallible;

use arrayvec::ArrayVec;
use game_core::rng::Rng;
use game_core::{Seat, WholeGame};
use tiles::{Counts, Kind, Wind};

use crate::count::FanCount;
use crate::event::{FLOWERS, Flower, McrAction, McrEvent, PLAYERS};
use crate::hand::{DeclaredSet, HandTiles};
use crate::seat::{McrRules, McrSeatState, McrStage, SeenSet};

/// The payment of each seat for a win besides its fan (the rules, p. 22).
const BASE: i32 = 8;
/// The penalty for a fault; each of the others gains it.
const PENALTY: i32 = 30;

/// A tile in a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WallTile {
    /// One of the 34 kinds.
    Tile(Kind),
    /// A flower, which is laid down and replaced.
    Flower(Flower),
}

/// The walls of the four seats, each drawn from its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McrWalls([Vec<WallTile>; 4]);

/// The reason why tiles are not the walls of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotWalls {
    /// A wall has the wrong length.
    #[error("{found} tiles in the wall of seat {seat}; allowed are {allowed}")]
    Length {
        /// The owner of the wall.
        seat: Seat,
        /// Its number of tiles.
        found: usize,
        /// The required number.
        allowed: u8,
    },
    /// A kind has not four tiles.
    #[error("{found} of {kind} in the walls; there are 4 of each kind")]
    Kind {
        /// The kind.
        kind: Kind,
        /// The number found.
        found: u8,
    },
    /// A flower is duplicated or missing.
    #[error(
        "flower {number} is in the walls {found} times; a game with flowers has each once, other games none"
    )]
    Flower {
        /// The flower's number.
        number: u8,
        /// The number found.
        found: usize,
    },
}

impl McrWalls {
    /// Walls with these tiles, each drawn from its end.
    ///
    /// # Errors
    ///
    /// If they do not contain each tile of the game once.
    pub fn new(walls: [Vec<WallTile>; 4], rules: McrRules) -> Result<Self, NotWalls> {
        for (seat, wall) in Seat::all(PLAYERS).zip(&walls) {
            if wall.len() != usize::from(rules.wall()) {
                return Err(NotWalls::Length {
                    seat,
                    found: wall.len(),
                    allowed: rules.wall(),
                });
            }
        }
        let all = || walls.iter().flatten();
        let counts: Counts = all()
            .filter_map(|tile| match tile {
                WallTile::Tile(kind) => Some(*kind),
                WallTile::Flower(_) => None,
            })
            .collect();
        if let Some(kind) = Kind::all().find(|&kind| counts[kind] != 4) {
            return Err(NotWalls::Kind {
                kind,
                found: counts[kind],
            });
        }
        for flower in (1..=8).filter_map(Flower::new) {
            let found = all()
                .filter(|&&tile| tile == WallTile::Flower(flower))
                .count();
            if found != usize::from(rules.flowers) {
                return Err(NotWalls::Flower {
                    number: flower.number(),
                    found,
                });
            }
        }
        Ok(Self(walls))
    }

    /// The walls of a seed; the same seed gives the same walls.
    pub fn shuffled(seed: u64, rules: McrRules) -> Self {
        let mut tiles: Vec<WallTile> = Kind::all()
            .flat_map(|kind| [WallTile::Tile(kind); 4])
            .collect();
        if rules.flowers {
            tiles.extend((1..=8).filter_map(Flower::new).map(WallTile::Flower));
        }
        Rng::keyed(&[SHUFFLE, seed]).shuffle(&mut tiles);
        let length = usize::from(rules.wall());
        Self(std::array::from_fn(|seat| {
            tiles[seat * length..(seat + 1) * length].to_vec()
        }))
    }

    /// The wall of a seat, drawn from its end.
    pub fn of(&self, seat: Seat) -> &[WallTile] {
        &self.0[seat.index()]
    }
}

/// Separates the walls from other uses of a seed.
const SHUFFLE: u64 = 0x6373_7761_6c6c;

/// The way a hand was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WonWith {
    /// A tile the winner drew.
    Draw,
    /// A discard.
    Discard,
    /// The tile of a kong that was robbed.
    RobbedKong,
}

/// The end of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McrEnd {
    /// A seat won.
    Won {
        /// The seat.
        winner: Seat,
        /// The discarder of the tile; the winner itself by a draw.
        from: Seat,
        /// The way of the win.
        with: WonWith,
        /// The tile.
        tile: Kind,
        /// The fan.
        fan: Box<FanCount>,
    },
    /// A seat had to draw, and its wall was empty.
    Drawn,
    /// A seat gave an illegal answer.
    Fault {
        /// The seat.
        seat: Seat,
        /// Whether it claimed an invalid win (Botzone's `WH`; otherwise `WA`).
        wrong_win: bool,
    },
}

impl McrEnd {
    /// The gain or loss of each seat.
    pub fn scores(&self) -> [i32; 4] {
        match *self {
            Self::Drawn => [0; 4],
            Self::Fault { seat, .. } => {
                let mut scores = [PENALTY / 3; 4];
                scores[seat.index()] = -PENALTY;
                scores
            }
            Self::Won {
                winner,
                from,
                ref fan,
                ..
            } => Self::win_scores(winner, from, fan.total()),
        }
    }

    /// The gain or loss of each seat by a win with this many fan on a tile of `from`; the winner
    /// itself by a draw.
    pub fn win_scores(winner: Seat, from: Seat, fan: u16) -> [i32; 4] {
        let fan = i32::from(fan);
        let mut scores = if winner == from {
            [-(BASE + fan); 4]
        } else {
            [-BASE; 4]
        };
        if winner != from {
            scores[from.index()] -= fan;
        }
        scores[winner.index()] = 0;
        scores[winner.index()] = -scores.iter().sum::<i32>();
        scores
    }
}

/// A hand in progress, with its walls.
#[derive(Debug, Clone)]
pub struct McrGame {
    walls: McrWalls,
    seats: [McrSeatState; 4],
    /// All events, with nothing hidden.
    events: Vec<McrEvent>,
    /// Number of events before the last answers.
    before_answers: usize,
    prevalent_wind: Wind,
    /// The tiles dealt to each seat, and the flowers laid down meanwhile.
    hands: [Counts; 4],
    flowers: [u8; 4],
    stage: GameStage,
}

/// The kind of answers that are expected.
#[derive(Debug, Clone)]
enum GameStage {
    /// A seat has drawn.
    Turn(Seat),
    /// A seat has discarded.
    Claims(Seat),
    /// A seat has declared a kong; whether it can be robbed.
    Kong(Seat, bool),
    /// A seat has laid down a flower.
    Flower(Seat),
    Ended(McrEnd),
}

impl McrGame {
    /// Deals, and draws the first tile of seat 0.
    pub fn new(mut walls: McrWalls, prevalent_wind: Wind, rules: McrRules) -> Self {
        let mut hands = [Counts::EMPTY; 4];
        let mut flowers = [0; 4];
        for seat in 0..4 {
            while hands[seat].total() < 13 {
                match walls.0[seat].pop() {
                    Some(WallTile::Tile(kind)) => hands[seat][kind] += 1,
                    Some(WallTile::Flower(_)) => flowers[seat] += 1,
                    None => break,
                }
            }
        }
        let seats = std::array::from_fn(|index| {
            let mut seat = McrSeatState::new(Seat::new(index as u8).unwrap_or(Seat::FIRST), rules);
            let deal = McrEvent::Dealt {
                prevalent_wind,
                hand: hands[index],
                flowers,
            };
            seat.apply(&deal).expect("walls hold four of each kind");
            seat
        });
        let mut game = Self {
            walls,
            seats,
            events: Vec::new(),
            before_answers: 0,
            prevalent_wind,
            hands,
            flowers,
            stage: GameStage::Turn(Seat::FIRST),
        };
        game.draw(Seat::FIRST);
        game
    }

    /// The game from a decision of a seat, with random hidden tiles: any tile that the seat does
    /// not see may be in any hand and any wall. `None` if no seat has to answer, or no tiles fit.
    /// The events before are not announced.
    pub fn from_seat(own: &McrSeatState, rng: &mut Rng) -> Option<Self> {
        let stage = match own.stage() {
            McrStage::Drawn {
                seat,
                tile: Some(_),
            } => GameStage::Turn(seat),
            McrStage::Discarded { seat, .. } => GameStage::Claims(seat),
            McrStage::KongAdded { seat, .. } => GameStage::Kong(seat, true),
            _ => return None,
        };
        let mut unseen = own.unseen();
        let sets_of =
            |seat: Seat, unseen: &mut Counts, rng: &mut Rng| -> Option<Vec<DeclaredSet>> {
                let set = |set: &SeenSet| match *set {
                    SeenSet::Known(set) => Some(set),
                    SeenSet::HiddenKong => {
                        let whole: Vec<Kind> =
                            Kind::all().filter(|&kind| unseen[kind] == 4).collect();
                        let kind = *rng.pick(&whole)?;
                        unseen[kind] = 0;
                        Some(DeclaredSet::ConcealedKong(kind))
                    }
                };
                own.public(seat).sets.iter().map(set).collect()
            };
        let mut sets = Vec::new();
        for seat in Seat::all(PLAYERS) {
            sets.push(sets_of(seat, &mut unseen, rng)?);
        }
        let mut pool: Vec<Kind> = Kind::all()
            .flat_map(|kind| std::iter::repeat_n(kind, unseen[kind].into()))
            .collect();
        rng.shuffle(&mut pool);
        let mut seats = Vec::new();
        for (seat, sets) in Seat::all(PLAYERS).zip(&sets) {
            if seat == own.seat() {
                seats.push(own.clone());
                continue;
            }
            let kept = pool.len().checked_sub(own.public(seat).concealed.into())?;
            let hand = HandTiles::new(pool.split_off(kept).into_iter().collect(), sets).ok()?;
            seats.push(own.seen_from(seat, hand));
        }
        let laid: u8 = Seat::all(PLAYERS)
            .map(|seat| own.public(seat).flowers)
            .sum();
        let left = if own.rules().flowers {
            FLOWERS.saturating_sub(laid)
        } else {
            0
        };
        let flowers = (1..=left).filter_map(Flower::new).map(WallTile::Flower);
        let mut tiles: Vec<WallTile> = pool
            .into_iter()
            .map(WallTile::Tile)
            .chain(flowers)
            .collect();
        rng.shuffle(&mut tiles);
        let mut walls: [Vec<WallTile>; 4] = Default::default();
        for (seat, wall) in Seat::all(PLAYERS).zip(&mut walls) {
            *wall = tiles.split_off(tiles.len().checked_sub(own.public(seat).wall.into())?);
        }
        let seats: [McrSeatState; 4] = seats.try_into().ok().filter(|_| tiles.is_empty())?;
        Some(Self {
            walls: McrWalls(walls),
            hands: std::array::from_fn(|seat| *seats[seat].hand().concealed()),
            flowers: Seat::all(PLAYERS)
                .map(|seat| own.public(seat).flowers)
                .collect::<ArrayVec<_, 4>>()
                .into_inner()
                .ok()?,
            prevalent_wind: own.prevalent_wind(),
            seats,
            events: Vec::new(),
            before_answers: 0,
            stage,
        })
    }

    /// The game from the point of view of a seat, with its actions in [`McrSeatState::legal`].
    pub const fn seat(&self, seat: Seat) -> &McrSeatState {
        &self.seats[seat.index()]
    }

    /// The 13 tiles that were dealt to a seat.
    pub const fn dealt(&self, seat: Seat) -> &Counts {
        &self.hands[seat.index()]
    }

    /// All events since the deal, with nothing hidden; [`McrEvent::hidden_from`] hides them.
    pub fn events(&self) -> &[McrEvent] {
        &self.events
    }

    /// The end of the hand, once it has ended.
    pub const fn end(&self) -> Option<&McrEnd> {
        match &self.stage {
            GameStage::Ended(end) => Some(end),
            _ => None,
        }
    }

    /// Applies the answers of all seats, in seat order; `None` is an answer that is not an action.
    /// Does nothing after the end.
    pub fn answer(&mut self, answers: [Option<McrAction>; 4]) {
        self.before_answers = self.events.len();
        let of = |seat: Seat| answers[seat.index()];
        match self.stage {
            GameStage::Ended(_) => {}
            GameStage::Flower(seat) => {
                if self.all_pass(Seat::all(PLAYERS), of) {
                    self.draw(seat);
                }
            }
            GameStage::Turn(seat) => self.turn(seat, of),
            GameStage::Claims(seat) => self.claims(seat, of),
            GameStage::Kong(seat, can_be_robbed) => self.kong(seat, can_be_robbed, of),
        }
    }

    /// Whether all these seats pass; the first that does not is at fault.
    fn all_pass(
        &mut self,
        seats: impl Iterator<Item = Seat>,
        of: impl Fn(Seat) -> Option<McrAction>,
    ) -> bool {
        for seat in seats {
            if of(seat) != Some(McrAction::Pass) {
                self.fault(seat, false);
                return false;
            }
        }
        true
    }

    /// Seats answer in order; a win ends the hand before later seats are considered.
    fn turn(&mut self, seat: Seat, of: impl Fn(Seat) -> Option<McrAction>) {
        let later = move |other: &Seat| other.index() > seat.index();
        if !self.all_pass(
            Seat::all(PLAYERS).filter(|other| other.index() < seat.index()),
            &of,
        ) {
            return;
        }
        let Some(action) = of(seat) else {
            return self.fault(seat, false);
        };
        if action == McrAction::Win {
            return self.win(seat, seat, WonWith::Draw);
        }
        if !self.seats[seat.index()].legal().contains(&action) {
            return self.fault(seat, false);
        }
        let (event, stage) = match action {
            McrAction::Discard(tile) => {
                (McrEvent::Discarded { seat, tile }, GameStage::Claims(seat))
            }
            McrAction::ConcealedKong(tile) => (
                McrEvent::ConcealedKong {
                    seat,
                    tile: Some(tile),
                },
                GameStage::Kong(seat, false),
            ),
            McrAction::AddKong(tile) => (
                McrEvent::KongAdded { seat, tile },
                GameStage::Kong(seat, true),
            ),
            _ => return self.fault(seat, false),
        };
        self.tell(event);
        self.stage = stage;
        self.all_pass(Seat::all(PLAYERS).filter(later), of);
    }

    /// The discarder must pass; then wins in turn order; then pungs and kongs in seat order, then
    /// chows.
    fn claims(&mut self, from: Seat, of: impl Fn(Seat) -> Option<McrAction>) {
        if of(from) != Some(McrAction::Pass) {
            return self.fault(from, false);
        }
        for seat in seats_after(from) {
            if of(seat) == Some(McrAction::Win) {
                return self.win(seat, from, WonWith::Discard);
            }
        }
        let others = || Seat::all(PLAYERS).filter(|&seat| seat != from);
        for seat in others() {
            let (event, stage) = match of(seat) {
                Some(McrAction::ClaimKong) => {
                    (McrEvent::KongClaimed { seat }, GameStage::Kong(seat, false))
                }
                Some(McrAction::ClaimPung { discard }) => (
                    McrEvent::PungClaimed { seat, discard },
                    GameStage::Claims(seat),
                ),
                Some(McrAction::Pass | McrAction::ClaimChow { .. }) => continue,
                _ => return self.fault(seat, false),
            };
            return self.claim(seat, of(seat), event, stage);
        }
        for seat in others() {
            if let Some(McrAction::ClaimChow { middle, discard }) = of(seat) {
                let event = McrEvent::ChowClaimed {
                    seat,
                    middle,
                    discard,
                };
                return self.claim(seat, of(seat), event, GameStage::Claims(seat));
            }
        }
        self.draw(from.next(PLAYERS));
    }

    fn claim(&mut self, seat: Seat, action: Option<McrAction>, event: McrEvent, stage: GameStage) {
        if action.is_some_and(|action| self.seats[seat.index()].legal().contains(&action)) {
            self.tell(event);
            self.stage = stage;
        } else {
            self.fault(seat, false);
        }
    }

    /// The seat of the kong, then the others in turn order.
    fn kong(&mut self, from: Seat, can_be_robbed: bool, of: impl Fn(Seat) -> Option<McrAction>) {
        for seat in std::iter::once(from).chain(seats_after(from)) {
            match of(seat) {
                Some(McrAction::Win) if can_be_robbed && seat != from => {
                    return self.win(seat, from, WonWith::RobbedKong);
                }
                Some(McrAction::Pass) => {}
                _ => return self.fault(seat, false),
            }
        }
        self.draw(from);
    }

    fn draw(&mut self, seat: Seat) {
        match self.walls.0[seat.index()].pop() {
            None => self.finish(McrEnd::Drawn),
            Some(WallTile::Flower(flower)) => {
                self.tell(McrEvent::FlowerDrawn { seat, flower });
                self.stage = GameStage::Flower(seat);
            }
            Some(WallTile::Tile(tile)) => {
                self.tell(McrEvent::Drawn {
                    seat,
                    tile: Some(tile),
                });
                self.stage = GameStage::Turn(seat);
            }
        }
    }

    fn win(&mut self, winner: Seat, from: Seat, with: WonWith) {
        let tile = match self.seats[winner.index()].stage() {
            McrStage::Drawn { tile, .. } => tile,
            McrStage::Discarded { tile, .. } | McrStage::KongAdded { tile, .. } => Some(tile),
            _ => None,
        };
        match (
            self.seats[winner.index()].win().filter(FanCount::is_enough),
            tile,
        ) {
            (Some(fan), Some(tile)) => self.finish(McrEnd::Won {
                winner,
                from,
                with,
                tile,
                fan: Box::new(fan),
            }),
            _ => self.fault(winner, true),
        }
    }

    fn fault(&mut self, seat: Seat, wrong_win: bool) {
        self.finish(McrEnd::Fault { seat, wrong_win });
    }

    fn finish(&mut self, end: McrEnd) {
        self.tell(McrEvent::Over);
        self.stage = GameStage::Ended(end);
    }

    fn tell(&mut self, event: McrEvent) {
        for seat in &mut self.seats {
            let heard = event.hidden_from(seat.seat());
            seat.apply(&heard)
                .expect("only legal actions are announced");
        }
        self.events.push(event);
    }
}

/// The other three seats, in turn order.
fn seats_after(seat: Seat) -> impl Iterator<Item = Seat> {
    std::iter::successors(Some(seat.next(PLAYERS)), |after| Some(after.next(PLAYERS))).take(3)
}

/// The wind of the round goes round with the walls.
impl WholeGame for McrGame {
    type Rules = McrRules;
    type Table = McrSeatState;
    /// An action that is not legal has its consequences in the game.
    type Refusal = Infallible;

    fn usual_rules(_: u8) -> McrRules {
        McrRules::default()
    }

    fn seat_count(_: &McrRules) -> usize {
        PLAYERS.into()
    }

    fn numbered(rules: McrRules, seed: u64, number: u64) -> Self {
        let walls = McrWalls::shuffled(Rng::keyed(&[seed, number]).next_u64(), rules);
        Self::new(walls, Wind::ALL[(number % 4) as usize], rules)
    }

    fn seat_table(rules: McrRules, seat: usize) -> McrSeatState {
        McrSeatState::new(Seat::at(seat).expect("there are four seats"), rules)
    }

    fn deal_for(&self, seat: usize) -> Option<McrEvent> {
        Some(McrEvent::Dealt {
            prevalent_wind: self.prevalent_wind,
            hand: self.hands[seat],
            flowers: self.flowers,
        })
    }

    fn news(&self) -> &[McrEvent] {
        &self.events[self.before_answers..]
    }

    fn heard_by(event: &McrEvent, seat: usize) -> Cow<'_, McrEvent> {
        Cow::Owned(event.hidden_from(Seat::at(seat).expect("there are four seats")))
    }

    fn table_of(&self, seat: usize) -> McrSeatState {
        self.seats[seat].clone()
    }

    /// The judge asks all seats each time.
    fn seats_asked(&self) -> impl Iterator<Item = usize> {
        0..if self.end().is_some() {
            0
        } else {
            PLAYERS.into()
        }
    }

    fn answer_all(&mut self, answers: &[(usize, McrAction)]) -> Result<(), Infallible> {
        let of = |seat| {
            answers
                .iter()
                .find(|(other, _)| *other == seat)
                .map(|&(_, action)| action)
        };
        self.answer(std::array::from_fn(of));
        Ok(())
    }

    fn end_scores(&self) -> Option<Vec<f64>> {
        self.end().map(|end| end.scores().map(f64::from).to_vec())
    }
}
