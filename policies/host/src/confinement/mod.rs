//! The permissions of a policy's process besides deciding. The process itself gives up all others
//! before it loads the library, and the library cannot regain them.

#[cfg(target_os = "linux")]
mod links;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::call_filter::keep_calls;
use crate::child_library::ChildLibrary;
use crate::kernel_rules::KernelRules;
use crate::private::holds_copies;
use crate::process_limits::ProcessLimits;
use crate::section::{Isolation, PolicyConfig};
use crate::starts::GuardChannel;

const MIB: u64 = 1 << 20;

/// Maximum number of open descriptors of a process. With more it could use up what the system
/// grants all processes of a user together: descriptors watched by epoll, which the runner needs
/// for its connections, and room in pipes.
const MAX_OPEN_FILES: u64 = 256;

/// Maximum number of signals that wait, for all policies of a user together, because the system
/// counts them together. The runtime of .NET sends one to each of its threads.
const MAX_WAITING_SIGNALS: u64 = 1024;

/// Maximum memory that a process may lock, in bytes.
const MAX_LOCKED: u64 = 8 * MIB;

/// The files that the dynamic linker, the C library and language runtimes read. None of them
/// belongs to a user; entries of `/proc` about processes outside the confinement, above all their
/// environment and memory, stay closed.
const SYSTEM: [&str; 13] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/proc",
    "/sys/devices/system",
];

/// Landlock is missing.
const FILES_NOT_KEPT: &str = "this system cannot keep files from a policy's process, which needs Linux 5.13 with Landlock \
                              switched on; the policy may read and write what its user may";
/// Landlock lacks the right to truncate files.
#[cfg(target_os = "linux")]
const CUTS_NOT_KEPT: &str = "this system cannot keep a policy's process from cutting files that it may only read, which needs \
                             Linux 6.2";
/// Landlock lacks scopes.
#[cfg(target_os = "linux")]
const SIGNALS_NOT_KEPT: &str = "this system cannot keep a policy's process that may start others from sending signals to all \
                                processes of its user, which needs Linux 6.12";
/// The message if the processes that a policy starts cannot be counted.
const STARTS_NOT_COUNTED: &str = "this system cannot count the threads and processes of a policy, which needs Linux 5.5 with \
                                  seccomp on x86-64 or AArch64, and no other process that counts them; `processes` in \
                                  [policy.limits] is a limit for all that the user runs, and does not hold for root";
/// Filters of system calls are missing.
const CALLS_NOT_KEPT: &str = "this system cannot limit the system calls of a policy's process, which needs Linux with seccomp \
                              on x86-64 or AArch64; the network, rights of files and other processes are open to it";

/// The permissions of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    limits: ProcessLimits,
    /// The files that it may read without an entry in the limits.
    own: Vec<PathBuf>,
}

impl Confinement {
    /// The limits of the process of a section's policy; `None`: only those of its user. Thread
    /// isolation has none, because the policy's trial, and its process after it hung, must not fail
    /// at actions that the thread may perform.
    pub fn of(
        section: &PolicyConfig,
        library: &ChildLibrary,
        config_folder: &Path,
    ) -> Option<Self> {
        let confined = || {
            // A parameter may be a path, which is known only after the library has been loaded.
            let named = section
                .params
                .values()
                .filter_map(toml::Value::as_str)
                .filter(|text| !text.is_empty());
            let named = named
                .map(|text| config_folder.join(text))
                .filter(|path| path.exists());
            let Self { limits: _, mut own } = Self::of_library(library);
            own.extend(named);
            Self {
                limits: section.limits.clone(),
                own,
            }
        };
        (section.isolation == Isolation::Process).then(confined)
    }

    /// The limits of a process that only loads a library.
    pub fn of_library(library: &ChildLibrary) -> Self {
        let own = match library {
            ChildLibrary::Builtin(_) => Vec::new(),
            ChildLibrary::File { copy, file } => [Some(copy.as_path()), file.parent()]
                .into_iter()
                .flatten()
                .map(Path::to_owned)
                .collect(),
        };
        Self {
            limits: ProcessLimits::default(),
            own,
        }
    }

    /// Why a process that is confined like this must not be started, in words for the user: it may
    /// write what the runner obeys or loads. `config_folder` is complete.
    pub(crate) fn problem_with_writes(&self, config_folder: Option<&Path>) -> Option<String> {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let temporary = real(&env::temp_dir());
        let config = config_folder.and_then(real);
        self.writes().iter().find_map(|named| {
            let place = real(named)?;
            let covers = |folder: &Option<PathBuf>| folder.as_ref().is_some_and(|folder| folder.starts_with(&place));
            let why = if covers(&config) {
                "covers the folder of this config, in which the policy could give itself any right; name a folder below it"
            } else if covers(&temporary) || holds_copies(&place) {
                "covers the folder for temporary files, from which the runner loads libraries; name a folder below it, or set \
                 TMPDIR to another folder for the runner"
            } else {
                return None;
            };
            Some(format!("{} {why}", named.display()))
        })
    }

    /// The limit of its memory.
    pub(crate) const fn memory_mib(&self) -> Option<u32> {
        self.limits.memory_mib
    }

