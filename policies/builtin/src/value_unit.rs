//! The units of the values that policies and simulations give to actions.

/// The unit of the values of a decision's actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueUnit {
    /// A policy's own score.
    Score,
    /// Places gained compared with the current standing.
    PlacesGained,
    PlacesAboveLast,
    Points,
    /// The chance to win, up to 1.
    Chance,
    /// The tiles that bring a hand nearer, less 1,000 for each step to tenpai.
    Steps,
}

impl ValueUnit {
    /// The unit of a policy, by its name and version as in a record, at a decision among actions of
    /// this sort. The values of a policy that is not built in are its own score.
    pub fn of_policy(policy: &str, sort: &str) -> Self {
        let id = policy.split(' ').next().unwrap_or_default();
        let units = crate::UNITS.iter().find(|(of, _, _)| *of == id);
        units.map_or(Self::Score, |(_, unit, of_sorts)| {
            let of_sort = of_sorts.iter().find(|(of, _)| *of == sort);
            of_sort.map_or(*unit, |(_, unit)| *unit)
        })
    }

    /// Its name for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Score => "the policy's own score",
            Self::PlacesGained | Self::PlacesAboveLast => "places",
            Self::Points => "points",
            Self::Chance => "chance",
            Self::Steps => "tiles, 1,000 for a step to tenpai",
        }
    }

    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::PlacesGained => "places-gained",
            Self::PlacesAboveLast => "places-above-last",
            Self::Points => "points",
            Self::Chance => "chance",
            Self::Steps => "steps",
        }
    }

    /// A value as steps to tenpai and tiles, in that unit.
    pub fn steps_and_tiles(self, value: f32) -> Option<[i32; 2]> {
        if self != Self::Steps || !value.is_finite() {
            return None;
        }
        let steps = (-value / 1000.0).ceil();
        Some([steps as i32, (value + 1000.0 * steps) as i32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_that_of_the_policy_and_of_a_bid_points() {
        let units = [
            ("learned 1.0.0", "discard", ValueUnit::PlacesGained),
            ("cs-learned 1.0.0", "discard", ValueUnit::Points),
            ("doudizhu-split 1.0.0", "bid", ValueUnit::Points),
            ("doudizhu-split 1.0.0", "play", ValueUnit::Chance),
            ("doudizhu-learned 1.0.0", "play", ValueUnit::Points),
            ("greedy-tenpai 1.0.0", "discard", ValueUnit::Steps),
            ("of-another 1.0.0", "discard", ValueUnit::Score),
            ("", "discard", ValueUnit::Score),
        ];
        for (policy, sort, unit) in units {
            assert_eq!(ValueUnit::of_policy(policy, sort), unit, "{policy} {sort}");
        }
    }

    #[test]
    fn a_value_in_steps_holds_steps_to_tenpai_and_tiles() {
        let parts = |value: f32| ValueUnit::Steps.steps_and_tiles(value);
        assert_eq!(
            (parts(-1987.0), parts(-1000.0), parts(13.0)),
            (Some([2, 13]), Some([1, 0]), Some([0, 13]))
        );
        assert_eq!(
            (parts(f32::NAN), ValueUnit::Points.steps_and_tiles(13.0)),
            (None, None)
        );
    }
}
