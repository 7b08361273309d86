//! The game state of a seat, kept between views: if the log continues, only new events are applied.
#![allow(unsafe_code, reason = "the events of a view come as a pointer")]

use policy_abi::head::ElementArray;
use policy_abi::layout::{self, Plain};

use crate::codes::bad;
use crate::error::BadView;

/// The applied events, and the resulting state.
#[derive(Debug)]
pub(crate) struct Replay<T, E> {
    /// `None` before the first view, and after a view that contradicted itself.
    state: Option<T>,
    events: Vec<E>,
}

impl<T, E> Default for Replay<T, E> {
    fn default() -> Self {
        Self {
            state: None,
            events: Vec::new(),
        }
    }
}

impl<T, E: Plain + PartialEq> Replay<T, E> {
    /// Applies the events of a view and returns the state: if they continue the known ones, only
    /// the new ones are applied, otherwise all of them. So a view is complete, regardless of
    /// earlier views.
    ///
    /// # Safety
    ///
    /// The array must keep its promises.
    pub(crate) unsafe fn follow(
        &mut self,
        array: &ElementArray,
        most: u32,
        suits: impl FnOnce(&T) -> bool,
        begin: impl FnOnce() -> T,
        mut apply: impl FnMut(&mut T, &E) -> Result<(), BadView>,
    ) -> Result<&T, BadView> {
        check_array("events", array, most)?;
        // SAFETY: the caller vouches for the array.
        let event = |index: u32| unsafe {
            layout::read_element(array.items.cast::<E>(), array.stride, index)
        };
        let goes_on = self.events.len() <= array.len as usize
            && self
                .events
                .iter()
                .zip(0..)
                .all(|(known, index)| *known == event(index));
        // Taken out, so that a state that fails half-way is not kept.
        let mut state = match self.state.take().filter(|state| goes_on && suits(state)) {
            Some(state) => state,
            None => {
                self.events.clear();
                begin()
            }
        };
        for index in self.events.len() as u32..array.len {
            let event = event(index);
            apply(&mut state, &event)?;
            self.events.push(event);
        }
        Ok(self.state.insert(state))
    }

    /// The applied events.
    pub(crate) fn events(&self) -> &[E] {
        &self.events
    }

    /// The state after the last view.
    pub(crate) const fn state(&self) -> Option<&T> {
        self.state.as_ref()
    }
}

/// Reads the legal actions of a view.
///
/// # Safety
///
/// The array must keep its promises.
pub(crate) unsafe fn read_legal<C: Plain, A>(
    array: &ElementArray,
    most: u32,
    legal: &mut Vec<A>,
    mut decode: impl FnMut(&C) -> Result<A, BadView>,
) -> Result<(), BadView> {
    check_array("legal", array, most)?;
    if array.len == 0 {
        return Err(bad("legal.len", 0_u32, "at least one action"));
    }
    legal.clear();
    for index in 0..array.len {
        // SAFETY: the caller vouches for the array.
        legal.push(decode(&unsafe {
            layout::read_element(array.items.cast::<C>(), array.stride, index)
        })?);
    }
    Ok(())
}

fn check_array(field: &'static str, array: &ElementArray, most: u32) -> Result<(), BadView> {
    if array.len > most || (array.len > 0 && (array.items.is_null() || array.stride == 0)) {
        return Err(bad(
            field,
            array.len,
            "not more elements than there can be, with an address and a stride",
        ));
    }
    Ok(())
}
