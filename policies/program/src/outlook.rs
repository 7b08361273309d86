//! The outlook of a hand after an action: computed here, so that a program need not.

use policy_sdk::View;
use riichi::acceptance::{DiscardOption, acceptance, discard_options};
use riichi::shanten::shanten;
use riichi::{Action, ConcealedHand, Counts, KindSet, Tile};
use serde::Serialize;

use crate::names::CountedKinds;

/// The distance of a hand, and the tiles that bring it nearer.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Outlook"))]
pub(crate) struct OutlookLine {
    /// Shanten number: how many tiles must be exchanged until the hand is tenpai, -1 when it is
    /// complete.
    #[cfg_attr(test, schemars(range(min = -1, max = 8)))]
    pub(crate) shanten: i8,
    /// The kinds that lower the shanten number, each with how many of its tiles are not seen.
    pub(crate) acceptance: CountedKinds,
    /// Total number of these tiles.
    pub(crate) tiles: u32,
}

impl OutlookLine {
    fn new(shanten: i8, kinds: KindSet, unseen: Counts) -> Self {
        let acceptance = CountedKinds {
            kinds,
            counts: unseen,
        };
        Self {
            shanten,
            acceptance,
            tiles: acceptance.total(),
        }
    }

    /// Of a hand before its draw, or of one with a tile to discard, of whose discards without those
    /// `forbidden` the one counts that leaves it nearest with the most tiles.
    fn of(hand: &ConcealedHand, forbidden: KindSet, unseen: Counts) -> Option<Self> {
        if !hand.is_full() {
            return Some(Self::new(shanten(hand), acceptance(hand), unseen));
        }
        let options = discard_options(hand);
        let allowed = options
            .iter()
            .filter(|option| !forbidden.contains(option.kind));
        let outlooks = allowed.map(|option| Self::new(option.shanten, option.acceptance, unseen));
        outlooks.min_by_key(|outlook| (outlook.shanten, std::cmp::Reverse(outlook.tiles)))
    }
}

/// The outlook of the own hand, now and after each action.
pub(crate) struct Outlooks<'v> {
    view: &'v View<'v>,
    unseen: Counts,
    /// After each discard, if there is a tile to discard.
    discards: Vec<DiscardOption>,
}

impl<'v> Outlooks<'v> {
    pub(crate) fn of(view: &'v View<'v>) -> Self {
        let discards = discard_options(view.concealed()).into_iter().collect();
        Self {
            view,
            unseen: view.unseen(),
            discards,
        }
    }

    /// For the present hand.
    pub(crate) fn now(&self) -> OutlookLine {
        let hand = self.view.concealed();
        let best = OutlookLine::of(hand, KindSet::EMPTY, self.unseen);
        let best =
            best.unwrap_or_else(|| OutlookLine::new(shanten(hand), KindSet::EMPTY, self.unseen));
        OutlookLine {
            shanten: shanten(hand),
            ..best
        }
    }

    /// For the hand after an action, before its next draw; `None` after an action that ends the
    /// round.
    pub(crate) fn after(&self, action: &Action) -> Option<OutlookLine> {
        let hand = self.view.concealed();
        match action {
            Action::Dahai { tile, .. } | Action::Reach { tile, .. } => {
                let option = self
                    .discards
                    .iter()
                    .find(|option| option.kind == tile.kind())?;
                Some(OutlookLine::new(
                    option.shanten,
                    option.acceptance,
                    self.unseen,
                ))
            }
            Action::Chi { tile, consumed, .. } | Action::Pon { tile, consumed, .. } => {
                let mut own = consumed.map(Tile::kind);
                own.sort_unstable();
                self.without(consumed, 1, self.view.rules().kuikae(tile.kind(), own))
            }
            Action::Daiminkan { consumed, .. } => self.without(consumed, 1, KindSet::EMPTY),
            Action::Ankan { consumed } => self.without(consumed, 1, KindSet::EMPTY),
            Action::Kakan { tile, .. } => self.without(&[*tile], 0, KindSet::EMPTY),
            Action::Kita => self.without(&[riichi::Kind::NORTH.tile()], 0, KindSet::EMPTY),
            Action::None => OutlookLine::of(hand, KindSet::EMPTY, self.unseen),
            Action::Hora { .. } | Action::Ryukyoku => None,
        }
    }

    /// For the hand without some tiles and with more melds; these kinds may not be discarded next.
    fn without(&self, tiles: &[Tile], melds: usize, forbidden: KindSet) -> Option<OutlookLine> {
        let rest = self.view.hand().without(tiles).ok()?;
        let melds = self.view.melds().len() + melds;
        let hand = ConcealedHand::new(*rest.counts(), melds, self.view.players()).ok()?;
        OutlookLine::of(&hand, forbidden, self.unseen)
    }
}
