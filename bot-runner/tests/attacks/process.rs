//! The limits on a policy in its own process: a test for each line of the table in
//! docs/writing-a-policy.md. The lines of descriptors, variables and the runner's death have theirs
//! in `policies/host/tests/isolation`, and all calls that no line names are in
//! `policies/confinement/src/call_filter/tests.rs`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use policy_host::child::{ChildPolicy, ChildSpec, describe};
use policy_host::{
    ChildLibrary, GameKind, Isolation, Launch, LibraryChoice, PolicyConfig, ProcessLimits,
    StartOptions, check_params, confinement_of,
};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::beside::neighbour_plays_as_ever_beside;
use super::{PROBE, has_linux, many, probe, storm};
use crate::common::libraries::{GREEDY_TENPAI, PROGRAM, misbehave_raw};
use crate::common::questions::asked;
use crate::configs::{Folder, arena};

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The system's message for a refused access: by Landlock's rules for files, and by the list of
/// system calls.
const DENIED: &str = "Permission denied";
const NOT_PERMITTED: &str = "Operation not permitted";
const TOO_MANY_FILES: &str = "Too many open files";
const TOO_MANY: &str = "Resource temporarily unavailable";
const DONE: &str = "done";

fn launch() -> Launch {
    Launch {
        program: PathBuf::from(PROGRAM),
        token_variables: Default::default(),
    }
}

/// The section of a policy with these limits and these instructions.
fn section(limits: ProcessLimits, what: &str, with: &str) -> PolicyConfig {
    let params = toml::Table::from_iter(
        [("what", what), ("with", with)].map(|(key, text)| (key.to_owned(), text.into())),
    );
    let library = LibraryChoice::Path(PROBE.file.clone());
    PolicyConfig {
        isolation: Isolation::Process,
        limits,
        params,
        ..PolicyConfig::of(library, None)
    }
}

/// The outcome of an attempt in the process of this section, whose policy is instructed to make it.
fn attempt_by(confined_by: &PolicyConfig, told: &PolicyConfig) -> String {
    let mut policy = start(confined_by, told);
    policy
        .decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE)
        .expect("it decides")
        .reason
}

/// The policy of this section in the process of the other one.
fn start(confined_by: &PolicyConfig, told: &PolicyConfig) -> ChildPolicy {
    let library = ChildLibrary::File {
        copy: PROBE.file.clone(),
        file: PROBE.file.clone(),
    };
    let description = describe(&launch(), &library, PATIENCE).expect("it is described");
    let policy = &description.policies[0];
    let spec = ChildSpec {
        policy: policy.id.clone(),
        params: check_params(told, policy, Path::new("")).expect("it takes them"),
        confinement: confinement_of(confined_by, &library, Path::new("")),
        options: StartOptions {
            bot: "kuma".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
            launch: launch(),
        },
        together: false,
        library,
    };
    ChildPolicy::start(&spec, PATIENCE).expect("it starts")
}

/// The outcome of an attempt by a policy with these limits and without parameters that allow more.
fn attempt(limits: ProcessLimits, what: &str, with: &str) -> String {
    attempt_by(
        &section(limits.clone(), "", ""),
        &section(limits, what, with),
    )
}

fn nothing() -> ProcessLimits {
    ProcessLimits::default()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn it_reads_only_the_systems_files_its_librarys_folder_and_allowed_files() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let secret = folder.file("token", "canary");
    let beside = PROBE.file.with_file_name("weights");
    fs::write(&beside, "weights").expect("it can be written");
    assert_eq!(attempt(nothing(), "read", text(&secret)), DENIED);
    for readable in [
        text(&beside),
        "/proc/self/status",
        "/bin/sh",
        "/dev/urandom",
    ] {
        assert_eq!(attempt(nothing(), "read", readable), DONE, "{readable}");
    }
    let allowed = ProcessLimits {
        read: vec![folder.path().to_owned()],
        ..nothing()
    };
    assert_eq!(attempt(allowed, "read", text(&secret)), DONE);
    let named = section(nothing(), "read", text(&secret));
    assert_eq!(attempt_by(&named, &named), DONE, "a parameter names it");
}

#[test]
fn a_link_that_it_makes_where_it_may_write_opens_no_other_file() {
    if !has_linux(5, 13) {
        return;
    }
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let secret = elsewhere.file("token", "canary");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("notes")).expect("it can be made");
    symlink(&secret, at("notes/state")).expect("it can be linked");
    symlink(elsewhere.path(), at("notes/sub")).expect("it can be linked");
    symlink("notes/state", at("chain")).expect("it can be linked");
    for named in ["notes/state", "notes/sub/token", "chain"] {
        let limits = ProcessLimits {
            write: vec![at("notes")],
            ..nothing()
        };
        let section = section(limits, "read", text(&at(named)));
        assert_eq!(attempt_by(&section, &section), DENIED, "{named}");
    }
    let own = folder.file("notes/own", "its own");
    let limits = ProcessLimits {
        write: vec![at("notes")],
        ..nothing()
    };
    assert_eq!(attempt(limits, "read", text(&own)), DONE);
}

#[test]
fn a_policy_that_could_write_its_config_or_the_copies_of_libraries_is_refused() {
    let (folder, temporary) = (Folder::new(), Folder::new());
    fs::create_dir_all(folder.path().join("cache")).expect("it can be made");
    let check = |write: &Path| {
        let limits = format!("[policy.limits]\nwrite = [{write:?}]\n");
        let config = format!(
            "name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}",
            PROBE.file
        );
        let runner =
            crate::program::Runner::new(["check".into(), folder.file("kuma.toml", config)]);
        runner.env("TMPDIR", text(temporary.path())).run()
    };
    for (write, what) in [
        (Path::new("."), "covers the folder of this config"),
        (Path::new("/"), "covers the folder of this config"),
        (temporary.path(), "covers the folder for temporary files"),
    ] {
        let finished = check(write);
        let out = finished.exited(1);
        assert!(
            out.contains("policy.limits.write: ") && out.contains(what),
            "{write:?}: {out}"
        );
    }
    let beside_the_program = check(Path::new(PROGRAM).parent().expect("a folder"));
    assert!(
        beside_the_program
            .exited(1)
            .contains("which the runner obeys"),
        "{}",
        beside_the_program.out
    );
    assert!(!check(Path::new("cache")).all().contains("covers"));
}

