//! A win: whether the seat may, and what it is worth.

use game_core::{Finding, Seat};
use tiles::{ConcealedHand, Kind, Tile};

use super::seen::written;
use super::{Referee, RoundEnd, Ruling, Told, ToldYaku, Won, list, not_now};
use crate::action::Action;
use crate::event::{Event, Hora, Points};
use crate::game::RoundVerdict;
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::score::{Dora, Limit, Score};
use crate::shape::is_complete;
use crate::table::{Own, Phase, Public, TableRef};

/// Maximum number of ura dora: four of the kind for each of five indicators.
const MAX_URA: u8 = 20;

impl Referee {
    pub(super) fn hora(&mut self, event: &Event, told: &Told, hora: &Hora) -> Ruling {
        self.expect_winner(event, hora)?;
        let before = self.won.as_ref().map_or_else(|| Box::new(self.public.clone()), |won| won.before.clone());
        let tile = match before.phase {
            Phase::Discarded { tile, .. } | Phase::Kan { tile, .. } => Some(tile),
            Phase::Kita { .. } => Some(Kind::NORTH.tile()),
            _ => self.hands.0[hora.actor].as_ref().map_or(told.tile, |own| own.drawn),
        };
        if let (Some(told), Some(tile)) = (told.tile, tile)
            && told != tile
        {
            return Err(Finding::value("pai", told, tile));
        }
        let is_tsumo = hora.actor == hora.target;
        if let Some(told) = told.tsumo.filter(|told| *told != is_tsumo) {
            return Err(Finding::value("tsumo", told, is_tsumo));
        }
        let own = match self.hands.0[hora.actor] {
            Some(own) => {
                expect_hand(&own, told)?;
                Some(own)
            }
            None => self.shown_hand(&before, hora.actor, told, tile.filter(|_| is_tsumo))?,
        };
        self.expect_ura(&before, hora, told)?;
        let right = match (own, tile) {
            (Some(own), Some(tile)) => self.expect_worth(event, (&before, &own), (hora, tile), told)?,
            _ => {
                self.expect_payment(&before, hora)?;
                hora.deltas
            }
        };
        let mut scores = self.public.scores;
        if let Some(deltas) = right {
            scores.iter_mut().for_each(|(seat, points)| *points = points.saturating_add(deltas[seat]));
            if let Some(told) = hora.scores.filter(|told| self.public.scores_known() && *told != scores) {
                return Err(Finding::value("scores", list(&told), list(&scores)));
            }
        }
        let won = self.won.get_or_insert_with(|| Won { before, winners: Default::default(), ura: None });
        won.winners.push(hora.actor);
        if !hora.ura_markers.to_vec().is_empty() {
            won.ura = Some(hora.ura_markers);
        }
        let by_dealer = won.winners.contains(&self.public.oya);
        let verdicts = [RoundVerdict::Won { by_dealer }].into_iter().collect();
        self.end = Some(RoundEnd { verdicts, ..RoundEnd::default() });
        self.apply(&Event::Hora(Hora { deltas: right, ..*hora }))
    }

    /// The seat may win on a tile of the target at this moment.
    fn expect_winner(&self, event: &Event, hora: &Hora) -> Ruling {
        let (actor, target) = (hora.actor, hora.target);
        let no = |reason: &str| Err(not_now(event, reason));
        let from = match self.public.phase {
            Phase::Turn(seat) if seat == actor => seat,
            Phase::Turn(_) | Phase::Called(_) | Phase::Declared(_) | Phase::Draw(_) => {
                return no(&format!("seat {actor} has no tile to win on"));
            }
            Phase::Accepted { by, .. } => {
                return no(&format!("the discard of seat {by} has passed: its riichi is accepted"));
            }
            Phase::Kan { kind: MeldKind::Daiminkan, .. } => return no("an open kan cannot be robbed"),
            Phase::Kan { kind: MeldKind::Ankan, .. } if !self.rules().ron_on_ankan_by_kokushi => {
                return no("a closed kan cannot be robbed");
            }
            Phase::Discarded { by, .. } | Phase::Kan { by, .. } | Phase::Kita { by } => by,
            Phase::Won { target } => target,
            Phase::Drawn => return no("the round is drawn already"),
            Phase::Between => return no("no round is being played"),
        };
        if target != from {
            return Err(Finding::value("target", target, from));
        }
        let is_tsumo = matches!(self.public.phase, Phase::Turn(_));
        if actor == from && !is_tsumo {
            return Err(Finding::because("actor", actor, "the tile is the seat's own"));
        }
        if is_tsumo && self.turned_in_turn {
            return no("the indicator of the open kan is turned only before a discard");
        }
        let Some(won) = &self.won else { return Ok(()) };
        let players = self.rules().players;
        if won.winners.contains(&target) {
            return no(&format!("seat {target} has won by self-draw"));
        }
        let turns = |seat: Seat| seat.turns_after(target, players);
        if let Some(last) = won.winners.iter().find(|&&last| turns(last) >= turns(actor)) {
            return Err(Finding::because(
                "actor",
                actor,
                format!("seat {last} won before it, and the nearest comes first"),
            ));
        }
        if self.rules().is_drawn_by_winners(won.winners.len() + 1) {
            return no("three winners on one tile make a draw");
        }
        Ok(())
    }

