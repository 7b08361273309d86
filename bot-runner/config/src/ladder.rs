//! The `[ladder]` section: where the arena publishes what became of ranked games.

use ladder::{LadderAddress, RIICHILAB_API, RIICHILAB_LOGS};
use policy_section::Section;

use super::bot_config::LadderConfig;

pub(super) fn read_ladder(mut section: Section<'_>) -> Option<LadderConfig> {
    let bot_id = section.whole("bot_id", "numbers", 1..=u32::MAX);
    if bot_id.is_none() && !section.is_wrong("bot_id") {
        let message =
            "the key is missing; give the bot's number, which `bot-runner ladder find NAME` shows";
        section.refuse_missing("bot_id", message);
    }
    let mut address = |key: &'static str, usual: &str| {
        let text = section.text(key);
        LadderAddress::parse(text.as_deref().unwrap_or(usual))
            .map_err(|bad| section.refuse(key, bad.to_string()))
            .ok()
    };
    let (api, logs) = (
        address("api", RIICHILAB_API),
        address("logs", RIICHILAB_LOGS),
    );
    section.finish();
    Some(LadderConfig {
        bot_id: bot_id?.into(),
        api: api?,
        logs: logs?,
    })
}
