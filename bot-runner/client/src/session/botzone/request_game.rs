//! The game that a request belongs to, for matches of another game than the config's.

use protocol::botzone::mcr::{json_of_text, text_of_json};
use protocol::botzone::{
    BidRequest, DouDizhuRequest, PlayRequest, bid_response, doudizhu_response,
    parse_doudizhu_request, parse_mcr_request,
};

use crate::BotzoneGame;

/// An error if a request belongs to another game than the config's, with the value to set instead;
/// `None` if it may belong to this one.
pub(super) fn wrong_game(request: &str, own: BotzoneGame) -> Option<String> {
    let games = games_of_request(request);
    if games.is_empty() || games.contains(&own) {
        return None;
    }
    let sites: Vec<&str> = games.iter().map(|game| game.site_name).collect();
    let names: Vec<String> = games
        .iter()
        .map(|game| format!("{:?}", game.name))
        .collect();
    Some(format!(
        "the request is of {}, and the config says game = {:?} ({}); set arena.game to {}",
        sites.join(" or "),
        own.name,
        own.site_name,
        names.join(" or ")
    ))
}

/// The games that a request may belong to; empty if it fits none.
fn games_of_request(text: &str) -> &'static [BotzoneGame] {
    const MCR: &[BotzoneGame] = &[BotzoneGame::MCR];
    const FIXED: &[BotzoneGame] = &[BotzoneGame::DOUDIZHU];
    const BIDDING: &[BotzoneGame] = &[BotzoneGame::DOUDIZHU_BIDDING];
    const EITHER: &[BotzoneGame] = &[BotzoneGame::DOUDIZHU, BotzoneGame::DOUDIZHU_BIDDING];
    let text = text.trim();
    if text.starts_with('{') {
        return match parse_doudizhu_request(text) {
            Ok(
                DouDizhuRequest::Bid(_)
                | DouDizhuRequest::Play(PlayRequest {
                    bidding: Some(_), ..
                }),
            ) => BIDDING,
            Ok(DouDizhuRequest::Play(PlayRequest { own: Some(_), .. })) => FIXED,
            Ok(DouDizhuRequest::Play(_)) => EITHER,
            Err(_) => &[],
        };
    }
    let text = if text.starts_with('"') {
        text_of_json(text)
    } else {
        Ok(text.to_owned())
    };
    if text.is_ok_and(|text| parse_mcr_request(&text).is_ok()) {
        MCR
    } else {
        &[]
    }
}

/// A pass in answer to a request that cannot be played, in the form of the request's game.
pub fn pass_to(request: &str) -> String {
    let request = request.trim();
    if !request.starts_with('{') {
        let pass = "PASS";
        return if request.starts_with('"') {
            json_of_text(pass)
        } else {
            pass.to_owned()
        };
    }
    match parse_doudizhu_request(request) {
        Ok(DouDizhuRequest::Bid(BidRequest { .. })) => bid_response(0),
        _ => doudizhu_response(doudizhu::CardSet::EMPTY),
    }
}
