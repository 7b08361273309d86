//! Replays records of riichi.

use protocol::game_record::{RecordedGame, RiichiLineForm};
use riichi::acceptance::discard_options;
use riichi::game::{RiichiGame, RoundId};
use riichi::notation::Tiles;
use riichi::referee::{Judgement, judge};
use riichi::rules::Length;
use riichi::table::{Contradiction, Phase};
use riichi::{Action, Event, Finding, Kind, MeldKind, Rules, Seat, Tile};

use super::{RecordDecision, ReplayedGame, line_of};
use crate::analyze::HandPosition;
use crate::course::RecordedCourse;
use crate::judgement::{JudgedGame, RecordFinding};

/// A hand at most this far from tenpai may push into a riichi.
const PUSHING_SHANTEN: i8 = 1;

fn written(tiles: impl IntoIterator<Item = Tile>) -> Tiles {
    tiles.into_iter().collect()
}

impl ReplayedGame for RiichiGame {
    /// The number of players comes from the first round; all other rules are the defaults. The judged
    /// game may say its length.
    fn course(record: RecordedGame<RiichiLineForm>) -> Option<RecordedCourse<Self>> {
        let rounds = record.event_lines.iter().zip(&record.events);
        let dealt = rounds.into_iter().find_map(|(line, event)| match event {
            Event::StartKyoku(start) => Some((*line, start.tehais)),
            _ => None,
        });
        let players = dealt.map_or(Rules::TENHOU_HALF.players, |(_, tehais)| tehais.players());
        let shown = |seat: &Seat| dealt.is_some_and(|(_, tehais)| tehais[*seat].is_some());
        (!record.events.is_empty()).then(|| RecordedCourse {
            rules: Rules::TENHOU_HALF.with_players(players),
            dealt: dealt.map_or(0, |(line, _)| line),
            known: Seat::all(players).filter(shown).map(Seat::index).collect(),
            deals: Vec::new(),
            events: record.event_lines.into_iter().zip(record.events).collect(),
            told: record.facts,
            outcome: None,
            has_end: false,
            wrong_end: None,
        })
    }

    fn moment(table: &Self::Table) -> String {
        let mut hand = *table.hand();
        let drawn = table.drawn().filter(|&drawn| hand.remove(drawn).is_ok());
        let wind = table.bakaze().name();
        let (kyoku, honba, turn) = (
            table.kyoku(),
            table.honba(),
            table.player(table.seat()).river.len() + 1,
        );
        let drawn = drawn.map_or_else(String::new, |drawn| format!(" + {}", written([drawn])));
        format!(
            "{wind} {kyoku}-{honba} turn {turn} {}{drawn}",
            written(hand.tiles())
        )
    }

    fn judged(course: &RecordedCourse<Self>, seat: Option<usize>) -> JudgedGame {
        let heard = |(_, event): &(u64, Event)| {
            seat.and_then(Seat::at)
                .map_or(*event, |seat| event.masked_for(seat))
        };
        let events: Vec<Event> = course.events.iter().map(heard).collect();
        let Judgement {
            findings,
            cut,
            length,
        } = judge(&events, &course.told);
        let found = |(place, finding): (usize, Finding)| {
            let (line, event) = &course.events[place];
            RecordFinding {
                line: *line,
                finding,
                event: line_of::<Self>(event),
            }
        };
        let cut = cut.map(|RoundId { bakaze, oya, honba }| {
            let repeat = if honba == 0 {
                String::new()
            } else {
                format!(", repeat {honba}")
            };
            format!("{} {}{repeat}", bakaze.name(), oya.index() + 1)
        });
        JudgedGame {
            findings: findings.into_iter().map(found).collect(),
            cut,
            length,
        }
    }

    fn length(rules: &Rules) -> Option<Length> {
        Some(rules.length)
    }

    fn with_length(rules: Rules, length: Length) -> Rules {
        rules.with_length(length)
    }

    /// Another round, or other scores.
    fn takes_effect(why: &Contradiction) -> bool {
        matches!(
            why,
            Contradiction::RoundNotEnded | Contradiction::Scores { .. }
        )
    }

    fn is_hidden(event: &Event) -> bool {
        match event {
            Event::StartKyoku(start) => start.tehais.iter().any(|(_, hand)| hand.is_none()),
            Event::Tsumo { tile, .. } => tile.is_none(),
            _ => false,
        }
    }

    /// The indicator of an open or added kan is turned with its seat's discard, and that of a closed
    /// one when no player robs it: the question comes before. Otherwise a turned indicator belongs
    /// to the previous event.
    fn is_asked(table: &Self::Table, previous: &Event, next: Option<&Event>) -> bool {
        let is_dora = |event: &Event| matches!(event, Event::Dora { .. });
        match table.phase() {
            Phase::Declared(_) => false,
            Phase::Turn(_)
            | Phase::Kan {
                kind: MeldKind::Ankan,
                ..
            } => !is_dora(previous),
            _ => !next.is_some_and(is_dora),
        }
    }

