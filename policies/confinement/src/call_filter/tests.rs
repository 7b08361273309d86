use std::collections::BTreeSet;
use std::thread;

use seccompiler::{BpfProgram, TargetArch, apply_filter};

use super::CallGrants;
use super::filter::program;
use super::list::{CLONE3, LISTED, NEWEST, Open};

/// The process that filters are made for here.
const OWN: u32 = 4321;
const NOTHING: CallGrants = CallGrants {
    threads: false,
    processes: false,
    execute: false,
    network: false,
    file_sockets: false,
    write: false,
    devices: false,
};
const ALL: CallGrants = CallGrants {
    threads: true,
    processes: true,
    execute: true,
    network: true,
    file_sockets: true,
    write: true,
    devices: true,
};
const ARCHITECTURES: [(TargetArch, u32); 2] = [
    (TargetArch::x86_64, 0xc000_003e),
    (TargetArch::aarch64, 0xc000_00b7),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallVerdict {
    Allowed,
    NotPermitted,
    Unknown,
    Killed,
}

/// A call as a filter sees it: `struct seccomp_data`.
struct Call {
    words: [u32; 16],
}

impl Call {
    fn new(architecture: u32, number: u32, arguments: [u64; 6]) -> Self {
        let mut words = [0; 16];
        words[0] = number;
        words[1] = architecture;
        for (index, argument) in arguments.into_iter().enumerate() {
            (words[4 + 2 * index], words[5 + 2 * index]) =
                (argument as u32, (argument >> 32) as u32);
        }
        Self { words }
    }

    /// The verdict of a program for the kernel. It supports the instructions that filters here use.
    fn verdict(&self, program: &BpfProgram) -> CallVerdict {
        let (mut accumulator, mut at) = (0_u32, 0_usize);
        loop {
            let instruction = &program[at];
            at += 1;
            let k = instruction.k;
            let jump = |holds| {
                usize::from(if holds {
                    instruction.jt
                } else {
                    instruction.jf
                })
            };
            match instruction.code {
                0x20 => accumulator = self.words[k as usize / 4],
                0x54 => accumulator &= k,
                0x05 => at += k as usize,
                0x15 => at += jump(accumulator == k),
                0x25 => at += jump(accumulator > k),
                0x35 => at += jump(accumulator >= k),
                0x06 => {
                    return match (k & 0xffff_0000, k as i32 & 0xffff) {
                        (libc::SECCOMP_RET_ALLOW, _) => CallVerdict::Allowed,
                        (libc::SECCOMP_RET_ERRNO, libc::EPERM) => CallVerdict::NotPermitted,
                        (libc::SECCOMP_RET_ERRNO, libc::ENOSYS) => CallVerdict::Unknown,
                        (libc::SECCOMP_RET_KILL_PROCESS, _) => CallVerdict::Killed,
                        other => panic!("{other:x?}"),
                    };
                }
                code => panic!("instruction {code:#x}"),
            }
        }
    }
}

fn filter(arch: TargetArch, grants: CallGrants) -> BpfProgram {
    program(arch, grants, OWN).expect("it is a filter")
}

fn number(name: &str, arch: TargetArch) -> Option<u32> {
    let call = LISTED
        .into_iter()
        .find(|call| call.name == name)
        .unwrap_or_else(|| panic!("{name} is not listed"));
    if arch == TargetArch::x86_64 {
        Some(call.x86_64)
    } else {
        call.aarch64
    }
}

#[test]
fn every_call_of_the_kernel_is_refused_unless_the_list_and_the_grants_open_it() {
    let grants = [
        NOTHING,
        CallGrants {
            threads: true,
            ..NOTHING
        },
        CallGrants {
            processes: true,
            ..NOTHING
        },
        CallGrants {
            execute: true,
            ..NOTHING
        },
        CallGrants {
            network: true,
            ..NOTHING
        },
        CallGrants {
            file_sockets: true,
            ..NOTHING
        },
        CallGrants {
            write: true,
            ..NOTHING
        },
        ALL,
    ];
    for (arch, code) in ARCHITECTURES {
        for grants in grants {
            let filter = filter(arch, grants);
            for nr in (0..NEWEST + 200).chain([u32::MAX, 0x4000_0000, 0x4000_003b]) {
                let listed = LISTED
                    .into_iter()
                    .find(|call| number(call.name, arch) == Some(nr));
                let expected = match listed.map(|call| call.open) {
                    _ if nr > NEWEST || nr == CLONE3 => CallVerdict::Unknown,
                    None => CallVerdict::NotPermitted,
                    // Looked at argument by argument below.
                    Some(Open::ByArguments) => continue,
                    Some(Open::Always) => CallVerdict::Allowed,
                    Some(Open::Write) if grants.write => CallVerdict::Allowed,
                    Some(Open::Network) if grants.network => CallVerdict::Allowed,
                    Some(Open::Sockets) if grants.network || grants.file_sockets => {
                        CallVerdict::Allowed
                    }
                    Some(Open::Processes) if grants.processes => CallVerdict::Allowed,
                    Some(Open::Execute) if grants.execute => CallVerdict::Allowed,
                    Some(_) => CallVerdict::NotPermitted,
                };
                let call = Call::new(code, nr, [0; 6]);
                assert_eq!(
                    call.verdict(&filter),
                    expected,
                    "{arch:?} {nr} {listed:?} {grants:?}"
                );
            }
            // Those of 32-bit programs.
            for (other, nr) in [(0x4000_0003, 11), (0x4000_0028, 11)] {
                assert_eq!(
                    Call::new(other, nr, [0; 6]).verdict(&filter),
                    CallVerdict::Killed
                );
            }
        }
    }
}

#[test]
fn the_list_names_each_call_once_and_none_that_escapes_the_confinement() {
    let names: BTreeSet<&str> = LISTED.into_iter().map(|call| call.name).collect();
    assert_eq!(names.len(), LISTED.len());
    for arch in [TargetArch::x86_64, TargetArch::aarch64] {
        let numbers: Vec<u32> = LISTED
            .into_iter()
            .filter_map(|call| number(call.name, arch))
            .collect();
        let different: BTreeSet<u32> = numbers.iter().copied().collect();
        assert_eq!(different.len(), numbers.len(), "{arch:?}");
    }
    for refused in [
        "chmod",
        "fchmod",
        "fchmodat",
        "fchmodat2",
        "chown",
        "fchown",
        "lchown",
        "fchownat",
        "utime",
        "utimes",
        "utimensat",
        "futimesat",
        "setxattr",
        "lsetxattr",
        "fsetxattr",
        "setxattrat",
        "removexattr",
        "lremovexattr",
        "fremovexattr",
        "removexattrat",
        "file_setattr",
        "truncate",
        "io_uring_setup",
        "io_uring_enter",
        "io_uring_register",
        "io_setup",
        "timer_create",
        "inotify_init",
        "execveat",
        "memfd_create",
        "memfd_secret",
        "add_key",
        "keyctl",
        "request_key",
        "shmget",
        "semget",
        "msgget",
        "mq_open",
        "ptrace",
        "process_vm_readv",
        "process_vm_writev",
        "pidfd_getfd",
        "bpf",
        "perf_event_open",
        "userfaultfd",
        "unshare",
        "setns",
        "mount",
        "seccomp",
        "clone3",
        "rt_sigqueueinfo",
        "rt_tgsigqueueinfo",
        "inotify_init1",
        "fanotify_init",
        "personality",
        "sync",
        "splice",
    ] {
        assert!(!names.contains(refused), "{refused}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_numbers_of_the_list_are_those_of_the_c_library() {
    for (name, number) in [
        ("read", libc::SYS_read),
        ("openat", libc::SYS_openat),
        ("clone", libc::SYS_clone),
        ("execve", libc::SYS_execve),
        ("socketpair", libc::SYS_socketpair),
        ("futex", libc::SYS_futex),
        ("prlimit64", libc::SYS_prlimit64),
        ("statx", libc::SYS_statx),
        ("faccessat2", libc::SYS_faccessat2),
    ] {
        assert_eq!(
            self::number(name, TargetArch::x86_64).map(i64::from),
            Some(number),
            "{name}"
        );
    }
    assert_eq!(i64::from(CLONE3), libc::SYS_clone3);
}

#[test]
fn calls_that_do_much_by_one_name_are_open_by_their_arguments() {
    use CallVerdict::{Allowed, NotPermitted};
    let own = u64::from(OWN);
    let thread = (libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_FILES) as u64;
    let alone = (libc::CLONE_THREAD | libc::CLONE_VM) as u64;
    let threads = CallGrants {
        threads: true,
        ..NOTHING
    };
    let processes = CallGrants {
        processes: true,
        ..NOTHING
    };
    let network = CallGrants {
        network: true,
        ..NOTHING
    };
    let devices = CallGrants {
        devices: true,
        ..NOTHING
    };
    let cases: &[(&str, [u64; 6], CallGrants, CallVerdict)] = &[
        (
            "fcntl",
            [3, libc::F_SETFD as u64, 0, 0, 0, 0],
            NOTHING,
            Allowed,
        ),
        (
            "fcntl",
            [3, libc::F_SETOWN as u64, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_SETLEASE as u64, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_SETLK as u64, 0, 0, 0, 0],
            CallGrants {
                write: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_SETLKW as u64, 0, 0, 0, 0],
            CallGrants {
                write: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_OFD_SETLK as u64, 0, 0, 0, 0],
            CallGrants {
                write: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_OFD_SETLKW as u64, 0, 0, 0, 0],
            CallGrants {
                write: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "fcntl",
            [3, libc::F_SETLK as u64, 0, 0, 0, 0],
            CallGrants {
                write: true,
                ..NOTHING
            },
            Allowed,
        ),
        (
            "fcntl",
            [3, libc::F_SETPIPE_SZ as u64, 1 << 20, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        ("close_range", [3, 4095, 0, 0, 0, 0], NOTHING, Allowed),
        ("close_range", [3, 4095, 4, 0, 0, 0], NOTHING, Allowed),
        ("close_range", [3, 4095, 2, 0, 0, 0], ALL, NotPermitted),
        ("close_range", [3, 4095, 6, 0, 0, 0], ALL, NotPermitted),
        (
            "bind",
            [3, 1, 16, 0, 0, 0],
            CallGrants {
                network: false,
                ..ALL
            },
            NotPermitted,
        ),
        ("bind", [3, 1, 12, 0, 0, 0], network, Allowed),
        ("bind", [3, 1, 16, 0, 0, 0], network, Allowed),
        ("bind", [3, 1, 28, 0, 0, 0], network, Allowed),
        ("bind", [3, 1, 2, 0, 0, 0], ALL, NotPermitted),
        ("bind", [3, 1, 40, 0, 0, 0], ALL, NotPermitted),
        ("bind", [3, 1, 110, 0, 0, 0], ALL, NotPermitted),
        ("ioctl", [3, 0x5421, 0, 0, 0, 0], NOTHING, Allowed),
        // FS_IOC_SETFLAGS, which changes a file's attributes, and TIOCSTI.
        (
            "ioctl",
            [3, 0x4008_6602, 0, 0, 0, 0],
            CallGrants {
                devices: false,
                ..ALL
            },
            NotPermitted,
        ),
        ("ioctl", [3, 0x5412, 0, 0, 0, 0], NOTHING, NotPermitted),
        ("ioctl", [3, 0x1234, 0, 0, 0, 0], devices, Allowed),
        (
            "prctl",
            [libc::PR_SET_NAME as u64, 0, 0, 0, 0, 0],
            NOTHING,
            Allowed,
        ),
        (
            "prctl",
            [libc::PR_SET_MM as u64, 0, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "prctl",
            [libc::PR_SET_PDEATHSIG as u64, 0, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "prctl",
            [libc::PR_SET_DUMPABLE as u64, 0, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        ("setpgid", [0; 6], NOTHING, NotPermitted),
        ("setpgid", [0; 6], processes, Allowed),
        ("setpgid", [0, 1, 0, 0, 0, 0], ALL, NotPermitted),
        ("setpgid", [own, 0, 0, 0, 0, 0], ALL, NotPermitted),
        ("prlimit64", [0; 6], NOTHING, Allowed),
        ("prlimit64", [1, 0, 0, 0, 0, 0], ALL, NotPermitted),
        ("sched_setaffinity", [1, 0, 0, 0, 0, 0], ALL, NotPermitted),
        ("setpriority", [0; 6], NOTHING, Allowed),
        ("setpriority", [2, 0, 0, 0, 0, 0], ALL, NotPermitted),
        ("ioprio_set", [1, 0, 0, 0, 0, 0], NOTHING, Allowed),
        ("ioprio_set", [1, 7, 0, 0, 0, 0], ALL, NotPermitted),
        ("kill", [own, 9, 0, 0, 0, 0], NOTHING, Allowed),
        ("kill", [0, 9, 0, 0, 0, 0], NOTHING, Allowed),
        ("kill", [1, 9, 0, 0, 0, 0], threads, NotPermitted),
        (
            "kill",
            [u64::from(u32::MAX), 9, 0, 0, 0, 0],
            threads,
            NotPermitted,
        ),
        ("kill", [1, 9, 0, 0, 0, 0], processes, Allowed),
        ("tgkill", [own, 5, 6, 0, 0, 0], NOTHING, Allowed),
        ("tgkill", [1, 5, 6, 0, 0, 0], NOTHING, NotPermitted),
        (
            "socketpair",
            [1, libc::SOCK_STREAM as u64 | 0x80000, 0, 0, 0, 0],
            NOTHING,
            Allowed,
        ),
        (
            "socketpair",
            [1, libc::SOCK_DGRAM as u64, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "socketpair",
            [2, libc::SOCK_STREAM as u64, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        ("sendto", [3, 0, 0, 0, 0, 16], NOTHING, Allowed),
        ("sendto", [3, 0, 0, 0, 1, 16], NOTHING, NotPermitted),
        ("sendto", [3, 0, 0, 0, 1 << 32, 16], NOTHING, NotPermitted),
        ("sendto", [3, 0, 0, 0, 1, 16], network, Allowed),
        (
            "socket",
            [libc::AF_INET as u64, 1, 0, 0, 0, 0],
            CallGrants {
                network: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "socket",
            [libc::AF_INET as u64, 1, 262, 0, 0, 0],
            NOTHING,
            NotPermitted,
        ),
        (
            "socket",
            [libc::AF_INET as u64, 1, 0, 0, 0, 0],
            network,
            Allowed,
        ),
        (
            "socket",
            [libc::AF_INET6 as u64, 2, 0, 0, 0, 0],
            network,
            Allowed,
        ),
        (
            "socket",
            [libc::AF_UNIX as u64, 1, 0, 0, 0, 0],
            CallGrants {
                file_sockets: false,
                ..ALL
            },
            NotPermitted,
        ),
        (
            "socket",
            [libc::AF_UNIX as u64, 1, 0, 0, 0, 0],
            CallGrants {
                file_sockets: true,
                ..NOTHING
            },
            Allowed,
        ),
        (
            "socket",
            [libc::AF_INET as u64, 1, 0, 0, 0, 0],
            CallGrants {
                file_sockets: true,
                ..NOTHING
            },
            NotPermitted,
        ),
        (
            "socket",
            [libc::AF_NETLINK as u64, 3, 0, 0, 0, 0],
            network,
            Allowed,
        ),
        (
            "socket",
            [libc::AF_NETLINK as u64, 3, 15, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        ("clone", [thread, 0, 0, 0, 0, 0], NOTHING, NotPermitted),
        ("clone", [thread, 0, 0, 0, 0, 0], threads, Allowed),
        (
            "clone",
            [libc::SIGCHLD as u64, 0, 0, 0, 0, 0],
            threads,
            NotPermitted,
        ),
        (
            "clone",
            [libc::SIGCHLD as u64, 0, 0, 0, 0, 0],
            processes,
            Allowed,
        ),
        ("clone", [thread, 0, 0, 0, 0, 0], processes, NotPermitted),
        ("clone", [alone, 0, 0, 0, 0, 0], ALL, NotPermitted),
        (
            "clone",
            [libc::CLONE_NEWUSER as u64, 0, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
        (
            "clone",
            [libc::CLONE_NEWNET as u64 | thread, 0, 0, 0, 0, 0],
            ALL,
            NotPermitted,
        ),
    ];
    for (arch, code) in ARCHITECTURES {
        for &(name, arguments, grants, expected) in cases {
            let number = number(name, arch).expect("both have it");
            let verdict = Call::new(code, number, arguments).verdict(&filter(arch, grants));
            assert_eq!(
                verdict, expected,
                "{arch:?} {name} {arguments:x?} {grants:?}"
            );
        }
    }
    let by_arguments = LISTED
        .into_iter()
        .filter(|call| call.open == Open::ByArguments);
    let looked_at: BTreeSet<&str> = cases.iter().map(|(name, ..)| *name).collect();
    for call in by_arguments.filter(|call| !call.name.starts_with("sched_")) {
        assert!(looked_at.contains(call.name), "{} has no case", call.name);
    }
}

#[test]
fn the_kernel_itself_refuses_every_call_that_is_not_listed() {
    // A filter holds for the thread that takes it. With all grants, so that a call refused here is
    // always refused.
    let walked = thread::spawn(|| {
        let arch = std::env::consts::ARCH.try_into().expect("it is known");
        apply_filter(&program(arch, ALL, std::process::id()).expect("it is a filter"))
            .expect("the kernel takes it");
        let listed = |nr| {
            LISTED
                .into_iter()
                .any(|call| number(call.name, arch) == Some(nr))
        };
        let mut wrong = Vec::new();
        let mut refused = 0;
        // The kernel's own traps for probes pass every filter, and end the calling process.
        let is_trap = |nr| cfg!(target_arch = "x86_64") && (335..=336).contains(&nr);
        for nr in (0..NEWEST + 200).filter(|nr| !listed(*nr) && !is_trap(*nr)) {
            let expected = if nr > NEWEST || nr == CLONE3 {
                libc::ENOSYS
            } else {
                libc::EPERM
            };
            // SAFETY: the call is refused, and were it not, these arguments would do nothing to
            // memory.
            let result = unsafe { libc::syscall(nr.into(), 0, 0, 0, 0, 0, 0) };
            let error = std::io::Error::last_os_error().raw_os_error();
            if result != -1 || error != Some(expected) {
                wrong.push((nr, result, error));
            }
            refused += 1;
        }
        (wrong, refused)
    });
    let (wrong, refused) = walked.join().expect("it ends");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(refused > 350, "{refused}");
}
