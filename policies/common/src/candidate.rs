//! The discards of the own turn, with riichi or without.

use arrayvec::ArrayVec;
use policy_sdk::View;
use riichi::acceptance::discard_options;
use riichi::action::MAX_ACTIONS;
use riichi::yaku::yaku_is_certain;
use riichi::{Action, ConcealedHand, Meld, Tile};

use crate::progress::Progress;

/// A discard that is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Its place in the legal list.
    pub index: usize,
    /// The tile, colour included.
    pub tile: Tile,
    /// Whether it is the tile just drawn.
    pub tsumogiri: bool,
    pub riichi: bool,
    /// The hand afterwards.
    pub progress: Progress,
}

pub type Candidates = ArrayVec<Candidate, MAX_ACTIONS>;

/// The discards that are listed, in the list's order.
pub fn candidates(view: &View<'_>) -> Candidates {
    let options = discard_options(view.concealed());
    let candidate = |(index, action): (usize, &Action)| {
        let (tile, tsumogiri, riichi) = match *action {
            Action::Dahai { tile, tsumogiri } => (tile, tsumogiri, false),
            Action::Reach { tile, tsumogiri } => (tile, tsumogiri, true),
            _ => return None,
        };
        let option = options.iter().find(|option| option.kind == tile.kind())?;
        let progress = Progress::new(view, option.shanten, option.acceptance);
        Some(Candidate {
            index,
            tile,
            tsumogiri,
            riichi,
            progress,
        })
    };
    view.legal()
        .iter()
        .enumerate()
        .filter_map(candidate)
        .collect()
}

/// The candidates to choose from: those with riichi if there are any, since closed and tenpai means
/// riichi; else, for an open hand, those that leave a yaku certain, if there are any; else all.
pub fn eligible(view: &View<'_>, candidates: &[Candidate]) -> Candidates {
    let those = |wanted: &dyn Fn(&Candidate) -> bool| -> Candidates {
        candidates
            .iter()
            .copied()
            .filter(|candidate| wanted(candidate))
            .collect()
    };
    let riichi = those(&|candidate| candidate.riichi);
    if !riichi.is_empty() {
        return riichi;
    }
    let open = view.player(view.seat()).is_open();
    let certain = those(&|candidate| open && leaves_yaku_certain(view, candidate.tile));
    if certain.is_empty() {
        those(&|_| true)
    } else {
        certain
    }
}

fn leaves_yaku_certain(view: &View<'_>, thrown: Tile) -> bool {
    view.concealed()
        .without(thrown.kind())
        .is_some_and(|rest| is_yaku_certain(view, &rest, view.melds()))
}

/// Whether such a hand of the own seat is sure of a yaku, judging by the visible tiles.
pub fn is_yaku_certain(view: &View<'_>, hand: &ConcealedHand, melds: &[Meld]) -> bool {
    let left = view.unseen().kinds();
    yaku_is_certain(
        hand,
        melds,
        view.seat_wind(),
        view.bakaze(),
        view.rules().open_tanyao,
        left,
    )
}

#[cfg(test)]
mod tests {
    use policy_sdk::testing::{Situation, tile};
    use riichi::Rules;

    use super::*;

    /// Shanten number after discarding 5p, in a view of a game of this many players.
    fn shanten_without_5p(players: u8) -> i8 {
        let situation = Situation::drew("1111m 1111z 222z 33z", "5p")
            .rules(Rules::TENHOU_HALF.with_players(players));
        let candidates = situation.build().view(candidates).unwrap();
        candidates
            .iter()
            .find(|candidate| candidate.tile == tile("5p"))
            .unwrap()
            .progress
            .shanten
    }

    #[test]
    fn discards_are_judged_by_the_number_of_players() {
        assert_eq!((shanten_without_5p(4), shanten_without_5p(3)), (1, 2));
    }
}
