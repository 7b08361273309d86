//! The files, devices and connections of a confined process, kept from it by Landlock.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use crate::call_filter::CallGrants;
use crate::kernel_rules::FILES_NOT_KEPT;
use crate::limits::ProcessLimits;
use crate::links::may_be_redirected;

/// Landlock lacks the right to truncate files.
const CUTS_NOT_KEPT: &str = "this system cannot keep a policy's process from cutting files that it may only read, which needs \
                             Linux 6.2";
/// Landlock lacks scopes.
const SIGNALS_NOT_KEPT: &str = "this system cannot keep a policy's process that may start others from sending signals to all \
                                processes of its user, which needs Linux 6.12";

/// The newest rules known here. Rules that the kernel does not support are omitted.
const NEWEST: ABI = ABI::V10;

/// Devices without a memory.
const DEVICES: [&str; 6] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/fd",
];

/// Keeps from this process all files that it may not read or write; `unnamed` are those that it may
/// read without an entry in the limits. Returns the restrictions that the system cannot enforce, in
/// words for the user.
///
/// # Errors
///
/// The rule that cannot be made, as a text for the user.
pub(crate) fn keep_files(
    limits: &ProcessLimits,
    unnamed: &[PathBuf],
    calls: CallGrants,
) -> Result<Vec<&'static str>, String> {
    drop_capabilities().map_err(|error| format!("it keeps its privileges: {error}"))?;
    let ProcessLimits {
        read,
        write,
        execute,
        network,
        ..
    } = limits;
    let reading = AccessFs::ReadFile | AccessFs::ReadDir;
    let writing = AccessFs::from_all(NEWEST) & !AccessFs::Execute;
    let rules = ruleset(*network).and_then(|rules| {
        let devices = AccessFs::ReadFile | AccessFs::WriteFile;
        rules.add_rules(path_beneath_rules(DEVICES, devices))
    });
    let mut rules = rules.map_err(|error| format!("its files cannot be kept from it: {error}"))?;
    let writable: Vec<PathBuf> = write
        .iter()
        .filter_map(|place| fs::canonicalize(place).ok())
        .collect();
    // A parameter is a path only perhaps, and a missing folder needs no rule.
    for path in unnamed.iter().filter(|path| open(path, &writable).is_ok()) {
        rules = allow(rules, path, &writable, reading)
            .map_err(|error| format!("its files cannot be kept from it: {error}"))?;
    }
    for (key, paths, access) in [
        ("read", read, reading),
        ("write", write, writing),
        ("execute", execute, reading | AccessFs::Execute),
    ] {
        for path in paths {
            rules = allow(rules, path, &writable, access)
                .map_err(|error| format!("policy.limits.{key}: {error}"))?;
        }
    }
    if !execute.is_empty() {
        // A program is started by the dynamic linker.
        let linkers = ["/lib", "/lib64"].into_iter().flat_map(linkers_in);
        rules = rules
            .add_rules(path_beneath_rules(linkers, AccessFs::Execute))
            .map_err(|error| format!("policy.limits.execute: {error}"))?;
    }
    match rules.restrict_self() {
        Ok(status) => Ok(missing(&status, calls)),
        Err(error) => Err(format!("its files cannot be kept from it: {error}")),
    }
}

/// The restrictions of a process with these calls that this kernel's Landlock cannot enforce.
fn missing(status: &RestrictionStatus, calls: CallGrants) -> Vec<&'static str> {
    let LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return vec![FILES_NOT_KEPT];
    };
    if status.ruleset == RulesetStatus::NotEnforced {
        return vec![FILES_NOT_KEPT];
    }
    // Without child processes it cannot signal another process.
    let lacks = [
        (effective_abi < ABI::V3, CUTS_NOT_KEPT),
        (effective_abi < ABI::V6 && calls.processes, SIGNALS_NOT_KEPT),
    ];
    lacks
        .into_iter()
        .filter(|(lacks, _)| *lacks)
        .map(|(_, words)| words)
        .collect()
}

/// Gives up root's additional rights: Landlock does not keep root from looking into other
/// processes.
fn drop_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    Ok(set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?)
}

fn ruleset(network: bool) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    if !network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    rules.create()
}

/// Grants access to an existing path.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    writable: &[PathBuf],
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, String> {
    let words = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let place = File::from(open(path, writable).map_err(|error| words(&error))?);
    let is_file = place.metadata().map_err(|error| words(&error))?.is_file();
    let access = if is_file {
        access & AccessFs::from_file(NEWEST)
    } else {
        access
    };
    rules
        .add_rule(PathBeneath::new(place, access))
        .map_err(|error| words(&error))
}

/// Opens a path to name it in a rule. What lies where the policy may write is not followed out
/// of there: an earlier process of the policy may have put a link to any file in its place.
fn open(path: &Path, writable: &[PathBuf]) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    if !may_be_redirected(&std::path::absolute(path)?, writable) {
        return Ok(openat2(
            CWD,
            path,
            flags,
            Mode::empty(),
            ResolveFlags::empty(),
        )?);
    }
    let real = fs::canonicalize(path)?;
    if !writable.iter().any(|place| real.starts_with(place)) {
        let words = "it lies where the policy may write, and leads out of there; name its target";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, words));
    }
    Ok(openat2(
        CWD,
        &real,
        flags,
        Mode::empty(),
        ResolveFlags::NO_SYMLINKS,
    )?)
}

fn linkers_in(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("ld-"))
        .map(|entry| entry.path())
        .collect()
}
