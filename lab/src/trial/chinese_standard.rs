//! Chinese Standard mahjong: hands against bots that do anything that is allowed.

use mcr::StandardAction;
use policy_host::{Asked, ChineseStandardTable, ScriptedQuestion};

use super::games::{TrialGame, TrialGameError, TrialGames};
use super::rules::{TrialRules, play_wall};
use super::situations;
use super::subject::Subject;
use crate::duplicate::ChineseStandardGame;

/// Chinese Standard mahjong.
#[derive(Debug)]
pub enum ChineseStandardTrial {}

impl TrialRules for ChineseStandardTrial {
    type Table = ChineseStandardTable;
    const SEATS: u8 = 4;
    const OPPONENTS: &'static str = "three bots that do at random what is allowed";

    fn situations(asked: Asked) -> Vec<ScriptedQuestion<StandardAction>> {
        situations::chinese_standard(asked)
    }

    fn sort(action: &StandardAction) -> String {
        let sort = match action {
            StandardAction::Pass => "pass",
            StandardAction::Win => "win",
            StandardAction::Discard(_) => "discard",
            StandardAction::ConcealedKong(_) => "concealed kong",
            StandardAction::AddKong(_) => "added kong",
            StandardAction::ClaimKong => "kong",
            StandardAction::ClaimPung { .. } => "pung",
            StandardAction::ClaimChow { .. } => "chow",
        };
        sort.to_owned()
    }

    fn words(action: &StandardAction) -> String {
        action.to_string()
    }

    fn play(
        games: &mut TrialGames<StandardAction>,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<TrialGame>, TrialGameError> {
        play_wall::<ChineseStandardGame>(games, subject, number, asked)
    }
}
