//! The frames sent to a policy's process: orders, and one question after another.

use std::io::{self, Read};
use std::mem::offset_of;
use std::ops::Range;
use std::time::Duration;

use policy_abi::head::ViewHead;
use serde::de::DeserializeOwned;

use super::frame::{FrameReader, FrameWriter};
use super::order::{CreateOrder, LoadOrder};
use crate::fault::BadFrame;
use crate::games::{GameKind, MAX_VIEW_BYTES};
use crate::view::{PointedView, ViewBuffer};

const LOAD: u32 = 0x01;
const CREATE: u32 = 0x02;
const QUESTION: u32 = 0x03;

/// Maximum length of an order, in bytes of JSON.
const MAX_ORDER_BYTES: usize = 1 << 20;
/// The head before the view: the numbers of actions and events that follow.
const BEFORE_VIEW: usize = 8;

fn longest(tag: u32) -> Option<usize> {
    match tag {
        LOAD | CREATE => Some(MAX_ORDER_BYTES),
        QUESTION => Some(BEFORE_VIEW + MAX_VIEW_BYTES),
        _ => None,
    }
}

pub(super) fn write_load<'a>(
    order: &LoadOrder,
    writer: &'a mut FrameWriter,
) -> serde_json::Result<&'a [u8]> {
    Ok(writer.begin(LOAD).bytes(&serde_json::to_vec(order)?).end())
}

pub(super) fn write_create<'a>(
    order: &CreateOrder,
    writer: &'a mut FrameWriter,
) -> serde_json::Result<&'a [u8]> {
    Ok(writer
        .begin(CREATE)
        .bytes(&serde_json::to_vec(order)?)
        .end())
}

pub(super) fn write_question<'a>(
    number: u64,
    view: &ViewBuffer,
    writer: &'a mut FrameWriter,
) -> &'a [u8] {
    writer
        .begin(QUESTION)
        .number(view.actions() as u32)
        .number(view.events() as u32);
    let [view, legal, events] = view.bytes();
    let (before, after) = view.split_at(offset_of!(ViewHead, question));
    writer
        .bytes(before)
        .long_number(number)
        .bytes(&after[size_of::<u64>()..])
        .bytes(legal)
        .bytes(events)
        .end()
}

/// A frame for a process. The content is read in place.
#[derive(Debug)]
pub(super) enum ChildRequest {
    Load(Range<usize>),
    Create(Range<usize>),
    Question(Range<usize>),
}

/// Splits the bytes of a process's own pipe into requests.
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

    pub(super) fn order<T: DeserializeOwned>(&self, place: Range<usize>) -> serde_json::Result<T> {
        serde_json::from_slice(self.0.content(place))
    }

    pub(super) fn question(
        &self,
        place: Range<usize>,
        asked: &mut AskedView,
    ) -> Result<(), BadFrame> {
        let content = self.0.content(place);
        let Some((head, view)) = content.split_first_chunk::<BEFORE_VIEW>() else {
            return Err(BadFrame(format!("a question of {} bytes", content.len())));
        };
        let [legal, events] =
            [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
        asked.view.read(legal as usize, events as usize, view)
    }
}

/// A view that has arrived over the pipe.
#[derive(Debug)]
pub(super) struct AskedView {
    view: ViewBuffer,
}

impl AskedView {
    pub(super) fn new(game: GameKind) -> Self {
        Self {
            view: ViewBuffer::with_layout(game.definition().layout),
        }
    }

    pub(super) fn question(&self) -> u64 {
        self.view.head().question
    }

    /// The time for which the answer is wanted.
    pub(super) fn budget(&self) -> Duration {
        self.view.budget()
    }

    /// Calls a function with the view in the policy's form.
    pub(super) fn with_view<T>(&mut self, call: impl FnOnce(PointedView<'_>) -> T) -> T {
        self.view.with_view(call)
    }
}

#[cfg(test)]
mod tests {
    use riichi::{Action, Event, Rules, Seat, Table, Tile};

    use super::*;
    use policy_abi::action::MAX_LEGAL;
    use policy_abi::log::MAX_EVENTS;

    use crate::{Asked, RoundLog};

    /// A view with this many actions and events, each with a different tile while there are enough.
    fn view(actions: usize, events: usize) -> ViewBuffer {
        let tile = |index: usize| Tile::new((index % 37) as u8).expect("there are 37");
        let table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
        let mut log = RoundLog::default();
        for index in 0..events {
            log.push(
                &Event::Dora {
                    marker: tile(index),
                },
                &table,
            );
        }
        let legal: Vec<_> = (0..actions)
            .map(|index| Action::Dahai {
                tile: tile(index),
                tsumogiri: false,
            })
            .collect();
        let mut view = ViewBuffer::default();
        view.fill(
            &table,
            &log,
            &legal,
            &Asked {
                seed: 4711,
                budget: Duration::from_micros(250_001),
                ..Asked::default()
            },
        );
        view
    }

    fn sent(frame: &[u8]) -> AskedView {
        let (mut requests, mut asked) = (ChildRequests::new(), AskedView::new(GameKind::Riichi));
        let mut pipe = frame;
        while requests.fill(&mut pipe).expect("bytes can be read") > 0 {}
        let request = requests.next_request().expect("it is a frame");
        let Some(ChildRequest::Question(place)) = request else {
            panic!("{request:?}")
        };
        requests
            .question(place, &mut asked)
            .expect("it is a question");
        asked
    }

    #[test]
    fn a_question_arrives_byte_for_byte() {
        for (actions, events) in [(1, 0), (14, 60), (MAX_LEGAL as usize, MAX_EVENTS as usize)] {
            let mut asking = view(actions, events);
            let mut asked = sent(write_question(7, &asking, &mut FrameWriter::default()));
            asking.set_question(7);
            assert_eq!(asked.view.bytes(), asking.bytes(), "no pointer is sent");
            assert_eq!(
                (asked.question(), asked.budget()),
                (7, Duration::from_micros(250_001))
            );
            assert_eq!(asked.with_view(|view| view.actions()) as usize, actions);
        }
    }

    #[test]
    fn a_question_that_is_cut_or_too_long_is_refused() {
        let mut writer = FrameWriter::default();
        let whole = write_question(7, &view(3, 5), &mut writer)[8..].to_vec();
        for content in [
            &whole[..whole.len() - 1],
            &whole[..20],
            &whole[..0],
            &[whole.as_slice(), &[0]].concat(),
        ] {
            let mut requests = ChildRequests::new();
            let mut pipe = writer.begin(QUESTION).bytes(content).end();
            requests.fill(&mut pipe).expect("bytes can be read");
            let Ok(Some(ChildRequest::Question(place))) = requests.next_request() else {
                panic!("it is a frame")
            };
            requests
                .question(place, &mut AskedView::new(GameKind::Riichi))
                .expect_err("it is not a question");
        }
    }
}
