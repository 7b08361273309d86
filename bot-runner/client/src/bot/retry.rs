//! The faults since the last finished game: they determine the delay, and when to stop.

use std::time::{Duration, Instant};

use super::backoff::{Backoff, Patience};
use super::event::LifeEnd;
use super::fault::{ConnectionFault, FaultLimit, RetryRule};

/// A bot's faults since its last finished game.
#[derive(Debug)]
pub(super) struct Retries {
    patience: Patience,
    backoff: Backoff,
    counts: Vec<(&'static FaultLimit, u32)>,
    /// The time when a game was lost, or since when the arena has reported one in progress.
    game_goes_on_since: Option<Instant>,
    /// The time since which no connection has led to a place in the queue, and the number of
    /// attempts.
    failing_since: Option<Instant>,
    attempts: u32,
}

impl Retries {
    pub(super) fn new(patience: Patience) -> Self {
        Self {
            patience,
            backoff: Backoff::default(),
            counts: Vec::new(),
            game_goes_on_since: None,
            failing_since: None,
            attempts: 0,
        }
    }

    /// Resets the faults after a finished game.
    pub(super) fn played(&mut self) {
        *self = Self::new(self.patience);
    }

    /// The bot was in the queue for this long. If that was long enough, it was admitted normally,
    /// and none of its games is still in progress.
    pub(super) fn queued_for(&mut self, time: Duration) {
        if time < self.patience.let_in {
            return;
        }
        self.backoff.reset();
        self.game_goes_on_since = None;
        self.failing_since = None;
        self.attempts = 0;
    }

    /// The delay after a fault and its reason, or how the fault ends the bot. `jitter` is a random
    /// number from 0 to 1.
    pub(super) fn after(&mut self, fault: &ConnectionFault, jitter: f64) -> Result<Wait, LifeEnd> {
        let lost_game_may_go_on = self.game_may_go_on();
        if let RetryRule::Times(_) = fault.rule {
            // A different game from the lost one.
            self.game_goes_on_since = None;
        }
        if fault.game_may_go_on {
            self.game_goes_on_since = self.game_goes_on_since.or_else(|| Some(Instant::now()));
        }
        match fault.rule {
            // While the bot's last game may still be in progress, it may be the cause of a refusal.
            RetryRule::Stop if !lost_game_may_go_on => {
                return Err(LifeEnd::Refused(fault.words.clone()));
            }
            RetryRule::Times(limit) => {
                let count = self.count(limit);
                if count >= limit.most {
                    let FaultLimit { what, advice, .. } = limit;
                    return Err(LifeEnd::GaveUp(format!(
                        "{what} {count} times, and no game was played to its end in between; the last time: {}; {advice}",
                        fault.words
                    )));
                }
            }
            RetryRule::Stop | RetryRule::Forever => {}
        }
        self.attempts += 1;
        self.failing_since.get_or_insert_with(Instant::now);
        let Patience {
            first_wait,
            longest_wait,
            ..
        } = self.patience;
        let wait = self
            .backoff
            .next(first_wait, longest_wait, jitter)
            .max(fault.asked_wait(jitter));
        Ok(Wait {
            reason: self.reason(fault),
            wait,
        })
    }

    fn count(&mut self, limit: &'static FaultLimit) -> u32 {
        if let Some((_, count)) = self
            .counts
            .iter_mut()
            .find(|(known, _)| std::ptr::eq(*known, limit))
        {
            *count += 1;
            return *count;
        }
        self.counts.push((limit, 1));
        1
    }

    /// The reason for the delay, with the number of failed attempts. If the arena reports for
    /// longer than any game takes that the bot is connected, there is another reason.
    fn reason(&self, fault: &ConnectionFault) -> String {
        let is_overdue = self
            .game_goes_on_since
            .is_some_and(|since| since.elapsed() >= self.patience.lost_game);
        let mut reason = fault.words.clone();
        if fault.game_may_go_on && is_overdue {
            reason.push_str("; no game lasts that long: is the token in use somewhere else?");
        }
        if self.attempts > 1 {
            reason.push_str(&format!("; {} attempts failed", self.attempts));
            let minutes = self
                .failing_since
                .map_or(0, |since| since.elapsed().as_secs() / 60);
            if minutes > 0 {
                reason.push_str(&format!(" in {minutes} min"));
            }
        }
        reason
    }

