//! What a policy's process is told: its order, and then one question after the other.

use std::io::{self, Read};
use std::ops::Range;
use std::time::Duration;

use policy_abi::action::{LegalAction, LegalActionArray, MAX_LEGAL};
use policy_abi::layout::{Plain, read_element, read_prefix, struct_size};
use policy_abi::log::{LogEvent, LogEventArray, MAX_EVENTS};
use policy_abi::view::View;

use super::frame::{FrameReader, FrameWriter, Garbled};
use super::order::Order;
use crate::plugin::ViewBuffer;

const ORDER: u32 = 0x01;
const QUESTION: u32 = 0x02;

/// Longest order, bytes of JSON.
const LONGEST_ORDER: usize = 1 << 20;
/// What stands before the view: the time for the decision in nanoseconds, and how many actions and events follow.
const BEFORE_VIEW: usize = 16;

fn longest(tag: u32) -> Option<usize> {
    match tag {
        ORDER => Some(LONGEST_ORDER),
        QUESTION => Some(
            BEFORE_VIEW
                + size_of::<View>()
                + MAX_LEGAL as usize * size_of::<LegalAction>()
                + MAX_EVENTS as usize * size_of::<LogEvent>(),
        ),
        _ => None,
    }
}

/// The order as a frame.
pub(super) fn write_order<'a>(order: &Order, writer: &'a mut FrameWriter) -> serde_json::Result<&'a [u8]> {
    Ok(writer.begin(ORDER).bytes(&serde_json::to_vec(order)?).end())
}

/// A decision to be made within a time, as a frame.
pub(super) fn write_question<'a>(view: &ViewBuffer, within: Duration, writer: &'a mut FrameWriter) -> &'a [u8] {
    let (view, legal, events) = view.parts();
    writer.begin(QUESTION).bytes(&(within.as_nanos() as u64).to_le_bytes());
    writer.number(legal.len() as u32).number(events.len() as u32);
    writer.bytes(bytes_of(std::slice::from_ref(view))).bytes(bytes_of(legal)).bytes(bytes_of(events)).end()
}

fn bytes_of<T: Plain>(items: &[T]) -> &[u8] {
    // SAFETY: structs of the boundary have no padding, so all their bytes are initialised.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items)) }
}

/// The bytes of a process's own pipe, cut into what it is told.
#[derive(Debug)]
pub(super) struct Questions(FrameReader);

/// The place of a frame.
#[derive(Debug)]
pub(super) enum Told {
    Order(Range<usize>),
    Question(Range<usize>),
}

impl Questions {
    pub(super) const fn new() -> Self {
        Self(FrameReader::new(longest))
    }

    pub(super) fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        self.0.fill(from)
    }

    pub(super) fn next_told(&mut self) -> Result<Option<Told>, Garbled> {
        Ok(self.0.next()?.map(|(tag, place)| if tag == ORDER { Told::Order(place) } else { Told::Question(place) }))
    }

    pub(super) fn order(&self, place: Range<usize>) -> serde_json::Result<Order> {
        serde_json::from_slice(self.0.content(place))
    }

    /// Reads a question into `asked`. Returns the time for the decision.
    pub(super) fn question(&self, place: Range<usize>, asked: &mut AskedView) -> Result<Duration, Garbled> {
        let content = self.0.content(place);
        let short = || Garbled(format!("a question of {} bytes", content.len()));
        let (within, rest) = content.split_first_chunk().ok_or_else(short)?;
        let (legal, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (events, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (legal, events) = (u32::from_le_bytes(*legal), u32::from_le_bytes(*events));
        let (view, rest) = rest.split_at_checked(size_of::<View>()).ok_or_else(short)?;
        let legal_len = (legal as usize).saturating_mul(size_of::<LegalAction>());
        let (legal_bytes, event_bytes) = rest.split_at_checked(legal_len).ok_or_else(short)?;
        if event_bytes.len() != (events as usize).saturating_mul(size_of::<LogEvent>()) {
            return Err(short());
        }
        // SAFETY: as many bytes as there are in a view, and all of its fields are integers or pointers.
        asked.view = unsafe { read_prefix(view.as_ptr().cast::<View>(), struct_size::<View>()) };
        asked.legal.clear();
        // SAFETY: there are so many actions, one after the other, and their fields are integers.
        let action = |index| unsafe {
            read_element(legal_bytes.as_ptr().cast::<LegalAction>(), struct_size::<LegalAction>(), index)
        };
        asked.legal.extend((0..legal).map(action));
        asked.events.clear();
        // SAFETY: there are so many events, one after the other, and their fields are integers.
        let event =
            |index| unsafe { read_element(event_bytes.as_ptr().cast::<LogEvent>(), struct_size::<LogEvent>(), index) };
        asked.events.extend((0..events).map(event));
        Ok(Duration::from_nanos(u64::from_le_bytes(*within)))
    }
}

/// A view that has come over the pipe, with its actions and events.
#[derive(Debug)]
pub(super) struct AskedView {
    view: View,
    legal: Vec<LegalAction>,
    events: Vec<LogEvent>,
}

impl AskedView {
    pub(super) const fn new() -> Self {
        Self { view: View::EMPTY, legal: Vec::new(), events: Vec::new() }
    }

    /// The view as the policy gets it, its pointers into `self`.
    pub(super) fn view(&mut self) -> &View {
        self.view.legal = LegalActionArray {
            items: self.legal.as_ptr(),
            len: self.legal.len() as u32,
            stride: struct_size::<LegalAction>(),
        };
        self.view.events = LogEventArray {
            items: self.events.as_ptr(),
            len: self.events.len() as u32,
            stride: struct_size::<LogEvent>(),
        };
        &self.view
    }
}
