//! Random choices, with a higher weight for rare actions.

use riichi::acceptance::discard_options;
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::{Action, ConcealedHand, Seat};

/// How gladly each sort of action is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    drawn: usize,
    calls: usize,
    kans: usize,
    wins: usize,
    passes: usize,
    /// This percentage of discards improves the hand.
    sensible: usize,
}

/// Between them closed and open hands, long and short rounds, and rounds of kans come up.
const STYLES: [Style; 7] = [
    Style {
        drawn: 10,
        calls: 40,
        kans: 300,
        wins: 30,
        passes: 20,
        sensible: 0,
    },
    Style {
        drawn: 200,
        calls: 5,
        kans: 300,
        wins: 10,
        passes: 20,
        sensible: 90,
    },
    Style {
        drawn: 10,
        calls: 30,
        kans: 300,
        wins: 10,
        passes: 20,
        sensible: 95,
    },
    Style {
        drawn: 10,
        calls: 2,
        kans: 300,
        wins: 5,
        passes: 20,
        sensible: 100,
    },
    Style {
        drawn: 30,
        calls: 100,
        kans: 300,
        wins: 20,
        passes: 20,
        sensible: 80,
    },
    Style {
        drawn: 10,
        calls: 5,
        kans: 300,
        wins: 5000,
        passes: 20,
        sensible: 98,
    },
    Style {
        drawn: 10,
        calls: 100,
        kans: 100_000,
        wins: 5,
        passes: 1,
        sensible: 60,
    },
];

impl Style {
    pub(crate) fn of_game(number: u64) -> Self {
        STYLES[(number % STYLES.len() as u64) as usize]
    }

    fn weight(&self, action: &Action) -> usize {
        match action {
            Action::Dahai {
                tsumogiri: false, ..
            }
            | Action::Ryukyoku => 10,
            Action::Dahai {
                tsumogiri: true, ..
            } => self.drawn,
            Action::Reach { .. } => 60,
            Action::Chi { .. } | Action::Pon { .. } => self.calls,
            Action::Daiminkan { .. } | Action::Ankan { .. } | Action::Kakan { .. } => self.kans,
            Action::Kita => 100,
            Action::Hora { .. } => self.wins,
            Action::None => self.passes,
        }
    }

    /// The seat's choice.
    pub(crate) fn choose(
        &self,
        game: &RiichiGame,
        seat: Seat,
        legal: &[Action],
        rng: &mut Rng,
    ) -> Action {
        let plain = |action: &Action| {
            matches!(
                action,
                Action::Dahai { .. } | Action::Reach { .. } | Action::None
            )
        };
        if legal.iter().all(plain) && rng.below(100) < self.sensible {
            if let Some(riichi) = legal
                .iter()
                .find(|action| matches!(action, Action::Reach { .. }))
            {
                return *riichi;
            }
            let melds = game.players()[seat].melds.len();
            let hand = ConcealedHand::new(*game.hand(seat).counts(), melds, game.rules().players)
                .expect("a hand");
            let best = discard_options(&hand).into_iter().filter_map(|option| {
                let throws =
                    |action: &&Action| matches!(action, Action::Dahai { tile, .. } if tile.kind() == option.kind);
                let discard = legal.iter().find(throws)?;
                Some(((option.shanten, usize::MAX - option.acceptance.len()), *discard))
            });
            if let Some((_, discard)) = best.min_by_key(|(rank, _)| *rank) {
                return discard;
            }
        }
        let total: usize = legal.iter().map(|action| self.weight(action)).sum();
        let mut at = rng.below(total);
        for action in legal {
            match at.checked_sub(self.weight(action)) {
                Some(rest) => at = rest,
                None => return *action,
            }
        }
        legal[legal.len() - 1]
    }
}
