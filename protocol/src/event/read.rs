//! Reads events from JSON.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use riichi::event::{Hora, MAX_DORA, Points, StartKyoku, UraMarkers};
use riichi::rules::RIICHI_STICK;
use riichi::{Event, KindSet, MAX_PLAYERS, PerSeat, Seat, Tile, Wind};
use serde::de::{IgnoredAny, MapAccess};

use super::reason::draw_reason;
use crate::field::{DealtHand, Field, FieldError, FromJson, Into, MaybeHidden};
use crate::json::{Object, ReadError, read_object};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed<'a> {
    Event(Event),
    /// An event of an unknown type, which must be ignored.
    Unknown(Cow<'a, str>),
}

/// A text that is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// Not a JSON object.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An object whose `type` is missing or not a text.
    #[error("event without a type: {0}")]
    Type(FieldError),
    /// An event of a known type with a missing or wrong field.
    #[error("event `{event}`: {fault}")]
    Field {
        /// The event's type.
        event: &'static str,
        fault: FieldError,
    },
}

/// Reads one mjai event from a JSON object.
///
/// A round of three whose events have four slots is read as one of three; [`without_empty_slot`]
/// cuts its later events, which do not show their number of players.
///
/// # Errors
/// If the text is not a JSON object, has no `type`, or is an event of a known type with a missing
/// or wrong field.
pub fn parse_event(text: &str) -> Result<Parsed<'_>, EventError> {
    let mut fields = EventFields::default();
    read_object(text, &mut fields)?;
    let kind = std::mem::take(&mut fields.kind)
        .required("type")
        .map_err(EventError::Type)?;
    match fields.event(&kind) {
        Some(event) => event.map(Parsed::Event),
        None => Ok(Parsed::Unknown(kind)),
    }
}

type PointList = ArrayVec<i32, MAX_PLAYERS>;
type Tehais = ArrayVec<DealtHand, MAX_PLAYERS>;

/// The fields of all events, each as far as it was present.
#[derive(Debug, Default)]
pub(crate) struct EventFields<'a> {
    pub(crate) kind: Field<'a, Cow<'a, str>>,
    actor: Field<'a, Seat>,
    target: Field<'a, Seat>,
    pub(super) pai: Field<'a, MaybeHidden>,
    pub(super) tsumogiri: Field<'a, bool>,
    consumed: Field<'a, ArrayVec<Tile, 4>>,
    dora_marker: Field<'a, Tile>,
    pub(super) ura_markers: Field<'a, ArrayVec<Tile, MAX_DORA>>,
    pub(super) deltas: Field<'a, PointList>,
    scores: Field<'a, PointList>,
    id: Field<'a, Seat>,
    legacy_seat: Field<'a, Seat>,
    bakaze: Field<'a, Wind>,
    kyoku: Field<'a, u8>,
    honba: Field<'a, u8>,
    pub(super) kyotaku: Field<'a, u8>,
    oya: Field<'a, Seat>,
    tehais: Field<'a, Tehais>,
    pub(crate) reason: Field<'a, Cow<'a, str>>,
}

