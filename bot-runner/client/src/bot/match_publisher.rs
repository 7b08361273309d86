//! The matches of a bot, as published for readers while it plays.

use std::sync::Arc;

use policy_host::GameKind;

use super::shown_match::ShownMatch;
use super::shown_round::LiveRound;
use crate::decision_note::NotedDecision;

/// Maximum number of lines kept for a match; real matches have fewer.
const MAX_LINES: usize = 2_000;

/// Publishes one match of a bot: of several in progress, the one that began first.
#[derive(Debug, Default)]
pub struct MatchPublisher {
    /// `None` without a page.
    place: Option<LiveRound>,
    /// The matches in progress, in the order in which they began, and whether they have ended.
    on: Vec<(ShownMatch, bool)>,
    /// The number of the published match: another one may be left over from earlier.
    shown: Option<u64>,
}

impl MatchPublisher {
    pub const fn new(place: Option<LiveRound>) -> Self {
        Self {
            place,
            on: Vec::new(),
            shown: None,
        }
    }

    /// Whether there is a page.
    pub const fn is_on(&self) -> bool {
        self.place.is_some()
    }

    /// Stores lines of a match; the first one begins it.
    pub fn told(&mut self, number: u64, game: GameKind, lines: impl IntoIterator<Item = String>) {
        if !self.is_on() {
            return;
        }
        let at = self
            .on
            .iter()
            .position(|(shown, _)| shown.number == number)
            .unwrap_or_else(|| {
                self.on.push((
                    ShownMatch {
                        number,
                        game,
                        lines: Vec::new(),
                        decision: None,
                    },
                    false,
                ));
                self.on.len() - 1
            });
        let shown = &mut self.on[at].0;
        let room = MAX_LINES.saturating_sub(shown.lines.len());
        shown.lines.extend(lines.into_iter().take(room));
    }

    /// Stores a decision in a match that has begun.
    pub fn decided(&mut self, number: u64, note: Arc<dyn NotedDecision>) {
        if let Some((shown, _)) = self.on.iter_mut().find(|(shown, _)| shown.number == number) {
            shown.decision = Some(note);
        }
    }

    /// Marks a match as ended: it stays visible until another one is in progress.
    pub fn ended(&mut self, number: u64) {
        if let Some((_, over)) = self.on.iter_mut().find(|(shown, _)| shown.number == number) {
            *over = true;
        }
    }

    /// Publishes the stored data, unless a reader holds it at the moment; never waits.
    pub fn show(&mut self) {
        let Some((place, (first, _))) = self.place.as_ref().zip(self.on.first()) else {
            return;
        };
        let goes_on = self.shown == Some(first.number);
        let shown = place.offer(|round| match &mut round.other {
            Some(shown) if goes_on => shown.catch_up(first),
            other => *other = Some(first.clone()),
        });
        if shown {
            self.shown = Some(first.number);
            // Of the ended matches, only the first was shown to its end.
            self.on.retain(|(_, over)| !over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(place: &LiveRound) -> ShownMatch {
        place
            .newer_than(0)
            .and_then(|round| round.other)
            .expect("a match")
    }

    fn told(publisher: &mut MatchPublisher, number: u64, line: &str) {
        publisher.told(number, GameKind::DouDizhu, [line.to_owned()]);
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
            (0, vec!["deal".to_owned(), "play".to_owned()])
        );
        publisher.told(0, GameKind::DouDizhu, ["end".to_owned()]);
        publisher.ended(0);
        publisher.show();
        assert_eq!(
            shown(&place).lines.last().map(String::as_str),
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
        assert_eq!(shown(&place).lines, ["deal"]);
    }

    #[test]
    fn a_match_does_not_wait_for_a_reader_and_shows_missed_updates_later() {
        let place = LiveRound::default();
        let mut publisher = MatchPublisher::new(Some(place.clone()));
        place.while_read(|| told(&mut publisher, 0, "deal"));
        assert!(place.newer_than(0).is_none());
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
        (0..MAX_LINES + 10)
            .for_each(|_| publisher.told(0, GameKind::DouDizhu, ["play".to_owned()]));
        publisher.show();
        assert_eq!(shown(&place).lines.len(), MAX_LINES);
    }
}
