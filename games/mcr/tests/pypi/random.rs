//! Random wins that can be repeated, each aimed at a fan when that is asked for.

use game_core::rng::Rng;
use mcr::count::WinToCount;
use mcr::{Counting, DeclaredSet, Fan, HandTiles, count_fan};
use tiles::{Counts, Kind, Wind};

/// A win with all that its fan depend on.
#[derive(Debug, Clone)]
pub(crate) struct RandomWin {
    pub(crate) hand: HandTiles,
    pub(crate) tile: Kind,
    pub(crate) self_drawn: bool,
    pub(crate) fourth: bool,
    pub(crate) about_kong: bool,
    pub(crate) wall_last: bool,
    pub(crate) seat_wind: Wind,
    pub(crate) prevalent_wind: Wind,
    pub(crate) flowers: u8,
}

/// A set by the index of its lowest tile.
#[derive(Debug, Clone, Copy)]
enum Part {
    Chow(usize),
    Pung(usize),
}

/// The parts of a hand: fixed sets, and the kinds for the other sets.
struct WinPlan {
    parts: Vec<Part>,
    kinds: Vec<usize>,
    pair: Option<usize>,
    /// Sets of concealed tiles only that are none of the standard form.
    special: Option<Vec<usize>>,
    /// The probabilities that another set is a chow, a set is declared, a declared pung is a kong,
    /// a kong is concealed.
    chows: f64,
    declared: f64,
    kongs: f64,
    concealed_kongs: f64,
}

fn suited(ranks: &[usize]) -> Vec<usize> {
    (0..3)
        .flat_map(|suit| ranks.iter().map(move |rank| 9 * suit + rank - 1))
        .collect()
}

impl RandomWin {
    /// A win; if a fan is given, one that counts it.
    pub(crate) fn new(random: &mut Rng, aim: Option<Fan>) -> Self {
        for _ in 0..20_000 {
            let Some(win) = Self::build(random, aim) else {
                continue;
            };
            let Some(count) = count_fan(&win.to_count(), Counting::Judge) else {
                continue;
            };
            if aim.is_none_or(|aim| count.times(aim) > 0) {
                return win;
            }
        }
        unreachable!("no win with {aim:?}")
    }

