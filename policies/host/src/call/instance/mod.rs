//! A policy at work. Made, asked and ended on one thread.

use std::path::Path;
use std::ptr;
use std::str::Utf8Error;
use std::sync::Arc;

use policy_abi::create::CreateArgs;
use policy_abi::decision::{Decision, INDEX_NONE};
use policy_abi::descriptor::Instance as RawInstance;
use policy_abi::host::Host;
use policy_abi::identity::{IDENTITY, Identity};
use policy_abi::layout::{read_sized, struct_size};
use policy_abi::params::{ParamValue, ParamValueArray};
use policy_abi::status::{STATUS_OK, STATUS_PANICKED, STATUS_POISONED, STATUS_UNAVAILABLE, Status};
use policy_abi::text::{Text, TextBuffer};

use crate::fault::{Decided, Fault, PolicyStartError};
use crate::find::announced::AnnouncedIdentity;
use crate::find::describe::{Functions, PolicyInfo};
use crate::find::library::Library;
use crate::find::origin::Origin;
use crate::find::params::ParamValues;
use crate::games::GameKind;
use crate::limits::START_TIMEOUT;
use crate::view::PointedView;
use foreign_text::escaped;

/// Room for a fault's text, bytes.
pub(crate) const ERROR_ROOM: usize = 1024;
/// Room for a decision's reason, bytes.
pub(crate) const REASON_ROOM: usize = 256;

/// A policy at work. Not to be sent to another thread.
pub(crate) struct PolicyInstance {
    raw: *mut RawInstance,
    functions: Functions,
    game: GameKind,
    error: Box<[u8; ERROR_ROOM]>,
    reason: Box<[u8; REASON_ROOM]>,
    /// A place for each action there can be in its game.
    values: Box<[f32]>,
    /// The host's functions, which the instance may use until it has been destroyed.
    _host: Box<Host>,
    /// The code must outlive the instance.
    _library: Arc<Library>,
}

impl PolicyInstance {
    /// Makes an instance on this thread.
    pub(crate) fn create(
        library: &Arc<Library>,
        index: usize,
        params: &ParamValues,
        host: Host,
        players: u8,
        config_folder: &Path,
    ) -> Result<Self, PolicyStartError> {
        let host = Box::new(host);
        let Some(functions) = library.functions(index) else {
            return Err(PolicyStartError(
                "its library is left to child processes".to_owned(),
            ));
        };
        let Some(game) = library
            .description
            .policies
            .get(index)
            .and_then(PolicyInfo::game)
        else {
            return Err(PolicyStartError(
                "it plays a game that this runner does not know".to_owned(),
            ));
        };
        let library_folder = match &library.origin {
            Origin::File(path) => path
                .parent()
                .map(|folder| folder.to_string_lossy().into_owned())
                .unwrap_or_default(),
            Origin::Builtin => String::new(),
        };
        let config_folder = config_folder.to_string_lossy();
        let params = params.to_abi();
        let args = CreateArgs {
            struct_size: struct_size::<CreateArgs>(),
            players: players.into(),
            host: &raw const *host,
            params: ParamValueArray {
                items: params.as_ptr(),
                len: params.len() as u32,
                stride: struct_size::<ParamValue>(),
            },
            library_folder: Text::new(&library_folder),
            config_folder: Text::new(&config_folder),
            budget_us: START_TIMEOUT.as_micros() as u64,
        };
        let mut error = Box::new([0_u8; ERROR_ROOM]);
        let mut written = TextBuffer::new(&mut error[..]);
        let mut raw = ptr::null_mut();
        // SAFETY: all pointers are valid for the call, and the host's for as long as the instance
        // lives.
        let status = unsafe { (functions.create)(&raw const args, &raw mut raw, &raw mut written) };
        if status != STATUS_OK {
            return Err(PolicyStartError(message(&error[..], written)));
        }
        if raw.is_null() {
            return Err(PolicyStartError(
                "it reported success but made nothing".to_owned(),
            ));
        }
        Ok(Self {
            raw,
            functions,
            error,
            reason: Box::new([0; REASON_ROOM]),
            values: vec![0.0; game.definition().layout.max_legal].into_boxed_slice(),
            game,
            _host: host,
            _library: Arc::clone(library),
        })
    }

