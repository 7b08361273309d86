//! The arrays that tables write to.

use encoding::{ACTIONS, PlaneSet, SCALARS};

/// Room for the observations, rewards and seats of consecutive tables.
pub(crate) struct Arrays<'o> {
    pub(crate) planes: &'o mut [f32],
    pub(crate) scalars: &'o mut [f32],
    pub(crate) mask: &'o mut [bool],
    pub(crate) seat: &'o mut [i8],
    pub(crate) player: &'o mut [i8],
    pub(crate) rewards: &'o mut [f32],
    pub(crate) done: &'o mut [bool],
}

impl<'o> Arrays<'o> {
    /// Takes away the room for the first tables.
    pub(crate) fn split_off(&mut self, tables: usize, planes: PlaneSet, players: usize) -> Self {
        Self {
            planes: first(&mut self.planes, tables * planes.numbers()),
            scalars: first(&mut self.scalars, tables * SCALARS.len()),
            mask: first(&mut self.mask, tables * ACTIONS),
            seat: first(&mut self.seat, tables),
            player: first(&mut self.player, tables),
            rewards: first(&mut self.rewards, tables * players),
            done: first(&mut self.done, tables),
        }
    }
}

fn first<'o, T>(rest: &mut &'o mut [T], count: usize) -> &'o mut [T] {
    rest.split_off_mut(..count).expect("there is room for every table")
}
