//! A small host: it runs a policy through its table, the same way a real host does.
#![allow(unsafe_code, reason = "a host calls C functions")]

use std::ptr;

use policy_abi::create::CreateArgs;
use policy_abi::decision::{Decision, INDEX_NONE};
use policy_abi::descriptor::{Instance, PolicyDescriptor};
use policy_abi::entry::Entry;
use policy_abi::layout::{self, struct_size};
use policy_abi::params::{ParamValue, ParamValueArray, Value};
use policy_abi::status::{STATUS_OK, Status};
use policy_abi::text::{Text, TextBuffer};
use riichi::Action;

use super::situation::Scene;

/// A parameter as in a config: its name and value.
pub type Setting<'a> = (&'a str, Value);

/// A call that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The status of the call.
    pub status: Status,
    /// The error text.
    pub text: String,
}

/// The answer of a policy.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The chosen action.
    pub action: Action,
    /// A value for each legal action; empty if the policy gave none.
    pub values: Vec<f32>,
    /// The reason.
    pub reason: String,
}

/// An instance of a policy.
///
/// ```
/// use policy_sdk::mahjong::Action;
/// use policy_sdk::testing::{Situation, TestInstance, tile};
/// # use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, RiichiMahjong, View, abi};
/// # struct First;
/// # impl Policy for First {
/// #     type Game = RiichiMahjong;
/// #     const DESCRIPTOR: Descriptor =
/// #         Descriptor { id: "first", name: "First", version: "1", summary: "First.", games: Games::Both, params: &[] };
/// #     fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
/// #         Ok(Self)
/// #     }
/// #     fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
/// #         Ok(0)
/// #     }
/// # }
/// # static ENTRY: abi::Entry = policy_sdk::entry("first 1", &[policy_sdk::policy::<First>()]);
///
/// // ENTRY is the library's export.
/// let mut first = TestInstance::create(&ENTRY, "first", &[]).expect("it starts");
/// let answered = first.decide(&Situation::drew("19m 19p 19s 1234567z", "5m").build()).expect("it decides");
/// assert_eq!(answered.action, Action::Dahai { tile: tile("1m"), tsumogiri: false });
/// ```
#[derive(Debug)]
pub struct TestInstance {
    policy: PolicyDescriptor,
    instance: *mut Instance,
}

impl TestInstance {
    /// Creates an instance of the policy `id` of a library's entry.
    ///
    /// # Errors
    ///
    /// If the policy refuses.
    ///
    /// # Panics
    ///
    /// If the entry has no such policy.
    pub fn create(
        entry: &'static Entry,
        id: &str,
        settings: &[Setting<'_>],
    ) -> Result<Self, Refused> {
        let policies = (0..entry.policies.len)
            // SAFETY: a static entry of this program keeps its promises.
            .map(|index| unsafe {
                layout::read_element(entry.policies.items, entry.policies.stride, index)
            });
        // SAFETY: as above.
        let mut policies = policies.filter(|policy| unsafe { policy.id.read() } == Ok(id));
        let policy = policies
            .next()
            .unwrap_or_else(|| panic!("no policy `{id}`"));
        let values: Vec<_> = settings
            .iter()
            .map(|&(name, value)| ParamValue {
                name: Text::new(name),
                value,
            })
            .collect();
        let args = CreateArgs {
            struct_size: struct_size::<CreateArgs>(),
            players: 4,
            host: ptr::null(),
            params: ParamValueArray {
                items: values.as_ptr(),
                len: values.len() as u32,
                stride: struct_size::<ParamValue>(),
            },
            library_folder: Text::EMPTY,
            config_folder: Text::EMPTY,
            budget_us: 0,
        };
        let create = policy.create.expect("a policy can be created");
        let mut instance = ptr::null_mut();
        // SAFETY: all pointers live for the call; the other calls come from this thread, since
        // `TestInstance` stays on it.
        refused(|error| unsafe { create(&raw const args, &raw mut instance, error) })?;
        assert!(!instance.is_null(), "an instance was promised");
        Ok(Self { policy, instance })
    }

    /// Asks the policy for a decision.
    ///
    /// # Errors
    ///
    /// If it returns an error.
    ///
    /// # Panics
    ///
    /// If the index is not one of a legal action, or a text is not UTF-8.
    pub fn decide(&mut self, scene: &Scene) -> Result<Answered, Refused> {
        let view = scene.coded();
        let mut values = [0.0; 64];
        let mut reason = [0; 256];
        let mut decision = Decision {
            struct_size: struct_size::<Decision>(),
            index: INDEX_NONE,
            question: 0,
            values: values.as_mut_ptr(),
            values_capacity: 64,
            values_len: 0,
            reason: TextBuffer::new(&mut reason),
        };
        let decide = self.policy.decide.expect("a policy can decide");
        // SAFETY: all pointers live for the call, and the instance is alive on its thread.
        refused(|error| unsafe {
            decide(self.instance, &raw const view, &raw mut decision, error)
        })?;
        let action = scene
            .view(|view| view.legal()[decision.index as usize])
            .expect("the policy took it");
        // SAFETY: the buffer is `reason`.
        let text = unsafe { decision.reason.read() }.expect("UTF-8").to_owned();
        Ok(Answered {
            action,
            values: values[..decision.values_len as usize].to_vec(),
            reason: text,
        })
    }

    /// Ends the instance.
    ///
    /// # Errors
    ///
    /// If the policy panicked.
    pub fn destroy(mut self) -> Result<(), Refused> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Refused> {
        let instance = std::mem::replace(&mut self.instance, ptr::null_mut());
        if instance.is_null() {
            return Ok(());
        }
        let destroy = self.policy.destroy.expect("a policy can be destroyed");
        // SAFETY: the instance is alive on its thread, and forgotten here.
        refused(|error| unsafe { destroy(instance, error) })
    }
}

impl Drop for TestInstance {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Makes a call with a buffer for the error text.
fn refused(call: impl FnOnce(*mut TextBuffer) -> Status) -> Result<(), Refused> {
    let mut room = [0; 256];
    let mut error = TextBuffer::new(&mut room);
    let status = call(&raw mut error);
    if status == STATUS_OK {
        return Ok(());
    }
    // SAFETY: the buffer is `room`.
    let text = unsafe { error.read() }.expect("UTF-8").to_owned();
    Err(Refused { status, text })
}
