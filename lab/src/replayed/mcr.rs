//! Replays records of Chinese Standard mahjong.

use mcr::seat::McrStage;
use mcr::{McrAction, McrEvent, McrGame};
use protocol::game_record::{GameOutcome, McrRecordForm, RecordedGame};
use riichi::Kind;
use riichi::notation::Tiles;

use super::stepped::{course_of, judged_by};
use super::{RecordDecision, ReplayedGame};
use crate::course::RecordedCourse;
use crate::judgement::JudgedGame;

impl ReplayedGame for McrGame {
    fn course(record: RecordedGame<McrRecordForm>) -> Option<RecordedCourse<Self>> {
        course_of(record)
    }

    fn moment(table: &Self::Table) -> String {
        let mut hand = *table.hand().concealed();
        let drawn = table.drawn().inspect(|&drawn| hand[drawn] -= 1);
        let tiles =
            |kinds: &mut dyn Iterator<Item = Kind>| kinds.map(Kind::tile).collect::<Tiles>();
        let held =
            tiles(&mut Kind::all().flat_map(|kind| std::iter::repeat_n(kind, hand[kind].into())));
        let drawn = drawn.map_or_else(String::new, |drawn| {
            format!(" + {}", tiles(&mut std::iter::once(drawn)))
        });
        format!(
            "turn {} {held}{drawn}",
            table.public(table.seat()).river.len() + 1
        )
    }

    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame {
        judged_by(course, seat, |deals, events| {
            mcr::referee::judge(course.rules, deals, events)
        })
    }

    fn is_hidden(event: &McrEvent) -> bool {
        matches!(
            event,
            McrEvent::Drawn { tile: None, .. } | McrEvent::ConcealedKong { tile: None, .. }
        )
    }

    fn done(decision: &RecordDecision<'_, Self>) -> Option<McrAction> {
        let own = decision.seat;
        let wins = decision.legal.contains(&McrAction::Win);
        let Some((_, next)) = decision
            .next
            .iter()
            .find(|(_, event)| !matches!(event, McrEvent::Over))
        else {
            // The end: a seat won, or the wall was empty.
            return match decision.outcome? {
                GameOutcome::Win { winner, .. } if *winner == own => Some(McrAction::Win),
                GameOutcome::Drawn => decision.listed(|action| *action == McrAction::Pass),
                _ => None,
            };
        };
        let can_claim = |wanted: fn(&McrAction) -> bool| decision.legal.iter().any(wanted);
        let action = match *next {
            McrEvent::Discarded { seat, tile } if seat.index() == own => McrAction::Discard(tile),
            McrEvent::ConcealedKong {
                seat,
                tile: Some(tile),
            } if seat.index() == own => McrAction::ConcealedKong(tile),
            McrEvent::KongAdded { seat, tile } if seat.index() == own => McrAction::AddKong(tile),
            McrEvent::KongClaimed { seat } if seat.index() == own => McrAction::ClaimKong,
            McrEvent::PungClaimed { seat, discard } if seat.index() == own => {
                McrAction::ClaimPung { discard }
            }
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } if seat.index() == own => McrAction::ClaimChow { middle, discard },
            // Another seat's pung or kong takes precedence over a chow.
            McrEvent::PungClaimed { .. } | McrEvent::KongClaimed { .. }
                if !wins && can_claim(|action| matches!(action, McrAction::ClaimChow { .. })) =>
            {
                return None;
            }
            _ if !matches!(decision.table.stage(), McrStage::Drawn { .. }) => McrAction::Pass,
            _ => return None,
        };
        decision.listed(|listed| *listed == action)
    }

    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&McrAction) -> bool| decision.legal.iter().any(wanted);
        let is_kong = |action: &McrAction| {
            matches!(action, McrAction::ConcealedKong(_) | McrAction::AddKong(_))
        };
        if can(|action| *action == McrAction::Win) {
            "win"
        } else if can(|action| *action == McrAction::Pass) {
            "claim"
        } else if can(is_kong) {
            "kong"
        } else {
            "discard"
        }
    }
}
