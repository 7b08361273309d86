//! What each action of a riichi decision is reckoned to be worth, in places, for the strategies that choose among them.
//!
//! [`choices`] walks through the actions that are worth a look, each with its value and its parts as a
//! [`ValuedAction`]; [`features`] describes a choice and its decision in numbers, for what is learned from games.
//!
//! The value of an action is the places gained by it in expectation, against the game as it is now:
//!
//! - **Attack.** Without a threat a hand goes for the lowest shanten number and the widest acceptance, and weighs
//!   beside them how wide the hand will be a step later and what it will be worth. A step from tenpai the wins are
//!   scored exactly, with all yaku there are; before, by dora, reds, value honours, simples and one suit.
//! - **Threat.** Each opponent's tenpai and what a tile costs against it come from [`riichi::danger`]: riichi, and open
//!   melds that say so. Several are added up.
//! - **Push or fold.** A hand that is played on is a [race](race): each go-round it may come a step nearer, win, lose
//!   to another's win, or pay for a tile that it has to throw. The [standing](standing) says what the end is worth in
//!   places. Where giving up is worth more, the race ends there, so that folding needs no rule of its own.
//! - **Fold.** Certainly safe tiles cost nothing, others what their class, their traits and the opponent's hand cost on
//!   average. A tile after which another safe one is left is better than one after which none is.
//! - **Kans.** One that changes neither shanten nor waits is valued with the tile that it draws and the indicator that
//!   it turns.
//! - **Going back.** Against a threat a hand may go back a step with a safer tile and still be played on; from tenpai
//!   at any time: the wait may be dead, furiten or without a yaku.
//!
//! Where the figures come from:
//!
//! | figures | origin |
//! |---|---|
//! | how likely a tile deals in and what that costs, how likely melds are tenpai | measured: [`riichi::danger::figures`] |
//! | points by han (`worth::POINTS`) | the rules: the mean of 30 and 40 fu, rounded |
//! | all others | [`tuning`] and [`calculator::estimates`], one by one |
#![forbid(unsafe_code)]

mod choice;
mod choices;
mod claim;
pub mod features;
mod kans;
mod options;
mod own_turn;
mod prospect;
mod race;
mod standing;
mod threats;
mod tuning;
mod worth;

pub use choice::{Best, Deed, Judged, ValuedAction};
pub use choices::choices;
pub use options::{JudgeOptions, PARAMS};
pub use prospect::{Judge, Prospect};
