//! Stops panics from leaving the library: a panic becomes a status and a text.
#![allow(
    unsafe_code,
    reason = "the error text goes into a buffer of the host's"
)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use policy_abi::status::{STATUS_OK, STATUS_PANICKED, Status};
use policy_abi::text::TextBuffer;

/// The reason why a call failed.
pub(crate) struct BoundaryError {
    pub(crate) status: Status,
    pub(crate) text: String,
}

/// Runs the body of an exported function.
///
/// # Safety
///
/// `error` must be null or point to a text buffer that keeps its promises.
pub(crate) unsafe fn guarded(
    error: *mut TextBuffer,
    body: impl FnOnce() -> Result<(), BoundaryError>,
) -> Status {
    // After a panic in the body the instance is poisoned and only dropped, so half-done changes do
    // no harm.
    let refusal = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return STATUS_OK,
        Ok(Err(refusal)) => refusal,
        Err(payload) => BoundaryError {
            status: STATUS_PANICKED,
            text: text_of(payload),
        },
    };
    if !error.is_null() {
        // SAFETY: not null, and the caller vouches for the buffer.
        unsafe { (*error).append(&refusal.text) };
    }
    refusal.status
}

/// The message of a panic, and the end of its payload, which may panic in turn.
fn text_of(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned());
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload)))
        && !again.is::<&str>()
        && !again.is::<String>()
    {
        // A payload that may panic again is leaked.
        std::mem::forget(again);
    }
    text
}
