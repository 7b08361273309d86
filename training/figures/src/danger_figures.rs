//! `figures danger`: measures the figures of `riichi_estimates::danger`.

use anyhow::bail;

use crate::KnownGames;
use crate::danger::DangerCounter;
use crate::known_games::each_moment;

/// Counts in records and in games played for it, and prints the figures as their source file has
/// them.
///
/// # Errors
///
/// If a record cannot be read or hides hands, a config is wrong, or a game cannot be played.
pub(crate) fn danger_figures(games: &KnownGames) -> anyhow::Result<()> {
    let mut counter = DangerCounter::new();
    if each_moment(games, None, |seen| counter.take(seen))? == 0 {
        bail!("no rounds given; name mjai records, or use --games N --bot CONFIG");
    }
    say::output::say(
        counter
            .file(&format!("figures danger {}", games.in_words()))
            .trim_end(),
    );
    Ok(())
}
