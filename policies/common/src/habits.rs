//! The parameters that every strategy takes.

use policy_sdk::{BadParameter, Choice, Param, Params};

/// The parameter `calls`: whether runs and triplets are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    Never,
    /// If the strategy wants them and a yaku stays certain
    /// ([`yaku_is_certain`](riichi::yaku::yaku_is_certain)).
    Yaku,
}

impl Calls {
    pub const fn param(default: Self) -> Param {
        const CHOICES: &[Choice] = &[Choice::new("never"), Choice::new("yaku")];
        let default = match default {
            Self::Never => "never",
            Self::Yaku => "yaku",
        };
        Param::choice(
            "calls",
            default,
            CHOICES,
            "Whether to call: never, or where it helps and a yaku stays certain.",
        )
    }
}

/// The parameter `kan`: whether kans are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kans {
    Never,
    /// If shanten and waits stay the same.
    Safe,
}

impl Kans {
    pub const fn param(default: Self) -> Param {
        const CHOICES: &[Choice] = &[Choice::new("never"), Choice::new("safe")];
        let default = match default {
            Self::Never => "never",
            Self::Safe => "safe",
        };
        Param::choice(
            "kan",
            default,
            CHOICES,
            "Whether to make kans: never, or where waits and shanten stay unchanged.",
        )
    }
}

/// The settings of the parameters that every strategy takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    pub calls: Calls,
    pub kans: Kans,
    /// Whether it declares the draw by nine terminals.
    pub kyushu: bool,
}

impl Habits {
    /// The parameter `kyushu`, true for every strategy.
    pub const KYUSHU: Param = Param::boolean(
        "kyushu",
        true,
        "Whether to declare the draw by nine terminals.",
    );

    /// Reads the three parameters.
    ///
    /// # Errors
    ///
    /// If the strategy has not described one of them.
    pub fn read(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self {
            calls: if params.choice("calls")? == "yaku" {
                Calls::Yaku
            } else {
                Calls::Never
            },
            kans: if params.choice("kan")? == "safe" {
                Kans::Safe
            } else {
                Kans::Never
            },
            kyushu: params.boolean("kyushu")?,
        })
    }
}
