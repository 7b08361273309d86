//! How each event changes the table.

use arrayvec::ArrayVec;

use super::{Contradiction, Discard, Own, Passing, Phase, PlayerState, Riichi, SeenTiles, Table};
use crate::concealed::ConcealedHand;
use crate::event::{Event, Hora, Points, StartKyoku};
use crate::hand::Hand;
use crate::kinds::KindSet;
use crate::meld::{Called, Meld, MeldKind};
use crate::seat::{PerSeat, Seat};
use crate::tile::{Kind, Tile};
use crate::waits::waits;

type Applied = Result<(), Contradiction>;

impl Table {
    /// Takes in the next event of the game, as this seat hears it; tiles it should not know are not looked at.
    ///
    /// # Errors
    ///
    /// When the event cannot follow on what came before. The table is then unchanged, but for two cases, in which the
    /// event takes effect all the same: a round that begins while another runs ([`Contradiction::RoundNotEnded`]), and
    /// scores other than those computed ([`Contradiction::Scores`]).
    pub fn apply(&mut self, event: &Event) -> Applied {
        if let Some(seat) = event.actor()
            && seat.index() >= usize::from(self.rules.players)
        {
            return Err(Contradiction::NoSuchSeat { seat, players: self.rules.players });
        }
        match *event {
            Event::StartGame { .. } | Event::EndGame { scores: None } => {
                self.phase = Phase::Between;
                Ok(())
            }
            Event::EndGame { scores: Some(scores) } => {
                self.expect_players(&[Some(scores)])?;
                self.phase = Phase::Between;
                let expected = self.final_scores();
                self.kyotaku = 0;
                self.set_scores(scores, &[expected])
            }
            Event::StartKyoku(ref start) => self.start_kyoku(start),
            Event::Tsumo { actor, tile } => self.tsumo(actor, tile),
            Event::Dahai { actor, tile, tsumogiri } => self.dahai(actor, tile, tsumogiri),
            Event::Chi { actor, target, tile, consumed } => self.call(MeldKind::Chi, actor, target, tile, &consumed),
            Event::Pon { actor, target, tile, consumed } => self.call(MeldKind::Pon, actor, target, tile, &consumed),
            Event::Daiminkan { actor, target, tile, consumed } => {
                self.call(MeldKind::Daiminkan, actor, target, tile, &consumed)
            }
            Event::Ankan { actor, consumed } => self.ankan(actor, &consumed),
            Event::Kakan { actor, tile, consumed } => self.kakan(actor, tile, &consumed),
            Event::Kita { actor } => self.kita(actor),
            Event::Dora { marker } => self.dora(marker),
            Event::Reach { actor } => self.reach(actor),
            Event::ReachAccepted { actor, scores } => self.reach_accepted(actor, scores),
            Event::Hora(ref hora) => self.hora(hora),
            Event::Ryukyoku { deltas, scores } => self.ryukyoku(deltas, scores),
            Event::EndKyoku => {
                // Some arenas tell neither wins nor draws.
                self.scores_known &= !self.phase.is_running();
                self.phase = Phase::Between;
                Ok(())
            }
        }
    }

