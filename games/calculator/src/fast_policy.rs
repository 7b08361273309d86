//! The policy of all seats in a simulation: fast, and sound in the important decisions.
//!
//! It uses only its seat's knowledge, although the whole game is available. It wins whenever it
//! can, goes for tenpai by acceptance and value, calls if a yaku stays certain and the call is
//! worth more, declares riichi, and folds if a threat costs more than the hand can win. [`Stakes`]
//! holds the value of points to a seat.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use riichi::acceptance::{DiscardOption, acceptance, discard_options, discard_options_within};
use riichi::game::RiichiGame;
use riichi::score::Dora;
use riichi::shanten::shanten;
use riichi::table::PlayerState;
use riichi::tile::KINDS;
use riichi::yaku::yaku_is_certain;
use riichi::{
    Action, Called, ConcealedHand, Counts, Hand, Kind, KindSet, LegalActions, Meld, MeldKind, Seat,
    Tile, Wind,
};
use riichi_estimates::danger::figures::measured;
use riichi_estimates::danger::{Danger, Opponent, Sight, Threat};

use crate::attack::WinChances;
use crate::estimates::{CALLS_MAY_HELP, THREATENS_FROM};
use crate::stakes::Stakes;
use crate::worth::TilesWorth;

/// Maximum number of discards, counted as random tiles, while a hand is played on. Estimate.
const BLIND_THROWS: f32 = 2.0;
/// The expected payment of a folded hand, counted as random tiles. Estimate.
const FOLDED_THROWS: f32 = 0.35;
/// The rest of the chance to win when others' discards cannot be won on. Estimate.
const TSUMO_ONLY: f32 = 0.45;
/// The rest of the chance to win of an open hand whose yaku is not certain. Estimate.
const YAKU_UNCERTAIN: f32 = 0.1;
/// Points that another's win costs on average. Estimate.
const LOST: f32 = 1_500.0;

/// The policy of all seats in a simulation.
#[derive(Debug)]
pub(crate) struct FastPolicy {
    chances: WinChances,
}

/// A seat's information before it decides.
struct Sees<'a> {
    game: &'a RiichiGame,
    seat: Seat,
    player: &'a PlayerState,
    unseen: Counts,
    unseen_total: u32,
    dora: Dora,
    /// Own draws left.
    draws: usize,
    threats: RiichiThreats,
}

/// The threats of the others, in the seat's own stakes.
struct RiichiThreats {
    /// The approximate number of tenpai seats among them.
    number: usize,
    riichi: bool,
    risk: [f32; KINDS],
    /// The cost of an unseen random tile.
    blind: f32,
}

struct JudgedDiscard {
    option: DiscardOption,
    value: f32,
    pushes: bool,
}

