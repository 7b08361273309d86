//! What the table shows between two steps of the engine, and the events that lead from one look to the next.
//!
//! They are those that the engine writes down itself where it is not silent, without a detour over JSON; a test plays
//! both side by side.

use arrayvec::ArrayVec;
use mahjong::event::{Hora, MAX_DORA, Points, UraMarkers};
use mahjong::{Action, Event, Seat, Tile, Wind};

/// Points of a riichi stick.
const RIICHI_STICK: i32 = 1000;

/// What the table shows now.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    /// The game is over.
    pub(crate) over: bool,
    pub(crate) bakaze: Wind,
    pub(crate) oya: Seat,
    pub(crate) honba: u8,
    pub(crate) kyotaku: u32,
    pub(crate) scores: Points,
    pub(crate) dora_markers: ArrayVec<Tile, MAX_DORA>,
    /// Indicators earned by kans that the next discard, kan or kita turns.
    pub(crate) due_dora: ArrayVec<Tile, MAX_DORA>,
    /// Whose turn it is, or who made the last discard.
    pub(crate) turn: Seat,
    /// The tile drawn in this turn.
    pub(crate) drawn: Option<Tile>,
    /// Others are asked whether they claim a tile.
    pub(crate) claims: bool,
    /// The last tile shown, by discard or kan.
    pub(crate) offered: Option<(Seat, Tile)>,
    /// A kan that others may still rob, with its own tiles; a North that they may win on, without.
    pub(crate) kan_to_stand: Option<(Seat, ArrayVec<Tile, 4>)>,
    /// Riichi has been declared in this turn, and its discard is to come.
    pub(crate) declared: bool,
    /// Whose riichi is accepted when its discard is not ronned.
    pub(crate) riichi_to_accept: Option<Seat>,
    /// The dealer's first discard counts as one from the hand whatever it is.
    pub(crate) first_discard_from_hand: bool,
    pub(crate) triple_ron_is_draw: bool,
}

impl Look {
    fn is_round_of(&self, other: &Self) -> bool {
        (self.bakaze, self.oya, self.honba) == (other.bakaze, other.oya, other.honba) && !self.over
    }

    fn first(&self) -> Option<Seat> {
        self.scores.iter().map(|(seat, _)| seat).find(|&seat| self.scores.place(seat) == 1)
    }
}

/// The events of a step, in which all asked seats made their moves, but for those with which the next round begins.
///
/// A riichi and its discard are two steps. `ura` are the indicators that each winner turns. Where several win at once,
/// what a seat other than the discarder pays (liability) stands with the last of them.
pub(crate) fn happened(
    before: &Look,
    moves: &[(Seat, Action)],
    ura: &[(Seat, UraMarkers)],
    after: &Look,
    events: &mut Vec<Event>,
) {
    let goes_on = after.is_round_of(before);
    let mut step = Step { before, after, goes_on, ura, events };
    if before.claims {
        step.claims(moves);
    } else if let &[(actor, action)] = moves {
        step.own_turn(actor, action);
    }
    if !goes_on {
        events.push(Event::EndKyoku);
    }
    if after.over {
        events.push(Event::EndGame { scores: None });
    }
}

struct Step<'a> {
    before: &'a Look,
    after: &'a Look,
    /// The round does.
    goes_on: bool,
    ura: &'a [(Seat, UraMarkers)],
    events: &'a mut Vec<Event>,
}

