//! When an open hand is sure of a yaku. The seat is West in the South round.

use riichi::acceptance::discard_options;
use riichi::shape::is_complete;
use riichi::yaku::{WinBy, WinContext, has_yaku, yaku_is_certain};
use riichi::{KindSet, Meld, MeldKind, Wind};

use crate::checks;
use crate::random::SplitMix64;
use crate::text::{hand, hand_of, meld, meld_of};

fn certain(closed: &str, melds: &[Meld]) -> bool {
    yaku_is_certain(
        &hand(closed, melds.len()),
        melds,
        Wind::West,
        Wind::South,
        true,
        KindSet::ALL,
    )
}

fn chi(text: &str) -> Meld {
    meld(MeldKind::Chi, text)
}

fn pon(text: &str) -> Meld {
    meld(MeldKind::Pon, text)
}

#[test]
fn a_melded_triplet_of_value_is_certain() {
    let closed = "13m468p129s15z";
    assert!(certain(closed, &[pon("777z")]));
    assert!(certain(closed, &[pon("333z")]), "the seat's wind");
    assert!(certain(closed, &[pon("222z")]), "the round's wind");
    assert!(!certain(closed, &[pon("444z")]), "a guest wind");
}

#[test]
fn a_concealed_triplet_of_value_is_certain() {
    assert!(certain("13m46p129s777z", &[chi("123s")]));
    assert!(
        !certain("13m46p1299s77z", &[chi("123s")]),
        "a pair may stay a pair"
    );
}

#[test]
fn simples_are_certain_where_open_tanyao_counts() {
    let (closed, melds) = ("224m357p2368s", [chi("456p")]);
    assert!(certain(closed, &melds));
    assert!(!yaku_is_certain(
        &hand(closed, 1),
        &melds,
        Wind::West,
        Wind::South,
        false,
        KindSet::ALL
    ));
    assert!(!certain("224m357p2369s", &melds), "a nine is held");
    assert!(!certain(closed, &[chi("789p")]), "a nine is melded");
}

#[test]
fn one_suit_and_honours_are_certain() {
    assert!(certain("134679p1145z", &[chi("456p")]));
    assert!(!certain("134679p1145z", &[chi("456s")]));
    assert!(!certain("13467p1145z9s", &[chi("456p")]));
}

#[test]
fn pairs_and_triplets_are_certain_as_long_as_nothing_else_is_melded() {
    assert!(certain("22m55p88999s4z", &[pon("111z")]));
    assert!(!certain("22m55p88999s4z", &[chi("123s")]));
    assert!(
        !certain("22m56p88999s4z", &[pon("111z")]),
        "two tiles are single"
    );
}

#[test]
fn tenpai_is_certain_when_every_wait_has_a_yaku() {
    assert!(certain("34m456p678s55p", &[chi("345s")]));
    assert!(
        !certain("23m456p678s55p", &[chi("345s")]),
        "1m is not a simple"
    );
    assert!(
        certain("234m234p24s99p", &[chi("789m")]),
        "three colours on the only wait"
    );
    assert!(
        !certain("234m234p34s99p", &[chi("789m")]),
        "three colours on one wait of two"
    );
}

#[test]
fn a_wait_of_which_the_hand_holds_all_four_tiles_need_have_no_yaku() {
    // 23m waits for 1m and 4m; only 4m makes three colours.
    let runs = [chi("234p"), chi("234s")];
    assert!(!certain("23m99p", &[pon("888m"), runs[0], runs[1]]));
    assert!(certain(
        "23m99p",
        &[meld(MeldKind::Daiminkan, "1111m"), runs[0], runs[1]]
    ));
    assert!(
        !certain(
            "23m99p",
            &[meld(MeldKind::Daiminkan, "4444m"), runs[0], runs[1]]
        ),
        "1m is left"
    );
}

#[test]
fn a_wait_of_which_no_tile_is_left_need_have_no_yaku() {
    // 34m with three colours on 5m only: 2m makes none.
    let (closed, melds) = (hand("34m99p", 3), [chi("345p"), chi("345s"), chi("123m")]);
    let certain = |left| yaku_is_certain(&closed, &melds, Wind::West, Wind::South, true, left);
    let all_but = |text: &str| KindSet::ALL - hand(text, 4).counts().kinds();
    assert!(!certain(KindSet::ALL));
    assert!(certain(all_but("2m")));
    assert!(!certain(all_but("5m")), "2m is left");
}

#[test]
fn a_hand_that_holds_all_its_waits_follows_its_plan() {
    let kan = meld(MeldKind::Daiminkan, "3333m");
    assert!(!certain("12m99p", &[kan, chi("234p"), chi("678s")]));
    assert!(certain("12m99p", &[kan, chi("234p"), pon("777z")]));
}

#[test]
fn before_the_discard_the_best_discards_decide() {
    assert!(certain("34m456p678s559p", &[chi("345s")]), "9p can go");
    assert!(!certain("23m456p678s559p", &[chi("345s")]));
    assert!(
        !certain("22m45p678s999s4z", &[chi("345s")]),
        "without 999s there would be a yaku, but more to do"
    );
}

/// Plays on from hands that are certain, throwing only what leaves them certain.
#[test]
fn who_keeps_certain_hands_certain_never_completes_one_without_a_yaku() {
    let mut random = SplitMix64::new(30);
    let context = WinContext {
        by: WinBy::Discard,
        riichi: None,
        seat_wind: Wind::West,
        round_wind: Wind::South,
        open_tanyao: true,
    };
    let is_certain = |closed: &_, melds: &[Meld]| {
        yaku_is_certain(
            closed,
            melds,
            context.seat_wind,
            context.round_wind,
            true,
            KindSet::ALL,
        )
    };
    let mut won = 0;
    for _ in 0..checks() / 10 {
        let kind = random.kind(0, 34);
        let melds = match kind.offset(2) {
            Some(third) if random.below(2) == 0 => [meld_of(
                MeldKind::Chi,
                &[kind, kind.offset(1).expect("between"), third],
            )],
            _ => [meld_of(MeldKind::Pon, &[kind; 3])],
        };
        let mut closed = random.complete(3, (0, 34));
        random.exchange(&mut closed, 3, (0, 34));
        random.take(&mut closed);
        let mut closed = hand_of(closed, 1, 4);
        if !is_certain(&closed, &melds) {
            continue;
        }
        for _turn in 0..30 {
            let drawn = random.kind(0, 34);
            let Some(full) = closed.with(drawn) else {
                continue;
            };
            if is_complete(&full) {
                assert!(
                    has_yaku(&full, &melds, drawn, &context),
                    "{full:?} {melds:?} {drawn}"
                );
                won += 1;
                break;
            }
            let kept = discard_options(&full)
                .into_iter()
                .filter(|option| {
                    full.without(option.kind)
                        .is_some_and(|rest| is_certain(&rest, &melds))
                })
                .min_by_key(|option| (option.shanten, 34 - option.acceptance.len()));
            let thrown = kept.expect("the drawn tile can always be discarded").kind;
            closed = full.without(thrown).expect("it is in the hand");
        }
    }
    assert!(won > checks() / 100, "only {won} hands were completed");
}