    /// The paths that the process may write; none for a process that may do everything, from which
    /// nothing is kept.
    pub(crate) fn writes(&self) -> &[PathBuf] {
        if self.limits == ProcessLimits::all_allowed() {
            &[]
        } else {
            &self.limits.write
        }
    }

    /// All paths that the process may read.
    pub(crate) fn readable(&self) -> Vec<PathBuf> {
        let ProcessLimits {
            read,
            write,
            execute,
            ..
        } = &self.limits;
        let mut places = self.readable_unnamed();
        places.extend([read, write, execute].into_iter().flatten().cloned());
        places
    }

    /// Those that are not in the limits.
    fn readable_unnamed(&self) -> Vec<PathBuf> {
        let linked = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let linked = env::split_paths(&linked).filter(|path| path.is_absolute());
        self.own
            .iter()
            .cloned()
            .chain(linked)
            .chain(SYSTEM.map(PathBuf::from))
            .collect()
    }

    /// Confines this process, which has one thread and a guard at the other end of this channel.
    /// Returns the restrictions that the system cannot enforce, in words for the user.
    ///
    /// # Errors
    ///
    /// The limit that cannot be set, as a text for the user.
    pub(crate) fn enforce(&self, guard: GuardChannel) -> Result<Vec<&'static str>, String> {
        let ProcessLimits {
            memory_mib,
            processes,
            file_mib,
            ..
        } = self.limits;
        set_limit(
            "memory_mib",
            Resource::As,
            memory_mib.map(|mib| u64::from(mib) * MIB),
        )?;
        set_limit(
            "file_mib",
            Resource::Fsize,
            file_mib.map(|mib| u64::from(mib) * MIB),
        )?;
        for (what, resource, most) in [
            ("open files", Resource::Nofile, MAX_OPEN_FILES),
            ("waiting signals", Resource::Sigpending, MAX_WAITING_SIGNALS),
            ("locked memory", Resource::Memlock, MAX_LOCKED),
        ] {
            lower(resource, most)
                .map_err(|error| format!("its {what} cannot be limited: {error}"))?;
        }
        let calls = self.limits.calls();
        let mut missing = self.keep_files(calls)?;
        let starts = self.limits.starts().enforce(guard);
        if starts
            .map_err(|error| format!("the processes that it starts cannot be counted: {error}"))?
            == KernelRules::NotKept
        {
            // The system counts all processes of the user, so only the user can set this limit.
            set_limit("processes", Resource::Nproc, processes.map(u64::from))?;
            missing.push(STARTS_NOT_COUNTED);
        }
        if keep_calls(calls)? == KernelRules::NotKept {
            missing.push(CALLS_NOT_KEPT);
        }
        Ok(missing)
    }
}

fn set_limit(key: &str, resource: Resource, most: Option<u64>) -> Result<(), String> {
    let Some(most) = most else { return Ok(()) };
    lower(resource, most).map_err(|error| {
        format!("policy.limits.{key}: the system does not set this limit: {error}")
    })
}

/// Lowers a limit to this, or to the user's own if that is lower.
fn lower(resource: Resource, most: u64) -> rustix::io::Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(most, |maximum| maximum.min(most));
    setrlimit(
        resource,
        Rlimit {
            current: Some(most),
            maximum: Some(most),
        },
    )
}

#[cfg(not(target_os = "linux"))]
impl Confinement {
    fn keep_files(&self, _: crate::call_filter::CallGrants) -> Result<Vec<&'static str>, String> {
        Ok(vec![FILES_NOT_KEPT])
    }
}

#[cfg(target_os = "linux")]
mod landlocked {
    use std::fs::{self, File};
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, RestrictionStatus,
        Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus,
        Scope, path_beneath_rules,
    };

    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

    use super::links::may_be_redirected;
    use super::{CUTS_NOT_KEPT, Confinement, FILES_NOT_KEPT, SIGNALS_NOT_KEPT};
    use crate::call_filter::CallGrants;
    use crate::process_limits::ProcessLimits;

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

    impl Confinement {
        pub(super) fn keep_files(&self, calls: CallGrants) -> Result<Vec<&'static str>, String> {
            drop_capabilities().map_err(|error| format!("it keeps its privileges: {error}"))?;
            let ProcessLimits {
                read,
                write,
                execute,
                network,
                ..
            } = &self.limits;
            let reading = AccessFs::ReadFile | AccessFs::ReadDir;
            let writing = AccessFs::from_all(NEWEST) & !AccessFs::Execute;
            let rules = ruleset(*network).and_then(|rules| {
                let devices = AccessFs::ReadFile | AccessFs::WriteFile;
                rules.add_rules(path_beneath_rules(DEVICES, devices))
            });
            let mut rules =
                rules.map_err(|error| format!("its files cannot be kept from it: {error}"))?;
            let writable: Vec<PathBuf> = write
                .iter()
                .filter_map(|place| fs::canonicalize(place).ok())
                .collect();
            // A parameter is a path only perhaps, and a missing folder needs no rule.
            for path in self
                .readable_unnamed()
                .iter()
                .filter(|path| open(path, &writable).is_ok())
            {
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
            let words =
                "it lies where the policy may write, and leads out of there; name its target";
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
}
