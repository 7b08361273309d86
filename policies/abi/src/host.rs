//! The functions that a host offers to an instance.

use core::ffi::c_void;

use crate::layout::plain;
use crate::text::Text;

/// Log level: something that weakens the play.
pub const LOG_ERROR: u32 = 1;
/// Log level: something that the user should act on.
pub const LOG_WARN: u32 = 2;
/// Log level: something that the user may want to know.
pub const LOG_INFO: u32 = 3;
/// Log level: information for the policy's developer.
pub const LOG_DEBUG: u32 = 4;
/// Log level: every detail.
pub const LOG_TRACE: u32 = 5;

/// Writes a line to the host's log: `(context, level, text)`, level one of `LOG_*`. `[any-thread]`
///
/// The text is copied. Standard output and standard error belong to the host: a policy writes here instead. A host may
/// limit the number of lines between two questions and the length of a line, and counts the omitted ones; no line
/// delays a decision.
pub type LogFn = Option<unsafe extern "C" fn(context: *mut c_void, level: u32, text: Text)>;

/// A monotonic clock: `(context)`, nanoseconds since an arbitrary origin. `[any-thread]`
pub type MonotonicFn = Option<unsafe extern "C" fn(context: *mut c_void) -> u64>;

/// Whether the answer to the view being decided would still be used: `(context)`, 1 or 0.
/// `[instance-thread, within decide]`
///
/// 0 means that the time is over and the result will be dropped, so return soon. It is cheap: a search may ask about
/// every millisecond.
pub type StillWantedFn = Option<unsafe extern "C" fn(context: *mut c_void) -> u32>;

/// Asks the host for an extension by its name, for instance `"name/1"`: `(context, name)`. `[instance-thread]`
///
/// Null if the host has no extension of that name. The result lives as long as the host struct.
pub type HostExtensionFn =
    Option<unsafe extern "C" fn(context: *mut c_void, name: Text) -> *const c_void>;

/// The functions that a host offers to one instance, from its `create` to the end of its `destroy`. A function that a
/// host lacks is null.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Host {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
    /// The first argument of every function here.
    pub context: *mut c_void,
    /// Writes a line to the log.
    pub log: LogFn,
    /// A monotonic clock.
    pub monotonic_ns: MonotonicFn,
    /// Whether the decision being made is still wanted.
    pub still_wanted: StillWantedFn,
    /// Asks for an extension.
    pub get_extension: HostExtensionFn,
}

plain!(Host {
    struct_size,
    reserved,
    context,
    log,
    monotonic_ns,
    still_wanted,
    get_extension
});
