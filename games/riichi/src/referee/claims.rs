//! Calls of a discard.

use game_core::{Finding, Seat};
use tiles::Tile;

use super::seen::written;
use super::{Referee, Ruling, not_now};
use crate::action::Action;
use crate::event::Event;
use crate::meld::{Called, Meld, MeldKind};
use crate::table::{MAX_KANS, Phase, TableRef};

/// A call with its own tiles in order.
struct Call {
    kind: MeldKind,
    actor: Seat,
    target: Seat,
    tile: Tile,
    consumed: Vec<Tile>,
    action: Action,
}

impl Call {
    fn of(event: &Event) -> Option<Self> {
        Some(match *event {
            Event::Chi {
                actor,
                target,
                tile,
                mut consumed,
            } => {
                consumed.sort_unstable();
                let action = Action::Chi {
                    target,
                    tile,
                    consumed,
                };
                Self {
                    kind: MeldKind::Chi,
                    actor,
                    target,
                    tile,
                    consumed: consumed.to_vec(),
                    action,
                }
            }
            Event::Pon {
                actor,
                target,
                tile,
                mut consumed,
            } => {
                consumed.sort_unstable();
                let action = Action::Pon {
                    target,
                    tile,
                    consumed,
                };
                Self {
                    kind: MeldKind::Pon,
                    actor,
                    target,
                    tile,
                    consumed: consumed.to_vec(),
                    action,
                }
            }
            Event::Daiminkan {
                actor,
                target,
                tile,
                mut consumed,
            } => {
                consumed.sort_unstable();
                let action = Action::Daiminkan {
                    target,
                    tile,
                    consumed,
                };
                Self {
                    kind: MeldKind::Daiminkan,
                    actor,
                    target,
                    tile,
                    consumed: consumed.to_vec(),
                    action,
                }
            }
            _ => return None,
        })
    }

    fn makes_a_meld(&self) -> bool {
        let tiles: Vec<Tile> = self.consumed.iter().copied().chain([self.tile]).collect();
        Meld::new(
            self.kind,
            &tiles,
            Some(Called {
                tile: self.tile,
                from: self.target,
            }),
            0,
        )
        .is_some()
    }
}

impl Referee {
    pub(super) fn call(&mut self, event: &Event) -> Ruling {
        let Some(call) = Call::of(event) else {
            return Ok(());
        };
        self.expect_round(event)?;
        let (Phase::Discarded { by, tile } | Phase::Accepted { by, tile }) = self.public.phase
        else {
            return Err(not_now(event, "there is no discard to call"));
        };
        self.expect_passed(event, by)?;
        self.expect_dora(event, 0)?;
        let players = self.rules().players;
        if call.target != by {
            return Err(Finding::value("target", call.target, by));
        }
        if call.tile != tile {
            return Err(Finding::value("pai", call.tile, tile));
        }
        let of_actor = |reason: &str| Err(Finding::because("actor", call.actor, reason));
        if call.actor == by {
            return of_actor("it is the seat's own discard");
        }
        if call.kind == MeldKind::Chi && (players != 4 || call.actor != by.next(players)) {
            return of_actor("only the next of four seats may call a run");
        }
        if self.public.players[call.actor].riichi.is_some() {
            return of_actor("the seat is in riichi");
        }
        if self.public.tiles_left == 0 {
            return Err(not_now(event, "the last discard can only be won on"));
        }
        if call.kind == MeldKind::Daiminkan && self.public.kans() >= MAX_KANS {
            return Err(not_now(event, "four kans are shown already"));
        }
        let of_tiles = |reason: String| {
            Err(Finding::because(
                "consumed",
                written(call.consumed.clone()),
                reason,
            ))
        };
        if !call.makes_a_meld() {
            return of_tiles(format!("with {tile} this is no {}", event.name()));
        }
        match &self.hands.0[call.actor] {
            Some(own) if own.hand.without(&call.consumed).is_err() => {
                return of_tiles(format!("the seat holds {}", written(own.hand.tiles())));
            }
            Some(own) => {
                // A call after a riichi was accepted was offered before.
                let mut offered = self.public.clone();
                offered.phase = Phase::Discarded { by, tile };
                if !TableRef::new(&offered, call.actor, own)
                    .legal_actions()
                    .contains(&call.action)
                {
                    return of_tiles("kuikae leaves the seat no tile to discard".to_owned());
                }
            }
            None => {
                let shown = self.unseen.take_all(call.consumed.iter().copied());
                shown.map_err(|why| {
                    Finding::because("consumed", written(call.consumed.clone()), why)
                })?;
            }
        }
        self.apply(event)
    }
}
