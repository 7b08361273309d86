//! The accessors that the views of all games have.

/// The accessors of a view that read the fields which the views of all games begin with; the
/// argument is the field that holds the coded view.
macro_rules! head_accessors {
    ($coded:ident) => {
        /// The time for this decision.
        pub fn time(&self) -> $crate::Time {
            $crate::Time::of(policy_abi::head::GameView::head(self.$coded))
        }

        /// Number of this game in the bot's run, from 0.
        pub const fn game(&self) -> u64 {
            self.$coded.game_number
        }

        /// Number of this decision in the game, from 0.
        pub const fn decision(&self) -> u32 {
            self.$coded.decision
        }

        /// Seed of the bot's randomness, the same all run. [`rng`](Self::rng) is keyed by it.
        pub const fn seed(&self) -> u64 {
            self.$coded.seed
        }

        /// A repeatable random generator for this decision, keyed by the bot's seed, the game, the
        /// seat and the decision. Every call gives the same stream from its beginning: in a view
        /// named `view`, `view.rng().below(view.legal().len())` is the index of any action.
        pub fn rng(&self) -> $crate::Rng {
            $crate::Rng::keyed(&[
                self.$coded.seed,
                self.$coded.game_number,
                self.$coded.seat.into(),
                self.$coded.decision.into(),
            ])
        }
    };
}
pub(crate) use head_accessors;
