//! Faults, and their consequences for the seat.

use doudizhu::combination::NotBeaten;
use doudizhu::game::{DouDizhuAnswer, DouDizhuFault};
use doudizhu::{DouDizhuGame, DouDizhuRules, RankCounts};

use crate::scene::{bid_all, play, play_all, seat, sorted_deal};

fn fixed(plays: &[&str]) -> DouDizhuGame {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::FIXED);
    play_all(&mut game, plays);
    game
}

fn fault(game: &mut DouDizhuGame, numbers: &[i64]) -> DouDizhuFault {
    game.answer(DouDizhuAnswer::Cards(numbers))
        .expect_err("a fault")
}

#[test]
fn a_card_that_was_not_dealt_is_missing_and_so_is_an_invalid_card() {
    // Seat 0 has the cards 0 to 16, 51, 52 and 53.
    for numbers in [&[17][..], &[-1], &[54], &[1_000_000], &[0, 20]] {
        assert_eq!(
            fault(&mut fixed(&[]), numbers),
            DouDizhuFault::MissingCard,
            "{numbers:?}"
        );
    }
}

#[test]
fn a_card_that_was_played_or_is_there_twice_is_repeated() {
    assert_eq!(fault(&mut fixed(&[]), &[0, 0]), DouDizhuFault::RepeatedCard);
    assert_eq!(
        fault(&mut fixed(&["3", "", ""]), &[0]),
        DouDizhuFault::RepeatedCard
    );
}

#[test]
fn cards_that_are_nothing_have_the_code_of_their_judge() {
    assert_eq!(
        fault(&mut fixed(&[]), &[0, 4]),
        DouDizhuFault::NoCombination
    );
    assert_eq!(
        DouDizhuFault::NoCombination.code(DouDizhuRules::FIXED),
        "BAD_FORMAT"
    );
    assert_eq!(
        DouDizhuFault::NoCombination.code(DouDizhuRules::BIDDING),
        "INVALID_CARDTYPE"
    );
}

#[test]
fn the_seat_that_leads_cannot_pass() {
    assert_eq!(fault(&mut fixed(&[]), &[]), DouDizhuFault::InvalidPass);
    assert_eq!(
        fault(&mut fixed(&["3", "", ""]), &[]),
        DouDizhuFault::InvalidPass
    );
}

#[test]
fn a_play_that_does_not_beat_says_why() {
    // Seat 2 leads after "J"; then seat 0 answers it.
    let mut game = fixed(&["3", "7", "J", "", "", "QQQ2"]);
    assert_eq!(
        play(&mut game, "4445"),
        Err(DouDizhuFault::NotBeaten(NotBeaten::NotHigher))
    );
    let mut game = fixed(&["3", "7", "J", "", "", "QQQ2"]);
    assert_eq!(
        play(&mut game, "444"),
        Err(DouDizhuFault::NotBeaten(NotBeaten::MismatchKind))
    );
    let mut game = fixed(&["3", "7", "J", "", "", "QQQKKK"]);
    assert_eq!(
        play(&mut game, "444555666"),
        Err(DouDizhuFault::NotBeaten(NotBeaten::MismatchLength))
    );
}

#[test]
fn without_bidding_a_fault_ends_the_game_and_peasants_are_punished_together() {
    let mut game = fixed(&[]);
    fault(&mut game, &[]);
    assert_eq!(
        (game.scores(), game.asked()),
        (Some([-1.0, 2.5, 2.5]), None)
    );
    let mut game = fixed(&["3"]);
    assert_eq!(
        game.answer(DouDizhuAnswer::Nothing),
        Err(DouDizhuFault::NoAnswer)
    );
    assert_eq!(game.scores(), Some([2.5, -1.0, -1.0]));
    assert_eq!(game.faults(), [None, Some(DouDizhuFault::NoAnswer), None]);
}

#[test]
fn after_the_end_nothing_is_taken() {
    let mut game = fixed(&[]);
    fault(&mut game, &[]);
    assert_eq!(
        game.answer(DouDizhuAnswer::Cards(&[0])),
        Err(DouDizhuFault::NoAnswer)
    );
    assert_eq!(game.scores(), Some([-1.0, 2.5, 2.5]));
}

#[test]
fn with_bidding_a_seat_that_errs_passes_from_then_on() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, &[3]);
    play_all(&mut game, &["3"]);
    assert_eq!(fault(&mut game, &[0]), DouDizhuFault::MissingCard);
    assert_eq!((game.scores(), game.asked()), (None, Some(seat(2))));
    play_all(&mut game, &["J", "2"]);
    assert_eq!(game.asked(), Some(seat(2)), "seat 1 is not asked");
    assert_eq!(
        game.faults(),
        [None, Some(DouDizhuFault::MissingCard), None]
    );
}

#[test]
fn with_bidding_a_seat_that_erred_leads_its_lowest_card() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, &[3]);
    assert_eq!(fault(&mut game, &[]), DouDizhuFault::InvalidPass);
    assert_eq!(game.asked(), Some(seat(1)));
    let led = game.round().trail()[0].cards;
    assert_eq!(RankCounts::from(led).to_string(), "3");
    play_all(&mut game, &["", ""]);
    let led: Vec<String> = game
        .round()
        .trail()
        .iter()
        .map(|played| RankCounts::from(played.cards).to_string())
        .collect();
    assert_eq!(led, ["3", "", "", "3"]);
}

#[test]
fn with_bidding_a_bid_that_is_none_counts_as_0_and_costs_the_seat_its_turns() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    assert_eq!(
        game.answer(DouDizhuAnswer::Bid(7)),
        Err(DouDizhuFault::InvalidBid)
    );
    assert_eq!(
        (game.round().bids(), game.asked()),
        (&[0][..], Some(seat(1)))
    );
    bid_all(&mut game, &[0, 0]);
    assert_eq!(game.round().landlord(), Some(seat(0)));
    assert_eq!(game.round().trail().len(), 1, "seat 0 has led");
    assert_eq!(game.asked(), Some(seat(1)));
}

#[test]
fn with_bidding_the_game_is_over_when_all_have_erred() {
    let mut game = DouDizhuGame::new(sorted_deal(), DouDizhuRules::BIDDING);
    bid_all(&mut game, &[3]);
    for _ in 0..3 {
        assert_eq!(
            game.answer(DouDizhuAnswer::Nothing),
            Err(DouDizhuFault::NoAnswer)
        );
    }
    assert_eq!((game.scores(), game.asked()), (Some([-1.0; 3]), None));
}
