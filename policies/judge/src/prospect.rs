//! The expected value of a hand of 13 tiles, in places.

use calculator::estimates::{CALLS_HELP, CALLS_MAY_HELP, PlayersEstimates, USUAL_TILES};
use policy_common::candidate::is_yaku_certain;
use policy_sdk::View;
use riichi::acceptance::{acceptance, discard_options_within, exchanges};
use riichi::shanten::standard_shanten;
use riichi::tile::KINDS;
use riichi::yaku::WinBy;
use riichi::{ConcealedHand, Counts, Hand, Kind, KindSet, Meld, Tile};

use crate::payoff::Payoff;
use crate::race::{Course, MAX_DRAWS, MAX_STEPS, Runner};
use crate::standing::Standing;
use crate::threats::Threats;
use crate::tuning::TUNING;
use crate::worth::Valuer;

/// Maximum number of steps to tenpai for which the acceptance after the next step is counted and
/// not assumed.
const LOOK_AHEAD: usize = 2;

/// A possible hand of 13 tiles.
#[derive(Debug, Clone, Copy)]
pub struct Prospect<'h> {
    /// Its closed tiles.
    pub hand: Hand,
    /// The same with the melds and the players.
    pub concealed: ConcealedHand,
    pub melds: &'h [Meld],
    /// Steps to tenpai.
    pub shanten: i8,
    /// The kinds that lower shanten: in tenpai, the waits.
    pub acceptance: KindSet,
    /// The kind discarded for it, if any.
    pub thrown: Option<Kind>,
    pub riichi: bool,
}

impl Prospect<'_> {
    fn is_open(&self) -> bool {
        self.melds.iter().any(|meld| meld.kind().opens_hand())
    }

    fn reds(&self) -> u8 {
        let melded = self
            .melds
            .iter()
            .flat_map(|meld| meld.tiles())
            .filter(|tile| tile.is_red())
            .count() as u8;
        melded + self.hand.reds().iter().sum::<u8>()
    }
}

/// The inputs for judging the hands of one decision.
#[derive(Debug)]
pub struct Judge<'v> {
    pub(crate) view: &'v View<'v>,
    pub(crate) threats: Threats,
    pub(crate) course: Course,
    pub(crate) standing: Standing,
    pub(crate) valuer: Valuer,
    pub(crate) unseen: Counts,
    /// The own discards.
    river: KindSet,
    /// All unseen tiles.
    total: f32,
    /// Whether the strategy calls.
    calls: bool,
    payoff: Option<Payoff>,
}

impl<'v> Judge<'v> {
    pub fn new(view: &'v View<'v>, calls: bool, payoff: Option<Payoff>) -> Self {
        Self::with(view, calls, payoff, None)
    }

    /// The judge of the view after a kan of this seat that leaves this hand: one more indicator is
    /// turned, for all.
    pub(crate) fn after_kan(&self, hand: &Counts, melds: &[Meld]) -> Self {
        let mut all = *hand;
        melds.iter().for_each(|meld| meld.count_into(&mut all));
        Self::with(self.view, self.calls, self.payoff, Some(&all))
    }

    fn with(view: &'v View<'v>, calls: bool, payoff: Option<Payoff>, kan: Option<&Counts>) -> Self {
        let standing = Standing::of(view, payoff);
        let threats = Threats::of(view, &standing, kan.is_some());
        let draws = usize::from(view.tiles_left() / view.players()).min(MAX_DRAWS);
        let drawn = [
            standing.own_gain(TUNING.drawn),
            standing.own_gain(-TUNING.drawn),
        ];
        let course = Course::new(
            draws,
            |left| threats.go_round(draws - left),
            threats.lost,
            drawn,
        );
        let unseen = view.unseen();
        let total = unseen.total().max(1) as f32;
        let river = view
            .player(view.seat())
            .river()
            .map(|discard| discard.tile.kind())
            .collect();
        let valuer = Valuer::of(view);
        let valuer = match kan {
            Some(all) => valuer.with_an_indicator_more(all, &unseen),
            None => valuer,
        };
        Self {
            view,
            threats,
            course,
            standing,
            valuer,
            unseen,
            river,
            total,
            calls,
            payoff,
        }
    }

    /// The value of playing a hand on; `None` if it is open, not tenpai and has no certain yaku.
    pub(crate) fn push(&self, prospect: &Prospect<'_>) -> Option<Push> {
        self.runner(prospect).map(|runner| Push {
            value: self.course.play(&runner),
            runner,
        })
    }

