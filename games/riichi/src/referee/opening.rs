//! The start of a round.

use game_core::{Finding, Seat};
use tiles::Wind;

use super::seen::UnseenTiles;
use super::{Referee, RefereeStage, Ruling, list, not_now};
use crate::event::{Event, Points, StartKyoku};
use crate::game::{RoundId, RoundVerdict};
use crate::table::Phase;

/// How a known error of RiichiLab is called.
const PASSED_ON: &str =
    "after nagashi mangan the arena passed the deal on from a dealer who was tenpai";

impl Referee {
    pub(super) fn start_kyoku(&mut self, event: &Event, start: &StartKyoku) -> Ruling {
        let players = self.rules().players;
        if start.tehais.players() != players {
            let found = format!("hands of {}", start.tehais.players());
            return Err(Finding::because(
                "tehais",
                found,
                format!("the game has {players} players"),
            ));
        }
        match self.public.phase {
            Phase::Between => {}
            Phase::Won { .. } | Phase::Drawn if !self.house.has_round_ends => {}
            Phase::Won { .. } | Phase::Drawn => {
                return Err(not_now(event, "`end_kyoku` comes first"));
            }
            _ => return Err(not_now(event, "the last round has not ended")),
        }
        match self.stage {
            RefereeStage::Before | RefereeStage::Begun => self.first_round(start)?,
            RefereeStage::Rounds | RefereeStage::Over => self.next_round(event, start)?,
        }
        self.unseen = UnseenTiles::all(self.rules());
        let shown = self.unseen.take(start.dora_marker);
        shown.map_err(|why| Finding::because("dora_marker", start.dora_marker, why))?;
        for (seat, hand) in start.tehais.iter() {
            for (place, &tile) in hand.iter().flatten().enumerate() {
                let shown = self.unseen.take(tile);
                shown.map_err(|why| {
                    Finding::because(format!("tehais[{seat}][{place}]"), tile, why)
                })?;
            }
        }
        (self.stage, self.won, self.end, self.turned_in_turn) =
            (RefereeStage::Rounds, None, None, false);
        self.apply(event)
    }

    fn first_round(&mut self, start: &StartKyoku) -> Ruling {
        let equal = start.scores.filter(|scores| {
            scores
                .as_slice()
                .iter()
                .all(|points| *points == scores[Seat::FIRST])
        });
        let begins = start.bakaze == Wind::East
            && start.kyoku == 1
            && start.honba == 0
            && start.kyotaku == 0;
        if let (true, Some(scores), None) = (begins, start.scores, equal) {
            return Err(Finding::because(
                "scores",
                list(&scores),
                "all seats begin a game with the same points",
            ));
        }
        if usize::from(start.kyoku) != start.oya.index() + 1 {
            return Err(Finding::value("oya", start.oya, i16::from(start.kyoku) - 1));
        }
        let each = equal.filter(|_| begins).map(|scores| scores[Seat::FIRST]);
        self.spans = self.house.spans(each);
        Ok(())
    }

    /// It is the round that follows on the last.
    fn next_round(&mut self, event: &Event, start: &StartKyoku) -> Ruling {
        let Some(end) = self.end.clone() else {
            return Ok(());
        };
        let found = RoundId {
            bakaze: start.bakaze,
            oya: start.oya,
            honba: start.honba,
        };
        // Without deltas the next round shows the scores.
        let known = self.public.scores_known();
        // Scores that are not known end no game: the round is there.
        let unknown = Points::from_fn(self.rules().players, |_| 0);
        let scores = if known {
            self.public.scores
        } else {
            start.scores.unwrap_or(unknown)
        };
        let (round, house) = (self.round(), self.house);
        let next = |verdict: RoundVerdict, span: super::Span| {
            round.next(verdict, &span.rules(&house), &scores)
        };
        let fits = |span: &super::Span| {
            end.verdicts
                .iter()
                .any(|&verdict| next(verdict, *span) == Some(found))
        };
        let passed = RoundVerdict::Drawn {
            dealer_tenpai: false,
        };
        let expected = end.verdicts.iter().flat_map(|&verdict| {
            self.spans
                .iter()
                .filter_map(move |&span| next(verdict, span))
        });
        let expected: Vec<RoundId> = expected.collect();
        if self.spans.iter().any(fits) {
            self.spans.retain(|span| fits(span));
        } else if end.nagashi
            && self
                .spans
                .iter()
                .any(|&span| next(passed, span) == Some(found))
        {
            self.spans.retain(|span| next(passed, *span) == Some(found));
            let [right, ..] = expected[..] else {
                return Err(over(event));
            };
            self.known_errors.push(
                difference(start, right)
                    .unwrap_or_else(|| over(event))
                    .known(PASSED_ON),
            );
        } else {
            let [right, ..] = expected[..] else {
                return Err(over(event));
            };
            return Err(difference(start, right).unwrap_or_else(|| over(event)));
        }
        if usize::from(start.kyoku) != start.oya.index() + 1 {
            return Err(Finding::value("kyoku", start.kyoku, start.oya.index() + 1));
        }
        if start.kyotaku != self.public.kyotaku {
            return Err(Finding::value(
                "kyotaku",
                start.kyotaku,
                self.public.kyotaku,
            ));
        }
        match start.scores {
            Some(given) if known && end.mistaken == Some(given) => {
                self.known_errors.push(
                    Finding::value("scores", list(&given), list(&scores)).known(super::draw::TWICE),
                );
                self.public.scores = given;
                Ok(())
            }
            Some(given) if known && given != scores => {
                Err(Finding::value("scores", list(&given), list(&scores)))
            }
            _ => Ok(()),
        }
    }
}

fn over(event: &Event) -> Finding {
    not_now(event, "the game is over: `end_game` comes next")
}

/// The first field in which a round is not the right one.
fn difference(start: &StartKyoku, right: RoundId) -> Option<Finding> {
    let wind = |wind: Wind| wind.kind().tile();
    let kyoku = right.oya.index() + 1;
    if start.bakaze != right.bakaze {
        return Some(Finding::value(
            "bakaze",
            wind(start.bakaze),
            wind(right.bakaze),
        ));
    }
    if usize::from(start.kyoku) != kyoku {
        return Some(Finding::value("kyoku", start.kyoku, kyoku));
    }
    if start.oya != right.oya {
        return Some(Finding::value("oya", start.oya, right.oya));
    }
    (start.honba != right.honba).then(|| Finding::value("honba", start.honba, right.honba))
}
