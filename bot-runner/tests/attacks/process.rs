//! What a policy in a process of its own is kept from: a test for each line of the table in docs/writing-a-policy.md.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::Duration;

use policy_host::child::{ChildPolicy, ChildSpec, describe};
use policy_host::{
    ChildLibrary, Confinement, GameKind, Isolation, Launch, LibraryChoice, PolicyConfig, ProcessLimits, StartOptions,
    check_params,
};

use super::beside::neighbour_plays_as_ever_beside;
use super::{PROBE, has_linux, many};
use crate::common::libraries::{PROGRAM, misbehave_raw};
use crate::common::questions::asked;
use crate::configs::Folder;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How the system says that something is forbidden: by Landlock's rules for files and the network, and by those for processes.
const DENIED: &str = "Permission denied";
const NOT_PERMITTED: &str = "Operation not permitted";
const DONE: &str = "done";

fn launch() -> Launch {
    Launch { program: PathBuf::from(PROGRAM), token_variables: Default::default() }
}

/// The section of a policy that may do this and is told so much.
fn section(limits: ProcessLimits, what: &str, with: &str) -> PolicyConfig {
    let params =
        toml::Table::from_iter([("what", what), ("with", with)].map(|(key, text)| (key.to_owned(), text.into())));
    let library = LibraryChoice::Path(PROBE.file.clone());
    PolicyConfig { isolation: Isolation::Process, limits, params, ..PolicyConfig::of(library, None) }
}

/// What comes of an attempt in the process of this section, whose policy is told to make it.
fn attempt_by(confined_by: &PolicyConfig, told: &PolicyConfig) -> String {
    let library = ChildLibrary::File { copy: PROBE.file.clone(), file: PROBE.file.clone() };
    let description = describe(&launch(), &library, PATIENCE).expect("it is described");
    let policy = &description.policies[0];
    let spec = ChildSpec {
        policy: policy.id.clone(),
        params: check_params(told, policy, Path::new("")).expect("it takes them"),
        confinement: Confinement::of(confined_by, &library, Path::new("")),
        options: StartOptions {
            bot: "kuma".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
            launch: launch(),
        },
        library,
    };
    let mut policy = ChildPolicy::start(&spec, PATIENCE).expect("it starts");
    policy.decide(&asked(None, 0, Duration::from_secs(10)), PATIENCE).expect("it decides").reason
}

/// What comes of an attempt of a policy that may do this, and that no parameter allows anything.
fn attempt(limits: ProcessLimits, what: &str, with: &str) -> String {
    attempt_by(&section(limits.clone(), "", ""), &section(limits, what, with))
}

fn nothing() -> ProcessLimits {
    ProcessLimits::default()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn it_reads_the_systems_files_its_librarys_folder_and_what_is_allowed_and_nothing_else() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let secret = folder.file("token", "canary");
    let beside = PROBE.file.with_file_name("weights");
    fs::write(&beside, "weights").expect("it can be written");
    assert_eq!(attempt(nothing(), "read", text(&secret)), DENIED);
    for readable in [text(&beside), "/proc/self/status", "/bin/sh", "/dev/urandom"] {
        assert_eq!(attempt(nothing(), "read", readable), DONE, "{readable}");
    }
    let allowed = ProcessLimits { read: vec![folder.path().to_owned()], ..nothing() };
    assert_eq!(attempt(allowed, "read", text(&secret)), DONE);
    let named = section(nothing(), "read", text(&secret));
    assert_eq!(attempt_by(&named, &named), DONE, "a parameter names it");
}

#[test]
fn it_writes_only_where_it_is_allowed() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let file = folder.path().join("new");
    assert_eq!(attempt(nothing(), "write", text(&file)), DENIED);
    let beside = PROBE.file.with_file_name("written");
    assert_eq!(attempt(nothing(), "write", text(&beside)), DENIED, "its library's folder is only read");
    assert!(!file.exists() && !beside.exists());
    let allowed = ProcessLimits { write: vec![folder.path().to_owned()], ..nothing() };
    assert_eq!(attempt(allowed, "write", text(&file)), DONE);
    assert_eq!(attempt(nothing(), "write", "/dev/null"), DONE);
}

#[test]
fn a_file_grows_no_longer_than_file_mib() {
    let folder = Folder::new();
    let allowed = |file_mib| ProcessLimits { write: vec![folder.path().to_owned()], file_mib, ..nothing() };
    let file = folder.path().join("long");
    assert_eq!(attempt(allowed(Some(0)), "write-mib", text(&file)), "File too large");
    assert_eq!(attempt(allowed(Some(1)), "write-mib", text(&file)), DONE);
}

#[test]
fn it_starts_only_programs_that_it_is_allowed() {
    if !has_linux(5, 13) {
        return;
    }
    let program = "/bin/sh";
    assert_eq!(attempt(nothing(), "run", program), DENIED);
    let allowed = ProcessLimits { execute: vec![PathBuf::from(program)], ..nothing() };
    assert_eq!(attempt(allowed.clone(), "run", program), DONE);
    assert_eq!(attempt(allowed, "run", "/bin/ls"), DENIED, "another one");
}

