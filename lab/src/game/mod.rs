//! Whole games in this process: [`LabGame`], and the one loop that plays any game ([`play`], [`GameUnderWay`]).
//!
//! No function here reads a clock: the same numbers give the same game.

mod definition;
mod doudizhu;
mod mcr;
mod play;
mod played;
mod player;
mod riichi;
mod rules;

pub use definition::{LabGame, SteppedGame};
pub use play::{GameError, GameNews, GameUnderWay, Pause, SeatDecision, play};
pub use played::{GameEnd, GameId, PlayedGame, SeatAnswers};
pub use player::{Entrant, PolicyCall, SeatPlayer};
pub use rules::GameRules;

#[cfg(test)]
mod tests {
    use ::doudizhu::DouDizhuGame;
    use ::mcr::McrGame;
    use ::riichi::SeatTable;
    use ::riichi::game::RiichiGame;

    use super::*;

    /// The deal of each seat, before any decision.
    fn dealt<G: LabGame>() -> Vec<String> {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let game = G::numbered(rules, 1, 1);
        let heard = |seat| {
            game.deal_for(seat)
                .into_iter()
                .chain(game.news().iter().map(move |event| G::heard_by(event, seat).into_owned()))
        };
        (0..G::seat_count(&rules)).map(|seat| format!("{:?}", heard(seat).collect::<Vec<_>>())).collect()
    }

    /// A game with only safe actions, by seats or from outside; returns how often it stopped for an answer.
    fn safely_played<G: LabGame>(outside: bool) -> (PlayedGame, u32) {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let players = (0..G::seat_count(&rules)).map(|_| if outside { SeatPlayer::Outside } else { SeatPlayer::Safe });
        let id = GameId { seed: 3, wall: 1, seating: 0 };
        let mut under_way = GameUnderWay::<G>::begin(rules, id, players, &mut |_| ()).unwrap();
        let mut stops = 0;
        loop {
            match under_way.play_on(&mut |_| ()).unwrap() {
                Pause::Ended(played) => return (played, stops),
                Pause::Asked { seat, game, legal } => {
                    let safe = game.table_of(seat).safe(legal).unwrap();
                    stops += 1;
                    under_way.answer(safe);
                }
            }
        }
    }

    #[test]
    fn a_game_goes_the_same_way_where_seats_are_played_from_outside() {
        fn check<G: LabGame>() {
            let ((inside, none), (outside, stops)) = (safely_played::<G>(false), safely_played::<G>(true));
            assert_eq!((inside, none), (outside, 0));
            assert!(stops > 10, "{stops}");
        }
        check::<RiichiGame>();
        check::<McrGame>();
        check::<DouDizhuGame>();
    }

    #[test]
    fn a_seat_that_asks_the_game_knows_what_its_events_tell_it() {
        fn check<G: LabGame<Table: std::fmt::Debug>>() {
            let rules = G::usual_rules(G::KIND.players()[0]);
            let mut game = G::numbered(rules, 5, 1);
            let mut tables: Vec<_> = (0..G::seat_count(&rules)).map(|seat| G::seat_table(rules, seat)).collect();
            let deals: Vec<_> = (0..tables.len()).map(|seat| game.deal_for(seat)).collect();
            for (table, deal) in tables.iter_mut().zip(&deals) {
                deal.iter().for_each(|deal| table.apply(deal).unwrap());
            }
            while game.end_scores().is_none() {
                for (seat, table) in tables.iter_mut().enumerate() {
                    game.news().iter().for_each(|event| table.apply(&G::heard_by(event, seat)).unwrap());
                }
                let mut answers = Vec::new();
                for seat in game.seats_asked() {
                    let mut legal = Vec::new();
                    game.legal_of(seat, &mut legal);
                    assert_eq!(legal, tables[seat].legal());
                    assert_eq!(format!("{:?}", game.table_of(seat)), format!("{:?}", tables[seat]));
                    // Not always the same kind of action.
                    answers.push((seat, legal.swap_remove(answers.len() * 7 % legal.len())));
                }
                game.answer_all(&answers).unwrap();
            }
        }
        check::<RiichiGame>();
        check::<McrGame>();
        check::<DouDizhuGame>();
    }

    #[test]
    fn each_seat_is_dealt_its_own_tiles_and_cards() {
        for hands in [dealt::<RiichiGame>(), dealt::<McrGame>(), dealt::<DouDizhuGame>()] {
            for (seat, hand) in hands.iter().enumerate() {
                assert!(!hands[..seat].contains(hand), "seat {seat}: {hand}");
            }
        }
    }
}
