//! The arguments of `init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use policy_host::GameKind;

use super::numbers::number;

/// The answers to the questions of `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The arena where the bot plays
    #[arg(long, value_enum)]
    pub arena: Option<InitArena>,
    /// The game (at riichilab and mjsonp: riichi)
    #[arg(long, value_enum)]
    pub game: Option<InitGame>,
    /// Number of players at a table of riichi, 4 or 3 (default: 4)
    #[arg(long, value_parser = number::<u8>(3..=4))]
    pub players: Option<u8>,
    /// The arena's address (default: the public one, or mjsonp://127.0.0.1:11600/default)
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// The user's id in the address that Botzone's menu shows (default: none, for a program under
    /// Botzone's judge)
    #[arg(long, value_name = "ID")]
    pub user: Option<String>,
    /// The bot's name, 1 to 40 characters
    #[arg(long)]
    pub name: Option<String>,
    /// The file with the token (at Botzone the account's secret), mode 0600; a missing file is
    /// created with a token that `init` asks for or reads from standard input
    #[arg(long, value_name = "FILE", conflicts_with = "token_env")]
    pub token_file: Option<PathBuf>,
    /// The environment variable with the token (at Botzone the account's secret)
    #[arg(long, value_name = "NAME")]
    pub token_env: Option<String>,
    /// The bot's number on RiichiLab's ladder, which `bot-runner ladder find NAME` shows; its games
    /// are then recorded, stored in results.db and looked for there
    #[arg(long, value_name = "ID", value_parser = number::<u32>(1..=u32::MAX))]
    pub ladder: Option<u32>,
    /// The policy that decides
    #[arg(long, value_name = "ID", value_parser = super::names::PolicyId, hide_possible_values = true)]
    pub policy: Option<String>,
    /// The command of your program or engine, for a policy that asks one, such as program or
    /// mjai-engine; it runs in the config's folder
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<String>,
    /// When the engine replies, for mjai-engine (default: found out by trying)
    #[arg(long, value_enum)]
    pub replies: Option<EngineReplies>,
    /// The config to write (default: the bot's name and .toml)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// When an engine replies, by the name in configs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineReplies {
    /// One event a line, and a reply where it can act
    WhenAsked,
    /// One event a line, and a reply to each line
    EveryLine,
    /// A list of events a line, and a reply to each list
    EveryBatch,
}

impl EngineReplies {
    /// Its name in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WhenAsked => "when-asked",
            Self::EveryLine => "every-line",
            Self::EveryBatch => "every-batch",
        }
    }
}

/// The arena where a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InitArena {
    /// riichi.dev: ranked riichi
    Riichilab,
    /// botzone.org.cn: Chinese Standard mahjong and Dou Dizhu
    Botzone,
    /// A server of the original mjai protocol
    Mjsonp,
    /// No arena: for play, tournament, tune and stdio
    None,
}

/// A game, by its name in configs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InitGame {
    /// Riichi mahjong
    Riichi,
    /// Chinese Standard mahjong
    ChineseStandard,
    /// Dou Dizhu
    #[value(name = "doudizhu")]
    DouDizhu,
    /// Dou Dizhu with bidding, which Botzone has too
    #[value(name = "doudizhu-bidding")]
    DouDizhuBidding,
}

impl InitGame {
    /// Its name in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DouDizhuBidding => "doudizhu-bidding",
            game => game.kind().name(),
        }
    }

    pub const fn kind(self) -> GameKind {
        match self {
            Self::Riichi => GameKind::Riichi,
            Self::ChineseStandard => GameKind::Mcr,
            Self::DouDizhu | Self::DouDizhuBidding => GameKind::DouDizhu,
        }
    }
}

impl InitArena {
    pub const fn games(self) -> &'static [InitGame] {
        match self {
            Self::Riichilab | Self::Mjsonp => &[InitGame::Riichi],
            Self::Botzone => &[
                InitGame::ChineseStandard,
                InitGame::DouDizhu,
                InitGame::DouDizhuBidding,
            ],
            Self::None => &[
                InitGame::Riichi,
                InitGame::ChineseStandard,
                InitGame::DouDizhu,
            ],
        }
    }
}
