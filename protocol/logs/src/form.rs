//! The forms of logs.

use std::fmt;

/// The form of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogForm {
    /// An event a line: mjai in any dialect, and our records.
    Lines,
    /// mjai's events as lists.
    MjaiLists,
    /// The JSON of Tenhou's viewer (<https://tenhou.net/6>).
    TenhouJson,
    /// Tenhou's XML.
    Mjlog,
    /// The JSON of Majiang.
    Majiang,
    /// A record of Mahjong Soul as JSON.
    MahjongSoul,
    /// The text form of the Chinese Standard mahjong competitions at Botzone.
    ChineseStandard,
}

impl LogForm {
    /// All forms that are read.
    pub const ALL: [Self; 7] = [
        Self::Lines,
        Self::MjaiLists,
        Self::TenhouJson,
        Self::Mjlog,
        Self::Majiang,
        Self::MahjongSoul,
        Self::ChineseStandard,
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.to_string() == name)
    }
}

impl fmt::Display for LogForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines => "mjai",
            Self::MjaiLists => "mjai in lists",
            Self::TenhouJson => "Tenhou JSON",
            Self::Mjlog => "Tenhou mjlog",
            Self::Majiang => "Majiang",
            Self::MahjongSoul => "Mahjong Soul",
            Self::ChineseStandard => "Chinese Standard competition",
        })
    }
}
