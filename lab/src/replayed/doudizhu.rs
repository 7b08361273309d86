//! Replays records of Dou Dizhu.

use std::borrow::Cow;
use std::io::BufRead;

use doudizhu::{DouDizhuAction, DouDizhuEvent, DouDizhuGame, RankCounts};
use protocol::game_record::{DouDizhuRecordForm, LineForm, RecordForm};

use super::stepped::{judged_by, type_of};
use super::{RecordDecision, ReplayedGame};
use crate::course::{ReadCourses, RecordedCourse, stepped_courses};
use crate::judgement::JudgedGame;

impl ReplayedGame for DouDizhuGame {
    const PIECES: &'static str = "cards";
    const SORTS: &'static [&'static str] = &["bid", "play", "pass"];

    fn courses(lines: Box<dyn BufRead>) -> ReadCourses<Self> {
        stepped_courses(lines)
    }

    fn decision_sort(action: &DouDizhuAction) -> usize {
        match action {
            DouDizhuAction::Bid(_) => 0,
            DouDizhuAction::Play(_) => 1,
            DouDizhuAction::Pass => 2,
        }
    }

    fn words(action: &DouDizhuAction) -> String {
        action.to_string()
    }

    fn moment(table: &Self::Table) -> String {
        table.hand_counts().to_string()
    }

    fn line_of(event: &DouDizhuEvent) -> String {
        DouDizhuRecordForm::event_line(event)
            .unwrap_or_else(|| DouDizhuRecordForm::deal_line(&[Some(*event)]))
    }

    fn name_of(event: &DouDizhuEvent) -> Cow<'static, str> {
        type_of(&Self::line_of(event))
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
}
