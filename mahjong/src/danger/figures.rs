//! The measured figures.

use super::{Class, Threat, Traits};

/// Columns of [`Figures::chance`]: 0-2, 3-5, 6-8, 9-11, 12-14, and 15-18 two-sided waits that are not shut.
pub const LINE_COLUMNS: usize = 6;
/// Columns of [`TENPAI`]: 0-3, 4-6, 7-9, 10-12, 13-15, and 16 or more tiles thrown.
pub const TURN_COLUMNS: usize = 6;

/// What tenpai hands of one sort wait for.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// How likely a tenpai hand is to win on a kind: a row for each class, a column by the two-sided waits that are
    /// left.
    pub chance: [[f32; LINE_COLUMNS]; Class::COUNT],
    /// Factors by [`DoraTrait`](super::DoraTrait): far, near, beside, is dora.
    pub dora: [f32; 4],
    /// Factors by [`OutsideTrait`](super::OutsideTrait): no, early five, early, very early.
    pub outside: [f32; 4],
    /// Factors by [`RiichiTrait`](super::RiichiTrait): no, beside, suji.
    pub riichi: [f32; 3],
    /// Factors by [`Copies`](super::Copies): three, two, one, none.
    pub copies: [f32; 4],
    /// Factors by [`SuitTrait`](super::SuitTrait): none collected, honour, the collected one, another.
    pub suit: [f32; 4],
}

impl Figures {
    /// How likely a tenpai hand is to win on a kind, with so many two-sided waits left in all.
    #[must_use]
    pub fn chance(&self, class: Class, lines: usize, traits: &Traits) -> f32 {
        let Some(class) = class.index() else { return 0.0 };
        let chance = self.chance[class][line_column(lines)]
            * self.dora[traits.dora as usize]
            * self.outside[traits.outside as usize]
            * self.riichi[traits.riichi as usize]
            * self.copies[traits.copies as usize]
            * self.suit[traits.suit as usize];
        chance.min(1.0)
    }
}

/// What a deal-in costs on average, points without honba: to others, and to the dealer.
#[must_use]
pub const fn loss(threat: Threat, dealer: bool, shown_han: u8) -> f32 {
    let row = dealer as usize;
    match threat {
        Threat::Riichi => RIICHI_LOSS[row],
        Threat::Melds { .. } => OPEN_LOSS[row][if shown_han < 4 { shown_han as usize } else { 4 }],
    }
}

/// The column of [`Figures::chance`] for so many two-sided waits.
#[must_use]
pub const fn line_column(lines: usize) -> usize {
    if lines / 3 < LINE_COLUMNS { lines / 3 } else { LINE_COLUMNS - 1 }
}

/// The column of [`TENPAI`] for so many tiles thrown.
#[must_use]
pub const fn turn_column(turns: u8) -> usize {
    let column = turns.saturating_sub(1) as usize / 3;
    if column < TURN_COLUMNS { column } else { TURN_COLUMNS - 1 }
}

/// How likely a hand is to be tenpai.
#[must_use]
pub const fn tenpai(threat: Threat) -> f32 {
    match threat {
        Threat::Riichi => 1.0,
        Threat::Melds { melds, turns } => TENPAI[if melds < 4 { melds as usize } else { 4 }][turn_column(turns)],
    }
}

/// How likely a hand without riichi is to be tenpai: a row for each number of melds from 0 to 4, a column by the tiles
/// it has thrown. Behind each row its samples.
pub const TENPAI: [[f32; TURN_COLUMNS]; 5] = [
    [0.000, 0.001, 0.004, 0.006, 0.011, 0.034], // 1728740
    [0.026, 0.131, 0.291, 0.423, 0.506, 0.555], // 208704
    [0.175, 0.349, 0.548, 0.691, 0.775, 0.791], // 56038
    [0.739, 0.739, 0.861, 0.949, 0.946, 0.944], // 5793
    [1.000, 1.000, 1.000, 1.000, 1.000, 1.000], // 114
];

/// What a deal-in to a riichi costs, points: to others than the dealer, and to the dealer. Behind each its samples.
pub const RIICHI_LOSS: [f32; 2] = [
    5900.0, // 3855
    8800.0, // 1550
];

