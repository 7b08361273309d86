//! The threats of the other seats, combined.

use arrayvec::ArrayVec;
use calculator::estimates::{PlayersEstimates, THREATENS_FROM};
use policy_common::opponent;
use policy_sdk::View;
use riichi::Kind;
use riichi::tile::KINDS;
use riichi_estimates::danger::figures::measured;
use riichi_estimates::danger::{Danger, Sight, Threat};

use crate::race::GoRound;
use crate::standing::Standing;
use crate::tuning::{PlayersTuning, TUNING};
use crate::worth::raised;

#[derive(Debug, Clone)]
pub(crate) struct Threatening {
    pub(crate) riichi: bool,
    pub(crate) danger: Danger,
    /// The cost of dealing in, in places, once it is tenpai, averaged over riichi and damaten.
    usual_cost: f32,
}

/// The threats of all others.
#[derive(Debug, Clone)]
pub(crate) struct Threats {
    pub(crate) all: ArrayVec<Threatening, 3>,
    risk: [f32; KINDS],
    chance: [f32; KINDS],
    turn: usize,
    tuning: &'static PlayersTuning,
    wins_when_tenpai: f32,
    /// The cost of discarding a random unseen tile, in places.
    pub(crate) blind_risk: f32,
    /// The average cost of another's win, in places (negative).
    pub(crate) lost: f32,
}

impl Threats {
    /// The threats now, or after one more indicator, which may give them dora.
    pub(crate) fn of(view: &View<'_>, standing: &Standing, another_indicator: bool) -> Self {
        let sight = Sight::new(view.rules(), view.unseen(), view.dora_markers());
        let turn = usize::from(
            (view
                .rules()
                .drawable_tiles()
                .saturating_sub(view.tiles_left()))
                / view.players(),
        );
        let honba = view.rules().honba_points(view.honba());
        let tuning = PlayersTuning::of(view.players());
        let wins_when_tenpai = PlayersEstimates::of(view.players()).wins_when_tenpai;
        let (risk, chance) = ([0.0; KINDS], [0.0; KINDS]);
        let mut this = Self {
            all: ArrayVec::new(),
            risk,
            chance,
            turn,
            tuning,
            wins_when_tenpai,
            blind_risk: 0.0,
            lost: 0.0,
        };
        let (measured, mut weights) = (measured(view.players()), 0.0);
        for player in view.opponents() {
            let seat = player.seat();
            let opponent = opponent(view, &player);
            let danger = Danger::of(&sight, &opponent);
            let riichi = opponent.threat() == Threat::Riichi;
            let [silent, declared] = if another_indicator {
                raised(14.0 / view.rules().kinds().len() as f32)
            } else {
                [1.0; 2]
            };
            let raised = if riichi { declared } else { silent };
            // For a kind that is far from the dora; others are worth proportionally more or less.
            let usual = Kind::all()
                .map(|kind| danger.loss(kind))
                .fold(f32::INFINITY, f32::min);
            let loss = (raised * usual) as i32 + honba;
            let cost = -standing.ron(standing.own(), seat, loss) / usual;
            for kind in Kind::all() {
                let chance = danger.deal_in(kind);
                this.risk[kind.index()] +=
                    tuning.deal_in_counts * chance * cost * danger.loss(kind);
                this.chance[kind.index()] =
                    1.0 - (1.0 - this.chance[kind.index()]) * (1.0 - chance);
            }
            let hazard = danger.tenpai() * wins_when_tenpai + 0.01;
            // A win is by self-draw or on a discard of one of the rest.
            let others: f32 = standing
                .others()
                .filter(|&payer| payer != seat)
                .map(|payer| standing.ron(payer, seat, loss))
                .sum::<f32>()
                / f32::from(view.players() - 2);
            this.lost += hazard * (0.45 * standing.tsumo(seat, loss) + 0.55 * others);
            let usual_loss =
                (raised * measured.loss(Threat::Riichi, opponent.is_dealer(), 0)) as i32;
            let usual_cost = -standing.ron(standing.own(), seat, usual_loss + honba);
            this.all.push(Threatening {
                riichi,
                danger,
                usual_cost,
            });
            weights += hazard;
        }
        this.lost /= weights.max(f32::EPSILON);
        let unseen = sight.unseen;
        let total = unseen.total().max(1) as f32;
        this.blind_risk = Kind::all()
            .map(|kind| f32::from(unseen[kind]) * this.risk(kind))
            .sum::<f32>()
            / total;
        this
    }

    /// Whether a player threatens: else a hand is neither given up nor taken back a step.
    pub(crate) fn a_player_threatens(&self) -> bool {
        self.all
            .iter()
            .any(|other| other.danger.tenpai() >= THREATENS_FROM)
    }

    /// The expectation for the go-round after this many more.
    pub(crate) fn go_round(&self, later: usize) -> GoRound {
        let by = |turn: usize| TUNING.tenpai_by[turn.min(TUNING.tenpai_by.len() - 1)];
        let before = by(self.turn);
        // The share of seats not tenpai now that will be tenpai by then.
        let become_tenpai = (by(self.turn + later) - before) / (1.0 - before);
        let mut calm = 1.0;
        let mut throw = self.blind_risk;
        for other in &self.all {
            let newly = (1.0 - other.danger.tenpai()) * become_tenpai;
            calm *= 1.0 - self.wins_when_tenpai * (other.danger.tenpai() + newly);
            throw += newly * self.tuning.random_deal_in * other.usual_cost;
        }
        GoRound {
            hazard: 1.0 - calm,
            throw,
        }
    }

    /// The expected cost of discarding this kind, in places, over all opponents.
    pub(crate) const fn risk(&self, kind: Kind) -> f32 {
        self.risk[kind.index()]
    }

    /// The probability that this kind deals in to any player.
    pub(crate) const fn deal_in(&self, kind: Kind) -> f32 {
        self.chance[kind.index()]
    }
}