    /// Whether the last game may still be in progress at the arena.
    fn game_may_go_on(&self) -> bool {
        self.game_goes_on_since
            .is_some_and(|since| since.elapsed() < self.patience.lost_game)
    }
}

/// A wait before the next attempt.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) reason: String,
    pub(super) wait: Duration,
}

#[cfg(test)]
mod tests {
    use foreign_text::ForeignText;
    use hyper::StatusCode;

    use super::*;
    use crate::bot::arena::RefusalMeaning;
    use crate::bot::fault::{LOST_IN_FIRST_ROUND, LOST_LATER, SPOILED_FOR_OTHERS};
    use crate::transport::botzone::SiteFault;

    fn new() -> Retries {
        Retries::new(Patience::default())
    }

    fn passing() -> ConnectionFault {
        ConnectionFault::passing("it says so")
    }

    fn refused() -> ConnectionFault {
        ConnectionFault::refused(RefusalMeaning::NotAccepted, "Invalid token".to_owned())
    }

    fn lost(limit: &'static FaultLimit) -> ConnectionFault {
        ConnectionFault::game(limit, "it broke", true)
    }

    /// The number of such faults after which the bot ends, up to a thousand.
    fn ends_after(retries: &mut Retries, fault: &ConnectionFault) -> Option<(u32, LifeEnd)> {
        (1..=1000).find_map(|count| Some((count, retries.after(fault, 0.0).err()?)))
    }

    #[test]
    fn temporary_failures_are_retried_forever() {
        assert_eq!(ends_after(&mut new(), &passing()), None);
        let already = ConnectionFault::refused(
            RefusalMeaning::StillConnected,
            "already connected".to_owned(),
        );
        assert_eq!(ends_after(&mut new(), &already), None);
    }

    #[test]
    fn a_refusal_that_is_certain_ends_the_bot_at_once_in_the_arenas_words() {
        assert_eq!(
            ends_after(&mut new(), &refused()),
            Some((1, LifeEnd::Refused("Invalid token".to_owned())))
        );
    }

    #[test]
    fn lost_games_end_the_bot_the_fifth_or_tenth_time_and_games_spoiled_for_others_the_twentieth() {
        for (limit, times) in [
            (&LOST_IN_FIRST_ROUND, 5),
            (&LOST_LATER, 10),
            (&SPOILED_FOR_OTHERS, 20),
        ] {
            let ended = ends_after(&mut new(), &lost(limit));
            let Some((count, LifeEnd::GaveUp(why))) = ended else {
                panic!("{ended:?}")
            };
            assert_eq!(count, times);
            for words in [
                limit.what,
                &format!("{times} times"),
                "it broke",
                limit.advice,
            ] {
                assert!(why.contains(words), "{why}");
            }
        }
    }

    #[test]
    fn from_the_second_failure_on_their_number_is_told_until_the_bot_was_queued() {
        let mut retries = new();
        let reason =
            |retries: &mut Retries| retries.after(&passing(), 0.0).expect("it may pass").reason;
        let told = [(); 3].map(|()| reason(&mut retries));
        assert_eq!(
            told,
            [
                "it says so",
                "it says so; 2 attempts failed",
                "it says so; 3 attempts failed"
            ]
        );
        retries.queued_for(Duration::from_secs(60));
        assert_eq!(reason(&mut retries), "it says so");
    }

