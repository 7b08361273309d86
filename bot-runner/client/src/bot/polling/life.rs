//! A bot's life at Botzone.

use super::account::{AccountEnd, AccountGoal, BotzoneAccount, Matchmaking};
use super::bot_player::BotPlayer;
use super::pace::PollPatience;
use crate::BotzoneSeat;
use crate::bot::event::{BotEvent, LifeEnd};
use crate::bot::policy::BotPolicy;
use crate::bot::report::BotReport;
use crate::bot::setup::Bot;
use crate::session::botzone::{DouDizhuDialect, MatchDialect, McrDialect};
use crate::shutdown::Shutdown;
use crate::transport::botzone::{BotzoneSite, WantedMatch};

impl Bot {
    /// Plays matches through the account's poll: `games` of them, including those of the report, or
    /// until a stop is requested.
    pub(in crate::bot) async fn poll(
        &self,
        site: &BotzoneSite,
        seat: &BotzoneSeat,
        report: &mut BotReport,
        games: Option<u32>,
        bot_policy: &mut BotPolicy,
        shutdown: &Shutdown,
    ) -> LifeEnd {
        let games = games.map(|games| games.saturating_sub(report.games()));
        let goal = AccountGoal {
            games,
            matchmaking: matchmaking(seat),
        };
        self.tell(BotEvent::Queued);
        let end = match seat.game.bidding {
            None => {
                self.play_matches::<McrDialect>(site, bot_policy, report, goal, shutdown)
                    .await
            }
            Some(false) => {
                self.play_matches::<DouDizhuDialect<false>>(
                    site, bot_policy, report, goal, shutdown,
                )
                .await
            }
            Some(true) => {
                self.play_matches::<DouDizhuDialect<true>>(site, bot_policy, report, goal, shutdown)
                    .await
            }
        };
        match end {
            AccountEnd::Done => LifeEnd::Done,
            AccountEnd::Stopped => LifeEnd::Stopped,
            AccountEnd::Refused(fault) => LifeEnd::Refused(fault.to_string()),
            AccountEnd::NoMatches(fault) => {
                LifeEnd::GaveUp(format!("no match can be made: {fault}"))
            }
        }
    }

    async fn play_matches<D: MatchDialect>(
        &self,
        site: &BotzoneSite,
        bot_policy: &mut BotPolicy,
        report: &mut BotReport,
        goal: AccountGoal,
        shutdown: &Shutdown,
    ) -> AccountEnd {
        let player = BotPlayer::<D>::new(self, bot_policy, report);
        let account = BotzoneAccount::new(site.clone(), player, PollPatience::default(), goal);
        account
            .with_permits(self.permits.clone())
            .play(shutdown)
            .await
    }
}

/// The creation of the account's matches; `None` if it waits for them.
fn matchmaking(seat: &BotzoneSeat) -> Option<Matchmaking> {
    if seat.opponents.is_empty() {
        return None;
    }
    let players = std::iter::once(None)
        .chain(seat.opponents.iter().cloned().map(Some))
        .collect();
    let wanted = WantedMatch {
        game: seat.game.site_name,
        players,
    };
    Some(Matchmaking {
        wanted,
        at_once: seat.matches_at_once as usize,
    })
}
