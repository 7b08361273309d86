//! Riichi mahjong: what a seat may know of its table, in the boundary's plain form.

use policy_abi::NONE;
use policy_abi::log::{
    EVENT_ANKAN, EVENT_DAHAI, EVENT_DELTAS, EVENT_HORA, EVENT_KAKAN, EVENT_KITA, EVENT_RYUKYOKU,
    EVENT_TSUMO, LogEvent, MAX_EVENTS,
};
use policy_abi::seat::{
    RIICHI_ACCEPTED, RIICHI_DECLARED, RIICHI_DOUBLE, RIICHI_IPPATSU, RIVER_RIICHI, RIVER_TSUMOGIRI,
    RiverTile, SeatView,
};
use policy_abi::view::{
    CannotRon, FURITEN_RIICHI, FURITEN_RIVER, FURITEN_TEMPORARY, REQUEST_ANKAN, REQUEST_DISCARD,
    REQUEST_KAKAN, REQUEST_KITA, REQUEST_OWN_TURN, View,
};
use policy_sdk::codes::{
    encode_action, encode_draw_reason, encode_event, encode_meld, encode_rules, encode_seat,
    encode_tile,
};
use riichi::event::{DrawReason, Hora, StartKyoku};
use riichi::table::{Phase, PlayerState, Riichi};
use riichi::{Action, Event, Kind, MAX_PLAYERS, MeldKind, Seat, Table};

use super::policy_table::ShownTable;
use super::scripts;
use crate::view::{Asked, EventLog, ViewBuffer};

impl ShownTable for Table {
    type View = View;
    type Log = RoundLog;

    fn empty_log() -> RoundLog {
        RoundLog::default()
    }

    fn log(&self, log: &mut RoundLog, event: &Event) {
        log.push(event, self);
    }

    fn fill(&self, log: &RoundLog, view: &mut ViewBuffer, legal: &[Action], asked: &Asked) {
        // A round not seen from its start has no log: half of one would mislead a replay.
        let events = self.dealt().map(|_| &log.events);
        let view = view.begin::<View>(legal.iter().map(encode_action), events, asked);
        fill_round(view, self, log);
        fill_own(view, self);
        fill_seats(view, self);
        fill_request(view, self);
    }

    fn is_declared(&self, event: &Event, action: &Action) -> bool {
        if event.actor() != Some(self.seat()) {
            return false;
        }
        match (*event, *action) {
            (Event::Chi { consumed, .. }, Action::Chi { consumed: used, .. })
            | (Event::Pon { consumed, .. }, Action::Pon { consumed: used, .. }) => consumed == used,
            (Event::Daiminkan { .. }, Action::Daiminkan { .. })
            | (Event::Reach { .. }, Action::Reach { .. })
            | (Event::Kita { .. }, Action::Kita) => true,
            (Event::Ankan { consumed, .. }, Action::Ankan { consumed: used }) => consumed == used,
            (Event::Kakan { tile, .. }, Action::Kakan { tile: added, .. }) => tile == added,
            _ => false,
        }
    }

    fn scripts(players: u8) -> Vec<(Self, Vec<Event>)> {
        scripts::riichi(players)
    }
}

/// The round so far as a policy sees it, preceded by the end of the previous one.
#[derive(Debug)]
pub struct RoundLog {
    events: EventLog<LogEvent>,
    start_scores: [i32; MAX_PLAYERS],
    start_kyotaku: u8,
    /// Points after the last event.
    scores: [i32; MAX_PLAYERS],
}

impl Default for RoundLog {
    fn default() -> Self {
        let none = [0; MAX_PLAYERS];
        Self {
            events: EventLog::new(MAX_EVENTS),
            start_scores: none,
            start_kyotaku: 0,
            scores: none,
        }
    }
}

impl RoundLog {
    /// Takes in an event that the table has just applied.
    pub fn push(&mut self, event: &Event, table: &Table) {
        let before = std::mem::replace(&mut self.scores, scores_of(table));
        match event {
            Event::StartKyoku(StartKyoku { kyotaku, .. }) => {
                let ends = self
                    .events
                    .events()
                    .iter()
                    .rev()
                    .take_while(|event| is_end(event.kind))
                    .count();
                self.events.keep_from(self.events.events().len() - ends);
                self.start_kyotaku = *kyotaku;
                self.start_scores = self.scores;
            }
            Event::StartGame { .. } | Event::EndGame { .. } => self.events.clear(),
            Event::Hora(hora) => self.events.push(self.won(hora, before)),
            Event::Ryukyoku {
                deltas,
                scores,
                reason,
            } => {
                let told = deltas.is_some() || scores.is_some();
                self.events.push(self.drawn(*reason, told, before, table));
            }
            _ => {}
        }
        let numbered = matches!(
            event,
            Event::Dahai { .. }
                | Event::Chi { .. }
                | Event::Pon { .. }
                | Event::Daiminkan { .. }
                | Event::Ankan { .. }
        );
        let order = table.last_order().filter(|_| numbered);
        if let Some(event) = encode_event(event, table.seat(), order) {
            self.events.push(event);
        }
    }
}

