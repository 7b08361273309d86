//! Games on the arena's rules, without a socket.

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use client::session::riichilab::RiichilabSession;
use riichi::rules::{Length, Preset};
use riichi::{Action, PerSeat, Seat};

/// A game of one client on seat 0 among three built-in bots.
pub(crate) fn one_client(number: u64) -> FrameGame {
    set_up(number, |seat| {
        if seat == Seat::FIRST {
            ArenaPlayer::Client
        } else {
            ArenaPlayer::BuiltIn
        }
    })
}

pub(crate) fn four_clients(number: u64) -> FrameGame {
    set_up(number, |_| ArenaPlayer::Client)
}

fn set_up(number: u64, who: impl Fn(Seat) -> ArenaPlayer) -> FrameGame {
    let players = PerSeat::from_fn(4, |seat| (who(seat), format!("seat {seat}")));
    let (length, preset, time) = (Length::East, Preset::Tenhou, TimeControl::default());
    FrameGame::new(GameSetup {
        seed: 7,
        number,
        length,
        preset,
        time,
        players,
    })
    .expect("the engine deals")
}

/// A session's decision: wins, riichi and calls if possible, else the discard that brings it
/// forward.
pub(crate) fn decide(session: &RiichilabSession) -> Option<usize> {
    let (question, table) = (session.game.question()?, session.game.table()?);
    let find = |wanted: fn(&Action) -> bool| question.legal.iter().position(wanted);
    let options = riichi::acceptance::discard_options(&table.concealed()?);
    let best = options
        .iter()
        .min_by_key(|option| (option.shanten, usize::MAX - option.acceptance.len()));
    let forward = |action: &Action| matches!((action, best), (Action::Dahai { tile, .. }, Some(best)) if tile.kind() == best.kind);
    find(|action| matches!(action, Action::Hora { .. } | Action::Reach { .. }))
        .or_else(|| {
            find(|action| {
                matches!(
                    action,
                    Action::Pon { .. } | Action::Ankan { .. } | Action::Kakan { .. }
                )
            })
        })
        .or_else(|| question.legal.iter().position(forward))
}