    fn start_kyoku(&mut self, start: &StartKyoku) -> Applied {
        let players = self.rules.players;
        if start.tehais.players() != players {
            return Err(Contradiction::WrongPlayers { found: start.tehais.players(), players });
        }
        if start.oya.index() >= usize::from(players) {
            return Err(Contradiction::NoSuchSeat { seat: start.oya, players });
        }
        self.expect_players(&[start.scores])?;
        let dealt = start.tehais[self.seat].ok_or(Contradiction::OwnTilesHidden)?;
        let mut seen = SeenTiles::nothing(&self.rules);
        seen.see(start.dora_marker)?;
        let mut hand = Hand::default();
        for tile in dealt {
            seen.see(tile)?;
            hand.add(tile)?;
        }

        let unfinished = self.phase.is_running();
        let acceptable = [self.scores, self.scores_with_deposits_back()];
        self.rounds += 1;
        self.bakaze = start.bakaze;
        self.kyoku = start.kyoku;
        self.honba = start.honba;
        self.kyotaku = start.kyotaku;
        self.oya = start.oya;
        self.dora_markers = ArrayVec::from_iter([start.dora_marker]);
        self.tiles_left = self.rules.drawable_tiles();
        self.players = PerSeat::from_fn(players, |_| PlayerState::default());
        self.unbroken = true;
        self.order = 0;
        self.own = Own { hand, dealt: Some(dealt), ..Own::default() };
        self.own.waits = self.waits_now();
        self.seen = seen;
        self.phase = Phase::Draw(start.oya);
        self.passing = None;

        let first = self.rounds == 1;
        match start.scores {
            // The first scores of a game are those the arena starts with, even if our rules say otherwise.
            Some(scores) if first || unfinished => self.set_scores(scores, &[scores])?,
            Some(scores) => self.set_scores(scores, &acceptable)?,
            None => {}
        }
        if unfinished { Err(Contradiction::RoundNotEnded) } else { Ok(()) }
    }

    /// Older arenas take the riichi sticks of the round off once more in an exhaustive draw's deltas (RiichiEnv before
    /// 0.4.11): what the scores would be had they not.
    fn scores_with_deposits_back(&self) -> Points {
        let mut scores = self.scores;
        if self.ended_by_draw {
            for (seat, player) in self.players.iter() {
                if player.riichi.is_some_and(|riichi| riichi.accepted) {
                    scores[seat] = scores[seat].saturating_add(1000);
                }
            }
        }
        scores
    }

    fn tsumo(&mut self, actor: Seat, tile: Option<Tile>) -> Applied {
        let expected = match self.phase {
            Phase::Draw(seat) => seat,
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => by.next(self.rules.players),
            Phase::Kan { by, .. } | Phase::Kita { by } => by,
            Phase::Between | Phase::Won { .. } | Phase::Drawn => return Err(Contradiction::NoRound),
            Phase::Turn(_) | Phase::Called(_) | Phase::Declared(_) => {
                return Err(Contradiction::OutOfTurn { actor, expected: "a discard comes next" });
            }
        };
        if actor != expected {
            return Err(Contradiction::OutOfTurn { actor, expected: "another seat draws next" });
        }
        if self.tiles_left == 0 {
            return Err(Contradiction::WallEmpty);
        }
        let is_replacement = matches!(self.phase, Phase::Kan { .. } | Phase::Kita { .. });
        if actor == self.seat {
            let tile = tile.ok_or(Contradiction::OwnTilesHidden)?;
            let mut seen = self.seen;
            seen.see(tile)?;
            self.own.hand.add(tile)?;
            self.seen = seen;
            self.own.drawn = Some(tile);
            self.own.rinshan = is_replacement;
        }
        if is_replacement {
            self.break_first_turn();
        }
        self.let_pass();
        self.tiles_left -= 1;
        self.phase = Phase::Turn(actor);
        Ok(())
    }

