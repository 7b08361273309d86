//! Which game a request is of, for matches of another game than the config's.

use protocol::botzone::standard::{json_of_text, text_of_json};
use protocol::botzone::{
    BidRequest, CardRequest, PlayRequest, bid_response, card_response, parse_card_request, parse_standard_request,
};

use crate::BotzoneGame;

/// The game that a request is of, as far as it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestGame {
    /// This one.
    One(BotzoneGame),
    /// Dou Dizhu, with bidding or without.
    AnyDoudizhu,
}

impl RequestGame {
    fn games(self) -> &'static [BotzoneGame] {
        match self {
            Self::One(BotzoneGame::ChineseStandard) => &[BotzoneGame::ChineseStandard],
            Self::One(BotzoneGame::Doudizhu) => &[BotzoneGame::Doudizhu],
            Self::One(BotzoneGame::DoudizhuBidding) => &[BotzoneGame::DoudizhuBidding],
            Self::AnyDoudizhu => &[BotzoneGame::Doudizhu, BotzoneGame::DoudizhuBidding],
        }
    }

    /// What to say when the bot's config names this game; `None` when the request may be of it.
    pub(super) fn against(self, own: BotzoneGame) -> Option<String> {
        let games = self.games();
        if games.contains(&own) {
            return None;
        }
        let sites: Vec<&str> = games.iter().map(|game| game.site_name()).collect();
        let names: Vec<String> = games.iter().map(|game| format!("{:?}", game.name())).collect();
        Some(format!(
            "the request is of {}, and the config says game = {:?} ({}); set arena.game to {}",
            sites.join(" or "),
            own.name(),
            own.site_name(),
            names.join(" or ")
        ))
    }
}

/// The game that a request is of; `None` when it can be read as one of none.
pub(super) fn game_of_request(text: &str) -> Option<RequestGame> {
    let text = text.trim();
    if text.starts_with('{') {
        return match parse_card_request(text) {
            Ok(CardRequest::Bid(_) | CardRequest::Play(PlayRequest { bidding: Some(_), .. })) => {
                Some(RequestGame::One(BotzoneGame::DoudizhuBidding))
            }
            Ok(CardRequest::Play(PlayRequest { own: Some(_), .. })) => Some(RequestGame::One(BotzoneGame::Doudizhu)),
            Ok(CardRequest::Play(_)) => Some(RequestGame::AnyDoudizhu),
            Err(_) => None,
        };
    }
    let text = if text.starts_with('"') { text_of_json(text).ok()? } else { text.to_owned() };
    parse_standard_request(&text).ok().map(|_| RequestGame::One(BotzoneGame::ChineseStandard))
}

/// A pass in answer to a request that cannot be played: in the form of the game that the request is of.
#[must_use]
pub fn pass_to(request: &str) -> String {
    let request = request.trim();
    if !request.starts_with('{') {
        let pass = "PASS";
        return if request.starts_with('"') { json_of_text(pass) } else { pass.to_owned() };
    }
    match parse_card_request(request) {
        Ok(CardRequest::Bid(BidRequest { .. })) => bid_response(0),
        _ => card_response(doudizhu::CardSet::EMPTY),
    }
}