    pub(crate) const fn game(&self) -> GameKind {
        self.game
    }

    /// The name and version of a program that decides for it.
    pub(crate) fn announced(&self) -> AnnouncedIdentity {
        let Some(get) = self.functions.get_extension else {
            return AnnouncedIdentity::default();
        };
        // SAFETY: the instance is alive, this is its thread, and the name lives for the call.
        let found = unsafe { get(self.raw, Text::new(IDENTITY)) }.cast::<Identity>();
        if found.is_null() {
            return AnnouncedIdentity::default();
        }
        // SAFETY: under this name the result begins with its size, and it lives as long as the
        // instance, with its texts.
        let texts = unsafe {
            let identity = read_sized(found);
            [identity.name.read(), identity.version.read()]
        };
        let [name, version] = texts.map(Result::unwrap_or_default);
        AnnouncedIdentity::new(name, version)
    }

    /// Asks for a decision by a view of its game.
    pub(crate) fn decide(&mut self, view: PointedView<'_>) -> Result<Decided, Fault> {
        let mut decision = Decision {
            struct_size: struct_size::<Decision>(),
            index: INDEX_NONE,
            question: 0,
            values: self.values.as_mut_ptr(),
            values_capacity: self.values.len() as u32,
            values_len: 0,
            reason: TextBuffer::new(&mut self.reason[..]),
        };
        let mut written = TextBuffer::new(&mut self.error[..]);
        // SAFETY: the instance is alive and this is its thread; the other pointers are valid for
        // the call.
        let status = unsafe {
            (self.functions.decide)(self.raw, view.as_ptr(), &raw mut decision, &raw mut written)
        };
        if status != STATUS_OK {
            return Err(fault(status, message(&self.error[..], written)));
        }
        if decision.question != view.question() {
            return Err(Fault::OtherQuestion {
                answered: decision.question,
                asked: view.question(),
            });
        }
        let of = view.actions();
        if decision.index >= of {
            return Err(Fault::OutOfRange {
                index: decision.index,
                of,
            });
        }
        let given = (decision.values_len as usize).min(self.values.len());
        let values = if given == of as usize {
            self.values[..given].to_vec()
        } else {
            Vec::new()
        };
        let reason = escaped(
            text_in(&self.reason[..], decision.reason)
                .unwrap_or_default()
                .as_bytes(),
        );
        Ok(Decided {
            index: decision.index as usize,
            values,
            reason,
        })
    }
}

impl Drop for PolicyInstance {
    fn drop(&mut self) {
        let mut written = TextBuffer::new(&mut self.error[..]);
        // SAFETY: the instance is alive, this is its thread, and it is not used again.
        let status = unsafe { (self.functions.destroy)(self.raw, &raw mut written) };
        if status != STATUS_OK {
            tracing::warn!(
                "a policy failed while ending: {}",
                message(&self.error[..], written)
            );
        }
    }
}

fn fault(status: Status, message: String) -> Fault {
    match status {
        STATUS_PANICKED | STATUS_POISONED => Fault::Panicked(message),
        STATUS_UNAVAILABLE => Fault::Unavailable(message),
        _ => Fault::Failed(message),
    }
}

/// A library's error message.
fn message(room: &[u8], written: TextBuffer) -> String {
    match text_in(room, written) {
        Ok("") => "no reason given".to_owned(),
        Ok(text) => escaped(text.as_bytes()),
        Err(_) => "its message is not UTF-8".to_owned(),
    }
}

/// The text in a buffer of ours that was lent to a library. Only the length that it left in the
/// struct is used, limited to the capacity.
fn text_in(room: &[u8], written: TextBuffer) -> Result<&str, Utf8Error> {
    std::str::from_utf8(&room[..room.len().min(written.len as usize)])
}

#[cfg(test)]
mod tests;
