//! The arenas' spellings of the reasons for a draw.

use std::borrow::Cow;

use riichi::Seat;
use riichi::event::DrawReason;

/// RiichiLab's text before the number of the seat that acted illegally.
const ILLEGAL: &str = "Error: Illegal Action by Player ";

/// The reason with this name, at RiichiLab or the original server; `None` for an unknown one.
pub(super) fn draw_reason(name: &str) -> Option<DrawReason> {
    Some(match name {
        "exhaustive_draw" | "fanpai" => DrawReason::Exhaustive,
        "nagashimangan" => DrawReason::NagashiMangan,
        "kyushu_kyuhai" | "kyushukyuhai" => DrawReason::NineTerminals,
        "sufuurenta" | "sufonrenta" => DrawReason::FourWinds,
        "suukansansen" | "sukaikan" => DrawReason::FourKans,
        "suucha_riichi" | "suchareach" => DrawReason::FourRiichi,
        "sanchaho" => DrawReason::ThreeWinners,
        _ => DrawReason::IllegalAction(Seat::new(name.strip_prefix(ILLEGAL)?.parse().ok()?)?),
    })
}

/// RiichiLab's name of a reason.
pub fn draw_reason_name(reason: DrawReason) -> Cow<'static, str> {
    Cow::Borrowed(match reason {
        DrawReason::Exhaustive => "exhaustive_draw",
        DrawReason::NagashiMangan => "nagashimangan",
        DrawReason::NineTerminals => "kyushu_kyuhai",
        DrawReason::FourWinds => "sufuurenta",
        DrawReason::FourKans => "suukansansen",
        DrawReason::FourRiichi => "suucha_riichi",
        DrawReason::ThreeWinners => "sanchaho",
        DrawReason::IllegalAction(seat) => return Cow::Owned(format!("{ILLEGAL}{seat}")),
    })
}
