//! Small walls allow going through every order of the tiles, and every choice of the hand.
//!
//! This computation is independent of the crate's method: it deals each unseen tile as the next
//! one, counts the tiles that are left, tries every discard, and uses only the value of a win.

use riichi::score::{Dora, Win};
use riichi::shanten::shanten;
use riichi::shape::is_complete;
use riichi::waits::waits;
use riichi::yaku::{Declared, WinBy};
use riichi::{Called, ConcealedHand, Hand, Kind, Meld, MeldKind, Rules, Seat, Tile};
use riichi_estimates::expectation::{Aim, Detours};

use crate::scene::{HandScene, meld, tile};

/// Chance of a win, and points.
type Value = (f64, f64);

struct Orders<'a> {
    scene: &'a HandScene,
    /// The seat's discards.
    thrown: Vec<Kind>,
    melds: Vec<Meld>,
}

#[derive(Clone, Copy, PartialEq)]
enum RiichiTurn {
    No,
    /// A win now would be ippatsu.
    Fresh,
    Old,
}

impl Orders<'_> {
    fn concealed(&self, hand: &Hand) -> ConcealedHand {
        ConcealedHand::new(*hand.counts(), self.melds.len(), 4).expect("a hand")
    }

    fn better(&self, one: Value, other: Value) -> Value {
        let greater = match self.scene.aim {
            Aim::Points => one.1 > other.1,
            Aim::Win => one.0 > other.0,
        };
        if greater { one } else { other }
    }

    /// The mean gain of a win over each tile that an ura indicator may be; `None` without a yaku.
    fn gain(&self, full: &Hand, winning: Tile, by: WinBy, riichi: RiichiTurn) -> Option<f64> {
        let declared = (riichi != RiichiTurn::No).then_some(Declared {
            double: false,
            ippatsu: riichi == RiichiTurn::Fresh,
        });
        let win = Win {
            riichi: declared,
            ..Win::of(full, &self.melds, winning.kind(), by)
        };
        let gain = |ura| {
            let score = self.scene.situation.score(&Win { ura, ..win.clone() });
            score.ok().map(|score| f64::from(score.gain()))
        };
        if self.scene.ura_indicators == 0 || riichi == RiichiTurn::No {
            return gain(Dora::NONE);
        }
        // All tiles unseen at the start but the winning one.
        let mut markers: Vec<Tile> = self.scene.unseen.tiles().collect();
        markers.remove(
            markers
                .iter()
                .position(|&tile| tile == winning)
                .expect("it was unseen"),
        );
        let mut gains = Vec::new();
        for (place, &first) in markers.iter().enumerate() {
            if self.scene.ura_indicators == 1 {
                gains.push(gain(Dora::named_by(&Rules::TENHOU_HALF, [first]))?);
                continue;
            }
            for (other, &second) in markers.iter().enumerate() {
                if other != place {
                    gains.push(gain(Dora::named_by(&Rules::TENHOU_HALF, [first, second]))?);
                }
            }
        }
        Some(gains.iter().sum::<f64>() / gains.len() as f64)
    }

    /// After a discard, with further discards of others before the next draw.
    fn next(
        &mut self,
        hand: &Hand,
        left: &[Tile],
        throws: u8,
        draws: u8,
        riichi: RiichiTurn,
        passed: bool,
    ) -> Value {
        let lost = (
            0.0,
            if riichi == RiichiTurn::No {
                0.0
            } else {
                -1000.0
            },
        );
        if throws == 0 && draws == 0 {
            return lost;
        }
        let waits = waits(&self.concealed(hand));
        let furiten = passed || self.thrown.iter().any(|&kind| waits.contains(kind));
        let mut sum = (0.0, 0.0);
        for (place, &next) in left.iter().enumerate() {
            let mut rest = left.to_vec();
            rest.remove(place);
            let full = hand.with(next).expect("not a fifth tile");
            let (win, points) = if throws > 0 {
                let wins = waits.contains(next.kind());
                match self.gain(&full, next, WinBy::Discard, riichi) {
                    Some(gain) if wins && !furiten => (1.0, gain),
                    _ => {
                        let passed =
                            self.next(hand, &rest, throws - 1, draws, riichi, passed || wins);
                        let may = self.scene.may_call && riichi == RiichiTurn::No && draws > 0;
                        if may {
                            self.called(hand, next, throws == 1, &rest, draws, passed)
                        } else {
                            passed
                        }
                    }
                }
            } else {
                self.drawn(&full, next, &rest, draws - 1, riichi)
            };
            sum = (sum.0 + win, sum.1 + points);
        }
        let orders = left.len() as f64;
        (sum.0 / orders, sum.1 / orders)
    }

    /// The best of calling a tile in any way and letting it pass. A call takes the place of the
    /// next draw.
    fn called(
        &mut self,
        hand: &Hand,
        tile: Tile,
        chi: bool,
        left: &[Tile],
        draws: u8,
        passed: Value,
    ) -> Value {
        let kind = tile.kind();
        let runs = [[-2, -1], [-1, 1], [1, 2]].into_iter().filter(|_| chi);
        let runs = runs.filter_map(|[low, high]| Some([kind.offset(low)?, kind.offset(high)?]));
        let mut best = passed;
        for own in [[kind; 2]].into_iter().chain(runs) {
            let shown = own.map(Kind::tile);
            let Ok(full) = hand.without(&shown) else {
                continue;
            };
            let called = Some(Called {
                tile,
                from: Seat::FIRST,
            });
            let sort = if own[0] == own[1] {
                MeldKind::Pon
            } else {
                MeldKind::Chi
            };
            let all = [tile, shown[0], shown[1]];
            self.melds
                .push(Meld::new(sort, &all, called, 0).expect("a run or a triplet"));
            for thrown in full.distinct() {
                if !self
                    .scene
                    .situation
                    .rules
                    .kuikae(kind, own)
                    .contains(thrown.kind())
                {
                    let value = self.thrown(&full, thrown, left, draws - 1);
                    best = self.better(value, best);
                }
            }
            self.melds.pop();
        }
        best
    }

    fn drawn(
        &mut self,
        full: &Hand,
        drawn: Tile,
        left: &[Tile],
        draws: u8,
        riichi: RiichiTurn,
    ) -> Value {
        if is_complete(&self.concealed(full))
            && let Some(gain) = self.gain(full, drawn, WinBy::Draw, riichi)
        {
            return (1.0, gain);
        }
        if riichi != RiichiTurn::No {
            let hand = full.without(&[drawn]).expect("it was drawn");
            return self.next(
                &hand,
                left,
                self.scene.throws,
                draws,
                RiichiTurn::Old,
                false,
            );
        }
        let mut best = (-1.0, f64::MIN);
        for thrown in full.distinct() {
            let value = self.thrown(full, thrown, left, draws);
            best = self.better(value, best);
        }
        best
    }

    /// The best that a discard leads to.
    fn thrown(&mut self, full: &Hand, thrown: Tile, left: &[Tile], draws: u8) -> Value {
        let hand = full.without(&[thrown]).expect("it is held");
        self.thrown.push(thrown.kind());
        let throws = self.scene.throws;
        let mut best = self.next(&hand, left, throws, draws, RiichiTurn::No, false);
        if self.scene.may_riichi
            && self.melds.is_empty()
            && draws > 0
            && shanten(&self.concealed(&hand)) == 0
        {
            let value = self.next(&hand, left, throws, draws, RiichiTurn::Fresh, false);
            best = self.better(value, best);
        }
        self.thrown.pop();
        best
    }
}

