//! Where a bot plays: one trait for what differs from arena to arena, and a file for each arena.

mod botzone;
mod mjsonp;
mod riichilab;

use std::fmt;
use std::sync::Arc;

pub(super) use self::botzone::Botzone;
use foreign_text::ForeignText;
use futures_util::future::BoxFuture;
use policy_host::{GameKind, Sha256};
use riichi::Rules;

use crate::session::riichilab::Goal;
use crate::session::{Dialect, WrongTable};
use crate::transport::botzone::BotzoneSite;
use crate::transport::{ConnectError, Connection, Limits};
use crate::{ArenaUrl, BotzoneSeat, RoomUrl, Token};

/// An arena with all that a bot needs to log in there. `Display` is its address.
#[derive(Clone)]
pub struct Arena(ArenaForm);

/// How games come about there.
#[derive(Clone)]
enum ArenaForm {
    /// By a connection for each game.
    Connected(Arc<dyn ArenaProtocol>),
    /// By a long poll for all of them.
    Polled(Arc<Botzone>),
}

/// What an arena's refusal means for the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RefusalMeaning {
    /// The arena does not accept this bot or its token: words that are documented and leave no doubt.
    NotAccepted,
    /// The arena believes that the bot is connected; a game of it may still be going on.
    StillConnected,
    /// Anything else, which may pass.
    MayPass,
}

/// What is known of every arena.
trait ArenaFacts: fmt::Debug + fmt::Display + Send + Sync {
    /// The protocol's name with its version.
    fn protocol(&self) -> &'static str;

    /// The game that is played there.
    fn game(&self) -> GameKind {
        GameKind::Riichi
    }

    /// The bot's token, where bots log in by one.
    fn token(&self) -> Option<&Token>;

    /// A hash of address and token, from which the token cannot be learnt.
    fn fingerprint(&self) -> Option<Sha256>;

    /// Whether the token travels unencrypted over a network.
    fn exposes_token(&self) -> bool;

    /// Whether the arena has a test that a new bot must pass.
    fn validates(&self) -> bool;
}

/// What differs from arena to arena where each game has a connection.
trait ArenaProtocol: ArenaFacts {
    /// Connects for one game.
    fn connect(&self, goal: Goal, limits: Limits) -> BoxFuture<'_, Result<Connection, ConnectError>>;

    /// The session of a connection just opened by the bot of this name.
    fn session(&self, bot: &str, goal: Goal, rules: Rules) -> Box<dyn Dialect>;

    /// What words with which the arena refuses a bot mean.
    fn refusal_meaning(&self, words: &str) -> RefusalMeaning;

    /// What a user can do who finds that the arena deals to so many players.
    fn remedy_for_players(&self, dealt: u8) -> String;

    /// Whether a game goes on when a player's connection is lost. The player is not let in again before its end then.
    fn plays_on_without_us(&self) -> bool;
}

impl Arena {
    /// An arena that speaks RiichiLab's protocol, at an address, and the bot's token there.
    #[must_use]
    pub fn riichilab(url: ArenaUrl, token: Token) -> Self {
        Self(ArenaForm::Connected(Arc::new(riichilab::Riichilab { url, token })))
    }

    /// A room of a server that speaks the original mjai protocol.
    #[must_use]
    pub fn mjsonp(room: RoomUrl) -> Self {
        Self(ArenaForm::Connected(Arc::new(mjsonp::Mjsonp { room })))
    }

    /// An account at Botzone, and what it plays there.
    #[must_use]
    pub fn botzone(site: BotzoneSite, seat: BotzoneSeat) -> Self {
        Self(ArenaForm::Polled(Arc::new(Botzone { site, seat })))
    }

    /// The account, where there is one poll for all games.
    pub(super) fn polled(&self) -> Option<&Arc<Botzone>> {
        match &self.0 {
            ArenaForm::Polled(botzone) => Some(botzone),
            ArenaForm::Connected(_) => None,
        }
    }

    fn facts(&self) -> &dyn ArenaFacts {
        match &self.0 {
            ArenaForm::Connected(arena) => arena.as_ref(),
            ArenaForm::Polled(botzone) => botzone.as_ref(),
        }
    }

    /// What a connection needs. Who is polled is not connected to: [`polled`](Self::polled) is asked first.
    fn connected(&self) -> &dyn ArenaProtocol {
        match &self.0 {
            ArenaForm::Connected(arena) => arena.as_ref(),
            ArenaForm::Polled(_) => unreachable!("a bot at Botzone polls"),
        }
    }

    pub(super) async fn connect(&self, goal: Goal, limits: Limits) -> Result<Connection, ConnectError> {
        self.connected().connect(goal, limits).await
    }

    pub(super) fn session(&self, bot: &str, goal: Goal, rules: Rules) -> Box<dyn Dialect> {
        self.connected().session(bot, goal, rules)
    }

    /// What the arena means by the words it refuses with: by all of them, though the bot's token may be a part of them.
    pub(super) fn refusal_meaning(&self, words: &ForeignText) -> RefusalMeaning {
        self.connected().refusal_meaning(words.understood())
    }

    /// That the arena deals another table than the bot plays at, and what to do about it.
    pub(super) fn wrong_table(&self, wrong: WrongTable) -> String {
        format!("{wrong}; {}", self.connected().remedy_for_players(wrong.dealt))
    }

    /// The protocol's name with its version.
    #[must_use]
    pub fn protocol(&self) -> &'static str {
        self.facts().protocol()
    }

    /// The game that is played there.
    #[must_use]
    pub fn game(&self) -> GameKind {
        self.facts().game()
    }

    /// The bot's token, which nothing that is shown or kept may repeat; `None` where bots log in without one.
    #[must_use]
    pub fn token(&self) -> Option<&Token> {
        self.facts().token()
    }

    /// A hash of address and token, which tells this bot at this arena from every other; `None` without a token.
    #[must_use]
    pub fn fingerprint(&self) -> Option<Sha256> {
        self.facts().fingerprint()
    }

    /// Whether both log in by the same token.
    #[must_use]
    pub fn shares_token(&self, other: &Self) -> bool {
        self.token().is_some_and(|token| other.token() == Some(token))
    }

    /// Whether the token travels unencrypted over a network.
    pub fn exposes_token(&self) -> bool {
        self.facts().exposes_token()
    }

    /// Whether the arena has a test that a new bot must pass.
    #[must_use]
    pub fn validates(&self) -> bool {
        self.facts().validates()
    }

    pub(super) fn plays_on_without_us(&self) -> bool {
        self.connected().plays_on_without_us()
    }
}

impl fmt::Display for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.facts(), f)
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.facts(), f)
    }
}
