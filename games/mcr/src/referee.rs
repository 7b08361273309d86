//! The referee: whether the events of a record can have happened.
//!
//! Each action is one of the seat's legal actions, as far as its hand is known, each draw is due,
//! and no tile is there five times. Of hands that are hidden it checks what all seats know.

use game_core::{Finding, Seat};
use tiles::{Counts, Kind};

use crate::event::{Flower, McrAction, McrEvent, PLAYERS};
use crate::seat::{McrContradiction, McrRules, McrSeatState, McrStage};

/// The first event that cannot have happened: its place, from 0, or `None` for the deal.
pub type ImpossibleEvent = (Option<usize>, Finding);

type McrRuling = Result<(), Finding>;

/// Judges a hand: the deal from the point of view of each seat whose tiles are known, and the
/// events after it.
///
/// # Errors
///
/// With the first event that cannot have happened.
pub fn judge(
    rules: McrRules,
    deals: &[Option<McrEvent>],
    events: &[McrEvent],
) -> Result<(), ImpossibleEvent> {
    let mut referee = McrReferee::dealt(rules, deals).map_err(|found| (None, found))?;
    events
        .iter()
        .enumerate()
        .try_for_each(|(place, event)| referee.hear(event).map_err(|found| (Some(place), found)))
}

struct McrReferee {
    /// The game from each seat whose tiles are known.
    seats: Vec<McrSeatState>,
    /// Tiles that the record has not shown yet.
    unseen: Counts,
    flowers: Vec<Flower>,
    /// The seat that draws next, if no player does anything else before.
    due: Option<Seat>,
}

/// An event at a moment at which it cannot come.
fn not_now(event: &McrEvent, reason: impl Into<String>) -> Finding {
    Finding::because("type", name(event), reason)
}

/// The name of an event's type in records.
const fn name(event: &McrEvent) -> &'static str {
    match event {
        McrEvent::Dealt { .. } => "deal",
        McrEvent::Drawn { .. } => "draw",
        McrEvent::FlowerDrawn { .. } => "flower",
        McrEvent::Discarded { .. } => "discard",
        McrEvent::PungClaimed { .. } => "pung",
        McrEvent::ChowClaimed { .. } => "chow",
        McrEvent::KongClaimed { .. } => "kong",
        McrEvent::ConcealedKong { .. } => "concealed_kong",
        McrEvent::KongAdded { .. } => "added_kong",
        McrEvent::Over => "end_game",
    }
}

impl McrReferee {
    fn dealt(rules: McrRules, deals: &[Option<McrEvent>]) -> Result<Self, Finding> {
        let mut unseen = Counts::EMPTY;
        Kind::all().for_each(|kind| unseen[kind] = 4);
        let mut referee = Self {
            seats: Vec::new(),
            unseen,
            flowers: Vec::new(),
            due: Some(Seat::FIRST),
        };
        for (seat, deal) in Seat::all(PLAYERS).zip(deals) {
            let Some(deal) = deal else { continue };
            let mut table = McrSeatState::new(seat, rules);
            table.apply(deal).map_err(|why| {
                Finding::because("hands", format!("that of seat {seat}"), why.why)
            })?;
            for kind in Kind::all() {
                for _ in 0..table.hand().concealed()[kind] {
                    referee.take("hands", kind)?;
                }
            }
            referee.seats.push(table);
        }
        Ok(referee)
    }

    /// Takes a tile that is shown for the first time.
    fn take(&mut self, field: &'static str, kind: Kind) -> McrRuling {
        match self.unseen[kind].checked_sub(1) {
            Some(left) => self.unseen[kind] = left,
            None => {
                return Err(Finding::because(
                    field,
                    kind,
                    "the record shows all four of it elsewhere",
                ));
            }
        }
        Ok(())
    }

    /// A seat whose tiles are known.
    fn known(&self, seat: Seat) -> Option<&McrSeatState> {
        self.seats.iter().find(|table| table.seat() == seat)
    }

    /// What all seats know; `None` if no hand is known.
    fn stage(&self) -> Option<McrStage> {
        self.seats.first().map(McrSeatState::stage)
    }