impl FastPolicy {
    /// The instance that all calculations for this many players share.
    pub(crate) fn shared(players: u8) -> &'static Self {
        static THREE: LazyLock<FastPolicy> = LazyLock::new(|| FastPolicy {
            chances: WinChances::new(3),
        });
        static FOUR: LazyLock<FastPolicy> = LazyLock::new(|| FastPolicy {
            chances: WinChances::new(4),
        });
        if players == 3 { &THREE } else { &FOUR }
    }

    pub(crate) fn decide(&self, game: &RiichiGame, seat: Seat, stakes: &Stakes) -> Action {
        let legal = game.legal_actions(seat);
        if let Some(&win) = legal
            .iter()
            .find(|action| matches!(action, Action::Hora { .. }))
        {
            return win;
        }
        if legal.contains(&Action::None) {
            return self.claim(game, seat, stakes, &legal);
        }
        if let [only] = legal.as_slice() {
            return *only;
        }
        if let Some(&first) = legal
            .iter()
            .find(|action| matches!(action, Action::Kita | Action::Ryukyoku))
        {
            return first;
        }
        if game.players()[seat].riichi.is_some() {
            return legal[0];
        }
        self.own_turn(game, seat, stakes, &legal)
    }

    fn own_turn(
        &self,
        game: &RiichiGame,
        seat: Seat,
        stakes: &Stakes,
        legal: &LegalActions,
    ) -> Action {
        let Some(concealed) = game.concealed(seat) else {
            return legal[0];
        };
        let sees = Sees::of(game, seat, stakes);
        let Some(best) = self.best_discard(&sees, &concealed, stakes, legal) else {
            return legal[0];
        };
        if best.pushes
            && sees.threats.number == 0
            && let Some(&kan) = legal
                .iter()
                .find(|action| keeps_shanten(action, &concealed, best.option.shanten))
        {
            return kan;
        }
        let listed = |with_riichi: bool| {
            let tiles = legal.iter().filter_map(|&action| match action {
                Action::Reach { tile, .. } if with_riichi => Some((action, tile)),
                Action::Dahai { tile, .. } if !with_riichi => Some((action, tile)),
                _ => None,
            });
            // The plain five is discarded before the red one.
            let of_kind = tiles.filter(|(_, tile)| tile.kind() == best.option.kind);
            of_kind
                .min_by_key(|(_, tile)| tile.is_red())
                .map(|(action, _)| action)
        };
        let riichi = best.pushes
            && best.option.shanten == 0
            && sees.unseen.total_of(best.option.acceptance) > 0;
        riichi
            .then(|| listed(true))
            .flatten()
            .or_else(|| listed(false))
            .unwrap_or(legal[0])
    }

    fn best_discard(
        &self,
        sees: &Sees<'_>,
        concealed: &ConcealedHand,
        stakes: &Stakes,
        legal: &LegalActions,
    ) -> Option<JudgedDiscard> {
        let mut allowed = KindSet::EMPTY;
        for action in legal {
            if let Action::Dahai { tile, .. } = action {
                allowed.insert(tile.kind());
            }
        }
        let mut options = discard_options(concealed);
        options.retain(|option| allowed.contains(option.kind));
        let lowest = options.iter().map(|option| option.shanten).min()?;
        let worth = TilesWorth::of(
            sees.game,
            sees.seat,
            sees.game.hand(sees.seat),
            &sees.player.melds,
            &sees.dora,
            None,
        );
        let mut best: Option<JudgedDiscard> = None;
        for option in options {
            // Further away, a tile is discarded only for its safety.
            let near =
                option.shanten == lowest || sees.threats.number > 0 && option.shanten == lowest + 1;
            if !near && sees.threats.number == 0 {
                continue;
            }
            let risk = sees.threats.risk[option.kind.index()];
            let fold = -risk - FOLDED_THROWS * sees.threats.blind;
            let mut discard = JudgedDiscard {
                option,
                value: fold,
                pushes: false,
            };
            if near {
                let push = self.push(sees, concealed, &worth, stakes, &option) - risk;
                if push > fold || sees.threats.number == 0 {
                    discard = JudgedDiscard {
                        option,
                        value: push,
                        pushes: true,
                    };
                }
            }
            discard.value -= 1e-6 * order(sees, option.kind);
            if best.as_ref().is_none_or(|best| discard.value > best.value) {
                best = Some(discard);
            }
        }
        best
    }

    /// The value of playing on with a hand, without the danger of the present discard.
    fn push(
        &self,
        sees: &Sees<'_>,
        concealed: &ConcealedHand,
        worth: &TilesWorth,
        stakes: &Stakes,
        option: &DiscardOption,
    ) -> f32 {
        let tiles = sees.unseen.total_of(option.acceptance);
        let open = !sees.player.is_closed();
        let rest = concealed.without(option.kind);
        let certain = rest.is_some_and(|rest| sees.yaku_is_certain(&rest, &sees.player.melds));
        let mut chance = self.chance(
            sees,
            open,
            option.shanten,
            helped(tiles, !open && option.shanten > 0 && certain),
        );
        if open && !certain {
            chance *= YAKU_UNCERTAIN;
        }
        if option.shanten == 0 {
            let mut thrown = sees.player.discarded;
            thrown.insert(option.kind);
            if thrown.intersects(option.acceptance) {
                chance *= TSUMO_ONLY;
            }
        }
        let win = sees.win(stakes, worth.points(open, option.kind));
        let throws = BLIND_THROWS.min(sees.draws as f32);
        chance * win - (1.0 - chance) * throws * sees.threats.blind + tiles as f32 * 1e-5
    }

    fn chance(&self, sees: &Sees<'_>, open: bool, steps: i8, tiles: u32) -> f32 {
        self.chances.of(
            open,
            sees.threats.number,
            steps,
            tiles,
            sees.unseen_total,
            sees.draws,
        )
    }

    fn claim(
        &self,
        game: &RiichiGame,
        seat: Seat,
        stakes: &Stakes,
        legal: &LegalActions,
    ) -> Action {
        let Some(concealed) = game.concealed(seat) else {
            return Action::None;
        };
        let wanted = acceptance(&concealed);
        let helps = |action: &Action| match action {
            Action::Chi { tile, .. } | Action::Pon { tile, .. } => wanted.contains(tile.kind()),
            _ => false,
        };
        if !legal.iter().any(helps) {
            return Action::None;
        }
        let now = shanten(&concealed);
        let sees = Sees::of(game, seat, stakes);
        let hand = game.hand(seat);
        let melds = &sees.player.melds;
        let open = !sees.player.is_closed();
        let worth = TilesWorth::of(game, seat, hand, melds, &sees.dora, None);
        let tiles = helped(
            sees.unseen.total_of(wanted),
            !open && sees.yaku_is_certain(&concealed, melds),
        );
        let passing =
            self.chance(&sees, open, now, tiles) * sees.win(stakes, worth.points_as_is(open));
        let mut best = (Action::None, passing);
        for &action in legal.iter().filter(|action| helps(action)) {
            let (Action::Chi { tile, consumed, .. } | Action::Pon { tile, consumed, .. }) = action
            else {
                continue;
            };
            let Some((rest, after)) = called(game, hand, melds, action) else {
                continue;
            };
            if !sees.yaku_is_certain(&rest, &after) {
                continue;
            }
            let forbidden = game.rules().kuikae(tile.kind(), consumed.map(Tile::kind));
            let mut options = discard_options_within(&rest, now - 1);
            options.retain(|option| !forbidden.contains(option.kind));
            let nearest = options
                .iter()
                .map(|option| (option.shanten, sees.unseen.total_of(option.acceptance)));
            let Some((steps, tiles)) =
                nearest.min_by_key(|&(steps, tiles)| (steps, u32::MAX - tiles))
            else {
                continue;
            };
            if sees.threats.riichi && steps > 0 {
                continue;
            }
            let after_call = TilesWorth::of(game, seat, hand, melds, &sees.dora, Some(tile));
            let value = self.chance(&sees, true, steps, tiles)
                * sees.win(stakes, after_call.points_as_is(true));
            if value > best.1 {
                best = (action, value);
            }
        }
        best.0
    }
}

