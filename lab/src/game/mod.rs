//! Whole games in this process: [`LabGame`], and the one loop that plays any game ([`play`],
//! [`GameUnderWay`]).
//!
//! No function here reads a clock: the same numbers give the same game.

mod definition;
mod doudizhu;
pub mod luck;
mod mcr;
mod play;
mod played;
mod player;
mod riichi;
mod rules;

pub use definition::{LabGame, NamedGame, SteppedGame};
pub use play::{
    Acted, AfterEvent, AllOutside, GameError, GameNews, GameSeats, GameUnderWay, Pause,
    SeatDecision, SeatedPlayers, play,
};
pub use played::{GameEnd, GameId, PlayedGame, SeatAnswers, SeatValues};
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
    fn dealt<G: NamedGame>() -> Vec<String> {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let game = G::numbered(rules, 1, 1);
        let heard = |seat| {
            game.deal_for(seat).into_iter().chain(
                game.news()
                    .iter()
                    .map(move |event| G::heard_by(event, seat).into_owned()),
            )
        };
        (0..G::seat_count(&rules))
            .map(|seat| format!("{:?}", heard(seat).collect::<Vec<_>>()))
            .collect()
    }

    const SAFE_GAME: GameId = GameId {
        seed: 3,
        wall: 1,
        seating: 0,
    };

    /// A game in which this player sits on every seat.
    fn begun<G: NamedGame>(
        player: fn() -> SeatPlayer<'static, G::Table>,
    ) -> GameUnderWay<G, impl GameSeats<G>>
    where
        G::Table: 'static,
    {
        let rules = G::usual_rules(G::KIND.players()[0]);
        let players = (0..G::seat_count(&rules)).map(|_| player());
        GameUnderWay::begin(rules, SAFE_GAME, players, &mut |_| ()).unwrap()
    }

    /// Plays a game with only safe actions from outside; returns how often it stopped for an
    /// answer.
    fn safely_played<G: LabGame>(
        mut under_way: GameUnderWay<G, impl GameSeats<G>>,
    ) -> (PlayedGame, u32) {
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
        fn check<G: NamedGame<Table: 'static>>() {
            let inside = safely_played(begun::<G>(|| SeatPlayer::Safe));
            let outside = safely_played(begun::<G>(|| SeatPlayer::Outside));
            assert_eq!((&inside.0, inside.1), (&outside.0, 0));
            assert!(outside.1 > 10, "{}", outside.1);
            let rules = G::usual_rules(G::KIND.players()[0]);
            assert_eq!(
                safely_played(GameUnderWay::<G, _>::begin_outside(rules, SAFE_GAME)),
                outside
            );
        }
        check::<RiichiGame>();
        check::<McrGame>();
        check::<DouDizhuGame>();
    }

    #[test]
    fn a_seat_that_asks_the_game_knows_what_its_events_tell_it() {
        fn check<G: NamedGame<Table: std::fmt::Debug>>() {
            let rules = G::usual_rules(G::KIND.players()[0]);
            let mut game = G::numbered(rules, 5, 1);
            let mut tables: Vec<_> = (0..G::seat_count(&rules))
                .map(|seat| G::seat_table(rules, seat))
                .collect();
            let deals: Vec<_> = (0..tables.len()).map(|seat| game.deal_for(seat)).collect();
            for (table, deal) in tables.iter_mut().zip(&deals) {
                deal.iter().for_each(|deal| table.apply(deal).unwrap());
            }
            while game.end_scores().is_none() {
                for (seat, table) in tables.iter_mut().enumerate() {
                    game.news()
                        .iter()
                        .for_each(|event| table.apply(&G::heard_by(event, seat)).unwrap());
                }
                let mut answers = Vec::new();
                for seat in game.seats_asked() {
                    let mut legal = Vec::new();
                    game.legal_of(seat, &mut legal);
                    assert_eq!(legal, tables[seat].legal());
                    assert_eq!(
                        format!("{:?}", game.table_of(seat)),
                        format!("{:?}", tables[seat])
                    );
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
        for hands in [
            dealt::<RiichiGame>(),
            dealt::<McrGame>(),
            dealt::<DouDizhuGame>(),
        ] {
            for (seat, hand) in hands.iter().enumerate() {
                assert!(!hands[..seat].contains(hand), "seat {seat}: {hand}");
            }
        }
    }
}
