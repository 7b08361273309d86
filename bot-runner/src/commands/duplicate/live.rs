//! A tournament of a game other than riichi at work, as a table in a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lab::duplicate::{WallScores, standings};
use policy_host::escaped;

use super::super::table::TextTable;
use super::written;
use crate::screen::{LiveTable, ScreenSize, progress};

/// How the bots stand so far. What is cloned is the same tournament.
#[derive(Debug, Clone)]
pub(super) struct DuplicateStanding(Arc<Mutex<WallsSoFar>>);

#[derive(Debug)]
struct WallsSoFar {
    start: Instant,
    names: Vec<String>,
    /// How many walls there are to play, and in how many games each.
    of: u64,
    games: u64,
    walls: Vec<WallScores>,
}

impl DuplicateStanding {
    /// Of a tournament of these bots on so many walls, each played in so many games.
    pub(super) fn new(names: Vec<String>, of: u64, games: u64) -> Self {
        Self(Arc::new(Mutex::new(WallsSoFar { start: Instant::now(), names, of, games, walls: Vec::new() })))
    }

    /// Takes in a wall.
    pub(super) fn wall(&self, wall: &WallScores) {
        self.so_far().walls.push(wall.clone());
    }

    /// Keeps it on the terminal, if there is one.
    pub(super) fn live_table(&self) -> Option<LiveTable> {
        let standing = self.clone();
        LiveTable::start(move |size| standing.lines(size))
    }

    fn lines(&self, size: ScreenSize) -> Vec<String> {
        let so_far = self.so_far();
        let mut table = TextTable::new(["bot", "score a game", "95 % interval", "won"], [true, false, true, false]);
        let bots = so_far.names.iter().zip(standings(&so_far.walls));
        for (name, standing) in bots.take(size.rows.saturating_sub(3)) {
            let [mean, _, interval] = written(&standing.score);
            table.row([escaped(name.as_bytes()), mean, interval, format!("{:.1} %", 100.0 * standing.won)]);
        }
        let mut lines: Vec<String> = table.to_string().lines().map(str::to_owned).collect();
        let done = so_far.walls.len() as u64 * so_far.games;
        lines.push(progress(done, so_far.of * so_far.games, "games", so_far.start.elapsed()));
        lines
    }

    fn so_far(&self) -> MutexGuard<'_, WallsSoFar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_bot_and_how_many_games_are_done() {
        let standing = DuplicateStanding::new(vec!["kuma".to_owned(), "neko".to_owned()], 10, 6);
        for (wall, scores) in [(1, [8.0, -8.0]), (2, [4.0, -4.0])] {
            standing.wall(&WallScores {
                wall,
                scores: scores.to_vec(),
                seats: vec![12, 12],
                wins: vec![6, 3],
                decisions: vec![100, 90],
                faults: vec![0, 0],
                first_fault: None,
            });
        }
        let lines = standing.lines(ScreenSize { rows: 24, columns: 80 });
        let kuma = lines.iter().find(|line| line.starts_with("kuma")).expect("a line for kuma");
        assert!(kuma.contains("+6.00") && kuma.ends_with("50.0 %"), "{kuma}");
        let last = lines.last().expect("a line of progress");
        assert!(last.starts_with("12 of 60 games (20 %)"), "{last}");
    }
}
