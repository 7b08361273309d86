//! The prices of parts in a split hand.

use policy_sdk::{BadParameter, Params};
use riichi::Counts;
use riichi_estimates::splits::{Part, Shape};

/// Prices are counted in millionths of the unit that the parameters have, so that equal sums are
/// equal.
const MILLIONTHS: f64 = 1e6;

/// The prices of an isolated tile, a gap and neighbours; pairs and sets are free.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prices {
    isolated: u32,
    gap: u32,
    neighbour: u32,
    /// Whether a part costs less the more of the tiles it wants are unseen.
    unseen: bool,
}

impl Prices {
    pub(crate) fn read(params: &Params) -> Result<Self, BadParameter> {
        let price = |name| {
            params
                .number(name)
                .map(|value| (value * MILLIONTHS).round() as u32)
        };
        Ok(Self {
            isolated: price("isolated")?,
            gap: price("gap")?,
            neighbour: price("neighbour")?,
            unseen: params.boolean("unseen")?,
        })
    }

    /// Whether unseen tiles affect prices.
    pub(crate) const fn unseen(&self) -> bool {
        self.unseen
    }

    /// The price of a part, in millionths.
    ///
    /// With `unseen`, its price times `1 - 0.5 * unseen / possible`: `unseen` are the unseen copies
    /// of the kinds that improve the part, and `possible` the maximum for a part of its shape: 8
    /// for neighbours, 4 for a gap, and 19 for an isolated tile, which its own kind and the two on
    /// either side improve.
    pub(crate) fn of(&self, part: Part, unseen: &Counts) -> u32 {
        let (price, possible) = match part.shape() {
            Shape::Triplet | Shape::Run | Shape::Pair => return 0,
            Shape::Neighbours => (self.neighbour, 8),
            Shape::Gap => (self.gap, 4),
            Shape::Isolated => (self.isolated, 19),
        };
        if !self.unseen {
            return price;
        }
        price - price * unseen.total_of(part.wanted()) / (2 * possible)
    }
}

/// A sum of prices in the unit of the parameters, for users.
pub(crate) fn in_units(millionths: u32) -> f64 {
    f64::from(millionths) / MILLIONTHS
}
