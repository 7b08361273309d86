//! The four demo bots, for users without a config.

use std::path::Path;

use config::RawConfig;

const CONFIGS: [(&str, &str); 4] = [
    (
        "configs/demo/kuma.toml",
        include_str!("../../configs/demo/kuma.toml"),
    ),
    (
        "configs/demo/neko.toml",
        include_str!("../../configs/demo/neko.toml"),
    ),
    (
        "configs/demo/risu.toml",
        include_str!("../../configs/demo/risu.toml"),
    ),
    (
        "configs/demo/tanuki.toml",
        include_str!("../../configs/demo/tanuki.toml"),
    ),
];

/// Their configs, the same as in `configs/demo/`.
pub fn configs() -> Vec<RawConfig> {
    CONFIGS
        .iter()
        .map(|(file, text)| RawConfig::parse(Path::new(file), text))
        .collect()
}