    /// The same with one extra draw in the next go-round, whose discard costs this much.
    pub(crate) fn push_with_a_draw(&self, prospect: &Prospect<'_>, throw: f32) -> Option<f32> {
        let accepted = self.unseen.total_of(prospect.acceptance) as f32 / self.total;
        self.runner(prospect)
            .map(|runner| self.course.play_with_a_draw(&runner, accepted, throw))
    }

    fn runner(&self, prospect: &Prospect<'_>) -> Option<Runner> {
        if prospect.shanten == 0 {
            Some(self.tenpai(prospect))
        } else {
            self.not_yet_tenpai(prospect)
        }
    }

    /// A hand that is not tenpai; `None` if it is open and has no certain yaku.
    fn not_yet_tenpai(&self, prospect: &Prospect<'_>) -> Option<Runner> {
        let open = prospect.is_open();
        let certain = (open || self.calls) && self.yaku_is_certain(prospect);
        let help = match (open, certain) {
            (true, true) => CALLS_HELP,
            // One step from tenpai its yaku are counted for each win.
            (true, false) if prospect.shanten > 1 => return None,
            (true, false) => CALLS_HELP,
            (false, true) => CALLS_MAY_HELP,
            (false, false) => 1.0,
        };
        let steps = usize::from(prospect.shanten.unsigned_abs()).min(MAX_STEPS);
        let mut tiles = [0.0; MAX_STEPS + 1];
        for (tiles, usual) in tiles.iter_mut().zip(USUAL_TILES[..=steps].iter().rev()) {
            *tiles = *usual;
        }
        tiles[0] = self.unseen.total_of(prospect.acceptance) as f32;
        let ahead = if (2..=LOOK_AHEAD).contains(&steps) {
            self.ahead(prospect)
        } else {
            None
        };
        if steps == 1
            && let Some(wins) = self.wins_ahead(prospect)
        {
            let mut progress = [0.0; MAX_STEPS];
            progress[0] = (tiles[0] * help / self.total).min(1.0);
            return Some(wins.runner(1, progress, None));
        }
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
        Some(Runner {
            steps,
            progress,
            tsumo,
            ron: tsumo * PlayersEstimates::of(self.view.players()).ron_for_tsumo[usize::from(open)],
            win: TUNING.tsumo_share * self.gain_by_tsumo(points)
                + (1.0 - TUNING.tsumo_share) * self.gain_by_ron(points),
            riichi_cost: None,
        })
    }

    /// A tenpai hand; one that cannot win can still be tenpai when the round is drawn.
    fn tenpai(&self, prospect: &Prospect<'_>) -> Runner {
        let wins = self.wins(prospect, self.is_furiten(prospect), &self.unseen);
        // A stick on the table is already lost.
        let declared = self.view.player(self.view.seat()).riichi().is_some();
        let stick = || {
            if declared {
                0.0
            } else {
                -self.standing.own_gain(-1_000)
            }
        };
        wins.runner(0, [0.0; MAX_STEPS], prospect.riichi.then(stick))
    }

    /// The wins of a tenpai hand in a go-round, scored exactly, given these unseen tiles.
    fn wins(&self, prospect: &Prospect<'_>, furiten: bool, unseen: &Counts) -> Wins {
        let mut wins = Wins::default();
        for kind in prospect.acceptance.iter().filter(|&kind| unseen[kind] > 0) {
            let Ok(complete) = prospect.hand.with(kind.tile()) else {
                continue;
            };
            let share = f32::from(unseen[kind]) / self.total;
            let points = |by| {
                self.valuer
                    .win(&complete, prospect.melds, kind, by, prospect.riichi)
            };
            if let Some(points) = points(WinBy::Draw) {
                wins.tsumo += share;
                wins.gain += share * self.gain_by_tsumo(points);
            }
            if let Some(points) = points(WinBy::Discard).filter(|_| !furiten) {
                let ron = share * self.thrown(kind, prospect.riichi);
                wins.ron += ron;
                wins.gain += ron * self.gain_by_ron(points);
            }
        }
        wins
    }

