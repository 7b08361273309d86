//! The bots at the table of `play`, and their seats.

use std::cell::RefCell;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use client::bot::BotPolicy;
use client::budget::budget;
use client::shutdown::Shutdown;
use fleet::ReadyBot;
use lab::game::SeatPlayer;
use policy_host::{Decided, NoDecision, PolicyIdentity, ShownTable, ViewBuffer};
use protocol::riichilab::RequestTime;
use tokio::runtime::Handle;
use tracing::error_span;
use view::person::PERSON_THINK;

use super::game_words::PlayableGame;

/// The time of a bot for a decision where no clock decides anything.
const UNLIMITED: Duration = Duration::from_secs(24 * 3600);

/// Why a bot sits at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaysBy {
    /// A person decides.
    Person,
    Config,
    /// The configs leave its seat empty.
    Fill,
}

/// The time for a decision.
#[derive(Debug, Clone, Copy)]
struct TimeOfSeat {
    /// The time according to the view.
    budget: Duration,
    /// The time after which the safe answer is played.
    limit: Duration,
}

impl TimeOfSeat {
    /// The time of a person who has taken the seat over.
    const TAKEOVER: Self = Self {
        budget: PERSON_THINK,
        limit: PERSON_THINK,
    };
}

pub(super) struct TableBot {
    pub(super) name: String,
    /// The time of its own policy.
    time: TimeOfSeat,
    pub(super) policy: RefCell<BotPolicy>,
    pub(super) plays_by: PlaysBy,
}

impl TableBot {
    pub(super) fn new<G: PlayableGame>(
        bot: &ReadyBot,
        policy: BotPolicy,
        plays_by: PlaysBy,
    ) -> Self {
        let section = &bot.config.policy;
        let time = G::TIME.filter(|_| plays_by != PlaysBy::Person);
        let time = time.map(|time| RequestTime {
            bank_ms: Some(time.bank_ms),
            deadline_ms: Some(time.grace_ms + time.bank_ms),
            grace_ms: Some(time.grace_ms),
        });
        let is_timed = time.is_some() || plays_by == PlaysBy::Person;
        let budget = budget(section.think, section.margin, time);
        Self {
            name: bot.config.name.clone(),
            time: TimeOfSeat {
                budget,
                limit: if is_timed { budget } else { UNLIMITED },
            },
            policy: RefCell::new(policy),
            plays_by,
        }
    }

    pub(super) fn identity(&self) -> Arc<PolicyIdentity> {
        Arc::clone(self.policy.borrow().identity())
    }

    /// The time of its own policy according to the view.
    pub(super) const fn budget(&self) -> Duration {
        self.time.budget
    }

    /// Whether a person decides at present.
    pub(super) fn is_person(&self) -> bool {
        self.plays_by == PlaysBy::Person || self.has_guest()
    }

    /// Whether a person has taken its seat over.
    pub(super) fn has_guest(&self) -> bool {
        self.policy.borrow().has_guest()
    }

    /// The bot as the player of a seat. `told` hears of each decision, with the bot's policy.
    pub(super) fn player<'p, T: ShownTable>(
        &'p self,
        runtime: &'p Handle,
        shutdown: &'p Shutdown,
        mut told: impl FnMut(&Result<Decided, NoDecision>, &BotPolicy) + 'p,
    ) -> SeatPlayer<'p, T> {
        SeatPlayer::Hosted {
            // The most that anyone here has; `decide` lowers it to the time of who decides.
            budget: self.time.budget.max(PERSON_THINK),
            decide: Box::new(move |fill| {
                let decided = self.decide(runtime, shutdown, fill);
                told(&decided, &self.policy.borrow());
                decided
            }),
        }
    }

    /// Returns the policy's decision; a build that is ready takes over first. Called on a thread
    /// that may wait, and that waits for the end of the process if all is stopped meanwhile.
    fn decide(
        &self,
        runtime: &Handle,
        shutdown: &Shutdown,
        fill: &dyn Fn(&mut ViewBuffer),
    ) -> Result<Decided, NoDecision> {
        // At error level, so that log lines of every level carry the bot's name.
        let _span = error_span!("bot", bot = self.name).entered();
        let mut policy = self.policy.borrow_mut();
        let time = |of_guest| match of_guest {
            true => TimeOfSeat::TAKEOVER,
            false => self.time,
        };
        let until = |of_guest| Instant::now() + time(of_guest).limit;
        let fill = |view: &mut ViewBuffer, of_guest| {
            fill(view);
            view.limit_budget(time(of_guest).budget);
        };
        let decided = runtime.block_on(async {
            let decide = async {
                policy.swap_if_ready(true).await;
                policy.decide_until(until, fill).await
            };
            tokio::select! {
                decided = decide => Some(decided),
                () = shutdown.immediately() => None,
            }
        });
        decided.unwrap_or_else(|| {
            loop {
                thread::park();
            }
        })
    }
}

/// Who sits where in a game.
#[derive(Clone, Copy)]
pub(super) struct Seats<'g> {
    pub(super) bots: &'g [TableBot],
    /// The player on each seat: the bots come first, then those without a policy.
    pub(super) players: &'g [usize],
}

impl<'g> Seats<'g> {
    pub(super) fn at(self, seat: usize) -> Option<&'g TableBot> {
        self.bots.get(self.players[seat])
    }

    pub(super) fn all(self) -> impl Iterator<Item = Option<&'g TableBot>> {
        (0..self.players.len()).map(move |seat| self.at(seat))
    }

    /// The number of the bot on each seat.
    pub(super) fn bots_at(self) -> Vec<Option<usize>> {
        let bot = |&player: &usize| Some(player).filter(|&player| player < self.bots.len());
        self.players.iter().map(bot).collect()
    }
}
