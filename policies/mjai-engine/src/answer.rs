//! The answers of an engine, and their matches among the legal actions.

use std::fmt;

use policy_process::as_json;
use protocol::ActionKind;
use protocol::reply::{Reply, parse_reply};
use riichi::{Action, Tile};
use serde_json::Value;

/// Maximum number of characters of an answer that are shown.
const SHOWN: usize = 200;

/// An action that an engine wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) kind: ActionKind,
    /// The tile that is discarded, called or added, if the answer names one.
    pub(crate) pai: Option<Tile>,
    consumed: Option<Vec<Tile>>,
    tsumogiri: Option<bool>,
    /// The answer itself, for users.
    text: String,
}

/// An answer line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineAnswer {
    /// The action now.
    pub(crate) wish: Wish,
    /// The following action, if the engine announces it: the discard after a riichi or a call.
    pub(crate) then: Option<Wish>,
}

impl EngineAnswer {
    /// Parses an answer line: an action, or a list of one and its follower (akochan).
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let not_read = |why: &str| format!("its answer {} cannot be read: {why}", shown(line));
        let json = as_json(line);
        let mut wishes = match serde_json::from_str(&json) {
            Ok(Value::Array(list)) => list
                .iter()
                .map(|entry| Wish::parse(&entry.to_string()))
                .collect(),
            _ => vec![Wish::parse(&json)],
        }
        .into_iter();
        let wish = wishes
            .next()
            .ok_or_else(|| not_read("the list is empty"))?
            .map_err(|why| not_read(&why))?;
        let then = wishes.next().transpose().map_err(|why| not_read(&why))?;
        Ok(Self { wish, then })
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Wish {
    fn parse(text: &str) -> Result<Self, String> {
        let Reply {
            kind,
            pai,
            consumed,
            tsumogiri,
            ..
        } = parse_reply(text).map_err(|error| error.to_string())?;
        let tile = |name: &str| name.parse::<Tile>().map_err(|error| error.to_string());
        Ok(Self {
            kind,
            pai: pai.map(|name| tile(&name)).transpose()?,
            consumed: consumed
                .map(|names| names.iter().map(|name| tile(name)).collect())
                .transpose()?,
            tsumogiri,
            text: shown(text),
        })
    }

    /// The place of the legal action that is meant.
    ///
    /// Tiles are compared with their colour first; if no legal action matches, without it. A
    /// discard with a mark other than the listed one, from the hand or as drawn, is matched anyway,
    /// since the tile is the same.
    pub(crate) fn place_in(&self, legal: &[Action]) -> Result<usize, String> {
        self.place_among(legal, |action| ActionKind::of(action) == self.kind)
    }

    /// The same; a riichi whose discard is not named is any.
    pub(crate) fn place_or_riichi_in(&self, legal: &[Action]) -> Result<usize, String> {
        let any_riichi = || {
            legal
                .iter()
                .position(|action| matches!(action, Action::Reach { .. }))
        };
        match any_riichi().filter(|_| self.kind == ActionKind::Reach && self.pai.is_none()) {
            Some(place) => Ok(place),
            None => self.place_in(legal),
        }
    }

    /// The place of the riichi with the discard that is meant.
    pub(crate) fn place_of_riichi(&self, legal: &[Action]) -> Result<usize, String> {
        self.place_among(legal, |action| matches!(action, Action::Reach { .. }))
    }

    fn place_among(
        &self,
        legal: &[Action],
        wanted: impl Fn(&Action) -> bool,
    ) -> Result<usize, String> {
        let candidates = || {
            legal
                .iter()
                .enumerate()
                .filter(|(_, action)| wanted(action))
        };
        let fits = |colours: bool| {
            let fitting = candidates().filter(|(_, action)| self.names_tiles_of(action, colours));
            fitting
                .min_by_key(|(_, action)| self.misses_mark_of(action))
                .map(|(place, _)| place)
        };
        fits(true)
            .or_else(|| fits(false))
            .ok_or_else(|| format!("it answered {}; legal is {legal:?}", self.text))
    }

    /// Whether the tiles of an action are those named; an action without tiles fits.
    fn names_tiles_of(&self, action: &Action, colours: bool) -> bool {
        let same = |one: &Tile, other: &Tile| {
            if colours {
                one == other
            } else {
                one.kind() == other.kind()
            }
        };
        let is_pai = |tile: &Tile| self.pai.is_some_and(|pai| same(&pai, tile));
        let uses = |used: &[Tile]| {
            let mut left = used.to_vec();
            let mut take = |named: &Tile| {
                left.iter()
                    .position(|tile| same(named, tile))
                    .map(|place| left.remove(place))
            };
            self.consumed.as_ref().is_some_and(|named| {
                named.len() == used.len() && named.iter().all(|tile| take(tile).is_some())
            })
        };
        match action {
            Action::Dahai { tile, .. } | Action::Reach { tile, .. } => is_pai(tile),
            Action::Chi { tile, consumed, .. } | Action::Pon { tile, consumed, .. } => {
                is_pai(tile) && uses(consumed)
            }
            Action::Daiminkan { tile, consumed, .. } | Action::Kakan { tile, consumed } => {
                is_pai(tile) && uses(consumed)
            }
            // If it has a `pai`, that is one of the four.
            Action::Ankan { consumed } => uses(consumed),
            Action::Kita | Action::Hora { .. } | Action::Ryukyoku | Action::None => true,
        }
    }

    /// Whether a discard is marked otherwise than named; not named, it comes from the hand.
    fn misses_mark_of(&self, action: &Action) -> bool {
        match action {
            Action::Dahai { tsumogiri, .. } | Action::Reach { tsumogiri, .. } => {
                *tsumogiri != self.tsumogiri.unwrap_or(false)
            }
            _ => false,
        }
    }
}

/// The beginning of an answer, for users.
fn shown(text: &str) -> String {
    let text = text.trim();
    let cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut + "…"
    } else {
        cut
    }
}

