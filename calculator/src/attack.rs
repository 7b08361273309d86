//! How likely a hand is to win in what is left of the round, at a glance.

/// Steps to tenpai that are told apart; hands further away count as this far.
pub(crate) const MAX_STEPS: usize = 5;
/// Most draws that are looked at.
pub(crate) const MAX_DRAWS: usize = 18;
/// Most accepted tiles that are told apart, of [`UNSEEN`] unseen ones.
const MAX_TILES: usize = 60;
/// The unseen tiles that the table is made for; other numbers are brought to it in proportion.
const UNSEEN: f32 = 70.0;
/// Levels of danger that are told apart: how many others threaten.
const THREATS: usize = 4;

/// How likely another is to win within a go-round, by how many threaten. Estimate.
const HAZARD: [f32; THREATS] = [0.04, 0.12, 0.2, 0.28];
/// Copies that hands accept on average by steps to tenpai, of those that come after the present step. Estimate, as
/// defensive-fold's.
const USUAL_TILES: [f32; MAX_STEPS + 1] = [6.0, 16.0, 26.0, 34.0, 42.0, 50.0];
/// Copies won on by the others' discards for each that the hand draws itself. Estimate, as defensive-fold's.
const RON_FOR_TSUMO: f32 = 1.3;
/// By what factor calls speed up an open hand before tenpai. Estimate, as defensive-fold's.
const CALLS_HELP: f32 = 1.7;

/// The chances of a hand to win.
#[derive(Debug, Clone)]
pub(crate) struct WinChances {
    /// By openness, threats, steps, accepted tiles and draws left.
    chances: Box<[[[[[f32; MAX_DRAWS + 1]; MAX_TILES + 1]; MAX_STEPS + 1]; THREATS]; 2]>,
}

impl WinChances {
    pub(crate) fn new() -> Self {
        let mut chances = Box::new([[[[[0.0; MAX_DRAWS + 1]; MAX_TILES + 1]; MAX_STEPS + 1]; THREATS]; 2]);
        for (open, by_threats) in chances.iter_mut().enumerate() {
            for (threats, by_steps) in by_threats.iter_mut().enumerate() {
                fill(by_steps, open == 1, HAZARD[threats]);
            }
        }
        Self { chances }
    }

    /// The chance of a hand so many steps from tenpai that accepts `tiles` of the `unseen` ones, with so many draws left.
    pub(crate) fn of(&self, open: bool, threats: usize, steps: i8, tiles: u32, unseen: u32, draws: usize) -> f32 {
        let tiles = (tiles as f32 * UNSEEN / unseen.max(1) as f32).round() as usize;
        let steps = usize::from(steps.max(0).unsigned_abs()).min(MAX_STEPS);
        self.chances[usize::from(open)][threats.min(THREATS - 1)][steps][tiles.min(MAX_TILES)][draws.min(MAX_DRAWS)]
    }
}

/// From tenpai backwards: a go-round is an own draw, then the others' discards.
fn fill(by_steps: &mut [[[f32; MAX_DRAWS + 1]; MAX_TILES + 1]; MAX_STEPS + 1], open: bool, hazard: f32) {
    for steps in 0..=MAX_STEPS {
        // What the next step usually comes to, by draws left.
        let next = (steps > 0).then(|| by_steps[steps - 1][USUAL_TILES[steps - 1] as usize]);
        for (tiles, chances) in by_steps[steps].iter_mut().enumerate() {
            let drawn = tiles as f32 / UNSEEN;
            for draws in 1..=MAX_DRAWS {
                let later = chances[draws - 1];
                chances[draws] = match next {
                    None => {
                        let ron = (RON_FOR_TSUMO * drawn).min(1.0);
                        drawn + (1.0 - drawn) * (1.0 - hazard) * (ron + (1.0 - ron) * later)
                    }
                    Some(next) => {
                        let nearer = (drawn * if open { CALLS_HELP } else { 1.0 }).min(1.0);
                        (1.0 - hazard) * (nearer * next[draws - 1] + (1.0 - nearer) * later)
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
    fn a_hand_wins_the_more_likely_the_nearer_it_is_the_more_it_accepts_and_the_longer_it_may_draw() {
        let chances = WinChances::new();
        let of = |steps, tiles, draws| chances.of(false, 0, steps, tiles, 70, draws);
        assert!(of(0, 6, 8) > of(1, 16, 8) && of(1, 16, 8) > of(2, 26, 8));
        assert!(of(1, 20, 8) > of(1, 8, 8) && of(1, 16, 12) > of(1, 16, 4));
        assert_eq!(of(0, 6, 0), 0.0);
    }

    #[test]
    fn who_is_threatened_wins_less_often() {
        let chances = WinChances::new();
        assert!(chances.of(false, 1, 1, 16, 70, 8) < chances.of(false, 0, 1, 16, 70, 8));
    }
}
