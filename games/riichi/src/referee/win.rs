//! A win: whether the seat may, and what it is worth.

use game_core::{Finding, Seat};
use tiles::{ConcealedHand, Kind, Tile};

use super::seen::written;
use super::{PossibleRoundEnd, RecordedFacts, Referee, RoundWins, Ruling, ToldYaku, list, not_now};
use crate::action::Action;
use crate::event::{Event, Hora, Points};
use crate::game::RoundVerdict;
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::rules::Preset;
use crate::score::{Dora, Limit, Score};
use crate::shape::is_complete;
use crate::table::{Own, Phase, PlayerState, Public, TableRef};
use crate::yaku::{YAKUMAN, Yaku, YakuSet};

/// Maximum number of ura dora: four of the kind for each of five indicators.
const MAX_URA: u8 = 20;

impl Referee {
    pub(super) fn hora(
        &mut self,
        event: &Event,
        told: &RecordedFacts,
        hora: &Hora,
        rest: &[Event],
    ) -> Ruling {
        self.expect_winner(event, hora)?;
        let before = self
            .won
            .as_ref()
            .map_or_else(|| Box::new(self.public.clone()), |won| won.before.clone());
        let tile = match before.phase {
            Phase::Discarded { tile, .. } | Phase::Kan { tile, .. } => Some(tile),
            Phase::Kita { .. } => Some(Kind::NORTH.tile()),
            _ => self.hands.0[hora.actor]
                .as_ref()
                .map_or(self.shown_draw.or(told.tile), |own| own.drawn),
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
        self.expect_ura(&before, hora, told, rest)?;
        let right = match (own, tile) {
            (Some(own), Some(tile)) => {
                self.expect_worth(event, (&before, &own), (hora, tile), told)?
            }
            (_, tile) => {
                self.expect_hidden_win(event, &before, (hora, tile), told)?;
                hora.deltas
            }
        };
        let mut scores = self.public.scores;
        if let Some(deltas) = right {
            scores
                .iter_mut()
                .for_each(|(seat, points)| *points = points.saturating_add(deltas[seat]));
            if let Some(told) = hora
                .scores
                .filter(|told| self.public.scores_known() && *told != scores)
            {
                return Err(Finding::value("scores", list(&told), list(&scores)));
            }
        }
        let won = self.won.get_or_insert_with(|| RoundWins {
            before,
            winners: Default::default(),
            ura: None,
        });
        won.winners.push(hora.actor);
        if won.before.players[hora.actor].riichi.is_some() && !hora.ura_markers.to_vec().is_empty()
        {
            won.ura = Some(hora.ura_markers);
        }
        let by_dealer = won.winners.contains(&self.public.oya);
        let verdicts = [RoundVerdict::Won { by_dealer }].into_iter().collect();
        self.end = Some(PossibleRoundEnd {
            verdicts,
            ..PossibleRoundEnd::default()
        });
        self.apply(&Event::Hora(Hora {
            deltas: right,
            ..*hora
        }))
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
                return no(&format!(
                    "the discard of seat {by} has passed: its riichi is accepted"
                ));
            }
            Phase::Kan {
                kind: MeldKind::Daiminkan,
                ..
            } => return no("an open kan cannot be robbed"),
            Phase::Kan {
                kind: MeldKind::Ankan,
                ..
            } if !self.rules().ron_on_ankan_by_kokushi => {
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
            return Err(Finding::because(
                "actor",
                actor,
                "the tile is the seat's own",
            ));
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
        if let Some(last) = won
            .winners
            .iter()
            .find(|&&last| turns(last) >= turns(actor))
        {
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
        told: &RecordedFacts,
        drawn: Option<Tile>,
    ) -> Result<Option<Own>, Finding> {
        let Some(shown) = &told.hand else {
            return Ok(None);
        };
        let wrong =
            |why: String| Finding::because("hora_tehais", written(shown.iter().copied()), why);
        self.unseen.take_all(shown.iter().copied()).map_err(wrong)?;
        let mut hand = Hand::from_tiles(shown.iter().copied())
            .map_err(|_| wrong("five tiles are of one kind".to_owned()))?;
        let closed = 13 - 3 * before.players[actor].melds.len();
        match (drawn, shown.len()) {
            (Some(drawn), length) if length == closed => hand = hand.with(drawn).unwrap_or(hand),
            (Some(drawn), length) if length == closed + 1 && hand.count(drawn) > 0 => {}
            (None, length) if length == closed => {}
            _ => {
                return Err(wrong(format!(
                    "the seat has {closed} closed tiles besides the winning one"
                )));
            }
        }
        Ok(Some(before.own_in_round(actor, hand, drawn)))
    }

    /// The ura dora indicators are those of a riichi, and can be there. Some converters write those
    /// of a winner in riichi to each winner on the tile.
    fn expect_ura(
        &self,
        before: &Public,
        hora: &Hora,
        told: &RecordedFacts,
        rest: &[Event],
    ) -> Ruling {
        let markers = hora.ura_markers.to_vec();
        let wrong = |why: String| Err(Finding::because("ura_markers", names(&markers), why));
        if before.players[hora.actor].riichi.is_none() {
            let is_shown_earlier = self
                .won
                .as_ref()
                .is_some_and(|won| won.ura == Some(hora.ura_markers));
            let later = rest.iter().map_while(|event| {
                if let Event::Hora(hora) = event {
                    Some(hora)
                } else {
                    None
                }
            });
            let is_in_riichi = |hora: &Hora| {
                hora.actor.index() < before.players.as_slice().len()
                    && before.players[hora.actor].riichi.is_some()
            };
            let mut shown_later = later
                .filter(|other| is_in_riichi(other))
                .map(|other| other.ura_markers);
            let is_allowed = markers.is_empty()
                || is_shown_earlier
                || shown_later.any(|ura| ura == hora.ura_markers);
            return if is_allowed {
                Ok(())
            } else {
                wrong("the winner is not in riichi".to_owned())
            };
        }
        let turned = before.dora_markers.len();
        if markers.len() != turned && !told.ura_left_out {
            return wrong(format!(
                "there are {turned} dora indicators, and as many under them"
            ));
        }
        if let Some(first) = self
            .won
            .as_ref()
            .and_then(|won| won.ura)
            .filter(|ura| *ura != hora.ura_markers)
            && !told.ura_left_out
        {
            return Err(Finding::value(
                "ura_markers",
                names(&markers),
                names(&first.to_vec()),
            ));
        }
        let mut unseen = self.unseen.clone();
        markers
            .iter()
            .try_for_each(|&marker| unseen.take(marker))
            .or_else(wrong)
    }

    /// The win is one, and everything told of it is true; what is paid, if that is known.
    fn expect_worth(
        &self,
        event: &Event,
        (before, own): (&Public, &Own),
        (hora, tile): (&Hora, Tile),
        told: &RecordedFacts,
    ) -> Result<Option<Points>, Finding> {
        let (actor, target) = (hora.actor, hora.target);
        let view = TableRef::new(before, actor, own);
        if !view
            .legal_actions()
            .contains(&Action::Hora { target, tile })
        {
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
        let candidates = (0..=most).map(|more| {
            if more == 0 {
                score
            } else {
                score.with_more_ura(more)
            }
        });
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
        let hand = if is_tsumo {
            view.hand().without(&[tile]).unwrap_or(*view.hand())
        } else {
            *view.hand()
        };
        let (shown, melds) = (
            written(hand.tiles()),
            view.player_at(view.seat()).melds.len(),
        );
        let complete = hand.with(tile).is_ok_and(|full| {
            ConcealedHand::new(*full.counts(), melds, self.rules().players)
                .is_ok_and(|full| is_complete(&full))
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

    /// A win with a hidden hand: some hand may win so, by what all seats know, and is worth what is
    /// paid and told.
    fn expect_hidden_win(
        &self,
        event: &Event,
        before: &Public,
        (hora, tile): (&Hora, Option<Tile>),
        told: &RecordedFacts,
    ) -> Ruling {
        let (actor, target) = (hora.actor, hora.target);
        let (player, own) = (&before.players[actor], Own::default());
        let robbed_kan = if let Phase::Kan { kind, .. } = before.phase {
            Some(kind)
        } else {
            None
        };
        let robs_closed_kan = robbed_kan == Some(MeldKind::Ankan);
        if let Some(tile) = tile.filter(|_| actor != target) {
            expect_ron_of_hidden(event, (actor, player), tile, robs_closed_kan)?;
        }
        let is_first = self.won.as_ref().is_none_or(|won| won.winners.is_empty());
        let (honba, sticks) = before.counters_for(is_first);
        let view = TableRef::new(before, actor, &own);
        let certain = view.yaku_of_circumstances(target, robbed_kan.is_some());
        let orphans = self.rules().preset.yakuman_units(Yaku::KokushiThirteen);
        let is_possible = |score: &Score| match score.limit {
            Some(Limit::Yakuman(units)) => !robs_closed_kan || units == 1 || units == orphans,
            _ => {
                !robs_closed_kan
                    && certain.yakuman().is_empty()
                    && score.han >= certain.han(score.closed)
            }
        };
        let situation = view.situation(honba);
        let mut scores: Vec<Score> = situation
            .possible_scores(&player.melds, target)
            .filter(is_possible)
            .collect();
        if let Some(deltas) = hora.deltas {
            let mut of_hand = deltas;
            of_hand[actor] = of_hand[actor].saturating_sub(sticks);
            scores.retain(|score| score.deltas(target) == of_hand);
            if scores.is_empty() {
                let counters =
                    format!("with {honba} repeat counters and {sticks} points of sticks");
                return Err(Finding::because(
                    "deltas",
                    list(&deltas),
                    format!("no hand is paid so {counters}"),
                ));
            }
        }
        type Count = fn(&Score) -> i64;
        let facts: [(_, _, Count); 3] = [
            ("hora_points", told.points, |score| score.points().into()),
            (
                told.han.map_or("han", |(field, _)| field),
                told.han.map(|(_, han)| han),
                |score| score.han.into(),
            ),
            ("fu", told.fu, |score| score.fu.into()),
        ];
        for (field, value, of) in facts {
            let Some(value) = value else { continue };
            scores.retain(|score| {
                of(score) == value || field != "hora_points" && counts_otherwise(score, told)
            });
            if scores.is_empty() {
                return Err(Finding::because(
                    field,
                    value,
                    "no hand that is paid so has as many",
                ));
            }
        }
        match &told.yaku {
            Some(yaku) if !scores.iter().any(|score| counts_otherwise(score, told)) => {
                expect_yaku_of_hidden(yaku, &scores, certain, self.rules().preset)
            }
            _ => Ok(()),
        }
    }
}

/// All seats see that some hand may win on the tile of another seat.
fn expect_ron_of_hidden(
    event: &Event,
    (actor, player): (Seat, &PlayerState),
    tile: Tile,
    robs_closed_kan: bool,
) -> Ruling {
    let kind = tile.kind();
    if player.cannot_ron().contains(kind) {
        let when = match (
            player.discarded.contains(kind),
            player.passed_since_riichi.contains(kind),
        ) {
            (true, _) => "has discarded it",
            (_, true) => "has let it pass in riichi",
            _ => "has let it pass since its last discard",
        };
        return Err(not_now(
            event,
            format!("seat {actor} wins on {tile} and {when}: it is furiten"),
        ));
    }
    if robs_closed_kan && (!player.melds.is_empty() || !kind.is_terminal_or_honour()) {
        return Err(not_now(event, "only thirteen orphans win on a closed kan"));
    }
    Ok(())
}

/// The hand that is told is the winner's.
fn expect_hand(own: &Own, told: &RecordedFacts) -> Ruling {
    let Some(shown) = &told.hand else {
        return Ok(());
    };
    let mut shown: Vec<Tile> = shown.iter().copied().collect();
    shown.sort_unstable();
    let before_draw = own.drawn.and_then(|drawn| own.hand.without(&[drawn]).ok());
    let held: Vec<Tile> = own.hand.tiles().collect();
    if shown == held || before_draw.is_some_and(|hand| hand.tiles().collect::<Vec<_>>() == shown) {
        return Ok(());
    }
    Err(Finding::value("hora_tehais", written(shown), written(held)))
}

/// The original server counts 100 for a yakuman.
fn counts_otherwise(score: &Score, told: &RecordedFacts) -> bool {
    let is_yakuman = matches!(score.limit, Some(Limit::Yakuman(_)));
    is_yakuman
        && told
            .han
            .is_some_and(|(field, han)| field == "fan" && han >= 13)
}

/// Everything that is told of the value is true.
fn expect_told(score: &Score, told: &RecordedFacts) -> Ruling {
    let counted_otherwise = counts_otherwise(score, told);
    if let Some((field, han)) = told
        .han
        .filter(|&(_, han)| han != i64::from(score.han) && !counted_otherwise)
    {
        return Err(Finding::because(
            field,
            han,
            format!("should be {}: {}", score.han, worth(score)),
        ));
    }
    if let Some(fu) = told
        .fu
        .filter(|&fu| fu != i64::from(score.fu) && !counted_otherwise)
    {
        return Err(Finding::because(
            "fu",
            fu,
            format!("should be {}: {}", score.fu, worth(score)),
        ));
    }
    if let Some(points) = told
        .points
        .filter(|&points| points != i64::from(score.points()))
    {
        return Err(Finding::because(
            "hora_points",
            points,
            format!("should be {}: {}", score.points(), worth(score)),
        ));
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
        score
            .parts()
            .map(|(name, han)| Some((spelling(name)?.to_owned(), i64::from(han))))
            .collect::<Option<Vec<_>>>()
    };
    let ours = sorted(spelled(Some).unwrap_or_default());
    let is_known =
        |(name, _): &(String, i64)| yaku_named(name).is_some() || DORA.contains(&&**name);
    let right = if found.iter().all(is_known) {
        found == ours
    } else {
        total(&found) == total(&ours)
    };
    if right {
        Ok(())
    } else {
        Err(Finding::value(told.field, shown(&found), shown(&ours)))
    }
}

/// The recorded yaku of a hidden hand must add up to its payment, and include those that all seats
/// can see.
fn expect_yaku_of_hidden(
    told: &ToldYaku,
    scores: &[Score],
    certain: YakuSet,
    preset: Preset,
) -> Ruling {
    let wrong = |why: String| Err(Finding::because(told.field, shown(&told.parts), why));
    let sum = total(&told.parts);
    let names = || told.parts.iter().map(|(name, _)| &**name);
    let are_known = names().all(|name| yaku_named(name).is_some() || DORA.contains(&name));
    let found = names()
        .filter_map(yaku_named)
        .fold(YakuSet::EMPTY, |all, yaku| all.union(YakuSet::of(yaku)));
    let is_yakuman = !found.yakuman().is_empty();
    let fits = |score: &&Score| {
        let limit_fits = matches!(score.limit, Some(Limit::Yakuman(_))) == is_yakuman;
        i64::from(score.han) == sum && (limit_fits || !are_known)
    };
    let Some(score) = scores.iter().find(fits) else {
        return wrong(format!("no hand that is paid so has {sum} han of them"));
    };
    if !are_known {
        return Ok(());
    }
    if is_yakuman && names().any(|name| DORA.contains(&name)) {
        return wrong("dora do not count with a yakuman".to_owned());
    }
    let certain = if is_yakuman {
        certain.yakuman()
    } else {
        certain
    };
    for yaku in CIRCUMSTANCES {
        match (found.contains(yaku), certain.contains(yaku)) {
            (true, false) => return wrong(format!("the win is without {yaku}")),
            (false, true) => return wrong(format!("the win has {yaku}")),
            _ => {}
        }
    }
    let has_riichi = certain.contains(Yaku::Riichi) || certain.contains(Yaku::DoubleRiichi);
    if !has_riichi && names().any(|name| name == URA_DORA) {
        return wrong("the winner is not in riichi".to_owned());
    }
    let han = |yaku: Yaku| match preset.yakuman_units(yaku) {
        0 => yaku.han(score.closed),
        units => YAKUMAN * units,
    };
    let is_right = |(name, told): &&(String, i64)| {
        yaku_named(name).is_none_or(|yaku| i64::from(han(yaku)) == *told)
    };
    match told.parts.iter().find(|part| !is_right(part)) {
        Some((name, _)) => wrong(format!(
            "{name} is worth {}",
            yaku_named(name).map_or(0, han)
        )),
        None => Ok(()),
    }
}

fn yaku_named(name: &str) -> Option<Yaku> {
    Yaku::all().find(|yaku| yaku.name() == name)
}

fn shown(parts: &[(String, i64)]) -> String {
    parts
        .iter()
        .map(|(name, han)| format!("{name} {han}"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn total(parts: &[(String, i64)]) -> i64 {
    parts
        .iter()
        .fold(0, |sum, (_, han)| sum.saturating_add(*han))
}

/// The yaku that do not depend on the tiles.
const CIRCUMSTANCES: [Yaku; 10] = [
    Yaku::Riichi,
    Yaku::DoubleRiichi,
    Yaku::Ippatsu,
    Yaku::MenzenTsumo,
    Yaku::Haitei,
    Yaku::Houtei,
    Yaku::Rinshan,
    Yaku::Chankan,
    Yaku::Tenhou,
    Yaku::Chiihou,
];

const URA_DORA: &str = "ura dora";

/// The names of dora in [`Score::parts`].
const DORA: [&str; 4] = ["dora", "red fives", URA_DORA, "north"];

/// The value of a win in words.
fn worth(score: &Score) -> String {
    let parts: Vec<String> = score
        .parts()
        .map(|(name, han)| format!("{name} {han}"))
        .collect();
    format!("{} han, {} fu ({})", score.han, score.fu, parts.join(", "))
}

fn names(tiles: &[Tile]) -> String {
    let all: Vec<&str> = tiles.iter().map(|tile| tile.name()).collect();
    format!("[{}]", all.join(","))
}
