//! A table as an arena describes it at one moment: compared with ours, or taken over when ours is
//! out of step.

use std::fmt;

use arrayvec::ArrayVec;
use game_core::{PerSeat, Seat};
use tiles::concealed::{BadHand, ConcealedHand};
use tiles::{Kind, KindSet, Tile, Wind};

use super::public::Passing;
use super::shown::ShownTiles;
use super::{Discard, MAX_RIVER, Phase, PlayerState, Riichi, Table};
use crate::event::{MAX_DORA, Points};
use crate::hand::Hand;
use crate::meld::{Meld, MeldKind};

/// An arena's description of the table at a request to a seat.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Wind of the round.
    pub bakaze: Wind,
    /// Number of the round within its wind, from 1.
    pub kyoku: u8,
    /// Repeat counters.
    pub honba: u8,
    /// Riichi sticks on the table.
    pub kyotaku: u8,
    /// The dealer.
    pub oya: Seat,
    /// Points of each seat.
    pub scores: Points,
    /// Dora indicators.
    pub dora_markers: ArrayVec<Tile, MAX_DORA>,
    /// Closed tiles of the asked seat, the drawn one included.
    pub hand: Hand,
    /// The tile that the asked seat has just drawn, on its own turn.
    pub drawn: Option<Tile>,
    /// The tile that is offered, when it is another seat's turn.
    pub offered: Option<Tile>,
    /// The waits of the asked seat, if it has no tile to discard and the arena sends them.
    pub waits: Option<KindSet>,
    /// The public state of each seat.
    pub players: PerSeat<PlayerSnapshot>,
}

/// An arena's description of one seat. The order numbers of its melds have no meaning.
#[derive(Debug, Clone, Default)]
pub struct PlayerSnapshot {
    /// Sets shown.
    pub melds: ArrayVec<Meld, 4>,
    /// Discards, those called away included.
    pub river: ArrayVec<Tile, MAX_RIVER>,
    /// Whether riichi is declared, from its discard on.
    pub riichi: bool,
    /// The tile riichi was declared with, where known.
    pub riichi_tile: Option<Tile>,
}

/// A point in which our table and the arena's description differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The difference.
    pub what: String,
    /// Our table's value.
    pub ours: String,
    /// The arena's value.
    pub theirs: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: ours {}, the arena's {}",
            self.what, self.ours, self.theirs
        )
    }
}

/// Gathers what differs.
#[derive(Default)]
struct SnapshotComparison(Vec<Difference>);

impl SnapshotComparison {
    fn of<T: fmt::Debug + PartialEq>(&mut self, what: impl fmt::Display, ours: T, theirs: T) {
        if ours != theirs {
            self.0.push(Difference {
                what: what.to_string(),
                ours: format!("{ours:?}"),
                theirs: format!("{theirs:?}"),
            });
        }
    }
}

impl Table {
    /// Every point in which the arena's description differs from this table. Empty: the two agree.
    pub fn differences(&self, theirs: &Snapshot) -> Vec<Difference> {
        let mut found = SnapshotComparison::default();
        found.of("bakaze", self.public.bakaze, theirs.bakaze);
        found.of("kyoku", self.public.kyoku, theirs.kyoku);
        found.of("honba", self.public.honba, theirs.honba);
        found.of("kyotaku", self.public.kyotaku, theirs.kyotaku);
        found.of("oya", self.public.oya, theirs.oya);
        found.of("scores", self.public.scores, theirs.scores);
        found.of(
            "dora indicators",
            self.public.dora_markers.as_slice(),
            theirs.dora_markers.as_slice(),
        );
        found.of("hand", self.own.own.hand, theirs.hand);
        found.of("drawn tile", self.own.own.drawn, theirs.drawn);
        if let (None, Some(waits)) = (self.own.own.drawn, theirs.waits) {
            found.of("waits", self.own.own.waits, waits);
        }
        for (seat, ours) in self.public.players.iter() {
            let theirs = &theirs.players[seat];
            found.of(
                format_args!("melds of seat {seat}"),
                meld_facts(&ours.melds),
                meld_facts(&theirs.melds),
            );
            let river: ArrayVec<Tile, MAX_RIVER> =
                ours.river.iter().map(|discard| discard.tile).collect();
            found.of(format_args!("river of seat {seat}"), &river, &theirs.river);
            found.of(
                format_args!("riichi of seat {seat}"),
                ours.riichi.is_some(),
                theirs.riichi,
            );
            if theirs.riichi_tile.is_some() {
                let what = format_args!("riichi tile of seat {seat}");
                found.of(
                    what,
                    ours.riichi_tile().map(Tile::kind),
                    theirs.riichi_tile.map(Tile::kind),
                );
            }
        }
        found.0
    }