#[test]
fn a_policy_that_could_write_the_library_of_another_bots_thread_is_refused() {
    let (folder, other) = (Folder::new(), Folder::new());
    let library = other.file("lib.so", fs::read(&*GREEDY_TENPAI).expect("it is there"));
    let neko = folder.file(
        "neko.toml",
        format!("name = \"neko\"\n[policy]\nlibrary = {library:?}\n"),
    );
    let kuma = format!(
        "name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n[policy.limits]\nwrite = [{:?}]\n",
        PROBE.file,
        other.path()
    );
    let kuma = folder.file("kuma.toml", kuma);
    let finished = crate::program::Runner::new(["check".into(), kuma, neko]).run();
    let out = finished.exited(1);
    // They are checked side by side, and the second one is refused.
    let (writer, written) = (
        "kuma.toml: policy.limits.write: ",
        "neko.toml: policy: the process of another policy",
    );
    assert!(out.contains(writer) != out.contains(written), "{out}");
}

#[test]
fn it_writes_only_allowed_files() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let file = folder.path().join("new");
    assert_eq!(attempt(nothing(), "write", text(&file)), DENIED);
    let beside = PROBE.file.with_file_name("written");
    assert_eq!(
        attempt(nothing(), "write", text(&beside)),
        DENIED,
        "its library's folder is only read"
    );
    assert!(!file.exists() && !beside.exists());
    let allowed = ProcessLimits {
        write: vec![folder.path().to_owned()],
        ..nothing()
    };
    assert_eq!(attempt(allowed, "write", text(&file)), DONE);
    assert_eq!(attempt(nothing(), "write", "/dev/null"), DONE);
}

#[test]
fn it_locks_files_only_if_it_may_write_some() {
    let folder = Folder::new();
    let file = folder.file("records", "");
    let read = ProcessLimits {
        read: vec![folder.path().to_owned()],
        ..nothing()
    };
    let write = ProcessLimits {
        write: vec![folder.path().to_owned()],
        ..nothing()
    };
    for what in ["lock-part", "lock-whole"] {
        assert_eq!(
            attempt(read.clone(), what, text(&file)),
            NOT_PERMITTED,
            "{what}"
        );
        assert_eq!(attempt(write.clone(), what, text(&file)), DONE, "{what}");
    }
}

#[test]
fn a_file_grows_no_longer_than_file_mib() {
    let folder = Folder::new();
    let allowed = |file_mib| ProcessLimits {
        write: vec![folder.path().to_owned()],
        file_mib,
        ..nothing()
    };
    let file = folder.path().join("long");
    assert_eq!(
        attempt(allowed(Some(0)), "write-mib", text(&file)),
        "File too large"
    );
    assert_eq!(attempt(allowed(Some(1)), "write-mib", text(&file)), DONE);
}

#[test]
fn it_starts_only_programs_that_it_is_allowed() {
    if !has_linux(5, 13) {
        return;
    }
    let program = "/bin/sh";
    assert_eq!(attempt(nothing(), "run", program), NOT_PERMITTED);
    let processes = ProcessLimits {
        processes: Some(10),
        ..nothing()
    };
    assert_eq!(
        attempt(processes, "run", program),
        NOT_PERMITTED,
        "a process is no program"
    );
    let allowed = ProcessLimits {
        execute: vec![PathBuf::from(program)],
        ..nothing()
    };
    assert_eq!(attempt(allowed.clone(), "run", program), DONE);
    assert_eq!(
        attempt(allowed.clone(), "run", "/bin/ls"),
        DENIED,
        "another one"
    );
    for limits in [nothing(), allowed] {
        assert_eq!(
            attempt(limits.clone(), "run-memory", ""),
            NOT_PERMITTED,
            "what was never a file"
        );
        assert_eq!(
            attempt(limits, "run-opened", program),
            NOT_PERMITTED,
            "a program by its descriptor"
        );
    }
}

#[test]
fn it_changes_no_rights_owners_times_and_attributes_of_files() {
    let folder = Folder::new();
    let secret = folder.file("token", "canary");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let everything = ProcessLimits {
        read: vec![PathBuf::from("/")],
        write: vec![folder.path().to_owned()],
        ..nothing()
    };
    let read = ProcessLimits {
        read: vec![folder.path().to_owned()],
        ..nothing()
    };
    for what in [
        "file-rights",
        "file-rights-opened",
        "file-rights-at",
        "file-rights-at-2",
        "file-owner",
        "file-owner-opened",
        "file-times",
        "file-times-opened",
        "file-attribute",
        "file-attribute-opened",
        "file-attribute-gone",
        "file-attributes",
        "file-flags",
        "file-cut",
        "file-lease",
    ] {
        for limits in [&everything, &read] {
            assert_eq!(
                attempt(limits.clone(), what, text(&secret)),
                NOT_PERMITTED,
                "{what}"
            );
        }
    }
    assert_eq!(
        fs::metadata(&secret)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
    assert_eq!(fs::read_to_string(&secret).expect("it is there"), "canary");
}

#[test]
fn it_uses_the_network_only_if_allowed() {
    let allowed = ProcessLimits {
        network: true,
        ..nothing()
    };
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = listener
        .local_addr()
        .expect("it is bound")
        .port()
        .to_string();
    for what in ["tcp", "mptcp", "tcp-fast", "listen"] {
        assert_eq!(attempt(nothing(), what, &port), NOT_PERMITTED, "{what}");
    }
    for what in ["tcp", "listen"] {
        assert_eq!(attempt(allowed.clone(), what, &port), DONE, "{what}");
    }
    let other = UdpSocket::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = other.local_addr().expect("it is bound").port().to_string();
    assert_eq!(attempt(nothing(), "udp", &port), NOT_PERMITTED);
    assert_eq!(attempt(allowed, "udp", &port), DONE);
}

#[test]
#[cfg(target_os = "linux")]
fn it_reaches_no_process_that_it_has_not_started() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    let own = std::process::id().to_string();
    let name = format!("bot-runner-attacks-{own}");
    let _listener =
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).expect("a name"));
    let folder = Folder::new();
    let file = folder.path().join("socket");
    let _other = UnixListener::bind(&file).expect("a socket can have a file's name");
    let everything = ProcessLimits {
        network: true,
        write: vec![folder.path().to_owned()],
        ..nothing()
    };
    for (what, with) in [
        ("signal", own.as_str()),
        ("end-the-guard", ""),
        ("abstract", &name),
        ("file-socket", text(&file)),
    ] {
        for limits in [&nothing(), &everything] {
            assert_eq!(attempt(limits.clone(), what, with), NOT_PERMITTED, "{what}");
        }
    }
    let named = ProcessLimits {
        write: vec![file.clone()],
        ..nothing()
    };
    assert_eq!(
        attempt(named, "file-socket", text(&file)),
        DONE,
        "a socket that `write` names"
    );
    if has_linux(6, 12) {
        // Landlock distinguishes the policy's own processes from others.
        let processes = ProcessLimits {
            processes: Some(10),
            ..nothing()
        };
        for what in ["signal", "end-the-guard"] {
            assert_eq!(
                attempt(processes.clone(), what, &own),
                NOT_PERMITTED,
                "{what}"
            );
        }
    }
}

