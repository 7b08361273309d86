//! The arrays that tables write to.

use encoding::{ACTIONS, PlaneSet, SCALARS};

/// The number of values in the arrays for each table.
#[derive(Clone, Copy)]
pub(crate) struct ArrayShape {
    pub(crate) planes: PlaneSet,
    pub(crate) players: usize,
}

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
    pub(crate) fn split_off(&mut self, tables: usize, shape: ArrayShape) -> Self {
        Self {
            planes: first(&mut self.planes, tables * shape.planes.numbers()),
            scalars: first(&mut self.scalars, tables * SCALARS.len()),
            mask: first(&mut self.mask, tables * ACTIONS),
            seat: first(&mut self.seat, tables),
            player: first(&mut self.player, tables),
            rewards: first(&mut self.rewards, tables * shape.players),
            done: first(&mut self.done, tables),
        }
    }
}

fn first<'o, T>(rest: &mut &'o mut [T], count: usize) -> &'o mut [T] {
    rest.split_off_mut(..count)
        .expect("there is room for every table")
}

/// The same for a thread that cannot borrow the arrays.
pub(crate) struct OwnArrays {
    numbers: [Vec<f32>; 3],
    flags: [Vec<bool>; 2],
    places: [Vec<i8>; 2],
}

impl OwnArrays {
    pub(crate) fn new(tables: usize, shape: ArrayShape) -> Self {
        let numbers = [shape.planes.numbers(), SCALARS.len(), shape.players]
            .map(|each| vec![0.0; tables * each]);
        let flags = [ACTIONS, 1].map(|each| vec![false; tables * each]);
        Self {
            numbers,
            flags,
            places: [(); 2].map(|()| vec![0; tables]),
        }
    }

    pub(crate) fn borrow(&mut self) -> Arrays<'_> {
        let ([planes, scalars, rewards], [mask, done], [seat, player]) =
            (&mut self.numbers, &mut self.flags, &mut self.places);
        Arrays {
            planes,
            scalars,
            mask,
            seat,
            player,
            rewards,
            done,
        }
    }

    pub(crate) fn copy_to(&mut self, output: Arrays<'_>) {
        let own = self.borrow();
        output.planes.copy_from_slice(own.planes);
        output.scalars.copy_from_slice(own.scalars);
        output.mask.copy_from_slice(own.mask);
        output.seat.copy_from_slice(own.seat);
        output.player.copy_from_slice(own.player);
        output.rewards.copy_from_slice(own.rewards);
        output.done.copy_from_slice(own.done);
    }
}