/// What a deal-in to a hand without riichi costs, points: a row for others than the dealer and one for the dealer, a
/// column by the han that its melds show, from 0 to 4 or more. Behind each row its samples.
pub const OPEN_LOSS: [[f32; 5]; 2] = [
    [2900.0, 2700.0, 4100.0, 8900.0, 9000.0],   // 822, 1318, 110, 15, 72
    [4500.0, 4100.0, 7300.0, 10700.0, 14700.0], // 282, 481, 46, 5, 15
];

/// Factors to what a deal-in costs by [`DoraTrait`](super::DoraTrait): far, near, beside, is dora. Samples: 7317, 441, 477, 336.
pub const DORA_LOSS: [f32; 4] = [1.00, 1.23, 1.24, 1.63];

/// What hands in riichi wait for. Above each row its samples.
pub const RIICHI: Figures = Figures {
    chance: [
        // guest wind, 0 unseen: 5, 29, 118, 249, 194, 46
        [0.0003, 0.0002, 0.0001, 0.0001, 0.0001, 0.0001],
        // guest wind, 1 unseen: 267, 1262, 2071, 2121, 1309, 274
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        // guest wind, 2 unseen: 313, 1267, 2063, 2472, 1871, 554
        [0.0574, 0.0268, 0.0212, 0.0144, 0.0090, 0.0049],
        // guest wind, 3 unseen: 127, 509, 848, 1001, 945, 420
        [0.0451, 0.0441, 0.0370, 0.0295, 0.0211, 0.0153],
        // value honour, 0 unseen: 11, 61, 169, 340, 334, 79
        [0.0096, 0.0198, 0.0036, 0.0021, 0.0018, 0.0024],
        // value honour, 1 unseen: 447, 2077, 4174, 4125, 2520, 503
        [0.0036, 0.0019, 0.0008, 0.0007, 0.0015, 0.0015],
        // value honour, 2 unseen: 737, 3162, 5045, 5920, 4461, 1272
        [0.0505, 0.0343, 0.0221, 0.0128, 0.0097, 0.0090],
        // value honour, 3 unseen: 328, 1489, 2564, 2908, 2772, 1510
        [0.0813, 0.0565, 0.0431, 0.0317, 0.0248, 0.0153],
        // 1 9, shut, pair waits only: 3116, 10940, 13039, 9433, 3454, 264
        [0.0451, 0.0264, 0.0171, 0.0131, 0.0104, 0.0094],
        // 1 9, one-chance: 524, 4851, 9211, 9196, 4749, 666
        [0.1256, 0.0912, 0.0657, 0.0430, 0.0313, 0.0260],
        // 1 9, open: 719, 8799, 22999, 34518, 30761, 10414
        [0.1747, 0.1213, 0.0869, 0.0678, 0.0520, 0.0375],
        // 2 8, shut, pair waits only: 1735, 5114, 4387, 1862, 321, 7
        [0.0559, 0.0308, 0.0236, 0.0205, 0.0187, 0.0169],
        // 2 8, shut: 4798, 15901, 18271, 12813, 4440, 330
        [0.1064, 0.0590, 0.0439, 0.0328, 0.0311, 0.0210],
        // 2 8, one-chance: 743, 7273, 12730, 11521, 4743, 540
        [0.1487, 0.1116, 0.0760, 0.0568, 0.0448, 0.0377],
        // 2 8, open: 1465, 18389, 46584, 63334, 49433, 13376
        [0.1801, 0.1474, 0.1110, 0.0869, 0.0696, 0.0599],
        // 3 7, shut, pair waits only: 1124, 3215, 2159, 662, 57, 0
        [0.0497, 0.0269, 0.0170, 0.0106, 0.0148, 0.0145],
        // 3 7, shut: 8009, 28521, 31561, 19979, 6162, 394
        [0.1600, 0.0970, 0.0688, 0.0544, 0.0446, 0.0422],
        // 3 7, one-chance: 1032, 9040, 15439, 12647, 4654, 432
        [0.2046, 0.1389, 0.1073, 0.0779, 0.0705, 0.0549],
        // 3 7, open: 2277, 26052, 63130, 82690, 60400, 14658
        [0.2280, 0.1759, 0.1277, 0.1051, 0.0883, 0.0732],
        // 4 6, shut, pair waits only: 1464, 3661, 2450, 570, 32, 0
        [0.0658, 0.0403, 0.0263, 0.0316, 0.0344, 0.0230],
        // 4 6, shut: 6710, 21692, 20931, 11172, 2842, 135
        [0.0883, 0.0601, 0.0491, 0.0376, 0.0343, 0.0313],
        // 4 6, one-chance and shut: 1686, 11048, 15498, 9706, 2641, 124
        [0.1828, 0.1179, 0.0814, 0.0562, 0.0390, 0.0391],
        // 4 6, open and shut: 3129, 28299, 53742, 53381, 26505, 3457
        [0.1906, 0.1364, 0.1009, 0.0782, 0.0623, 0.0440],
        // 4 6, one-chance and one-chance: 52, 968, 2086, 1850, 549, 29
        [0.2248, 0.1977, 0.1253, 0.0912, 0.0629, 0.0672],
        // 4 6, open and one-chance: 137, 4589, 13061, 16447, 8883, 1029
        [0.2880, 0.2061, 0.1508, 0.1129, 0.0836, 0.0530],
        // 4 6, open and open: 107, 4156, 18874, 36918, 37625, 11924
        [0.2804, 0.2114, 0.1706, 0.1306, 0.1009, 0.0765],
        // 5, shut, pair waits only: 890, 1978, 1178, 293, 19, 0
        [0.0776, 0.0694, 0.0494, 0.0362, 0.0428, 0.0344],
        // 5, shut: 3711, 11914, 11606, 6233, 1535, 101
        [0.0934, 0.0700, 0.0495, 0.0456, 0.0255, 0.0246],
        // 5, one-chance and shut: 686, 5582, 7336, 4436, 1206, 62
        [0.1552, 0.0967, 0.0756, 0.0487, 0.0426, 0.0358],
        // 5, open and shut: 1458, 14627, 27559, 25787, 12679, 1541
        [0.1760, 0.1396, 0.1020, 0.0795, 0.0637, 0.0493],
        // 5, one-chance and one-chance: 24, 536, 982, 800, 246, 15
        [0.2314, 0.1837, 0.1192, 0.0895, 0.0598, 0.0682],
        // 5, open and one-chance: 75, 2210, 6386, 7958, 3982, 477
        [0.2557, 0.2075, 0.1434, 0.1090, 0.0831, 0.0604],
        // 5, open and open: 44, 2486, 11133, 21289, 20706, 6178
        [0.2649, 0.1948, 0.1584, 0.1217, 0.0941, 0.0727],
    ],
    dora: [1.00, 1.08, 1.09, 1.30],
    outside: [1.00, 0.79, 0.33, 0.30],
    riichi: [1.00, 1.08, 1.31],
    copies: [1.00, 0.98, 0.96, 1.11],
    suit: [1.00, 1.02, 1.02, 1.02],
};

