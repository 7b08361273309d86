//! The knowledge of a seat.

use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::{Flower, PLAYERS, safe_mcr_answer};
use mcr::game::McrWalls;
use mcr::seat::SeenSet;
use mcr::{McrAction, McrEvent, McrGame, McrRules, McrSeatState};
use tiles::{Counts, Kind, Wind};

use crate::scene::{act, game, kind, pass, seat};

#[test]
fn a_seat_learns_neither_the_draws_of_others_nor_the_tile_of_their_concealed_kongs() {
    let mut game = game(["5555s147m258p123z4z", "", "", ""]);
    act(&mut game, 0, McrAction::ConcealedKong(kind("5s")));
    assert_eq!(
        game.seat(seat(1)).public(seat(0)).sets.as_slice(),
        [SeenSet::HiddenKong]
    );
    assert_eq!(game.seat(seat(1)).unseen()[kind("5s")], 4);
    assert_eq!(game.seat(seat(0)).unseen()[kind("5s")], 0);
    pass(&mut game);
    let replacement = game.events().last().cloned().expect("a draw");
    assert!(matches!(replacement, McrEvent::Drawn { tile: Some(_), .. }));
    assert!(matches!(
        replacement.hidden_from(seat(1)),
        McrEvent::Drawn { tile: None, .. }
    ));
}

#[test]
fn the_wind_of_a_seat_is_its_number() {
    let winds: Vec<Wind> = (0..4)
        .map(|number| McrSeatState::new(seat(number), McrRules::default()).seat_wind())
        .collect();
    assert_eq!(winds, Wind::ALL);
}

#[test]
fn an_event_that_cannot_follow_is_refused_and_changes_nothing() {
    let game = game(["147m258p369s1234z5z", "", "", ""]);
    let mut one = game.seat(seat(1)).clone();
    let refused = |one: &mut McrSeatState, event: McrEvent| {
        one.apply(&event).expect_err("it cannot follow").to_string()
    };
    let drawn_twice = refused(
        &mut one,
        McrEvent::Discarded {
            seat: seat(2),
            tile: kind("1m"),
        },
    );
    assert!(
        drawn_twice.contains("the seat has not just drawn"),
        "{drawn_twice}"
    );
    assert!(
        refused(
            &mut one,
            McrEvent::PungClaimed {
                seat: seat(2),
                discard: kind("1m")
            }
        )
        .contains("no discard to claim")
    );
    let dealt = McrEvent::Dealt {
        prevalent_wind: Wind::East,
        hand: Counts::EMPTY,
        flowers: [0; 4],
    };
    assert!(refused(&mut one, dealt.clone()).contains("dealt already"));
    assert_eq!(
        (one.stage(), one.hand()),
        (game.seat(seat(1)).stage(), game.seat(seat(1)).hand())
    );
    let mut undealt = McrSeatState::new(seat(0), McrRules::default());
    assert!(refused(&mut undealt, McrEvent::Over).contains("nothing is dealt yet"));
    assert!(refused(&mut undealt, dealt).contains("13 tiles are dealt"));
}

#[test]
fn the_safe_answer_wins_else_passes_else_discards_the_drawn_tile() {
    let [one, two] = [kind("1m"), kind("2m")].map(McrAction::Discard);
    let of = |legal: &[McrAction]| safe_mcr_answer(legal, Some(kind("2m")));
    assert_eq!(of(&[one, McrAction::Win, two]), Some(McrAction::Win));
    assert_eq!(
        of(&[McrAction::Pass, McrAction::ClaimKong]),
        Some(McrAction::Pass)
    );
    assert_eq!(
        (of(&[one, two]), of(&[one]), of(&[])),
        (Some(two), Some(one), None)
    );
}

/// Games of random legal answers: every seat follows from its own events, no tile is lost, a seat
/// declares the set that its answer names, and scores add up to zero.
#[test]
fn random_games_are_followed_by_every_seat_to_their_end() {
    for number in 0..60 {
        let mut random = Rng::keyed(&[number]);
        let rules = McrRules {
            flowers: number % 3 == 0,
            ..McrRules::default()
        };
        let walls = McrWalls::shuffled(number, rules);
        let mut game = McrGame::new(walls, Wind::ALL[random.below(4)], rules);
        let mut heard: Vec<McrSeatState> = Seat::all(PLAYERS)
            .map(|seat| game.seat(seat).clone())
            .collect();
        let mut told = game.events().len();
        while game.end().is_none() {
            let answers: Vec<_> = heard
                .iter()
                .map(|seat| Some(*random.pick(&seat.legal()).expect("something to answer")))
                .collect();
            let declared: Vec<_> = heard
                .iter()
                .zip(&answers)
                .map(|(seat, answer)| {
                    let action = answer.expect("each seat answers");
                    let hand = seat.with_set_of(action).expect("a legal action");
                    action
                        .discard()
                        .map_or(Some(hand.clone()), |discard| hand.without(discard))
                })
                .collect();
            game.answer(answers.try_into().expect("four answers"));
            for event in &game.events()[told..] {
                for seat in &mut heard {
                    seat.apply(&event.hidden_from(seat.seat()))
                        .expect("an event that follows");
                }
                if let McrEvent::PungClaimed { seat, .. }
                | McrEvent::ChowClaimed { seat, .. }
                | McrEvent::KongClaimed { seat }
                | McrEvent::ConcealedKong { seat, .. }
                | McrEvent::KongAdded { seat, .. } = *event
                {
                    assert_eq!(
                        Some(heard[seat.index()].hand()),
                        declared[seat.index()].as_ref(),
                        "{event:?}"
                    );
                }
            }
            told = game.events().len();
            check(&game, &heard);
        }
        assert_eq!(game.end().expect("an end").scores().iter().sum::<i32>(), 0);
    }
}

