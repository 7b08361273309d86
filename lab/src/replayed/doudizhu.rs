//! Replays records of Dou Dizhu.

use doudizhu::{DouDizhuAction, DouDizhuEvent, DouDizhuGame, RankCounts};
use protocol::game_record::{DouDizhuRecordForm, RecordedGame};

use super::stepped::{course_of, judged_by};
use super::{RecordDecision, ReplayedGame};
use crate::course::RecordedCourse;
use crate::judgement::JudgedGame;

impl ReplayedGame for DouDizhuGame {
    const PIECES: &'static str = "cards";

    fn course(record: RecordedGame<DouDizhuRecordForm>) -> Option<RecordedCourse<Self>> {
        course_of(record)
    }

    fn moment(table: &Self::Table) -> String {
        table.hand_counts().to_string()
    }

    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame {
        judged_by(course, seat, |deals, events| {
            doudizhu::referee::judge(course.rules, deals, events)
        })
    }

    fn done(decision: &RecordDecision<'_, Self>) -> Option<DouDizhuAction> {
        let action = match decision.next.first()?.1 {
            DouDizhuEvent::Bid { bid, .. } => {
                return decision.listed(|action| *action == DouDizhuAction::Bid(bid));
            }
            DouDizhuEvent::Play { cards, .. } => cards,
            _ => return None,
        };
        // Cards of one rank are interchangeable.
        let ranks = RankCounts::from(action);
        decision.listed(|listed| match listed {
            DouDizhuAction::Pass => action.is_empty(),
            DouDizhuAction::Play(play) => play.cards == ranks,
            DouDizhuAction::Bid(_) => false,
        })
    }

    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&DouDizhuAction) -> bool| decision.legal.iter().any(wanted);
        if can(|action| matches!(action, DouDizhuAction::Bid(_))) {
            "bid"
        } else if can(|action| *action == DouDizhuAction::Pass) {
            "answer"
        } else {
            "lead"
        }
    }
}