    fn dahai(&mut self, actor: Seat, tile: Tile, tsumogiri: bool) -> Applied {
        let (declared, after_call) = match self.phase {
            Phase::Turn(seat) if seat == actor => (false, false),
            Phase::Called(seat) if seat == actor => (false, true),
            Phase::Declared(seat) if seat == actor => (true, false),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => return Err(Contradiction::NoRound),
            _ => return Err(Contradiction::OutOfTurn { actor, expected: "it has nothing to discard" }),
        };
        if after_call && tsumogiri {
            return Err(Contradiction::NotDrawn { tile, drawn: None });
        }
        let player = &self.players[actor];
        if player.riichi.is_some() && !tsumogiri {
            return Err(Contradiction::RiichiHandChanged);
        }
        if player.river.is_full() {
            return Err(Contradiction::TooMany { what: "discard" });
        }
        let order = self.next_order()?;
        let mut seen = self.seen;
        if actor == self.seat {
            if tsumogiri && self.own.drawn != Some(tile) {
                return Err(Contradiction::NotDrawn { tile, drawn: self.own.drawn });
            }
            self.own.hand.remove(tile)?;
            self.own.drawn = None;
            self.own.rinshan = false;
            self.own.kuikae = KindSet::EMPTY;
            self.own.waits = self.waits_now();
        } else {
            seen.see(tile)?;
        }
        self.seen = seen;
        self.order += 1;
        let double = self.unbroken && self.players[actor].river.is_empty();
        let player = &mut self.players[actor];
        player.river.push(Discard { tile, tsumogiri, riichi: declared, called_by: None, order });
        player.discarded.insert(tile.kind());
        player.passed_since_discard = KindSet::EMPTY;
        if declared {
            player.riichi = Some(Riichi { accepted: false, double, ippatsu: false, order });
        } else if let Some(riichi) = &mut player.riichi {
            riichi.ippatsu = false;
        }
        self.phase = Phase::Discarded { by: actor, tile };
        self.passing = Some(Passing { by: actor, tile });
        Ok(())
    }

    fn call(&mut self, kind: MeldKind, actor: Seat, target: Seat, tile: Tile, consumed: &[Tile]) -> Applied {
        let (by, offered) = match self.phase {
            Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => (by, tile),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => return Err(Contradiction::NoRound),
            _ => return Err(Contradiction::OutOfTurn { actor, expected: "there is no discard to call" }),
        };
        if by != target || offered != tile || actor == by {
            return Err(Contradiction::NotOffered { tile, target });
        }
        if kind == MeldKind::Chi && (actor != by.next(self.rules.players) || self.rules.players != 4) {
            return Err(Contradiction::OutOfTurn { actor, expected: "only the next seat can call a run" });
        }
        let player = &self.players[actor];
        if player.riichi.is_some() {
            return Err(Contradiction::HandNotFree);
        }
        if player.melds.is_full() {
            return Err(Contradiction::TooMany { what: "meld" });
        }
        let order = self.next_order()?;
        let mut tiles = ArrayVec::<Tile, 4>::from_iter([tile]);
        tiles.extend(consumed.iter().copied());
        let meld = Meld::new(kind, &tiles, Some(Called { tile, from: target }), order).ok_or(Contradiction::NoMeld)?;
        self.take_from_hand(actor, consumed)?;

        self.let_pass();
        self.order += 1;
        self.players[actor].melds.push(meld);
        if let Some(last) = self.players[target].river.last_mut() {
            last.called_by = Some(actor);
        }
        self.break_first_turn();
        if kind == MeldKind::Daiminkan {
            self.after_own_kan(actor);
            self.phase = Phase::Kan { by: actor, tile, kind };
        } else {
            self.phase = Phase::Called(actor);
            if actor == self.seat {
                self.own.waits = KindSet::EMPTY;
                self.own.kuikae = self.kuikae_after(&meld, tile);
            }
        }
        Ok(())
    }

    fn ankan(&mut self, actor: Seat, consumed: &[Tile; 4]) -> Applied {
        self.expect_turn(actor)?;
        if self.players[actor].melds.is_full() {
            return Err(Contradiction::TooMany { what: "meld" });
        }
        let order = self.next_order()?;
        let meld = Meld::new(MeldKind::Ankan, consumed, None, order).ok_or(Contradiction::NoMeld)?;
        self.take_from_hand(actor, consumed)?;

        self.order += 1;
        self.players[actor].melds.push(meld);
        self.after_own_kan(actor);
        self.break_first_turn();
        let tile = consumed[0];
        self.phase = Phase::Kan { by: actor, tile, kind: MeldKind::Ankan };
        if actor != self.seat && self.rules.ron_on_ankan_by_kokushi && self.waits_for_thirteen_orphans() {
            self.passing = Some(Passing { by: actor, tile });
        }
        Ok(())
    }

