//! Beliefs compared with the true hands, next to the danger figures on the same decisions.

use std::fmt;

use riichi::acceptance::acceptance;
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::shanten::shanten;
use riichi::{Kind, Seat, Table};
use riichi_estimates::belief::figures::BeliefFigures;
use riichi_estimates::belief::{Belief, Stance};
use riichi_estimates::danger::{Danger, Opponent, Sight};

use super::plot::plot;
use super::said::PredictedObserved;
use crate::danger::would_win;
use crate::observe::KnownMoment;

/// Of how many discards worlds are drawn at one, and how many.
const DISCARDS: usize = 20;
const WORLDS: usize = 40;
/// Columns by number of discards.
const TURNS: usize = 6;

/// Mean and mean square of the difference between the actual and the predicted cost of deal-ins.
#[derive(Debug, Clone, Copy, Default)]
struct Misses {
    sum: f64,
    squares: f64,
}

impl Misses {
    fn add(&mut self, said: f32, points: i64) {
        let miss = points as f64 - f64::from(said);
        self.sum += miss;
        self.squares += miss * miss;
    }
}

/// Beliefs compared with the true hands.
#[derive(Debug)]
pub(crate) struct Check {
    figures: BeliefFigures,
    rng: Rng,
    /// Hands without riichi that were tenpai.
    pub(crate) tenpai: PredictedObserved,
    /// Tiles in the discarder's hand that would have dealt in to another seat, whatever its stance,
    /// without certainly safe ones.
    pub(crate) deal_in: PredictedObserved,
    /// The same by the other's stance: closed, open, in riichi.
    pub(crate) by_stance: [PredictedObserved; 3],
    deal_ins: u64,
    danger_loss: Misses,
    belief_loss: Misses,
    /// Hands without riichi, by number of discards.
    steps: [CheckedSteps; TURNS],
    /// Han of the wins that the tiles of who discards would have given: closed, open, in riichi.
    han: [InWorlds; 3],
}

impl Check {
    /// Checks these figures. The seed decides for which decisions worlds are drawn, and which
    /// worlds.
    pub(crate) fn new(figures: BeliefFigures, seed: u64) -> Self {
        Self {
            figures,
            rng: Rng::keyed(&[seed, 2]),
            tenpai: PredictedObserved::default(),
            deal_in: PredictedObserved::default(),
            by_stance: Default::default(),
            deal_ins: 0,
            danger_loss: Misses::default(),
            belief_loss: Misses::default(),
            steps: Default::default(),
            han: Default::default(),
        }
    }

    /// Judges at a moment.
    pub(crate) fn take(&mut self, seen: KnownMoment<'_>) {
        match seen {
            KnownMoment::Discard { judging, tables } => self.take_discard(judging, tables),
            KnownMoment::DealIn {
                judging,
                winner,
                kind,
                points,
            } => {
                let danger = Danger::of(
                    &Sight::of_table(judging),
                    &Opponent::of_table(judging, winner),
                );
                self.deal_ins += 1;
                self.danger_loss.add(danger.loss(kind), points);
                self.belief_loss.add(
                    Belief::by(&self.figures, judging).loss(winner, kind),
                    points,
                );
            }
        }
    }

    fn take_discard(&mut self, judging: &Table, tables: &[Table]) {
        let belief = Belief::by(&self.figures, judging);
        let sight = Sight::of_table(judging);
        let mut worlds: Vec<RiichiGame> = Vec::new();
        if self.rng.below(DISCARDS) == 0 {
            let mut world = || RiichiGame::from_table(judging, &belief.sample(&mut self.rng)).ok();
            worlds.extend((0..WORLDS).filter_map(|_| world()));
        }
        for seat in Seat::all(judging.rules().players).filter(|&seat| seat != judging.seat()) {
            let (table, player) = (&tables[seat.index()], judging.player(seat));
            let opponent = Opponent::of_table(judging, seat);
            let danger = Danger::of(&sight, &opponent);
            let drawn: Vec<Table> = worlds.iter().map(|world| world.table(seat)).collect();
            let part = |of: &dyn Fn(&Table) -> bool| {
                drawn.iter().filter(|drawn| of(drawn)).count() as f64 / drawn.len() as f64
            };
            if player.riichi.is_none() {
                let chance = belief.tenpai(seat);
                self.tenpai
                    .add(danger.tenpai(), chance, !table.waits().is_empty());
                if !drawn.is_empty() {
                    self.tenpai
                        .belief
                        .add_drawn(chance.into(), part(&|drawn| !drawn.waits().is_empty()));
                    self.steps[(player.river.len() / 3).min(TURNS - 1)].add(table, &drawn);
                }
            }
            let stance = match player.riichi {
                Some(_) => Stance::Riichi,
                None if player.is_closed() => Stance::Closed,
                None => Stance::Open,
            };
            for kind in (judging.hand().counts().kinds() - opponent.safe()).iter() {
                let hit = would_win(table, kind);
                let chance = belief.deal_in(seat, kind);
                for compared in [&mut self.deal_in, &mut self.by_stance[stance as usize]] {
                    compared.add(danger.deal_in(kind), chance, hit);
                    if !drawn.is_empty() {
                        compared
                            .belief
                            .add_drawn(chance.into(), part(&|drawn| would_win(drawn, kind)));
                    }
                }
                if !drawn.is_empty() {
                    let target = judging.seat();
                    let han = &mut self.han[stance as usize];
                    han.was.add(
                        std::iter::once(table).filter_map(|table| han_won(table, target, kind)),
                    );
                    han.drawn.add(
                        drawn
                            .iter()
                            .filter_map(|table| han_won(table, target, kind)),
                    );
                }
            }
        }
    }

