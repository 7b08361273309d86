//! Whole games in this process: what a game is ([`Game`]), and the one loop that plays any of them ([`play`]).
//!
//! Nothing here knows a clock: the same numbers give the same game.

mod definition;
mod doudizhu;
mod mcr;
mod measure;
mod play;
mod played;
mod player;
mod riichi;
mod rules;

pub use definition::{ActionOf, EventOf, Game, RecordedGame};
pub use doudizhu::PlayableDouDizhu;
pub use mcr::PlayableMcr;
pub use measure::Measure;
pub use play::{GameError, GameNews, SeatDecision, play};
pub use played::{GameEnd, GameId, PlayedGame, SeatAnswers};
pub use player::{Entrant, SeatPlayer};
pub use riichi::PlayableRiichi;
pub use rules::{GameRules, measure_of};

#[cfg(test)]
mod tests {
    use policy_host::SeatTable;

    use super::*;

    /// What each seat is dealt, before anything is decided.
    fn dealt<G: Game<Table: SeatTable<Event: std::fmt::Debug>>>() -> Vec<String> {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let game = G::new(rules, 1, 1);
        let heard =
            |seat| game.deal(seat).into_iter().chain(game.news().iter().map(move |event| G::heard(event, seat)));
        (0..G::players(&rules)).map(|seat| format!("{:?}", heard(seat).collect::<Vec<_>>())).collect()
    }

    #[test]
    fn each_seat_is_dealt_tiles_and_cards_of_its_own() {
        for hands in [dealt::<PlayableRiichi>(), dealt::<PlayableMcr>(), dealt::<PlayableDouDizhu>()] {
            for (seat, hand) in hands.iter().enumerate() {
                assert!(!hands[..seat].contains(hand), "seat {seat}: {hand}");
            }
        }
    }
}
