//! The view of a policy, for every game: plain structs of the boundary with the arrays that they
//! point to.
//!
//! [`games`](crate::games) fills a view. Here it is bytes of known sizes, so all code between its
//! filling and the policy (waiting for the policy's thread, crossing a pipe) knows no game.

mod elements;
mod layout;
mod log;

use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::ptr;
use std::time::Duration;

use policy_abi::head::{ElementArray, GameView, ViewHead};
use policy_abi::layout::Plain;
use policy_abi::view::View;
use policy_sdk::{BadView, Game};

use self::elements::ElementBuffer;
pub(crate) use self::layout::GameLayout;
pub use self::log::EventLog;
use crate::fault::BadFrame;

/// The question, besides the game itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// Number of the decision in the game.
    pub decision: u32,
    /// Number of the game in the bot's run.
    pub game: u64,
    /// The bot's seed.
    pub seed: u64,
    /// Free time of the request; zero together with the deadline if the arena sets no limit.
    pub grace: Duration,
    /// The rest of the bank.
    pub bank: Duration,
    /// From the request until the arena acts itself.
    pub deadline: Duration,
    /// Time until the safe answer goes out.
    pub budget: Duration,
}

/// A view and the arrays it points to, reused for each question.
#[derive(Debug)]
pub struct ViewBuffer {
    layout: GameLayout,
    /// The view alone. Its pointers are null except while [`with_view`](Self::with_view) runs.
    view: ElementBuffer,
    legal: ElementBuffer,
    /// The first events of the log with the number in `log`.
    events: ElementBuffer,
    log: Option<NonZeroU64>,
}

impl Default for ViewBuffer {
    fn default() -> Self {
        Self::of::<View>()
    }
}

impl ViewBuffer {
    /// Room for the views of a game.
    fn of<V: GameView>() -> Self {
        let mut buffer = Self::with_layout(GameLayout::of::<V>());
        buffer.view.extend([V::EMPTY].into_iter());
        buffer
    }

    /// Room for the views of a game, to be read from bytes.
    pub(crate) fn with_layout(layout: GameLayout) -> Self {
        Self {
            layout,
            view: ElementBuffer::new(layout.view, 1),
            legal: ElementBuffer::new(layout.legal, layout.max_legal),
            events: ElementBuffer::new(layout.event, layout.max_events),
            log: None,
        }
    }

    /// Begins to fill a view with its legal actions, all events, and the question. The caller fills
    /// the rest; it holds the values of this buffer's previous filling, or those of an empty view.
    ///
    /// Actions and events beyond the limits of the game's view are omitted.
    pub fn begin<V: GameView>(
        &mut self,
        legal: impl ExactSizeIterator<Item = V::Legal>,
        log: Option<&EventLog<V::Event>>,
        asked: &Asked,
    ) -> &mut V {
        if self.layout != GameLayout::of::<V>() {
            *self = Self::of::<V>();
        }
        self.legal.clear();
        self.legal.extend(legal.take(V::MAX_LEGAL as usize));
        self.take_in(log);
        let head = self.head_mut();
        head.decision = asked.decision;
        head.game_number = asked.game;
        head.seed = asked.seed;
        head.grace_us = microseconds(asked.grace);
        head.bank_us = microseconds(asked.bank);
        head.deadline_us = microseconds(asked.deadline);
        head.budget_us = microseconds(asked.budget);
        &mut self.view.as_mut_slice::<V>()[0]
    }

    /// Adds the events since the buffer was last filled, if it was filled from this log; otherwise
    /// the whole log.
    fn take_in<E: Plain>(&mut self, log: Option<&EventLog<E>>) {
        let number = log.map(EventLog::number);
        if self.log != number {
            self.events.clear();
            self.log = number;
        }
        if let Some(log) = log {
            self.events
                .extend_from_slice(&log.events()[self.events.len()..]);
        }
    }

    /// The common beginning of the view.
    pub(crate) fn head(&self) -> &ViewHead {
        self.view.beginning()
    }

    fn head_mut(&mut self) -> &mut ViewHead {
        self.view.beginning_mut()
    }

    pub(crate) fn set_question(&mut self, question: u64) {
        self.head_mut().question = question;
    }

    pub(super) fn budget(&self) -> Duration {
        Duration::from_micros(self.head().budget_us)
    }

    /// Says that there is no more time than this for the decision.
    pub fn limit_budget(&mut self, left: Duration) {
        let head = self.head_mut();
        head.budget_us = head.budget_us.min(microseconds(left));
    }

