//! Whether a reply is one that the original server takes: every field there and right, as its
//! content check has it.

use serde_json::Value;

use super::hand::Hand;
use super::spelling::sorted;

/// The fault in a seat's reply to its last event; `list` is the engine's, if the seat is asked.
pub(crate) fn fault(
    reply: &Value,
    event: &Value,
    list: Option<&[Value]>,
    hand: &Hand,
    seat: usize,
) -> Result<(), String> {
    let Some(kind) = reply["type"].as_str() else {
        return Err(format!("no type in {reply}"));
    };
    let must = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}: {reply} to {event}"))
        }
    };
    let own = event["actor"] == seat;
    let entries = || {
        list.into_iter()
            .flatten()
            .filter(|entry| entry["type"] == kind)
    };
    let target_and_tile = |tile: &Value| {
        must(
            reply["target"] == event["actor"],
            "target is not whose tile it is",
        )?;
        must(reply["pai"] == *tile, "pai is not the tile")
    };
    let consumed = || {
        let used = reply["consumed"]
            .is_array()
            .then(|| sorted(&reply["consumed"]));
        must(
            entries().any(|entry| Some(sorted(&entry["consumed"])) == used),
            "consumed is not listed",
        )
    };
    if kind == "none" {
        return must(list.is_none() || !own, "passing on the own turn");
    }
    must(reply["actor"] == seat, "actor is not the own seat")?;
    must(entries().next().is_some(), "the action is not possible now")?;
    match kind {
        "dahai" => {
            must(own, "a discard out of turn")?;
            let Some(pai) = reply["pai"].as_str() else {
                return must(false, "a discard without pai");
            };
            must(
                entries().any(|entry| entry["pai"] == pai),
                "the tile may not be discarded",
            )?;
            let after_call = event["type"] == "chi" || event["type"] == "pon";
            match reply["tsumogiri"].as_bool() {
                Some(true) => must(
                    !after_call && hand.drawn.as_deref() == Some(pai),
                    "tsumogiri of another tile",
                ),
                Some(false) => {
                    must(!hand.riichi, "a tile from the hand after riichi")?;
                    must(
                        hand.copies_in_hand(pai) > 0,
                        "the only copy is the drawn one",
                    )
                }
                None => must(false, "tsumogiri is neither true nor false"),
            }
        }
        "chi" | "pon" | "daiminkan" => {
            must(!own, "a call of the own tile")?;
            target_and_tile(&event["pai"])?;
            consumed()
        }
        "ankan" => {
            must(reply.get("pai").is_none(), "ankan with pai")?;
            consumed()
        }
        "kakan" => {
            must(
                entries().any(|entry| entry["pai"] == reply["pai"]),
                "pai is not listed",
            )?;
            consumed()
        }
        "kita" => must(own && reply["pai"] == "N", "a North set aside that is none"),
        "reach" => must(own, "riichi out of turn"),
        "hora" => target_and_tile(&event["pai"]),
        "ryukyoku" => must(
            reply["reason"] == "kyushukyuhai",
            "reason is not kyushukyuhai",
        ),
        _ => must(false, "no such action"),
    }
}

mod tests {
    use serde_json::json;

    use super::*;

    fn hand(tiles: &[&str], drawn: &str) -> Hand {
        let mut hand = Hand::of(0);
        hand.hear(&json!({"type": "start_kyoku", "tehais": [tiles]}));
        hand.hear(&json!({"type": "tsumo", "actor": 0, "pai": drawn}));
        hand
    }

    /// The fault in a reply after 1m was drawn to a hand with another 1m, a 2m, and three 9s.
    fn after_draw(reply: &Value) -> String {
        let list = [
            json!({"type": "dahai", "pai": "1m"}),
            json!({"type": "dahai", "pai": "2m"}),
            json!({"type": "ankan", "consumed": ["9s", "9s", "9s", "9s"]}),
            json!({"type": "hora"}),
            json!({"type": "ryukyoku"}),
        ];
        let event = json!({"type": "tsumo", "actor": 0, "pai": "1m"});
        let hand = hand(&["1m", "2m", "9s", "9s", "9s", "9s"], "1m");
        fault(reply, &event, Some(&list), &hand, 0)
            .err()
            .unwrap_or_default()
    }

    #[test]
    fn each_field_of_a_reply_on_the_own_turn_is_checked() {
        for (reply, words) in [
            (json!({"type": "none"}), "passing"),
            (
                json!({"type": "dahai", "pai": "1m", "tsumogiri": true}),
                "actor",
            ),
            (
                json!({"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": true}),
                "actor",
            ),
            (json!({"type": "dahai", "actor": 0, "pai": "1m"}), "neither"),
            (
                json!({"type": "dahai", "actor": 0, "pai": "2m", "tsumogiri": true}),
                "another tile",
            ),
            (
                json!({"type": "dahai", "actor": 0, "pai": "9s", "tsumogiri": false}),
                "may not be discarded",
            ),
            (
                json!({"type": "ankan", "actor": 0, "pai": "9s", "consumed": ["9s", "9s", "9s", "9s"]}),
                "with pai",
            ),
            (
                json!({"type": "ankan", "actor": 0, "consumed": ["9s", "9s", "9s"]}),
                "consumed",
            ),
            (json!({"type": "hora", "actor": 0, "pai": "1m"}), "target"),
            (json!({"type": "hora", "actor": 0, "target": 0}), "pai"),
            (json!({"type": "ryukyoku", "actor": 0}), "reason"),
            (json!({"type": "reach", "actor": 0}), "not possible"),
        ] {
            assert!(
                after_draw(&reply).contains(words),
                "{reply}: {}",
                after_draw(&reply)
            );
        }
    }

    #[test]
    fn right_replies_on_the_own_turn_are_taken() {
        for reply in [
            json!({"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": true}),
            json!({"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": false}),
            json!({"type": "ankan", "actor": 0, "consumed": ["9s", "9s", "9s", "9s"]}),
            json!({"type": "hora", "actor": 0, "target": 0, "pai": "1m"}),
            json!({"type": "ryukyoku", "actor": 0, "reason": "kyushukyuhai"}),
        ] {
            assert_eq!(after_draw(&reply), "", "{reply}");
        }
    }

    #[test]
    fn the_only_copy_of_the_drawn_tile_is_no_tile_of_the_hand() {
        let event = json!({"type": "tsumo", "actor": 0, "pai": "3m"});
        let list = [json!({"type": "dahai", "pai": "3m"})];
        let reply = json!({"type": "dahai", "actor": 0, "pai": "3m", "tsumogiri": false});
        assert!(fault(&reply, &event, Some(&list), &hand(&["1m"], "3m"), 0).is_err());
        assert!(fault(&reply, &event, Some(&list), &hand(&["3m"], "3m"), 0).is_ok());
    }

    #[test]
    fn a_seat_that_is_not_asked_may_only_pass() {
        let event = json!({"type": "dahai", "actor": 1, "pai": "3m", "tsumogiri": true});
        let pon =
            json!({"type": "pon", "actor": 0, "target": 1, "pai": "3m", "consumed": ["3m", "3m"]});
        assert!(fault(&pon, &event, None, &Hand::of(0), 0).is_err());
        assert!(fault(&json!({"type": "none"}), &event, None, &Hand::of(0), 0).is_ok());
    }
}