#[test]
fn it_looks_into_no_process_that_it_has_not_started() {
    if !has_linux(5, 13) {
        return;
    }
    let own = std::process::id().to_string();
    for process in [own.as_str(), "parent"] {
        for what in ["environment-of", "memory-of"] {
            assert_eq!(
                attempt(nothing(), what, process),
                DENIED,
                "{what} {process}"
            );
        }
        assert_eq!(
            attempt(nothing(), "trace", process),
            NOT_PERMITTED,
            "{process}"
        );
    }
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_changes_limits_priorities_and_processors_of_itself_alone() {
    let runner = std::process::id().to_string();
    for what in [
        "change-limit",
        "change-priority",
        "change-io-priority",
        "change-processors",
        "change-scheduler",
        "change-scheduler-param",
        "change-scheduler-attributes",
    ] {
        assert_eq!(attempt(nothing(), what, &runner), NOT_PERMITTED, "{what}");
        assert_eq!(attempt(nothing(), what, "0"), DONE, "{what}");
    }
    assert_eq!(
        attempt(nothing(), "change-group-priority", &runner),
        NOT_PERMITTED
    );
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_takes_no_name_of_a_socket_such_as_the_lock_of_a_token() {
    let name = format!("bot-runner-attack-{}", std::process::id());
    for network in [false, true] {
        assert_eq!(
            attempt(
                ProcessLimits {
                    network,
                    ..nothing()
                },
                "take-abstract",
                &name
            ),
            NOT_PERMITTED
        );
    }
    assert_eq!(
        attempt(nothing(), "io-uring", ""),
        NOT_PERMITTED,
        "by which calls pass every filter"
    );
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn with_the_network_it_takes_names_that_are_as_long_as_an_address_of_it_and_no_others() {
    let network = ProcessLimits {
        network: true,
        ..nothing()
    };
    let name = |length: usize| format!("{:x>length$}", std::process::id());
    for length in [9, 13, 25] {
        assert_eq!(
            attempt(network.clone(), "take-abstract-by-a-pair", &name(length)),
            DONE,
            "{length}"
        );
        assert_eq!(
            attempt(nothing(), "take-abstract-by-a-pair", &name(length)),
            NOT_PERMITTED,
            "{length}"
        );
    }
    // The last is as long as the name of a token's lock.
    for length in [8, 10, 14, 26, 81] {
        assert_eq!(
            attempt(network.clone(), "take-abstract-by-a-pair", &name(length)),
            NOT_PERMITTED,
            "{length}"
        );
    }
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_leaves_no_memory_messages_semaphores_queues_or_keys_in_the_kernel() {
    for what in [
        "outliving-memory",
        "outliving-messages",
        "outliving-semaphores",
        "outliving-queue",
        "outliving-key",
    ] {
        assert_eq!(attempt(nothing(), what, ""), NOT_PERMITTED, "{what}");
    }
    if cfg!(target_arch = "x86_64") {
        assert_eq!(
            attempt(nothing(), "outliving-memory-x32", ""),
            "Function not implemented"
        );
    }
}

#[test]
fn it_has_no_more_than_256_descriptors_open() {
    assert_eq!(attempt(nothing(), "descriptors", "240"), DONE);
    assert_eq!(attempt(nothing(), "descriptors", "260"), TOO_MANY_FILES);
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn no_thread_has_descriptors_of_its_own() {
    let everything = ProcessLimits {
        network: true,
        processes: Some(10),
        ..nothing()
    };
    for limits in [nothing(), everything] {
        for what in [
            "share-descriptors",
            "share-descriptors-closing",
            "share-descriptors-thread",
        ] {
            assert_eq!(attempt(limits.clone(), what, ""), NOT_PERMITTED, "{what}");
        }
    }
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_has_no_more_than_4_instances_of_epoll_at_a_time() {
    if !has_linux(5, 5) {
        return;
    }
    assert_eq!(attempt(nothing(), "epolls", "4"), DONE);
    assert_eq!(attempt(nothing(), "epolls", "5"), TOO_MANY_FILES);
    assert_eq!(attempt(nothing(), "epolls-at-once", "4"), DONE);
    assert_eq!(
        attempt(nothing(), "epolls-in-turn", "200"),
        DONE,
        "those that are closed do not count"
    );
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_makes_no_timer_that_keeps_a_signal_of_its_user() {
    assert_eq!(attempt(nothing(), "timer", ""), NOT_PERMITTED);
    assert_eq!(
        attempt(nothing(), "alarm", ""),
        DONE,
        "one of each sort that a process has anyway"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn it_queues_no_more_signals_than_all_policies_of_its_user_may() {
    assert_eq!(attempt(nothing(), "queue-signals", "100"), DONE);
    assert_eq!(attempt(nothing(), "queue-signals", "1100"), TOO_MANY);
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_makes_no_pipe_larger_than_the_system_does() {
    assert_eq!(attempt(nothing(), "enlarge-pipe", ""), NOT_PERMITTED);
}

#[test]
#[cfg(target_os = "linux")]
fn it_locks_no_more_than_8_mib_of_memory() {
    assert_eq!(attempt(nothing(), "lock-memory-mib", "4"), DONE);
    assert_eq!(
        attempt(nothing(), "lock-memory-mib", "16"),
        "Cannot allocate memory"
    );
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_sends_no_descriptor_that_is_then_open_in_no_process() {
    assert_eq!(attempt(nothing(), "pass-descriptor", ""), NOT_PERMITTED);
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_takes_no_other_thing_of_which_a_user_has_a_number() {
    for what in [
        "share-inotify",
        "share-fanotify",
        "share-aio",
        "share-perf",
        "share-namespace",
    ] {
        assert_eq!(attempt(nothing(), what, ""), NOT_PERMITTED, "{what}");
    }
    if has_linux(5, 13) {
        assert_eq!(attempt(nothing(), "share-terminal", ""), DENIED);
    }
}

#[test]
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn it_does_not_hide_from_the_guard_that_counts_its_threads() {
    let processes = ProcessLimits {
        processes: Some(10),
        ..nothing()
    };
    for limits in [nothing(), processes] {
        assert_eq!(attempt(limits, "hide-from-the-guard", ""), NOT_PERMITTED);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn it_gains_no_privileges_and_has_its_own_process_group() {
    for what in ["gain-privileges", "share-the-group"] {
        assert_eq!(attempt(nothing(), what, ""), NOT_PERMITTED, "{what}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn it_has_no_terminal_though_the_runner_has_one() {
    let folder = Folder::new();
    let limits =
        "[policy.limits]\nread = [\"/dev\"]\n[policy.params]\nwhat = \"open-the-terminal\"\n";
    let policy = format!(
        "[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}",
        PROBE.file
    );
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    let command = format!(
        "{PROGRAM} plugin test {} --config {}",
        text(&PROBE.file),
        text(&config)
    );
    let script = format!("exec 3</dev/tty && echo there is a terminal; {command}");
    let Ok(ran) = std::process::Command::new("script")
        .args(["-qec", &script, "/dev/null"])
        .output()
    else {
        eprintln!("SKIPPED: there is no `script` to have a terminal by");
        return;
    };
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        out.contains("there is a terminal") && out.contains("No such device or address"),
        "{out}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_limit_of_threads_and_processes_holds_for_root_too() {
    if !has_linux(5, 5) {
        return;
    }
    assert_eq!(attempt(nothing(), "threads", "200"), DONE);
    assert_eq!(attempt(nothing(), "threads", "300"), TOO_MANY);
    let threads = |threads| ProcessLimits {
        threads: Some(threads),
        ..nothing()
    };
    assert_eq!(attempt(threads(0), "threads", "1"), NOT_PERMITTED);
    assert_eq!(attempt(threads(3), "threads", "3"), DONE);
    assert_eq!(attempt(threads(3), "threads", "4"), TOO_MANY);
    assert_eq!(attempt(nothing(), "processes", "1"), NOT_PERMITTED);
    let processes = |processes| ProcessLimits {
        processes: Some(processes),
        ..nothing()
    };
    assert_eq!(
        attempt(processes(0), "threads", "1"),
        NOT_PERMITTED,
        "as many as processes, where nothing is said"
    );
    assert_eq!(attempt(processes(3), "processes", "3"), DONE);
    assert_eq!(attempt(processes(3), "processes", "4"), TOO_MANY);
    let programs = ProcessLimits {
        execute: vec![PathBuf::from("/bin/sh")],
        ..nothing()
    };
    assert_eq!(attempt(programs.clone(), "processes", "60"), DONE);
    assert_eq!(attempt(programs, "processes", "70"), TOO_MANY);
}

#[test]
#[cfg(target_os = "linux")]
fn that_there_are_too_many_threads_is_reported_with_the_key() {
    if !has_linux(5, 5) {
        return;
    }
    let folder = Folder::new();
    let limits =
        "[policy.limits]\nthreads = 2\n[policy.params]\nwhat = \"threads\"\nwith = \"3\"\n";
    let policy = format!(
        "[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}",
        PROBE.file
    );
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    let finished = crate::program::Runner::new(["check".into(), config])
        .env("BOT_RUNNER_LOG", "info")
        .run();
    let words = "no other thread starts: `threads` in [policy.limits] allows 2 at a time";
    assert!(finished.err.contains(words), "{}", finished.all());
}

/// Set when a test runs itself in its own PID namespace.
const NAMESPACE: &str = "NAMESPACE_OF_PROCESSES";

/// Runs this test in its own PID namespace; `false` in there, where the test continues. With the
/// namespace all its processes end.
#[cfg(target_os = "linux")]
fn in_a_namespace(test: &str) -> bool {
    if std::env::var_os(NAMESPACE).is_some() {
        return false;
    }
    if !has_linux(5, 5) {
        return true;
    }
    // The library is built before.
    LazyLock::force(&PROBE);
    let _storm = storm();
    let mut command = Command::new("unshare");
    if !rustix::process::geteuid().is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    let ran = command
        .args(["--pid", "--fork", "--kill-child", "--mount-proc"])
        .arg(std::env::current_exe().expect("it runs"))
        .args([
            "--exact",
            &format!("attacks::process::{test}"),
            "--nocapture",
        ])
        .env(NAMESPACE, "yes")
        .output();
    let said = |ran: &Output| String::from_utf8_lossy(&ran.stderr).into_owned();
    match ran {
        Ok(ran) if !said(&ran).starts_with("unshare:") => {
            let out = String::from_utf8_lossy(&ran.stdout);
            assert!(
                ran.status.success() && out.contains("1 passed"),
                "{out}{}",
                said(&ran)
            );
        }
        ran => eprintln!(
            "SKIPPED: there is no namespace of processes to be had: {:?}",
            ran.as_ref().map(said)
        ),
    }
    true
}

#[test]
#[cfg(target_os = "linux")]
fn a_thousand_processes_that_hop_from_one_to_the_next_end_with_the_policy() {
    const MANY: u32 = 1000;
    if in_a_namespace("a_thousand_processes_that_hop_from_one_to_the_next_end_with_the_policy") {
        return;
    }
    let limits = ProcessLimits {
        processes: Some(3 * MANY),
        ..nothing()
    };
    let mut policy = start(
        &section(limits.clone(), "", ""),
        &section(limits, "hop", &MANY.to_string()),
    );
    let decided = policy
        .decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE)
        .expect("it decides");
    assert_eq!(decided.reason, DONE);
    let newest = newest_process();
    let until = Instant::now() + PATIENCE;
    while newest_process() == newest {
        assert!(Instant::now() < until, "they hop");
    }
    drop(policy);
    all_end();
}

#[test]
#[cfg(target_os = "linux")]
fn processes_that_start_others_all_at_once_are_never_more_than_it_may_have() {
    const MANY: usize = 250;
    const MAX: usize = 300;
    if in_a_namespace("processes_that_start_others_all_at_once_are_never_more_than_it_may_have") {
        return;
    }
    let limits = ProcessLimits {
        processes: Some(MAX as u32),
        ..nothing()
    };
    let mut policy = start(
        &section(limits.clone(), "", ""),
        &section(limits, "swarm", &MANY.to_string()),
    );
    let decided = policy
        .decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE)
        .expect("it decides");
    assert_eq!(decided.reason, DONE);
    // All of them stay, so that there are never more than in the end. The guard and the policy's
    // own process are not counted.
    let mut counts = vec![0];
    let until = Instant::now() + PATIENCE;
    while !counts.ends_with(&[MAX + 2; 20]) && counts.len() < 100 {
        assert!(Instant::now() < until, "{counts:?}");
        std::thread::sleep(Duration::from_millis(50));
        counts.push(others());
    }
    let most = counts.into_iter().max();
    assert_eq!(most, Some(MAX + 2));
    drop(policy);
    all_end();
}

/// In a process that is not the test's own, the test plays a runner that is killed.
const RUNNER: &str = "PLAY_A_RUNNER_OF_PROCESSES";

#[test]
#[cfg(target_os = "linux")]
fn what_hides_in_other_groups_and_sessions_ends_with_the_policy_and_with_a_killed_runner() {
    let name =
        "what_hides_in_other_groups_and_sessions_ends_with_the_policy_and_with_a_killed_runner";
    let processes = ProcessLimits {
        processes: Some(10),
        ..nothing()
    };
    let hide = || {
        let mut policy = start(
            &section(processes.clone(), "", ""),
            &section(processes.clone(), "hide", ""),
        );
        let decided = policy
            .decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE)
            .expect("it decides");
        assert_eq!(decided.reason, DONE);
        policy
    };
    if std::env::var_os(RUNNER).is_some() {
        let _policy = hide();
        runs_for_ever();
    }
    if in_a_namespace(name) {
        return;
    }
    assert_eq!(
        attempt(processes.clone(), "join-the-guards-group", ""),
        NOT_PERMITTED
    );

    let policy = hide();
    assert_eq!(others(), 5, "the guard, the policy and those that hide");
    let group = Pid::from_raw(policy.id().expect("it is there") as i32).expect("a number");
    kill_process_group(group, Signal::KILL).expect("it is there");
    all_end();
    drop(policy);

    let mut runner = runner_of(name);
    assert_eq!(others(), 6);
    // The signal that the kernel sends to a group that has lost its runner, and others that could
    // end a process.
    let guard = child_of(runner.id());
    for signal in [
        Signal::HUP,
        Signal::INT,
        Signal::QUIT,
        Signal::USR1,
        Signal::ALARM,
        Signal::PIPE,
        Signal::XCPU,
    ] {
        kill_process_group(guard, signal).expect("it is there");
    }
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(others(), 6, "no signal ends the guard");
    runner.kill().expect("it can be killed");
    runner.wait().expect("it was started");
    all_end();
}

#[test]
#[cfg(target_os = "linux")]
fn a_policy_that_fills_the_pipe_of_its_log_ends_with_a_killed_runner() {
    let name = "a_policy_that_fills_the_pipe_of_its_log_ends_with_a_killed_runner";
    if std::env::var_os(RUNNER).is_some() {
        let one = ProcessLimits {
            processes: Some(1),
            ..nothing()
        };
        let mut policy = start(&section(one.clone(), "", ""), &section(one, "clog", ""));
        let decided = policy
            .decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE)
            .expect("it decides");
        assert_eq!(decided.reason, DONE);
        runs_for_ever();
    }
    if in_a_namespace(name) {
        return;
    }
    let mut runner = runner_of(name);
    let process = Pid::from_child(&runner);
    kill_process(process, Signal::STOP).expect("it runs");
    std::thread::sleep(Duration::from_secs(2));
    runner.kill().expect("it can be killed");
    runner.wait().expect("it was started");
    all_end();
}

/// What a process that plays a runner does after its policy has begun.
#[cfg(target_os = "linux")]
fn runs_for_ever() -> ! {
    eprintln!("it runs");
    loop {
        std::thread::park();
    }
}

/// A process in which the test plays a runner.
#[cfg(target_os = "linux")]
fn runner_of(test: &str) -> Child {
    let mut runner = Command::new(std::env::current_exe().expect("it runs"))
        .args([
            "--exact",
            &format!("attacks::process::{test}"),
            "--nocapture",
        ])
        .env(RUNNER, "yes")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let stderr = BufReader::new(runner.stderr.take().expect("it is piped"));
    assert!(
        stderr
            .lines()
            .map_while(Result::ok)
            .any(|line| line == "it runs")
    );
    runner
}

/// The one child of a process.
#[cfg(target_os = "linux")]
fn child_of(process: u32) -> Pid {
    let threads = fs::read_dir(format!("/proc/{process}/task"))
        .expect("it is there")
        .flatten();
    let children: String = threads
        .flat_map(|thread| fs::read_to_string(thread.path().join("children")))
        .collect();
    Pid::from_raw(children.trim().parse().expect("it is one")).expect("a number")
}

/// Waits until there is no process but this one.
#[cfg(target_os = "linux")]
fn all_end() {
    let until = Instant::now() + PATIENCE;
    while others() > 0 {
        assert!(Instant::now() < until, "{} are left", others());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The number of the process that started last in this namespace.
#[cfg(target_os = "linux")]
fn newest_process() -> Option<u32> {
    fs::read_to_string("/proc/loadavg")
        .ok()?
        .split_whitespace()
        .last()?
        .parse()
        .ok()
}

/// Number of other processes, without those that have ended.
fn others() -> usize {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let lives = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit_once(") ")
            .is_some_and(|(_, stat)| !stat.starts_with(['Z', 'X']))
    };
    processes
        .filter(|process| *process != std::process::id())
        .filter(lives)
        .count()
}

#[test]
#[cfg(target_os = "linux")]
fn check_reports_the_limits_that_this_system_cannot_enforce() {
    let folder = Folder::new();
    let launcher = folder.path().join("old-kernel");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks/old-kernel.c");
    let compiled = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&launcher)
        .arg(source)
        .status();
    assert!(compiled.expect("there is a C compiler").success());
    let policy = format!(
        "[policy]\nlibrary = {:?}\nisolation = \"process\"\n",
        PROBE.file
    );
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    for (lacks, words) in [
        (
            "landlock",
            &["this system cannot keep files from a policy's process"][..],
        ),
        (
            "seccomp",
            &[
                "cannot limit the system calls of a policy's process",
                "cannot count the threads and processes",
            ],
        ),
        ("nothing", &[]),
    ] {
        let args = [
            lacks.as_ref(),
            Path::new(PROGRAM),
            Path::new("check"),
            &config,
        ];
        let finished = crate::program::Runner::of(&launcher, args).run();
        finished.exited(0);
        for words in words {
            assert!(finished.err.contains(words), "{lacks}: {}", finished.all());
        }
        assert_eq!(
            finished.err.contains("this system cannot"),
            !words.is_empty(),
            "{lacks}: {}",
            finished.err
        );
    }
}

#[test]
fn policies_in_rust_c_and_python_play_in_processes_that_may_do_what_they_need() {
    let folder = Folder::new();
    let first = "import json, sys, threading\nthreading.Thread(target=lambda: None).start()\n\
                 for line in sys.stdin: print(json.dumps({'index': json.loads(line)['legal'][0]['index']}), flush=True)\n";
    folder.file("policy.py", first);
    let limits = "[policy.limits]\nexecute = [\"/usr/bin\", \"/usr/local/bin\"]\nread = [\".\"]\n";
    let programs = format!("{limits}[policy.params]\ncommand = \"python3 policy.py\"\n");
    let library = |file: &Path| format!("library = {file:?}\n");
    let policies = [
        ("rust", library(&GREEDY_TENPAI), ""),
        ("c", library(&PROBE.file), ""),
        (
            "python",
            "library = \"builtin\"\nid = \"program\"\n".to_owned(),
            programs.as_str(),
        ),
    ];
    let configs = policies.map(|(name, library, rest)| {
        let text = format!("name = {name:?}\n[policy]\nisolation = \"process\"\n{library}{rest}");
        folder.file(&format!("{name}.toml"), text)
    });
    let args = [
        Path::new("play"),
        Path::new("--games=1"),
        Path::new("--seed=1"),
    ];
    let args = args.into_iter().chain(configs.iter().map(PathBuf::as_path));
    let finished = crate::program::Runner::new(args).run();
    let out = finished.exited(0);
    for name in ["rust", "c", "python"] {
        assert!(out.contains(name), "{out}");
    }
    for words in ["safe answer", "started again", "this system cannot"] {
        assert!(!finished.err.contains(words), "{words}: {}", finished.all());
    }
}

#[test]
fn it_reads_the_complete_folders_of_ld_library_path_and_a_config_with_a_secret_there_is_refused() {
    if !has_linux(5, 13) {
        return;
    }
    let (folder, other) = (Folder::new(), Folder::new());
    let linked = other.private("linked");
    fs::copy(&PROBE.file, folder.path().join("libprobe.so")).expect("it can be copied");
    fs::write(linked.join("weights"), "weights").expect("it can be written");
    let token = linked.join("token");
    fs::write(&token, "canary-123").expect("it can be written");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let policy = "[policy]\nlibrary = \"./libprobe.so\"\nisolation = \"process\"\n";
    let reads = format!("{policy}[policy.params]\nwhat = \"read-linked\"\nwith = \"weights\"\n");
    folder.file("kuma.toml", format!("name = \"kuma\"\n{reads}"));
    let section = format!(
        "[arena]\nkind = \"riichilab\"\nurl = \"ws://127.0.0.1:1\"\ntoken_file = {token:?}\n"
    );
    folder.file("neko.toml", format!("name = \"neko\"\n{section}{policy}"));
    let run = |args: &[&str], path: &str| {
        let runner = crate::program::Runner::new(args).in_folder(folder.path());
        runner.env("LD_LIBRARY_PATH", path).run()
    };
    let test = ["plugin", "test", "kuma.toml"];
    let out = run(&test, text(&linked)).all();
    assert!(out.contains(DONE) && !out.contains(DENIED), "{out}");
    // A relative path would lead elsewhere in another folder.
    let up = Path::new("..")
        .join(other.path().file_name().expect("a name"))
        .join("linked");
    let out = run(&test, text(&up)).all();
    assert!(out.contains(DENIED), "{out}");

    let check = ["check", "neko.toml"];
    let finished = run(&check, text(&linked));
    let words = format!("the policy's process may read {}", linked.display());
    assert!(finished.exited(1).contains(&words), "{}", finished.out);
    let finished = run(&check, "");
    assert!(!finished.out.contains("may read"), "{}", finished.out);
}

#[test]
fn a_config_whose_policy_could_read_a_token_is_refused() {
    let folder = Folder::new();
    let library = folder.path().join("libprobe.so");
    fs::copy(&PROBE.file, &library).expect("it can be copied");
    let other = Folder::new();
    let secrets = other.private("secrets");
    let tell = |token: &Path, limits: &str| {
        fs::write(token, "canary-123").expect("it can be written");
        fs::set_permissions(token, fs::Permissions::from_mode(0o600)).expect("it is ours");
        let arena = format!(
            "[arena]\nkind = \"riichilab\"\nurl = \"ws://127.0.0.1:1\"\ntoken_file = {token:?}\n"
        );
        let policy =
            format!("[policy]\nlibrary = \"./libprobe.so\"\nisolation = \"process\"\n{limits}");
        let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{arena}{policy}"));
        crate::program::Runner::new(["check".into(), config]).run()
    };
    for (token, limits) in [
        (folder.path().join("token"), String::new()),
        (
            secrets.join("token"),
            format!("[policy.limits]\nread = [{:?}]\n", other.path()),
        ),
        (
            secrets.join("token"),
            format!("[policy.params]\nwith = {:?}\n", secrets.join("token")),
        ),
    ] {
        let finished = tell(&token, &limits);
        let out = finished.exited(1);
        assert!(
            out.contains("the policy's process may read") && out.contains("`arena.token_file`"),
            "{out}"
        );
        assert!(!out.contains("canary-123"), "{out}");
    }
    let finished = tell(&secrets.join("token"), "");
    assert!(
        !finished.out.contains("may read"),
        "its own folder: {}",
        finished.out
    );
}

#[test]
fn nothing_of_a_library_runs_whose_policy_could_read_a_secret_file() {
    const RUNS: &str = "the library runs";
    let folder = Folder::new();
    fs::copy(
        probe(&["SAYS_AT_LOAD"]).file,
        folder.path().join("libprobe.so"),
    )
    .expect("it can be copied");
    for secret in ["password", "page.token"] {
        let file = folder.file(secret, "canary-0123456789-abcdef");
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    }
    let policy = "[policy]\nlibrary = \"./libprobe.so\"\nisolation = \"process\"\n";
    let results =
        "[results]\ndatabase = \"postgres://127.0.0.1:1/games\"\npassword_file = \"password\"\n";
    folder.file("neko.toml", format!("name = \"neko\"\n{results}{policy}"));
    folder.file("tora.toml", format!("name = \"tora\"\n{policy}"));
    folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n{}{policy}",
            arena("ws://127.0.0.1:1", "KUMA_TOKEN")
        ),
    );
    let run = |args: &[&str]| {
        let runner = crate::program::Runner::new(args).in_folder(folder.path());
        runner
            .env("BOT_RUNNER_LOG", "debug")
            .env("KUMA_TOKEN", "token-of-kuma")
            .run()
    };
    for args in [
        &["check", "neko.toml"][..],
        &["plugin", "test", "neko.toml"],
        &["plugin", "list", "neko.toml"],
    ] {
        let finished = run(args);
        finished.exited(1);
        let all = finished.all();
        assert!(
            all.contains("the policy's process may read")
                && all.contains("`results.password_file`"),
            "{all}"
        );
        assert!(!all.contains(RUNS), "{args:?}: {all}");
    }
    let page = ["--page", "127.0.0.1:0", "--page-token-file", "page.token"];
    for args in [
        &["play", "tora.toml", "--games=1"][..],
        &["play", "tora.toml", "--games=1", "--game=doudizhu"],
        &["tournament", "tora.toml", "kuma.toml", "--games=4"],
        &["run", "kuma.toml", "--games=1"],
    ] {
        let finished = run(&[args, &page].concat());
        finished.exited(1);
        let all = finished.all();
        assert!(
            all.contains("the policy's process may read") && all.contains("`--page-token-file`"),
            "{all}"
        );
        assert!(!all.contains(RUNS), "{args:?}: {all}");
    }
    // Without a secret it runs.
    assert!(run(&["check", "tora.toml"]).all().contains(RUNS));
}

#[test]
fn a_description_that_its_process_forges_is_checked_where_it_arrives() {
    let folder = Folder::new();
    fs::copy(probe(&["FORGES"]).file, folder.path().join("libprobe.so")).expect("it can be copied");
    folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"./libprobe.so\"\nisolation = \"process\"\n",
    );
    folder.file(
        "neko.toml",
        "name = \"neko\"\n[policy]\nid = \"greedy-tenpai\"\n",
    );
    let words = "policy probe: the version is 100000 bytes long; at most 4096 are allowed";
    for args in [
        &["check", "kuma.toml"][..],
        &["play", "kuma.toml", "--games=1"],
        &["tournament", "kuma.toml", "neko.toml", "--games=6"],
        &["plugin", "inspect", "./libprobe.so"],
    ] {
        let finished = crate::program::Runner::new(args)
            .in_folder(folder.path())
            .run();
        finished.exited(1);
        let all = finished.all();
        assert!(
            all.contains(words) && !all.contains("panicked") && !all.contains("xxx"),
            "{args:?}: {all}"
        );
    }
}

#[test]
fn it_takes_no_more_memory_than_memory_mib() {
    let limits = ProcessLimits {
        memory_mib: Some(512),
        ..nothing()
    };
    assert_eq!(
        attempt(limits.clone(), "allocate-mib", "1024"),
        "Cannot allocate memory"
    );
    assert_eq!(attempt(limits, "allocate-mib", "64"), DONE);
}

#[test]
fn a_policy_that_ends_for_want_of_memory_is_reported_with_its_limit() {
    let folder = Folder::new();
    let text = |limits: &str| {
        format!(
            "name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}[policy.params]\nwhat = \"abort\"\n",
            PROBE.file
        )
    };
    let check = |limits: &str| {
        crate::program::Runner::new(["check".into(), folder.file("kuma.toml", text(limits))])
            .run()
            .exited(1)
            .to_owned()
    };
    let out = check("[policy.limits]\nmemory_mib = 300\n");
    let words = "killed by signal 6 (abort), perhaps because it had no memory left: `memory_mib` in [policy.limits] allows 300 MiB";
    assert!(out.contains(words), "{out}");
    assert!(!check("").contains("memory"), "it has no limit");
}

#[test]
fn a_policy_that_could_write_records_or_results_is_refused() {
    let folder = Folder::new();
    for name in ["games", "spool", "data", "cache"] {
        folder.private(name);
    }
    let check = |write: &str| {
        let stored = "[records]\nfolder = \"games\"\n[results]\ndatabase = \"sqlite:data/results.db\"\nspool = \"spool\"\n";
        let text = format!(
            "name = \"kuma\"\n{stored}[policy]\nlibrary = {:?}\nisolation = \"process\"\n[policy.limits]\nwrite = [{write:?}]\n",
            PROBE.file
        );
        crate::program::Runner::new(["check".into(), folder.file("kuma.toml", text)]).run()
    };
    for (write, key) in [
        ("games", "records.folder"),
        ("data", "results.database"),
        ("spool", "results.spool"),
    ] {
        let finished = check(write);
        let out = finished.exited(1);
        assert!(
            out.contains("policy.limits.write: ") && out.contains(&format!("`{key}` names")),
            "{write}: {out}"
        );
    }
    folder.private("games/sub");
    assert!(
        check("games/sub")
            .exited(1)
            .contains("`records.folder` names")
    );
    check("cache").exited(0);
}

#[test]
fn a_policy_that_could_write_a_program_that_runs_without_confinement_is_refused() {
    let folder = Folder::new();
    folder.private("hook");
    folder.file("hook/alert.sh", "#!/bin/sh\n");
    folder.file("hook/policy.py", "");
    let check = |more: &str, others: &[PathBuf]| {
        let text = format!(
            "name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n[policy.limits]\nwrite = [\"hook\"]\n{more}",
            PROBE.file
        );
        let files = others
            .iter()
            .cloned()
            .chain([folder.file("kuma.toml", text)]);
        crate::program::Runner::new(["check".into()].into_iter().chain(files)).run()
    };
    check("", &[]).exited(0);
    for command in ["sh hook/alert.sh", "env python3 ./hook/policy.py"] {
        let finished = check(&format!("[alerts]\ncommand = {command:?}\n"), &[]);
        assert!(
            finished.exited(1).contains("`alerts.command` names"),
            "{}",
            finished.out
        );
    }
    let other = "name = \"neko\"\n[policy]\nid = \"program\"\n[policy.params]\ncommand = \"python3 hook/policy.py\"\n";
    let finished = check("", &[folder.file("neko.toml", other)]);
    assert!(
        finished.exited(1).contains("`policy.params.command` names"),
        "{}",
        finished.out
    );
}

#[test]
fn a_path_of_the_limits_that_is_not_there_is_reported_with_its_key() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let limits = "[policy.limits]\nwrite = [\"missing\"]\n";
    let config = format!(
        "name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}",
        PROBE.file
    );
    let finished =
        crate::program::Runner::new(["check".into(), folder.file("kuma.toml", config)]).run();
    let out = finished.exited(1);
    assert!(
        out.contains("policy.limits.write: ") && out.contains("missing: No such file"),
        "{out}"
    );
}

#[test]
fn limits_without_a_process_are_refused_and_wrong_ones_are_reported() {
    let folder = Folder::new();
    let config = |isolation: &str, limits: &str| {
        let policy = "library = \"builtin\"\nid = \"greedy-tenpai\"";
        let text = format!(
            "name = \"kuma\"\n[policy]\n{policy}\nisolation = {isolation:?}\n[policy.limits]\n{limits}\n"
        );
        let finished =
            crate::program::Runner::new(["check".into(), folder.file("kuma.toml", text)]).run();
        finished.exited(1).to_owned()
    };
    let out = config("thread", "memory_mib = 100");
    assert!(
        out.contains("policy.limits: limits hold for a process only; add isolation = \"process\""),
        "{out}"
    );
    let out = config(
        "process",
        "memory_mib = 0\nread = \"weights\"\nnetwork = 1\nmemory = 5",
    );
    for words in [
        "policy.limits.memory_mib: found 0, allowed are whole MiB from 1",
        "policy.limits.read: found \"weights\", allowed is a list of texts",
        "policy.limits.network: found 1, allowed are true and false",
        "policy.limits.memory: unknown key; allowed are",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

#[test]
fn bots_beside_one_whose_process_goes_wrong_play_as_ever() {
    let library = misbehave_raw(&[]);
    let faults = [
        "fork-answers",
        "daemon-exit",
        "outlive",
        "write-everywhere",
        "close-everything",
        "daemon-hang",
        "fork",
    ];
    for fault in &faults[..many(4, faults.len())] {
        let params = format!("params = {{ fault = {fault:?}, at = 5 }}");
        let policy = format!(
            "[policy]\nlibrary = {:?}\nisolation = \"process\"\nthink_ms = 1000\n{params}\n",
            library.file
        );
        neighbour_plays_as_ever_beside(fault, &policy, |_, _| {});
    }
}
