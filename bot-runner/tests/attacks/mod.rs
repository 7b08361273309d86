//! Attacks on the built program, area by area: a fault around one bot costs that bot at most an
//! action, and the others nothing. `ATTACKS=full` runs them at length.

mod arena;
mod beside;
mod files;
mod library;
mod other_users;
mod process;
mod terminal;

use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::common::libraries::{Compiled, compile};

/// Number of repetitions: few by default, many with `ATTACKS=full`.
fn many(few: usize, full: usize) -> usize {
    if std::env::var_os("ATTACKS").is_some_and(|length| length == "full") {
        full
    } else {
        few
    }
}

/// The policy that tries what its parameters say; see `probe.c`.
static PROBE: LazyLock<Compiled> = LazyLock::new(|| probe(&[]));

/// The same, compiled with these definitions.
pub(crate) fn probe(definitions: &[&str]) -> Compiled {
    compile(
        "probe",
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks/probe.c"),
        definitions,
    )
}

/// Held exclusively by an attack that starts many processes, which take the processor from
/// everything beside it.
static STORM: RwLock<()> = RwLock::new(());

/// Begins such an attack, once there is no other one and no test that needs [`calm`].
fn storm() -> RwLockWriteGuard<'static, ()> {
    STORM.write().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps such attacks away while a test plays by the clock.
fn calm() -> RwLockReadGuard<'static, ()> {
    STORM.read().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the kernel has at least this version; if not, a note is printed.
fn has_linux(major: u32, minor: u32) -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release
        .split('.')
        .map_while(|number| number.parse::<u32>().ok());
    let has = (numbers.next(), numbers.next()) >= (Some(major), Some(minor));
    if !has {
        eprintln!("SKIPPED: needs Linux {major}.{minor}");
    }
    has
}
