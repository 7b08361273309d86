//! The details that a policy may add to its choice.
#![allow(
    unsafe_code,
    reason = "values and reason go into buffers of the host's"
)]

use std::fmt;

use policy_abi::decision::Decision;
use policy_abi::text::TextBuffer;

/// The details that a policy may add to its choice: a value for each legal action, and a reason.
///
/// ```
/// use policy_sdk::{Answer, View};
///
/// fn explain(view: &View<'_>, chosen: usize, answer: &mut Answer) {
///     for index in 0..view.legal().len() {
///         answer.value(index, if index == chosen { 1.0 } else { 0.0 });
///     }
///     answer.reason(format_args!("{} tiles are left", view.tiles_left()));
/// }
/// ```
#[derive(Debug)]
pub struct Answer {
    actions: usize,
    /// Room for one value per action, or null.
    values: *mut f32,
    valued: bool,
    reason: TextBuffer,
}

impl Answer {
    /// An answer that is written to the buffers of a decision.
    ///
    /// # Safety
    ///
    /// They must keep their promises as long as this lives, and not be used otherwise.
    pub(crate) const unsafe fn new(actions: usize, decision: &Decision) -> Self {
        let room = decision.values_capacity as usize >= actions;
        let values = if room {
            decision.values
        } else {
            std::ptr::null_mut()
        };
        Self {
            actions,
            values,
            valued: false,
            reason: TextBuffer {
                len: 0,
                ..decision.reason
            },
        }
    }

    /// Gives the legal action with this index a value; higher is better. Actions without a value
    /// remain distinguishable from any value. An index beyond the legal actions is ignored.
    pub fn value(&mut self, index: usize, value: f32) {
        if self.values.is_null() || index >= self.actions {
            return;
        }
        // SAFETY: there is room for one value per action, and no other code writes there meanwhile.
        unsafe {
            if !self.valued {
                (0..self.actions).for_each(|place| self.values.add(place).write(f32::NAN));
                self.valued = true;
            }
            self.values.add(index).write(value);
        }
    }

    /// Adds a short reason: `answer.reason(format_args!(…))`. A reason that is too long is cut.
    pub fn reason(&mut self, reason: fmt::Arguments<'_>) {
        struct Cut<'a>(&'a mut TextBuffer);
        impl fmt::Write for Cut<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                // SAFETY: the buffer keeps its promises, as the creator of the answer vouched.
                if unsafe { self.0.append(text) } {
                    Ok(())
                } else {
                    Err(fmt::Error)
                }
            }
        }
        self.reason.len = 0;
        // An error says that there was no room for the rest.
        let _ = fmt::write(&mut Cut(&mut self.reason), reason);
    }

    /// Records in the decision how much was written to its buffers.
    pub(crate) const fn finish(&self, decision: &mut Decision) {
        decision.reason.len = self.reason.len;
        decision.values_len = if self.valued { self.actions as u32 } else { 0 };
    }
}
