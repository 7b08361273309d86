//! Wins made to order: for each yaku hands that have it, with all that a win can be accompanied by.
//!
//! Tiles are physical ones, 0 to 135, four to a kind; the first of each five is red.

mod draft;

use riichi::score::{Dora, NoWin, Score, Win, WinSituation};
use riichi::yaku::{Declared, WinBy, Yaku};
use riichi::{Called, Hand, Kind, Meld, MeldKind, Rules, Seat, Tile, Wind};

use crate::random::SplitMix64;
use draft::Draft;

/// A complete hand, the way it is won, and its table.
#[derive(Debug, Clone)]
pub(crate) struct WinCase {
    pub(crate) rules: Rules,
    pub(crate) at: At,
    /// The seat that dealt in, if any.
    pub(crate) target: Seat,
    pub(crate) honba: u8,
    /// Closed tiles, the winning one last.
    pub(crate) closed: Vec<u8>,
    /// In the order they were called.
    pub(crate) melds: Vec<PhysicalMeld>,
    pub(crate) by: WinBy,
    pub(crate) riichi: Option<Declared>,
    pub(crate) dora_markers: Vec<u8>,
    /// As many as dora indicators.
    pub(crate) ura_markers: Vec<u8>,
    pub(crate) norths: Vec<u8>,
}

/// The winner's place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At {
    pub(crate) seat: Seat,
    pub(crate) oya: Seat,
    pub(crate) bakaze: Wind,
}

#[derive(Debug, Clone)]
pub(crate) struct PhysicalMeld {
    pub(crate) kind: MeldKind,
    /// The called one first.
    pub(crate) tiles: Vec<u8>,
    pub(crate) from: Seat,
}

pub(crate) fn kind_of(physical: u8) -> Kind {
    Kind::new(physical / 4).expect("136 tiles")
}

pub(crate) fn tile_of(physical: u8) -> Tile {
    let kind = kind_of(physical);
    match kind.suit() {
        Some(suit) if kind.number() == Some(5) && physical.is_multiple_of(4) => {
            Tile::red_five(suit).expect("three suits")
        }
        _ => kind.tile(),
    }
}

impl WinCase {
    /// A case made for a yaku, or for none; the rules' number of players is 4 or 3.
    pub(crate) fn new(random: &mut SplitMix64, rules: Rules, aim: Option<Yaku>) -> Self {
        loop {
            if let Some(case) = Self::attempt(random, rules, aim) {
                return case;
            }
        }
    }

    /// Fails where more tiles of a kind were wanted than there are, and where three players called
    /// a run.
    fn attempt(random: &mut SplitMix64, rules: Rules, aim: Option<Yaku>) -> Option<Self> {
        let seat = Seat::new(random.below(usize::from(rules.players)) as u8)?;
        let mut oya = Seat::new(random.below(usize::from(rules.players)) as u8)?;
        match aim {
            Some(Yaku::Tenhou) => oya = seat,
            Some(Yaku::Chiihou) => oya = seat.next(rules.players),
            _ => {}
        }
        let at = At {
            seat,
            oya,
            bakaze: Wind::ALL[random.below(3)],
        };
        let draft = Draft::new(random, aim, at, rules.players)?;
        if rules.players == 3 && draft.melds.iter().any(|(kind, _)| *kind == MeldKind::Chi) {
            return None;
        }
        let mut wall = Wall::new(random, rules.players);
        let mut melds = Vec::new();
        for (kind, kinds) in &draft.melds {
            let tiles = kinds
                .iter()
                .map(|&kind| wall.take(kind))
                .collect::<Option<_>>()?;
            let last = Seat::all(rules.players).find(|other| other.next(rules.players) == seat)?;
            let from = if *kind == MeldKind::Chi {
                last
            } else {
                other(random, seat, rules.players)
            };
            melds.push(PhysicalMeld {
                kind: *kind,
                tiles,
                from,
            });
        }
        let mut closed: Vec<u8> = draft
            .closed
            .iter()
            .map(|&kind| wall.take(kind))
            .collect::<Option<_>>()?;
        let winning = closed
            .iter()
            .position(|&tile| kind_of(tile) == draft.winning)?;
        let winning = closed.remove(winning);
        closed.push(winning);
        let kita = if rules.players == 3 {
            random.below(4)
        } else {
            0
        };
        let norths = (0..kita)
            .map_while(|_| wall.take(Wind::North.kind()))
            .collect();
        let held: Vec<Kind> = closed.iter().map(|&tile| kind_of(tile)).collect();
        let mut markers = || {
            (0..=[0, 0, 0, 0, 1, 1, 2, 4][random.below(8)])
                .map(|_| wall.marker(random, &rules, &held))
                .collect::<Vec<_>>()
        };
        let dora_markers = markers();
        let ura_markers = dora_markers
            .iter()
            .map(|_| wall.marker(random, &rules, &held))
            .collect();
        Some(Self {
            rules,
            at,
            target: other(random, seat, rules.players),
            honba: random.below(4) as u8,
            closed,
            melds,
            by: draft.by,
            riichi: draft.riichi,
            dora_markers,
            ura_markers,
            norths,
        })
    }

