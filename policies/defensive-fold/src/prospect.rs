//! What a hand of 13 tiles may be expected to come to, in places.

use mahjong::acceptance::discard_options;
use mahjong::yaku::{WinBy, yaku_is_certain};
use mahjong::{ConcealedHand, Counts, Hand, Kind, KindSet, Meld};
use policy_sdk::View;

use crate::race::{Course, MAX_DRAWS, MAX_STEPS, Runner};
use crate::standing::Standing;
use crate::threats::Threats;
use crate::tuning::TUNING;
use crate::worth::Valuer;

/// Steps to tenpai up to which the tiles accepted after the next one are counted, not taken as usual.
const LOOK_AHEAD: usize = 2;

/// A hand of 13 tiles that might be had.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prospect<'h> {
    pub(crate) hand: Hand,
    /// The same with the melds and the players.
    pub(crate) concealed: ConcealedHand,
    pub(crate) melds: &'h [Meld],
    pub(crate) shanten: i8,
    /// The kinds that lower shanten: in tenpai, the waits.
    pub(crate) acceptance: KindSet,
    /// The kind thrown to have it, if one is.
    pub(crate) thrown: Option<Kind>,
    /// Whether riichi is declared with it.
    pub(crate) riichi: bool,
}

impl Prospect<'_> {
    fn is_open(&self) -> bool {
        self.melds.iter().any(|meld| meld.kind().opens_hand())
    }

    fn reds(&self) -> u8 {
        let melded = self.melds.iter().flat_map(|meld| meld.tiles()).filter(|tile| tile.is_red()).count() as u8;
        melded + self.hand.reds().iter().sum::<u8>()
    }
}

/// Everything that hands are judged by in one decision.
#[derive(Debug)]
pub(crate) struct Judge<'v> {
    view: &'v View<'v>,
    pub(crate) threats: Threats,
    pub(crate) course: Course,
    standing: Standing,
    valuer: Valuer,
    unseen: Counts,
    /// The own discards.
    river: KindSet,
    /// All unseen tiles.
    total: f32,
    /// Whether the strategy calls.
    calls: bool,
}

impl<'v> Judge<'v> {
    pub(crate) fn new(view: &'v View<'v>, calls: bool) -> Self {
        let standing = Standing::of(view);
        let threats = Threats::of(view, &standing);
        let draws = usize::from(view.tiles_left() / view.players()).min(MAX_DRAWS);
        let drawn = [standing.own_gain(TUNING.drawn), standing.own_gain(-TUNING.drawn)];
        let course = Course::new(draws, |left| threats.go_round(draws - left), threats.lost, drawn);
        let unseen = view.unseen();
        let total = unseen.total().max(1) as f32;
        let river = view.player(view.seat()).river().map(|discard| discard.tile.kind()).collect();
        Self { view, threats, course, standing, valuer: Valuer::of(view), unseen, river, total, calls }
    }

    /// Places gained by playing such a hand on; `None` when it is open, not tenpai, and not sure of a yaku.
    pub(crate) fn push(&self, prospect: &Prospect<'_>) -> Option<f32> {
        let runner = if prospect.shanten == 0 { Some(self.tenpai(prospect)) } else { self.not_yet_tenpai(prospect) };
        runner.map(|runner| self.course.play(&runner))
    }

    /// Places gained with such a hand, played on or given up.
    pub(crate) fn gain(&self, prospect: &Prospect<'_>) -> f32 {
        let fold = self.course.fold();
        self.push(prospect).map_or(fold, |push| push.max(fold))
    }

    /// A hand with steps to go; `None` when it is open and not sure of a yaku.
    fn not_yet_tenpai(&self, prospect: &Prospect<'_>) -> Option<Runner> {
        let open = prospect.is_open();
        let certain = (open || self.calls) && self.yaku_is_certain(prospect);
        let help = match (open, certain) {
            (true, true) => TUNING.calls_help,
            (true, false) => return None,
            (false, true) => TUNING.calls_may_help,
            (false, false) => 1.0,
        };
        let steps = usize::from(prospect.shanten.unsigned_abs()).min(MAX_STEPS);
        let mut tiles = [0.0; MAX_STEPS + 1];
        for (tiles, usual) in tiles.iter_mut().zip(TUNING.usual_tiles[..=steps].iter().rev()) {
            *tiles = *usual;
        }
        tiles[0] = self.unseen.total_of(prospect.acceptance) as f32;
        let ahead = if steps <= LOOK_AHEAD { self.ahead(prospect) } else { None };
        let points = match ahead {
            Some(ahead) => {
                tiles[1] = ahead.tiles;
                ahead.points
            }
            None => self.points(prospect.hand.counts(), prospect),
        };
        let mut progress = [0.0; MAX_STEPS];
        for (chance, tiles) in progress.iter_mut().zip(&tiles[..steps]) {
            *chance = (tiles * help / self.total).min(1.0);
        }
        let tsumo = tiles[steps] / self.total;
        let [tsumo_gain, ron_gain] = self.gain_by_win(points);
        Some(Runner {
            steps,
            progress,
            tsumo,
            ron: tsumo * TUNING.ron_for_tsumo[usize::from(open)],
            win: TUNING.tsumo_share * tsumo_gain + (1.0 - TUNING.tsumo_share) * ron_gain,
            riichi_cost: None,
        })
    }

