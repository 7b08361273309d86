//! The arguments for creating an instance.

use crate::host::Host;
use crate::layout::plain;
use crate::params::ParamValueArray;
use crate::text::Text;

/// The arguments for creating an instance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CreateArgs {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// Players at the tables it will sit at: 4 or 3.
    pub players: u32,
    /// The host's functions. Unlike the other pointers it stays valid until the instance has been destroyed.
    pub host: *const Host,
    /// The parameters that the config sets; those left out have their defaults.
    pub params: ParamValueArray,
    /// The folder of the library as the user knows it, complete; empty for a policy that is built in. The code runs
    /// from a private copy elsewhere, so files that belong to the library are looked up here.
    pub library_folder: Text,
    /// The folder of the bot's config, complete; empty if the config is not a file.
    pub config_folder: Text,
    /// Time from this call until the host gives the instance up, microseconds; 0 if the host sets no limit.
    pub budget_us: u64,
}

plain!(CreateArgs {
    struct_size,
    players,
    host,
    params,
    library_folder,
    config_folder,
    budget_us
});
