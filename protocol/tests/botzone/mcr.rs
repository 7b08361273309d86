//! Chinese Standard mahjong: tiles, requests, responses.

use mcr::McrAction;
use mcr::event::Flower;
use proptest::prelude::*;
use protocol::botzone::mcr::{json_of_text, text_of_json};
use protocol::botzone::{
    McrHappening, McrRequest, flower_name, mcr_response, parse_flower_name, parse_mcr_request,
    parse_mcr_response, parse_tile_name, tile_name,
};
use riichi::{Kind, Seat, Wind};

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn kind(name: &str) -> Kind {
    parse_tile_name(name).expect("a tile")
}

fn error(request: &str) -> String {
    parse_mcr_request(request)
        .expect_err("it cannot be read")
        .to_string()
}

#[test]
fn a_tile_has_its_suits_letter_and_dragons_go_from_red_to_white() {
    for (name, short) in [
        ("W1", "1m"),
        ("W9", "9m"),
        ("B1", "1p"),
        ("B9", "9p"),
        ("T1", "1s"),
        ("T9", "9s"),
        ("F1", "E"),
        ("F4", "N"),
        ("J1", "C"),
        ("J2", "F"),
        ("J3", "P"),
    ] {
        assert_eq!(kind(name).to_string(), short, "{name}");
    }
    for kind in Kind::all() {
        assert_eq!(parse_tile_name(tile_name(kind)), Some(kind));
    }
    for wrong in ["", "W", "W0", "W10", "F5", "J4", "w1", "H1", "W1 ", "1m"] {
        assert_eq!(parse_tile_name(wrong), None, "{wrong}");
    }
    for flower in (1..=8).filter_map(Flower::new) {
        assert_eq!(parse_flower_name(flower_name(flower)), Some(flower));
    }
    assert_eq!(parse_flower_name("H9"), None);
}

#[test]
fn each_request_is_read_completely() {
    assert_eq!(
        parse_mcr_request("0 2 3"),
        Ok(McrRequest::Seat {
            seat: seat(2),
            prevalent_wind: Wind::North
        })
    );
    let deal = parse_mcr_request("1 0 2 0 1 W1 W1 W2 B9 T5 F1 F4 J1 J2 J3 W1 T5 T5 H1 H5 H8");
    let Ok(McrRequest::Deal { hand, flowers }) = deal else {
        panic!("{deal:?}")
    };
    assert_eq!(
        (hand.total(), hand[kind("W1")], hand[kind("T5")], flowers),
        (13, 3, 3, [0, 2, 0, 1])
    );
    assert_eq!(
        parse_mcr_request("2 J2\r"),
        Ok(McrRequest::OwnDraw(kind("J2")))
    );
    for (text, what) in [
        (
            "3 1 BUHUA H7",
            McrHappening::FlowerDrawn(Flower::new(7).expect("a flower")),
        ),
        ("3 1 DRAW", McrHappening::Drawn),
        ("3 1 PLAY W1", McrHappening::Discarded(kind("W1"))),
        (
            "3 1 PENG W2",
            McrHappening::PungClaimed {
                discard: kind("W2"),
            },
        ),
        (
            "3 1 CHI B3 T4",
            McrHappening::ChowClaimed {
                middle: kind("B3"),
                discard: kind("T4"),
            },
        ),
        ("3 1 GANG", McrHappening::Kong),
        ("3 1 BUGANG F3", McrHappening::KongAdded(kind("F3"))),
    ] {
        assert_eq!(
            parse_mcr_request(text),
            Ok(McrRequest::Happened {
                seat: seat(1),
                what
            }),
            "{text}"
        );
    }
}

#[test]
fn an_error_names_the_word_the_value_and_the_allowed_values() {
    assert_eq!(
        error("2 W10"),
        "`request, word 2` is \"W10\"; allowed is a tile: W1 to W9, B1 to B9, T1 to T9, F1 to F4, J1 to J3"
    );
    assert_eq!(
        error("3 4 DRAW"),
        "`request, word 2` is \"4\"; allowed is a seat, 0 to 3"
    );
    assert_eq!(
        error("3 1 HU"),
        "`request, word 3` is \"HU\"; allowed is BUHUA, DRAW, PLAY, PENG, CHI, GANG or BUGANG"
    );
    assert_eq!(
        error(""),
        "`request, word 1` is missing; allowed is 0, 1, 2 or 3"
    );
    assert!(error("1 0 0 0 0 W1 W2").starts_with("`request, word 8` is missing"));
    assert_eq!(
        error("1 0 0 0 0 W1 W1 W1 W1 W1 W6 B1 B1 B2 B3 B4 T9 F1"),
        "`request, words 6 to 18` is 5 of W1; allowed is at most four of a tile"
    );
    assert!(error("1 0 9 0 0 W1").starts_with("`request, word 3` is \"9\""));
}

#[test]
fn a_response_is_compared_verbatim() {
    for wrong in [
        "",
        "pass",
        "PASS W1",
        "PLAY",
        "PLAY W1 W2",
        "CHI W2",
        "PENG H1",
        "HU HU",
    ] {
        assert!(parse_mcr_response(wrong).is_err(), "{wrong}");
    }
    assert_eq!(parse_mcr_response("GANG"), Ok(McrAction::ClaimKong));
    assert_eq!(
        parse_mcr_response("GANG T1"),
        Ok(McrAction::ConcealedKong(kind("T1")))
    );
}

#[test]
fn the_json_form_is_the_same_text_as_a_json_string() {
    assert_eq!(json_of_text("PLAY W1"), "\"PLAY W1\"");
    assert_eq!(text_of_json("\"3 1 DRAW\"").as_deref(), Ok("3 1 DRAW"));
    assert_eq!(
        text_of_json("3 1 DRAW").expect_err("no JSON").allowed,
        "a JSON string"
    );
}

fn kinds() -> impl Strategy<Value = Kind> {
    (0..34_u8).prop_map(|index| Kind::new(index).expect("a kind"))
}

proptest! {
    #[test]
    fn every_written_answer_reads_back_the_same(one in kinds(), two in kinds(), which in 0..8_usize) {
        let action = [
            McrAction::Pass,
            McrAction::Win,
            McrAction::Discard(one),
            McrAction::ConcealedKong(one),
            McrAction::AddKong(one),
            McrAction::ClaimKong,
            McrAction::ClaimPung { discard: two },
            McrAction::ClaimChow { middle: one, discard: two },
        ][which];
        let text = mcr_response(action);
        prop_assert_eq!(parse_mcr_response(&text), Ok(action));
        prop_assert_eq!(text_of_json(&json_of_text(&text)), Ok(text));
    }
}
