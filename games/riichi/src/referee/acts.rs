//! What a seat does in its own turn.

use game_core::{Finding, Seat};
use tiles::{Kind, Tile};

use super::seen::{written, written_kinds};
use super::{RecordedFacts, Referee, Ruling, list, not_now};
use crate::action::Action;
use crate::event::{Event, Points};
use crate::meld::MeldKind;
use crate::rules::RIICHI_STICK;
use crate::table::{MAX_KANS, Phase, TableRef};

impl Referee {
    pub(super) fn tsumo(&mut self, event: &Event, actor: Seat, tile: Option<Tile>) -> Ruling {
        self.expect_round(event)?;
        let (next, later) = match self.public.phase {
            Phase::Draw(seat) => (seat, 0),
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => {
                self.expect_passed(event, by)?;
                if self.public.tiles_left == 0 {
                    return Err(not_now(
                        event,
                        "the wall is drawn: the round ends in a draw",
                    ));
                }
                (by.next(self.rules().players), 0)
            }
            // The indicator of an open or added kan waits for the discard.
            Phase::Kan { by, kind, .. } => (by, usize::from(kind != MeldKind::Ankan)),
            Phase::Kita { by } => (by, 0),
            _ => return Err(self.discard_is_due(event)),
        };
        if actor != next {
            return Err(Finding::value("actor", actor, next));
        }
        self.expect_dora(event, later)?;
        if self.hands.0[actor].is_some() {
            let Some(tile) = tile else {
                return Err(Finding::because(
                    "pai",
                    "?",
                    "the record shows this seat's tiles",
                ));
            };
            self.unseen
                .take(tile)
                .map_err(|why| Finding::because("pai", tile, why))?;
        }
        self.shown_draw = tile;
        self.turned_in_turn = false;
        self.apply(event)
    }

    /// The seat that has drawn or called has to discard.
    fn discard_is_due(&self, event: &Event) -> Finding {
        match self.public.phase {
            Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => {
                not_now(event, format!("seat {seat} is to discard"))
            }
            Phase::Draw(seat) => not_now(event, format!("seat {seat} is to draw")),
            Phase::Kan { by, .. } | Phase::Kita { by } => {
                not_now(event, format!("seat {by} is to draw a replacement"))
            }
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => not_now(
                event,
                format!("seat {} is to draw", by.next(self.rules().players)),
            ),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => {
                not_now(event, "no round is being played")
            }
        }
    }

