//! The identity of a config.

use policy_host::{Isolation, LibraryChoice, PolicyConfig, ReloadMode, Sha256};
use serde_json::json;

use super::bot_config::{BotConfig, PLAYERS};

impl BotConfig {
    /// The hash of all settings that affect how the bot plays, defaults filled in: the bot's name,
    /// the arena's address, players and game, the policy and its parameters. The source of the
    /// token and the paths of files are not included.
    pub fn digest(&self) -> Sha256 {
        let PolicyConfig {
            library,
            id,
            think,
            margin,
            reload,
            isolation,
            limits: _,
            sha256,
            watch: _,
            gate: _,
            params,
        } = &self.policy;
        let library = match library {
            LibraryChoice::Builtin => "builtin".into(),
            LibraryChoice::Name(name) | LibraryChoice::LikeId(name) => name.as_str().into(),
            LibraryChoice::Path(path) => path.file_name().unwrap_or_default().to_string_lossy(),
        };
        let reload = match reload {
            ReloadMode::Decision => "decision",
            ReloadMode::Game => "game",
            ReloadMode::Off => "off",
        };
        let isolation = match isolation {
            Isolation::Thread => "thread",
            Isolation::Process => "process",
        };
        let arena = self.arena.as_ref().filter(|arena| arena.address.is_some());
        let url = arena
            .and_then(|arena| arena.address.as_ref())
            .map(ToString::to_string);
        // The keys of objects of JSON are sorted here, so that the same config has the same text.
        let mut text = json!({
            "name": self.name,
            "players": arena.map(|arena| arena.players.unwrap_or(PLAYERS)),
            "url": url,
            "library": library,
            "id": id,
            "think_ms": think.map(|think| think.as_millis() as u64),
            "margin_ms": margin.as_millis() as u64,
            "reload": reload,
            "isolation": isolation,
            "sha256": sha256.map(|hash| hash.to_string()),
            "params": params,
        });
        // Only if there is one, so that the digests of other arenas stay as they were.
        if let Some(game) = self.arena.as_ref().and_then(|arena| arena.botzone_game) {
            text["botzone_game"] = game.name.into();
        }
        Sha256::of(text.to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::RawConfig;

    fn digest(file: &str, text: &str) -> String {
        let config = RawConfig::parse(Path::new(file), text)
            .resolve()
            .unwrap_or_else(|problems| panic!("{problems}"));
        config.digest().to_string()
    }

    #[test]
    fn the_same_config_has_the_same_digest_wherever_it_lies_and_another_policy_has_another() {
        let config = |token: &str, policy: &str| {
            format!(
                "name = \"kuma\"\n[arena]\nkind = \"riichilab\"\ntoken_env = {token:?}\n[policy]\n{policy}\n"
            )
        };
        let plain = config(
            "ONE",
            "id = \"greedy-tenpai\"\nparams = { kan = \"safe\", calls = \"yaku\" }",
        );
        let spelled = config(
            "TWO",
            "margin_ms = 250\nid = \"greedy-tenpai\"\n[policy.params]\ncalls = \"yaku\"\nkan = \"safe\"\n[records]",
        );
        assert_eq!(
            digest("a/kuma.toml", &plain),
            digest("b/kuma.toml", &spelled)
        );
        let other = config(
            "ONE",
            "id = \"greedy-tenpai\"\nparams = { kan = \"safe\", calls = \"never\" }",
        );
        assert_ne!(digest("a/kuma.toml", &plain), digest("a/kuma.toml", &other));
    }

    #[test]
    fn each_game_at_botzone_has_a_digest_of_its_own() {
        let config = |game: &str| {
            let arena = format!(
                "kind = \"botzone\"\ngame = {game:?}\nuser = \"kuma\"\nsecret_env = \"ONE\""
            );
            digest(
                "kuma.toml",
                &format!("name = \"kuma\"\n[arena]\n{arena}\n[policy]\nid = \"doudizhu-split\"\n"),
            )
        };
        assert_ne!(config("doudizhu"), config("doudizhu-bidding"));
        assert_eq!(config("doudizhu"), config("FightTheLandlord"));
    }

    #[test]
    fn the_digest_of_a_config_for_riichi_is_that_of_earlier_runners() {
        let config = "name = \"kuma\"\n[arena]\nkind = \"riichilab\"\ntoken_env = \"ONE\"\n[policy]\nid = \"greedy-tenpai\"\n";
        assert_eq!(
            digest("kuma.toml", config),
            "94c5862dd95b5c02967ce32fd76a93f97f4a2c144ee2b0fee5601184c08f6b1c"
        );
    }
}
