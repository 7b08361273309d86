//! The bots of an arena, by their tokens.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;

use crate::kind::GamePurpose;

/// The permissions of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistrationState {
    /// It must pass the validation first, which makes it active.
    Pending,
    /// It may play ranked games.
    Active,
    /// It may not connect.
    Inactive,
}

/// Maximum number of bots at an arena that accepts any token.
const MAX_BOTS: usize = 10_000;

/// A bot that is registered from the start.
#[derive(Debug, Clone)]
pub struct RegisteredBot {
    pub token: SecretString,
    /// Its name in results.
    pub name: String,
    pub state: RegistrationState,
}

/// The tokens that may connect.
#[derive(Debug, Clone)]
pub enum Tokens {
    /// Any token: each is a separate active bot, named after a hash of the token.
    AcceptAny,
    /// Only these bots.
    Listed(Vec<RegisteredBot>),
}

/// A bot's place in the register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BotId(usize);

/// The reason why a connection is refused. The texts equal the public arena's, as far as they are
/// known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConnectRefusal {
    #[error("Missing bearer token")]
    NoToken,
    #[error("Token verification failed: Invalid token")]
    UnknownToken,
    #[error("Token verification failed: Bot is inactive")]
    Inactive,
    #[error("This bot is already connected to a game")]
    AlreadyConnected,
    #[error("The arena has no room for another bot")]
    NoRoom,
}

struct BotEntry {
    name: String,
    state: RegistrationState,
    /// Since when it is neither queued nor seated; `None` if it is. After a drop it stays seated
    /// until the game is over.
    absent_since: Option<Instant>,
}

/// All bots of an arena.
pub(crate) struct Register {
    accept_any: bool,
    inner: Mutex<Inner>,
}

struct Inner {
    bots: Vec<BotEntry>,
    by_token: HashMap<String, BotId>,
}

impl Register {
    /// With bots that may connect beside those of the tokens.
    pub(crate) fn new(tokens: Tokens, beside: Vec<RegisteredBot>) -> Self {
        let mut inner = Inner {
            bots: Vec::new(),
            by_token: HashMap::new(),
        };
        let accept_any = match tokens {
            Tokens::AcceptAny => true,
            Tokens::Listed(bots) => {
                inner.add_all(bots);
                false
            }
        };
        inner.add_all(beside);
        Self {
            accept_any,
            inner: Mutex::new(inner),
        }
    }

    /// The bot with this token; created on demand if any token is accepted.
    pub(crate) fn find(&self, token: &str) -> Option<BotId> {
        let mut inner = self.lock();
        match inner.by_token.get(token) {
            Some(&id) => Some(id),
            None if self.accept_any && inner.bots.len() < MAX_BOTS => {
                let mut hasher = DefaultHasher::new();
                token.hash(&mut hasher);
                Some(inner.add(
                    token,
                    format!("bot-{:08x}", hasher.finish() as u32),
                    RegistrationState::Active,
                ))
            }
            None => None,
        }
    }

    /// Admits a bot and marks it as busy until [`release`](Self::release).
    pub(crate) fn admit(
        &self,
        token: Option<&str>,
        kind: GamePurpose,
    ) -> Result<BotId, ConnectRefusal> {
        let unknown = if self.accept_any {
            ConnectRefusal::NoRoom
        } else {
            ConnectRefusal::UnknownToken
        };
        let id = self
            .find(token.ok_or(ConnectRefusal::NoToken)?)
            .ok_or(unknown)?;
        let bot = &mut self.lock().bots[id.0];
        match (bot.state, kind) {
            _ if bot.absent_since.is_none() => Err(ConnectRefusal::AlreadyConnected),
            (RegistrationState::Inactive, _)
            | (RegistrationState::Pending, GamePurpose::Ranked) => Err(ConnectRefusal::Inactive),
            _ => {
                bot.absent_since = None;
                Ok(id)
            }
        }
    }

    /// Lets a bot connect again.
    pub(crate) fn release(&self, id: BotId) {
        self.lock().bots[id.0].absent_since = Some(Instant::now());
    }

    /// Since when a bot is neither queued nor seated; `None` if it is.
    pub(crate) fn absent_since(&self, id: BotId) -> Option<Instant> {
        self.lock().bots[id.0].absent_since
    }

    /// The bots so far, in the order of their registration.
    pub(crate) fn all(&self) -> Vec<BotId> {
        (0..self.lock().bots.len()).map(BotId).collect()
    }

    pub(crate) fn passed_validation(&self, id: BotId) {
        self.lock().bots[id.0].state = RegistrationState::Active;
    }

    pub(crate) fn name(&self, id: BotId) -> String {
        self.lock().bots[id.0].name.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No change to a bot can be left half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn add_all(&mut self, bots: Vec<RegisteredBot>) {
        for bot in bots {
            self.add(bot.token.expose_secret(), bot.name, bot.state);
        }
    }

    fn add(&mut self, token: &str, name: String, state: RegistrationState) -> BotId {
        let id = BotId(self.bots.len());
        self.bots.push(BotEntry {
            name,
            state,
            absent_since: Some(Instant::now()),
        });
        *self.by_token.entry(token.to_owned()).or_insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Register {
        let bot = |token: &str, state| RegisteredBot {
            token: token.into(),
            name: token.to_uppercase(),
            state,
        };
        let bots = [
            ("a", RegistrationState::Active),
            ("p", RegistrationState::Pending),
            ("i", RegistrationState::Inactive),
        ];
        let bots = bots.map(|(token, state)| bot(token, state));
        Register::new(Tokens::Listed(bots.to_vec()), Vec::new())
    }

    #[test]
    fn only_listed_tokens_get_in_and_only_as_far_as_their_state_allows() {
        use GamePurpose::{Ranked, Validation};
        assert_eq!(listed().admit(None, Ranked), Err(ConnectRefusal::NoToken));
        assert_eq!(
            listed().admit(Some("x"), Ranked),
            Err(ConnectRefusal::UnknownToken)
        );
        assert_eq!(
            listed().admit(Some("i"), Validation),
            Err(ConnectRefusal::Inactive)
        );
        assert_eq!(
            listed().admit(Some("p"), Ranked),
            Err(ConnectRefusal::Inactive)
        );
        assert!(listed().admit(Some("p"), Validation).is_ok());
        assert!(listed().admit(Some("a"), Ranked).is_ok());
    }

    #[test]
    fn passing_the_validation_makes_a_pending_bot_active() {
        let register = listed();
        let id = register.admit(Some("p"), GamePurpose::Validation).unwrap();
        register.passed_validation(id);
        register.release(id);
        assert_eq!(register.admit(Some("p"), GamePurpose::Ranked), Ok(id));
    }

    #[test]
    fn a_bot_is_let_in_once_until_it_is_released() {
        let register = Register::new(Tokens::AcceptAny, Vec::new());
        let id = register.admit(Some("t"), GamePurpose::Ranked).unwrap();
        assert_eq!(
            register.admit(Some("t"), GamePurpose::Ranked),
            Err(ConnectRefusal::AlreadyConnected)
        );
        assert!(register.admit(Some("u"), GamePurpose::Ranked).is_ok());
        register.release(id);
        assert_eq!(register.admit(Some("t"), GamePurpose::Ranked), Ok(id));
    }

    #[test]
    fn an_unlisted_bot_is_not_named_by_its_token() {
        let register = Register::new(Tokens::AcceptAny, Vec::new());
        let id = register.find("canary").unwrap();
        let name = register.name(id);
        assert!(name.starts_with("bot-") && !name.contains("canary"));
        assert_ne!(register.name(register.find("canary2").unwrap()), name);
    }
}