    /// A tenpai hand; one that cannot win can still be tenpai when the round is drawn.
    fn tenpai(&self, prospect: &Prospect<'_>) -> Runner {
        let furiten = self.is_furiten(prospect);
        let mut runner = Runner {
            steps: 0,
            progress: [0.0; MAX_STEPS],
            tsumo: 0.0,
            ron: 0.0,
            win: 0.0,
            riichi_cost: prospect.riichi.then(|| -self.standing.own_gain(-1_000)),
        };
        for kind in prospect.acceptance.iter() {
            let Ok(complete) = prospect.hand.with(kind.tile()) else { continue };
            let share = f32::from(self.unseen[kind]) / self.total;
            let points = |by| self.valuer.win(&complete, prospect.melds, kind, by, prospect.riichi);
            if let Some(points) = points(WinBy::Draw) {
                runner.tsumo += share;
                runner.win += share * self.gain_by_win(points)[0];
            }
            if let Some(points) = points(WinBy::Discard).filter(|_| !furiten) {
                let ron = share * self.thrown(kind, prospect.riichi);
                runner.ron += ron;
                runner.win += ron * self.gain_by_win(points)[1];
            }
        }
        let wins = runner.tsumo + runner.ron;
        if wins > 0.0 {
            runner.win /= wins;
        }
        runner
    }

    /// Whether a tenpai hand wins by its own draw alone. Temporary furiten does not count: it ends with the own next
    /// discard, and the race begins there.
    fn is_furiten(&self, prospect: &Prospect<'_>) -> bool {
        let thrown = prospect.thrown.is_some_and(|kind| prospect.acceptance.contains(kind));
        thrown || self.river.intersects(prospect.acceptance) || self.view.furiten().riichi
    }

    /// For a copy of this kind that the hand would draw in a go-round, how many the others throw.
    fn thrown(&self, kind: Kind, riichi: bool) -> f32 {
        let [honour, outermost, next, middle] = TUNING.thrown;
        let shy = match kind.number() {
            None => honour,
            Some(1 | 9) => outermost,
            Some(2 | 8) => next,
            Some(_) => middle,
        };
        let shy = if riichi { shy } else { shy + TUNING.thrown_unwarned };
        self.threats.all.iter().map(|other| if other.riichi { 1.0 } else { shy }).sum()
    }

    /// What the hand is a step further on, on average; `None` when no tile that it accepts is left.
    fn ahead(&self, prospect: &Prospect<'_>) -> Option<Ahead> {
        let mut sum = Ahead { tiles: 0.0, points: 0.0 };
        let mut copies = 0.0;
        for kind in prospect.acceptance.iter().filter(|&kind| self.unseen[kind] > 0) {
            let weight = f32::from(self.unseen[kind]);
            let Some(full) = prospect.concealed.with(kind) else { continue };
            let options = discard_options(&full);
            let nearer = options.iter().filter(|option| option.shanten < prospect.shanten);
            let best = nearer.map(|option| (self.unseen.total_of(option.acceptance), option.kind)).max();
            if let Some((tiles, next)) = best.and_then(|(tiles, thrown)| Some((tiles, full.without(thrown)?))) {
                sum.tiles += weight * tiles as f32;
                sum.points += weight * self.points(next.counts(), prospect);
            }
            copies += weight;
        }
        (copies > 0.0).then(|| Ahead { tiles: sum.tiles / copies, points: sum.points / copies })
    }

    fn points(&self, closed: &Counts, prospect: &Prospect<'_>) -> f32 {
        let riichi = !prospect.is_open() && self.can_declare_riichi();
        self.valuer.points(closed, prospect.melds, prospect.reds(), riichi)
    }

    fn yaku_is_certain(&self, prospect: &Prospect<'_>) -> bool {
        let view = self.view;
        yaku_is_certain(&prospect.concealed, prospect.melds, view.seat_wind(), view.bakaze(), view.rules().open_tanyao)
    }

    /// Whether riichi can still be declared in a turn to come.
    fn can_declare_riichi(&self) -> bool {
        let left = self.view.tiles_left().saturating_sub(self.view.players());
        self.view.scores()[self.view.seat()] >= 1_000 && left >= self.view.players()
    }

    /// Places gained by a win for which so many points are paid, by self-draw and by ron, whoever pays.
    fn gain_by_win(&self, paid: f32) -> [f32; 2] {
        let (paid, own) = (paid as i32, self.view.seat());
        let others = f32::from(self.view.players() - 1);
        let ron: f32 = self.standing.others().map(|payer| self.standing.ron(payer, own, paid)).sum();
        [self.standing.tsumo(own, paid), ron / others]
    }
}

/// A step further on, on average.
struct Ahead {
    /// Copies accepted.
    tiles: f32,
    /// Points of a win.
    points: f32,
}
