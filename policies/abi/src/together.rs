//! The extension `together/1` of the host: the instances of a policy play many games at once.
//!
//! Each seat of a game has its own instance. Without this extension each must have all that it decides by to itself.
//! With it they may share what is slow to start, such as a program or a network, and let it answer several instances
//! at once: no clock runs in these games, and the files of the policy do not change while they are played. In a process
//! of its own an instance is alone, but if it has asked for this extension, the instances of later games follow it there.

use crate::layout::plain;

/// The name of the extension.
pub const TOGETHER: &str = "together/1";

/// What the host returns for [`TOGETHER`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Together {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// Zero.
    pub reserved: u32,
}

plain!(Together {
    struct_size,
    reserved
});
