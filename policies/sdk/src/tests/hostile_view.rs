//! For any bytes as a view, reading ends in an error or in a view whose accessors work.
#![allow(unsafe_code, reason = "a view is made from bytes")]

use policy_abi::action::LegalAction;
use policy_abi::layout::{self, Plain, struct_size};
use policy_abi::log::LogEvent;
use policy_abi::view::View as RawView;
use proptest::collection::vec;
use proptest::prelude::*;

use riichi::{MeldKind, Seat};

use crate::View;
use crate::testing::{Scene, Situation, tile};

pub(super) fn from_bytes<T: Plain>(bytes: &[u8]) -> T {
    // SAFETY: the slice has that many bytes; the structs made here hold numbers and pointers only,
    // and a scene replaces the pointers.
    unsafe { layout::read_prefix(bytes.as_ptr().cast(), bytes.len() as u32) }
}

pub(super) fn to_bytes<T: Plain>(value: &T) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<T>()];
    // SAFETY: the target has the size of a `T`.
    unsafe { layout::write_prefix(bytes.as_mut_ptr().cast(), struct_size::<T>(), value) };
    bytes
}

/// Reads everything that a policy can.
fn read_all(view: &View<'_>) -> usize {
    let mut read = 0;
    let mut count = |text: String| read += text.len();
    count(format!(
        "{:?} {:?} {:?}",
        view.rules(),
        view.players(),
        (view.game(), view.decision())
    ));
    count(format!("{:?}", view.rng().next_u64()));
    count(format!(
        "{:?}",
        (view.seat(), view.oya(), view.bakaze(), view.seat_wind())
    ));
    count(format!(
        "{:?}",
        (
            view.kyoku(),
            view.honba(),
            view.kyotaku(),
            view.start_kyotaku()
        )
    ));
    count(format!(
        "{:?}",
        (view.scores(), view.start_scores(), view.placements())
    ));
    count(format!(
        "{:?}",
        (view.hand(), view.closed(), view.drawn(), view.start_hand())
    ));
    count(format!(
        "{:?}",
        (view.melds(), view.waits(), view.furiten())
    ));
    for seat in Seat::all(4) {
        let player = view.player(seat);
        count(format!(
            "{:?} {:?}",
            player.river().rev().collect::<Vec<_>>(),
            player.melds()
        ));
        count(format!(
            "{:?}",
            (
                player.riichi(),
                player.kita_count(),
                player.is_open(),
                player.cannot_ron().all()
            )
        ));
    }
    count(format!("{:?}", view.opponents().count()));
    count(format!(
        "{:?} {}",
        view.dora_markers().collect::<Vec<_>>(),
        view.dora_of(tile("0s"))
    ));
    count(format!(
        "{:?}",
        (view.tiles_left(), view.first_turn(), view.after_kan())
    ));
    count(format!(
        "{:?}",
        (view.unseen(), view.seen(), view.unseen_reds())
    ));
    count(format!(
        "{:?} {:?} {:?}",
        view.request(),
        view.legal(),
        view.time()
    ));
    count(format!(
        "{:?} {:?}",
        view.ended_round().collect::<Vec<_>>(),
        view.events().collect::<Vec<_>>()
    ));
    read
}

fn valid() -> Scene {
    Situation::drew("123m 406p 789s 1z", "3z")
        .meld(0, MeldKind::Pon, "222z", 1)
        .river(0, "1m9p3s")
        .river(1, "3m 6z 6z")
        .riichi(2, "0s")
        .meld(3, MeldKind::Ankan, "4444z", 3)
        .meld(3, MeldKind::Chi, "567s", 2)
        .dora_markers("3p3p")
        .build()
}

#[test]
fn the_view_that_is_changed_below_is_valid_itself() {
    assert!(valid().view(read_all).unwrap() > 1_000);
}

proptest! {
    #[test]
    fn random_bytes_are_no_view_or_a_sound_one(
        view in vec(any::<u8>(), size_of::<RawView>()),
        events in vec(vec(any::<u8>(), size_of::<LogEvent>()), 0..300),
        legal in vec(vec(any::<u8>(), size_of::<LegalAction>()), 0..70),
    ) {
        let raw = from_bytes(&view);
        let events = events.iter().map(|bytes| from_bytes(bytes)).collect();
        let legal = legal.iter().map(|bytes| from_bytes(bytes)).collect();
        let _ = Scene::new(raw, events, legal).view(read_all);
    }

    #[test]
    fn a_valid_view_with_some_bytes_changed_is_no_view_or_a_sound_one(
        view in vec((0..size_of::<RawView>(), any::<u8>()), 0..4),
        legal in vec((0_usize..8 * 8, any::<u8>()), 0..3),
        events in vec(vec(0_u8..40, size_of::<LogEvent>()), 0..9),
    ) {
        let mut scene = valid();
        let mut bytes = to_bytes(scene.raw_mut());
        view.iter().for_each(|&(at, byte)| bytes[at] = byte);
        let raw = from_bytes(&bytes);
        let mut actions: Vec<_> = scene.legal_mut().iter().map(to_bytes).collect();
        legal.iter().for_each(|&(at, byte)| actions[at / 8][at % 8] = byte);
        let actions = actions.iter().map(|bytes| from_bytes(bytes)).collect();
        let events = events.iter().map(|bytes| from_bytes(bytes)).collect();
        let _ = Scene::new(raw, events, actions).view(read_all);
    }
}
