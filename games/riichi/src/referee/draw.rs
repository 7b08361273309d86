//! A round that is drawn.

use arrayvec::ArrayVec;
use game_core::{Finding, PerSeat, Seat};

use super::{PossibleRoundEnd, RecordedFacts, Referee, Ruling, list, not_now};
use crate::action::Action;
use crate::event::{DrawReason, Event, Points};
use crate::game::RoundVerdict;
use crate::rules::RIICHI_STICK;
use crate::table::{Phase, TableRef};

/// How a known error of arenas is called.
pub(super) const TWICE: &str = "the arena took the riichi sticks of the round off once more";

/// A draw in words.
pub(super) const fn words(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Exhaustive => "an empty wall",
        DrawReason::NagashiMangan => "an empty wall, with nagashi mangan",
        DrawReason::NineTerminals => "nine terminals and honours",
        DrawReason::FourWinds => "four equal winds",
        DrawReason::FourKans => "four kans",
        DrawReason::FourRiichi => "four riichi",
        DrawReason::ThreeWinners => "three winners",
        DrawReason::IllegalAction(_) => "an illegal action",
    }
}

/// The payments that fit a draw, with whether the dealer is tenpai in each.
type Payments = Vec<(Points, bool)>;

impl Referee {
    pub(super) fn ryukyoku(
        &mut self,
        event: &Event,
        told: &RecordedFacts,
        deltas: Option<Points>,
        scores: Option<Points>,
        reason: Option<DrawReason>,
    ) -> Ruling {
        self.expect_round(event)?;
        if let Phase::Discarded { by, .. } = self.public.phase
            && !matches!(
                reason,
                Some(DrawReason::ThreeWinners | DrawReason::IllegalAction(_))
            )
            && (reason.is_some() || self.due_draw().is_some())
        {
            self.expect_paid(event, by)?;
        }
        let found = match reason {
            Some(reason) => Some(self.expect_reason(event, reason)?),
            None => self.deduced(event, told, deltas)?,
        };
        let Some(reason) = found else {
            // A fault of some seat, which the arena names in its own words.
            let won = [true, false].map(|by_dealer| RoundVerdict::Won { by_dealer });
            let drawn = [true, false].map(|dealer_tenpai| RoundVerdict::Drawn { dealer_tenpai });
            let verdicts = [RoundVerdict::Aborted]
                .into_iter()
                .chain(drawn)
                .chain(won)
                .collect();
            self.end = Some(PossibleRoundEnd {
                verdicts,
                ..PossibleRoundEnd::default()
            });
            return self.apply(event);
        };
        let mut fitting = self.payments(told, reason)?;
        let mut mistaken = None;
        let deposits = self.deposits();
        let total = |deltas: Points| {
            let mut scores = self.public.scores;
            scores
                .iter_mut()
                .for_each(|(seat, points)| *points = points.saturating_add(deltas[seat]));
            scores
        };
        if let Some(given) = deltas {
            let with_deposits = |right: &Points| {
                PerSeat::from_fn(right.players(), |seat| right[seat] + deposits[seat]) == given
            };
            if fitting.iter().any(|(right, _)| *right == given) {
                fitting.retain(|(right, _)| *right == given);
            } else if fitting.iter().any(|(right, _)| with_deposits(right)) {
                fitting.retain(|(right, _)| with_deposits(right));
                mistaken = Some(total(given));
                self.known_errors
                    .push(Finding::value("deltas", list(&given), list(&fitting[0].0)).known(TWICE));
            } else {
                let why = match fitting[..] {
                    [(right, _)] => {
                        format!(
                            "should be {}: the round is drawn because of {}",
                            list(&right),
                            words(reason)
                        )
                    }
                    _ => "no hands of the hidden seats are paid so".to_owned(),
                };
                return Err(Finding::because("deltas", list(&given), why));
            }
        }
        let (first, _) = fitting[0];
        let right = fitting
            .iter()
            .all(|(right, _)| *right == first)
            .then_some(first);
        if let (Some(told), Some(right)) = (scores.filter(|_| self.public.scores_known()), right)
            && total(right) != told
            && mistaken != Some(told)
        {
            return Err(Finding::value("scores", list(&told), list(&total(right))));
        }
        let is_exhausted = matches!(reason, DrawReason::Exhaustive | DrawReason::NagashiMangan);
        let mut verdicts: ArrayVec<RoundVerdict, 5> = ArrayVec::new();
        for (_, dealer_tenpai) in fitting {
            let verdict = if is_exhausted {
                RoundVerdict::Drawn { dealer_tenpai }
            } else {
                RoundVerdict::Aborted
            };
            if !verdicts.contains(&verdict) {
                verdicts.push(verdict);
            }
        }
        self.end = Some(PossibleRoundEnd {
            verdicts,
            nagashi: reason == DrawReason::NagashiMangan,
            mistaken,
        });
        let scores = scores.filter(|_| mistaken.is_none());
        self.apply(&Event::Ryukyoku {
            deltas: right.or(deltas),
            scores,
            reason: Some(reason),
        })
    }

    /// The sticks that were paid in the round, as points.
    fn deposits(&self) -> Points {
        let paid = |seat: Seat| {
            self.public.players[seat]
                .riichi
                .is_some_and(|riichi| riichi.accepted)
        };
        PerSeat::from_fn(self.rules().players, |seat| {
            if paid(seat) { -RIICHI_STICK } else { 0 }
        })
    }

