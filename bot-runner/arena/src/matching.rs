//! Matches a reply to an offer, as RiichiEnv does, the engine of the public arena.

use std::borrow::Cow;

use protocol::reply::Reply;
use protocol::{ActionKind, PossibleAction};
use riichi::Action;

/// A legal action of a seat.
#[derive(Debug, Clone)]
pub(crate) struct ListedOffer {
    /// Its entry in the list of the seat.
    pub(crate) entry: PossibleAction,
    /// Whether it discards the tile just drawn.
    pub(crate) drawn: bool,
    /// The action; `None` for a riichi, whose discard is requested next.
    pub(crate) action: Option<Action>,
}

/// The place of the offer that the reply selects; `None` if it selects none.
///
/// A discard is matched by the exact tile and, among equal tiles, by `tsumogiri` if it is given;
/// without a tile it is the first discard. A call is matched by its own tiles in any order and by
/// the called tile, `ankan` only by its own tiles; without own tiles by the called tile. Other
/// actions are matched by type.
pub(crate) fn select(offers: &[ListedOffer], reply: &Reply<'_>) -> Option<usize> {
    let mut fitting = offers
        .iter()
        .enumerate()
        .filter(|(_, offer)| offer.entry.kind == reply.kind && fits(&offer.entry, reply));
    let first = fitting.clone().next()?.0;
    match reply.tsumogiri {
        Some(drawn) if reply.kind == ActionKind::Dahai => Some(
            fitting
                .find(|(_, offer)| offer.drawn == drawn)
                .map_or(first, |(place, _)| place),
        ),
        _ => Some(first),
    }
}

fn fits(entry: &PossibleAction, reply: &Reply<'_>) -> bool {
    let pai = reply.pai.as_deref().filter(|pai| !pai.is_empty());
    let same_pai =
        |pai: Option<&str>| pai.is_none_or(|pai| entry.pai.is_some_and(|tile| tile.name() == pai));
    match (entry.kind, &reply.consumed) {
        (ActionKind::Hora | ActionKind::None, _) => true,
        (ActionKind::Dahai, _) => same_pai(pai),
        (ActionKind::Ankan, Some(consumed)) => same_tiles(entry, consumed),
        (_, Some(consumed)) => {
            let call = matches!(
                entry.kind,
                ActionKind::Chi | ActionKind::Pon | ActionKind::Daiminkan | ActionKind::Kakan
            );
            same_tiles(entry, consumed) && (!call || same_pai(pai))
        }
        // A riichi, nine terminals and a kita have no tile that could be wrong.
        (ActionKind::Reach | ActionKind::Ryukyoku | ActionKind::Kita, None) => true,
        (_, None) => same_pai(pai),
    }
}