    /// A hand that the record shows only now.
    fn shown_hand(
        &mut self,
        before: &Public,
        actor: Seat,
        told: &Told,
        drawn: Option<Tile>,
    ) -> Result<Option<Own>, Finding> {
        let Some(shown) = &told.hand else { return Ok(None) };
        let wrong = |why: String| Finding::because("hora_tehais", written(shown.iter().copied()), why);
        self.unseen.take_all(shown.iter().copied()).map_err(wrong)?;
        let mut hand =
            Hand::from_tiles(shown.iter().copied()).map_err(|_| wrong("five tiles are of one kind".to_owned()))?;
        let closed = 13 - 3 * before.players[actor].melds.len();
        match (drawn, shown.len()) {
            (Some(drawn), length) if length == closed => hand = hand.with(drawn).unwrap_or(hand),
            (Some(drawn), length) if length == closed + 1 && hand.count(drawn) > 0 => {}
            (None, length) if length == closed => {}
            _ => return Err(wrong(format!("the seat has {closed} closed tiles besides the winning one"))),
        }
        Ok(Some(before.own_in_round(actor, hand, drawn)))
    }

    /// The ura dora indicators are those of a riichi, and can be there.
    fn expect_ura(&self, before: &Public, hora: &Hora, told: &Told) -> Ruling {
        let markers = hora.ura_markers.to_vec();
        let wrong = |why: String| Err(Finding::because("ura_markers", names(&markers), why));
        if before.players[hora.actor].riichi.is_none() {
            return if markers.is_empty() { Ok(()) } else { wrong("the winner is not in riichi".to_owned()) };
        }
        let turned = before.dora_markers.len();
        if markers.len() != turned && !told.ura_left_out {
            return wrong(format!("there are {turned} dora indicators, and as many under them"));
        }
        if let Some(first) = self.won.as_ref().and_then(|won| won.ura).filter(|ura| *ura != hora.ura_markers)
            && !told.ura_left_out
        {
            return Err(Finding::value("ura_markers", names(&markers), names(&first.to_vec())));
        }
        let mut unseen = self.unseen.clone();
        markers.iter().try_for_each(|&marker| unseen.take(marker)).or_else(wrong)
    }

    /// The win is one, and everything told of it is true; what is paid, if that is known.
    fn expect_worth(
        &self,
        event: &Event,
        (before, own): (&Public, &Own),
        (hora, tile): (&Hora, Tile),
        told: &Told,
    ) -> Result<Option<Points>, Finding> {
        let (actor, target) = (hora.actor, hora.target);
        let view = TableRef::new(before, actor, own);
        if !view.legal_actions().contains(&Action::Hora { target, tile }) {
            return Err(not_now(event, self.no_win(view, (target, tile))));
        }
        let is_first = self.won.as_ref().is_none_or(|won| won.winners.is_empty());
        let (honba, sticks) = before.counters_for(is_first);
        let robbed_kan = matches!(before.phase, Phase::Kan { .. });
        let ura = Dora::named_by(self.rules(), hora.ura_markers.to_vec());
        let score = view.score_of_tile(target, (tile, robbed_kan), honba, ura);
        let score = score.map_err(|why| not_now(event, why.to_string()))?;
        let paid = |score: &Score| {
            let mut deltas = score.deltas(target);
            deltas[actor] += sticks;
            deltas
        };
        // Indicators that are left out may have added some han.
        let unknown = told.ura_left_out && before.players[actor].riichi.is_some();
        if unknown && hora.deltas.is_none() && told.han.is_none() {
            return Ok(None);
        }
        let most = if unknown { MAX_URA } else { 0 };
        let candidates = (0..=most).map(|more| if more == 0 { score } else { score.with_more_ura(more) });
        let fits = |score: &Score| {
            hora.deltas.is_none_or(|deltas| deltas == paid(score))
                && told.han.is_none_or(|(_, han)| han == i64::from(score.han))
        };
        let score = candidates.clone().find(fits).unwrap_or(score);
        let right = paid(&score);
        if let Some(deltas) = hora.deltas.filter(|deltas| *deltas != right) {
            let reason = format!("should be {}: {}", list(&right), worth(&score));
            return Err(Finding::because("deltas", list(&deltas), reason));
        }
        expect_told(&score, told)?;
        Ok(Some(right))
    }

    /// Why a hand does not win.
    fn no_win(&self, view: TableRef<'_>, (target, tile): (Seat, Tile)) -> String {
        let is_tsumo = target == view.seat();
        let hand = if is_tsumo { view.hand().without(&[tile]).unwrap_or(*view.hand()) } else { *view.hand() };
        let (shown, melds) = (written(hand.tiles()), view.player_at(view.seat()).melds.len());
        let complete = hand.with(tile).is_ok_and(|full| {
            ConcealedHand::new(*full.counts(), melds, self.rules().players).is_ok_and(|full| is_complete(&full))
        });
        let (seat, name) = (view.seat(), written([tile]));
        if !complete {
            return format!("{name} does not complete {shown} of seat {seat}");
        }
        let (furiten, waits) = (view.furiten(), self.waits_in_words(seat));
        if !is_tsumo && furiten.any() {
            let which = match (furiten.river, furiten.riichi) {
                (true, _) => "has discarded one of its waits",
                (_, true) => "has let one of its waits pass in riichi",
                _ => "has let one of its waits pass since its last discard",
            };
            return format!("seat {seat}, with {shown}, {which} ({waits}): it is furiten");
        }
        format!("{shown} of seat {seat} has no yaku with {name}")
    }

