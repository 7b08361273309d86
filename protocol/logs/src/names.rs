//! What other programs call tiles, yaku and draws.

use riichi::event::DrawReason;
use riichi::referee::{RecordedFacts, ToldYaku};
use riichi::yaku::{YAKUMAN, Yaku};
use riichi::{Kind, Tile, Wind};

/// Our names of dora, as the parts of a score have them.
const DORA: &str = "dora";
const RED_FIVES: &str = "red fives";
const URA_DORA: &str = "ura dora";
const NORTH: &str = "north";
/// Tenhou counts a North that is set aside as a dora, so that the two cannot be told apart.
const DORA_AND_NORTH: &str = "dora and north";

/// The tile of a suit (0 characters, 1 dots, 2 bamboo, 3 honours) with this number; 0 is a red
/// five.
pub(crate) fn tile_of(suit: u8, number: u8) -> Option<Tile> {
    match (suit, number) {
        (0..=2, 0) => Tile::red_five(suit),
        (0..=2, 1..=9) => Some(Kind::new(9 * suit + number - 1)?.tile()),
        (3, 1..=7) => Some(Kind::new(27 + number - 1)?.tile()),
        _ => None,
    }
}

/// The suit with this letter.
pub(crate) fn suit_of(letter: char) -> Option<u8> {
    let suit = "mpsz".find(letter)?;
    u8::try_from(suit).ok()
}

/// A tile as Mahjong Soul writes it: `1m`, and `0m` for a red five.
pub(crate) fn tile_of_digit_first(name: &str) -> Option<Tile> {
    let mut letters = name.chars();
    let number = letters.next()?.to_digit(10)?;
    let suit = suit_of(letters.next()?)?;
    tile_of(suit, u8::try_from(number).ok()?).filter(|_| letters.next().is_none())
}

/// Tenhou's name of a yaku. Those of winds have the wind behind a space.
pub(crate) const fn tenhou_name(yaku: Yaku) -> &'static str {
    match yaku {
        Yaku::Riichi => "立直",
        Yaku::DoubleRiichi => "両立直",
        Yaku::Ippatsu => "一発",
        Yaku::MenzenTsumo => "門前清自摸和",
        Yaku::Haitei => "海底摸月",
        Yaku::Houtei => "河底撈魚",
        Yaku::Rinshan => "嶺上開花",
        Yaku::Chankan => "槍槓",
        Yaku::Pinfu => "平和",
        Yaku::Tanyao => "断幺九",
        Yaku::Iipeikou => "一盃口",
        Yaku::Haku => "役牌 白",
        Yaku::Hatsu => "役牌 發",
        Yaku::Chun => "役牌 中",
        Yaku::SeatWind => "自風",
        Yaku::RoundWind => "場風",
        Yaku::SanshokuDoujun => "三色同順",
        Yaku::Ittsuu => "一気通貫",
        Yaku::Chanta => "混全帯幺九",
        Yaku::Chiitoitsu => "七対子",
        Yaku::Toitoi => "対々和",
        Yaku::Sanankou => "三暗刻",
        Yaku::SanshokuDoukou => "三色同刻",
        Yaku::Sankantsu => "三槓子",
        Yaku::Shousangen => "小三元",
        Yaku::Honroutou => "混老頭",
        Yaku::Honitsu => "混一色",
        Yaku::Junchan => "純全帯幺九",
        Yaku::Ryanpeikou => "二盃口",
        Yaku::Chinitsu => "清一色",
        Yaku::Tenhou => "天和",
        Yaku::Chiihou => "地和",
        Yaku::Daisangen => "大三元",
        Yaku::Suuankou => "四暗刻",
        Yaku::SuuankouTanki => "四暗刻単騎",
        Yaku::Tsuuiisou => "字一色",
        Yaku::Ryuuiisou => "緑一色",
        Yaku::Chinroutou => "清老頭",
        Yaku::Kokushi => "国士無双",
        Yaku::KokushiThirteen => "国士無双１３面",
        Yaku::Shousuushii => "小四喜",
        Yaku::Daisuushii => "大四喜",
        Yaku::Suukantsu => "四槓子",
        Yaku::Chuuren => "九蓮宝燈",
        Yaku::ChuurenNine => "純正九蓮宝燈",
    }
}

/// Tenhou's names of dora, those that are set aside included, of red fives and of ura dora.
pub(crate) const TENHOU_DORA: [&str; 3] = ["ドラ", "赤ドラ", "裏ドラ"];

/// A wind as Tenhou writes it.
pub(crate) const fn tenhou_wind(wind: Wind) -> &'static str {
    ["東", "南", "西", "北"][wind as usize]
}

