//! How these tests start policies in processes.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use policy_host::child::{ChildPolicy, ChildSpec, describe};
use policy_host::{ChildError, ChildLibrary, GameKind, Launch};
use policy_host::{Decided, Fault, StartOptions, check_params};
use policy_host::{LibraryChoice, PolicyConfig};
use rustix::process::{Pid, test_kill_process};

use crate::common::libraries::{Compiled, MISBEHAVE, example, misbehave_raw};
use crate::common::questions::question;

/// Longer than anything here takes that is meant to end.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Processes of the example of this crate.
pub(crate) fn launch() -> Launch {
    Launch {
        program: example("policy_child"),
        token_variables: Default::default(),
    }
}

pub(crate) fn file(path: &Path) -> ChildLibrary {
    ChildLibrary::File {
        copy: path.to_owned(),
        file: path.to_owned(),
    }
}

/// The only policy of a library, with these parameters in TOML.
pub(crate) fn spec(library: ChildLibrary, params: &str) -> ChildSpec {
    let policy = &match &library {
        ChildLibrary::Builtin(_) => builtin::libraries()[0].description.policies[0].clone(),
        file => describe(&launch(), file, PATIENCE)
            .expect("it is described")
            .policies
            .remove(0),
    };
    let config = PolicyConfig {
        params: params.parse().expect("TOML"),
        ..PolicyConfig::of(LibraryChoice::Builtin, None)
    };
    ChildSpec {
        library,
        policy: policy.id.clone(),
        confinement: None,
        params: check_params(&config, policy, Path::new("")).expect("the policy takes them"),
        options: StartOptions {
            bot: "kuma".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
            launch: launch(),
        },
        together: false,
    }
}

/// The policy that goes wrong like this in each decision; see `policies/misbehave/src/lib.rs`.
pub(crate) fn misbehaving(fault: &str) -> ChildSpec {
    spec(file(&MISBEHAVE), &format!("fault = {fault:?}"))
}

/// A library in C and its policy, which goes wrong like this; see `policies/misbehave/misbehave.c`.
pub(crate) struct Raw {
    pub(crate) spec: ChildSpec,
    _library: Compiled,
}

pub(crate) fn raw(params: &str) -> Raw {
    let library = misbehave_raw(&[]);
    Raw {
        spec: spec(file(&library.file), params),
        _library: library,
    }
}

impl Raw {
    pub(crate) fn of(fault: &str) -> Self {
        raw(&format!("fault = {fault:?}"))
    }
}

pub(crate) fn start(spec: &ChildSpec) -> ChildPolicy {
    ChildPolicy::start(spec, PATIENCE).expect("it starts")
}

/// Why a policy does not start.
#[track_caller]
pub(crate) fn refusal(spec: &ChildSpec) -> ChildError {
    ChildPolicy::start(spec, PATIENCE).expect_err("it does not start")
}

/// The decision of a policy, once started.
pub(crate) fn decide(spec: &ChildSpec) -> Result<Decided, Fault> {
    start(spec).decide(&question(), PATIENCE)
}

/// Waits until there is no process of this number.
#[track_caller]
pub(crate) fn gone(id: u32) {
    let pid = Pid::from_raw(id.try_into().expect("a process id")).expect("it is not 0");
    let until = Instant::now() + PATIENCE;
    while test_kill_process(pid).is_ok() {
        assert!(Instant::now() < until, "process {id} lives on");
        std::thread::sleep(Duration::from_millis(1));
    }
}