#[test]
fn it_uses_tcp_only_where_the_network_is_allowed() {
    if !has_linux(6, 7) {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = listener.local_addr().expect("it is bound").port().to_string();
    assert_eq!(attempt(nothing(), "tcp", &port), DENIED);
    assert_eq!(attempt(ProcessLimits { network: true, ..nothing() }, "tcp", &port), DONE);
    let other = UdpSocket::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = other.local_addr().expect("it is bound").port().to_string();
    assert_eq!(attempt(ProcessLimits { network: true, ..nothing() }, "udp", &port), DONE);
}

#[test]
#[cfg(target_os = "linux")]
fn it_reaches_no_process_that_it_has_not_started() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    if !has_linux(6, 12) {
        return;
    }
    let own = std::process::id().to_string();
    let name = format!("bot-runner-attacks-{own}");
    let _listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).expect("a name"));
    for (what, with) in [("signal", own.as_str()), ("abstract", &name)] {
        assert_eq!(attempt(nothing(), what, with), NOT_PERMITTED, "{what}");
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
            assert_eq!(attempt(nothing(), what, process), DENIED, "{what} {process}");
        }
        assert_eq!(attempt(nothing(), "trace", process), NOT_PERMITTED, "{process}");
    }
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
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
    assert_eq!(attempt(nothing(), "change-group-priority", &runner), NOT_PERMITTED);
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn it_takes_no_name_of_a_socket_such_as_the_lock_of_a_token() {
    let name = format!("bot-runner-attack-{}", std::process::id());
    assert_eq!(attempt(nothing(), "take-abstract", &name), NOT_PERMITTED);
    assert_eq!(attempt(ProcessLimits { network: true, ..nothing() }, "take-abstract", &name), DONE);
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn it_leaves_no_memory_messages_semaphores_or_queues_in_the_kernel() {
    for what in ["outliving-memory", "outliving-messages", "outliving-semaphores", "outliving-queue"] {
        assert_eq!(attempt(nothing(), what, ""), NOT_PERMITTED, "{what}");
    }
    if cfg!(target_arch = "x86_64") {
        assert_eq!(attempt(nothing(), "outliving-memory-x32", ""), NOT_PERMITTED);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn it_gains_no_privileges_and_has_a_process_group_of_its_own() {
    for what in ["gain-privileges", "share-the-group"] {
        assert_eq!(attempt(nothing(), what, ""), NOT_PERMITTED, "{what}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn it_has_no_terminal_though_the_runner_has_one() {
    let folder = Folder::new();
    let limits = "[policy.limits]\nread = [\"/dev\"]\n[policy.params]\nwhat = \"open-the-terminal\"\n";
    let policy = format!("[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}", PROBE.file);
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    let command = format!("{PROGRAM} plugin test {} --config {}", text(&PROBE.file), text(&config));
    let script = format!("exec 3</dev/tty && echo there is a terminal; {command}");
    let Ok(ran) = std::process::Command::new("script").args(["-qec", &script, "/dev/null"]).output() else {
        eprintln!("SKIPPED: there is no `script` to have a terminal by");
        return;
    };
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(out.contains("there is a terminal") && out.contains("No such device or address"), "{out}");
}

#[test]
fn it_takes_no_more_memory_than_memory_mib() {
    let limits = ProcessLimits { memory_mib: Some(512), ..nothing() };
    assert_eq!(attempt(limits.clone(), "allocate-mib", "1024"), "Cannot allocate memory");
    assert_eq!(attempt(limits, "allocate-mib", "64"), DONE);
}

#[test]
fn a_path_of_the_limits_that_is_not_there_is_told_with_its_key() {
    if !has_linux(5, 13) {
        return;
    }
    let folder = Folder::new();
    let limits = "[policy.limits]\nwrite = [\"missing\"]\n";
    let config = format!("name = \"kuma\"\n[policy]\nlibrary = {:?}\nisolation = \"process\"\n{limits}", PROBE.file);
    let finished = crate::program::Runner::new(["check".into(), folder.file("kuma.toml", config)]).run();
    let out = finished.exited(1);
    assert!(out.contains("policy.limits.write: ") && out.contains("missing: No such file"), "{out}");
}

#[test]
fn limits_without_a_process_are_refused_and_wrong_ones_are_told() {
    let folder = Folder::new();
    let config = |isolation: &str, limits: &str| {
        let policy = "library = \"builtin\"\nid = \"greedy-tenpai\"";
        let text =
            format!("name = \"kuma\"\n[policy]\n{policy}\nisolation = {isolation:?}\n[policy.limits]\n{limits}\n");
        let finished = crate::program::Runner::new(["check".into(), folder.file("kuma.toml", text)]).run();
        finished.exited(1).to_owned()
    };
    let out = config("thread", "memory_mib = 100");
    assert!(out.contains("policy.limits: limits hold for a process only; add isolation = \"process\""), "{out}");
    let out = config("process", "memory_mib = 0\nread = \"weights\"\nnetwork = 1\nmemory = 5");
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
    let faults =
        ["fork-answers", "daemon-exit", "outlive", "write-everywhere", "close-everything", "daemon-hang", "fork"];
    for fault in &faults[..many(4, faults.len())] {
        let params = format!("params = {{ fault = {fault:?}, at = 5 }}");
        let policy =
            format!("[policy]\nlibrary = {:?}\nisolation = \"process\"\nthink_ms = 1000\n{params}\n", library.file);
        neighbour_plays_as_ever_beside(fault, &policy, |_, _| {});
    }
}