    fn done(decision: &RecordDecision<'_, Self>) -> Option<Action> {
        let table = decision.table;
        let seat = table.seat();
        let next = decision.next.iter().map(|(_, event)| *event);
        let mut next =
            next.filter(|event| !matches!(event, Event::Dora { .. } | Event::ReachAccepted { .. }));
        let first = next.next()?;
        let own = first.actor() == Some(seat);
        let can = |wanted: fn(&Action) -> bool| decision.legal.iter().any(wanted);
        Some(match first {
            Event::Dahai {
                tile, tsumogiri, ..
            } if own => Action::Dahai { tile, tsumogiri },
            Event::Reach { .. } if own => match next.next() {
                Some(Event::Dahai {
                    tile, tsumogiri, ..
                }) => Action::Reach { tile, tsumogiri },
                _ => return None,
            },
            Event::Chi {
                target,
                tile,
                consumed,
                ..
            } if own => Action::Chi {
                target,
                tile,
                consumed: in_order(consumed),
            },
            Event::Pon {
                target,
                tile,
                consumed,
                ..
            } if own => Action::Pon {
                target,
                tile,
                consumed: in_order(consumed),
            },
            Event::Daiminkan {
                target,
                tile,
                consumed,
                ..
            } if own => Action::Daiminkan {
                target,
                tile,
                consumed: in_order(consumed),
            },
            Event::Ankan { consumed, .. } if own => Action::Ankan {
                consumed: in_order(consumed),
            },
            Event::Kakan { tile, consumed, .. } if own => Action::Kakan {
                tile,
                consumed: in_order(consumed),
            },
            Event::Kita { .. } if own => Action::Kita,
            Event::Hora(_) => {
                let mut wins = std::iter::once(first)
                    .chain(next)
                    .map_while(|event| match event {
                        Event::Hora(hora) => Some(hora.actor),
                        _ => None,
                    });
                return decision
                    .listed(|action| matches!(action, Action::Hora { .. }))
                    .filter(|_| wins.any(|winner| winner == seat));
            }
            Event::Ryukyoku { .. } if can(|action| *action == Action::Ryukyoku) => Action::Ryukyoku,
            // Three wins on one tile also make a draw.
            Event::Ryukyoku { .. }
                if table.tiles_left() > 0
                    && can(|action| matches!(action, Action::Hora { .. })) =>
            {
                return None;
            }
            // A triplet takes precedence over a run, whichever seat calls it.
            Event::Pon { .. } | Event::Daiminkan { .. }
                if can(|action| matches!(action, Action::Chi { .. })) =>
            {
                return None;
            }
            _ if can(|action| *action == Action::None) => Action::None,
            _ => return None,
        })
    }

    /// Two equal tiles are interchangeable.
    fn is_same(one: &Action, other: &Action) -> bool {
        match (one, other) {
            (Action::Dahai { tile, .. }, Action::Dahai { tile: other, .. })
            | (Action::Reach { tile, .. }, Action::Reach { tile: other, .. }) => tile == other,
            (one, other) => one == other,
        }
    }

    /// A threat is another seat's riichi.
    fn kind_of(decision: &RecordDecision<'_, Self>) -> &'static str {
        let can = |wanted: fn(&Action) -> bool| decision.legal.iter().any(wanted);
        if can(|action| matches!(action, Action::Hora { .. })) {
            return "win";
        }
        if can(|action| *action == Action::Ryukyoku) {
            return "nine terminals";
        }
        if can(|action| matches!(action, Action::Reach { .. })) {
            return "riichi or damaten";
        }
        if can(|action| *action == Action::None) {
            return "call";
        }
        let is_kan = |action: &Action| {
            matches!(
                action,
                Action::Ankan { .. } | Action::Kakan { .. } | Action::Kita
            )
        };
        if can(is_kan) {
            return "kan";
        }
        let table = decision.table;
        let threatens = |seat: Seat| seat != table.seat() && table.player(seat).riichi.is_some();
        if !Seat::all(table.rules().players).any(threatens) {
            return "discard in attack";
        }
        let shanten = table.view().shanten();
        if shanten.is_some_and(|shanten| shanten <= PUSHING_SHANTEN) {
            "push or fold"
        } else {
            "discard under threat"
        }
    }

    /// Of two discards: how far they leave the hand from tenpai, and with how many tiles, unless
    /// that is the same.
    fn difference(decision: &RecordDecision<'_, Self>, own: &Action, done: &Action) -> String {
        let thrown = |action: &Action| match action {
            Action::Dahai { tile, .. } | Action::Reach { tile, .. } => Some(tile.kind()),
            _ => None,
        };
        let (Some(own), Some(done)) = (thrown(own), thrown(done)) else {
            return String::new();
        };
        if own == done {
            return String::new();
        }
        let position = HandPosition::of_table(decision.table);
        let options = discard_options(&position.concealed());
        let unseen = position.unseen();
        let words = |kind: Kind| {
            let option = options.iter().find(|option| option.kind == kind)?;
            let tiles = unseen.total_of(option.acceptance);
            let steps = match option.shanten {
                0 => "tenpai".to_owned(),
                1 => "1 step from tenpai".to_owned(),
                steps => format!("{steps} steps from tenpai"),
            };
            let of_tiles = if tiles == 1 { "tile" } else { "tiles" };
            Some(format!("{steps} with {tiles} {of_tiles}"))
        };
        match (words(own), words(done)) {
            (Some(one), Some(other)) if one != other => format!(
                "After {} the hand is {one}, after {} {other}.",
                written([own.tile()]),
                written([done.tile()])
            ),
            _ => String::new(),
        }
    }
}

/// A call's own tiles in the order of a legal action: by kind, plain before red.
fn in_order<const N: usize>(mut tiles: [Tile; N]) -> [Tile; N] {
    tiles.sort_unstable();
    tiles
}