    #[test]
    fn an_arena_that_is_away_for_a_night_is_asked_every_five_minutes() {
        let mut retries = new();
        let waits: Vec<u64> = (0..600)
            .map(|_| {
                retries
                    .after(&passing(), 0.0)
                    .expect("it may come back")
                    .wait
                    .as_secs()
            })
            .collect();
        assert_eq!(waits[..8], [5, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(waits[599], 300);
    }

    #[test]
    fn lost_games_are_counted_through_other_faults_until_a_game_is_played() {
        let lost_four_times = || {
            let mut retries = new();
            for _ in 0..4 {
                retries
                    .after(&lost(&LOST_IN_FIRST_ROUND), 0.0)
                    .expect("it is not enough");
                retries.after(&passing(), 0.0).expect("it may pass");
                retries.queued_for(Duration::from_secs(600));
            }
            retries
        };
        let lost = lost(&LOST_IN_FIRST_ROUND);
        assert_eq!(
            ends_after(&mut lost_four_times(), &lost).map(|(count, _)| count),
            Some(1)
        );
        let mut retries = lost_four_times();
        retries.played();
        assert_eq!(
            ends_after(&mut retries, &lost).map(|(count, _)| count),
            Some(5)
        );
    }

    #[test]
    fn a_refusal_while_a_lost_game_may_continue_is_because_of_that_until_the_bot_was_queued() {
        let mut retries = new();
        retries
            .after(&lost(&LOST_LATER), 0.0)
            .expect("one lost game is not enough");
        assert_eq!(ends_after(&mut retries, &refused()), None);
        retries.queued_for(Duration::from_secs(60));
        assert_eq!(
            ends_after(&mut retries, &refused()).map(|(count, _)| count),
            Some(1)
        );
    }

    #[test]
    fn a_minute_in_the_queue_starts_the_waits_over_and_less_does_not() {
        let mut retries = new();
        let mut next = |queued: u64| {
            retries.queued_for(Duration::from_secs(queued));
            retries
                .after(&passing(), 0.0)
                .expect("it may pass")
                .wait
                .as_secs()
        };
        assert_eq!([next(0), next(59), next(60), next(0)], [5, 10, 5, 10]);
    }

    #[test]
    fn a_game_that_lasts_longer_than_any_game_asks_whether_the_token_is_in_use() {
        let mut retries = Retries::new(Patience {
            lost_game: Duration::ZERO,
            ..Patience::default()
        });
        let already = ConnectionFault::refused(
            RefusalMeaning::StillConnected,
            "already connected".to_owned(),
        );
        let wait = retries.after(&already, 0.0).expect("it may pass");
        assert_eq!(
            wait.reason,
            "the arena says \"already connected\"; no game lasts that long: is the token in use somewhere else?"
        );
    }

    #[test]
    fn a_delay_that_botzone_asks_for_counts_with_each_answer_that_may_pass() {
        let (words, wait) = (ForeignText::new("", None), Some(Duration::from_secs(900)));
        for fault in [
            SiteFault::TooOften {
                words: words.clone(),
                wait,
            },
            SiteFault::Closed {
                words: words.clone(),
                wait,
            },
            SiteFault::NoAnswer {
                status: StatusCode::BAD_GATEWAY,
                words,
                wait,
            },
        ] {
            assert_eq!(
                ConnectionFault::at_site(&fault).asked_wait(0.0),
                Duration::from_secs(900),
                "{fault}"
            );
        }
    }

    #[test]
    fn an_arena_that_asks_to_be_left_alone_is_left_alone_for_an_hour_and_a_fifth_at_most() {
        let waits = |jitter| {
            let mut retries = new();
            [0, 300, u64::MAX].map(|seconds| {
                let fault = ConnectionFault {
                    retry_after: Duration::from_secs(seconds),
                    ..passing()
                };
                retries
                    .after(&fault, jitter)
                    .expect("it may pass")
                    .wait
                    .as_secs()
            })
        };
        assert_eq!(waits(0.0), [5, 300, 3600]);
        assert_eq!(
            waits(1.0),
            [4, 360, 4320],
            "later than asked, so that not all come back in one moment"
        );
    }
}