impl<'a> Object<'a> for EventFields<'a> {
    #[inline]
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name.as_bytes() {
            b"type" => map.next_value_seed(Into(&mut self.kind)),
            b"actor" => map.next_value_seed(Into(&mut self.actor)),
            b"target" => map.next_value_seed(Into(&mut self.target)),
            b"pai" => map.next_value_seed(Into(&mut self.pai)),
            b"tsumogiri" => map.next_value_seed(Into(&mut self.tsumogiri)),
            b"consumed" => map.next_value_seed(Into(&mut self.consumed)),
            b"dora_marker" => map.next_value_seed(Into(&mut self.dora_marker)),
            // The second is the original server's name.
            b"ura_markers" | b"uradora_markers" => map.next_value_seed(Into(&mut self.ura_markers)),
            b"deltas" => map.next_value_seed(Into(&mut self.deltas)),
            b"scores" => map.next_value_seed(Into(&mut self.scores)),
            b"id" => map.next_value_seed(Into(&mut self.id)),
            b"seat" => map.next_value_seed(Into(&mut self.legacy_seat)),
            b"bakaze" => map.next_value_seed(Into(&mut self.bakaze)),
            b"kyoku" => map.next_value_seed(Into(&mut self.kyoku)),
            b"honba" => map.next_value_seed(Into(&mut self.honba)),
            b"kyotaku" => map.next_value_seed(Into(&mut self.kyotaku)),
            b"oya" => map.next_value_seed(Into(&mut self.oya)),
            b"tehais" => map.next_value_seed(Into(&mut self.tehais)),
            b"reason" => map.next_value_seed(Into(&mut self.reason)),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

impl EventFields<'_> {
    /// Number of slots that a deal has hands for, an empty one included.
    pub(crate) fn dealt_slots(&self) -> usize {
        if let Field::Given(hands) = &self.tehais {
            hands.len()
        } else {
            0
        }
    }

    /// The event of this type with the fields; `None` for an unknown type.
    #[inline]
    pub(crate) fn event(self, kind: &str) -> Option<Result<Event, EventError>> {
        let (event, made) = match kind.as_bytes() {
            b"tsumo" => ("tsumo", self.tsumo()),
            b"dahai" => ("dahai", self.dahai()),
            b"chi" => ("chi", self.chi()),
            b"pon" => ("pon", self.pon()),
            b"daiminkan" => ("daiminkan", self.daiminkan()),
            b"ankan" => ("ankan", self.ankan()),
            b"kakan" => ("kakan", self.kakan()),
            // The other two are the names of libriichi3p's family and of some records.
            b"kita" | b"nukidora" | b"nuki" => ("kita", self.kita()),
            b"dora" => ("dora", self.dora()),
            b"reach" => ("reach", self.reach()),
            b"reach_accepted" => ("reach_accepted", self.reach_accepted()),
            b"hora" => ("hora", self.hora()),
            b"ryukyoku" => ("ryukyoku", self.ryukyoku()),
            b"start_game" => ("start_game", self.start_game()),
            b"start_kyoku" => ("start_kyoku", self.start_kyoku()),
            b"end_kyoku" => ("end_kyoku", Ok(Event::EndKyoku)),
            b"end_game" => ("end_game", self.end_game()),
            _ => return None,
        };
        Some(made.map_err(|fault| EventError::Field { event, fault }))
    }

    #[inline]
    fn tsumo(self) -> Result<Event, FieldError> {
        Ok(Event::Tsumo {
            actor: self.actor.required("actor")?,
            tile: self.pai.required("pai")?.0,
        })
    }

    #[inline]
    fn dahai(self) -> Result<Event, FieldError> {
        Ok(Event::Dahai {
            actor: self.actor.required("actor")?,
            tile: shown(self.pai)?,
            tsumogiri: self.tsumogiri.optional("tsumogiri")?.unwrap_or(false),
        })
    }

    fn chi(self) -> Result<Event, FieldError> {
        Ok(Event::Chi {
            actor: self.actor.required("actor")?,
            target: self.target.required("target")?,
            tile: shown(self.pai)?,
            consumed: tiles(self.consumed)?,
        })
    }

    fn pon(self) -> Result<Event, FieldError> {
        Ok(Event::Pon {
            actor: self.actor.required("actor")?,
            target: self.target.required("target")?,
            tile: shown(self.pai)?,
            consumed: tiles(self.consumed)?,
        })
    }

    fn daiminkan(self) -> Result<Event, FieldError> {
        Ok(Event::Daiminkan {
            actor: self.actor.required("actor")?,
            target: self.target.required("target")?,
            tile: shown(self.pai)?,
            consumed: tiles(self.consumed)?,
        })
    }

    fn ankan(self) -> Result<Event, FieldError> {
        Ok(Event::Ankan {
            actor: self.actor.required("actor")?,
            consumed: tiles(self.consumed)?,
        })
    }

    fn kakan(self) -> Result<Event, FieldError> {
        Ok(Event::Kakan {
            actor: self.actor.required("actor")?,
            tile: shown(self.pai)?,
            consumed: tiles(self.consumed)?,
        })
    }

    fn kita(self) -> Result<Event, FieldError> {
        Ok(Event::Kita {
            actor: self.actor.required("actor")?,
        })
    }

    fn dora(self) -> Result<Event, FieldError> {
        Ok(Event::Dora {
            marker: self.dora_marker.required("dora_marker")?,
        })
    }

    fn reach(self) -> Result<Event, FieldError> {
        Ok(Event::Reach {
            actor: self.actor.required("actor")?,
        })
    }

    fn reach_accepted(self) -> Result<Event, FieldError> {
        let actor = self.actor.required("actor")?;
        let scores = points("scores", self.scores, None)?;
        at_the_table("actor", actor, scores.as_ref().map(PerSeat::players))?;
        Ok(Event::ReachAccepted { actor, scores })
    }

    fn hora(self) -> Result<Event, FieldError> {
        let deltas = points("deltas", self.deltas, None)?;
        let scores = points("scores", self.scores, deltas.as_ref().map(PerSeat::players))?;
        let players = deltas.or(scores).as_ref().map(PerSeat::players);
        let actor = at_the_table("actor", self.actor.required("actor")?, players)?;
        let target = at_the_table("target", self.target.required("target")?, players)?;
        let ura_markers = self
            .ura_markers
            .optional("ura_markers")?
            .unwrap_or_default();
        let ura_markers = UraMarkers::from_slice(&ura_markers).unwrap_or_default();
        Ok(Event::Hora(Hora {
            actor,
            target,
            deltas,
            scores,
            ura_markers,
        }))
    }

    fn ryukyoku(self) -> Result<Event, FieldError> {
        let deltas = points("deltas", self.deltas, None)?;
        let scores = points("scores", self.scores, deltas.as_ref().map(PerSeat::players))?;
        // A reason of another arena must not hide the event.
        let reason = self
            .reason
            .optional("reason")
            .ok()
            .flatten()
            .and_then(|reason| draw_reason(&reason));
        Ok(Event::Ryukyoku {
            deltas,
            scores,
            reason,
        })
    }

    fn start_game(self) -> Result<Event, FieldError> {
        let seat = match self.id.optional("id")? {
            Some(seat) => Some(seat),
            None => self.legacy_seat.optional("seat")?,
        };
        Ok(Event::StartGame { seat })
    }

    fn start_kyoku(self) -> Result<Event, FieldError> {
        let kyoku = self.kyoku.required("kyoku")?;
        if !(1..=MAX_PLAYERS as u8).contains(&kyoku) {
            return Err(wrong("kyoku", kyoku.to_string(), "a number from 1 to 4"));
        }
        let bakaze = self.bakaze.required("bakaze")?;
        let honba = self.honba.required("honba")?;
        let kyotaku = self.kyotaku.required("kyotaku")?;
        let dora_marker = self.dora_marker.required("dora_marker")?;
        let mut hands = self.tehais.required("tehais")?;
        let mut scores = self.scores.optional("scores")?;
        let is_first = bakaze == Wind::East && kyoku == 1 && honba == 0;
        if has_empty_slot(&hands, scores.as_deref(), kyotaku, is_first, dora_marker) {
            hands.truncate(THREE);
            scores.iter_mut().for_each(|scores| scores.truncate(THREE));
        }
        let hand = |(slot, hand): (usize, DealtHand)| match hand {
            DealtHand::Known(tiles) => Ok(Some(tiles)),
            DealtHand::Hidden => Ok(None),
            DealtHand::Empty => Err(wrong(
                &format!("tehais[{slot}]"),
                "a list of 0".to_owned(),
                <DealtHand as FromJson>::ALLOWED,
            )),
        };
        let hands: Result<ArrayVec<_, MAX_PLAYERS>, _> =
            hands.into_iter().enumerate().map(hand).collect();
        let tehais = per_seat("tehais", &hands?, Tehais::ALLOWED, None)?;
        let players = Some(tehais.players());
        Ok(Event::StartKyoku(StartKyoku {
            bakaze,
            kyoku,
            honba,
            kyotaku,
            oya: at_the_table("oya", self.oya.required("oya")?, players)?,
            dora_marker,
            scores: scores
                .map(|scores| per_seat("scores", &scores, PointList::ALLOWED, players))
                .transpose()?,
            tehais,
        }))
    }

    fn end_game(self) -> Result<Event, FieldError> {
        // The end of the game counts regardless of the scores: the table has its own ones.
        Ok(Event::EndGame {
            scores: points("scores", self.scores, None).unwrap_or_default(),
        })
    }
}

