//! The consequences of the answers within a round.

use arrayvec::ArrayVec;
use game_core::Seat;
use tiles::{Kind, Tile};

use super::RiichiGame;
use crate::action::Action;
use crate::event::{DrawReason, Event};
use crate::meld::MeldKind;
use crate::table::Phase;

impl RiichiGame {
    /// Plays on from the answers of all seats that were asked.
    pub(super) fn play_on(&mut self) {
        let (by, tile) = match self.phase() {
            Phase::Discarded { by, tile } | Phase::Kan { by, tile, .. } => (by, tile),
            Phase::Kita { by } => (by, Kind::NORTH.tile()),
            Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => {
                return self.answers[seat]
                    .take()
                    .into_iter()
                    .for_each(|action| self.own_turn(seat, action));
            }
            _ => return,
        };
        let mut claims: ArrayVec<(Seat, Action), 4> = ArrayVec::new();
        for (seat, answer) in self.answers.iter_mut() {
            claims.extend(
                answer
                    .take()
                    .filter(|action| *action != Action::None)
                    .map(|action| (seat, action)),
            );
        }
        self.settle_claims(by, tile, &claims);
    }

    fn own_turn(&mut self, seat: Seat, action: Action) {
        match action {
            Action::Dahai { tile, tsumogiri } => self.discard(seat, tile, tsumogiri),
            Action::Reach { tile, tsumogiri } => {
                self.tell(Event::Reach { actor: seat });
                self.discard(seat, tile, tsumogiri);
            }
            Action::Ankan { consumed } => {
                self.tell(Event::Ankan {
                    actor: seat,
                    consumed,
                });
                self.offer_kan(seat);
            }
            Action::Kakan { tile, consumed } => {
                let due = self.state.public().due_dora();
                self.tell(Event::Kakan {
                    actor: seat,
                    tile,
                    consumed,
                });
                self.turn_dora(due);
                self.offer_kan(seat);
            }
            Action::Kita => {
                let due = self.state.public().due_dora();
                self.tell(Event::Kita { actor: seat });
                self.turn_dora(due);
                self.offer_kan(seat);
            }
            Action::Hora { tile, .. } => self.win(&[seat], seat, tile),
            Action::Ryukyoku => self.abort_round(DrawReason::NineTerminals),
            Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan { .. } | Action::None => {}
        }
    }

    fn discard(&mut self, seat: Seat, tile: Tile, tsumogiri: bool) {
        let as_dealt = self.state.view(seat).first_discard_counts_as_from_hand();
        self.turn_dora(self.state.public().due_dora());
        self.tell(Event::Dahai {
            actor: seat,
            tile,
            tsumogiri: tsumogiri && !as_dealt,
        });
        self.offer_discard(seat);
    }

    /// Lets others claim the tile that this seat has just discarded.
    pub(super) fn offer_discard(&mut self, by: Seat) {
        if !self.ask_for_claims(by) {
            self.discard_passed(by);
        }
    }

    /// Asks every other seat that can do something with the tile just shown; whether there is one.
    fn ask_for_claims(&mut self, by: Seat) -> bool {
        for seat in Seat::all(self.rules().players) {
            if seat != by && self.state.view(seat).has_legal_action() {
                self.ask(seat);
            }
        }
        !self.asked.is_empty()
    }

    fn settle_claims(&mut self, by: Seat, tile: Tile, claims: &[(Seat, Action)]) {
        let players = self.rules().players;
        let wins = claims
            .iter()
            .filter(|(_, action)| matches!(action, Action::Hora { .. }));
        let mut winners: ArrayVec<Seat, 4> = wins.map(|&(seat, _)| seat).collect();
        winners.sort_unstable_by_key(|seat| seat.turns_after(by, players));
        if self.rules().is_drawn_by_winners(winners.len()) {
            return self.abort_round(DrawReason::ThreeWinners);
        }
        if !winners.is_empty() {
            return self.win(&winners, by, tile);
        }
        let is_run = |(_, action): &&(Seat, Action)| matches!(action, Action::Chi { .. });
        if let Some(&(seat, action)) = claims
            .iter()
            .find(|claim| !is_run(claim))
            .or_else(|| claims.first())
        {
            return self.call(by, seat, action);
        }
        match self.phase() {
            Phase::Kan { .. } | Phase::Kita { .. } => self.kan_stands(by),
            _ => self.discard_passed(by),
        }
    }

    fn call(&mut self, by: Seat, actor: Seat, action: Action) {
        self.accept_riichi(by);
        match action {
            Action::Chi {
                target,
                tile,
                consumed,
            } => self.tell(Event::Chi {
                actor,
                target,
                tile,
                consumed,
            }),
            Action::Pon {
                target,
                tile,
                consumed,
            } => self.tell(Event::Pon {
                actor,
                target,
                tile,
                consumed,
            }),
            Action::Daiminkan {
                target,
                tile,
                consumed,
            } => {
                self.tell(Event::Daiminkan {
                    actor,
                    target,
                    tile,
                    consumed,
                });
                return self.kan_stands(actor);
            }
            _ => {}
        }
        self.ask(actor);
    }

    /// No player has claimed the discard of this seat.
    fn discard_passed(&mut self, by: Seat) {
        self.accept_riichi(by);
        if let Some(reason) = self.state.public().abortive_draw() {
            return self.abort_round(reason);
        }
        if self.state.public().tiles_left == 0 {
            return self.end_without_winner();
        }
        let next = by.next(self.rules().players);
        let tile = self.wall.draw();
        self.draw(next, tile);
    }

    pub(super) fn accept_riichi(&mut self, by: Seat) {
        if self.state.public().owes_stick(by) {
            self.tell(Event::ReachAccepted {
                actor: by,
                scores: None,
            });
        }
    }

    pub(super) fn draw(&mut self, actor: Seat, tile: Tile) {
        self.tell(Event::Tsumo {
            actor,
            tile: Some(tile),
        });
        self.ask(actor);
    }

    /// Lets others win on the kan, or North set aside, that was just shown.
    pub(super) fn offer_kan(&mut self, by: Seat) {
        if !self.ask_for_claims(by) {
            self.kan_stands(by);
        }
    }

    /// A kan, or a North set aside, is robbed by no player: its seat draws the replacement.
    fn kan_stands(&mut self, by: Seat) {
        if matches!(
            self.phase(),
            Phase::Kan {
                kind: MeldKind::Ankan,
                ..
            }
        ) {
            self.turn_dora(self.state.public().due_dora());
        }
        let tile = self.wall.draw_replacement();
        self.draw(by, tile);
    }

    fn turn_dora(&mut self, number: usize) {
        for _ in 0..number {
            let marker = self
                .wall
                .dora_marker(self.state.public().dora_markers.len());
            self.tell(Event::Dora { marker });
        }
    }
}
