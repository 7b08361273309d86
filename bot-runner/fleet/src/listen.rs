//! The user's requests to this process while bots play.

use std::sync::Arc;

use client::board::Board;

use super::reload::{BotSeat, Reloads};
use crate::control::{ControlRequest, ControlResponse, ControlSocket, SeatOutcome};

/// Lets people take over the seats of bots, on the page of this process.
pub trait Takeovers: Send + Sync {
    /// Offers a seat to the person who opens a link; an offer that was not taken yet is void.
    fn take_over(&self, seat: BotSeat) -> SeatOutcome;

    /// Has the person give the seat back, or withdraws its offer.
    fn give_back(&self, bot: &str) -> SeatOutcome;
}

const NO_PAGE: &str =
    "its runner serves no page on which a person could play; start it with --page";

/// Lets the user control this process through the control socket and SIGHUP. Bots play without them
/// too.
pub fn listen(
    reloads: &Reloads,
    board: &Board,
    takeovers: Option<Arc<dyn Takeovers>>,
) -> Option<ControlSocket> {
    if let Err(error) = reloads.listen() {
        tracing::warn!("SIGHUP is not handled: {error}");
    }
    let (reloads, board) = (reloads.clone(), board.clone());
    let control = ControlSocket::open(move |request| {
        let (reloads, board, takeovers) = (reloads.clone(), board.clone(), takeovers.clone());
        async move {
            match request {
                ControlRequest::Reload { bot } => {
                    ControlResponse::Reloaded(reloads.reload(bot.as_deref()).await)
                }
                ControlRequest::Status => ControlResponse::Status(board.status()),
                ControlRequest::TakeOver { bot } => {
                    let outcome = |seat| match &takeovers {
                        Some(takeovers) => takeovers.take_over(seat),
                        None => SeatOutcome::Refused(NO_PAGE.to_owned()),
                    };
                    ControlResponse::Seat(reloads.seat(&bot).map(outcome))
                }
                ControlRequest::GiveBack { bot } => {
                    let outcome = |_| match &takeovers {
                        Some(takeovers) => takeovers.give_back(&bot),
                        None => SeatOutcome::Refused(NO_PAGE.to_owned()),
                    };
                    ControlResponse::Seat(reloads.seat(&bot).map(outcome))
                }
            }
        }
    });
    let unheard = "`bot-runner reload` and `bot-runner status` will not reach this process";
    control
        .inspect_err(|error| tracing::warn!("{unheard}: {error}"))
        .ok()
}
