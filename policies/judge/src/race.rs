//! The race to a win: the expected value of a hand, draw by draw.

/// Maximum length of a race, in own draws.
pub(crate) const MAX_DRAWS: usize = 18;
/// Number of steps to tenpai that are distinguished.
pub(crate) const MAX_STEPS: usize = 6;

/// The events at the table during one go-round. Gains are in places.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GoRound {
    /// The probability that another seat wins.
    pub(crate) hazard: f32,
    /// The cost of a discard while the hand is played on.
    pub(crate) throw: f32,
}

/// The rest of the round, the same for every hand of one decision.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    /// Go-rounds by the own draws that are left in them; the first is not used.
    go_rounds: [GoRound; MAX_DRAWS + 1],
    /// Gain by folding, by the number of draws left.
    folds: [f32; MAX_DRAWS + 1],
    draws: usize,
    /// Gain when another wins.
    lost: f32,
    /// Gain when the round is drawn, tenpai and not.
    drawn: [f32; 2],
}

/// A hand in the race.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Runner {
    /// Steps to tenpai.
    pub(crate) steps: usize,
    /// The probability of each step within a go-round, the next step first.
    pub(crate) progress: [f32; MAX_STEPS],
    /// The probability that the tenpai hand wins by self-draw in a go-round.
    pub(crate) tsumo: f32,
    /// The probability that it wins on a discard in a go-round.
    pub(crate) ron: f32,
    /// Gain by a win.
    pub(crate) win: f32,
    /// In riichi, when it can no longer fold: the cost of its stick in places if it does not win.
    pub(crate) riichi_cost: Option<f32>,
}

impl Course {
    pub(crate) fn new(
        draws: usize,
        go_round: impl Fn(usize) -> GoRound,
        lost: f32,
        drawn: [f32; 2],
    ) -> Self {
        let draws = draws.min(MAX_DRAWS);
        let mut this = Self {
            go_rounds: [GoRound::default(); MAX_DRAWS + 1],
            folds: [drawn[1]; MAX_DRAWS + 1],
            draws,
            lost,
            drawn,
        };
        for left in 1..=draws {
            let now = go_round(left);
            this.go_rounds[left] = now;
            this.folds[left] = now.hazard * lost + (1.0 - now.hazard) * this.folds[left - 1];
        }
        this
    }

    /// The value of folding from now on.
    pub(crate) const fn fold(&self) -> f32 {
        self.folds[self.draws]
    }

    /// The value of playing on, with folding at any later time at which that is better.
    pub(crate) fn play(&self, runner: &Runner) -> f32 {
        let steps = runner.steps.min(MAX_STEPS);
        let stick = runner.riichi_cost.unwrap_or(0.0);
        let mut values = [self.drawn[1]; MAX_STEPS + 1];
        values[0] = self.drawn[0] - stick;
        for left in 1..=self.draws {
            let GoRound { hazard, throw } = self.go_rounds[left];
            let fold = self.folds[left];
            let mut nearer = values[0];
            let ron = runner.ron.min(1.0 - hazard);
            let others =
                ron * runner.win + hazard * (self.lost - stick) + (1.0 - ron - hazard) * nearer
                    - throw;
            let tenpai = runner.tsumo * runner.win + (1.0 - runner.tsumo) * others;
            let may_fold = left < self.draws && runner.riichi_cost.is_none();
            values[0] = if may_fold { tenpai.max(fold) } else { tenpai };
            for (step, value) in values.iter_mut().enumerate().take(steps + 1).skip(1) {
                let chance = runner.progress[steps - step];
                let on = nearer * chance + *value * (1.0 - chance);
                nearer = *value;
                let played = hazard * self.lost + (1.0 - hazard) * on - throw;
                *value = if left < self.draws {
                    played.max(fold)
                } else {
                    played
                };
            }
        }
        values[steps]
    }

    /// The same after an extra draw, which is `accepted` with this probability, and otherwise costs
    /// a discard, as after a step.
    pub(crate) fn play_with_a_draw(&self, runner: &Runner, accepted: f32, throw: f32) -> f32 {
        let stays = self.play(runner) - throw;
        let (chance, nearer) = match runner.steps.checked_sub(1) {
            None => (runner.tsumo, runner.win),
            Some(steps) => {
                let mut progress = runner.progress;
                progress.rotate_left(1);
                (
                    accepted,
                    self.play(&Runner {
                        steps,
                        progress,
                        ..*runner
                    }) - throw,
                )
            }
        };
        chance * nearer + (1.0 - chance) * stays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten go-rounds in which each discard costs this many places.
    fn course(throw: f32) -> Course {
        Course::new(
            10,
            |_| GoRound {
                hazard: 0.05,
                throw,
            },
            -0.2,
            [0.05, -0.05],
        )
    }

    /// Tenpai, for a win of half a place.
    fn tenpai(riichi_cost: Option<f32>) -> Runner {
        Runner {
            steps: 0,
            progress: [0.0; MAX_STEPS],
            tsumo: 0.05,
            ron: 0.05,
            win: 0.5,
            riichi_cost,
        }
    }

    #[test]
    fn a_hand_in_riichi_cannot_be_given_up() {
        let (silent, riichi) = (tenpai(None), tenpai(Some(0.0)));
        assert_eq!(
            course(0.0).play(&silent),
            course(0.0).play(&riichi),
            "nothing is ever to be gained by it"
        );
        assert!(course(0.3).play(&silent) > course(0.3).play(&riichi));
    }

    #[test]
    fn the_stick_is_lost_unless_the_hand_wins() {
        let mut certain = tenpai(Some(0.1));
        certain.tsumo = 1.0;
        assert_eq!(course(0.0).play(&certain), 0.5);
        assert!(course(0.0).play(&tenpai(Some(0.1))) < course(0.0).play(&tenpai(Some(0.0))));
    }

    #[test]
    fn the_more_steps_to_go_the_less_is_a_hand_worth() {
        let worth = |steps| {
            course(0.0).play(&Runner {
                steps,
                progress: [0.3; MAX_STEPS],
                ..tenpai(None)
            })
        };
        assert!((1..=MAX_STEPS).all(|steps| worth(steps) < worth(steps - 1)));
    }
}