    fn kakan(&mut self, actor: Seat, tile: Tile, consumed: &[Tile; 3]) -> Applied {
        self.expect_turn(actor)?;
        let kind = tile.kind();
        if consumed.iter().any(|tile| tile.kind() != kind) {
            return Err(Contradiction::NoMeld);
        }
        let (place, grown) = self.players[actor]
            .melds
            .iter()
            .enumerate()
            .find_map(|(place, meld)| Some((place, meld.with_added(tile)?)))
            .ok_or(Contradiction::NoPon { kind })?;
        self.take_from_hand(actor, &[tile])?;

        self.players[actor].melds[place] = grown;
        self.after_own_kan(actor);
        // Whoever robs the kan may still win by ippatsu: it breaks the turn only when it stands, with the next draw.
        self.phase = Phase::Kan { by: actor, tile, kind: MeldKind::Kakan };
        self.passing = Some(Passing { by: actor, tile });
        Ok(())
    }

    fn kita(&mut self, actor: Seat) -> Applied {
        self.expect_turn(actor)?;
        if self.rules.players != 3 {
            return Err(Contradiction::KitaOfFour);
        }
        if self.players[actor].kita >= 4 {
            return Err(Contradiction::TooMany { what: "North" });
        }
        let north = Kind::NORTH.tile();
        self.take_from_hand(actor, &[north])?;

        self.players[actor].kita += 1;
        self.after_own_kan(actor);
        // As with a kakan, ippatsu lasts until it stands; the first turn does not.
        self.unbroken = false;
        self.phase = Phase::Kita { by: actor };
        self.passing = Some(Passing { by: actor, tile: north });
        Ok(())
    }

    fn dora(&mut self, marker: Tile) -> Applied {
        if !self.phase.is_running() {
            return Err(Contradiction::NoRound);
        }
        if self.dora_markers.is_full() {
            return Err(Contradiction::TooMany { what: "dora indicator" });
        }
        self.seen.see(marker)?;
        self.dora_markers.push(marker);
        Ok(())
    }

    fn reach(&mut self, actor: Seat) -> Applied {
        self.expect_turn(actor)?;
        let player = &self.players[actor];
        if player.riichi.is_some() || !player.is_closed() {
            return Err(Contradiction::HandNotFree);
        }
        self.phase = Phase::Declared(actor);
        Ok(())
    }

    fn reach_accepted(&mut self, actor: Seat, scores: Option<Points>) -> Applied {
        self.expect_players(&[scores])?;
        let (by, tile) = match self.phase {
            Phase::Discarded { by, tile } if by == actor => (by, tile),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => return Err(Contradiction::NoRound),
            _ => return Err(Contradiction::OutOfTurn { actor, expected: "it has not just discarded" }),
        };
        match &mut self.players[actor].riichi {
            Some(riichi) if !riichi.accepted => {
                riichi.accepted = true;
                riichi.ippatsu = true;
            }
            _ => return Err(Contradiction::OutOfTurn { actor, expected: "it has not declared riichi" }),
        }
        self.let_pass();
        self.phase = Phase::Accepted { by, tile };
        self.kyotaku = self.kyotaku.saturating_add(1);
        self.scores[actor] = self.scores[actor].saturating_sub(1000);
        scores.map_or(Ok(()), |scores| self.set_scores(scores, &[self.scores]))
    }

    fn hora(&mut self, hora: &Hora) -> Applied {
        self.expect_players(&[hora.deltas, hora.scores])?;
        let (actor, target) = (hora.actor, hora.target);
        let from = match self.phase {
            Phase::Turn(seat) if actor == seat => seat,
            Phase::Discarded { by, .. } | Phase::Kan { by, .. } | Phase::Kita { by } if actor != by => by,
            Phase::Won { target } if actor != target => target,
            Phase::Between | Phase::Drawn => return Err(Contradiction::NoRound),
            _ => return Err(Contradiction::OutOfTurn { actor, expected: "it has no tile to win on" }),
        };
        if target != from {
            return Err(Contradiction::OutOfTurn { actor, expected: "the winning tile is another seat's" });
        }
        self.phase = Phase::Won { target };
        self.ended_by_draw = false;
        self.passing = None;
        self.kyotaku = 0;
        self.settle(hora.deltas, hora.scores)
    }

