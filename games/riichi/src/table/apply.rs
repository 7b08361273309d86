//! The changes by each event.

use arrayvec::ArrayVec;
use game_core::{PerSeat, Seat};
use tiles::{Counts, Kind, KindSet, Tile};

use super::hands::Hands;
use super::public::{Passing, Public};
use super::shown::ShownTiles;
use super::{Contradiction, Discard, Phase, PlayerState, Riichi};
use crate::event::{Event, Hora, Points, StartKyoku};
use crate::meld::{Called, Meld, MeldKind};
use crate::rules::RIICHI_STICK;

type Applied = Result<(), Contradiction>;

impl Public {
    /// Applies the next event of the game, as the owner of `hands` hears it, and updates them.
    ///
    /// # Errors
    ///
    /// As [`Table::apply`](super::Table::apply) says.
    pub(crate) fn apply(&mut self, event: &Event, hands: &mut impl Hands) -> Applied {
        if let Some(seat) = event.actor()
            && seat.index() >= usize::from(self.rules.players)
        {
            return Err(Contradiction::NoSuchSeat {
                seat,
                players: self.rules.players,
            });
        }
        match *event {
            Event::StartGame { .. } => {
                self.phase = Phase::Between;
                Ok(())
            }
            Event::EndGame { scores: told } => {
                self.expect_players(&[told])?;
                self.phase = Phase::Between;
                let expected = self.final_scores();
                if self.first_takes_sticks() {
                    self.kyotaku = 0;
                }
                match told {
                    Some(told) => self.set_scores(told, &[expected]),
                    None => {
                        self.scores = expected;
                        Ok(())
                    }
                }
            }
            Event::StartKyoku(ref start) => self.start_kyoku(start, hands),
            Event::Tsumo { actor, tile } => self.tsumo(actor, tile, hands),
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => self.dahai(actor, tile, tsumogiri, hands),
            Event::Chi {
                actor,
                target,
                tile,
                consumed,
            } => self.call(MeldKind::Chi, actor, target, tile, &consumed, hands),
            Event::Pon {
                actor,
                target,
                tile,
                consumed,
            } => self.call(MeldKind::Pon, actor, target, tile, &consumed, hands),
            Event::Daiminkan {
                actor,
                target,
                tile,
                consumed,
            } => self.call(MeldKind::Daiminkan, actor, target, tile, &consumed, hands),
            Event::Ankan { actor, consumed } => self.ankan(actor, &consumed, hands),
            Event::Kakan {
                actor,
                tile,
                consumed,
            } => self.kakan(actor, tile, &consumed, hands),
            Event::Kita { actor } => self.kita(actor, hands),
            Event::Dora { marker } => self.dora(marker, hands),
            Event::Reach { actor } => self.reach(actor),
            Event::ReachAccepted { actor, scores } => self.reach_accepted(actor, scores, hands),
            Event::Hora(ref hora) => self.hora(hora),
            Event::Ryukyoku { deltas, scores, .. } => self.ryukyoku(deltas, scores),
            Event::EndKyoku => {
                // Some arenas send neither wins nor draws.
                self.scores_known &= !self.phase.is_running();
                self.phase = Phase::Between;
                Ok(())
            }
        }
    }

    fn start_kyoku(&mut self, start: &StartKyoku, hands: &mut impl Hands) -> Applied {
        let players = self.rules.players;
        if start.tehais.players() != players {
            return Err(Contradiction::WrongPlayers {
                found: start.tehais.players(),
                players,
            });
        }
        if start.oya.index() >= usize::from(players) {
            return Err(Contradiction::NoSuchSeat {
                seat: start.oya,
                players,
            });
        }
        self.expect_players(&[start.scores])?;
        let mut shown = ShownTiles::nothing(&self.rules);
        shown.see(&[start.dora_marker], &Counts::EMPTY)?;
        hands.deal(&self.rules, start, &shown)?;

        let unfinished = self.phase.is_running();
        let acceptable = [self.scores, self.scores_with_deposits_back()];
        self.rounds += 1;
        self.bakaze = start.bakaze;
        self.kyoku = start.kyoku;
        self.honba = start.honba;
        self.kyotaku = start.kyotaku;
        self.oya = start.oya;
        self.dora_markers = ArrayVec::from_iter([start.dora_marker]);
        self.shown = shown;
        self.tiles_left = self.rules.drawable_tiles();
        self.players = PerSeat::from_fn(players, |_| PlayerState::default());
        self.kans = 0;
        self.unbroken = true;
        self.order = 0;
        self.phase = Phase::Draw(start.oya);
        self.passing = None;

        let first = self.rounds == 1;
        match start.scores {
            // The first scores of a game are those the arena starts with, even if our rules say
            // otherwise.
            Some(scores) if first || unfinished => self.set_scores(scores, &[scores])?,
            Some(scores) => self.set_scores(scores, &acceptable)?,
            None => {}
        }
        if unfinished {
            Err(Contradiction::RoundNotEnded)
        } else {
            Ok(())
        }
    }

