//! The result of a call across the boundary.
//!
//! The host distinguishes three cases. [`STATUS_OK`]: the result counts. [`STATUS_PANICKED`] and [`STATUS_POISONED`]:
//! the instance is destroyed, and another made in its place. Anything else: this call failed, and the instance lives
//! on. A policy that fails again and again is set aside; [`STATUS_UNAVAILABLE`] does not count towards that. Without a
//! decision the host gives a safe answer: it wins if possible, else passes, else discards the drawn tile.

/// The result of a call: 0 for success, anything else for failure. Unknown codes read as [`STATUS_FAILED`].
pub type Status = i32;

/// Done.
pub const STATUS_OK: Status = 0;

/// It failed for a reason of the policy; the error text names it.
pub const STATUS_FAILED: Status = 1;

/// The policy panicked (or threw). The instance is poisoned: it may only be destroyed.
pub const STATUS_PANICKED: Status = 2;

/// The instance had been poisoned by an earlier panic; nothing was done.
pub const STATUS_POISONED: Status = 3;

/// A pointer was null that must not be, or a size was invalid: a fault of the host.
pub const STATUS_BAD_ARGUMENT: Status = 4;

/// The view contradicts itself or contains unknown codes; the error text names the field.
pub const STATUS_BAD_VIEW: Status = 5;

/// A parameter is unknown, of another type, or out of its range; the error text names it.
pub const STATUS_BAD_PARAMETER: Status = 6;

/// It cannot decide now, through no fault of the policy: a resource that it needs, such as a server, is unavailable.
/// The host notes it, and asks again at the next decision. The error text names the resource. From `create` it is
/// [`STATUS_FAILED`].
pub const STATUS_UNAVAILABLE: Status = 7;
