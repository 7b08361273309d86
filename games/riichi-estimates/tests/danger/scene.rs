//! An opponent's actions, written by hand.

use riichi::table::Discard;
use riichi::{Called, Counts, Kind, KindSet, Meld, MeldKind, Rules, Seat, Tile, Wind};
use riichi_estimates::danger::{Class, Danger, Opponent, Sight, Traits, TwoSidedWaits};

pub(crate) fn tile(name: &str) -> Tile {
    name.parse()
        .unwrap_or_else(|_| panic!("`{name}` is not a tile"))
}

pub(crate) fn kind(name: &str) -> Kind {
    tile(name).kind()
}

pub(crate) fn kinds(names: &str) -> KindSet {
    names.split_whitespace().map(kind).collect()
}

/// An opponent and the judging seat's view, with all tiles unseen except those in river and melds.
#[derive(Clone)]
pub(crate) struct DangerScene {
    river: Vec<Discard>,
    melds: Vec<Meld>,
    passed: KindSet,
    unseen: Counts,
    markers: Vec<Tile>,
    seat_wind: Wind,
}

/// A South player in an East round who has discarded these tiles.
pub(crate) fn river(discards: &str) -> DangerScene {
    let mut scene = DangerScene {
        river: Vec::new(),
        melds: Vec::new(),
        passed: KindSet::EMPTY,
        unseen: Counts([4; 34]),
        markers: Vec::new(),
        seat_wind: Wind::South,
    };
    for name in discards.split_whitespace() {
        scene = scene.threw(name, false);
    }
    scene
}

impl DangerScene {
    fn threw(mut self, name: &str, riichi: bool) -> Self {
        let order = self.river.len() as u8;
        self.river.push(Discard {
            tile: tile(name),
            tsumogiri: false,
            riichi,
            called_by: None,
            order,
        });
        self.see(name)
    }

    /// Then a riichi with this tile.
    pub(crate) fn riichi(self, name: &str) -> Self {
        self.threw(name, true)
    }

    /// Kinds that passed it since its last discard, or since its riichi.
    pub(crate) fn passed(mut self, names: &str) -> Self {
        self.passed |= kinds(names);
        self
    }

    /// Tiles seen elsewhere.
    pub(crate) fn see(mut self, names: &str) -> Self {
        for name in names.split_whitespace() {
            self.unseen[kind(name)] -= 1;
        }
        self
    }

    /// A meld of three tiles, the first of them called.
    pub(crate) fn meld(mut self, kind: MeldKind, names: &str) -> Self {
        let tiles: Vec<Tile> = names.split_whitespace().map(tile).collect();
        let called = Called {
            tile: tiles[0],
            from: Seat::FIRST,
        };
        self.melds
            .push(Meld::new(kind, &tiles, Some(called), 0).expect("a meld"));
        self.see(names)
    }

    pub(crate) fn dora_marker(mut self, name: &str) -> Self {
        self.markers.push(tile(name));
        self
    }

    pub(crate) fn seat_wind(mut self, wind: Wind) -> Self {
        self.seat_wind = wind;
        self
    }

    pub(crate) fn opponent(&self) -> Opponent {
        Opponent::new(
            self.river.iter().copied(),
            &self.melds,
            self.passed,
            self.seat_wind,
            Wind::East,
        )
    }

    pub(crate) fn sight(&self) -> Sight {
        Sight::new(&Rules::default(), self.unseen, self.markers.iter().copied())
    }

    pub(crate) fn lines(&self) -> TwoSidedWaits {
        TwoSidedWaits::new(&self.sight(), &self.opponent())
    }

    pub(crate) fn class(&self, name: &str) -> Class {
        Class::of(kind(name), &self.sight(), &self.opponent(), &self.lines())
    }

    pub(crate) fn traits(&self, name: &str) -> Traits {
        Traits::of(kind(name), &self.sight(), &self.opponent())
    }

    pub(crate) fn danger(&self) -> Danger {
        Danger::of(&self.sight(), &self.opponent())
    }

    pub(crate) fn deal_in(&self, name: &str) -> f32 {
        self.danger().deal_in(kind(name))
    }
}