    /// The average wins of the tenpai hands one step ahead, each with its best discard; `None` if
    /// no accepted tile is left.
    fn wins_ahead(&self, prospect: &Prospect<'_>) -> Option<Wins> {
        let riichi = !prospect.is_open() && self.can_declare_riichi();
        let mut sum = Wins::default();
        let mut copies = 0.0;
        for drawn in prospect
            .acceptance
            .iter()
            .filter(|&kind| self.unseen[kind] > 0)
        {
            let (Ok(hand), Some(full)) = (
                prospect.hand.with(drawn.tile()),
                prospect.concealed.with(drawn),
            ) else {
                continue;
            };
            let weight = f32::from(self.unseen[drawn]);
            let mut unseen = self.unseen;
            unseen[drawn] -= 1;
            let mut best = Wins::default();
            for option in discard_options_within(&full, 0) {
                let (Ok(hand), Some(concealed)) = (
                    hand.without(&[plain_first(&hand, option.kind)]),
                    full.without(option.kind),
                ) else {
                    continue;
                };
                let tenpai = Prospect {
                    hand,
                    concealed,
                    shanten: 0,
                    acceptance: option.acceptance,
                    thrown: Some(option.kind),
                    riichi,
                    ..*prospect
                };
                let thrown_now = prospect
                    .thrown
                    .is_some_and(|kind| option.acceptance.contains(kind));
                let wins = self.wins(&tenpai, thrown_now || self.is_furiten(&tenpai), &unseen);
                if wins.gain > best.gain {
                    best = wins;
                }
            }
            sum.add(weight, &best);
            copies += weight;
        }
        (copies > 0.0).then(|| sum.scaled(1.0 / copies))
    }

    /// Whether a tenpai hand wins by its own draw alone. Temporary furiten does not count, because
    /// it ends with the own next discard, where the race begins.
    pub(crate) fn is_furiten(&self, prospect: &Prospect<'_>) -> bool {
        let thrown = prospect
            .thrown
            .is_some_and(|kind| prospect.acceptance.contains(kind));
        thrown || self.river.intersects(prospect.acceptance) || self.view.furiten().riichi
    }

    /// The number of copies of this kind that the others discard for each one that the hand would
    /// draw in a go-round.
    fn thrown(&self, kind: Kind, riichi: bool) -> f32 {
        let [honour, outermost, next, middle] = TUNING.thrown;
        let shy = match kind.number() {
            None => honour,
            Some(1 | 9) => outermost,
            Some(2 | 8) => next,
            Some(_) => middle,
        };
        let shy = if riichi {
            shy
        } else {
            shy + TUNING.thrown_unwarned
        };
        self.threats
            .all
            .iter()
            .map(|other| if other.riichi { 1.0 } else { shy })
            .sum()
    }

    /// The average hand one step ahead; `None` if no accepted tile is left.
    fn ahead(&self, prospect: &Prospect<'_>) -> Option<Ahead> {
        let mut sum = Ahead {
            tiles: 0.0,
            points: 0.0,
        };
        let mut copies = 0.0;
        for kind in prospect
            .acceptance
            .iter()
            .filter(|&kind| self.unseen[kind] > 0)
        {
            let weight = f32::from(self.unseen[kind]);
            let Some(full) = prospect.concealed.with(kind) else {
                continue;
            };
            let nearer = discard_options_within(&full, prospect.shanten - 1);
            let best = nearer
                .iter()
                .map(|option| (self.unseen.total_of(option.acceptance), option.kind))
                .max();
            if let Some((tiles, next)) =
                best.and_then(|(tiles, thrown)| Some((tiles, full.without(thrown)?)))
            {
                sum.tiles += weight * tiles as f32;
                sum.points += weight * self.points(next.counts(), prospect);
            }
            copies += weight;
        }
        (copies > 0.0).then(|| Ahead {
            tiles: sum.tiles / copies,
            points: sum.points / copies,
        })
    }

    /// The gain by draws that do not bring the hand nearer, for a hand that is tenpai or one step
    /// away; none for one that is nearer to seven pairs or thirteen orphans.
    pub(crate) fn widening(&self, prospect: &Prospect<'_>) -> Widening {
        let mut widening = Widening::default();
        if standard_shanten(&prospect.concealed) > prospect.shanten {
            return widening;
        }
        let now = self.unseen.total_of(prospect.acceptance);
        let held = prospect.concealed.counts().kinds();
        let near: KindSet = held
            .iter()
            .flat_map(|kind| (-2..=2).filter_map(move |steps| kind.offset(steps)))
            .collect();
        // Far from all others a tile is worth as much as the one that it replaces, unless the hand
        // waits for its pair.
        let useful = if prospect.shanten == 0 {
            self.view.rules().kinds()
        } else {
            held | near
        } - prospect.acceptance;
        let mut most = [now; KINDS];
        for (thrown, drawn) in exchanges(&prospect.concealed) {
            for kind in (drawn & useful)
                .iter()
                .filter(|&kind| kind != thrown && self.unseen[kind] > 0)
            {
                let full = prospect.concealed.with(kind);
                let Some(exchanged) = full.and_then(|full| full.without(thrown)) else {
                    continue;
                };
                let accepted = acceptance(&exchanged);
                // The drawn tile is no longer unseen.
                let tiles = self.unseen.total_of(accepted) - u32::from(accepted.contains(kind));
                most[kind.index()] = tiles.max(most[kind.index()]);
            }
        }
        for (kind, most) in Kind::all().zip(most).filter(|&(_, most)| most > now) {
            let copies = f32::from(self.unseen[kind]);
            widening.tiles += copies;
            widening.gain += copies / self.total * (most - now) as f32;
        }
        widening
    }

