//! What the game pays for each place, and for points.

use policy_sdk::{CreateError, Param, Params};
use riichi::MAX_PLAYERS;

/// The parameters: `payoff`, `payoff_per_thousand`.
pub(crate) const PARAMS: [Param; 2] = [
    Param::text(
        "payoff",
        "",
        "What each place pays, first to last, as a list of numbers; empty: every place is worth the same.",
    ),
    Param::number(
        "payoff_per_thousand",
        0.0,
        0.0,
        1_000.0,
        "What 1,000 points at the end pay besides, in the unit of `payoff`.",
    ),
];

/// The cost of each place, and the worth of points, in average places: the last place costs as many
/// more than the first as there are other seats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Payoff {
    players: usize,
    costs: [f32; MAX_PLAYERS],
    per_point: f32,
}

impl Payoff {
    /// Reads the parameters; `None` if every place is worth the same and points are worth nothing.
    pub(crate) fn read(params: &Params, players: u8) -> Result<Option<Self>, CreateError> {
        let (text, per_thousand) = (
            params.text("payoff")?,
            params.number("payoff_per_thousand")?,
        );
        let players = usize::from(players);
        if text.trim().is_empty() {
            if per_thousand == 0.0 {
                return Ok(None);
            }
            return Err(CreateError::Failed(
                "`payoff_per_thousand` is in the unit of `payoff`; set `payoff` as well".to_owned(),
            ));
        }
        let wrong = |problem: &str| {
            let example = &["90, 45, 0, -135", "90, 0, -90"][usize::from(players == 3)];
            CreateError::Failed(format!(
                "`payoff` is \"{text}\": {problem}; it needs a number for each of {players} \
                 places, such as [{example}]"
            ))
        };
        let paid: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        let paid = paid.map_err(|_| wrong("not a list of numbers"))?;
        if paid.len() != players {
            return Err(wrong(&format!("{} numbers", paid.len())));
        }
        if !paid.iter().all(|paid| paid.is_finite()) || !paid.is_sorted_by(|one, next| one >= next)
        {
            return Err(wrong("a place pays more than a better one"));
        }
        let (first, last) = (paid[0], paid[players - 1]);
        if first <= last {
            return Err(wrong("all places pay the same"));
        }
        let place = (first - last) / (players - 1) as f64;
        let mut costs = [0.0; MAX_PLAYERS];
        for (cost, paid) in costs.iter_mut().zip(&paid) {
            *cost = ((first - paid) / place) as f32;
        }
        Ok(Some(Self {
            players,
            costs,
            per_point: (per_thousand / place / 1_000.0) as f32,
        }))
    }

    /// The expected cost of the place of a seat with these points, less what the points pay, when
    /// each other seat is ahead with such a probability. The others are taken as independent.
    pub(crate) fn cost(&self, own: i32, ahead: impl Iterator<Item = f32>) -> f32 {
        let mut places = [0.0; MAX_PLAYERS];
        places[0] = 1.0;
        for ahead in ahead.take(self.players - 1) {
            for place in (1..MAX_PLAYERS).rev() {
                places[place] += ahead * (places[place - 1] - places[place]);
            }
            places[0] *= 1.0 - ahead;
        }
        let cost = |(chance, cost): (&f32, &f32)| chance * cost;
        places.iter().zip(&self.costs).map(cost).sum::<f32>() - self.per_point * own as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four places that pay this.
    fn payoff(paid: [f32; 4]) -> Payoff {
        let place = (paid[0] - paid[3]) / 3.0;
        Payoff {
            players: 4,
            costs: paid.map(|each| (paid[0] - each) / place),
            per_point: 0.0,
        }
    }

    #[test]
    fn equal_steps_cost_the_expected_number_of_seats_ahead() {
        let ahead = [0.2, 0.5, 0.9];
        let cost = payoff([3.0, 2.0, 1.0, 0.0]).cost(25_000, ahead.into_iter());
        assert!((cost - 1.6).abs() < 1e-6, "{cost}");
    }

    #[test]
    fn a_certain_place_costs_what_it_pays_less_than_the_first() {
        let dan = payoff([90.0, 45.0, 0.0, -135.0]);
        for (ahead, cost) in [
            ([0.0, 0.0, 0.0], 0.0),
            ([0.0, 1.0, 0.0], 0.6),
            ([1.0, 1.0, 0.0], 1.2),
            ([1.0, 1.0, 1.0], 3.0),
        ] {
            let found = dan.cost(25_000, ahead.into_iter());
            assert!((found - cost).abs() < 1e-6, "{ahead:?}: {found}");
        }
    }

    #[test]
    fn points_pay_besides_the_place() {
        let with_points = Payoff {
            per_point: 0.000_1,
            ..payoff([3.0, 2.0, 1.0, 0.0])
        };
        let cost = |own| with_points.cost(own, [0.5; 3].into_iter());
        assert!((cost(20_000) - cost(30_000) - 1.0).abs() < 1e-4);
    }
}
