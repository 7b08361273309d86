//! What a policy's process is sent: its two orders, and then one question after the other.

use std::io::{self, Read};
use std::ops::Range;
use std::time::Duration;

use policy_abi::action::{LegalAction, LegalActionArray, MAX_LEGAL};
use policy_abi::layout::{Plain, read_element, read_prefix, struct_size};
use policy_abi::log::{LogEvent, LogEventArray, MAX_EVENTS};
use policy_abi::view::View;
use serde::de::DeserializeOwned;

use super::frame::{FrameReader, FrameWriter};
use super::order::{CreateOrder, LoadOrder};
use crate::fault::BadFrame;
use crate::view::ViewBuffer;

const LOAD: u32 = 0x01;
const CREATE: u32 = 0x02;
const QUESTION: u32 = 0x03;

/// Longest order, bytes of JSON.
const LONGEST_ORDER: usize = 1 << 20;
/// What stands before the view: the question's number, and how many actions and events follow.
const BEFORE_VIEW: usize = 12;

fn longest(tag: u32) -> Option<usize> {
    match tag {
        LOAD | CREATE => Some(LONGEST_ORDER),
        QUESTION => Some(
            BEFORE_VIEW
                + size_of::<View>()
                + MAX_LEGAL as usize * size_of::<LegalAction>()
                + MAX_EVENTS as usize * size_of::<LogEvent>(),
        ),
        _ => None,
    }
}

/// The first order as a frame.
pub(super) fn write_load<'a>(order: &LoadOrder, writer: &'a mut FrameWriter) -> serde_json::Result<&'a [u8]> {
    Ok(writer.begin(LOAD).bytes(&serde_json::to_vec(order)?).end())
}

/// The second order as a frame.
pub(super) fn write_create<'a>(order: &CreateOrder, writer: &'a mut FrameWriter) -> serde_json::Result<&'a [u8]> {
    Ok(writer.begin(CREATE).bytes(&serde_json::to_vec(order)?).end())
}

/// A question as a frame.
pub(super) fn write_question<'a>(number: u32, view: &ViewBuffer, writer: &'a mut FrameWriter) -> &'a [u8] {
    let (view, legal, events) = view.parts();
    writer.begin(QUESTION).number(number).number(legal.len() as u32).number(events.len() as u32);
    writer.bytes(bytes_of(std::slice::from_ref(view))).bytes(bytes_of(legal)).bytes(bytes_of(events)).end()
}

fn bytes_of<T: Plain>(items: &[T]) -> &[u8] {
    // SAFETY: structs of the boundary have no padding, so all their bytes are initialised.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items)) }
}

/// What a process is sent. The frame's content is read from where it lies.
#[derive(Debug)]
pub(super) enum ChildRequest {
    Load(Range<usize>),
    Create(Range<usize>),
    Question(Range<usize>),
}

/// The bytes of a process's own pipe, cut into requests.
#[derive(Debug)]
pub(super) struct ChildRequests(FrameReader);

impl ChildRequests {
    pub(super) const fn new() -> Self {
        Self(FrameReader::new(longest))
    }

    pub(super) fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        self.0.fill(from)
    }

    pub(super) fn next_request(&mut self) -> Result<Option<ChildRequest>, BadFrame> {
        Ok(self.0.next()?.map(|(tag, place)| match tag {
            LOAD => ChildRequest::Load(place),
            CREATE => ChildRequest::Create(place),
            _ => ChildRequest::Question(place),
        }))
    }

    /// Reads an order.
    pub(super) fn order<T: DeserializeOwned>(&self, place: Range<usize>) -> serde_json::Result<T> {
        serde_json::from_slice(self.0.content(place))
    }

    /// Reads a question into `asked`.
    pub(super) fn question(&self, place: Range<usize>, asked: &mut AskedView) -> Result<(), BadFrame> {
        let content = self.0.content(place);
        let short = || BadFrame(format!("a question of {} bytes", content.len()));
        let (number, rest) = content.split_first_chunk().ok_or_else(short)?;
        let (legal, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (events, rest) = rest.split_first_chunk().ok_or_else(short)?;
        let (legal, events) = (u32::from_le_bytes(*legal), u32::from_le_bytes(*events));
        let (view, rest) = rest.split_at_checked(size_of::<View>()).ok_or_else(short)?;
        let legal_len = (legal as usize).saturating_mul(size_of::<LegalAction>());
        let (legal_bytes, event_bytes) = rest.split_at_checked(legal_len).ok_or_else(short)?;
        if event_bytes.len() != (events as usize).saturating_mul(size_of::<LogEvent>()) {
            return Err(short());
        }
        asked.number = u32::from_le_bytes(*number);
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
        Ok(())
    }
}

