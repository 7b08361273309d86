//! A game set up in the middle of a round continues like the original.

use riichi::game::{Hidden, RiichiGame, SetupError};
use riichi::rng::Rng;
use riichi::{Event, PerSeat, Rules, Table};

use crate::choice::Style;
use crate::games;
use crate::play::{seat, tile};

/// Plays to the end of the round with choices that depend on the random numbers alone; the events.
fn to_the_end_of_the_round(mut game: RiichiGame, style: Style, mut rng: Rng) -> Vec<Event> {
    let mut events = Vec::new();
    let ends = |events: &[Event]| events.iter().any(|event| matches!(event, Event::EndKyoku));
    while !ends(&events) {
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = style.choose(&game, seat, &legal, &mut rng);
            game.answer(seat, action).expect("it is legal");
        }
        events.extend(game.events());
    }
    let end = events
        .iter()
        .position(|event| matches!(event, Event::EndKyoku))
        .expect("it has ended");
    events.truncate(end);
    events
}

fn follow(tables: &mut PerSeat<Table>, events: &[Event]) {
    for event in events {
        for (seat, table) in tables.iter_mut() {
            table
                .apply(&event.masked_for(seat))
                .expect("the game announces possible events");
        }
    }
}

/// At every third moment of a game, from each seat.
fn compare(rules: Rules, number: u64) {
    let (style, mut rng) = (Style::of_game(number), Rng::keyed(&[number, 5]));
    let mut game = RiichiGame::new(rules, number);
    let mut tables = PerSeat::from_fn(rules.players, |seat| Table::new(rules, seat));
    follow(&mut tables, game.events());
    let mut moment = 0;
    while !game.is_over() {
        moment += 1;
        for (seat, table) in tables.iter().filter(|_| moment % 3 == 0) {
            // A game's table equals the table that the seat built from its events.
            assert_eq!(
                format!("{:?}", game.table(seat)),
                format!("{table:?}"),
                "game {number}, seat {seat}"
            );
            let hidden = Hidden::from_seat_of(&game, seat);
            let set_up = RiichiGame::from_table(table, &hidden).expect("these are the tiles");
            assert_eq!(set_up.asked(), game.asked());
            assert_eq!(Hidden::from_seat_of(&set_up, seat), hidden);
            if moment % 30 == 0 {
                let go_on = |game| to_the_end_of_the_round(game, style, rng.clone());
                assert_eq!(
                    go_on(set_up),
                    go_on(game.clone()),
                    "game {number}, seat {seat}"
                );
            }
        }
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = style.choose(&game, seat, &legal, &mut rng);
            game.answer(seat, action).expect("it is legal");
        }
        follow(&mut tables, game.events());
    }
}

#[test]
fn a_game_set_up_from_a_seat_and_the_true_tiles_continues_like_the_original() {
    for number in games(14) {
        for rules in [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF.with_players(3)] {
            compare(rules, number);
        }
    }
}

#[test]
fn a_game_set_up_with_random_tiles_plays_on_to_the_end_of_the_round() {
    for number in games(20) {
        let rules = if number % 2 == 0 {
            Rules::TENHOU_HALF
        } else {
            Rules::TENHOU_HALF.with_players(3)
        };
        let (style, mut rng) = (Style::of_game(number), Rng::keyed(&[number, 6]));
        let mut game = RiichiGame::new(rules, number);
        for _ in 0..40 + number {
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let action = style.choose(&game, seat, &legal, &mut rng);
                game.answer(seat, action).expect("it is legal");
            }
            if game.is_over() {
                break;
            }
            for seat in game.asked() {
                let table = game.table(seat);
                let sample = RiichiGame::from_table(&table, &Hidden::shuffled(&table, &mut rng))
                    .expect("the tiles fit");
                assert_eq!(sample.legal_actions(seat), table.legal_actions());
                assert_eq!(sample.hand(seat), table.hand());
            }
        }
        if !game.is_over() {
            let table = game.table(seat(0));
            let sample = RiichiGame::from_table(&table, &Hidden::shuffled(&table, &mut rng))
                .expect("the tiles fit");
            assert!(!to_the_end_of_the_round(sample, style, rng).is_empty());
        }
    }
}

#[test]
fn random_tiles_are_dealt_in_all_ways() {
    let table = RiichiGame::new(Rules::TENHOU_HALF, 1).table(seat(0));
    let (mut rng, samples) = (Rng::keyed(&[2]), 4000);
    let wanted = tile("9s");
    let mut held = 0_u32;
    for _ in 0..samples {
        held += u32::from(Hidden::shuffled(&table, &mut rng).hands[seat(2)].count(wanted));
    }
    // 13 of the 121 tiles that seat 0 has not seen.
    let expected = f64::from(samples) * f64::from(table.unseen()[wanted.kind()]) * 13.0 / 121.0;
    assert!(
        (f64::from(held) - expected).abs() < 0.1 * expected,
        "{held}, not about {expected}"
    );
}

#[test]
fn impossible_tiles_are_refused_with_the_mistake() {
    let game = RiichiGame::new(Rules::TENHOU_HALF, 1);
    let table = game.table(seat(1));
    let truth = Hidden::from_seat_of(&game, seat(1));
    let refusal = |change: &dyn Fn(&mut Hidden)| {
        let mut hidden = truth.clone();
        change(&mut hidden);
        RiichiGame::from_table(&table, &hidden)
            .expect_err("it cannot be")
            .to_string()
    };
    assert!(RiichiGame::from_table(&table, &truth).is_ok());
    let first = truth.wall[0];
    let wrong = refusal(&|hidden| {
        hidden.wall[0] = hidden
            .wall
            .iter()
            .copied()
            .find(|&tile| tile != first)
            .unwrap_or(first)
    });
    assert!(
        wrong.starts_with("with the assumed tiles there are ")
            && wrong.contains("the game is played with"),
        "{wrong}"
    );
    let short = refusal(&|hidden| _ = hidden.wall.pop());
    assert!(
        short.starts_with("with the assumed tiles there are "),
        "{short}"
    );
    let fewer = refusal(&|hidden| {
        let tile = hidden.hands[seat(2)].tiles().next().expect("a tile");
        hidden.hands[seat(2)].remove(tile).expect("it is there");
    });
    assert!(fewer.starts_with("seat 2: 12 concealed tiles"), "{fewer}");
    let none = refusal(&|hidden| hidden.drawn = None);
    assert_eq!(
        none,
        "seat 0 is on turn, and its drawn tile is given as none"
    );
    let before = RiichiGame::from_table(&Table::new(Rules::TENHOU_HALF, seat(1)), &truth);
    assert!(
        matches!(before, Err(SetupError::NothingToDecide(_))),
        "{before:?}"
    );
}

#[test]
fn a_seat_that_has_declared_riichi_is_not_given_a_hand_that_no_discard_leaves_tenpai() {
    let game = RiichiGame::new(Rules::TENHOU_HALF, 1);
    let mut table = game.table(seat(1));
    table
        .apply(&Event::Reach { actor: seat(0) })
        .expect("the table does not know the hand");
    let error = RiichiGame::from_table(&table, &Hidden::from_seat_of(&game, seat(1)))
        .expect_err("it is far from tenpai");
    assert_eq!(error, SetupError::NoLegalAction { seat: seat(0) });
}
