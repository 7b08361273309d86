//! Dou Dizhu: requests and responses.

use doudizhu::{Card, CardSet, DouDizhuSeat};
use proptest::prelude::*;
use protocol::botzone::{
    BidRequest, BiddingEnd, DouDizhuRequest, DouDizhuResponse, PlayRequest, bid_response,
    doudizhu_response, parse_doudizhu_request, parse_doudizhu_response,
};

fn set(numbers: &[u8]) -> CardSet {
    numbers
        .iter()
        .map(|&number| Card::new(number).expect("a card"))
        .collect()
}

fn error(request: &str) -> String {
    parse_doudizhu_request(request)
        .expect_err("it cannot be read")
        .to_string()
}

#[test]
fn the_first_request_has_the_own_and_the_public_cards_and_later_ones_the_plays_alone() {
    assert_eq!(
        parse_doudizhu_request(r#"{"own":[3,1,2],"history":[[],[0]],"publiccard":[53,52,8]}"#).ok(),
        Some(DouDizhuRequest::Play(PlayRequest {
            own: Some(set(&[1, 2, 3])),
            public: Some(set(&[8, 52, 53])),
            history: [set(&[]), set(&[0])],
            bidding: None,
        }))
    );
    assert_eq!(
        parse_doudizhu_request(r#" {"history": [[4,5], []], "more": {"is": ["ignored"]}} "#).ok(),
        Some(DouDizhuRequest::Play(PlayRequest {
            own: None,
            public: None,
            history: [set(&[4, 5]), set(&[])],
            bidding: None,
        }))
    );
}

#[test]
fn with_bidding_the_bids_before_are_in_the_request_for_a_bid_and_their_end_in_the_first_to_play() {
    let bid = |bids: &[u8]| {
        DouDizhuRequest::Bid(BidRequest {
            own: set(&[1, 2, 3]),
            bids: bids.to_vec(),
        })
    };
    assert_eq!(
        parse_doudizhu_request(r#"{"own":[1,2,3],"bid":[]}"#).ok(),
        Some(bid(&[]))
    );
    assert_eq!(
        parse_doudizhu_request(r#"{"bid":[0,2],"own":[3,2,1]}"#).ok(),
        Some(bid(&[0, 2]))
    );
    let play = r#"{"history":[[],[8]],"own":[1,2,3],"publiccard":[4,5,6],"landlord":2,"pos":0,"finalbid":3}"#;
    let seat = |number| DouDizhuSeat::new(number).expect("a seat");
    assert_eq!(
        parse_doudizhu_request(play).ok(),
        Some(DouDizhuRequest::Play(PlayRequest {
            own: Some(set(&[1, 2, 3])),
            public: Some(set(&[4, 5, 6])),
            history: [set(&[]), set(&[8])],
            bidding: Some(BiddingEnd {
                landlord: seat(2),
                seat: seat(0),
                bid: 3
            }),
        }))
    );
    assert_eq!(
        error(r#"{"bid":[1]}"#),
        "`own` is missing; allowed is a list of cards"
    );
    assert_eq!(
        error(r#"{"own":[1],"bid":[4]}"#),
        "`bid[0]` is 4; allowed is a bid, 0 to 3"
    );
    assert_eq!(
        error(r#"{"own":[1],"bid":2}"#),
        "`bid` is 2; allowed is a list of bids"
    );
    assert_eq!(
        error(r#"{"history":[[],[]],"landlord":3,"pos":0,"finalbid":1}"#),
        "`landlord` is 3; allowed is a seat, 0 to 2"
    );
    assert_eq!(
        error(r#"{"history":[[],[]],"landlord":1,"finalbid":1}"#),
        "`pos` is missing; allowed is a seat, 0 to 2"
    );
}

#[test]
fn an_error_names_the_place_the_value_and_the_allowed_values() {
    assert_eq!(
        error(r#"{"own":[1]}"#),
        "`history` is missing; allowed is a list"
    );
    assert_eq!(
        error(r#"{"history":[[1,54],[]]}"#),
        "`history[0][1]` is 54; allowed is a card, 0 to 53"
    );
    assert_eq!(
        error(r#"{"history":[[],["3"]]}"#),
        "`history[1][0]` is \"3\"; allowed is a card, 0 to 53"
    );
    assert_eq!(
        error(r#"{"history":[[]]}"#),
        "`history` is a list of 1; allowed is the two plays before"
    );
    assert_eq!(
        error(r#"{"history":[[],[7,7]]}"#),
        "`history[1]` is card 7 twice; allowed is different cards"
    );
    assert_eq!(
        error(r#"{"history":[[],[]],"own":5}"#),
        "`own` is 5; allowed is a list of cards"
    );
    assert!(error("[1,2]").starts_with("not one JSON object"));
}

#[test]
fn a_response_that_is_no_bid_and_no_list_of_different_cards_is_an_error() {
    for wrong in [
        "", "PASS", "{}", "4", "-1", "1.5", "[54]", "[-1]", "[1,1]", "[1", "[1] 2", "null",
    ] {
        assert!(parse_doudizhu_response(wrong).is_err(), "{wrong}");
    }
    assert_eq!(
        parse_doudizhu_response("[ 5 , 4 ]").ok(),
        Some(DouDizhuResponse::Cards(set(&[4, 5])))
    );
    for bid in 0..=3 {
        assert_eq!(
            parse_doudizhu_response(&bid_response(bid)).ok(),
            Some(DouDizhuResponse::Bid(bid))
        );
    }
}

proptest! {
    #[test]
    fn every_written_response_reads_back_the_same(numbers in proptest::collection::btree_set(0..54_u8, 0..20)) {
        let cards: CardSet = numbers.iter().map(|&number| Card::new(number).expect("a card")).collect();
        prop_assert_eq!(parse_doudizhu_response(&doudizhu_response(cards)).ok(), Some(DouDizhuResponse::Cards(cards)));
    }
}