    /// The draw that is due at this moment.
    fn due_draw(&self) -> Option<DrawReason> {
        match self.public.phase {
            Phase::Turn(seat) => self
                .has_nine_terminals(seat)
                .then_some(DrawReason::NineTerminals),
            Phase::Discarded { .. } | Phase::Accepted { .. } => {
                let exhausted =
                    (self.public.tiles_left == 0).then(|| self.public.exhausted(|_| false).0);
                self.public.abortive_draw().or(exhausted)
            }
            _ => None,
        }
    }

    fn has_nine_terminals(&self, seat: Seat) -> bool {
        match self.view(seat) {
            Some(view) => view.legal_actions().contains(&Action::Ryukyoku),
            None => self.public.is_first_turn(seat),
        }
    }

    /// Three seats may win on the tile that is offered.
    fn has_three_winners(&self) -> bool {
        // Some arenas accept a riichi whose discard three seats win on.
        let before = match (self.public.phase, &self.before_riichi) {
            (Phase::Accepted { .. }, Some(before)) => before,
            _ => &self.public,
        };
        let (Phase::Discarded { by, .. } | Phase::Kan { by, .. } | Phase::Kita { by }) =
            before.phase
        else {
            return false;
        };
        let may_win = |seat: &Seat| {
            let wins = |action: &Action| matches!(action, Action::Hora { .. });
            let own = self.hands.0[*seat].as_ref();
            own.is_none_or(|own| {
                TableRef::new(before, *seat, own)
                    .legal_actions()
                    .iter()
                    .any(wins)
            })
        };
        let others = Seat::all(self.rules().players).filter(|&seat| seat != by);
        self.rules()
            .is_drawn_by_winners(others.filter(may_win).count())
    }

    /// The told reason is one of this moment.
    fn expect_reason(&self, event: &Event, reason: DrawReason) -> Result<DrawReason, Finding> {
        let players = usize::from(self.rules().players);
        let is_due = match reason {
            DrawReason::IllegalAction(seat) => seat.index() < players,
            DrawReason::ThreeWinners => self.has_three_winners(),
            _ => self.due_draw() == Some(reason),
        };
        if is_due {
            Ok(reason)
        } else {
            Err(self.no_draw(event, Some(reason)))
        }
    }

    /// Why the round is not drawn now, or not for this reason.
    fn no_draw(&self, event: &Event, reason: Option<DrawReason>) -> Finding {
        let left = self.public.tiles_left;
        match (reason, self.due_draw()) {
            (Some(reason), Some(due)) => Finding::because(
                "reason",
                words(reason),
                format!("the round is drawn because of {}", words(due)),
            ),
            (Some(DrawReason::NineTerminals), None) => not_now(
                event,
                "no seat may show nine kinds of terminals and honours in its first turn",
            ),
            (Some(DrawReason::ThreeWinners), None) => {
                not_now(event, "three seats cannot win on one tile here")
            }
            (Some(DrawReason::Exhaustive | DrawReason::NagashiMangan) | None, _) => {
                not_now(event, format!("{left} tiles are left to draw"))
            }
            (Some(reason), None) => not_now(event, format!("there are no {}", words(reason))),
        }
    }

    /// The reason of a draw that a record does not name, or in unknown words; `None` for an arena's
    /// fault.
    fn deduced(
        &self,
        event: &Event,
        told: &RecordedFacts,
        deltas: Option<Points>,
    ) -> Result<Option<DrawReason>, Finding> {
        if let Some(due) = self.due_draw() {
            return Ok(Some(due));
        }
        if self.has_three_winners() {
            return Ok(Some(DrawReason::ThreeWinners));
        }
        let offender =
            Seat::all(self.rules().players).find(|&seat| deltas == Some(self.public.penalty(seat)));
        if let Some(seat) = offender {
            return Ok(Some(DrawReason::IllegalAction(seat)));
        }
        match &told.reason {
            Some(words) if words.to_ascii_lowercase().starts_with("error") => Ok(None),
            _ => Err(self.no_draw(event, None)),
        }
    }

    /// What may be paid: one payment if all hands are known.
    fn payments(&self, told: &RecordedFacts, reason: DrawReason) -> Result<Payments, Finding> {
        let players = self.rules().players;
        let nothing = Points::from_fn(players, |_| 0);
        match reason {
            DrawReason::Exhaustive | DrawReason::NagashiMangan => {}
            DrawReason::IllegalAction(seat) => return Ok(vec![(self.public.penalty(seat), false)]),
            _ => return Ok(vec![(nothing, false)]),
        }
        let known = |seat: Seat| match &self.hands.0[seat] {
            Some(own) => Some(!own.waits.is_empty()),
            None => self.public.players[seat].riichi.map(|_| true),
        };
        if let Some(told) = told.tenpai {
            if told.players() != players {
                return Err(Finding::because(
                    "tenpais",
                    truths(&told),
                    format!("the game has {players} players"),
                ));
            }
            let right = PerSeat::from_fn(players, |seat| known(seat).unwrap_or(told[seat]));
            if right != told {
                return Err(Finding::value("tenpais", truths(&told), truths(&right)));
            }
        }
        let mut payments = Payments::new();
        for hidden in 0..1_u8 << players {
            let tenpai = |seat: Seat| hidden >> seat.index() & 1 == 1;
            let fits = |seat: Seat| match (known(seat), told.tenpai) {
                (Some(known), _) => tenpai(seat) == known,
                (None, Some(told)) => tenpai(seat) == told[seat],
                (None, None) => true,
            };
            if Seat::all(players).all(fits) {
                payments.push((self.public.exhausted(tenpai).1, tenpai(self.public.oya)));
            }
        }
        Ok(payments)
    }
}

fn truths(seats: &PerSeat<bool>) -> String {
    let all: Vec<String> = seats.as_slice().iter().map(ToString::to_string).collect();
    format!("[{}]", all.join(","))
}
