//! The matches of a bot, as published for readers while it plays.

use std::sync::Arc;

use policy_host::GameKind;

use super::shown_match::{LiveRound, ShownMatch};
use crate::records::Recorder;
use crate::seat_news::SeatNews;

/// Maximum number of lines kept of a match, or of a round of riichi; real ones have fewer.
const MAX_LINES: usize = 2_000;

/// Publishes one match of a bot: of several in progress, the one that began first.
#[derive(Debug, Default)]
pub struct MatchPublisher {
    /// `None` without a page.
    place: Option<LiveRound>,
    /// The matches in progress, in the order in which they began, and whether they have ended.
    on: Vec<(ShownMatch, bool)>,
    /// The number of the published match, and of its round: another one may be left over from
    /// earlier.
    shown: Option<(u64, u32)>,
    /// Whether the published match lacks something.
    is_newer: bool,
}

impl MatchPublisher {
    pub const fn new(place: Option<LiveRound>) -> Self {
        Self {
            place,
            on: Vec::new(),
            shown: None,
            is_newer: false,
        }
    }

    /// Whether there is a page.
    pub const fn is_on(&self) -> bool {
        self.place.is_some()
    }

    /// Stores news of a match; its first line begins it.
    pub fn tell(&mut self, number: u64, game: GameKind, news: &SeatNews) {
        if !self.is_on() {
            return;
        }
        match news {
            SeatNews::Began { .. } | SeatNews::Recorded(_) => return,
            SeatNews::Line(line) | SeatNews::Masked { shown: line, .. } => {
                let lines = &mut self.begun(number, game).lines;
                if lines.len() < MAX_LINES {
                    lines.push(Arc::clone(line));
                }
            }
            SeatNews::Round(line) => {
                let shown = self.begun(number, game);
                shown.restart([line]);
                shown.decision = None;
            }
            SeatNews::Snapshot(lines) => self.begun(number, game).restart(lines),
            SeatNews::Decided(note) => {
                let mut on = self.on.iter_mut();
                let Some((shown, _)) = on.find(|(shown, _)| shown.number == number) else {
                    return;
                };
                shown.decision = Some(Arc::clone(note));
            }
        }
        self.is_newer = true;
    }

    /// A match that has begun, or begins.
    fn begun(&mut self, number: u64, game: GameKind) -> &mut ShownMatch {
        let at = self
            .on
            .iter()
            .position(|(shown, _)| shown.number == number)
            .unwrap_or_else(|| {
                self.on.push((ShownMatch::new(number, game), false));
                self.on.len() - 1
            });
        &mut self.on[at].0
    }

    /// Marks a match as ended: it stays visible until another one is in progress.
    pub fn ended(&mut self, number: u64) {
        if let Some((_, over)) = self.on.iter_mut().find(|(shown, _)| shown.number == number) {
            *over = true;
            self.is_newer = true;
        }
    }

    /// Publishes the stored data, unless a reader holds it at the moment; never waits.
    pub fn show(&mut self) {
        let Some((place, (first, _))) = self.place.as_ref().zip(self.on.first()) else {
            return;
        };
        if !self.is_newer {
            return;
        }
        let round = (first.number, first.round);
        let goes_on = self.shown == Some(round);
        let shown = place.offer(|place| match place {
            Some(shown) if goes_on => shown.catch_up(first),
            place => *place = Some(first.clone()),
        });
        if shown {
            self.shown = Some(round);
            // Of the ended matches, only the first was shown to its end.
            self.on.retain(|(_, over)| !over);
            let next = self.on.first().map(|(next, _)| (next.number, next.round));
            self.is_newer = next.is_some_and(|next| next != round);
        }
    }
}

/// Tells the record of a match and the page of its bot a piece of news.
pub(super) fn tell(
    recorder: &mut Recorder,
    publisher: &mut MatchPublisher,
    (number, game): (u64, GameKind),
    news: SeatNews,
) {
    publisher.tell(number, game, &news);
    recorder.tell(news);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(place: &LiveRound) -> ShownMatch {
        place.shown().expect("a match")
    }

    fn told(publisher: &mut MatchPublisher, number: u64, line: &str) {
        publisher.tell(number, GameKind::DouDizhu, &SeatNews::Line(line.into()));
        publisher.show();
    }

    #[test]
    fn of_several_matches_the_first_is_shown_to_its_end_and_then_the_next_whole() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        told(&mut publisher, 0, "deal");
        told(&mut publisher, 1, "deal of another");
        told(&mut publisher, 0, "play");
        assert_eq!(
            (shown(&place).number, shown(&place).lines),
            (0, vec!["deal".into(), "play".into()])
        );
        publisher.tell(0, GameKind::DouDizhu, &SeatNews::Line("end".into()));
        publisher.ended(0);
        publisher.show();
        assert_eq!(
            shown(&place).lines.last().map(|line| &**line),
            Some("end"),
            "it stays"
        );
        told(&mut publisher, 1, "play of another");
        assert_eq!((shown(&place).number, shown(&place).lines.len()), (1, 2));
    }

    #[test]
    fn a_bot_that_starts_again_shows_only_its_new_match() {
        let place = LiveRound::default();
        told(
            &mut MatchPublisher::new(Some(place.clone())),
            0,
            "deal of before",
        );
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        told(&mut publisher, 0, "deal");
        assert_eq!(shown(&place).lines, ["deal".into()]);
    }

    #[test]
    fn a_match_does_not_wait_for_a_reader_and_shows_missed_updates_later() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        place.while_read(|| told(&mut publisher, 0, "deal"));
        assert!(place.shown().is_none());
        told(&mut publisher, 0, "play");
        assert_eq!(shown(&place).lines.len(), 2);
    }

    #[test]
    fn nothing_is_kept_when_no_page_can_show_it() {
        let mut publisher = MatchPublisher::new(None);
        told(&mut publisher, 0, "deal");
        assert!(publisher.on.is_empty());
    }

    #[test]
    fn a_match_without_end_is_kept_up_to_a_limit() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        (0..MAX_LINES + 10).for_each(|_| told(&mut publisher, 0, "play"));
        assert_eq!(shown(&place).lines.len(), MAX_LINES);
    }

    #[test]
    fn a_round_takes_the_place_of_the_one_before_with_its_decision() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        for round in ["East 1", "East 2"] {
            publisher.tell(0, GameKind::Riichi, &SeatNews::Round(round.into()));
            told(&mut publisher, 0, "deal");
            told(&mut publisher, 0, "draw");
        }
        let lines = ["East 2", "deal", "draw"].map(Arc::from);
        assert_eq!(shown(&place).lines, lines);
        let snapshot = ["East 2", "snapshot"].map(Arc::from);
        publisher.tell(0, GameKind::Riichi, &SeatNews::Snapshot(snapshot.clone()));
        publisher.show();
        assert_eq!(shown(&place).lines, snapshot);
    }

    #[test]
    fn a_page_has_no_line_that_only_records_have() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        publisher.tell(0, GameKind::Riichi, &SeatNews::Recorded("start".into()));
        publisher.show();
        assert!(place.shown().is_none());
        let (recorded, hidden) = ("draw 5m".into(), "draw ?".into());
        publisher.tell(
            0,
            GameKind::Riichi,
            &SeatNews::Masked {
                recorded,
                shown: hidden,
            },
        );
        publisher.show();
        assert_eq!(shown(&place).lines, ["draw ?".into()]);
    }
}
