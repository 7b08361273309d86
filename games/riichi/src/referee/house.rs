//! The known rule sets, and the habits of records.

use arrayvec::ArrayVec;

use crate::event::{Event, StartKyoku};
use crate::rules::{Length, Preset, Rules};

/// Maximum number of [`Span`]s.
const MAX_SPANS: usize = 9;

/// What a record is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HouseRules {
    /// The rules but for the length of the game and its points, which [`Span`] has.
    pub(super) rules: Rules,
    /// The indicator of an open or added kan is turned after the discard that follows, not before
    /// it.
    pub(super) dora_after_discard: bool,
    /// Some riichi are never paid, neither by an event nor in the scores: an error that is known of
    /// some records.
    pub(super) has_unpaid_riichi: bool,
    /// The record has the ends of rounds: mjai.app sends no wins and draws.
    pub(super) has_results: bool,
    /// The record has an event after the end of each round.
    pub(super) has_round_ends: bool,
}

/// How long a game may last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) length: Length,
    pub(super) return_points: i32,
}

impl HouseRules {
    /// Those that a record may be played by, the usual one first, and at the end the usual one with
    /// an error that only a record without any other contradiction is forgiven. None without a
    /// round.
    pub(super) fn candidates(events: &[Event]) -> Vec<Self> {
        let first = events.iter().find_map(|event| match event {
            Event::StartKyoku(start) => Some(start),
            _ => None,
        });
        let Some(first) = first else {
            return Vec::new();
        };
        let players = first.tehais.players();
        let has = |wanted: fn(&Event) -> bool| events.iter().any(wanted);
        let has_results = has(|event| matches!(event, Event::Hora(_) | Event::Ryukyoku { .. }));
        let has_round_ends = has(|event| matches!(event, Event::EndKyoku));
        let has_red = events.iter().any(shows_red);
        let mut houses = Vec::new();
        // Tenhou also has tables with four red fives, and without open tanyao.
        let reds = |rules: Rules| if has_red { rules.red_fives } else { 0 };
        for (more_reds, open_tanyao) in [(false, true), (false, false), (true, true)] {
            if more_reds && (players == 3 || !has_red) {
                continue;
            }
            for dora_after_discard in [false, true] {
                for preset in [Preset::Tenhou, Preset::MahjongSoul] {
                    let rules = preset.rules().with_players(players);
                    let red_fives = reds(rules) + u8::from(more_reds);
                    let rules = Rules {
                        open_tanyao,
                        red_fives,
                        ..rules
                    };
                    houses.push(Self {
                        rules,
                        dora_after_discard,
                        has_unpaid_riichi: false,
                        has_results,
                        has_round_ends,
                    });
                }
            }
        }
        houses.extend(houses.first().map(|usual| Self {
            has_unpaid_riichi: true,
            ..*usual
        }));
        houses
    }

    /// How long a game that begins with these points may last.
    pub(super) fn spans(&self, start: Option<i32>) -> ArrayVec<Span, MAX_SPANS> {
        let usual = self.rules.return_points;
        let start = start.filter(|&start| start != self.rules.start_points);
        // Of a game that begins with other points it is not known how many end it.
        let points = || {
            std::iter::once(usual).chain(
                start
                    .into_iter()
                    .flat_map(|start| [start, start.saturating_add(5_000)]),
            )
        };
        let lengths = [Length::Half, Length::East, Length::Single];
        lengths
            .into_iter()
            .flat_map(|length| {
                points().map(move |return_points| Span {
                    length,
                    return_points,
                })
            })
            .collect()
    }
}

impl Span {
    pub(super) fn rules(self, house: &HouseRules) -> Rules {
        Rules {
            length: self.length,
            return_points: self.return_points,
            ..house.rules
        }
    }
}

fn shows_red(event: &Event) -> bool {
    match *event {
        Event::StartKyoku(StartKyoku {
            ref tehais,
            dora_marker,
            ..
        }) => {
            dora_marker.is_red()
                || tehais
                    .iter()
                    .any(|(_, hand)| hand.is_some_and(|hand| hand.iter().any(|tile| tile.is_red())))
        }
        Event::Tsumo { tile, .. } => tile.is_some_and(|tile| tile.is_red()),
        Event::Dahai { tile, .. } => tile.is_red(),
        Event::Dora { marker } => marker.is_red(),
        Event::Chi { consumed, .. } | Event::Pon { consumed, .. } => {
            consumed.iter().any(|tile| tile.is_red())
        }
        Event::Daiminkan { consumed, .. } => consumed.iter().any(|tile| tile.is_red()),
        Event::Ankan { consumed, .. } => consumed.iter().any(|tile| tile.is_red()),
        Event::Kakan { tile, .. } => tile.is_red(),
        Event::Hora(ref hora) => hora.ura_markers.to_vec().iter().any(|tile| tile.is_red()),
        _ => false,
    }
}
