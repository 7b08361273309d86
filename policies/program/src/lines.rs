//! The line of a decision, for each game.

use std::fmt::Debug;

use policy_process::SeatTurn;
use policy_sdk::{
    BadView, Descriptor, DouDizhu, DouDizhuView, Game, Games, Mcr, McrView, RiichiMahjong, View,
};
use riichi::Seat;
use riichi::rules::Length;

use crate::doudizhu::DouDizhuLine;
use crate::json::line_of;
use crate::mcr::McrLine;
use crate::riichi::RiichiView;
use crate::{PARAMS, SUMMARY};

/// A game whose decisions are shown as lines.
pub trait LineGame: Game + Debug + 'static {
    const DESCRIPTOR: Descriptor;

    /// The length of games until one shows another; `None` if they have none.
    const LENGTH: Option<Length>;

    /// A first decision of a game of this many players, for the trial question.
    fn trial(players: u8) -> &'static str;

    fn turn(view: &Self::View<'_>) -> SeatTurn;

    /// The decision as a line, with its line break.
    ///
    /// # Errors
    /// When the view's log is wrong.
    fn line(view: &Self::View<'_>) -> Result<String, BadView>;
}

const fn descriptor(id: &'static str, name: &'static str, games: Games) -> Descriptor {
    Descriptor {
        id,
        name,
        version: env!("CARGO_PKG_VERSION"),
        summary: SUMMARY,
        games,
        params: PARAMS,
    }
}

impl LineGame for RiichiMahjong {
    const DESCRIPTOR: Descriptor = descriptor("program", "Program", Games::Both);

    const LENGTH: Option<Length> = Some(Length::Half);

    fn trial(players: u8) -> &'static str {
        match players {
            3 => include_str!("../schema/example-3.json"),
            _ => include_str!("../schema/example-4.json"),
        }
    }

    fn turn(view: &View<'_>) -> SeatTurn {
        SeatTurn {
            game: view.game(),
            seat: view.seat(),
            length: Some(view.rules().length),
            budget: view.time().budget,
        }
    }

    fn line(view: &View<'_>) -> Result<String, BadView> {
        Ok(RiichiView::of(view)?.line())
    }
}

impl LineGame for Mcr {
    const DESCRIPTOR: Descriptor = descriptor(
        "cs-program",
        "Program for Chinese Standard mahjong",
        Games::FourPlayers,
    );

    const LENGTH: Option<Length> = None;

    fn trial(_: u8) -> &'static str {
        include_str!("../schema/example-chinese-standard.json")
    }

    fn turn(view: &McrView<'_>) -> SeatTurn {
        SeatTurn {
            game: view.game(),
            seat: view.table().seat(),
            length: None,
            budget: view.time().budget,
        }
    }

    fn line(view: &McrView<'_>) -> Result<String, BadView> {
        Ok(line_of(&McrLine::of(view)))
    }
}

impl LineGame for DouDizhu {
    const DESCRIPTOR: Descriptor = descriptor(
        "doudizhu-program",
        "Program for Dou Dizhu",
        Games::ThreePlayers,
    );

    const LENGTH: Option<Length> = None;

    fn trial(_: u8) -> &'static str {
        include_str!("../schema/example-doudizhu.json")
    }

    fn turn(view: &DouDizhuView<'_>) -> SeatTurn {
        let seat = Seat::new(view.seat().index() as u8).expect("mahjong has more seats");
        SeatTurn {
            game: view.game(),
            seat,
            length: None,
            budget: view.time().budget,
        }
    }

    fn line(view: &DouDizhuView<'_>) -> Result<String, BadView> {
        Ok(line_of(&DouDizhuLine::of(view)))
    }
}
