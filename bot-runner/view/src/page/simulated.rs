//! The figures that simulations give to actions.

use builtin::ValueUnit;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatedFigure {
    /// Of riichi: the average place.
    Places,
    /// Of Chinese Standard mahjong: the average points.
    Points,
    /// Of Dou Dizhu: the share of games won, and the average points of a bid.
    Wins,
}

impl SimulatedFigure {
    pub(super) fn unit(self, sort: &str) -> ValueUnit {
        match self {
            Self::Places => ValueUnit::PlacesAboveLast,
            Self::Wins if sort != "bid" => ValueUnit::Chance,
            Self::Points | Self::Wins => ValueUnit::Points,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bid_is_simulated_in_points_and_a_play_in_chances() {
        assert_eq!(SimulatedFigure::Wins.unit("bid"), ValueUnit::Points);
        assert_eq!(SimulatedFigure::Wins.unit("play"), ValueUnit::Chance);
    }
}
