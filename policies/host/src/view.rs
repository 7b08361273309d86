//! What a policy is shown: the table in the boundary's plain form.

use std::num::NonZeroU64;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mahjong::event::StartKyoku;
use mahjong::seat::MAX_PLAYERS;
use mahjong::table::{Phase, PlayerState, Riichi};
use mahjong::{Action, Event, Kind, MeldKind, Seat, Table};
use policy_abi::action::{LegalAction, LegalActionArray, MAX_LEGAL};
use policy_abi::layout::struct_size;
use policy_abi::log::{LogEvent, LogEventArray, MAX_EVENTS};
use policy_abi::seat::{
    RIICHI_ACCEPTED, RIICHI_DECLARED, RIICHI_DOUBLE, RIICHI_IPPATSU, RIVER_RIICHI, RIVER_TSUMOGIRI, RiverTile, SeatView,
};
use policy_abi::view::{
    CannotRon, FURITEN_RIICHI, FURITEN_RIVER, FURITEN_TEMPORARY, REQUEST_ANKAN, REQUEST_DISCARD, REQUEST_KAKAN,
    REQUEST_KITA, REQUEST_OWN_TURN, View,
};
use policy_sdk::codes::{encode_action, encode_event, encode_meld, encode_rules, encode_seat, encode_tile};

/// The round so far as a policy is told of it.
// Not `Clone`: two logs with the same number must not go on differently.
#[derive(Debug)]
pub struct RoundLog {
    /// Tells this round from every other of the process. Under one number events are only ever added.
    number: NonZeroU64,
    events: Vec<LogEvent>,
    start_scores: [i32; MAX_PLAYERS],
    start_kyotaku: u8,
}

impl Default for RoundLog {
    fn default() -> Self {
        Self { number: next_number(), events: Vec::new(), start_scores: [0; MAX_PLAYERS], start_kyotaku: 0 }
    }
}

fn next_number() -> NonZeroU64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    NonZeroU64::MIN.saturating_add(LAST.fetch_add(1, Ordering::Relaxed))
}

impl RoundLog {
    /// Takes in an event that the table has just applied.
    pub fn push(&mut self, event: &Event, table: &Table) {
        if let Event::StartKyoku(StartKyoku { kyotaku, .. }) = event {
            self.events.clear();
            self.number = next_number();
            self.start_kyotaku = *kyotaku;
            self.start_scores = std::array::from_fn(|index| table.scores().as_slice().get(index).copied().unwrap_or(0));
        }
        let numbered = matches!(
            event,
            Event::Dahai { .. } | Event::Chi { .. } | Event::Pon { .. } | Event::Daiminkan { .. } | Event::Ankan { .. }
        );
        let order = table.last_order().filter(|_| numbered);
        // The log's bound is beyond any round that can be played.
        if self.events.len() < MAX_EVENTS as usize
            && let Some(event) = encode_event(event, table.seat(), order)
        {
            self.events.push(event);
        }
    }
}

/// What is asked, besides the table itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// Number of the decision in the game.
    pub decision: u32,
    /// Number of the game in the bot's run.
    pub game: u64,
    /// The bot's seed.
    pub seed: u64,
    /// Free time, milliseconds.
    pub grace_ms: u32,
    /// Bank, milliseconds.
    pub bank_ms: u32,
    /// Deadline, milliseconds.
    pub deadline_ms: u32,
    /// Time until the safe answer goes out, milliseconds.
    pub budget_ms: u32,
}

/// A view and what it points to, to be filled again and again.
#[derive(Debug)]
pub struct ViewBuffer {
    view: View,
    legal: Vec<LegalAction>,
    /// The first events of the round with the number beside it.
    events: Vec<LogEvent>,
    round: Option<NonZeroU64>,
}

// SAFETY: the pointers in `view` are null except while `with_view` runs, which sets them to this buffer's own vectors.
unsafe impl Send for ViewBuffer {}

impl Default for ViewBuffer {
    fn default() -> Self {
        let (legal, events) = (Vec::with_capacity(MAX_LEGAL as usize), Vec::with_capacity(MAX_EVENTS as usize));
        Self { view: View::EMPTY, legal, events, round: None }
    }
}

