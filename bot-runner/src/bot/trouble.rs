//! What has gone wrong since the last game that was played to its end: how long to wait after it, and when to stop.

use std::time::{Duration, Instant};

use super::backoff::{Backoff, Patience};
use super::event::LifeEnd;
use super::fault::{Fault, FaultClass, Rule};

/// How often an arena must have said that a game goes on: who could not be asked has not said it all the time.
const TOLD_AT_LEAST: u32 = 10;

/// Longest that an arena may ask to be left alone.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// A bot's troubles.
#[derive(Debug)]
pub(super) struct Trouble {
    patience: Patience,
    backoff: Backoff,
    /// Faults of each class.
    counts: [u32; FaultClass::ALL.len()],
    /// When a game was lost from sight.
    lost: Option<Instant>,
    /// Since when the arena has said that a game goes on without us.
    told: Option<Instant>,
}

impl Trouble {
    /// Nothing has gone wrong yet.
    pub(super) fn new(patience: Patience) -> Self {
        Self { patience, backoff: Backoff::new(patience), counts: [0; FaultClass::ALL.len()], lost: None, told: None }
    }

    /// A game was played to its end.
    pub(super) fn played(&mut self) {
        *self = Self::new(self.patience);
    }

    /// The arena has let us in and had us wait for a game for so long. If it was for long, it was no trouble to get in,
    /// and no game of ours goes on.
    pub(super) fn queued_for(&mut self, time: Duration) {
        if time < self.patience.longest_wait {
            return;
        }
        self.backoff.reset();
        (self.lost, self.told) = (None, None);
        for class in FaultClass::ALL.into_iter().filter(|class| class.is_at_the_door()) {
            self.counts[class as usize] = 0;
        }
    }

    /// How long to wait after a fault, or how the bot ends with it. `jitter` is a random number from 0 to 1.
    pub(super) fn meet(&mut self, fault: &Fault, jitter: f64) -> Result<Duration, LifeEnd> {
        let class = self.class_of(fault);
        match class {
            FaultClass::LostAtStart | FaultClass::LostInGame => {
                (self.lost, self.told) = (Some(Instant::now()), None);
                self.counts[FaultClass::StillPlaying as usize] = 0;
            }
            FaultClass::StillPlaying => self.told = self.told.or_else(|| Some(Instant::now())),
            _ => {}
        }
        self.counts[class as usize] += 1;
        let count = self.counts[class as usize];
        let words = &fault.words;
        match class.rule() {
            Rule::Once => Err(LifeEnd::Refused(words.clone())),
            Rule::Times { most, what, advice } if count >= most => Err(LifeEnd::GaveUp(format!(
                "{what} {count} times, and no game was played to its end in between; the last time: {words}; {advice}"
            ))),
            Rule::LostGame if !self.is_recent(self.told) && count >= TOLD_AT_LEAST => {
                let minutes = self.patience.lost_game.as_secs() / 60;
                Err(LifeEnd::GaveUp(format!(
                    "for {minutes} minutes the bot was not let back in: {words}; is the token in use somewhere else?"
                )))
            }
            _ => {
                // Later by up to a fifth: others have been told the same.
                let asked = fault.retry_after.min(LONGEST_RETRY_AFTER).mul_f64(1.0 + 0.2 * jitter.clamp(0.0, 1.0));
                Ok(self.backoff.next(jitter).max(asked))
            }
        }
    }

    /// While a lost game goes on, no refusal says anything but that.
    fn class_of(&self, fault: &Fault) -> FaultClass {
        match fault.class {
            FaultClass::Login | FaultClass::Refused if self.is_recent(self.lost) || self.is_recent(self.told) => {
                FaultClass::StillPlaying
            }
            class => class,
        }
    }

