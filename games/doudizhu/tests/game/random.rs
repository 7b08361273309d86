//! Games of random actions, seen from all sides.

use doudizhu::{CardSet, DouDizhuGame, DouDizhuRules, DouDizhuSeat};

use crate::scene::{random_deal, table_of};

fn random_games(rules: DouDizhuRules, games: u64, mut look: impl FnMut(&DouDizhuGame)) {
    for seed in 0..games {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut game = DouDizhuGame::new(random_deal(&mut rng), rules);
        while game.asked().is_some() {
            look(&game);
            let action = *rng
                .choice(&game.legal_actions())
                .expect("something is legal");
            assert_eq!(game.act(action), Ok(()), "{action:?}");
        }
        look(&game);
    }
}

#[test]
fn every_seat_s_table_follows_and_lists_what_the_game_lists() {
    for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
        random_games(rules, 15, |game| {
            for seat in DouDizhuSeat::all() {
                let table = table_of(game, seat);
                assert_eq!(
                    (table.round(), table.hand()),
                    (game.round(), game.hand(seat))
                );
                assert_eq!(table.is_asked(), game.asked() == Some(seat));
                if table.is_asked() {
                    assert_eq!(table.legal_actions(), game.legal_actions());
                }
                for other in DouDizhuSeat::all() {
                    assert!(game.hand(other).contains_all(table.known_cards(other)));
                    assert!(table.possible_cards(other).contains_all(game.hand(other)));
                }
            }
        });
    }
}

#[test]
fn no_card_is_lost_or_made_and_one_hand_is_empty_at_the_end() {
    random_games(DouDizhuRules::BIDDING, 40, |game| {
        let held = DouDizhuSeat::all().map(|seat| game.hand(seat));
        let public = if game.round().landlord().is_none() {
            3
        } else {
            0
        };
        let number: u8 = held.clone().map(CardSet::len).sum();
        assert_eq!(number + game.round().played().len() + public, 54);
        for seat in DouDizhuSeat::all() {
            assert_eq!(game.hand(seat).len(), game.round().left(seat));
        }
        if let Some(scores) = game.scores() {
            assert_eq!(scores.iter().sum::<f64>(), 0.0);
            assert_eq!(held.filter(|hand| hand.is_empty()).count(), 1);
        }
    });
}
