//! The user's requests to this process while bots play.

use client::board::Board;

use super::reload::Reloads;
use crate::control::{ControlRequest, ControlResponse, ControlSocket};

/// Lets the user control this process through the control socket and SIGHUP. Bots play without them
/// too.
pub fn listen(reloads: &Reloads, board: &Board) -> Option<ControlSocket> {
    if let Err(error) = reloads.listen() {
        tracing::warn!("SIGHUP is not handled: {error}");
    }
    let (reloads, board) = (reloads.clone(), board.clone());
    let control = ControlSocket::open(move |request| {
        let (reloads, board) = (reloads.clone(), board.clone());
        async move {
            match request {
                ControlRequest::Reload { bot } => {
                    ControlResponse::Reloaded(reloads.reload(bot.as_deref()).await)
                }
                ControlRequest::Status => ControlResponse::Status(board.status()),
            }
        }
    });
    let unheard = "`bot-runner reload` and `bot-runner status` will not reach this process";
    control
        .inspect_err(|error| tracing::warn!("{unheard}: {error}"))
        .ok()
}