    /// Number of legal actions.
    pub const fn actions(&self) -> usize {
        self.legal.len()
    }

    /// The bytes of the view, with its pointers not set, and the bytes of the actions and events
    /// that they would point to.
    pub(crate) fn bytes(&self) -> [&[u8]; 3] {
        [self.view.bytes(), self.legal.bytes(), self.events.bytes()]
    }

    pub(crate) const fn events(&self) -> usize {
        self.events.len()
    }

    /// Takes in a view of this game that has come as [`bytes`](Self::bytes).
    pub(crate) fn read(
        &mut self,
        legal: usize,
        events: usize,
        bytes: &[u8],
    ) -> Result<(), BadFrame> {
        let GameLayout {
            view,
            legal: action,
            event,
            max_legal,
            max_events,
            ..
        } = self.layout;
        let wrong = || {
            BadFrame(format!(
                "a view with {legal} actions and {events} events in {} bytes",
                bytes.len()
            ))
        };
        if legal > max_legal
            || events > max_events
            || bytes.len() != view + legal * action + events * event
        {
            return Err(wrong());
        }
        let (view, rest) = bytes.split_at(view);
        let (legal, events) = rest.split_at(legal * action);
        self.view.read(view);
        self.legal.read(legal);
        self.events.read(events);
        self.log = None;
        Ok(())
    }

    /// Calls with the view, its pointers set. They lead into this buffer and are good for the call
    /// only.
    pub fn with_view<T>(&mut self, call: impl FnOnce(PointedView<'_>) -> T) -> T {
        let array = |elements: &ElementBuffer, size: usize| ElementArray {
            items: elements.bytes().as_ptr().cast(),
            len: elements.len() as u32,
            stride: size as u32,
        };
        let (legal, events) = (
            array(&self.legal, self.layout.legal),
            array(&self.events, self.layout.event),
        );
        let head = self.head_mut();
        head.legal = legal;
        head.events = events;
        let (actions, question) = (legal.len, head.question);
        let view = self.view.bytes().as_ptr().cast();
        let result = call(PointedView {
            view,
            actions,
            question,
            _lent: PhantomData,
        });
        let head = self.head_mut();
        (head.legal.items, head.events.items) = (ptr::null(), ptr::null());
        result
    }

    /// Shows the view to `look`, as a policy of the game `G` gets it.
    ///
    /// # Errors
    ///
    /// If the view is invalid.
    ///
    /// # Panics
    ///
    /// If it is a view of another game.
    pub fn look<G: Game, T>(
        &mut self,
        room: &mut G::Room,
        look: impl FnOnce(&G::View<'_>) -> T,
    ) -> Result<T, BadView> {
        assert_eq!(
            self.layout,
            GameLayout::of::<G::CodedView>(),
            "this is a view of another game"
        );
        self.with_view(|view| {
            // SAFETY: by its layout it is such a view, in this buffer with the arrays that it
            // points to.
            let view = unsafe { G::read(&*view.view.cast(), room) }?;
            Ok(look(&view))
        })
    }

    /// The view of a game, its pointers not set, its actions and its events.
    #[cfg(test)]
    pub(crate) fn typed<V: GameView>(&self) -> (&V, &[V::Legal], &[V::Event]) {
        (
            &self.view.as_slice::<V>()[0],
            self.legal.as_slice(),
            self.events.as_slice(),
        )
    }
}

/// As the boundary counts time.
fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

// SAFETY: the pointers in `view` are null except while `with_view` runs, which sets them to this
// buffer's own elements.
unsafe impl Send for ViewBuffer {}

/// A view of any game as a policy gets it, with the arrays it points to.
#[derive(Debug, Clone, Copy)]
pub struct PointedView<'v> {
    view: *const ViewHead,
    actions: u32,
    question: u64,
    _lent: PhantomData<&'v ViewHead>,
}

impl<'v> PointedView<'v> {
    /// A view that was made elsewhere.
    pub fn of<V: GameView>(view: &'v V) -> Self {
        Self {
            view: (&raw const *view).cast(),
            actions: view.head().legal.len,
            question: view.head().question,
            _lent: PhantomData,
        }
    }

    /// The address, as `decide` takes it.
    pub const fn as_ptr(self) -> *const View {
        self.view.cast()
    }

    /// Number of legal actions.
    pub const fn actions(self) -> u32 {
        self.actions
    }

    pub const fn question(self) -> u64 {
        self.question
    }
}
