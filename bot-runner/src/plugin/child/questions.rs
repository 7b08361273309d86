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
/// What stands before the view: how many actions and events follow it.
const BEFORE_VIEW: usize = 8;

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

/// A decision to be made, as a frame.
pub(super) fn write_question<'a>(view: &ViewBuffer, writer: &'a mut FrameWriter) -> &'a [u8] {
    let (view, legal, events) = view.parts();
    writer.begin(QUESTION).number(legal.len() as u32).number(events.len() as u32);
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

    /// Reads a question into `asked`.
    pub(super) fn question(&self, place: Range<usize>, asked: &mut AskedView) -> Result<(), Garbled> {
        let content = self.0.content(place);
        let short = || Garbled(format!("a question of {} bytes", content.len()));
        let (legal, rest) = content.split_first_chunk().ok_or_else(short)?;
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
        Ok(())
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
    use crate::plugin::{Asked, RoundLog};

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
        let (mut questions, mut asked) = (Questions::new(), AskedView::new());
        let mut pipe = frame;
        while questions.fill(&mut pipe).expect("bytes can be read") > 0 {}
        let told = questions.next_told().expect("it is a frame");
        let Some(Told::Question(place)) = told else { panic!("{told:?}") };
        questions.question(place, &mut asked).expect("it is a question");
        asked
    }

    #[test]
    fn a_question_arrives_byte_for_byte() {
        for (actions, events) in [(1, 0), (14, 60), (MAX_LEGAL as usize, MAX_EVENTS as usize)] {
            let asking = view(actions, events);
            let mut asked = sent(write_question(&asking, &mut FrameWriter::default()));
            let (plain, legal, events) = asking.parts();
            assert_eq!((asked.legal.as_slice(), asked.events.as_slice()), (legal, events));
            assert_eq!(bytes_of(&[asked.view]), bytes_of(std::slice::from_ref(plain)), "no pointer is sent");
            assert_eq!(asked.budget(), Duration::from_millis(250));
            let pointed = asked.view();
            assert_eq!(pointed.legal.len as usize, legal.len());
            assert_eq!(pointed.events.len as usize, events.len());
        }
    }

    #[test]
    fn a_question_that_is_cut_or_too_long_is_refused() {
        let mut writer = FrameWriter::default();
        let whole = write_question(&view(3, 5), &mut writer)[8..].to_vec();
        for content in [&whole[..whole.len() - 1], &whole[..20], &whole[..0], &[whole.as_slice(), &[0]].concat()] {
            let mut questions = Questions::new();
            let mut pipe = writer.begin(QUESTION).bytes(content).end();
            questions.fill(&mut pipe).expect("bytes can be read");
            let Ok(Some(Told::Question(place))) = questions.next_told() else { panic!("it is a frame") };
            questions.question(place, &mut AskedView::new()).expect_err("it is no question");
        }
    }
}