fn same_tiles(entry: &PossibleAction, consumed: &[Cow<'_, str>]) -> bool {
    let mut offered: Vec<&str> = entry.consumed.iter().map(|tile| tile.name()).collect();
    let mut named: Vec<&str> = consumed.iter().map(AsRef::as_ref).collect();
    offered.sort_unstable();
    named.sort_unstable();
    offered == named
}

#[cfg(test)]
mod tests {
    use protocol::reply::parse_reply;
    use riichi::Tile;

    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().unwrap()
    }

    fn offer(kind: ActionKind, pai: Option<&str>, consumed: &[&str], drawn: bool) -> ListedOffer {
        let consumed = consumed.iter().map(|name| tile(name)).collect();
        let entry = PossibleAction {
            kind,
            pai: pai.map(tile),
            consumed,
            tsumogiri: None,
            target: None,
        };
        ListedOffer {
            entry,
            drawn,
            action: None,
        }
    }

    /// A hand of 1m 1m 5m 5mr with the second 1m just drawn.
    fn discards() -> Vec<ListedOffer> {
        [("1m", false), ("1m", true), ("5m", false), ("5mr", false)]
            .map(|(pai, drawn)| offer(ActionKind::Dahai, Some(pai), &[], drawn))
            .to_vec()
    }

    fn calls() -> Vec<ListedOffer> {
        vec![
            offer(ActionKind::Chi, Some("6p"), &["4p", "5p"], false),
            offer(ActionKind::Chi, Some("6p"), &["4p", "5pr"], false),
            offer(ActionKind::Chi, Some("6p"), &["7p", "8p"], false),
            offer(ActionKind::Pon, Some("6p"), &["6p", "6p"], false),
            offer(ActionKind::None, None, &[], false),
        ]
    }

    #[track_caller]
    fn means(offers: &[ListedOffer], reply: &str, place: Option<usize>) {
        assert_eq!(
            select(offers, &parse_reply(reply).unwrap()),
            place,
            "{reply}"
        );
    }

    #[test]
    fn a_discard_is_matched_by_the_exact_tile() {
        means(&discards(), r#"{"type":"dahai","pai":"5m"}"#, Some(2));
        means(&discards(), r#"{"type":"dahai","pai":"5mr"}"#, Some(3));
        means(&discards(), r#"{"type":"dahai","pai":"2m"}"#, None);
        means(&discards(), r#"{"type":"dahai","pai":"no tile"}"#, None);
    }

    #[test]
    fn tsumogiri_chooses_between_equal_tiles_and_never_spoils_a_discard() {
        means(
            &discards(),
            r#"{"type":"dahai","pai":"1m","tsumogiri":true}"#,
            Some(1),
        );
        means(
            &discards(),
            r#"{"type":"dahai","pai":"1m","tsumogiri":false}"#,
            Some(0),
        );
        means(&discards(), r#"{"type":"dahai","pai":"1m"}"#, Some(0));
        means(
            &discards(),
            r#"{"type":"dahai","pai":"5m","tsumogiri":true}"#,
            Some(2),
        );
    }

    #[test]
    fn a_discard_without_a_tile_is_the_first_one() {
        means(&discards(), r#"{"type":"dahai"}"#, Some(0));
        means(
            &discards(),
            r#"{"type":"dahai","pai":"","tsumogiri":true}"#,
            Some(1),
        );
    }

    #[test]
    fn a_call_is_matched_by_its_own_tiles_in_any_order_with_their_colour() {
        means(
            &calls(),
            r#"{"type":"chi","pai":"6p","consumed":["5p","4p"]}"#,
            Some(0),
        );
        means(
            &calls(),
            r#"{"type":"chi","pai":"6p","consumed":["5pr","4p"]}"#,
            Some(1),
        );
        means(
            &calls(),
            r#"{"type":"chi","consumed":["7p","8p"]}"#,
            Some(2),
        );
        means(
            &calls(),
            r#"{"type":"chi","pai":"3p","consumed":["4p","5p"]}"#,
            None,
        );
        means(
            &calls(),
            r#"{"type":"chi","pai":"6p","consumed":["4p"]}"#,
            None,
        );
        means(
            &calls(),
            r#"{"type":"pon","pai":"6p","consumed":["6p","6p"]}"#,
            Some(3),
        );
    }

    #[test]
    fn a_call_without_own_tiles_is_matched_by_the_called_one() {
        means(&calls(), r#"{"type":"chi","pai":"6p"}"#, Some(0));
        means(&calls(), r#"{"type":"pon"}"#, Some(3));
        means(&calls(), r#"{"type":"pon","pai":"7p"}"#, None);
    }

    #[test]
    fn the_pai_of_an_ankan_is_not_examined() {
        let offers = [offer(
            ActionKind::Ankan,
            Some("5s"),
            &["5s", "5s", "5s", "5sr"],
            false,
        )];
        means(
            &offers,
            r#"{"type":"ankan","consumed":["5sr","5s","5s","5s"]}"#,
            Some(0),
        );
        means(
            &offers,
            r#"{"type":"ankan","pai":"9m","consumed":["5sr","5s","5s","5s"]}"#,
            Some(0),
        );
        means(
            &offers,
            r#"{"type":"ankan","consumed":["5s","5s","5s","5s"]}"#,
            None,
        );
    }

    #[test]
    fn an_action_that_is_not_offered_selects_nothing() {
        for kind in ["hora", "reach", "ryukyoku", "kita", "ankan", "dahai"] {
            means(&calls(), &format!(r#"{{"type":"{kind}"}}"#), None);
        }
        means(&calls(), r#"{"type":"none"}"#, Some(4));
        means(&discards(), r#"{"type":"none"}"#, None);
    }
}
