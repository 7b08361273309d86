//! Walls with the tiles that a test needs in their places.

use riichi::game::Wall;
use riichi::rng::Rng;
use riichi::{Rules, Seat, Tile};

/// A wall under construction: unset places are filled with the remaining tiles.
#[derive(Debug, Clone)]
pub(crate) struct Deal {
    rules: Rules,
    oya: Seat,
    hands: [Vec<Tile>; 4],
    draws: Vec<(usize, Tile)>,
    replacements: Vec<Tile>,
    dora: Vec<Tile>,
    ura: Vec<Tile>,
}

/// The tiles of names with spaces between them.
pub(crate) fn tiles(names: &str) -> Vec<Tile> {
    names
        .split_whitespace()
        .map(|name| name.parse().expect("a tile"))
        .collect()
}

impl Deal {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            oya: Seat::FIRST,
            hands: Default::default(),
            draws: Vec::new(),
            replacements: Vec::new(),
            dora: Vec::new(),
            ura: Vec::new(),
        }
    }

    pub(crate) fn dealer(self, oya: Seat) -> Self {
        Self { oya, ..self }
    }

    pub(crate) fn hand(mut self, seat: Seat, tiles: &[Tile]) -> Self {
        self.hands[seat.index()] = tiles.to_vec();
        self
    }

    /// The next tile that is drawn after those said before.
    pub(crate) fn draw(self, tile: Tile) -> Self {
        let next = self.draws.last().map_or(0, |(place, _)| place + 1);
        self.draw_at(next, tile)
    }

    /// A tile of the wall by how many are drawn before it.
    pub(crate) fn draw_at(mut self, place: usize, tile: Tile) -> Self {
        self.draws.push((place, tile));
        self
    }

    pub(crate) fn replacement(mut self, tile: Tile) -> Self {
        self.replacements.push(tile);
        self
    }

    pub(crate) fn dora(mut self, marker: Tile) -> Self {
        self.dora.push(marker);
        self
    }

    pub(crate) fn ura(mut self, markers: &[Tile]) -> Self {
        self.ura = markers.to_vec();
        self
    }

    /// All tiles in the order of a [`Wall`].
    pub(crate) fn wall(self) -> Vec<Tile> {
        let players = usize::from(self.rules.players);
        let total = if players == 3 { 108 } else { 136 };
        let mut wall: Vec<Option<Tile>> = vec![None; total];
        for (seat, hand) in
            Seat::all(self.rules.players).map(|seat| (seat, &self.hands[seat.index()]))
        {
            let turn = usize::from(seat.turns_after(self.oya, self.rules.players));
            for (place, &tile) in hand.iter().enumerate() {
                let within = if place < 12 {
                    turn * 4 + place % 4
                } else {
                    turn
                };
                wall[place / 4 * 4 * players + within] = Some(tile);
            }
        }
        for (place, tile) in self.draws {
            wall[13 * players + place] = Some(tile);
        }
        for (place, tile) in self.replacements.into_iter().enumerate() {
            wall[total - 1 - place] = Some(tile);
        }
        let first_dora = total - 1 - if players == 3 { 8 } else { 4 };
        for (markers, below) in [(self.dora, 0), (self.ura, 1)] {
            for (place, tile) in markers.into_iter().enumerate() {
                wall[first_dora - 2 * place - below] = Some(tile);
            }
        }
        let mut rest = Wall::shuffled(&self.rules, &mut Rng::keyed(&[1]))
            .tiles()
            .to_vec();
        for tile in wall.iter().flatten() {
            let place = rest.iter().position(|other| other == tile);
            rest.swap_remove(place.unwrap_or_else(|| panic!("there are fewer {tile}")));
        }
        wall.into_iter()
            .map(|tile| {
                tile.or_else(|| rest.pop())
                    .expect("one tile for each place")
            })
            .collect()
    }
}