/// The number of accepted tiles, increased if calls may help.
fn helped(tiles: u32, calls_help: bool) -> u32 {
    if calls_help {
        (tiles as f32 * CALLS_MAY_HELP) as u32
    } else {
        tiles
    }
}

/// The hand after a call, before its discard, and its melds.
fn called(
    game: &RiichiGame,
    hand: &Hand,
    melds: &[Meld],
    action: Action,
) -> Option<(ConcealedHand, ArrayVec<Meld, 4>)> {
    let (kind, called, consumed) = match action {
        Action::Chi {
            target,
            tile,
            consumed,
        } => (MeldKind::Chi, Called { tile, from: target }, consumed),
        Action::Pon {
            target,
            tile,
            consumed,
        } => (MeldKind::Pon, Called { tile, from: target }, consumed),
        _ => return None,
    };
    let mut after: ArrayVec<Meld, 4> = melds.iter().copied().collect();
    after
        .try_push(Meld::new(
            kind,
            &[called.tile, consumed[0], consumed[1]],
            Some(called),
            0,
        )?)
        .ok()?;
    let rest = hand.without(&consumed).ok()?;
    Some((
        ConcealedHand::new(*rest.counts(), after.len(), game.rules().players).ok()?,
        after,
    ))
}

/// Whether the action is a kan of the own turn after which the hand is as near to tenpai.
fn keeps_shanten(action: &Action, concealed: &ConcealedHand, now: i8) -> bool {
    let (kind, melds) = match action {
        Action::Ankan { consumed } => (consumed[0].kind(), 1),
        Action::Kakan { tile, .. } => (tile.kind(), 0),
        _ => return false,
    };
    let mut counts = *concealed.counts();
    counts[kind] = 0;
    ConcealedHand::new(
        counts,
        usize::from(concealed.melds()) + melds,
        concealed.players(),
    )
    .is_ok_and(|hand| shanten(&hand) <= now)
}

