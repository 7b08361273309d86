//! What the others have shown, as danger is read from it.

use mahjong::danger::Opponent;
use policy_sdk::{Player, View};

/// Reads another seat.
#[must_use]
pub fn opponent(view: &View<'_>, player: &Player<'_>) -> Opponent {
    let wind = player.seat().wind(view.oya(), view.players());
    let cannot_ron = player.cannot_ron().all();
    Opponent::new(player.river(), player.melds(), cannot_ron, wind, view.bakaze()).with_norths(player.kita_count())
}
