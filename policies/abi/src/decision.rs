//! The decision of a policy.

use crate::layout::plain;
use crate::text::TextBuffer;

/// In [`Decision::index`] before the policy has written one.
pub const INDEX_NONE: u32 = 0xffff_ffff;

/// The decision of a policy. The buffers belong to the calling thread, so a late answer cannot touch freed memory.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Decision {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// Out: the index of the chosen legal action of the view; [`INDEX_NONE`] at first.
    pub index: u32,
    /// Out: the `question` of the decided view; 0 at first. A decision with another number is a fault.
    pub question: u64,
    /// A buffer for the value of each legal action; null if values are not wanted.
    pub values: *mut f32,
    /// Capacity of `values`, in elements.
    pub values_capacity: u32,
    /// Out: the number of values written, either 0 or the number of legal actions. Higher is better; the policy alone
    /// decides what a value means beyond that. NaN means an action without a value.
    pub values_len: u32,
    /// Out: a short reason.
    pub reason: TextBuffer,
}

plain!(Decision {
    struct_size,
    index,
    question,
    values,
    values_capacity,
    values_len,
    reason
});
