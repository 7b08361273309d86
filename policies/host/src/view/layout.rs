//! The sizes of a game's views.

use policy_abi::head::GameView;

/// The sizes of a game's views in bytes, and of the arrays they may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameLayout {
    /// The game's code in the boundary.
    pub(crate) game: u32,
    pub(crate) view: usize,
    /// A legal action.
    pub(crate) legal: usize,
    pub(crate) event: usize,
    pub(crate) max_legal: usize,
    pub(crate) max_events: usize,
}

impl GameLayout {
    pub(crate) const fn of<V: GameView>() -> Self {
        Self {
            game: V::GAME,
            view: size_of::<V>(),
            legal: size_of::<V::Legal>(),
            event: size_of::<V::Event>(),
            max_legal: V::MAX_LEGAL as usize,
            max_events: V::MAX_EVENTS as usize,
        }
    }

    /// Maximum size, in bytes, of a view with the arrays it points to.
    pub(crate) const fn most_bytes(self) -> usize {
        self.view + self.max_legal * self.legal + self.max_events * self.event
    }
}
