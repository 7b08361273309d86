//! The features of the others' play that danger depends on.

use policy_sdk::{Player, View};
use riichi::Wind;
use riichi_estimates::danger::Opponent;

pub fn opponent(view: &View<'_>, player: &Player<'_>) -> Opponent {
    let wind = Wind::of_seat(player.seat(), view.oya(), view.players());
    let cannot_ron = player.cannot_ron().all();
    Opponent::new(
        player.river(),
        player.melds(),
        cannot_ron,
        wind,
        view.bakaze(),
    )
    .with_norths(player.kita_count())
}
