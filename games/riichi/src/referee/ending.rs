//! The end of a round and of a game.

use game_core::Finding;

use super::{PossibleRoundEnd, Referee, RefereeStage, Ruling, Span, list, not_now};
use crate::event::{Event, Points};
use crate::game::RoundVerdict;
use crate::table::Phase;

impl Referee {
    pub(super) fn end_kyoku(&mut self, event: &Event) -> Ruling {
        match self.public.phase {
            Phase::Won { .. } => {}
            Phase::Drawn => {}
            Phase::Between => return Err(not_now(event, "no round is being played")),
            _ if self.house.has_results => {
                return Err(not_now(event, "the round was neither won nor drawn"));
            }
            // The record does not say how rounds end.
            _ => {
                let drawn =
                    [true, false].map(|dealer_tenpai| RoundVerdict::Drawn { dealer_tenpai });
                let won = [true, false].map(|by_dealer| RoundVerdict::Won { by_dealer });
                let verdicts = won
                    .into_iter()
                    .chain(drawn)
                    .chain([RoundVerdict::Aborted])
                    .collect();
                self.end = Some(PossibleRoundEnd {
                    verdicts,
                    ..PossibleRoundEnd::default()
                });
                let kept = self.public.kyotaku;
                self.apply(event)?;
                self.public.kyotaku = kept;
                return Ok(());
            }
        }
        self.apply(event)
    }

    pub(super) fn end_game(&mut self, event: &Event, told: Option<Points>) -> Ruling {
        match self.public.phase {
            Phase::Between if self.stage == RefereeStage::Rounds => {}
            Phase::Between => return Err(not_now(event, "no round was played")),
            Phase::Won { .. } | Phase::Drawn if self.house.has_round_ends => {
                return Err(not_now(event, "`end_kyoku` comes first"));
            }
            Phase::Won { .. } | Phase::Drawn => {}
            _ => return Err(not_now(event, "the round has not ended")),
        }
        let Some(end) = self.end.clone() else {
            return self.apply(event);
        };
        let (round, house, known) = (self.round(), self.house, self.public.scores_known());
        if !known && told.is_none() {
            self.stage = RefereeStage::Over;
            return self.apply(event);
        }
        if let (Some(told), Some(mistaken)) = (told.filter(|_| known), end.mistaken)
            && !self.can_end_with(told, self.public.scores)
            && self.can_end_with(told, mistaken)
        {
            let right = self.final_by(self.spans[0], self.public.scores);
            self.known_errors.push(
                Finding::value("scores", list(&told), list(&right)).known(super::draw::TWICE),
            );
            self.public.scores = mistaken;
        }
        let scores = if known {
            self.public.scores
        } else {
            told.unwrap_or(self.public.scores)
        };
        let next = |span: Span| {
            let mut next = end
                .verdicts
                .iter()
                .map(move |&verdict| round.next(verdict, &span.rules(&house), &scores));
            if next.any(|next| next.is_none()) {
                None
            } else {
                round.next(end.verdicts[0], &span.rules(&house), &scores)
            }
        };
        let goes_on = self.spans.iter().find_map(|&span| next(span));
        self.spans.retain(|span| next(*span).is_none());
        let Some(&span) = self.spans.first() else {
            let words = goes_on.map_or_else(String::new, |next| {
                format!(
                    ": {} {} comes next",
                    next.bakaze.name(),
                    next.oya.index() + 1
                )
            });
            return Err(not_now(event, format!("the game is not over{words}")));
        };
        self.stage = RefereeStage::Over;
        let left = self.public.kyotaku;
        let mut right = None;
        for span in &self.spans {
            self.public.rules = span.rules(&house);
            let by_span = self.public.final_scores();
            if !known || told.is_none_or(|told| told == by_span) {
                return self.apply(event);
            }
            right.get_or_insert(by_span);
        }
        let (told, right) = (told.unwrap_or(scores), right.unwrap_or(scores));
        let wrong = Finding::value("scores", list(&told), list(&right));
        if left > 0 && told == scores {
            self.known_errors
                .push(wrong.known("the sticks left on the table belong to the first place"));
            self.public.rules = span.rules(&house);
            return self.apply(&Event::EndGame { scores: None });
        }
        Err(wrong)
    }

    /// Whether these last scores follow from those after the last round.
    fn can_end_with(&self, told: Points, scores: Points) -> bool {
        self.spans
            .iter()
            .any(|span| self.final_by(*span, scores) == told)
    }

    /// The scores of the end of a game that lasts so, if these are the scores after its last round.
    fn final_by(&self, span: Span, scores: Points) -> Points {
        let mut ended = self.public.clone();
        (ended.rules, ended.scores) = (span.rules(&self.house), scores);
        ended.final_scores()
    }
}