impl RoundLog {
    fn won(&self, hora: &Hora, before: [i32; MAX_PLAYERS]) -> LogEvent {
        let (actor, target) = (hora.actor.index() as u8, hora.target.index() as u8);
        // The winning tile is the last tile that its seat has drawn or released.
        let shows = |event: &&LogEvent| match event.kind {
            EVENT_TSUMO => actor == target && event.actor == actor,
            EVENT_DAHAI | EVENT_KAKAN | EVENT_ANKAN | EVENT_KITA => {
                actor != target && event.actor == target
            }
            _ => false,
        };
        let tile = self
            .events
            .events()
            .iter()
            .rfind(shows)
            .map_or(NONE, |event| match event.kind {
                EVENT_KITA => encode_tile(Some(Kind::NORTH.tile())),
                EVENT_ANKAN => event.consumed[0],
                _ => event.tile,
            });
        let told = hora.deltas.is_some() || hora.scores.is_some();
        LogEvent {
            kind: EVENT_HORA,
            actor,
            target,
            tile,
            ..self.end(told, before)
        }
    }

    fn drawn(
        &self,
        reason: Option<DrawReason>,
        told: bool,
        before: [i32; MAX_PLAYERS],
        table: &Table,
    ) -> LogEvent {
        let end = self.end(told, before);
        let actor = match reason {
            Some(DrawReason::IllegalAction(offender)) => offender.index() as u8,
            _ => NONE,
        };
        let (tenpai, noten) = match reason {
            Some(DrawReason::Exhaustive) => tenpai_of(table, told.then_some(end.deltas)),
            _ => (0, 0),
        };
        LogEvent {
            kind: EVENT_RYUKYOKU,
            actor,
            reason: encode_draw_reason(reason),
            tenpai,
            noten,
            ..end
        }
    }

    /// The changes of scores at the end of a round, if the arena sent them.
    fn end(&self, told: bool, before: [i32; MAX_PLAYERS]) -> LogEvent {
        if !told {
            return LogEvent::EMPTY;
        }
        let deltas = std::array::from_fn(|seat| self.scores[seat] - before[seat]);
        LogEvent {
            flags: EVENT_DELTAS,
            deltas,
            ..LogEvent::EMPTY
        }
    }
}

const fn is_end(kind: u8) -> bool {
    matches!(kind, EVENT_HORA | EVENT_RYUKYOKU)
}

fn scores_of(table: &Table) -> [i32; MAX_PLAYERS] {
    std::array::from_fn(|index| table.scores().as_slice().get(index).copied().unwrap_or(0))
}

/// The seats known to have been tenpai when the wall was drawn, and those known not to, a bit each.
/// A seat that was paid was tenpai, and a seat that paid was not; without payments all or no seats
/// were, and the own seat knows which.
fn tenpai_of(table: &Table, deltas: Option<[i32; MAX_PLAYERS]>) -> (u8, u8) {
    let all = (1 << table.rules().players) - 1;
    let own = 1 << table.seat().index();
    let is_tenpai = !table.waits().is_empty();
    let set = |holds: &dyn Fn(usize) -> bool| {
        (0..MAX_PLAYERS)
            .filter(|&seat| holds(seat))
            .fold(0, |set, seat| set | 1 << seat)
    };
    match deltas {
        Some(deltas) if deltas.iter().any(|&delta| delta != 0) => {
            (set(&|seat| deltas[seat] > 0), set(&|seat| deltas[seat] < 0))
        }
        Some(_) => {
            if is_tenpai {
                (all, 0)
            } else {
                (0, all)
            }
        }
        None => {
            let riichi = table
                .players()
                .iter()
                .filter(|(_, player)| player.riichi.is_some());
            let riichi = riichi.fold(0, |set, (seat, _)| set | 1 << seat.index());
            if is_tenpai {
                (riichi | own, 0)
            } else {
                (riichi, own)
            }
        }
    }
}

