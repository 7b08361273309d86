//! Botzone's texts: the content of its long poll, the input and output of programs under its judge,
//! and the requests and responses of two games.
//!
//! Sources: Botzone's wiki (本地AI, Bot), the judges of ailab-pku/Chinese-Standard-Mahjong
//! (`judge/main.cpp`) and ailab-pku/botzone-local (`botzone/online/game/FightTheLandlord.py3` and
//! `FightTheLandlord2.py36`), and the local runner of a maintainer (zhouhaoyu/botzone-local-runner)
//! for the frame.

pub mod doudizhu;
pub mod mcr;
pub mod poll;
pub mod tile_name;
pub mod turn;

pub use doudizhu::{
    BidRequest, BiddingEnd, DouDizhuRequest, DouDizhuResponse, PlayRequest, bid_response,
    doudizhu_response, parse_doudizhu_request, parse_doudizhu_response,
};
pub use mcr::{McrHappening, McrRequest, mcr_response, parse_mcr_request, parse_mcr_response};
pub use poll::{
    MatchId, MatchRequest, MatchResult, PollBody, PollError, parse_created_match, parse_poll,
};
pub use tile_name::{flower_name, parse_flower_name, parse_tile_name, tile_name};
pub use turn::{KEEP_RUNNING, TurnError, TurnForm, TurnHistory, TurnReader, TurnReply};