/// The order of equally good discards, lowest first: guest winds, value honours, then from the ends
/// of the suit, dora last.
fn order(sees: &Sees<'_>, kind: Kind) -> f32 {
    let place = match kind.number() {
        None => {
            let round = sees.game.round();
            let guest = Wind::of_kind(kind).is_some_and(|wind| {
                wind != round.bakaze
                    && wind != Wind::of_seat(sees.seat, round.oya, sees.game.rules().players)
            });
            if guest { 0.0 } else { 1.0 }
        }
        Some(1 | 9) => 2.0,
        Some(2 | 8) => 3.0,
        Some(3 | 7) => 4.0,
        Some(4 | 6) => 5.0,
        Some(_) => 6.0,
    };
    place + 10.0 * f32::from(sees.dora.of(kind))
}

impl<'a> Sees<'a> {
    fn of(game: &'a RiichiGame, seat: Seat, stakes: &Stakes) -> Self {
        let rules = game.rules();
        let mut unseen = game.shown();
        for (shown, own) in unseen.0.iter_mut().zip(game.hand(seat).counts().0) {
            *shown = 4_u8.saturating_sub(*shown + own);
        }
        let sight = Sight::new(rules, unseen, game.dora_markers().iter().copied());
        Self {
            game,
            seat,
            player: &game.players()[seat],
            unseen,
            unseen_total: unseen.total(),
            dora: Dora::named_by(rules, game.dora_markers().iter().copied()),
            draws: usize::from(game.tiles_left().div_ceil(rules.players)),
            threats: RiichiThreats::of(game, seat, &sight, stakes),
        }
    }

    /// The value of winning with a hand of these points, before another does.
    fn win(&self, stakes: &Stakes, points: f32) -> f32 {
        let honba = self.game.rules().honba_points(self.game.round().honba);
        let table = 1_000.0 * f32::from(self.game.kyotaku()) + honba as f32;
        stakes.win(self.seat, points + table) + stakes.pay(self.seat, LOST)
    }

    fn yaku_is_certain(&self, hand: &ConcealedHand, melds: &[Meld]) -> bool {
        let (rules, round) = (self.game.rules(), self.game.round());
        let wind = Wind::of_seat(self.seat, round.oya, rules.players);
        yaku_is_certain(
            hand,
            melds,
            wind,
            round.bakaze,
            rules.open_tanyao,
            self.unseen.kinds(),
        )
    }
}

impl RiichiThreats {
    fn of(game: &RiichiGame, own: Seat, sight: &Sight, stakes: &Stakes) -> Self {
        let (round, players) = (game.round(), game.rules().players);
        let mut this = Self {
            number: 0,
            riichi: false,
            risk: [0.0; KINDS],
            blind: 0.0,
        };
        let (measured, mut tenpai) = (measured(players), 0.0);
        for seat in Seat::all(players).filter(|&seat| seat != own) {
            let player = &game.players()[seat];
            let threat = match player.riichi {
                Some(_) => Threat::Riichi,
                None => Threat::Melds {
                    melds: player.melds.len() as u8,
                    turns: player.river.len() as u8,
                },
            };
            let likely = measured.tenpai(threat);
            if likely < THREATENS_FROM {
                continue;
            }
            this.riichi |= player.riichi.is_some();
            tenpai += likely;
            let river = player.river.iter().copied();
            let wind = Wind::of_seat(seat, round.oya, players);
            let opponent = Opponent::new(
                river,
                &player.melds,
                player.cannot_ron(),
                wind,
                round.bakaze,
            )
            .with_norths(player.kita);
            let danger = Danger::of(sight, &opponent);
            for kind in Kind::all() {
                let chance = danger.deal_in(kind);
                if chance > 0.0 {
                    this.risk[kind.index()] += chance * stakes.pay(own, danger.loss(kind));
                }
            }
        }
        if tenpai > 0.0 {
            this.number = (tenpai.round() as usize).max(1);
            let total: f32 = Kind::all()
                .map(|kind| f32::from(sight.unseen[kind]) * this.risk[kind.index()])
                .sum();
            this.blind = total / sight.unseen.total().max(1) as f32;
        }
        this
    }
}