/// Our name of a yaku or sort of dora that Tenhou, Majiang or a converter for Tenhou's viewer calls
/// so; its own name if it is unknown.
pub(crate) fn our_name(name: &str, has_norths: bool) -> &str {
    let plain = name.trim().trim_start_matches("役牌:");
    let (first, wind) = plain.split_once([' ', '　']).unwrap_or((plain, ""));
    let is_wind = matches!(wind, "東" | "南" | "西" | "北");
    match first {
        "ドラ" if has_norths => return DORA_AND_NORTH,
        "ドラ" => return DORA,
        "赤ドラ" => return RED_FIVES,
        "裏ドラ" => return URA_DORA,
        "抜きドラ" => return NORTH,
        // Majiang's and Mahjong Soul's.
        "翻牌" | "役牌" => {
            return match wind {
                "白" => Yaku::Haku.name(),
                "發" | "発" => Yaku::Hatsu.name(),
                "中" => Yaku::Chun.name(),
                _ => name,
            };
        }
        "自風" | "自風牌" if is_wind || wind.is_empty() => return Yaku::SeatWind.name(),
        "場風" | "場風牌" if is_wind || wind.is_empty() => return Yaku::RoundWind.name(),
        "ダブル立直" => return Yaku::DoubleRiichi.name(),
        "国士無双十三面" | "国士無双十三面待ち" => {
            return Yaku::KokushiThirteen.name();
        }
        "混全帯么九" => return Yaku::Chanta.name(),
        "純全帯么九" => return Yaku::Junchan.name(),
        "断么九" => return Yaku::Tanyao.name(),
        _ => {}
    }
    match Yaku::all().find(|&yaku| tenhou_name(yaku) == plain) {
        Some(yaku) => yaku.name(),
        None => name,
    }
}

/// The yaku by Tenhou's number in an mjlog.
pub(crate) fn name_by_tenhou_number(number: usize, has_norths: bool) -> String {
    const YAKU: [Option<Yaku>; 52] = [
        Some(Yaku::MenzenTsumo),
        Some(Yaku::Riichi),
        Some(Yaku::Ippatsu),
        Some(Yaku::Chankan),
        Some(Yaku::Rinshan),
        Some(Yaku::Haitei),
        Some(Yaku::Houtei),
        Some(Yaku::Pinfu),
        Some(Yaku::Tanyao),
        Some(Yaku::Iipeikou),
        Some(Yaku::SeatWind),
        Some(Yaku::SeatWind),
        Some(Yaku::SeatWind),
        Some(Yaku::SeatWind),
        Some(Yaku::RoundWind),
        Some(Yaku::RoundWind),
        Some(Yaku::RoundWind),
        Some(Yaku::RoundWind),
        Some(Yaku::Haku),
        Some(Yaku::Hatsu),
        Some(Yaku::Chun),
        Some(Yaku::DoubleRiichi),
        Some(Yaku::Chiitoitsu),
        Some(Yaku::Chanta),
        Some(Yaku::Ittsuu),
        Some(Yaku::SanshokuDoujun),
        Some(Yaku::SanshokuDoukou),
        Some(Yaku::Sankantsu),
        Some(Yaku::Toitoi),
        Some(Yaku::Sanankou),
        Some(Yaku::Shousangen),
        Some(Yaku::Honroutou),
        Some(Yaku::Ryanpeikou),
        Some(Yaku::Junchan),
        Some(Yaku::Honitsu),
        Some(Yaku::Chinitsu),
        // Renhou, which is not played.
        None,
        Some(Yaku::Tenhou),
        Some(Yaku::Chiihou),
        Some(Yaku::Daisangen),
        Some(Yaku::Suuankou),
        Some(Yaku::SuuankouTanki),
        Some(Yaku::Tsuuiisou),
        Some(Yaku::Ryuuiisou),
        Some(Yaku::Chinroutou),
        Some(Yaku::Chuuren),
        Some(Yaku::ChuurenNine),
        Some(Yaku::Kokushi),
        Some(Yaku::KokushiThirteen),
        Some(Yaku::Daisuushii),
        Some(Yaku::Shousuushii),
        Some(Yaku::Suukantsu),
    ];
    let dora = if has_norths { DORA_AND_NORTH } else { DORA };
    match (YAKU.get(number), number) {
        (Some(Some(yaku)), _) => yaku.name().to_owned(),
        (_, 52) => dora.to_owned(),
        (_, 53) => URA_DORA.to_owned(),
        (_, 54) => RED_FIVES.to_owned(),
        _ => format!("yaku {number} of Tenhou"),
    }
}