/// Players of a game whose fourth slot may be empty.
const THREE: usize = 3;
/// Points with which a player begins are whole thousands.
const THOUSAND: i32 = 1_000;

/// Whether the fourth of four slots belongs to no player. In games of three some programs
/// (Mortal3p, Akagi) fill it with 0 points and a hand that is hidden or has no tiles. A player of
/// four may have 0 points as well, so that the total of the others decides: by how many players it
/// was shared out. No player begins with 0.
fn has_empty_slot(
    hands: &[DealtHand],
    scores: Option<&[i32]>,
    kyotaku: u8,
    is_first: bool,
    dora_marker: Tile,
) -> bool {
    let [others @ .., last] = hands else {
        return false;
    };
    if others.len() != THREE || !matches!(scores, None | Some([_, _, _] | [_, _, _, 0])) {
        return false;
    }
    match (last, scores) {
        (DealtHand::Known(_), _) | (DealtHand::Hidden, None) => false,
        (DealtHand::Empty, _) => true,
        (DealtHand::Hidden, Some(scores)) => {
            let total = scores
                .iter()
                .fold(RIICHI_STICK * i32::from(kyotaku), |sum, &points| {
                    sum.saturating_add(points)
                });
            let of_three = total % (3 * THOUSAND) == 0 && total % (4 * THOUSAND) != 0;
            let known = others.iter().filter_map(|hand| {
                if let DealtHand::Known(tiles) = hand {
                    Some(tiles)
                } else {
                    None
                }
            });
            let has_three = scores.len() == THREE;
            total > 0
                && (has_three || is_first || of_three)
                && are_in_play(known.flatten().copied().chain([dora_marker]))
        }
    }
}