    fn wall(&self, seat: Seat) -> u8 {
        self.seats
            .first()
            .map_or(0, |table| table.public(seat).wall)
    }

    fn hear(&mut self, event: &McrEvent) -> McrRuling {
        if self.stage() == Some(McrStage::Over) {
            return Err(not_now(event, "the hand is over"));
        }
        match *event {
            McrEvent::Dealt { .. } => return Err(not_now(event, "the tiles are dealt already")),
            McrEvent::Over => {}
            McrEvent::Drawn { seat, tile } => {
                self.expect_draw(event, seat)?;
                if self.known(seat).is_some() {
                    let tile = tile.ok_or_else(|| {
                        Finding::because("tile", "null", "the record shows this seat's tiles")
                    })?;
                    self.take("tile", tile)?;
                }
            }
            McrEvent::FlowerDrawn { seat, flower } => {
                self.expect_draw(event, seat)?;
                if self.flowers.contains(&flower) {
                    return Err(Finding::because(
                        "flower",
                        flower.number(),
                        "there is one of each flower",
                    ));
                }
                self.flowers.push(flower);
            }
            McrEvent::Discarded { seat, tile } => {
                self.expect_turn(event, seat)?;
                self.expect_legal(seat, McrAction::Discard(tile), "tile", &[tile])?;
            }
            McrEvent::ConcealedKong { seat, tile } => {
                self.expect_turn(event, seat)?;
                self.expect_replacement(event, seat)?;
                if let Some(tile) = tile.filter(|_| self.known(seat).is_some()) {
                    self.expect_legal(seat, McrAction::ConcealedKong(tile), "tile", &[])?;
                }
            }
            McrEvent::KongAdded { seat, tile } => {
                self.expect_turn(event, seat)?;
                self.expect_replacement(event, seat)?;
                self.expect_legal(seat, McrAction::AddKong(tile), "tile", &[tile])?;
            }
            McrEvent::PungClaimed { seat, discard } => {
                let (_, tile) = self.expect_claim(event, seat)?;
                self.expect_own(
                    event,
                    seat,
                    McrAction::ClaimPung { discard: tile },
                    &[tile, tile],
                )?;
                self.expect_legal(
                    seat,
                    McrAction::ClaimPung { discard },
                    "discard",
                    &[tile, tile, discard],
                )?;
            }
            McrEvent::KongClaimed { seat } => {
                let (_, tile) = self.expect_claim(event, seat)?;
                self.expect_own(event, seat, McrAction::ClaimKong, &[tile; 3])?;
                self.expect_legal(seat, McrAction::ClaimKong, "type", &[tile; 3])?;
            }
            McrEvent::ChowClaimed {
                seat,
                middle,
                discard,
            } => {
                let (from, tile) = self.expect_claim(event, seat)?;
                if from.next(PLAYERS) != seat {
                    return Err(Finding::because(
                        "actor",
                        seat,
                        "only the next seat may claim a chow",
                    ));
                }
                let parts = [-1, 0, 1].map(|step| middle.offset(step));
                let whole: Vec<Kind> = parts.into_iter().flatten().collect();
                let Some(place) = whole
                    .iter()
                    .position(|&kind| kind == tile)
                    .filter(|_| whole.len() == 3)
                else {
                    return Err(Finding::because(
                        "middle",
                        middle,
                        format!("the chow has to hold {tile}"),
                    ));
                };
                let mut own = whole;
                own.remove(place);
                self.expect_own(
                    event,
                    seat,
                    McrAction::ClaimChow {
                        middle,
                        discard: tile,
                    },
                    &own,
                )?;
                own.push(discard);
                self.expect_legal(
                    seat,
                    McrAction::ClaimChow { middle, discard },
                    "discard",
                    &own,
                )?;
            }
        }
        for table in &mut self.seats {
            let heard = event.hidden_from(table.seat());
            table
                .apply(&heard)
                .map_err(|McrContradiction { why, .. }| not_now(event, why))?;
        }
        self.due = match *event {
            McrEvent::Discarded { seat, .. }
            | McrEvent::PungClaimed { seat, .. }
            | McrEvent::ChowClaimed { seat, .. } => Some(seat.next(PLAYERS)),
            McrEvent::FlowerDrawn { seat, .. }
            | McrEvent::KongClaimed { seat }
            | McrEvent::ConcealedKong { seat, .. }
            | McrEvent::KongAdded { seat, .. } => Some(seat),
            _ => None,
        };
        Ok(())
    }