/// What tenpai hands without riichi wait for. Above each row its samples.
pub const OPEN: Figures = Figures {
    chance: [
        // guest wind, 0 unseen: 0, 0, 2, 4, 13, 1
        [0.0114, 0.0087, 0.0064, 0.0048, 0.0036, 0.0028],
        // guest wind, 1 unseen: 14, 284, 1074, 1711, 1105, 143
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        // guest wind, 2 unseen: 18, 231, 763, 1716, 1492, 302
        [0.0077, 0.0070, 0.0039, 0.0041, 0.0030, 0.0010],
        // guest wind, 3 unseen: 10, 67, 310, 679, 663, 213
        [0.0191, 0.0118, 0.0097, 0.0115, 0.0075, 0.0027],
        // value honour, 0 unseen: 0, 0, 9, 13, 26, 1
        [0.0048, 0.0037, 0.0026, 0.0020, 0.0015, 0.0012],
        // value honour, 1 unseen: 19, 457, 1798, 2894, 1804, 228
        [0.0024, 0.0056, 0.0015, 0.0004, 0.0005, 0.0004],
        // value honour, 2 unseen: 19, 464, 1873, 3782, 3119, 570
        [0.0260, 0.0266, 0.0110, 0.0060, 0.0045, 0.0025],
        // value honour, 3 unseen: 16, 158, 662, 1466, 1555, 494
        [0.0515, 0.0497, 0.0341, 0.0256, 0.0188, 0.0073],
        // 1 9, shut, pair waits only: 176, 2407, 6969, 7996, 2979, 132
        [0.0379, 0.0248, 0.0185, 0.0134, 0.0057, 0.0104],
        // 1 9, one-chance: 16, 1011, 5064, 8180, 4669, 443
        [0.0744, 0.1032, 0.0454, 0.0263, 0.0188, 0.0098],
        // 1 9, open: 29, 1432, 9310, 22774, 23275, 5212
        [0.1635, 0.1634, 0.0981, 0.0693, 0.0452, 0.0305],
        // 2 8, shut, pair waits only: 127, 1783, 3757, 2066, 295, 6
        [0.0673, 0.0271, 0.0313, 0.0295, 0.0228, 0.0158],
        // 2 8, shut: 163, 2958, 8584, 9241, 3485, 146
        [0.1023, 0.0744, 0.0534, 0.0357, 0.0319, 0.0245],
        // 2 8, one-chance: 28, 1574, 7656, 10549, 4876, 354
        [0.1777, 0.1635, 0.0997, 0.0648, 0.0481, 0.0393],
        // 2 8, open: 51, 2936, 19266, 44589, 37393, 6976
        [0.2601, 0.2560, 0.1726, 0.1215, 0.0893, 0.0670],
        // 3 7, shut, pair waits only: 96, 1306, 1996, 807, 52, 0
        [0.0606, 0.0385, 0.0354, 0.0180, 0.0199, 0.0167],
        // 3 7, shut: 346, 5246, 15191, 15291, 5030, 221
        [0.1599, 0.0848, 0.0775, 0.0593, 0.0543, 0.0500],
        // 3 7, one-chance: 55, 2156, 9541, 11962, 4998, 297
        [0.2673, 0.1858, 0.1360, 0.0841, 0.0772, 0.0790],
        // 3 7, open: 94, 4565, 27866, 58672, 45574, 7500
        [0.3313, 0.2658, 0.1991, 0.1530, 0.1154, 0.0892],
        // 4 6, shut, pair waits only: 144, 1384, 2130, 749, 54, 0
        [0.0514, 0.0362, 0.0128, 0.0153, 0.0134, 0.0114],
        // 4 6, shut: 218, 3649, 9128, 8079, 2364, 93
        [0.0823, 0.0578, 0.0456, 0.0405, 0.0338, 0.0215],
        // 4 6, one-chance and shut: 80, 2671, 9458, 9102, 2566, 94
        [0.1767, 0.1239, 0.0823, 0.0564, 0.0502, 0.0392],
        // 4 6, open and shut: 116, 4857, 23161, 36684, 19430, 1944
        [0.2590, 0.2081, 0.1416, 0.1096, 0.0763, 0.0508],
        // 4 6, one-chance and one-chance: 0, 274, 1600, 2141, 746, 22
        [0.2067, 0.1860, 0.1297, 0.0614, 0.0573, 0.0472],
        // 4 6, open and one-chance: 2, 913, 7157, 14079, 8373, 768
        [0.3078, 0.2861, 0.1884, 0.1295, 0.0889, 0.0623],
        // 4 6, open and open: 0, 670, 7444, 24392, 27281, 6031
        [0.3054, 0.2345, 0.1877, 0.1508, 0.1121, 0.0788],
        // 5, shut, pair waits only: 67, 747, 988, 350, 20, 0
        [0.1083, 0.0486, 0.0249, 0.0423, 0.0263, 0.0206],
        // 5, shut: 108, 1947, 4895, 4307, 1199, 50
        [0.1584, 0.0975, 0.0785, 0.0608, 0.0485, 0.0343],
        // 5, one-chance and shut: 37, 1476, 4851, 4579, 1233, 66
        [0.2002, 0.1104, 0.1008, 0.0715, 0.0789, 0.0459],
        // 5, open and shut: 75, 2464, 11911, 17824, 9267, 827
        [0.2758, 0.2118, 0.1549, 0.1117, 0.0878, 0.0549],
        // 5, one-chance and one-chance: 0, 142, 866, 1074, 332, 13
        [0.2761, 0.2287, 0.1267, 0.1122, 0.0982, 0.0646],
        // 5, open and one-chance: 0, 431, 3842, 7340, 3981, 337
        [0.3452, 0.2781, 0.2017, 0.1360, 0.1190, 0.0850],
        // 5, open and open: 0, 352, 4513, 14669, 15175, 3294
        [0.3469, 0.3061, 0.2229, 0.1706, 0.1200, 0.0890],
    ],
    dora: [1.00, 0.98, 1.02, 1.24],
    outside: [1.00, 0.64, 0.37, 0.22],
    riichi: [1.00, 0.97, 0.97],
    copies: [1.00, 0.82, 0.61, 0.43],
    suit: [1.00, 2.38, 0.93, 1.13],
};