    /// Takes the arena's description over.
    ///
    /// Missing facts are guessed: the order of discards and calls by turns, discards as from the
    /// hand, no passed tiles since, and our own count of Norths set aside. The next round corrects
    /// all of it.
    ///
    /// # Errors
    ///
    /// If the described own tiles are not a valid hand, or have the wrong number for that moment.
    /// The table is then unchanged.
    pub fn rebuild(&mut self, from: &Snapshot) -> Result<(), BadHand> {
        let players = self.public.rules.players;
        let phase = self.likely_phase(from);
        let hand = ConcealedHand::new(
            *from.hand.counts(),
            from.players[self.own.seat].melds.len(),
            players,
        )?;
        if hand.is_full() != matches!(phase, Phase::Turn(_) | Phase::Called(_)) {
            return Err(BadHand::Tiles {
                tiles: hand.counts().total(),
                melds: hand.melds(),
            });
        }
        self.public.bakaze = from.bakaze;
        self.public.kyoku = from.kyoku;
        self.public.honba = from.honba;
        self.public.kyotaku = from.kyotaku;
        self.public.oya = from.oya;
        self.public.scores = from.scores;
        self.public.scores_known = true;
        self.public.dora_markers = from.dora_markers.clone();
        let set_aside = self
            .public
            .players
            .iter()
            .any(|(_, player)| player.kita > 0);
        self.public.unbroken = !set_aside
            && from
                .players
                .iter()
                .all(|(_, player)| player.melds.is_empty());
        self.public.order = 0;
        self.public.phase = phase;
        self.public.players = PerSeat::from_fn(players, |seat| {
            self.rebuilt_player(seat, &from.players[seat])
        });
        self.public.kans = self
            .public
            .players
            .iter()
            .map(|(_, player)| player.kans() as u8)
            .sum();
        self.public.order = Seat::all(players)
            .map(|seat| self.public.players[seat].river.len() as u8)
            .max()
            .unwrap_or(0)
            * players;

        let drawn = from.drawn.filter(|&drawn| from.hand.count(drawn) > 0);
        self.own.own = self.public.own_in_round(self.own.seat, from.hand, drawn);
        self.public.passing = match self.public.phase {
            Phase::Discarded { by, tile } => Some(Passing {
                by,
                tile,
                for_orphans: false,
            }),
            Phase::Kan { by, tile, kind } => Some(Passing {
                by,
                tile,
                for_orphans: kind == MeldKind::Ankan,
            }),
            Phase::Kita { by } => Some(Passing {
                by,
                tile: Kind::NORTH.tile(),
                for_orphans: false,
            }),
            _ => None,
        };
        self.public.tiles_left = self
            .public
            .rules
            .drawable_tiles()
            .saturating_sub(self.draws());
        self.public.replacement = false;
        let mut shown = ShownTiles::nothing(&self.public.rules);
        self.public.shown_tiles().for_each(|tile| shown.add(tile));
        self.public.shown = shown;
        Ok(())
    }