    pub(crate) fn winning(&self) -> Tile {
        self.closed
            .last()
            .map(|&tile| tile_of(tile))
            .expect("closed tiles hold the winning one")
    }

    pub(crate) fn hand(&self) -> Hand {
        Hand::from_tiles(self.closed.iter().map(|&tile| tile_of(tile)))
            .expect("four of a kind at most")
    }

    pub(crate) fn melds(&self) -> Vec<Meld> {
        let meld = |(order, meld): (usize, &PhysicalMeld)| {
            let tiles: Vec<Tile> = meld.tiles.iter().map(|&tile| tile_of(tile)).collect();
            let called = meld.kind.opens_hand().then_some(Called {
                tile: tiles[0],
                from: meld.from,
            });
            Meld::new(meld.kind, &tiles, called, order as u8)
                .unwrap_or_else(|| panic!("{tiles:?} make no meld"))
        };
        self.melds.iter().enumerate().map(meld).collect()
    }

    pub(crate) fn situation(&self) -> WinSituation {
        let At { seat, oya, bakaze } = self.at;
        WinSituation {
            rules: self.rules,
            seat,
            oya,
            bakaze,
            honba: self.honba,
            dora: self.dora(&self.dora_markers),
            kita: self.norths.len() as u8,
        }
    }

    fn dora(&self, markers: &[u8]) -> Dora {
        Dora::named_by(&self.rules, markers.iter().map(|&marker| tile_of(marker)))
    }

    /// Our value of it.
    pub(crate) fn score(&self) -> Result<Score, NoWin> {
        let (hand, melds) = (self.hand(), self.melds());
        let win = Win::of(&hand, &melds, self.winning().kind(), self.by);
        self.situation().score(&Win {
            riichi: self.riichi,
            ura: self.dora(&self.ura_markers),
            ..win
        })
    }
}

fn other(random: &mut SplitMix64, seat: Seat, players: u8) -> Seat {
    let others: Vec<Seat> = Seat::all(players).filter(|&other| other != seat).collect();
    others[random.below(others.len())]
}

/// The rest of the tiles, a list of copies for each kind in random order.
struct Wall(Vec<Vec<u8>>);

impl Wall {
    fn new(random: &mut SplitMix64, players: u8) -> Self {
        let copies = |kind: Kind| {
            if players == 3 && (1..8).contains(&kind.index()) {
                return Vec::new();
            }
            let mut copies: Vec<u8> = (0..4).map(|copy| 4 * kind.index() as u8 + copy).collect();
            (1..4).for_each(|last| copies.swap(last, random.below(last + 1)));
            copies
        };
        Self(Kind::all().map(copies).collect())
    }

    fn take(&mut self, kind: Kind) -> Option<u8> {
        self.0[kind.index()].pop()
    }

    /// An indicator, which half the time names a kind of the hand.
    fn marker(&mut self, random: &mut SplitMix64, rules: &Rules, held: &[Kind]) -> u8 {
        let wanted = held[random.below(held.len())];
        let aimed = Kind::all()
            .find(|&kind| rules.dora_of(kind) == wanted)
            .filter(|_| random.below(2) == 0);
        if let Some(tile) = aimed.and_then(|kind| self.take(kind)) {
            return tile;
        }
        loop {
            if let Some(tile) = self.take(random.kind(0, 34)) {
                return tile;
            }
        }
    }
}