/// The yaku by Mahjong Soul's number.
pub(crate) fn name_by_mahjong_soul_number(number: u64) -> String {
    let yaku = match number {
        1 => Yaku::MenzenTsumo,
        2 => Yaku::Riichi,
        3 => Yaku::Chankan,
        4 => Yaku::Rinshan,
        5 => Yaku::Haitei,
        6 => Yaku::Houtei,
        7 => Yaku::Haku,
        8 => Yaku::Hatsu,
        9 => Yaku::Chun,
        10 => Yaku::SeatWind,
        11 => Yaku::RoundWind,
        12 => Yaku::Tanyao,
        13 => Yaku::Iipeikou,
        14 => Yaku::Pinfu,
        15 => Yaku::Chanta,
        16 => Yaku::Ittsuu,
        17 => Yaku::SanshokuDoujun,
        18 => Yaku::DoubleRiichi,
        19 => Yaku::SanshokuDoukou,
        20 => Yaku::Sankantsu,
        21 => Yaku::Toitoi,
        22 => Yaku::Sanankou,
        23 => Yaku::Shousangen,
        24 => Yaku::Honroutou,
        25 => Yaku::Chiitoitsu,
        26 => Yaku::Junchan,
        27 => Yaku::Honitsu,
        28 => Yaku::Ryanpeikou,
        29 => Yaku::Chinitsu,
        30 => Yaku::Ippatsu,
        31 => return DORA.to_owned(),
        32 => return RED_FIVES.to_owned(),
        33 => return URA_DORA.to_owned(),
        34 => return NORTH.to_owned(),
        35 => Yaku::Tenhou,
        36 => Yaku::Chiihou,
        37 => Yaku::Daisangen,
        38 => Yaku::Suuankou,
        39 => Yaku::Tsuuiisou,
        40 => Yaku::Ryuuiisou,
        41 => Yaku::Chinroutou,
        42 => Yaku::Kokushi,
        43 => Yaku::Shousuushii,
        44 => Yaku::Suukantsu,
        45 => Yaku::Chuuren,
        47 => Yaku::ChuurenNine,
        48 => Yaku::SuuankouTanki,
        49 => Yaku::KokushiThirteen,
        50 => Yaku::Daisuushii,
        _ => return format!("yaku {number} of Mahjong Soul"),
    };
    yaku.name().to_owned()
}

/// What a log says of a win: each yaku with its han, and fu and points if it has them. Parts of no
/// han are left out. Of a yakuman the fu mean nothing.
pub(crate) fn told_of_win(
    parts: Vec<(String, i64)>,
    fu: Option<i64>,
    points: Option<i64>,
) -> RecordedFacts {
    let parts: Vec<(String, i64)> = parts.into_iter().filter(|(_, han)| *han > 0).collect();
    let is_yakuman = parts.iter().any(|(_, han)| *han >= i64::from(YAKUMAN));
    let sum = parts
        .iter()
        .fold(0_i64, |sum, (_, han)| sum.saturating_add(*han));
    RecordedFacts {
        han: (!parts.is_empty()).then_some(("han", sum)),
        fu: fu.filter(|_| !is_yakuman),
        points,
        yaku: (!parts.is_empty()).then_some(ToldYaku {
            field: "yaku",
            parts,
        }),
        ..RecordedFacts::default()
    }
}

/// The reason that Tenhou, Majiang or a converter for Tenhou's viewer calls so; `None` for an
/// unknown one.
pub(crate) fn draw_reason(name: &str) -> Option<DrawReason> {
    let name = name.trim().to_lowercase();
    Some(match name.as_str() {
        "流局" | "荒牌平局" | "全員聴牌" | "全員不聴" | "ryuukyoku" | "exhaustive draw" => {
            DrawReason::Exhaustive
        }
        "流し満貫" | "nagashi mangan" | "mangan at draw" => DrawReason::NagashiMangan,
        "九種九牌" | "kyuushu kyuuhai" | "nine terminal abort" => DrawReason::NineTerminals,
        "四風連打" | "suufon renda" | "four wind abort" => DrawReason::FourWinds,
        "四槓散了" | "四開槓" | "suukaikan" | "four kan abort" => DrawReason::FourKans,
        "四家立直" | "suucha riichi" | "four riichi abort" => DrawReason::FourRiichi,
        "三家和了" | "三家和" | "sanchahou" | "triple ron abort" => DrawReason::ThreeWinners,
        _ => return None,
    })
}

/// Tenhou's name of a reason for a draw.
pub(crate) const fn tenhou_draw_name(reason: Option<DrawReason>) -> &'static str {
    match reason {
        Some(DrawReason::NagashiMangan) => "流し満貫",
        Some(DrawReason::NineTerminals) => "九種九牌",
        Some(DrawReason::FourWinds) => "四風連打",
        Some(DrawReason::FourKans) => "四槓散了",
        Some(DrawReason::FourRiichi) => "四家立直",
        Some(DrawReason::ThreeWinners) => "三家和了",
        Some(DrawReason::Exhaustive | DrawReason::IllegalAction(_)) | None => "流局",
    }
}
