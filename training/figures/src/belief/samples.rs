//! The data that figures are fitted to.

use riichi::rng::Rng;
use riichi::shanten::shanten;
use riichi::{Seat, Table};
use riichi_estimates::belief::figures::{SHANTEN, SHANTEN_COLUMNS, shanten_column};
use riichi_estimates::belief::{PlayerFeatures, Stance, TraitList};

use crate::danger::would_win;
use crate::observe::KnownMoment;

/// Of how many discards one is taken.
const DISCARDS: usize = 3;
/// Of how many discards that are taken the hands are kept.
const SITUATIONS: usize = 24;
/// Maximum number of situations kept: more are not needed.
const MAX_SITUATIONS: usize = 4000;

/// Traits with their outcome: 1 or 0 for an event that happened or did not, or an amount.
pub(super) type SampleRow = (TraitList, f32);

/// The discarder's table, and the tables of all.
#[derive(Debug, Clone)]
pub(super) struct JudgedMoment {
    pub(super) judging: Table,
    pub(super) tables: Vec<Table>,
}

/// The data that figures are fitted to.
#[derive(Debug)]
pub(crate) struct Samples {
    rng: Rng,
    pub(super) tenpai: Vec<SampleRow>,
    pub(super) waits: [Vec<SampleRow>; 3],
    pub(super) loss: Vec<SampleRow>,
    /// Hands that are not tenpai, by shanten number.
    pub(super) shanten: [[[u64; SHANTEN]; SHANTEN_COLUMNS]; 5],
    pub(super) situations: Vec<JudgedMoment>,
}

impl Samples {
    /// None yet. The seed decides which discards are taken.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::keyed(&[seed, 1]),
            tenpai: Vec::new(),
            waits: Default::default(),
            loss: Vec::new(),
            shanten: Default::default(),
            situations: Vec::new(),
        }
    }

    /// Learns from a moment.
    pub(crate) fn take(&mut self, seen: KnownMoment<'_>) {
        match seen {
            KnownMoment::Discard { judging, tables } => {
                if self.rng.below(DISCARDS) == 0 {
                    self.take_discard(judging, tables);
                }
            }
            KnownMoment::DealIn {
                judging,
                winner,
                kind,
                points,
            } => {
                self.loss.push((
                    PlayerFeatures::of(judging, winner).loss_traits(kind),
                    points as f32 / 1000.0,
                ));
            }
        }
    }

    fn take_discard(&mut self, judging: &Table, tables: &[Table]) {
        if self.situations.len() < MAX_SITUATIONS && self.rng.below(SITUATIONS) == 0 {
            self.situations.push(JudgedMoment {
                judging: judging.clone(),
                tables: tables.to_vec(),
            });
        }
        for seat in Seat::all(judging.rules().players).filter(|&seat| seat != judging.seat()) {
            let table = &tables[seat.index()];
            let reading = PlayerFeatures::of(judging, seat);
            let is_tenpai = !table.waits().is_empty();
            if reading.stance() != Stance::Riichi {
                self.tenpai
                    .push((reading.tenpai_traits(), f32::from(u8::from(is_tenpai))));
                let shanten = table.concealed().map_or(SHANTEN, |hand| {
                    usize::from(shanten(&hand).unsigned_abs()).clamp(1, SHANTEN)
                });
                if !is_tenpai {
                    let cells =
                        &mut self.shanten[reading.melds().min(4)][shanten_column(reading.turns())];
                    cells[shanten - 1] += 1;
                }
            }
            if is_tenpai {
                let rows = &mut self.waits[reading.stance() as usize];
                for kind in judging.hand().counts().kinds().iter() {
                    if let Some(traits) = reading.wait_traits(kind) {
                        rows.push((traits, f32::from(u8::from(would_win(table, kind)))));
                    }
                }
            }
        }
    }
}
