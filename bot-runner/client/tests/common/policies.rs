//! Policies that misbehave on purpose, and how to seat one.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use client::bot::BotPolicy;
use policy_host::ReloadMode;
use policy_host::{ChosenPolicy, GameKind, Launch, Libraries, Pace, SeatedPolicy, StartOptions};
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};

const fn described(id: &'static str) -> Descriptor {
    Descriptor {
        id,
        name: id,
        version: "1",
        summary: "For tests.",
        games: Games::FourPlayers,
        params: &[],
    }
}

/// Takes the last choice at once: passing, or the drawn tile.
pub(crate) struct Last;

impl Policy for Last {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = described("last");

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(view.legal().len() - 1)
    }
}

/// Takes the first choice, much too late.
pub(crate) struct Slow;

/// Its decision time.
pub(crate) const SLOW: Duration = Duration::from_millis(400);

impl Policy for Slow {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = described("slow");

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        sleep(SLOW);
        Ok(0)
    }
}

/// Panics in the game's first decision, and then takes the first choice.
pub(crate) struct Panics;

impl Policy for Panics {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = described("panics");

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        assert!(view.decision() > 0, "on purpose");
        Ok(0)
    }
}

/// Chooses an action that is not legal.
pub(crate) struct OutOfRange;

impl Policy for OutOfRange {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = described("out-of-range");

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(view.legal().len())
    }
}

/// A policy that gets all of the arena's time except a margin.
pub(crate) async fn bot_policy<P: Policy>() -> BotPolicy {
    bot_policy_within::<P>(None).await
}

/// A policy with this much time for each decision.
pub(crate) async fn bot_policy_within<P: Policy>(think: Option<Duration>) -> BotPolicy {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    };
    let pace = Pace {
        think,
        margin: Duration::from_millis(100),
        reload: ReloadMode::Decision,
    };
    let started = SeatedPolicy::start(ChosenPolicy::of::<P>(), pace, options, libraries).await;
    BotPolicy::new(started.expect("it starts").0, 1)
}