    fn ryukyoku(&mut self, deltas: Option<Points>, scores: Option<Points>) -> Applied {
        self.expect_players(&[deltas, scores])?;
        if !self.phase.is_running() {
            return Err(Contradiction::NoRound);
        }
        self.phase = Phase::Drawn;
        self.ended_by_draw = true;
        self.passing = None;
        self.settle(deltas, scores)
    }

    fn settle(&mut self, deltas: Option<Points>, scores: Option<Points>) -> Applied {
        match deltas {
            Some(deltas) => {
                for (seat, score) in self.scores.iter_mut() {
                    *score = score.saturating_add(deltas[seat]);
                }
            }
            None => self.scores_known = false,
        }
        scores.map_or(Ok(()), |scores| self.set_scores(scores, &[self.scores]))
    }

    /// Takes over what the arena says; an error when it should have been one of `expected`.
    fn set_scores(&mut self, given: Points, expected: &[Points]) -> Applied {
        let known = std::mem::replace(&mut self.scores_known, true);
        self.scores = given;
        match expected.first() {
            Some(&first) if known && !expected.contains(&given) => {
                Err(Contradiction::Scores { given, expected: first })
            }
            _ => Ok(()),
        }
    }

    /// Refuses points that are not for as many seats as there are.
    fn expect_players(&self, told: &[Option<Points>]) -> Applied {
        let players = self.rules.players;
        match told.iter().flatten().find(|points| points.players() != players) {
            Some(points) => Err(Contradiction::WrongPlayers { found: points.players(), players }),
            None => Ok(()),
        }
    }

    /// The tile that could have been won on has passed.
    fn let_pass(&mut self) {
        let Some(Passing { by, tile }) = self.passing.take() else { return };
        for (seat, player) in self.players.iter_mut() {
            if seat != by {
                player.passed_since_discard.insert(tile.kind());
                if player.riichi.is_some() {
                    player.passed_since_riichi.insert(tile.kind());
                }
            }
        }
    }

    /// Takes tiles out of a hand: out of ours, or into sight out of another's.
    fn take_from_hand(&mut self, actor: Seat, tiles: &[Tile]) -> Applied {
        if actor == self.seat {
            self.own.hand = self.own.hand.without(tiles)?;
        } else {
            let mut seen = self.seen;
            for &tile in tiles {
                seen.see(tile)?;
            }
            self.seen = seen;
        }
        Ok(())
    }

    fn after_own_kan(&mut self, actor: Seat) {
        if actor == self.seat {
            self.own.drawn = None;
            self.own.waits = self.waits_now();
        }
    }

    fn waits_now(&self) -> KindSet {
        let melds = self.players[self.seat].melds.len();
        match ConcealedHand::new(*self.own.hand.counts(), melds, self.rules.players) {
            Ok(hand) => waits(&hand),
            Err(_) => KindSet::EMPTY,
        }
    }

    fn break_first_turn(&mut self) {
        self.unbroken = false;
        for (_, player) in self.players.iter_mut() {
            if let Some(riichi) = &mut player.riichi {
                riichi.ippatsu = false;
            }
        }
    }

    fn expect_turn(&self, actor: Seat) -> Applied {
        match self.phase {
            Phase::Turn(seat) if seat == actor => Ok(()),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => Err(Contradiction::NoRound),
            _ => Err(Contradiction::OutOfTurn { actor, expected: "it has not just drawn" }),
        }
    }

    /// Discards and calls share one numbering; it ends long before its type does, in a round that can happen.
    fn next_order(&self) -> Result<u8, Contradiction> {
        if self.order == u8::MAX { Err(Contradiction::TooMany { what: "discard or call" }) } else { Ok(self.order) }
    }
}
