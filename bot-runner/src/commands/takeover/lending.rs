//! The seats of this process's bots that people take over.
//!
//! A person's policy comes in as a guest: by the same way as a swap, from the next decision on. The
//! bot's own policy waits beside the seat until the person has gone.

use std::sync::Arc;
use std::time::Duration;

use client::board::Board;
use fleet::control::SeatOutcome;
use fleet::{BotSeat, Takeovers};
use foreign_text::shown;
use policy_host::{GuestStage, PolicyThread};
use say::output::say;
use tokio::time::sleep;
use view::person::{PERSON_THINK, PersonSeat};
use view::web::{PageServer, SeatDoor};

/// How long a link that no browser has used is good.
const OFFER_TIMEOUT: Duration = Duration::from_secs(600);

/// Lends the seats of bots to people, on the page of this process.
pub(in crate::commands) struct LentSeats {
    board: Board,
    door: SeatDoor,
    /// Whether bots at arenas on other machines are lent, too.
    lends_public: bool,
}

impl LentSeats {
    /// Of the bots of this board; `None` without a page.
    pub(in crate::commands) fn on(
        page: Option<&PageServer>,
        board: &Board,
        lends_public: bool,
    ) -> Option<Arc<dyn Takeovers>> {
        Some(Arc::new(Self {
            board: board.clone(),
            door: page?.door(),
            lends_public,
        }))
    }

    /// Opens a seat; its link.
    fn open(&self, bot: BotSeat) -> Result<String, String> {
        let name = &bot.options.bot;
        if bot.is_public && !self.lends_public {
            return Err(
                "it plays at an arena on another machine, where its results and its rating count for a program; if the \
                 arena lets people play for a bot, start the runner with --allow-takeover"
                    .to_owned(),
            );
        }
        let round = self.board.seat_round(name).ok_or(
            "its game is on no page, because a person plays at its table or the bot has not begun",
        )?;
        if let Some(other) = self.door.lent(name) {
            if other.is_taken() {
                return Err(format!(
                    "a person has it; `bot-runner takeover {name} --give-back` gives it back"
                ));
            }
            other.give_back();
        }
        let seat = PersonSeat::lent(name, round)
            .map_err(|error| format!("the seat has no token: {error}"))?;
        let link = self.door.open(&seat);
        let door = self.door.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = lend(&seat, &bot) => {}
                () = bot.sender.closed() => {}
            }
            seat.give_back();
            door.close(&seat);
        });
        Ok(link)
    }
}

impl Takeovers for LentSeats {
    fn take_over(&self, seat: BotSeat) -> SeatOutcome {
        match self.open(seat) {
            Ok(link) => SeatOutcome::Offered(link),
            Err(why) => SeatOutcome::Refused(why),
        }
    }

    fn give_back(&self, bot: &str) -> SeatOutcome {
        match self.door.lent(bot) {
            Some(seat) => {
                seat.give_back();
                SeatOutcome::GivenBack
            }
            None => SeatOutcome::Refused("no person has it, and it is not offered".to_owned()),
        }
    }
}

/// Lends a seat until it is given back, or no browser takes it.
async fn lend(seat: &PersonSeat, bot: &BotSeat) {
    tokio::select! {
        biased;
        () = seat.given_back() => return,
        () = seat.taken() => {}
        () = sleep(OFFER_TIMEOUT) => return,
    }
    let name = shown(seat.name());
    let _watched = seat.round().watch();
    let policy = match start(seat, bot).await {
        Ok(policy) => policy,
        Err(why) => return say(format!("{name}: no person can take the seat over: {why}")),
    };
    let mut stages = bot.sender.invite(policy, PERSON_THINK);
    say(format!("{name}: a person takes the seat over"));
    let mut leaves = false;
    loop {
        tokio::select! {
            () = seat.given_back(), if !leaves => {
                leaves = true;
                bot.sender.dismiss();
            }
            news = stages.changed() => match news {
                Ok(()) if *stages.borrow_and_update() == GuestStage::Left => break,
                Ok(()) => {}
                // It never sat down, or the bot has ended.
                Err(_) => break,
            },
        }
    }
    say(format!("{name}: its policy decides again"));
}

/// Starts the policy that asks the person.
async fn start(seat: &PersonSeat, bot: &BotSeat) -> Result<PolicyThread, String> {
    let policy = seat
        .policy(PERSON_THINK, Duration::ZERO, &bot.options)
        .map_err(|why| why.to_string())?;
    PolicyThread::start(policy, bot.options.clone())
        .await
        .map_err(|error| error.to_string())
}