impl ViewBuffer {
    /// Fills the view with what the table's seat may know, and with what it may do.
    pub fn fill(&mut self, table: &Table, log: &RoundLog, legal: &[Action], asked: &Asked) {
        self.legal.clear();
        self.legal.extend(legal.iter().map(encode_action));
        self.take_in(log, table);
        fill_round(&mut self.view, table, log);
        fill_own(&mut self.view, table);
        fill_seats(&mut self.view, table);
        fill_request(&mut self.view, table, asked);
    }

    /// Says that there is no more time than this for the decision.
    pub(super) fn limit_budget(&mut self, left: Duration) {
        let left = u32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u32::MAX);
        self.view.budget_ms = self.view.budget_ms.min(left);
    }

    /// Adds what has happened since the buffer was filled last, when it was from this log; else takes in the whole log.
    fn take_in(&mut self, log: &RoundLog, table: &Table) {
        // A round not seen from its start has no log: half of one would mislead whoever replays it.
        let round = table.dealt().map(|_| log.number);
        if self.round != round {
            self.events.clear();
            self.round = round;
        }
        if round.is_some() {
            self.events.extend_from_slice(&log.events[self.events.len()..]);
        }
    }

    /// The view, its pointers not set, and what they would point to.
    pub(super) fn parts(&self) -> (&View, &[LegalAction], &[LogEvent]) {
        (&self.view, &self.legal, &self.events)
    }

    /// Calls with the view, its pointers set. They lead into this buffer and are good for the call only.
    pub fn with_view<T>(&mut self, call: impl FnOnce(&View) -> T) -> T {
        self.view.legal = LegalActionArray {
            items: self.legal.as_ptr(),
            len: self.legal.len() as u32,
            stride: struct_size::<LegalAction>(),
        };
        self.view.events = LogEventArray {
            items: self.events.as_ptr(),
            len: self.events.len() as u32,
            stride: struct_size::<LogEvent>(),
        };
        let result = call(&self.view);
        self.view.legal.items = ptr::null();
        self.view.events.items = ptr::null();
        result
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
    view.dora_markers = std::array::from_fn(|index| encode_tile(table.dora_markers().get(index).copied()));
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
    view.start_hand = std::array::from_fn(|index| encode_tile(table.dealt().map(|dealt| dealt[index])));
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
            CannotRon { river: 0, since_riichi: 0, since_discard: 0 }
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
    // Beyond what was shown when the view was filled last, all places are unused already.
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
            flags: (u8::from(discard.tsumogiri) * RIVER_TSUMOGIRI) | (u8::from(discard.riichi) * RIVER_RIICHI),
            called_by: encode_seat(discard.called_by),
            order: discard.order,
        };
    }
    if let Some(left) = view.river.get_mut(river..view.river_len.into()) {
        left.fill(UNUSED.river[0]);
    }
    view.meld_count = melds as u8;
    view.river_len = river as u8;
    view.riichi = player.riichi.map_or(UNUSED.riichi, |Riichi { accepted, double, ippatsu, .. }| {
        RIICHI_DECLARED
            | (u8::from(accepted) * RIICHI_ACCEPTED)
            | (u8::from(double) * RIICHI_DOUBLE)
            | (u8::from(ippatsu) * RIICHI_IPPATSU)
    });
    view.riichi_order = player.riichi.map_or(UNUSED.riichi_order, |riichi| riichi.order);
    view.kita_count = player.kita;
}

fn fill_request(view: &mut View, table: &Table, asked: &Asked) {
    view.decision = asked.decision;
    view.game = asked.game;
    view.seed = asked.seed;
    view.grace_ms = asked.grace_ms;
    view.bank_ms = asked.bank_ms;
    view.deadline_ms = asked.deadline_ms;
    view.budget_ms = asked.budget_ms;
    let (request, offered) = match table.phase() {
        Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => (REQUEST_DISCARD, Some((by, tile))),
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
