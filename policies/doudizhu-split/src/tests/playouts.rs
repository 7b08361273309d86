use super::*;

use doudizhu::split::fewest_turns;
use doudizhu::{Combination, RankMasks};

use crate::playout::Playout;
use crate::playout::plan::HandPlan;
use crate::playout::ranks::RankPlay;

fn random_hand(seed: u64) -> RankCounts {
    let deal = random_deal(seed);
    let cards = 1 + (seed % 20) as u8;
    RankCounts::from(deal.hand(seat(0)).union(deal.public()).lowest(cards))
}

fn cards_of(played: &RankPlay) -> RankCounts {
    let wing = |rank| RankCounts::of(rank, played.combination.wings.width()).expect("a wing");
    let wings = doudizhu::Rank::all().filter(|rank| played.wings >> rank.index() & 1 == 1);
    wings.fold(played.combination.body(), |cards, rank| {
        cards.plus(wing(rank))
    })
}

#[test]
fn a_plan_plays_each_card_once_in_combinations_of_the_rules() {
    for seed in 0..2000 {
        let hand = random_hand(seed);
        let moves = HandPlan::of(RankMasks::new(hand)).moves();
        let left = moves
            .iter()
            .try_fold(hand, |left, played| left.minus(cards_of(played)));
        assert_eq!(left, Some(RankCounts::EMPTY), "{hand}: {moves:?}");
        for played in &moves {
            assert_eq!(
                Combination::of(cards_of(played), DouDizhuRules::FIXED),
                Some(played.combination),
                "{hand}"
            );
        }
    }
}

#[test]
fn a_plan_takes_hardly_more_turns_than_the_fewest() {
    let mut more = 0;
    for seed in 0..1000 {
        let hand = random_hand(seed);
        let turns = HandPlan::of(RankMasks::new(hand)).moves().len();
        let fewest = fewest_turns(hand, DouDizhuRules::FIXED);
        // Bombs are kept, though as fours with two or in straights they may save turns.
        let bombs = hand.at_least(4).count_ones() as usize;
        assert!(
            turns >= fewest && turns <= fewest + 2 + 2 * bombs,
            "{hand}: {turns} {fewest}"
        );
        more += turns - fewest;
    }
    assert!(
        more < 300,
        "{more} turns more than the fewest in 1000 hands"
    );
}

#[test]
fn a_game_is_played_out_by_the_rules() {
    for seed in 0..300 {
        let mut game = DouDizhuGame::new(random_deal(seed), DouDizhuRules::FIXED);
        let hands =
            [0, 1, 2].map(|number| RankMasks::new(RankCounts::from(game.hand(seat(number)))));
        let start = Playout {
            hands,
            plans: hands.map(HandPlan::of),
            ..Playout::default()
        };
        let mut playout = start.clone();
        while let Some(asked) = game.asked() {
            let played = playout.play();
            let action = played.map_or(DouDizhuAction::Pass, |played| {
                DouDizhuAction::Play(DouDizhuPlay {
                    combination: played.combination,
                    cards: cards_of(&played),
                })
            });
            assert!(
                game.legal_actions().contains(&action),
                "{action} of {:?}",
                game.hand(asked)
            );
            assert_eq!(game.act(action), Ok(()));
        }
        assert_eq!(
            start.landlord_wins(),
            game.round().winner() == game.round().landlord()
        );
    }
}