    fn points(&self, closed: &Counts, prospect: &Prospect<'_>) -> f32 {
        let riichi = !prospect.is_open() && self.can_declare_riichi();
        self.valuer
            .points(closed, prospect.melds, prospect.reds(), riichi)
    }

    fn yaku_is_certain(&self, prospect: &Prospect<'_>) -> bool {
        is_yaku_certain(self.view, &prospect.concealed, prospect.melds)
    }

    /// Whether such a hand, unchanged, may declare riichi in a later turn.
    pub(crate) fn may_declare(&self, prospect: &Prospect<'_>) -> bool {
        prospect.shanten == 0
            && !prospect.riichi
            && !prospect.is_open()
            && self.can_declare_riichi()
    }

    /// Whether riichi can still be declared in a later turn.
    fn can_declare_riichi(&self) -> bool {
        let left = self.view.tiles_left().saturating_sub(self.view.players());
        self.view.scores()[self.view.seat()] >= 1_000 && left >= self.view.players()
    }

    /// The gain in places by a self-draw worth this many points.
    fn gain_by_tsumo(&self, paid: f32) -> f32 {
        self.standing.tsumo(self.view.seat(), paid as i32)
    }

    /// The average gain in places, over the payers, by a ron worth this many points.
    fn gain_by_ron(&self, paid: f32) -> f32 {
        let (paid, own) = (paid as i32, self.view.seat());
        let others = f32::from(self.view.players() - 1);
        self.standing
            .others()
            .map(|payer| self.standing.ron(payer, own, paid))
            .sum::<f32>()
            / others
    }
}

/// A hand that is played on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Push {
    /// The gain in places.
    pub(crate) value: f32,
    /// Its input to the race.
    pub(crate) runner: Runner,
}

impl Push {
    pub(crate) fn less(self, cost: f32) -> Self {
        Self {
            value: self.value - cost,
            ..self
        }
    }
}

/// The wins of a tenpai hand in a go-round.
#[derive(Debug, Clone, Copy, Default)]
struct Wins {
    /// The probability of a win by self-draw.
    tsumo: f32,
    /// The probability of a win on a discard.
    ron: f32,
    /// Expected gain in places by both.
    gain: f32,
}

impl Wins {
    fn add(&mut self, weight: f32, other: &Self) {
        self.tsumo += weight * other.tsumo;
        self.ron += weight * other.ron;
        self.gain += weight * other.gain;
    }

    fn scaled(self, by: f32) -> Self {
        Self {
            tsumo: by * self.tsumo,
            ron: by * self.ron,
            gain: by * self.gain,
        }
    }

    /// The hand that has these wins after these steps.
    fn runner(self, steps: usize, progress: [f32; MAX_STEPS], riichi_cost: Option<f32>) -> Runner {
        let Self { tsumo, ron, gain } = self;
        let wins = tsumo + ron;
        let win = if wins > 0.0 { gain / wins } else { 0.0 };
        Runner {
            steps,
            progress,
            tsumo,
            ron,
            win,
            riichi_cost,
        }
    }
}

/// The average one step ahead.
struct Ahead {
    /// Copies accepted.
    tiles: f32,
    /// Points of a win.
    points: f32,
}

/// The draws after which a hand is as near to tenpai as before and accepts more tiles.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Widening {
    /// Unseen copies of the tiles that do it.
    pub(crate) tiles: f32,
    /// The tiles that the hand accepts more after a draw, on average.
    pub(crate) gain: f32,
}

/// The plain tile of a kind, if there is one.
pub(crate) fn plain_first(hand: &Hand, kind: Kind) -> Tile {
    hand.distinct()
        .find(|tile| tile.kind() == kind)
        .unwrap_or(kind.tile())
}