/// A view that has come over the pipe, with its actions and events.
#[derive(Debug)]
pub(super) struct AskedView {
    /// The question's number.
    pub(super) number: u32,
    view: View,
    legal: Vec<LegalAction>,
    events: Vec<LogEvent>,
}

impl AskedView {
    pub(super) const fn new() -> Self {
        Self { number: 0, view: View::EMPTY, legal: Vec::new(), events: Vec::new() }
    }

    /// How long the answer is wanted.
    pub(super) fn budget(&self) -> Duration {
        Duration::from_millis(u64::from(self.view.budget_ms))
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

#[cfg(test)]
mod tests {
    use mahjong::{Action, Event, Rules, Seat, Table, Tile};

    use super::*;
    use crate::{Asked, RoundLog};

    /// A view with so many actions and events, each with a tile of its own as far as there are.
    fn view(actions: usize, events: usize) -> ViewBuffer {
        let tile = |index: usize| Tile::new((index % 37) as u8).expect("there are 37");
        let table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
        let mut log = RoundLog::default();
        for index in 0..events {
            log.push(&Event::Dora { marker: tile(index) }, &table);
        }
        let legal: Vec<_> = (0..actions).map(|index| Action::Dahai { tile: tile(index), tsumogiri: false }).collect();
        let mut view = ViewBuffer::default();
        view.fill(&table, &log, &legal, &Asked { seed: 4711, budget_ms: 250, ..Asked::default() });
        view
    }

    fn sent(frame: &[u8]) -> AskedView {
        let (mut requests, mut asked) = (ChildRequests::new(), AskedView::new());
        let mut pipe = frame;
        while requests.fill(&mut pipe).expect("bytes can be read") > 0 {}
        let request = requests.next_request().expect("it is a frame");
        let Some(ChildRequest::Question(place)) = request else { panic!("{request:?}") };
        requests.question(place, &mut asked).expect("it is a question");
        asked
    }

    #[test]
    fn a_question_arrives_byte_for_byte() {
        for (actions, events) in [(1, 0), (14, 60), (MAX_LEGAL as usize, MAX_EVENTS as usize)] {
            let asking = view(actions, events);
            let mut asked = sent(write_question(7, &asking, &mut FrameWriter::default()));
            let (plain, legal, events) = asking.parts();
            assert_eq!((asked.legal.as_slice(), asked.events.as_slice()), (legal, events));
            assert_eq!(bytes_of(&[asked.view]), bytes_of(std::slice::from_ref(plain)), "no pointer is sent");
            assert_eq!((asked.number, asked.budget()), (7, Duration::from_millis(250)));
            let pointed = asked.view();
            assert_eq!(pointed.legal.len as usize, legal.len());
            assert_eq!(pointed.events.len as usize, events.len());
        }
    }

    #[test]
    fn a_question_that_is_cut_or_too_long_is_refused() {
        let mut writer = FrameWriter::default();
        let whole = write_question(7, &view(3, 5), &mut writer)[8..].to_vec();
        for content in [&whole[..whole.len() - 1], &whole[..20], &whole[..0], &[whole.as_slice(), &[0]].concat()] {
            let mut requests = ChildRequests::new();
            let mut pipe = writer.begin(QUESTION).bytes(content).end();
            requests.fill(&mut pipe).expect("bytes can be read");
            let Ok(Some(ChildRequest::Question(place))) = requests.next_request() else { panic!("it is a frame") };
            requests.question(place, &mut AskedView::new()).expect_err("it is not a question");
        }
    }
}