    /// Older arenas take the riichi sticks of the round off once more in an exhaustive draw's
    /// deltas (RiichiEnv before 0.4.11): what the scores would be had they not.
    fn scores_with_deposits_back(&self) -> Points {
        let mut scores = self.scores;
        if self.ended_by_draw {
            for (seat, player) in self.players.iter() {
                if player.riichi.is_some_and(|riichi| riichi.accepted) {
                    scores[seat] = scores[seat].saturating_add(RIICHI_STICK);
                }
            }
        }
        scores
    }

    fn tsumo(&mut self, actor: Seat, tile: Option<Tile>, hands: &mut impl Hands) -> Applied {
        let expected = match self.phase {
            Phase::Draw(seat) => seat,
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => by.next(self.rules.players),
            Phase::Kan { by, .. } | Phase::Kita { by } => by,
            Phase::Between | Phase::Won { .. } | Phase::Drawn => {
                return Err(Contradiction::NoRound);
            }
            Phase::Turn(_) | Phase::Called(_) | Phase::Declared(_) => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "a discard comes next",
                });
            }
        };
        if actor != expected {
            return Err(Contradiction::OutOfTurn {
                actor,
                expected: "another seat draws next",
            });
        }
        if self.tiles_left == 0 {
            return Err(Contradiction::WallEmpty);
        }
        let is_replacement = matches!(self.phase, Phase::Kan { .. } | Phase::Kita { .. });
        if let Some(hand) = hands.own(actor).map(|own| own.hand) {
            let tile = tile.ok_or(Contradiction::OwnTilesHidden)?;
            let hand = hand.with(tile)?;
            self.shown.expect_hidden(&[tile], hands.held())?;
            if let Some(own) = hands.own_mut(actor) {
                own.hand = hand;
                own.drawn = Some(tile);
                own.count_shanten(self.players[actor].melds.len(), self.rules.players);
            }
        }
        if is_replacement {
            self.break_first_turn();
        }
        self.record_passed_tile(hands);
        self.replacement = is_replacement;
        self.tiles_left -= 1;
        self.phase = Phase::Turn(actor);
        Ok(())
    }

    fn dahai(
        &mut self,
        actor: Seat,
        tile: Tile,
        tsumogiri: bool,
        hands: &mut impl Hands,
    ) -> Applied {
        let (declared, after_call) = match self.phase {
            Phase::Turn(seat) if seat == actor => (false, false),
            Phase::Called(seat) if seat == actor => (false, true),
            Phase::Declared(seat) if seat == actor => (true, false),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => {
                return Err(Contradiction::NoRound);
            }
            _ => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "it has nothing to discard",
                });
            }
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
        match hands.own_mut(actor) {
            Some(own) => {
                if tsumogiri && own.drawn != Some(tile) {
                    return Err(Contradiction::NotDrawn {
                        tile,
                        drawn: own.drawn,
                    });
                }
                own.hand.remove(tile)?;
                own.drawn = None;
                own.kuikae = KindSet::EMPTY;
                if self.players[actor].riichi.is_none() {
                    own.passed_kans = KindSet::EMPTY;
                }
                own.settle_discard(self.players[actor].melds.len(), self.rules.players);
                self.shown.add(tile);
            }
            None => self.shown.see(&[tile], hands.held())?,
        }
        self.order += 1;
        let double = self.unbroken && self.players[actor].river.is_empty();
        let player = &mut self.players[actor];
        player.river.push(Discard {
            tile,
            tsumogiri,
            riichi: declared,
            called_by: None,
            order,
        });
        player.discarded.insert(tile.kind());
        player.passed_since_discard = KindSet::EMPTY;
        if declared {
            player.riichi = Some(Riichi {
                accepted: false,
                double,
                ippatsu: false,
                order,
            });
        } else if let Some(riichi) = &mut player.riichi {
            riichi.ippatsu = false;
        }
        self.phase = Phase::Discarded { by: actor, tile };
        self.passing = Some(Passing {
            by: actor,
            tile,
            for_orphans: false,
        });
        Ok(())
    }

    fn call(
        &mut self,
        kind: MeldKind,
        actor: Seat,
        target: Seat,
        tile: Tile,
        consumed: &[Tile],
        hands: &mut impl Hands,
    ) -> Applied {
        let (by, offered) = match self.phase {
            Phase::Discarded { by, tile } | Phase::Accepted { by, tile } => (by, tile),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => {
                return Err(Contradiction::NoRound);
            }
            _ => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "there is no discard to call",
                });
            }
        };
        if by != target || offered != tile || actor == by {
            return Err(Contradiction::NotOffered { tile, target });
        }
        if kind == MeldKind::Chi
            && (actor != by.next(self.rules.players) || self.rules.players != 4)
        {
            return Err(Contradiction::OutOfTurn {
                actor,
                expected: "only the next seat can call a run",
            });
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
        let meld = Meld::new(kind, &tiles, Some(Called { tile, from: target }), order)
            .ok_or(Contradiction::NoMeld)?;
        self.show(hands, actor, consumed)?;

        self.record_passed_tile(hands);
        self.order += 1;
        self.players[actor].melds.push(meld);
        self.kans += u8::from(kind.is_kan());
        if let Some(last) = self.players[target].river.last_mut() {
            last.called_by = Some(actor);
        }
        self.break_first_turn();
        if kind == MeldKind::Daiminkan {
            self.after_kan(actor, hands);
            self.phase = Phase::Kan {
                by: actor,
                tile,
                kind,
            };
        } else {
            self.phase = Phase::Called(actor);
            let kuikae = self.kuikae_after(&meld, tile);
            if let Some(own) = hands.own_mut(actor) {
                own.kuikae = kuikae;
                own.settle(self.players[actor].melds.len(), self.rules.players);
            }
        }
        Ok(())
    }

    fn ankan(&mut self, actor: Seat, consumed: &[Tile; 4], hands: &mut impl Hands) -> Applied {
        self.expect_turn(actor)?;
        if self.players[actor].melds.is_full() {
            return Err(Contradiction::TooMany { what: "meld" });
        }
        let order = self.next_order()?;
        let meld =
            Meld::new(MeldKind::Ankan, consumed, None, order).ok_or(Contradiction::NoMeld)?;
        self.show(hands, actor, consumed)?;

        self.order += 1;
        self.players[actor].melds.push(meld);
        self.kans += 1;
        self.after_kan(actor, hands);
        self.break_first_turn();
        let tile = consumed[0];
        self.phase = Phase::Kan {
            by: actor,
            tile,
            kind: MeldKind::Ankan,
        };
        if self.rules.ron_on_ankan_by_kokushi {
            self.passing = Some(Passing {
                by: actor,
                tile,
                for_orphans: true,
            });
        }
        Ok(())
    }

    fn kakan(
        &mut self,
        actor: Seat,
        tile: Tile,
        consumed: &[Tile; 3],
        hands: &mut impl Hands,
    ) -> Applied {
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
        self.show(hands, actor, &[tile])?;

        self.players[actor].melds[place] = grown;
        self.kans += 1;
        self.after_kan(actor, hands);
        // A seat that robs the kan may still win by ippatsu: the kan breaks the turn only when it
        // is complete, at the next draw.
        self.phase = Phase::Kan {
            by: actor,
            tile,
            kind: MeldKind::Kakan,
        };
        self.passing = Some(Passing {
            by: actor,
            tile,
            for_orphans: false,
        });
        Ok(())
    }

    fn kita(&mut self, actor: Seat, hands: &mut impl Hands) -> Applied {
        self.expect_turn(actor)?;
        if self.rules.players != 3 {
            return Err(Contradiction::KitaOfFour);
        }
        if self.players[actor].kita >= 4 {
            return Err(Contradiction::TooMany { what: "North" });
        }
        let north = Kind::NORTH.tile();
        self.show(hands, actor, &[north])?;

        self.players[actor].kita += 1;
        self.after_kan(actor, hands);
        // As with a kakan, ippatsu lasts until the kita is complete; the first turn does not.
        self.unbroken = false;
        self.phase = Phase::Kita { by: actor };
        self.passing = Some(Passing {
            by: actor,
            tile: north,
            for_orphans: false,
        });
        Ok(())
    }

    fn dora(&mut self, marker: Tile, hands: &mut impl Hands) -> Applied {
        if !self.phase.is_running() {
            return Err(Contradiction::NoRound);
        }
        if self.dora_markers.is_full() {
            return Err(Contradiction::TooMany {
                what: "dora indicator",
            });
        }
        self.shown.see(&[marker], hands.held())?;
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

    fn reach_accepted(
        &mut self,
        actor: Seat,
        scores: Option<Points>,
        hands: &mut impl Hands,
    ) -> Applied {
        self.expect_players(&[scores])?;
        let (by, tile) = match self.phase {
            Phase::Discarded { by, tile } if by == actor => (by, tile),
            Phase::Between | Phase::Won { .. } | Phase::Drawn => {
                return Err(Contradiction::NoRound);
            }
            _ => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "it has not just discarded",
                });
            }
        };
        match &mut self.players[actor].riichi {
            Some(riichi) if !riichi.accepted => {
                riichi.accepted = true;
                riichi.ippatsu = true;
            }
            _ => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "it has not declared riichi",
                });
            }
        }
        self.record_passed_tile(hands);
        self.phase = Phase::Accepted { by, tile };
        self.kyotaku = self.kyotaku.saturating_add(1);
        self.scores[actor] = self.scores[actor].saturating_sub(RIICHI_STICK);
        scores.map_or(Ok(()), |scores| self.set_scores(scores, &[self.scores]))
    }

    fn hora(&mut self, hora: &Hora) -> Applied {
        self.expect_players(&[hora.deltas, hora.scores])?;
        let (actor, target) = (hora.actor, hora.target);
        let from = match self.phase {
            Phase::Turn(seat) if actor == seat => seat,
            Phase::Discarded { by, .. } | Phase::Kan { by, .. } | Phase::Kita { by }
                if actor != by =>
            {
                by
            }
            Phase::Won { target } if actor != target => target,
            Phase::Between | Phase::Drawn => return Err(Contradiction::NoRound),
            _ => {
                return Err(Contradiction::OutOfTurn {
                    actor,
                    expected: "it has no tile to win on",
                });
            }
        };
        if target != from {
            return Err(Contradiction::OutOfTurn {
                actor,
                expected: "the winning tile is another seat's",
            });
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
            Some(&first) if known && !expected.contains(&given) => Err(Contradiction::Scores {
                given,
                expected: first,
            }),
            _ => Ok(()),
        }
    }

    /// Refuses points for a wrong number of seats.
    fn expect_players(&self, told: &[Option<Points>]) -> Applied {
        let players = self.rules.players;
        match told
            .iter()
            .flatten()
            .find(|points| points.players() != players)
        {
            Some(points) => Err(Contradiction::WrongPlayers {
                found: points.players(),
                players,
            }),
            None => Ok(()),
        }
    }

    /// The tile that could have been won on has passed.
    fn record_passed_tile(&mut self, hands: &mut impl Hands) {
        let Some(passing) = self.passing.take() else {
            return;
        };
        let kind = passing.tile.kind();
        for (seat, player) in self
            .players
            .iter_mut()
            .filter(|(seat, _)| *seat != passing.by)
        {
            if passing.for_orphans {
                if let Some(own) = hands.own_mut(seat)
                    && passing.is_for(seat, own, player)
                {
                    own.passed_kans.insert(kind);
                }
                continue;
            }
            player.passed_since_discard.insert(kind);
            if player.riichi.is_some() {
                player.passed_since_riichi.insert(kind);
            }
        }
    }

    /// Shows tiles of a hand.
    fn show(&mut self, hands: &mut impl Hands, actor: Seat, tiles: &[Tile]) -> Applied {
        match hands.own_mut(actor) {
            Some(own) => {
                own.hand = own.hand.without(tiles)?;
                tiles.iter().for_each(|&tile| self.shown.add(tile));
            }
            None => self.shown.see(tiles, hands.held())?,
        }
        Ok(())
    }

    fn after_kan(&self, actor: Seat, hands: &mut impl Hands) {
        if let Some(own) = hands.own_mut(actor) {
            own.drawn = None;
            own.settle(self.players[actor].melds.len(), self.rules.players);
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
            _ => Err(Contradiction::OutOfTurn {
                actor,
                expected: "it has not just drawn",
            }),
        }
    }

    /// Discards and calls share one numbering; it ends long before its type does, in a round that
    /// can happen.
    fn next_order(&self) -> Result<u8, Contradiction> {
        if self.order == u8::MAX {
            Err(Contradiction::TooMany {
                what: "discard or call",
            })
        } else {
            Ok(self.order)
        }
    }
}
