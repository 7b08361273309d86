//! Dou Dizhu with bidding: games against bots that do anything that is allowed.

use doudizhu::CardAction;
use policy_host::{Asked, DouDizhuTable, ScriptedQuestion};

use super::games::{TrialGame, TrialGameError, TrialGames};
use super::rules::{TrialRules, play_wall};
use super::situations;
use super::subject::Subject;
use crate::duplicate::DouDizhuGame;

/// Dou Dizhu with bidding.
#[derive(Debug)]
pub enum DouDizhuTrial {}

impl TrialRules for DouDizhuTrial {
    type Table = DouDizhuTable;
    const SEATS: u8 = 3;
    const OPPONENTS: &'static str = "two bots that do at random what is allowed";

    fn situations(asked: Asked) -> Vec<ScriptedQuestion<CardAction>> {
        situations::doudizhu(asked)
    }

    fn sort(action: &CardAction) -> String {
        match action {
            CardAction::Bid(_) => "bid".to_owned(),
            CardAction::Pass => "pass".to_owned(),
            CardAction::Play(play) => play.combination.kind.name().to_owned(),
        }
    }

    fn words(action: &CardAction) -> String {
        action.to_string()
    }

    fn play(
        games: &mut TrialGames<CardAction>,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<TrialGame>, TrialGameError> {
        play_wall::<DouDizhuGame>(games, subject, number, asked)
    }
}
