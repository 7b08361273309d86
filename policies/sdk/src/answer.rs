//! What a policy may leave besides its choice.
#![allow(unsafe_code, reason = "values and reason go into buffers of the host's")]

use std::fmt;

use mahjong::action::MAX_ACTIONS;
use policy_abi::decision::Decision;
use policy_abi::text::TextBuffer;

/// What a policy may leave besides its choice: a value for each legal action, and a reason.
#[derive(Debug)]
pub struct Answer {
    actions: usize,
    values: [f32; MAX_ACTIONS],
    valued: bool,
    reason: TextBuffer,
}

impl Answer {
    /// # Safety
    ///
    /// The reason's buffer must keep its promises as long as this lives.
    pub(crate) const unsafe fn new(actions: usize, reason: TextBuffer) -> Self {
        Self { actions, values: [f32::NAN; MAX_ACTIONS], valued: false, reason: TextBuffer { len: 0, ..reason } }
    }

    /// Gives the legal action with this index a value; higher is better. Actions without one are told apart from any
    /// value. An index beyond the legal actions is ignored.
    pub fn value(&mut self, index: usize, value: f32) {
        if let Some(place) = self.values[..self.actions].get_mut(index) {
            *place = value;
            self.valued = true;
        }
    }

    /// Says why, in a few words: `answer.reason(format_args!(…))`. What the host has no room for is cut off.
    pub fn reason(&mut self, reason: fmt::Arguments<'_>) {
        struct Cut<'a>(&'a mut TextBuffer);
        impl fmt::Write for Cut<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                // SAFETY: the buffer keeps its promises, as whoever made the answer vouched.
                if unsafe { self.0.append(text) } { Ok(()) } else { Err(fmt::Error) }
            }
        }
        self.reason.len = 0;
        // An error says that there was no room for the rest.
        let _ = fmt::write(&mut Cut(&mut self.reason), reason);
    }

    /// Writes values and reason to the host's decision.
    ///
    /// # Safety
    ///
    /// The decision's values must be valid for writing as many as it has room for, or null.
    pub(crate) unsafe fn write_to(&self, decision: &mut Decision) {
        decision.reason.len = self.reason.len;
        decision.values_len = 0;
        if self.valued && !decision.values.is_null() && decision.values_capacity as usize >= self.actions {
            // SAFETY: the caller vouches for the room, which was compared.
            unsafe { std::ptr::copy_nonoverlapping(self.values.as_ptr(), decision.values, self.actions) };
            decision.values_len = self.actions as u32;
        }
    }
}