impl Step<'_> {
    fn own_turn(&mut self, actor: Seat, action: Action) {
        match action {
            Action::Dahai { tile, tsumogiri } => {
                self.turned_dora();
                let tsumogiri = tsumogiri && !self.before.first_discard_from_hand;
                self.events.push(Event::Dahai { actor, tile, tsumogiri });
                if !(self.goes_on && self.after.claims) {
                    self.tile_passed(self.before.declared.then_some(actor));
                }
            }
            Action::Reach { .. } => self.events.push(Event::Reach { actor }),
            // While others may rob it nothing is told.
            Action::Ankan { .. } if self.after.claims => {}
            Action::Ankan { consumed } => self.kan_stands(Event::Ankan { actor, consumed: told(consumed) }),
            Action::Kakan { tile, consumed } => {
                self.events.push(Event::Kakan { actor, tile, consumed: told(consumed) });
                self.turned_dora();
                if !self.after.claims {
                    self.draw();
                }
            }
            Action::Kita => {
                self.events.push(Event::Kita { actor });
                self.turned_dora();
                if !self.after.claims {
                    self.draw();
                }
            }
            Action::Hora { .. } => self.hora(actor, actor, self.change()),
            Action::Ryukyoku => self.ryukyoku(None),
            _ => {}
        }
    }

    fn claims(&mut self, moves: &[(Seat, Action)]) {
        let Some((target, _)) = self.before.offered else { return };
        let players = self.before.scores.players();
        let mut winners: ArrayVec<Seat, 4> =
            moves.iter().filter(|(_, action)| matches!(action, Action::Hora { .. })).map(|&(seat, _)| seat).collect();
        winners.sort_by_key(|seat| seat.turns_after(target, players));
        if winners.len() == 3 && self.before.triple_ron_is_draw {
            return self.ryukyoku(None);
        }
        if !winners.is_empty() {
            return self.rons(&winners, target);
        }
        let chi = |action: &Action| matches!(action, Action::Chi { .. });
        let calls = || moves.iter().filter(|(_, action)| *action != Action::None);
        match calls().find(|(_, action)| !chi(action)).or_else(|| calls().next()) {
            Some(&(actor, action)) => {
                self.accept_riichi(self.before.riichi_to_accept);
                match action {
                    Action::Chi { target, tile, consumed } => {
                        self.events.push(Event::Chi { actor, target, tile, consumed: told(consumed) });
                    }
                    Action::Pon { target, tile, consumed } => {
                        self.events.push(Event::Pon { actor, target, tile, consumed: told(consumed) });
                    }
                    Action::Daiminkan { target, tile, consumed } => {
                        self.kan_stands(Event::Daiminkan { actor, target, tile, consumed: told(consumed) });
                    }
                    _ => {}
                }
            }
            None => match &self.before.kan_to_stand {
                Some((actor, own)) => match own.as_slice().try_into() {
                    Ok(consumed) => self.kan_stands(Event::Ankan { actor: *actor, consumed: told(consumed) }),
                    // An added kan, or a North set aside, has been told already.
                    Err(_) => self.draw(),
                },
                None => self.tile_passed(self.before.riichi_to_accept),
            },
        }
    }

    /// Nobody claimed the discard.
    fn tile_passed(&mut self, riichi: Option<Seat>) {
        self.accept_riichi(riichi);
        if self.goes_on { self.draw() } else { self.ryukyoku(riichi) }
    }

    fn accept_riichi(&mut self, riichi: Option<Seat>) {
        if let Some(actor) = riichi {
            self.events.push(Event::ReachAccepted { actor, scores: None });
        }
    }

    fn kan_stands(&mut self, kan: Event) {
        self.events.push(kan);
        self.turned_dora();
        self.draw();
    }

    fn draw(&mut self) {
        self.events.push(Event::Tsumo { actor: self.after.turn, tile: self.after.drawn });
    }

    fn turned_dora(&mut self) {
        let turned = if self.goes_on {
            self.after.dora_markers.get(self.before.dora_markers.len()..).unwrap_or_default()
        } else {
            &self.before.due_dora
        };
        self.events.extend(turned.iter().map(|&marker| Event::Dora { marker }));
    }

    /// How the scores changed in this step.
    fn change(&self) -> Points {
        let (before, after) = (&self.before.scores, &self.after.scores);
        Points::from_fn(before.players(), |seat| after[seat] - before[seat])
    }

    fn rons(&mut self, winners: &[Seat], target: Seat) {
        let mut rest = self.change();
        let (Some((&last, others)), mut sticks) = (winners.split_last(), self.before.kyotaku as i32 * RIICHI_STICK)
        else {
            return;
        };
        for &winner in others {
            let won = rest[winner];
            let mut deltas = Points::from_fn(rest.players(), |_| 0);
            deltas[winner] = won;
            deltas[target] = sticks - won;
            for (seat, points) in rest.iter_mut() {
                *points -= deltas[seat];
            }
            self.hora(winner, target, deltas);
            sticks = 0;
        }
        self.hora(last, target, rest);
    }

    fn hora(&mut self, actor: Seat, target: Seat, deltas: Points) {
        let ura = self.ura.iter().find(|(winner, _)| *winner == actor).map(|&(_, markers)| markers);
        self.events.push(Event::Hora(Hora {
            actor,
            target,
            deltas: Some(deltas),
            scores: None,
            ura_markers: ura.unwrap_or_default(),
        }));
    }

    /// The round is drawn after this riichi was accepted, if one was.
    fn ryukyoku(&mut self, riichi: Option<Seat>) {
        let mut deltas = self.change();
        let mut sticks = self.before.kyotaku as i32;
        if let Some(seat) = riichi {
            deltas[seat] += RIICHI_STICK;
            sticks += 1;
        }
        // What is left on the table when the game ends goes to the first, which is no part of the draw.
        if self.after.over
            && self.after.kyotaku == 0
            && let Some(first) = self.after.first()
        {
            deltas[first] -= sticks * RIICHI_STICK;
        }
        self.events.push(Event::Ryukyoku { deltas: Some(deltas), scores: None, reason: None });
    }
}

/// A seat's own tiles in the order in which the engine tells them: by kind, and red before plain.
fn told<const N: usize>(mut own: [Tile; N]) -> [Tile; N] {
    own.sort_by_key(|tile| (tile.kind(), !tile.is_red()));
    own
}