/// Throwing these is worth what all orders together say.
#[track_caller]
fn agrees(scene: &HandScene, thrown: &[&str]) {
    let expectation = scene.expectation();
    let left: Vec<Tile> = scene.unseen.tiles().collect();
    for name in thrown {
        let mut discards = expectation.discards().iter();
        let discard = discards
            .find(|discard| discard.tile == tile(name))
            .unwrap_or_else(|| {
                panic!("{name} is not among {:?}", expectation.discards());
            });
        let mut orders = Orders {
            scene,
            thrown: scene.thrown.iter().collect(),
            melds: scene.melds.clone(),
        };
        let (win, points) = orders.thrown(&scene.hand, discard.tile, &left, scene.draws);
        let found = discard.chances;
        assert!(win > 0.0, "a case without any win says nothing");
        // The information about discarded tiles has single precision.
        assert!(
            (found.win - win).abs() < 1e-7,
            "{name}: {} for {win}",
            found.win
        );
        if scene.aim == Aim::Points {
            assert!(
                (found.points - points).abs() < 1e-7 * points.abs().max(1.0),
                "{name}: {} for {points}",
                found.points
            );
        }
    }
}

#[test]
fn a_tenpai_hand_with_riichi_ippatsu_and_ron() {
    agrees(
        &HandScene {
            throws: 2,
            ..HandScene::new("234m456p67788s33z1z", "6699s12345p", 2)
        },
        &["E"],
    );
}

