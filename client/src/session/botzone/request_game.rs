//! Which game a request is of, for matches of another game than the config's.

use protocol::botzone::mcr::{json_of_text, text_of_json};
use protocol::botzone::{
    BidRequest, DouDizhuRequest, PlayRequest, bid_response, card_response, parse_card_request, parse_mcr_request,
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
            Self::One(BotzoneGame::Mcr) => &[BotzoneGame::Mcr],
            Self::One(BotzoneGame::DouDizhu) => &[BotzoneGame::DouDizhu],
            Self::One(BotzoneGame::DouDizhuBidding) => &[BotzoneGame::DouDizhuBidding],
            Self::AnyDoudizhu => &[BotzoneGame::DouDizhu, BotzoneGame::DouDizhuBidding],
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
            Ok(DouDizhuRequest::Bid(_) | DouDizhuRequest::Play(PlayRequest { bidding: Some(_), .. })) => {
                Some(RequestGame::One(BotzoneGame::DouDizhuBidding))
            }
            Ok(DouDizhuRequest::Play(PlayRequest { own: Some(_), .. })) => {
                Some(RequestGame::One(BotzoneGame::DouDizhu))
            }
            Ok(DouDizhuRequest::Play(_)) => Some(RequestGame::AnyDoudizhu),
            Err(_) => None,
        };
    }
    let text = if text.starts_with('"') { text_of_json(text).ok()? } else { text.to_owned() };
    parse_mcr_request(&text).ok().map(|_| RequestGame::One(BotzoneGame::Mcr))
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
        Ok(DouDizhuRequest::Bid(BidRequest { .. })) => bid_response(0),
        _ => card_response(doudizhu::CardSet::EMPTY),
    }
}