    pub(crate) fn to_count(&self) -> WinToCount<'_> {
        WinToCount {
            hand: &self.hand,
            tile: self.tile,
            self_drawn: self.self_drawn,
            fourth: self.fourth,
            about_kong: self.about_kong,
            wall_last: self.wall_last,
            seat_wind: self.seat_wind,
            prevalent_wind: self.prevalent_wind,
            flowers: self.flowers,
        }
    }

    fn build(random: &mut Rng, aim: Option<Fan>) -> Option<Self> {
        let plan = WinPlan::new(random, aim);
        let mut concealed = Counts::EMPTY;
        let mut sets = Vec::new();
        if let Some(kinds) = &plan.special {
            kinds.iter().for_each(|&index| concealed.0[index] += 1);
        }
        let mut parts = plan.parts.clone();
        let wanted = match &plan.special {
            None => 4,
            Some(kinds) if kinds.len() == 9 => 1,
            Some(_) => parts.len(),
        };
        while parts.len() < wanted {
            let chow = random.unit() < plan.chows;
            let first = *random.pick(&plan.kinds)?;
            let fits = first < 27
                && first % 9 < 7
                && plan.kinds.contains(&(first + 1))
                && plan.kinds.contains(&(first + 2));
            parts.push(if chow && fits {
                Part::Chow(first)
            } else {
                Part::Pung(first)
            });
        }
        for part in parts {
            let kind = |index: usize| Kind::new(index as u8);
            if random.unit() < plan.declared {
                sets.push(match part {
                    Part::Chow(first) => DeclaredSet::Chow(kind(first + 1)?),
                    Part::Pung(index) if random.unit() >= plan.kongs => {
                        DeclaredSet::Pung(kind(index)?)
                    }
                    Part::Pung(index) if random.unit() < plan.concealed_kongs => {
                        DeclaredSet::ConcealedKong(kind(index)?)
                    }
                    Part::Pung(index) => DeclaredSet::MeldedKong(kind(index)?),
                });
            } else {
                match part {
                    Part::Chow(first) => {
                        (first..first + 3).for_each(|index| concealed.0[index] += 1)
                    }
                    Part::Pung(index) => concealed.0[index] += 3,
                }
            }
        }
        if plan.special.as_ref().is_none_or(|kinds| kinds.len() == 9) {
            concealed.0[plan.pair.or_else(|| random.pick(&plan.kinds).copied())?] += 2;
        }
        let held: Vec<Kind> = Kind::all()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(concealed[kind])))
            .collect();
        let mut tile = *random.pick(&held)?;
        if aim == Some(Fan::NineGates) {
            // The one that leaves 1112345678999.
            let first = 9 * (tile.index() / 9);
            tile = Kind::all().find(|kind| {
                let gates = [3, 1, 1, 1, 1, 1, 1, 1, 3];
                kind.index() >= first
                    && kind.index() < first + 9
                    && concealed[*kind] > gates[kind.index() - first]
            })?;
        }
        concealed[tile] -= 1;
        let hand = HandTiles::new(concealed, &sets).ok()?;
        let fits = hand.with(tile).is_some();
        let mut chance = |share: f64| random.unit() < share;
        let win = Self {
            hand,
            tile,
            self_drawn: chance(0.45),
            fourth: chance(0.15),
            about_kong: chance(0.15),
            wall_last: chance(0.1),
            seat_wind: Wind::ALL[random.below(4)],
            prevalent_wind: Wind::ALL[random.below(4)],
            flowers: [0, 0, 0, 0, 0, 1, 3, 8][random.below(8)],
        };
        fits.then_some(win)
    }
}

impl WinPlan {
    fn new(random: &mut Rng, aim: Option<Fan>) -> Self {
        let mut plan = Self {
            parts: Vec::new(),
            kinds: (0..34).collect(),
            pair: None,
            special: None,
            chows: [0.2, 0.7, 0.95][random.below(3)],
            declared: random.unit(),
            kongs: 0.25,
            concealed_kongs: 0.5,
        };
        match aim {
            None => plan.of_any_kind(random),
            Some(aim) => plan.aim_at(aim, random),
        }
        plan
    }

    fn of_any_kind(&mut self, random: &mut Rng) {
        match random.below(20) {
            0 => self.pairs(random, 34),
            1 => self.knitted(random),
            2 => self.scattered(random),
            _ => {
                // Tiles from few kinds make the rarer fan likely.
                let suits: &[usize] = [
                    &[0][..],
                    &[1],
                    &[2],
                    &[0, 1],
                    &[1, 2],
                    &[0, 1, 2],
                    &[0, 1, 2],
                ][random.below(7)];
                let ranks: &[usize] = [
                    &[1, 2, 3, 4, 5, 6, 7, 8, 9][..],
                    &[1, 2, 3, 4, 5, 6, 7, 8, 9],
                    &[1, 2, 3, 4],
                    &[6, 7, 8, 9],
                    &[4, 5, 6],
                    &[2, 4, 6, 8],
                    &[1, 9],
                ][random.below(7)];
                self.kinds = suits
                    .iter()
                    .flat_map(|suit| ranks.iter().map(move |rank| 9 * suit + rank - 1))
                    .collect();
                if random.below(3) == 0 {
                    self.kinds.extend(27..34);
                }
            }
        }
    }

    fn pairs(&mut self, random: &mut Rng, kinds: usize) {
        let first = random.below(34 - kinds + 1);
        self.special = Some(
            (0..7)
                .flat_map(|_| [first + random.below(kinds); 2])
                .collect(),
        );
    }