    /// The calibration as a drawing.
    pub(crate) fn plot(&self, title: &str) -> String {
        plot(
            title,
            &[
                ("tenpai", &self.tenpai),
                ("deal-in", &self.deal_in),
                ("deal-in to riichi", &self.by_stance[2]),
            ],
        )
    }
}

/// The han with which the table's seat would win on this kind, if it would.
fn han_won(table: &Table, target: Seat, kind: Kind) -> Option<f64> {
    let score = if would_win(table, kind) {
        table.score_of(target, kind.tile()).ok()
    } else {
        None
    };
    score.map(|score| f64::from(score.han))
}

#[derive(Debug, Clone, Copy, Default)]
struct ObservedMean {
    of: u64,
    sum: f64,
}

impl ObservedMean {
    fn add(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            self.of += 1;
            self.sum += value;
        }
    }
}

impl fmt::Display for ObservedMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>10}{:>7.2}",
            self.of,
            self.sum / self.of.max(1) as f64
        )
    }
}

/// A mean over the true hands, and over the worlds drawn at the same moments.
#[derive(Debug, Clone, Copy, Default)]
struct InWorlds {
    was: ObservedMean,
    drawn: ObservedMean,
}

impl fmt::Display for InWorlds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.was, self.drawn)
    }
}

/// The distance of hands from tenpai, and the number of kinds that advance hands one step away.
#[derive(Debug, Clone, Copy, Default)]
struct CheckedSteps {
    shanten: InWorlds,
    accepted: InWorlds,
}

impl CheckedSteps {
    fn add(&mut self, was: &Table, drawn: &[Table]) {
        let hand = |table: &Table| table.concealed().filter(|hand| !hand.is_full());
        let steps = |table: &Table| hand(table).map(|hand| f64::from(shanten(&hand)));
        let accepted = |table: &Table| {
            let hand = hand(table).filter(|hand| shanten(hand) == 1)?;
            Some(acceptance(&hand).len() as f64)
        };
        self.shanten.was.add(steps(was));
        self.shanten.drawn.add(drawn.iter().filter_map(steps));
        self.accepted.was.add(accepted(was));
        self.accepted.drawn.add(drawn.iter().filter_map(accepted));
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "log loss                 samples      hits   danger   belief"
        )?;
        let [closed, open, riichi] = &self.by_stance;
        for (what, compared) in [
            ("tenpai", &self.tenpai),
            ("deal-in", &self.deal_in),
            ("deal-in, closed hand", closed),
            ("deal-in, open hand", open),
            ("deal-in, riichi", riichi),
        ] {
            let PredictedObserved { danger, belief } = compared;
            let (samples, hits) = (belief.samples, belief.hits);
            writeln!(
                f,
                "{what:<22}{samples:>10}{hits:>10}{:>9.5}{:>9.5}",
                danger.log_loss(),
                belief.log_loss()
            )?;
        }
        let of = self.deal_ins.max(1) as f64;
        let misses = |misses: &Misses| {
            format!(
                "{:+.0} ± {:.0}",
                misses.sum / of,
                (misses.squares / of).sqrt()
            )
        };
        writeln!(
            f,
            "\npoints of {} deal-ins beyond the prediction, mean and root of the mean square: danger {}, belief {}",
            self.deal_ins,
            misses(&self.danger_loss),
            misses(&self.belief_loss)
        )?;
        for (what, compared) in [
            ("tenpai", &self.tenpai),
            ("deal-in", &self.deal_in),
            ("deal-in to riichi", riichi),
        ] {
            writeln!(f, "\n{what}: observed per cent by predicted per cent")?;
            writeln!(
                f,
                "   samples     said      was |   danger      was |    drawn  said  in worlds"
            )?;
            let percent = |part: f64, of: u64| 100.0 * part / of.max(1) as f64;
            for (belief, danger) in compared.belief.bins.iter().zip(&compared.danger.bins) {
                if belief.samples + danger.samples == 0 {
                    continue;
                }
                let (drawn, said, part) = belief.drawn;
                writeln!(
                    f,
                    "{:>10}{:>9.2}{:>9.2} |{:>9.2}{:>9.2} |{drawn:>9}{:>6.2}{:>9.2}",
                    belief.samples,
                    percent(belief.said, belief.samples),
                    percent(belief.hits as f64, belief.samples),
                    percent(danger.said, danger.samples),
                    percent(danger.hits as f64, danger.samples),
                    percent(said, drawn),
                    percent(part, drawn),
                )?;
            }
        }
        writeln!(
            f,
            "\nmean of hands without riichi, by tiles thrown (samples, was; the same of worlds)"
        )?;
        for (what, of) in [
            (
                "shanten number",
                (|steps: &CheckedSteps| steps.shanten) as fn(&CheckedSteps) -> InWorlds,
            ),
            ("kinds accepted a step from tenpai", |steps| steps.accepted),
        ] {
            writeln!(f, "{what}")?;
            for (column, steps) in self.steps.iter().enumerate() {
                writeln!(f, "{:>3}{}", 3 * column, of(steps))?;
            }
        }
        writeln!(
            f,
            "\nmean han of deal-ins that might have been (samples, was; the same of worlds)"
        )?;
        for (han, stance) in self.han.iter().zip(["closed", "open", "riichi"]) {
            writeln!(f, "{stance:<8}{han}")?;
        }
        Ok(())
    }
}
