//! Properties of every game: no tile and no point is lost, and every game ends.
//!
//! `GAMES=1000000 cargo test --release -p bot-runner-riichi --test game soak -- --nocapture` is the
//! long run.

use riichi::game::{RiichiGame, Wall};
use riichi::rng::Rng;
use riichi::rules::Length;
use riichi::table::Phase;
use riichi::tile::Kind;
use riichi::{Action, Rules, Seat, Tile};

use crate::choice::Style;
use crate::deal::Deal;
use crate::games;
use crate::play::TENHOU;

/// More answers than any game takes: rounds are repeated at most so often as a player can pay for.
const MAX_ANSWERS: u32 = 100_000;

/// Points of all seats and sticks on the table.
fn points(game: &RiichiGame) -> i32 {
    game.scores().as_slice().iter().sum::<i32>() + 1000 * i32::from(game.kyotaku())
}

/// Number of copies of each tile, by its index.
type TileCounts = [u8; 37];

fn counts(tiles: impl IntoIterator<Item = Tile>) -> TileCounts {
    let mut counts = [0; 37];
    tiles.into_iter().for_each(|tile| counts[tile.index()] += 1);
    counts
}

/// The tiles that are no longer in the wall, by their places: hands, melds, rivers, Norths set
/// aside.
fn tiles_in_play(game: &RiichiGame) -> TileCounts {
    counts(game.players().iter().flat_map(|(seat, player)| {
        let river = player
            .river
            .iter()
            .filter(|discard| discard.called_by.is_none())
            .map(|discard| discard.tile);
        let melds = player
            .melds
            .iter()
            .flat_map(|meld| meld.tiles().iter().copied());
        let norths = std::iter::repeat_n(Kind::NORTH.tile(), usize::from(player.kita));
        game.hand(seat)
            .tiles()
            .chain(river)
            .chain(melds)
            .chain(norths)
    }))
}

/// The tiles that have left the wall: the deal, the draws and the replacement draws.
fn drawn_tiles(game: &RiichiGame) -> TileCounts {
    let rules = game.rules();
    let kans: usize = game
        .players()
        .iter()
        .map(|(_, player)| player.kans() + usize::from(player.kita))
        .sum();
    // A kan, or a North, that may still be won on has drawn nothing yet.
    let replaced = kans
        - usize::from(matches!(
            game.phase(),
            Phase::Kan { .. } | Phase::Kita { .. }
        ));
    let drawn = usize::from(rules.drawable_tiles() - game.tiles_left());
    let front = 13 * usize::from(rules.players) + drawn - replaced;
    let wall = game.wall().tiles();
    counts(
        wall[..front]
            .iter()
            .chain(&wall[wall.len() - replaced..])
            .copied(),
    )
}

fn soak(rules: Rules, numbers: impl IntoIterator<Item = u64>) {
    let all = i32::from(rules.players) * rules.start_points;
    for number in numbers {
        let style = Style::of_game(number);
        let mut rng = Rng::keyed(&[number, 2]);
        let mut game = RiichiGame::new(rules, number);
        let mut answers = 0;
        while !game.is_over() {
            assert!(!game.asked().is_empty(), "game {number}: no seat is asked");
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let action = style.choose(&game, seat, &legal, &mut rng);
                game.answer(seat, action).expect("it is legal");
                answers += 1;
            }
            // Between rounds the new deal is compared.
            assert_eq!(points(&game), all, "game {number}");
            if !game.is_over() && answers % 16 == 0 {
                assert_eq!(tiles_in_play(&game), drawn_tiles(&game), "game {number}");
            }
            assert!(answers < MAX_ANSWERS, "game {number} does not end");
        }
        assert!(game.asked().is_empty(), "game {number}");
        assert!(
            game.kyotaku() == 0 || rules.length == Length::Single,
            "game {number}: the sticks go to the first"
        );
    }
}

#[test]
fn soak_no_tile_and_no_point_is_lost_and_every_game_ends() {
    let presets = [Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF];
    let all = presets
        .into_iter()
        .flat_map(|rules| [rules, rules.with_players(3)]);
    let numbers = games(80);
    // A quarter of the games by each, whichever part of a long run this is.
    for (place, rules) in all.enumerate() {
        soak(
            rules,
            numbers.clone().filter(|number| number % 4 == place as u64),
        );
    }
    eprintln!("games {numbers:?}: no tile and no point was lost");
}

#[test]
fn games_by_every_choice_in_the_rules_play_to_their_end() {
    let usual = Rules::TENHOU_HALF;
    for rules in [
        usual.with_length(Length::Single),
        usual.with_length(Length::East),
        usual.with_players(3).with_length(Length::Single),
        usual.with_players(3).with_length(Length::East),
        Rules {
            red_fives: 0,
            ..usual
        },
        Rules {
            red_fives: 4,
            ..usual
        },
        Rules {
            red_fives: 0,
            ..usual.with_players(3)
        },
        Rules {
            open_tanyao: false,
            kuikae_forbidden: false,
            ..usual
        },
        Rules {
            ron_on_ankan_by_kokushi: true,
            triple_ron_is_draw: false,
            ..usual
        },
        Rules {
            ron_on_ankan_by_kokushi: false,
            triple_ron_is_draw: true,
            ..Rules::MAHJONG_SOUL_HALF
        },
        Rules {
            start_points: 0,
            return_points: 10_000,
            ..usual
        },
        Rules {
            start_points: 100_000,
            return_points: 1_000_000,
            ..usual
        },
    ] {
        soak(rules, 100..107);
    }
}

#[test]
fn where_kuikae_is_allowed_the_called_tile_may_be_discarded() {
    for (rules, allowed) in [
        (TENHOU, false),
        (
            Rules {
                kuikae_forbidden: false,
                ..TENHOU
            },
            true,
        ),
    ] {
        let mut play = Deal::new(rules)
            .holds(0, "3m 7p 7p 1p 9p 2s 4s 6s 8s E S W N")
            .holds(1, "4m 5m 3m 6m 5p 5p 8p 8p 1s 1s 9s 9s C")
            .draws("P")
            .begin(rules);
        play.act(0, "dahai 3m")
            .pass_but(1)
            .act(1, "chi 3m with [4m, 5m]");
        assert_eq!(
            (play.may(1, "dahai 3m"), play.may(1, "dahai 6m")),
            (allowed, allowed)
        );
    }
}

#[test]
fn no_action_but_the_listed_ones_is_taken() {
    let rules = Rules::TENHOU_HALF;
    let mut game =
        RiichiGame::with_wall(rules, Wall::shuffled(&rules, &mut Rng::keyed(&[3])).tiles())
            .expect("a wall");
    let mut tried = 0;
    let mut rng = Rng::keyed(&[4]);
    while !game.awaits_wall() {
        let before: Vec<_> = game.events().to_vec();
        for seat in Seat::all(rules.players) {
            let legal = game.legal_actions(seat);
            let asked = game.asked().contains(&seat);
            assert_eq!(asked, !legal.is_empty());
            for kind in Kind::all() {
                for tsumogiri in [false, true] {
                    for action in [
                        Action::Dahai {
                            tile: kind.tile(),
                            tsumogiri,
                        },
                        Action::None,
                        Action::Ryukyoku,
                    ] {
                        if !legal.contains(&action) {
                            assert!(game.answer(seat, action).is_err());
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(game.events(), before);
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = Style::of_game(0).choose(&game, seat, &legal, &mut rng);
            game.answer(seat, action).expect("it is legal");
        }
    }
    assert!(tried > 1000);
}
