//! The boundary alone: filling a view from the table and calling a policy that answers at once, on
//! one thread.
//!
//! `cargo bench -p bot-runner --bench boundary [-- CASE [BURSTS]]`. The own turn is the twelfth of
//! a round of a record. Each case runs in bursts of 2,000 calls, and the best burst counts, since a
//! busy machine leaves only short ones alone. With a case and few bursts `valgrind
//! --tool=callgrind` counts its instructions.
//!
//! A log that continues is the usual case: the view's buffer holds all of the round except the
//! latest events. The first view of a round, and one of a rebuilt table, copies the whole log.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(unsafe_code, reason = "a policy's functions are called as a host does")]

mod at_once;

use std::hint::black_box;
use std::path::PathBuf;
use std::ptr;
use std::time::Instant;

use lab::record::Record;
use policy_host::{Asked, PointedView, RoundLog, ViewBuffer};
use policy_sdk::abi::create::CreateArgs;
use policy_sdk::abi::decision::{Decision, INDEX_NONE};
use policy_sdk::abi::descriptor::{DecideFn, Instance};
use policy_sdk::abi::layout::struct_size;
use policy_sdk::abi::params::{ParamValue, ParamValueArray};
use policy_sdk::abi::status::{STATUS_OK, Status};
use policy_sdk::abi::text::{Text, TextBuffer};
use policy_sdk::abi::view::View as RawView;
use riichi::action::LegalActions;
use riichi::table::Phase;
use riichi::{Rules, Seat, Table};

use at_once::AtOnce;

const CALLS: u32 = 2_000;
const BURSTS: usize = 2_000;

/// A policy without the SDK that takes the first action.
unsafe extern "C" fn raw_decide(
    _: *mut Instance,
    _: *const RawView,
    decision: *mut Decision,
    _: *mut TextBuffer,
) -> Status {
    // SAFETY: the host's decision, for the call.
    unsafe { (*decision).index = 0 };
    STATUS_OK
}

/// A policy's decide function with the instance it is for.
#[derive(Clone, Copy)]
struct BenchPolicy {
    decide: DecideFn,
    instance: *mut Instance,
}

impl BenchPolicy {
    fn raw() -> Self {
        Self {
            decide: raw_decide,
            instance: ptr::null_mut(),
        }
    }

    /// The instance is left behind: the process ends soon.
    fn sdk() -> Self {
        let policy = policy_sdk::policy::<AtOnce>();
        let args = CreateArgs {
            struct_size: struct_size::<CreateArgs>(),
            players: 4,
            host: ptr::null(),
            params: ParamValueArray {
                items: ptr::null(),
                len: 0,
                stride: struct_size::<ParamValue>(),
            },
            library_folder: Text::EMPTY,
            config_folder: Text::EMPTY,
            budget_us: 0,
        };
        let mut instance = ptr::null_mut();
        let create = policy.create.expect("the SDK fills the table");
        // SAFETY: all pointers live for the call.
        let status = unsafe { create(&raw const args, &raw mut instance, ptr::null_mut()) };
        assert_eq!(status, STATUS_OK);
        Self {
            decide: policy.decide.expect("the SDK fills the table"),
            instance,
        }
    }

    fn decide(self, view: PointedView<'_>, reason: &mut [u8; 256], values: &mut [f32; 64]) {
        let mut decision = Decision {
            struct_size: struct_size::<Decision>(),
            index: INDEX_NONE,
            question: 0,
            values: values.as_mut_ptr(),
            values_capacity: 64,
            values_len: 0,
            reason: TextBuffer::new(reason),
        };
        // SAFETY: the view and the decision live for the call, and the instance is alive on this
        // thread.
        let status = unsafe {
            (self.decide)(
                self.instance,
                view.as_ptr(),
                &raw mut decision,
                ptr::null_mut(),
            )
        };
        assert!(status == STATUS_OK && black_box(decision.index) == 0);
    }
}

/// A decision on the own turn with its round so far: the twelfth turn of the first round that lasts
/// that long.
fn own_turn() -> (Table, RoundLog, LegalActions) {
    let folder = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../games/riichi/tests/records"
    ));
    let file = folder.join("riichienv-majiang-00003.jsonl.gz");
    let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
    let mut log = RoundLog::default();
    for event in Record::open(&file).expect("the record opens") {
        let (_, event) = event.expect("the record is sound");
        table
            .apply(&event.masked_for(Seat::FIRST))
            .expect("the record has no contradiction");
        log.push(&event, &table);
        let own_turn = matches!(table.phase(), Phase::Turn(Seat::FIRST));
        if own_turn && table.player(Seat::FIRST).river.len() == 11 {
            let legal = table.legal_actions();
            return (table, log, legal);
        }
    }
    panic!("a round of the record lasts for twelve turns");
}

/// The case that is wanted, if only one is, and how many bursts of each.
struct BenchPlan {
    case: Option<String>,
    bursts: usize,
}

impl BenchPlan {
    fn from_args() -> Self {
        // Arguments from cargo itself begin with a dash.
        let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
        let case = args.next();
        Self {
            case,
            bursts: args
                .next()
                .map_or(BURSTS, |bursts| bursts.parse().expect("a number of bursts")),
        }
    }

    fn measure(&self, case: &str, mut call: impl FnMut()) {
        if self.case.as_ref().is_some_and(|wanted| wanted != case) {
            return;
        }
        let mut burst = || {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            start.elapsed() / CALLS
        };
        let best = (0..self.bursts).map(|_| burst()).min().unwrap_or_default();
        println!("{case}: {best:?}");
    }
}

fn main() {
    let plan = BenchPlan::from_args();
    let (table, log, legal) = own_turn();
    let (_, same_again, _) = own_turn();
    let (asked, mut view) = (Asked::default(), ViewBuffer::default());
    let (mut reason, mut values) = ([0; 256], [0.0; 64]);
    view.fill(&table, &log, &legal, &asked);
    println!("{} legal actions", view.actions());

    plan.measure("fill", || {
        view.fill(black_box(&table), &log, &legal, &asked)
    });
    for (name, seated) in [("raw", BenchPolicy::raw()), ("sdk", BenchPolicy::sdk())] {
        plan.measure(&format!("{name}-decide"), || {
            view.with_view(|view| seated.decide(black_box(view), &mut reason, &mut values));
        });
        plan.measure(&format!("fill-and-{name}-decide"), || {
            view.fill(black_box(&table), &log, &legal, &asked);
            view.with_view(|view| seated.decide(black_box(view), &mut reason, &mut values));
        });
        let mut logs = [&log, &same_again].into_iter().cycle();
        plan.measure(&format!("fill-all-and-{name}-decide"), || {
            view.fill(
                black_box(&table),
                logs.next().expect("it goes round"),
                &legal,
                &asked,
            );
            view.with_view(|view| seated.decide(black_box(view), &mut reason, &mut values));
        });
    }
}