#[test]
fn each_ura_indicator_that_there_may_be() {
    let scene = HandScene {
        ura_indicators: 1,
        throws: 1,
        ..HandScene::new("234m456p34s55678s1z", "2255s34m47z", 2)
    };
    agrees(&scene, &["E"]);
    let scene = HandScene {
        ura_indicators: 2,
        throws: 1,
        ..HandScene::new("234m456p34s55888s1z", "2255s34m47z", 1)
    };
    agrees(&scene, &["E"]);
}

#[test]
fn a_furiten_hand_wins_by_its_own_draw_only() {
    let scene = HandScene {
        throws: 1,
        ..HandScene::new("234m456p34s55678s1z", "2255s67z19m", 2)
    };
    let thrown = [tile("2s").kind()].into_iter().collect();
    agrees(&HandScene { thrown, ..scene }, &["E"]);
}

#[test]
fn red_fives_drawn_count() {
    agrees(
        &HandScene {
            throws: 1,
            ..HandScene::new("234m456p34m55678s1z", "505m22m67z19s", 2)
        },
        &["E"],
    );
}

#[test]
fn a_hand_one_step_away_with_enough_draws() {
    let scene = HandScene::new("234m45p34s55788s9m1z", "36p2567s2z", 2);
    let expectation = scene.expectation();
    let thrown: Vec<&str> = expectation
        .discards()
        .iter()
        .map(|discard| discard.tile.name())
        .collect();
    assert!(thrown.len() >= 2, "{thrown:?}");
    agrees(&scene, &thrown);
}

#[test]
fn a_hand_two_steps_away_with_enough_draws() {
    agrees(
        &HandScene::new("24m45p34s557888s19m", "3m36p25s1z", 3),
        &["1m", "9m"],
    );
    agrees(
        &HandScene {
            aim: Aim::Win,
            ..HandScene::new("24m45p34s557888s19m", "3m36p25s1z", 3)
        },
        &["1m", "9m"],
    );
}

#[test]
fn an_open_hand_wins_with_a_yaku_only() {
    for (throws, draws) in [(0, 2), (2, 0)] {
        let scene = HandScene {
            melds: vec![meld("678p")],
            throws,
            ..HandScene::new("234m23s66688m1z", "1144s77m12z", draws)
        };
        agrees(&scene, &["E"]);
    }
}

#[test]
fn a_hand_in_tenpai_takes_the_detour_to_a_wait_that_is_there() {
    // Neither honour is left to wait for; 2s and 5s make two-sided waits for each other.
    let scene = HandScene::new("234m456p345678s7z1z", "2s5s3p9m", 2);
    agrees(
        &HandScene {
            may_riichi: false,
            detours: Detours::One,
            ..scene
        },
        &["E", "C"],
    );
}

/// A hand that calls, with that many discards of others before each draw.
fn that_calls(hand: &str, unseen: &str, throws: u8, draws: u8) -> HandScene {
    HandScene {
        may_call: true,
        throws,
        aim: Aim::Win,
        ..HandScene::new(hand, unseen, draws)
    }
}

#[test]
fn a_triplet_of_dragons_is_called_from_anyone_and_makes_the_yaku() {
    agrees(
        &that_calls("234m678s345p55z9m12z", "5z9m346z1s", 2, 1),
        &["E"],
    );
}

#[test]
fn a_run_is_called_from_the_player_before_only() {
    agrees(
        &that_calls("23467m34p678s88s1z9m", "5m25p112z", 2, 1),
        &["E", "9m"],
    );
}

#[test]
fn the_tile_swapped_for_the_called_one_is_discarded_only_if_the_rules_allow_it() {
    // 3m for 6m makes the three colours 345; called with 45m it would be a swap.
    for kuikae_forbidden in [true, false] {
        let mut scene = that_calls("456m99p78s1z", "3m69s23z", 1, 1);
        scene.situation.rules.kuikae_forbidden = kuikae_forbidden;
        scene.melds = vec![meld("345p"), meld("345s")];
        agrees(
            &HandScene {
                detours: Detours::One,
                ..scene
            },
            &["E"],
        );
    }
}

#[test]
fn a_hand_two_steps_away_calls_twice() {
    agrees(
        &that_calls("234m34p67s88s55z9m12z", "2p5s5z8s34z", 1, 2),
        &["E", "9m"],
    );
}