fn check(game: &McrGame, heard: &[McrSeatState]) {
    for seat in heard {
        assert_eq!(seat.legal(), game.seat(seat.seat()).legal());
        let public = seat.public(seat.seat());
        assert_eq!(u32::from(public.concealed), seat.hand().concealed().total());
    }
    // Own tiles and open ones never make more than four of a kind.
    let open = heard[0].open_tiles();
    for kind in Kind::all() {
        let held: u8 = heard.iter().map(|seat| seat.hand().concealed()[kind]).sum();
        assert!(
            open[kind] + held <= 4,
            "{kind}: {} open, {held} held",
            open[kind]
        );
    }
}

/// Any event, most of them such as cannot follow.
fn any_event(rng: &mut Rng) -> McrEvent {
    let kinds: Vec<Kind> = Kind::all().collect();
    let mut kind = || kinds[rng.below(kinds.len())];
    let (one, other) = (kind(), kind());
    let seat = seat(rng.below(4) as u8);
    let flower = Flower::new(1 + rng.below(8) as u8).expect("there are eight");
    let events = [
        McrEvent::Drawn {
            seat,
            tile: Some(one),
        },
        McrEvent::Drawn { seat, tile: None },
        McrEvent::FlowerDrawn { seat, flower },
        McrEvent::Discarded { seat, tile: one },
        McrEvent::PungClaimed { seat, discard: one },
        McrEvent::ChowClaimed {
            seat,
            middle: one,
            discard: other,
        },
        McrEvent::KongClaimed { seat },
        McrEvent::ConcealedKong {
            seat,
            tile: Some(one),
        },
        McrEvent::ConcealedKong { seat, tile: None },
        McrEvent::KongAdded { seat, tile: one },
    ];
    rng.pick(&events).cloned().expect("there are some")
}

#[test]
fn no_refused_event_leaves_anything_behind() {
    let (mut rng, mut refused) = (Rng::keyed(&[46]), 0);
    for number in 0..20 {
        let rules = McrRules {
            flowers: number % 2 == 0,
            ..McrRules::default()
        };
        let mut game = McrGame::new(McrWalls::shuffled(number, rules), Wind::East, rules);
        while game.end().is_none() {
            for at in Seat::all(PLAYERS) {
                let mut table = game.seat(at).clone();
                let (before, event) = (format!("{table:?}"), any_event(&mut rng));
                if table.apply(&event).is_err() {
                    refused += 1;
                    assert_eq!(format!("{table:?}"), before, "{event:?}");
                }
            }
            let mut answer = |number| rng.pick(&game.seat(seat(number)).legal()).copied();
            let answers = [answer(0), answer(1), answer(2), answer(3)];
            game.answer(answers);
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// Random legal answers of all seats.
fn answers(game: &McrGame, rng: &mut Rng) -> [Option<McrAction>; 4] {
    std::array::from_fn(|number| rng.pick(&game.seat(seat(number as u8)).legal()).copied())
}

#[test]
fn a_game_continues_from_a_seats_knowledge_with_any_hidden_tiles() {
    let mut rng = Rng::keyed(&[26]);
    let mut kongs = 0;
    for number in 0..40 {
        let rules = McrRules {
            flowers: number % 2 == 0,
            ..McrRules::default()
        };
        let mut game = McrGame::new(McrWalls::shuffled(number, rules), Wind::East, rules);
        while game.end().is_none() {
            for own in Seat::all(PLAYERS)
                .map(|own| game.seat(own))
                .filter(|own| own.legal().len() > 1)
            {
                let mut world =
                    McrGame::from_seat(own, &mut rng).expect("some tiles fit: the true ones do");
                let guessed = world.seat(own.seat());
                assert_eq!(
                    (guessed.legal(), guessed.hand(), guessed.unseen()),
                    (own.legal(), own.hand(), own.unseen())
                );
                for seat in Seat::all(PLAYERS) {
                    let (true_one, guessed) =
                        (own.public(seat), world.seat(own.seat()).public(seat));
                    assert_eq!(true_one, guessed);
                    kongs += usize::from(true_one.sets.contains(&SeenSet::HiddenKong));
                    let hand = world.seat(seat).hand();
                    assert_eq!(hand.concealed().total(), u32::from(true_one.concealed));
                }
                for _ in 0..200 {
                    let answers = answers(&world, &mut rng);
                    world.answer(answers);
                }
                assert!(world.end().is_some(), "it is played to its end");
            }
            let answers = answers(&game, &mut rng);
            game.answer(answers);
        }
        assert!(
            McrGame::from_seat(game.seat(Seat::FIRST), &mut rng).is_none(),
            "it is over"
        );
    }
    assert!(kongs > 0, "some kongs are hidden");
}
