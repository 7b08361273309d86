//! Whole games in which the policy has a seat.

use std::cell::RefCell;
use std::fmt::Debug;

use policy_host::{Asked, PolicyTable, ScriptedQuestion, ShownTable, ViewBuffer};
use riichi::SeatTable;
use riichi::rng::Rng;

use super::subject::Subject;
use crate::game::{GameEnd, GameError, GameId, NamedGame, SeatPlayer, play};

/// The seed of walls and of the policy's randomness in all trials, so that two trials of the same
/// library are equal.
pub const SEED: u64 = 1;

/// One in this many decisions is kept, and asked again later.
const KEPT: u32 = 16;

/// The games of one policy.
#[derive(Debug)]
pub struct TrialGames<A> {
    /// Number of requested decisions.
    pub decisions: u32,
    /// Some of the policy's decisions, which are asked again later.
    pub kept: Vec<(ScriptedQuestion<A>, A)>,
}

impl<A> Default for TrialGames<A> {
    fn default() -> Self {
        Self {
            decisions: 0,
            kept: Vec::new(),
        }
    }
}

impl<A: Clone + PartialEq + Debug> TrialGames<A> {
    /// Plays the game with this number, counted from 1, the policy's seat going round: how it
    /// ended, and the policy's seat. `None` when the policy is of no more use before its end.
    ///
    /// # Errors
    ///
    /// If the game cannot be finished.
    pub fn play<G: NamedGame<Table: ShownTable<Action = A>>>(
        &mut self,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<(GameEnd, usize)>, GameError> {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let seats = G::seat_count(&rules);
        let own = (number as usize - 1) % seats;
        let random = RefCell::new(Rng::keyed(&[SEED, number]));
        let asked = RefCell::new(Asked {
            game: number - 1,
            seed: SEED,
            ..asked
        });
        let tried = RefCell::new((self, &mut *subject));
        let (random, asked, tried) = (&random, &asked, &tried);
        let players = (0..seats).map(move |seat| {
            SeatPlayer::chooser(move |table: &PolicyTable<G::Table>, legal: &[A]| {
                if seat != own {
                    return G::trial_opponent(table, legal, &mut random.borrow_mut());
                }
                let (games, subject) = &mut *tried.borrow_mut();
                let leaves_choice = G::Table::leaves_choice(legal) && !subject.is_over();
                leaves_choice
                    .then(|| games.ask(table, legal, &mut asked.borrow_mut(), subject))
                    .flatten()
            })
        });
        let played = play::<G>(
            rules,
            GameId {
                seed: SEED,
                wall: number,
                seating: 0,
            },
            players,
            |_| {},
        )?;
        Ok((!subject.is_over()).then_some((played.end, own)))
    }

    /// The policy's action; `None` if there is no valid answer.
    fn ask<T: ShownTable<Action = A>>(
        &mut self,
        table: &PolicyTable<T>,
        legal: &[A],
        asked: &mut Asked,
        subject: &mut Subject,
    ) -> Option<usize> {
        let mut view = ViewBuffer::default();
        table.fill(&mut view, legal, asked);
        let place = format!("game {}, decision {}", asked.game + 1, asked.decision + 1);
        asked.decision += 1;
        self.decisions += 1;
        let answer = subject.ask(&view, legal, &place)?;
        let chosen = legal.iter().position(|action| *action == answer.action);
        if self.decisions.is_multiple_of(KEPT) {
            self.kept
                .push((ScriptedQuestion::new(view, legal.to_vec()), answer.action));
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use doudizhu::{CombinationKind, DouDizhuGame};
    use mcr::McrGame;
    use policy_host::scripted_questions;
    use riichi::ActionWords;
    use riichi::game::RiichiGame;

    use super::*;

    /// The sorts of actions that come up in the scripted games.
    fn sorts<G: NamedGame>() -> BTreeSet<String> {
        let questions = scripted_questions::<G::Table>(G::KIND.players()[0], Asked::default());
        questions
            .iter()
            .flat_map(|question| &question.legal)
            .map(|action| action.name().to_owned())
            .collect()
    }

    #[test]
    fn every_sort_of_action_that_four_players_have_comes_up_in_riichi() {
        let expected = [
            "ankan",
            "chi",
            "dahai",
            "daiminkan",
            "hora",
            "kakan",
            "none",
            "pon",
            "reach",
            "ryukyoku",
        ];
        assert_eq!(
            sorts::<RiichiGame>(),
            BTreeSet::from(expected.map(str::to_owned))
        );
    }

    #[test]
    fn every_sort_of_action_comes_up_in_chinese_standard() {
        let expected = [
            "added kong",
            "chow",
            "concealed kong",
            "discard",
            "kong",
            "pass",
            "pung",
            "win",
        ];
        assert_eq!(
            sorts::<McrGame>(),
            BTreeSet::from(expected.map(str::to_owned))
        );
    }

    #[test]
    fn every_sort_of_action_comes_up_in_dou_dizhu() {
        let mut expected: BTreeSet<String> = CombinationKind::ALL
            .into_iter()
            .map(|kind| kind.name().to_owned())
            .collect();
        expected.extend(["bid".to_owned(), "pass".to_owned()]);
        assert_eq!(sorts::<DouDizhuGame>(), expected);
    }
}
