//! What the user may ask of this process while bots play.

use super::board::Board;
use super::reload::Reloads;
use crate::control::{Control, Request, Response};

/// Lets the user talk to this process: the control socket, and SIGHUP. Without them bots play all the same.
pub fn listen(reloads: &Reloads, board: &Board) -> Option<Control> {
    if let Err(error) = reloads.listen() {
        tracing::warn!("SIGHUP will not be heard: {error}");
    }
    let (reloads, board) = (reloads.clone(), board.clone());
    let control = Control::open(move |request| {
        let (reloads, board) = (reloads.clone(), board.clone());
        async move {
            match request {
                Request::Reload { bot } => Response::Reloaded(reloads.reload(bot.as_deref()).await),
                Request::Status => Response::Status(board.status()),
            }
        }
    });
    let unheard = "`bot-runner reload` and `bot-runner status` will not reach this process";
    control.inspect_err(|error| tracing::warn!("{unheard}: {error}")).ok()
}