    fn straight(random: &mut Rng) -> Vec<usize> {
        let mut suits = [0, 1, 2];
        random.shuffle(&mut suits);
        (0..3)
            .flat_map(|part| (0..3).map(move |step| 9 * suits[part] + part + 3 * step))
            .collect()
    }

    fn knitted(&mut self, random: &mut Rng) {
        self.special = Some(Self::straight(random));
        self.declared *= 0.8;
    }

    fn scattered(&mut self, random: &mut Rng) {
        let mut kinds = Self::straight(random);
        kinds.extend(27..34);
        random.shuffle(&mut kinds);
        kinds.truncate(14);
        self.special = Some(kinds);
    }

    fn aim_at(&mut self, aim: Fan, random: &mut Rng) {
        let suit = 9 * random.below(3);
        let mut suits = [0, 9, 18];
        random.shuffle(&mut suits);
        let some_of = |random: &mut Rng, kinds: std::ops::Range<usize>, count: usize| {
            let mut kinds: Vec<usize> = kinds.collect();
            random.shuffle(&mut kinds);
            kinds.into_iter().take(count).collect::<Vec<_>>()
        };
        let pungs = |kinds: Vec<usize>| kinds.into_iter().map(Part::Pung).collect::<Vec<_>>();
        let one_suit: Vec<usize> = (suit..suit + 9).collect();
        match aim {
            Fan::BigFourWinds => self.parts = pungs((27..31).collect()),
            Fan::BigThreeDragons => self.parts = pungs((31..34).collect()),
            Fan::AllGreen => self.kinds = vec![19, 20, 21, 23, 25, 32],
            Fan::NineGates => {
                let extra = suit + random.below(9);
                let held = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8];
                self.special = Some(
                    held.into_iter()
                        .map(|rank| suit + rank)
                        .chain([extra])
                        .collect(),
                );
            }
            Fan::FourKongs | Fan::ThreeKongs => {
                (self.chows, self.declared, self.kongs) = (0.1, 0.95, 0.95);
                self.concealed_kongs = random.unit();
            }
            Fan::SevenShiftedPairs => {
                let first = suit + random.below(3);
                self.special = Some((first..first + 7).flat_map(|index| [index; 2]).collect());
            }
            Fan::ThirteenOrphans => {
                let mut kinds = suited(&[1, 9]);
                kinds.extend(27..34);
                kinds.push(kinds[random.below(13)]);
                self.special = Some(kinds);
            }
            Fan::AllTerminals | Fan::TriplePung if random.below(2) == 0 => {
                (self.kinds, self.chows) = (suited(&[1, 9]), 0.0);
            }
            Fan::AllTerminals => {
                self.special = Some(
                    suited(&[1, 9, 1, 9])
                        .into_iter()
                        .chain([suit, suit])
                        .collect(),
                )
            }
            Fan::LittleFourWinds => {
                let winds = some_of(random, 27..31, 4);
                self.pair = Some(winds[3]);
                self.parts = pungs(winds[..3].to_vec());
            }
            Fan::LittleThreeDragons => {
                let dragons = some_of(random, 31..34, 3);
                self.pair = Some(dragons[2]);
                self.parts = pungs(dragons[..2].to_vec());
            }
            Fan::AllHonors => {
                self.kinds = (27..34).collect();
                if random.below(8) == 0 {
                    self.special = Some((27..34).flat_map(|index| [index; 2]).collect());
                }
            }
            Fan::FourConcealedPungs | Fan::ThreeConcealedPungs => {
                (self.chows, self.declared, self.kongs, self.concealed_kongs) =
                    (0.1, 0.4, 1.0, 1.0);
            }
            Fan::PureTerminalChows => {
                self.parts = [0, 0, 6, 6].map(|rank| Part::Chow(suit + rank)).to_vec();
                self.pair = Some(suit + 4);
            }
            Fan::QuadrupleChow => self.parts = vec![Part::Chow(suit + random.below(7)); 4],
            Fan::FourPureShiftedPungs => {
                let first = suit + random.below(6);
                self.parts = pungs((first..first + 4).collect());
            }
            Fan::FourPureShiftedChows => {
                let step = 1 + random.below(2);
                let first = suit + random.below(7 - 3 * step);
                self.parts = (0..4)
                    .map(|place| Part::Chow(first + step * place))
                    .collect();
            }
            Fan::AllTerminalsAndHonors => {
                (self.kinds, self.chows) = (suited(&[1, 9]), 0.0);
                self.kinds.extend(27..34);
            }
            Fan::SevenPairs => {
                let kinds = [34, 34, 27, 9][random.below(4)];
                self.pairs(random, kinds);
            }
            Fan::GreaterHonorsAndKnittedTiles => {
                let mut kinds = Self::straight(random);
                random.shuffle(&mut kinds);
                kinds.truncate(7);
                kinds.extend(27..34);
                self.special = Some(kinds);
            }
            Fan::AllEvenPungs => (self.kinds, self.chows) = (suited(&[2, 4, 6, 8]), 0.0),
            Fan::FullFlush | Fan::HalfFlush | Fan::PureDoubleChow | Fan::TileHog => {
                self.kinds = one_suit;
                if aim == Fan::HalfFlush {
                    self.kinds.extend(27..34);
                }
            }
            Fan::PureTripleChow => self.parts = vec![Part::Chow(suit + random.below(7)); 3],
            Fan::PureShiftedPungs => {
                let first = suit + random.below(7);
                self.parts = pungs((first..first + 3).collect());
            }
            Fan::UpperTiles => self.kinds = suited(&[7, 8, 9]),
            Fan::MiddleTiles => self.kinds = suited(&[4, 5, 6]),
            Fan::LowerTiles => self.kinds = suited(&[1, 2, 3]),
            Fan::UpperFour => self.kinds = suited(&[6, 7, 8, 9]),
            Fan::LowerFour => self.kinds = suited(&[1, 2, 3, 4]),
            Fan::PureStraight => {
                self.parts = [0, 3, 6].map(|rank| Part::Chow(suit + rank)).to_vec()
            }
            Fan::ThreeSuitedTerminalChows => {
                self.parts = [suits[0], suits[0] + 6, suits[1], suits[1] + 6]
                    .map(Part::Chow)
                    .to_vec();
                self.pair = Some(suits[2] + 4);
            }
            Fan::PureShiftedChows => {
                let step = 1 + random.below(2);
                let first = suit + random.below(7 - 2 * step);
                self.parts = (0..3)
                    .map(|place| Part::Chow(first + step * place))
                    .collect();
            }
            Fan::AllFive => {
                self.parts = (0..4)
                    .map(|_| {
                        let suit = 9 * random.below(3);
                        if random.below(4) == 0 {
                            Part::Pung(suit + 4)
                        } else {
                            Part::Chow(suit + 2 + random.below(3))
                        }
                    })
                    .collect();
                self.pair = Some(suit + 4);
            }
            Fan::TriplePung => {
                let rank = random.below(9);
                self.parts = pungs(suits.map(|suit| suit + rank).to_vec());
            }
            Fan::LesserHonorsAndKnittedTiles => self.scattered(random),
            Fan::KnittedStraight => self.knitted(random),
            Fan::BigThreeWinds => self.parts = pungs(some_of(random, 27..31, 3)),
            Fan::MixedStraight => {
                self.parts = [suits[0], suits[1] + 3, suits[2] + 6]
                    .map(Part::Chow)
                    .to_vec();
            }
            Fan::ReversibleTiles => {
                self.kinds = vec![9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 31]
            }
            Fan::MixedTripleChow => {
                let rank = random.below(7);
                self.parts = suits.map(|suit| Part::Chow(suit + rank)).to_vec();
            }
            Fan::MixedShiftedPungs | Fan::MixedShiftedChows => {
                let first = random.below(if aim == Fan::MixedShiftedPungs { 7 } else { 5 });
                let make = if aim == Fan::MixedShiftedPungs {
                    Part::Pung
                } else {
                    Part::Chow
                };
                self.parts = (0..3)
                    .map(|place| make(suits[place] + first + place))
                    .collect();
            }
            Fan::ChickenHand => {
                self.pair = Some(27 + random.below(7));
                (self.kinds, self.chows, self.declared, self.kongs) =
                    ((0..27).collect(), 0.75, 0.6, 0.0);
            }
            Fan::AllPungs | Fan::PungOfTerminalsOrHonors => self.chows = 0.0,
            Fan::AllTypes => {
                self.parts = vec![
                    Part::Chow(random.below(7)),
                    Part::Chow(9 + random.below(7)),
                    Part::Pung(18 + random.below(9)),
                ];
                self.parts.push(Part::Pung(27 + random.below(4)));
                self.pair = Some(31 + random.below(3));
            }
            Fan::MeldedHand => self.declared = 1.0,
            Fan::TwoConcealedKongs | Fan::ConcealedKong => {
                (self.chows, self.declared, self.kongs, self.concealed_kongs) =
                    (0.4, 0.5, 0.9, 1.0);
            }
            Fan::TwoMeldedKongs | Fan::MeldedKong => {
                (self.chows, self.declared, self.kongs, self.concealed_kongs) =
                    (0.4, 0.6, 0.9, 0.0);
            }
            Fan::ConcealedKongAndMeldedKong => {
                (self.chows, self.declared, self.kongs) = (0.4, 0.6, 0.9)
            }
            Fan::TwoDragonsPungs => self.parts = pungs(some_of(random, 31..34, 2)),
            Fan::OutsideHand => {
                self.kinds = suited(&[1, 2, 3, 7, 8, 9]);
                self.parts = vec![
                    Part::Chow(suit + 6 * random.below(2)),
                    Part::Chow(suits[0] + 6 * random.below(2)),
                ];
                self.pair = Some(suits[1] + 8 * random.below(2));
            }
            Fan::DragonPung => self.parts = pungs(some_of(random, 31..34, 1)),
            Fan::PrevalentWind | Fan::SeatWind => self.parts = pungs(some_of(random, 27..31, 2)),
            Fan::ConcealedHand | Fan::FullyConcealedHand | Fan::TwoConcealedPungs => {
                self.declared = 0.0
            }
            Fan::AllChows => (self.kinds, self.chows) = ((0..27).collect(), 1.0),
            Fan::DoublePung => {
                let rank = random.below(9);
                self.parts = pungs(vec![suits[0] + rank, suits[1] + rank]);
            }
            Fan::AllSimples => self.kinds = suited(&[2, 3, 4, 5, 6, 7, 8]),
            Fan::MixedDoubleChow => {
                let rank = random.below(7);
                self.parts = vec![Part::Chow(suits[0] + rank), Part::Chow(suits[1] + rank)];
            }
            Fan::ShortStraight => {
                let first = suit + random.below(4);
                self.parts = vec![Part::Chow(first), Part::Chow(first + 3)];
            }
            Fan::TwoTerminalChows => self.parts = vec![Part::Chow(suit), Part::Chow(suit + 6)],
            Fan::OneVoidedSuit | Fan::NoHonors => self.kinds = (0..18).collect(),
            Fan::EdgeWait | Fan::ClosedWait => (self.kinds, self.chows) = ((0..27).collect(), 0.9),
            Fan::LastTileDraw
            | Fan::LastTileClaim
            | Fan::OutWithReplacementTile
            | Fan::RobbingTheKong
            | Fan::LastTile
            | Fan::SingleWait
            | Fan::SelfDrawn
            | Fan::FlowerTiles => {}
        }
    }
}