    /// A draw of this seat is due.
    fn expect_draw(&self, event: &McrEvent, seat: Seat) -> McrRuling {
        let Some(due) = self.due else {
            return Err(match self.stage() {
                Some(McrStage::Drawn { seat, .. }) => {
                    not_now(event, format!("seat {seat} has drawn and is to act"))
                }
                _ => not_now(event, "no draw is due"),
            });
        };
        if seat != due {
            return Err(Finding::value("actor", seat, due));
        }
        if self.wall(seat) == 0 {
            return Err(not_now(
                event,
                format!("the wall of seat {seat} is empty: the hand is drawn"),
            ));
        }
        Ok(())
    }

    /// The seat has drawn and is to act.
    fn expect_turn(&self, event: &McrEvent, seat: Seat) -> McrRuling {
        match self.stage() {
            Some(McrStage::Drawn { seat: drawer, .. }) if drawer == seat => Ok(()),
            Some(McrStage::Drawn { seat: drawer, .. }) => {
                Err(Finding::value("actor", seat, drawer))
            }
            _ => Err(not_now(
                event,
                self.due
                    .map_or_else(String::new, |due| format!("seat {due} is to draw")),
            )),
        }
    }

    /// A kong needs a tile to replace it, and one for the next seat.
    fn expect_replacement(&self, event: &McrEvent, seat: Seat) -> McrRuling {
        if self.wall(seat) == 0 || self.wall(seat.next(PLAYERS)) == 0 {
            return Err(not_now(event, "no kong is allowed with the last tile"));
        }
        Ok(())
    }

    /// There is a discard that the seat may claim.
    fn expect_claim(&self, event: &McrEvent, seat: Seat) -> Result<(Seat, Kind), Finding> {
        let Some(McrStage::Discarded { seat: from, tile }) = self.stage() else {
            return Err(not_now(event, "there is no discard to claim"));
        };
        if from == seat {
            return Err(Finding::because(
                "actor",
                seat,
                "it is the seat's own discard",
            ));
        }
        if self.wall(from.next(PLAYERS)) == 0 {
            return Err(not_now(event, "the last discard can only be won on"));
        }
        Ok((from, tile))
    }

    /// A seat whose tiles are known has those for the set of a claim.
    fn expect_own(
        &self,
        event: &McrEvent,
        seat: Seat,
        claim: McrAction,
        own: &[Kind],
    ) -> McrRuling {
        let Some(table) = self.known(seat) else {
            return Ok(());
        };
        if table.with_set_of(claim).is_some() {
            return Ok(());
        }
        let own: Vec<String> = own.iter().map(ToString::to_string).collect();
        Err(not_now(
            event,
            format!("seat {seat} does not hold {}", own.join(", ")),
        ))
    }

    /// A seat whose tiles are known may do this; of a hidden one these tiles are shown now.
    fn expect_legal(
        &mut self,
        seat: Seat,
        action: McrAction,
        field: &'static str,
        own: &[Kind],
    ) -> McrRuling {
        let Some(table) = self.known(seat) else {
            return own.iter().try_for_each(|&kind| self.take(field, kind));
        };
        if table.legal().contains(&action) {
            return Ok(());
        }
        let found = match action {
            McrAction::Discard(tile)
            | McrAction::ConcealedKong(tile)
            | McrAction::AddKong(tile) => tile.to_string(),
            McrAction::ClaimPung { discard } | McrAction::ClaimChow { discard, .. } => {
                discard.to_string()
            }
            other => other.to_string(),
        };
        Err(Finding::because(
            field,
            found,
            format!("seat {seat} holds {}", held(table.hand().concealed())),
        ))
    }
}

/// Tiles in the notation of hands.
fn held(counts: &Counts) -> tiles::notation::Tiles {
    Kind::all()
        .flat_map(|kind| std::iter::repeat_n(kind.tile(), counts[kind].into()))
        .collect()
}