/// The event without a fourth slot that belongs to no player of three: see [`parse_event`]. A round
/// is cut as well if its points do not show how many play.
pub fn without_empty_slot(event: Event, players: u8) -> Event {
    if usize::from(players) != THREE {
        return event;
    }
    let cut = |points: Option<Points>| {
        points.map(|points| match points.as_slice() {
            [three @ .., 0] if three.len() == THREE => Points::from_slice(three).unwrap_or(points),
            _ => points,
        })
    };
    match event {
        Event::StartKyoku(start) if has_unused_slot(&start) => {
            let tehais = PerSeat::from_fn(players, |seat| start.tehais[seat]);
            Event::StartKyoku(StartKyoku {
                tehais,
                scores: cut(start.scores),
                ..start
            })
        }
        Event::Hora(hora) => Event::Hora(Hora {
            deltas: cut(hora.deltas),
            scores: cut(hora.scores),
            ..hora
        }),
        Event::Ryukyoku {
            deltas,
            scores,
            reason,
        } => Event::Ryukyoku {
            deltas: cut(deltas),
            scores: cut(scores),
            reason,
        },
        Event::ReachAccepted { actor, scores } => Event::ReachAccepted {
            actor,
            scores: cut(scores),
        },
        Event::EndGame { scores } => Event::EndGame {
            scores: cut(scores),
        },
        _ => event,
    }
}

/// Whether the fourth of four slots has a hidden hand and no points: 0, or not given while the
/// known tiles are those of a game of three.
fn has_unused_slot(start: &StartKyoku) -> bool {
    let has_no_points = match start.scores {
        Some(scores) => matches!(scores.as_slice(), [_, _, _, 0]),
        None => {
            let known = start.tehais.iter().filter_map(|(_, hand)| *hand).flatten();
            are_in_play(known.chain([start.dora_marker]))
        }
    };
    has_no_points && matches!(start.tehais.as_slice(), [_, _, _, None])
}

/// Whether three players have all these tiles.
fn are_in_play(mut tiles: impl Iterator<Item = Tile>) -> bool {
    let in_play = KindSet::in_play(THREE as u8);
    tiles.all(|tile| in_play.contains(tile.kind()))
}

#[cold]
fn wrong(field: &str, found: String, allowed: &'static str) -> FieldError {
    FieldError {
        field: field.to_owned(),
        found,
        allowed,
    }
}

/// A `pai` that may not be hidden.
#[inline]
fn shown(pai: Field<'_, MaybeHidden>) -> Result<Tile, FieldError> {
    match pai {
        Field::Given(MaybeHidden(Some(tile))) => Ok(tile),
        Field::Given(MaybeHidden(None)) => {
            Err(wrong("pai", "hidden (?)".to_owned(), Tile::ALLOWED))
        }
        Field::Absent => Err(wrong("pai", "missing".to_owned(), Tile::ALLOWED)),
        Field::Wrong(found) => Err(found.in_field::<Tile>("pai")),
    }
}

/// A `consumed` of exactly this many tiles.
fn tiles<const N: usize>(consumed: Field<'_, ArrayVec<Tile, 4>>) -> Result<[Tile; N], FieldError> {
    let tiles = consumed.required("consumed")?;
    tiles.as_slice().try_into().map_err(|_| {
        let allowed = match N {
            2 => "a list of 2 tiles",
            3 => "a list of 3 tiles",
            _ => "a list of 4 tiles",
        };
        wrong("consumed", format!("a list of {}", tiles.len()), allowed)
    })
}

/// A seat that exists at the table, if the table's size is known.
fn at_the_table(field: &str, seat: Seat, players: Option<u8>) -> Result<Seat, FieldError> {
    if players.is_some_and(|players| seat.index() >= usize::from(players)) {
        return Err(wrong(field, seat.to_string(), "a seat of three, 0 to 2"));
    }
    Ok(seat)
}

/// Points for each seat, for the number of seats that the event has shown.
fn points(
    field: &str,
    list: Field<'_, PointList>,
    players: Option<u8>,
) -> Result<Option<Points>, FieldError> {
    let Some(list) = list.optional(field)? else {
        return Ok(None);
    };
    per_seat(field, &list, PointList::ALLOWED, players).map(Some)
}

fn per_seat<T: Copy + Default>(
    field: &str,
    list: &[T],
    allowed: &'static str,
    players: Option<u8>,
) -> Result<PerSeat<T>, FieldError> {
    let count = || format!("a list of {}", list.len());
    if players.is_some_and(|players| usize::from(players) != list.len()) {
        return Err(wrong(
            field,
            count(),
            "one entry for each seat of the event",
        ));
    }
    match PerSeat::from_slice(list) {
        Some(values) if values.players() >= 3 => Ok(values),
        _ => Err(wrong(field, count(), allowed)),
    }
}