    /// A winner whose hand is hidden is paid what some hand is worth.
    fn expect_payment(&self, before: &Public, hora: &Hora) -> Ruling {
        let Some(deltas) = hora.deltas else { return Ok(()) };
        let is_first = self.won.as_ref().is_none_or(|won| won.winners.is_empty());
        let (honba, sticks) = before.counters_for(is_first);
        let mut of_hand = deltas;
        of_hand[hora.actor] = of_hand[hora.actor].saturating_sub(sticks);
        let own = Own::default();
        let situation = TableRef::new(before, hora.actor, &own).situation(honba);
        if situation.is_payment(&before.players[hora.actor].melds, hora.target, &of_hand) {
            return Ok(());
        }
        let counters = format!("with {} repeat counters and {} points of sticks", honba, sticks);
        Err(Finding::because("deltas", list(&deltas), format!("no hand is paid so {counters}")))
    }
}

/// The hand that is told is the winner's.
fn expect_hand(own: &Own, told: &Told) -> Ruling {
    let Some(shown) = &told.hand else { return Ok(()) };
    let mut shown: Vec<Tile> = shown.iter().copied().collect();
    shown.sort_unstable();
    let before_draw = own.drawn.and_then(|drawn| own.hand.without(&[drawn]).ok());
    let held: Vec<Tile> = own.hand.tiles().collect();
    if shown == held || before_draw.is_some_and(|hand| hand.tiles().collect::<Vec<_>>() == shown) {
        return Ok(());
    }
    Err(Finding::value("hora_tehais", written(shown), written(held)))
}

/// Everything that is told of the value is true.
fn expect_told(score: &Score, told: &Told) -> Ruling {
    let is_yakuman = matches!(score.limit, Some(Limit::Yakuman(_)));
    // The original server counts 100 for a yakuman.
    let counted_otherwise = is_yakuman && told.han.is_some_and(|(field, han)| field == "fan" && han >= 13);
    if let Some((field, han)) = told.han.filter(|&(_, han)| han != i64::from(score.han) && !counted_otherwise) {
        return Err(Finding::because(field, han, format!("should be {}: {}", score.han, worth(score))));
    }
    if let Some(fu) = told.fu.filter(|&fu| fu != i64::from(score.fu) && !counted_otherwise) {
        return Err(Finding::because("fu", fu, format!("should be {}: {}", score.fu, worth(score))));
    }
    if let Some(points) = told.points.filter(|&points| points != i64::from(score.points())) {
        return Err(Finding::because("hora_points", points, format!("should be {}: {}", score.points(), worth(score))));
    }
    match &told.yaku {
        Some(yaku) if !counted_otherwise => expect_yaku(score, yaku),
        _ => Ok(()),
    }
}

/// The yaku are those of the win. Of names in an unknown spelling only the han are compared.
fn expect_yaku(score: &Score, told: &ToldYaku) -> Ruling {
    let sorted = |mut parts: Vec<(String, i64)>| {
        parts.sort();
        parts
    };
    let found = sorted(told.parts.clone());
    let spelled = |spelling: fn(&'static str) -> Option<&'static str>| {
        score.parts().map(|(name, han)| Some((spelling(name)?.to_owned(), i64::from(han)))).collect::<Option<Vec<_>>>()
    };
    let ours = sorted(spelled(Some).unwrap_or_default());
    let shown = |parts: &[(String, i64)]| {
        parts.iter().map(|(name, han)| format!("{name} {han}")).collect::<Vec<_>>().join(", ")
    };
    let total = |parts: &[(String, i64)]| parts.iter().fold(0_i64, |sum, (_, han)| sum.saturating_add(*han));
    let is_known =
        |(name, _): &(String, i64)| crate::yaku::Yaku::all().any(|yaku| yaku.name() == name) || DORA.contains(&&**name);
    let right = if found.iter().all(is_known) { found == ours } else { total(&found) == total(&ours) };
    if right { Ok(()) } else { Err(Finding::value(told.field, shown(&found), shown(&ours))) }
}

/// The names of dora in [`Score::parts`].
const DORA: [&str; 4] = ["dora", "red fives", "ura dora", "north"];

/// The value of a win in words.
fn worth(score: &Score) -> String {
    let parts: Vec<String> = score.parts().map(|(name, han)| format!("{name} {han}")).collect();
    format!("{} han, {} fu ({})", score.han, score.fu, parts.join(", "))
}

fn names(tiles: &[Tile]) -> String {
    let all: Vec<&str> = tiles.iter().map(|tile| tile.name()).collect();
    format!("[{}]", all.join(","))
}
