//! Policies that are not used any more because they failed again and again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::section::PolicyConfig;
use crate::sha256::Sha256;

/// The key of a policy that is set aside: the bot, the content of the library and the parameters. Another bot, other
/// parameters, or another build under the same name have another key.
#[derive(Debug, Clone, PartialEq)]
pub struct QuarantineKey {
    /// Content of the library.
    pub hash: Sha256,
    /// The policy's id as written in the config.
    pub id: Option<String>,
    /// Its parameters as written in the config.
    pub params: toml::Table,
    pub bot: String,
}

impl QuarantineKey {
    /// The key of the policy that a bot's section names in a library.
    #[must_use]
    pub fn new(hash: Sha256, section: &PolicyConfig, bot: &str) -> Self {
        Self { hash, id: section.id.clone(), params: section.params.clone(), bot: bot.to_owned() }
    }
}

/// The policies that this process has set aside.
#[derive(Debug, Default)]
pub struct Quarantine(Mutex<Vec<QuarantineKey>>);

impl Quarantine {
    /// Sets a policy aside.
    pub fn add(&self, key: QuarantineKey) {
        let mut keys = self.keys();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }

    /// Lets a bot use everything once more, as its user wishes.
    pub fn lift(&self, bot: &str) {
        self.keys().retain(|key| key.bot != bot);
    }

    #[must_use]
    pub fn holds(&self, key: &QuarantineKey) -> bool {
        self.keys().contains(key)
    }

    fn keys(&self) -> MutexGuard<'_, Vec<QuarantineKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(bot: &str, level: i64) -> QuarantineKey {
        let params = toml::Table::from_iter([("level".to_owned(), toml::Value::Integer(level))]);
        QuarantineKey { hash: Sha256::of(b"a library"), id: None, params, bot: bot.to_owned() }
    }

    #[test]
    fn one_bots_policy_is_set_aside_with_these_parameters_and_for_no_other_bot() {
        let quarantine = Quarantine::default();
        quarantine.add(key("kuma", 1));
        quarantine.add(key("neko", 1));
        assert!(quarantine.holds(&key("kuma", 1)));
        assert!(!quarantine.holds(&key("kuma", 2)), "its corrected parameters should be tried");
        assert!(!quarantine.holds(&key("risu", 1)), "another bot's engine may work");
        quarantine.lift("kuma");
        assert!(!quarantine.holds(&key("kuma", 1)) && quarantine.holds(&key("neko", 1)));
    }
}