#[cfg(test)]
mod tests {
    use riichi::Seat;

    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().unwrap()
    }

    fn dahai(name: &str, tsumogiri: bool) -> Action {
        Action::Dahai {
            tile: tile(name),
            tsumogiri,
        }
    }

    fn wish(text: &str) -> Wish {
        EngineAnswer::parse(text).unwrap().wish
    }

    fn meant(text: &str, legal: &[Action]) -> Action {
        legal[wish(text).place_in(legal).unwrap()]
    }

    #[test]
    fn a_discard_is_found_by_its_tile_and_its_mark() {
        let legal = [dahai("9m", false), dahai("9m", true), dahai("E", false)];
        for (text, action) in [
            (
                r#"{"type":"dahai","actor":2,"pai":"9m","tsumogiri":true}"#,
                legal[1],
            ),
            (
                r#"{"type":"dahai","actor":2,"pai":"9m","tsumogiri":false}"#,
                legal[0],
            ),
            (r#"{"type":"dahai","pai":"9m"}"#, legal[0]),
            (r#"{"type":"dahai","pai":"E","tsumogiri":true}"#, legal[2]),
        ] {
            assert_eq!(meant(text, &legal), action, "{text}");
        }
    }

    #[test]
    fn a_red_five_replaces_a_plain_one_only_if_there_is_none() {
        let both = [dahai("5mr", false), dahai("5m", false)];
        assert_eq!(
            meant(r#"{"type":"dahai","pai":"5m","tsumogiri":false}"#, &both),
            both[1]
        );
        assert_eq!(
            meant(r#"{"type":"dahai","pai":"5mr","tsumogiri":false}"#, &both),
            both[0]
        );
        assert_eq!(
            meant(
                r#"{"type":"dahai","pai":"5m","tsumogiri":false}"#,
                &both[..1]
            ),
            both[0]
        );
        assert_eq!(
            meant(
                r#"{"type":"dahai","pai":"5mr","tsumogiri":false}"#,
                &both[1..]
            ),
            both[1]
        );
    }

    #[test]
    fn a_call_is_found_by_the_tiles_used_in_any_order_and_by_their_colour() {
        let target = Seat::FIRST;
        let chi = |used: [&str; 2]| Action::Chi {
            target,
            tile: tile("6m"),
            consumed: used.map(tile),
        };
        let legal = [
            chi(["5m", "7m"]),
            chi(["5mr", "7m"]),
            chi(["7m", "8m"]),
            Action::None,
        ];
        for (used, place) in [
            ("\"7m\",\"5mr\"", 1),
            ("\"5m\",\"7m\"", 0),
            ("\"8m\",\"7m\"", 2),
        ] {
            let text =
                format!(r#"{{"type":"chi","actor":1,"target":0,"pai":"6m","consumed":[{used}]}}"#);
            assert_eq!(meant(&text, &legal), legal[place], "{text}");
        }
        // An engine that knows no red fives means the red one if there is no other.
        let text = r#"{"type":"chi","pai":"6m","consumed":["5m","7m"]}"#;
        assert_eq!(meant(text, &legal[1..]), legal[1]);
        for other in [
            r#"{"type":"chi","pai":"6m","consumed":["4m","5m"]}"#,
            r#"{"type":"chi","pai":"6m"}"#,
        ] {
            assert!(wish(other).place_in(&legal).is_err(), "{other}");
        }
    }

    #[test]
    fn every_other_kind_of_action_is_found() {
        let (target, p) = (Seat::FIRST, tile("P"));
        let legal = [
            Action::Pon {
                target,
                tile: p,
                consumed: [p; 2],
            },
            Action::Daiminkan {
                target,
                tile: p,
                consumed: [p; 3],
            },
            Action::Ankan {
                consumed: ["5s", "5s", "5s", "5sr"].map(tile),
            },
            Action::Kakan {
                tile: tile("E"),
                consumed: [tile("E"); 3],
            },
            Action::Hora { target, tile: p },
            Action::Ryukyoku,
            Action::None,
        ];
        for (place, text) in [
            r#"{"type":"pon","actor":1,"target":0,"pai":"P","consumed":["P","P"]}"#,
            r#"{"type":"daiminkan","actor":1,"target":0,"pai":"P","consumed":["P","P","P"]}"#,
            r#"{"type":"ankan","actor":1,"consumed":["5sr","5s","5s","5s"]}"#,
            r#"{"type":"kakan","actor":1,"pai":"E","consumed":["E","E","E"]}"#,
            r#"{"type":"hora","actor":1,"target":0,"pai":"P"}"#,
            r#"{"type":"ryukyoku","actor":1,"reason":"kyushukyuhai"}"#,
            r#"{"type":"none","meta":{"mask_bits":0,"q_values":[]}}"#,
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(meant(text, &legal), legal[place], "{text}");
        }
    }

    #[test]
    fn a_riichi_is_found_by_the_discard_that_is_named_for_it() {
        let legal = [
            dahai("9m", true),
            Action::Reach {
                tile: tile("9m"),
                tsumogiri: true,
            },
        ];
        let discard = wish(r#"{"type":"dahai","pai":"9m","tsumogiri":true}"#);
        assert_eq!(
            (discard.place_of_riichi(&legal), discard.place_in(&legal)),
            (Ok(1), Ok(0))
        );
    }

    #[test]
    fn an_illegal_action_is_reported_with_the_legal_ones() {
        let refused =
            wish(r#"{"type":"dahai","pai":"1m","tsumogiri":false}"#).place_in(&[dahai("9m", true)]);
        let says = r#"it answered {"type":"dahai","pai":"1m","tsumogiri":false}; legal is [dahai 9m tsumogiri]"#;
        assert_eq!(refused, Err(says.to_owned()));
        assert!(
            wish(r#"{"type":"none"}"#)
                .place_in(&[dahai("9m", true)])
                .is_err()
        );
    }

    #[test]
    fn a_list_is_an_action_and_its_follower() {
        let answer = EngineAnswer::parse(
            r#"[{"type":"reach","actor":1},{"type":"dahai","actor":1,"pai":"E"}]"#,
        )
        .unwrap();
        assert_eq!(
            (answer.wish.kind, answer.then.unwrap().pai),
            (ActionKind::Reach, Some(tile("E")))
        );
        assert_eq!(
            EngineAnswer::parse(r#"[{"type":"none"}]"#).unwrap().then,
            None
        );
    }

    #[test]
    fn what_other_languages_write_for_no_number_does_not_matter_beside_an_action() {
        for meta in [
            r#"{"q_values":[NaN,-Infinity],"mask_bits":1}"#,
            "1e999",
            r#""\ud800""#,
            &"9".repeat(400),
            r#"{"q_values":[1],"q_values":[2]}"#,
        ] {
            for text in [
                format!(
                    r#"{{"type":"dahai","actor":1,"pai":"E","tsumogiri":false,"meta":{meta}}}"#
                ),
                format!(
                    r#"[{{"type":"dahai","meta":{meta},"actor":1,"pai":"E","tsumogiri":false}}]"#
                ),
            ] {
                assert_eq!(
                    meant(&text, &[dahai("9m", true), dahai("E", false)]),
                    dahai("E", false),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn an_invalid_answer_is_shown_with_its_fault() {
        for (text, says) in [
            ("{\"type\":", "not one JSON object"),
            ("[]", "the list is empty"),
            (r#"{"type":"tsumo"}"#, "`type` is \"tsumo\""),
            (r#"{"type":"dahai","pai":"0m"}"#, "0m"),
        ] {
            let error = EngineAnswer::parse(text).unwrap_err();
            assert!(
                error.starts_with(&format!("its answer {text} cannot be read: "))
                    && error.contains(says),
                "{error}"
            );
        }
        assert!(EngineAnswer::parse(&"[".repeat(100_000)).unwrap_err().len() < 500);
    }
}