fn fill_round(view: &mut View, table: &Table, log: &RoundLog) {
    view.rules = encode_rules(table.rules());
    view.start_scores = log.start_scores;
    view.start_kyotaku = log.start_kyotaku;
    view.bakaze = table.bakaze() as u8;
    view.kyoku = table.kyoku();
    view.honba = table.honba();
    view.kyotaku = table.kyotaku();
    view.oya = table.oya().index() as u8;
    for (seat, &score) in table.scores().iter() {
        view.scores[seat.index()] = score;
        view.placements[seat.index()] = table.place(seat);
    }
    view.dora_markers =
        std::array::from_fn(|index| encode_tile(table.dora_markers().get(index).copied()));
    view.dora_count = table.dora_markers().len() as u8;
    view.tiles_left = table.tiles_left();
    view.unseen = table.unseen().0;
    let seen_reds = table.seen_reds();
    let reds = table.rules().reds_by_suit();
    view.unseen_reds = std::array::from_fn(|suit| reds[suit].saturating_sub(seen_reds[suit]));
}

fn fill_own(view: &mut View, table: &Table) {
    view.seat = table.seat().index() as u8;
    view.closed = table.hand().counts().0;
    view.closed_reds = table.hand().reds();
    view.drawn = encode_tile(table.drawn());
    view.start_hand =
        std::array::from_fn(|index| encode_tile(table.dealt().map(|dealt| dealt[index])));
    view.waits = table.waits().bits();
    let furiten = table.furiten();
    view.furiten = (u8::from(furiten.river) * FURITEN_RIVER)
        | (u8::from(furiten.temporary) * FURITEN_TEMPORARY)
        | (u8::from(furiten.riichi) * FURITEN_RIICHI);
    view.first_turn = u8::from(table.is_first_turn());
    view.after_kan = u8::from(table.is_rinshan());
}

fn fill_seats(view: &mut View, table: &Table) {
    for (seat, player) in table.players().iter() {
        fill_seat(&mut view.seats[seat.index()], player);
        view.cannot_ron[seat.index()] = if seat == table.seat() {
            CannotRon {
                river: 0,
                since_riichi: 0,
                since_discard: 0,
            }
        } else {
            CannotRon {
                river: player.discarded.bits(),
                since_riichi: player.passed_since_riichi.bits(),
                since_discard: player.passed_since_discard.bits(),
            }
        };
    }
}

fn fill_seat(view: &mut SeatView, player: &PlayerState) {
    const UNUSED: SeatView = SeatView::EMPTY;
    // Places beyond those of the previous filling are unused already.
    let (melds, river) = (player.melds.len(), player.river.len());
    for (place, meld) in view.melds.iter_mut().zip(&player.melds) {
        *place = encode_meld(meld);
    }
    if let Some(left) = view.melds.get_mut(melds..view.meld_count.into()) {
        left.fill(UNUSED.melds[0]);
    }
    for (place, discard) in view.river.iter_mut().zip(&player.river) {
        *place = RiverTile {
            tile: encode_tile(Some(discard.tile)),
            flags: (u8::from(discard.tsumogiri) * RIVER_TSUMOGIRI)
                | (u8::from(discard.riichi) * RIVER_RIICHI),
            called_by: encode_seat(discard.called_by),
            order: discard.order,
        };
    }
    if let Some(left) = view.river.get_mut(river..view.river_len.into()) {
        left.fill(UNUSED.river[0]);
    }
    view.meld_count = melds as u8;
    view.river_len = river as u8;
    view.riichi = player.riichi.map_or(
        UNUSED.riichi,
        |Riichi {
             accepted,
             double,
             ippatsu,
             ..
         }| {
            RIICHI_DECLARED
                | (u8::from(accepted) * RIICHI_ACCEPTED)
                | (u8::from(double) * RIICHI_DOUBLE)
                | (u8::from(ippatsu) * RIICHI_IPPATSU)
        },
    );
    view.riichi_order = player
        .riichi
        .map_or(UNUSED.riichi_order, |riichi| riichi.order);
    view.kita_count = player.kita;
}

fn fill_request(view: &mut View, table: &Table) {
    let (request, offered) = match table.phase() {
        Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => {
            (REQUEST_DISCARD, Some((by, tile)))
        }
        Phase::Kan { by, tile, kind } => {
            let request = match kind {
                MeldKind::Ankan => REQUEST_ANKAN,
                _ => REQUEST_KAKAN,
            };
            (request, Some((by, tile)))
        }
        Phase::Kita { by } => (REQUEST_KITA, Some((by, Kind::NORTH.tile()))),
        _ => (REQUEST_OWN_TURN, None),
    };
    view.request = request;
    view.offered = encode_tile(offered.map(|(_, tile)| tile));
    view.offered_by = encode_seat(offered.map(|(by, _): (Seat, _)| by));
}

#[cfg(test)]
mod tests;