    fn rebuilt_player(&self, seat: Seat, from: &PlayerSnapshot) -> PlayerState {
        let turn = seat.turns_after(self.public.oya, self.public.rules.players);
        let order = |place: usize| {
            (place as u8)
                .saturating_mul(self.public.rules.players)
                .saturating_add(turn)
        };
        // Of several the last, so that a riichi that has just been declared can still be accepted.
        let riichi_place = from.riichi_tile.and_then(|wanted| {
            from.river
                .iter()
                .rposition(|tile| tile.kind() == wanted.kind())
        });
        let river: ArrayVec<Discard, MAX_RIVER> = from
            .river
            .iter()
            .enumerate()
            .map(|(place, &tile)| Discard {
                tile,
                tsumogiri: false,
                riichi: from.riichi && riichi_place == Some(place),
                called_by: None,
                order: order(place),
            })
            .collect();
        let riichi = from.riichi.then(|| Riichi {
            accepted: !self.has_just_discarded(seat)
                || riichi_place.is_none_or(|place| place + 1 != river.len()),
            double: self.public.unbroken && riichi_place == Some(0),
            ippatsu: false,
            order: order(riichi_place.unwrap_or(0)),
        });
        PlayerState {
            melds: from.melds.clone(),
            discarded: river.iter().map(|discard| discard.tile.kind()).collect(),
            river,
            riichi,
            kita: self.public.players[seat].kita,
            ..PlayerState::default()
        }
    }

    fn has_just_discarded(&self, seat: Seat) -> bool {
        matches!(self.public.phase, Phase::Discarded { by, .. } if by == seat)
    }

    /// The phase, as far as a description shows it.
    fn likely_phase(&self, from: &Snapshot) -> Phase {
        let tile = match (from.drawn, from.offered) {
            (Some(_), _) => return Phase::Turn(self.own.seat),
            (None, None) => return Phase::Called(self.own.seat),
            (None, Some(tile)) => tile,
        };
        let players = self.public.rules.players;
        let others = || Seat::all(players).filter(|&seat| seat != self.own.seat);
        // With all four of the kind in a kan, only the kan itself can offer it.
        let robbed = others().find_map(|by| {
            let is_robbed = |meld: &&Meld| {
                matches!(meld.kind(), MeldKind::Ankan | MeldKind::Kakan)
                    && meld.first() == tile.kind()
            };
            from.players[by]
                .melds
                .iter()
                .find(is_robbed)
                .map(|kan| (by, kan.kind()))
        });
        if let Some((by, kind)) = robbed {
            return Phase::Kan { by, tile, kind };
        }
        let thrown = |seat: Seat| from.players[seat].river.last() == Some(&tile);
        if players == 3 && tile.kind() == Kind::NORTH && !others().any(thrown) {
            // A North that no player threw was set aside, by the one of the others whose turn it
            // is.
            let turns = |seat: &Seat| {
                (
                    from.players[*seat].river.len(),
                    seat.turns_after(from.oya, players),
                )
            };
            let by = others().min_by_key(turns).unwrap_or(self.own.seat);
            return Phase::Kita { by };
        }
        // Of several equal last discards the latest, as far as calls have not changed whose turn
        // came when.
        let by = others()
            .filter(|&seat| thrown(seat))
            .max_by_key(|&seat| {
                (
                    from.players[seat].river.len(),
                    seat.turns_after(from.oya, players),
                )
            })
            .unwrap_or_else(|| others().next().unwrap_or(self.own.seat));
        Phase::Discarded { by, tile }
    }

    /// Tiles drawn so far: one for each discard that no run or triplet came before, and one more
    /// for each closed or added kan and each North set aside. On the own turn one discard is
    /// missing.
    fn draws(&self) -> u8 {
        let mut draws = u8::from(matches!(
            self.public.phase,
            Phase::Turn(_) | Phase::Called(_)
        ));
        for (_, player) in self.public.players.iter() {
            draws = draws.saturating_add(player.river.len() as u8 + player.kita);
            for meld in &player.melds {
                match meld.kind() {
                    MeldKind::Chi | MeldKind::Pon => draws = draws.saturating_sub(1),
                    MeldKind::Ankan => draws = draws.saturating_add(1),
                    // A pon less, a replacement more.
                    MeldKind::Kakan | MeldKind::Daiminkan => {}
                }
            }
        }
        draws
    }
}

type MeldFacts = (MeldKind, ArrayVec<Tile, 4>, Option<Seat>);

fn meld_facts(melds: &[Meld]) -> ArrayVec<MeldFacts, 4> {
    melds
        .iter()
        .map(|meld| {
            (
                meld.kind(),
                meld.tiles().iter().copied().collect(),
                meld.called.map(|called| called.from),
            )
        })
        .take(4)
        .collect()
}
