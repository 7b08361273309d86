//! Writes the results of a running tournament: to the file, and its games to the database.

use lab::game::GameId;
use lab::tournament::{ResultsFile, ResultsFileError, TournamentGame, WallResult};
use say::screen::note;

use super::super::table::number_of;
use super::differences::DifferenceWriter;
use super::kept::KeptTournament;

/// The database's games come first: a wall that the file has is not played again.
pub(super) struct ResultsWriter {
    file: ResultsFile,
    database: Option<KeptTournament>,
    differences: Option<DifferenceWriter>,
    /// Why the differences cannot be written.
    unwritten: Option<anyhow::Error>,
    /// The walls whose games the database may not have yet.
    walls: Vec<(u64, WallResult)>,
    /// The first failure; nothing is written after it.
    written: Result<(), ResultsFileError>,
}

impl ResultsWriter {
    pub(super) const fn new(
        file: ResultsFile,
        database: Option<KeptTournament>,
        differences: Option<DifferenceWriter>,
    ) -> Self {
        Self {
            file,
            database,
            differences,
            unwritten: None,
            walls: Vec::new(),
            written: Ok(()),
        }
    }

    /// Adds a game.
    pub(super) fn game(&mut self, id: GameId, game: &mut TournamentGame) {
        if let Some(differences) = &mut self.differences {
            differences.game(id, game);
        }
        if let Some(database) = &mut self.database {
            database.game(id, game);
        }
    }

    /// Adds a wall that has been played in all seatings. Returns whether results can be written.
    pub(super) fn wall(&mut self, wall: u64, played: &WallResult) -> bool {
        if let Some(differences) = &mut self.differences
            && self.unwritten.is_none()
        {
            self.unwritten = differences.wall(wall).err();
        }
        self.walls.push((wall, played.clone()));
        if self.written.is_ok() && self.database.as_mut().is_none_or(|to| to.wall(wall)) {
            self.write_walls();
        }
        self.written.is_ok() && self.unwritten.is_none()
    }

    /// Writes the remaining walls. Returns the file, and whether the database has every game.
    /// `all_known`: all walls were known before.
    ///
    /// # Errors
    ///
    /// If a wall or a difference cannot be written.
    pub(super) fn finish(mut self, all_known: bool) -> anyhow::Result<(ResultsFile, bool)> {
        let mut all_kept = self.database.as_mut().is_none_or(KeptTournament::flush);
        if all_kept {
            self.write_walls();
        }
        if let Some(database) = self.database.take() {
            all_kept = database.finish(all_known);
        }
        if all_kept || !self.file.is_written() {
            self.write_walls();
        } else if !self.walls.is_empty() {
            let walls = number_of(self.walls.len() as u64, "wall");
            note(format!(
                "{walls} left out of the file, so that the same command plays their games again."
            ));
        }
        self.written?;
        if let Some(error) = self.unwritten {
            return Err(error);
        }
        if let Some(differences) = &self.differences {
            note(differences.words());
        }
        Ok((self.file, all_kept))
    }

    fn write_walls(&mut self) {
        if self.written.is_ok() {
            self.written = self
                .walls
                .drain(..)
                .try_for_each(|(wall, played)| self.file.add(wall, played));
        }
    }
}