    pub(super) fn dahai(
        &mut self,
        event: &Event,
        told: &RecordedFacts,
        (actor, tile, tsumogiri): (Seat, Tile, bool),
    ) -> Ruling {
        self.expect_round(event)?;
        match self.public.phase {
            Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) if seat == actor => {}
            Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => {
                return Err(Finding::value("actor", actor, seat));
            }
            _ => return Err(self.discard_is_due(event)),
        }
        self.expect_dora(event, usize::from(self.house.dora_after_discard))?;
        if told.tsumogiri_after_call {
            let marked = Finding::value("tsumogiri", true, false);
            self.known_errors
                .push(marked.known("nothing is drawn before the discard after a call"));
        }
        match self.view(actor) {
            Some(view) => {
                // Mahjong Soul records the dealer's first discard as one from the hand.
                let as_dealt =
                    view.first_discard_counts_as_from_hand() && view.drawn() == Some(tile);
                let legal = |tsumogiri| view.is_legal(Action::Dahai { tile, tsumogiri });
                if !(legal(tsumogiri) || as_dealt && legal(true)) {
                    return Err(self.wrong_discard(actor, tile, tsumogiri));
                }
            }
            None => {
                let kind = tile.kind();
                if let (true, Some(drawn)) = (tsumogiri, self.shown_draw)
                    && drawn != tile
                {
                    return Err(Finding::because(
                        "pai",
                        tile,
                        format!("the seat has drawn {drawn}, and discards what it has drawn"),
                    ));
                }
                if self.public.players[actor].riichi.is_some() && !tsumogiri {
                    return Err(Finding::because(
                        "tsumogiri",
                        false,
                        "a seat in riichi discards the tile it has drawn",
                    ));
                }
                if self.public.kuikae_of(actor).contains(kind) {
                    return Err(Finding::because(
                        "pai",
                        tile,
                        "kuikae forbids it after this call",
                    ));
                }
                self.unseen
                    .take(tile)
                    .map_err(|why| Finding::because("pai", tile, why))?;
            }
        }
        self.turned_in_turn = false;
        self.apply(event)
    }

    /// Why a seat whose hand is known cannot discard this tile in this way.
    fn wrong_discard(&self, actor: Seat, tile: Tile, tsumogiri: bool) -> Finding {
        let Some(view) = self.view(actor) else {
            return Finding::because("pai", tile, "it cannot be discarded");
        };
        let (hand, drawn) = (view.hand(), view.drawn());
        if hand.count(tile) == 0 {
            return Finding::because(
                "pai",
                tile,
                format!("the seat holds {}", written(hand.tiles())),
            );
        }
        if self.public.kuikae_of(actor).contains(tile.kind()) {
            return Finding::because("pai", tile, "kuikae forbids it after this call");
        }
        let player = &self.public.players[actor];
        if player.riichi.is_some() && drawn != Some(tile) {
            return Finding::because(
                "pai",
                tile,
                "a seat in riichi discards the tile it has drawn",
            );
        }
        let held = hand.count(tile) > u8::from(drawn == Some(tile));
        if tsumogiri && drawn != Some(tile) || !tsumogiri && (player.riichi.is_some() || !held) {
            return Finding::value("tsumogiri", tsumogiri, !tsumogiri);
        }
        let left = hand.without(&[tile]).unwrap_or(*hand);
        Finding::because(
            "pai",
            tile,
            format!(
                "riichi is declared with it, and {} is not tenpai",
                written(left.tiles())
            ),
        )
    }

    pub(super) fn reach(&mut self, event: &Event, actor: Seat) -> Ruling {
        self.expect_own_turn(event, actor)?;
        let public = &self.public;
        let player = &public.players[actor];
        let no = |reason: String| Err(not_now(event, reason));
        if player.riichi.is_some() {
            return no(format!("seat {actor} is in riichi"));
        }
        if !player.is_closed() {
            return no("an open hand cannot declare riichi".to_owned());
        }
        if public.scores_known() && public.scores[actor] < RIICHI_STICK {
            return no(format!(
                "riichi costs {RIICHI_STICK} points, and seat {actor} has {}",
                public.scores[actor]
            ));
        }
        if public.tiles_left < self.rules().players {
            return no(format!(
                "riichi needs {} tiles to draw, and {} are left",
                self.rules().players,
                public.tiles_left
            ));
        }
        if let Some(own) = &self.hands.0[actor] {
            let mut public = self.public.clone();
            if !public.scores_known() {
                public.scores[actor] = RIICHI_STICK;
            }
            let legal = TableRef::new(&public, actor, own).legal_actions();
            if !legal
                .iter()
                .any(|action| matches!(action, Action::Reach { .. }))
            {
                return no(format!(
                    "no discard of {} leaves it tenpai",
                    written(own.hand.tiles())
                ));
            }
        }
        self.apply(event)
    }

    pub(super) fn reach_accepted(
        &mut self,
        event: &Event,
        told: &RecordedFacts,
        actor: Seat,
        scores: Option<Points>,
    ) -> Ruling {
        self.expect_round(event)?;
        match self.public.phase {
            Phase::Discarded { by, .. } if by == actor && self.public.owes_stick(actor) => {}
            Phase::Discarded { by, .. } if by != actor && self.public.owes_stick(by) => {
                return Err(Finding::value("actor", actor, by));
            }
            _ => {
                return Err(not_now(
                    event,
                    format!("seat {actor} has not just discarded for a riichi"),
                ));
            }
        }
        let mut paid = Points::from_fn(self.rules().players, |_| 0);
        paid[actor] = -RIICHI_STICK;
        if let Some(deltas) = told.deltas.filter(|deltas| *deltas != paid) {
            return Err(Finding::value("deltas", list(&deltas), list(&paid)));
        }
        let mut right = self.public.scores;
        right[actor] = right[actor].saturating_sub(RIICHI_STICK);
        if let Some(scores) = scores.filter(|scores| self.public.scores_known() && *scores != right)
        {
            return Err(Finding::value("scores", list(&scores), list(&right)));
        }
        self.accept_riichi(event)
    }

    pub(super) fn accept_riichi(&mut self, event: &Event) -> Ruling {
        self.before_riichi = Some(Box::new(self.public.clone()));
        self.apply(event)
    }

    /// The seat has drawn and is to act.
    fn expect_own_turn(&self, event: &Event, actor: Seat) -> Ruling {
        self.expect_round(event)?;
        match self.public.phase {
            Phase::Turn(seat) if seat == actor => Ok(()),
            Phase::Turn(seat) => Err(Finding::value("actor", actor, seat)),
            _ => Err(self.discard_is_due(event)),
        }
    }

    pub(super) fn kan(&mut self, event: &Event) -> Ruling {
        let Some(actor) = event.actor() else {
            return Ok(());
        };
        self.expect_own_turn(event, actor)?;
        let public = &self.public;
        let no = |reason: &str| Err(not_now(event, reason));
        if public.tiles_left == 0 {
            return no("no tile is left to replace it");
        }
        // Some converters turn it before a closed kan, too.
        if self.turned_in_turn && !matches!(event, Event::Ankan { .. }) {
            return no(
                "the indicator of the open kan is turned after the next kan, or before a discard",
            );
        }
        let is_kita = matches!(event, Event::Kita { .. });
        if is_kita && self.rules().players != 3 {
            return no("a North is set aside only in games of three");
        }
        if !is_kita && public.kans() >= MAX_KANS {
            return no("four kans are shown already");
        }
        let (wanted, own): (Action, Vec<Tile>) = match *event {
            Event::Ankan { mut consumed, .. } => {
                consumed.sort_unstable();
                if consumed
                    .iter()
                    .any(|tile| tile.kind() != consumed[0].kind())
                {
                    return Err(Finding::because(
                        "consumed",
                        written(consumed),
                        "a kan is four tiles of one kind",
                    ));
                }
                (Action::Ankan { consumed }, consumed.to_vec())
            }
            Event::Kakan {
                tile, mut consumed, ..
            } => {
                consumed.sort_unstable();
                let pons = &public.players[actor].melds;
                let Some(pon) = pons.iter().find(|meld| meld.with_added(tile).is_some()) else {
                    return Err(Finding::because(
                        "pai",
                        tile,
                        format!("seat {actor} has no pon to add it to"),
                    ));
                };
                if pon.tiles() != consumed {
                    return Err(Finding::value(
                        "consumed",
                        written(consumed),
                        written(pon.tiles().iter().copied()),
                    ));
                }
                (Action::Kakan { tile, consumed }, vec![tile])
            }
            _ => (Action::Kita, vec![Kind::NORTH.tile()]),
        };
        let field = match event {
            Event::Ankan { .. } => "consumed",
            Event::Kakan { .. } => "pai",
            _ => "type",
        };
        match self.view(actor) {
            Some(view) if view.legal_actions().contains(&wanted) => {}
            Some(view) => {
                let hand = view.hand();
                let missing = hand.without(&own).is_err();
                let reason = match missing {
                    true => format!("the seat holds {}", written(hand.tiles())),
                    false => format!(
                        "seat {actor} is in riichi and may change neither its waits nor its tiles"
                    ),
                };
                let found = if is_kita {
                    event.name().to_owned()
                } else {
                    written(own).to_string()
                };
                return Err(Finding::because(field, found, reason));
            }
            None => {
                let shown = self.unseen.take_all(own.iter().copied());
                shown.map_err(|why| Finding::because(field, written(own), why))?;
            }
        }
        self.apply(event)
    }

    pub(super) fn dora(&mut self, event: &Event, marker: Tile) -> Ruling {
        self.expect_round(event)?;
        let due = self.public.due_dora();
        if due == 0 {
            return Err(not_now(event, "no kan has earned another indicator"));
        }
        let in_time = match self.public.phase {
            Phase::Kan { kind, .. } => due > usize::from(kind != MeldKind::Ankan),
            Phase::Kita { .. } => true,
            Phase::Turn(_) | Phase::Declared(_) => !self.house.dora_after_discard,
            Phase::Discarded { .. } | Phase::Accepted { .. } => self.house.dora_after_discard,
            _ => false,
        };
        if !in_time {
            return Err(not_now(
                event,
                "the indicator of an open kan is turned before the discard that follows",
            ));
        }
        self.unseen
            .take(marker)
            .map_err(|why| Finding::because("dora_marker", marker, why))?;
        self.turned_in_turn = matches!(self.public.phase, Phase::Turn(_));
        self.apply(event)
    }

    /// The waits of a hand in words.
    pub(super) fn waits_in_words(&self, seat: Seat) -> String {
        self.view(seat).map_or_else(String::new, |view| {
            written_kinds(view.waits().iter()).to_string()
        })
    }
}