    /// Whether a game that went on without us at that time may still do.
    fn is_recent(&self, since: Option<Instant>) -> bool {
        since.is_some_and(|since| since.elapsed() < self.patience.lost_game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(class: FaultClass) -> Fault {
        Fault::new(class, "it says so")
    }

    /// What comes of a fault that is met again and again, and the how manieth ends the bot.
    fn met(trouble: &mut Trouble, class: FaultClass) -> Option<(u32, LifeEnd)> {
        (1..=1000).find_map(|count| Some((count, trouble.meet(&fault(class), 0.0).err()?)))
    }

    #[test]
    fn each_class_of_faults_ends_a_bot_when_the_table_says_so() {
        for class in FaultClass::ALL {
            let ended = met(&mut Trouble::new(Patience::default()), class).map(|(count, _)| count);
            let expected = match class.rule() {
                Rule::Endless | Rule::LostGame => None,
                Rule::Once => Some(1),
                Rule::Times { most, .. } => Some(most),
            };
            assert_eq!(ended, expected, "{class:?}");
        }
    }

    #[test]
    fn a_bot_that_gives_up_says_what_failed_how_often_and_what_to_do() {
        let ended = met(&mut Trouble::new(Patience::default()), FaultClass::LostAtStart);
        let Some((5, LifeEnd::GaveUp(why))) = ended else { panic!("{ended:?}") };
        for words in ["lost in its first round 5 times", "it says so", "`bot-runner validate`"] {
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn an_arena_that_is_away_for_a_night_is_asked_every_minute_and_ends_nothing() {
        let mut trouble = Trouble::new(Patience::default());
        let waits: Vec<u64> = (0..600)
            .map(|attempt| {
                let class = [FaultClass::Unreachable, FaultClass::Overloaded, FaultClass::LostInQueue][attempt % 3];
                trouble.meet(&fault(class), 0.0).expect("it is not the end").as_secs()
            })
            .collect();
        assert_eq!(waits[..6], [5, 10, 20, 40, 60, 60]);
        assert_eq!(waits[599], 60);
    }

    #[test]
    fn faults_of_one_class_count_on_through_those_of_another_until_a_game_is_played() {
        let lost_four_times = || {
            let mut trouble = Trouble::new(Patience::default());
            for _ in 0..4 {
                trouble.meet(&fault(FaultClass::LostAtStart), 0.0).expect("it is not enough");
                trouble.meet(&fault(FaultClass::StillPlaying), 0.0).expect("the game goes on");
                trouble.meet(&fault(FaultClass::Unreachable), 0.0).expect("it may come back");
                trouble.queued_for(Duration::from_secs(600));
            }
            trouble
        };
        assert_eq!(met(&mut lost_four_times(), FaultClass::LostAtStart).map(|(count, _)| count), Some(1));
        let mut trouble = lost_four_times();
        trouble.played();
        assert_eq!(met(&mut trouble, FaultClass::LostAtStart).map(|(count, _)| count), Some(5));
    }

    #[test]
    fn who_was_let_into_the_queue_for_long_has_not_been_refused() {
        let mut trouble = Trouble::new(Patience::default());
        for _ in 0..3 {
            for _ in 0..59 {
                trouble.meet(&fault(FaultClass::Refused), 0.0).expect("it is not enough");
            }
            trouble.queued_for(Duration::from_secs(60));
        }
        assert_eq!(trouble.meet(&fault(FaultClass::Refused), 0.0).ok(), Some(Duration::from_secs(5)), "a first wait");
        trouble.queued_for(Duration::from_secs(59));
        assert_eq!(met(&mut trouble, FaultClass::Refused).map(|(count, _)| count), Some(59));
    }

    #[test]
    fn an_arena_that_asks_to_be_left_alone_is_left_alone_for_an_hour_and_a_fifth_at_most() {
        let waits = |jitter| {
            let mut trouble = Trouble::new(Patience::default());
            [0, 300, u64::MAX].map(|seconds| {
                let fault = Fault { retry_after: Duration::from_secs(seconds), ..fault(FaultClass::Overloaded) };
                trouble.meet(&fault, jitter).expect("it may come back").as_secs()
            })
        };
        assert_eq!(waits(0.0), [5, 300, 3600]);
        assert_eq!(waits(1.0), [4, 360, 4320], "later than asked, so that not all come back in one moment");
    }
}
