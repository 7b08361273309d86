//! A quick estimate of the probability that a hand wins before the round ends.

use crate::estimates::{CALLS_HELP, PlayersEstimates, USUAL_TILES};

/// Number of distinguished steps to tenpai; hands further away count as this far.
pub(crate) const MAX_STEPS: usize = 5;
pub(crate) const MAX_DRAWS: usize = 18;
/// Maximum number of accepted tiles distinguished, out of [`UNSEEN`] unseen ones.
const MAX_TILES: usize = 60;
/// Number of unseen tiles that the table is computed for; other numbers are scaled to it.
const UNSEEN: f32 = 70.0;
/// Number of distinguished levels of danger: how many others threaten.
const THREATS: usize = 4;

/// Number of hands that have reached tenpai by each turn, without other information. Estimate.
/// defensive-fold uses lower values, because it was tuned with those; here all seats play by these,
/// and the figures of [`places`](crate::places) depend on them.
const TENPAI_BY: [f32; MAX_DRAWS + 1] = [
    0.0, 0.0, 0.01, 0.02, 0.04, 0.07, 0.11, 0.16, 0.21, 0.27, 0.32, 0.37, 0.42, 0.46, 0.5, 0.53,
    0.56, 0.59, 0.62,
];

/// Probabilities of a win by steps to tenpai, accepted tiles and draws left.
type BySteps = [[[f32; MAX_DRAWS + 1]; MAX_TILES + 1]; MAX_STEPS + 1];

#[derive(Debug, Clone)]
pub(crate) struct WinChances {
    /// By openness and number of threats.
    chances: Box<[[BySteps; THREATS]; 2]>,
}

impl WinChances {
    pub(crate) fn new(players: u8) -> Self {
        let mut chances =
            Box::new([[[[[0.0; MAX_DRAWS + 1]; MAX_TILES + 1]; MAX_STEPS + 1]; THREATS]; 2]);
        for (open, by_threats) in chances.iter_mut().enumerate() {
            for (threats, by_steps) in by_threats.iter_mut().enumerate() {
                fill(by_steps, players, open == 1, threats);
            }
        }
        Self { chances }
    }

    /// The probability for a hand this many steps from tenpai that accepts `tiles` of the `unseen`
    /// ones, with this many draws left.
    pub(crate) fn of(
        &self,
        open: bool,
        threats: usize,
        steps: i8,
        tiles: u32,
        unseen: u32,
        draws: usize,
    ) -> f32 {
        let tiles = (tiles as f32 * UNSEEN / unseen.max(1) as f32).round() as usize;
        let steps = usize::from(steps.max(0).unsigned_abs()).min(MAX_STEPS);
        self.chances[usize::from(open)][threats.min(THREATS - 1)][steps][tiles.min(MAX_TILES)]
            [draws.min(MAX_DRAWS)]
    }
}

/// The probability that another seat wins in the go-round with this many own draws left, when this
/// many seats threaten.
fn hazard(players: u8, draws: usize, threats: usize) -> f32 {
    let others = usize::from(players) - 1;
    let wins = PlayersEstimates::of(players).wins_when_tenpai;
    let calm = |tenpai: f32, number: usize| (1.0 - wins * tenpai).powi(number as i32);
    1.0 - calm(1.0, threats) * calm(TENPAI_BY[MAX_DRAWS - draws], others.saturating_sub(threats))
}

/// From tenpai backwards: a go-round is an own draw, followed by the others' discards.
fn fill(by_steps: &mut BySteps, players: u8, open: bool, threats: usize) {
    let help = if open { CALLS_HELP } else { 1.0 };
    let ron_for_tsumo = PlayersEstimates::of(players).ron_for_tsumo[usize::from(open)];
    for steps in 0..=MAX_STEPS {
        // The usual value of the next step, by draws left.
        let next = (steps > 0).then(|| by_steps[steps - 1][USUAL_TILES[steps - 1] as usize]);
        for (tiles, chances) in by_steps[steps].iter_mut().enumerate() {
            let drawn = tiles as f32 / UNSEEN;
            for draws in 1..=MAX_DRAWS {
                let (later, calm) = (chances[draws - 1], 1.0 - hazard(players, draws, threats));
                chances[draws] = match next {
                    None => {
                        let ron = (ron_for_tsumo * drawn).min(calm);
                        drawn + (1.0 - drawn) * (ron + (calm - ron) * later)
                    }
                    Some(next) => {
                        let nearer = (drawn * help).min(1.0);
                        calm * (nearer * next[draws - 1] + (1.0 - nearer) * later)
                    }
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_wins_the_more_likely_the_nearer_it_is_the_more_it_accepts_and_the_longer_it_may_draw()
    {
        let chances = WinChances::new(4);
        let of = |steps, tiles, draws| chances.of(false, 0, steps, tiles, 70, draws);
        assert!(of(0, 6, 8) > of(1, 16, 8) && of(1, 16, 8) > of(2, 26, 8));
        assert!(of(1, 20, 8) > of(1, 8, 8) && of(1, 16, 12) > of(1, 16, 4));
        assert_eq!(of(0, 6, 0), 0.0);
    }

    #[test]
    fn who_is_threatened_wins_less_often() {
        let chances = WinChances::new(4);
        assert!(chances.of(false, 1, 1, 16, 70, 8) < chances.of(false, 0, 1, 16, 70, 8));
    }
}
