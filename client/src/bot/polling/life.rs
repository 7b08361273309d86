//! A bot's life at Botzone.

use super::account::{AccountEnd, AccountGoal, BotzoneAccount, Matchmaking};
use super::bot_player::BotPlayer;
use super::patience::PollPatience;
use crate::BotzoneGame;
use crate::bot::arena::Botzone;
use crate::bot::brain::BotPolicy;
use crate::bot::event::{BotEvent, LifeEnd};
use crate::bot::report::BotReport;
use crate::bot::setup::Bot;
use crate::session::botzone::{BiddingMatch, DouDizhuMatch, MatchDialect, McrMatch};
use crate::shutdown::Shutdown;
use crate::transport::botzone::WantedMatch;

impl Bot {
    /// Plays matches through the account's poll: `games` of them with those of the report, or until asked to stop.
    pub(in crate::bot) async fn poll(
        &self,
        account: &Botzone,
        report: &mut BotReport,
        games: Option<u32>,
        brain: &mut BotPolicy,
        shutdown: &Shutdown,
    ) -> LifeEnd {
        match account.seat.game {
            BotzoneGame::Mcr => self.play_matches::<McrMatch>(account, report, games, brain, shutdown).await,
            BotzoneGame::DouDizhu => self.play_matches::<DouDizhuMatch>(account, report, games, brain, shutdown).await,
            BotzoneGame::DouDizhuBidding => {
                self.play_matches::<BiddingMatch>(account, report, games, brain, shutdown).await
            }
        }
    }

    async fn play_matches<M: MatchDialect + Default>(
        &self,
        account: &Botzone,
        report: &mut BotReport,
        games: Option<u32>,
        brain: &mut BotPolicy,
        shutdown: &Shutdown,
    ) -> LifeEnd {
        let played = report.games.len() as u32;
        let goal =
            AccountGoal { games: games.map(|games| games.saturating_sub(played)), matchmaking: matchmaking(account) };
        self.tell(BotEvent::Queued);
        let player = BotPlayer::new(self, brain, report);
        let site = account.site.clone();
        let account = BotzoneAccount::<M, _>::new(site, player, PollPatience::default(), goal);
        let end = account.with_permits(self.permits.clone()).play(shutdown).await;
        match end {
            AccountEnd::Done => LifeEnd::Done,
            AccountEnd::Stopped => LifeEnd::Stopped,
            AccountEnd::Refused(fault) => LifeEnd::Refused(fault.to_string()),
            AccountEnd::NoMatches(fault) => LifeEnd::GaveUp(format!("no match can be made: {fault}")),
        }
    }
}

/// How the account's matches are made; `None` where they are waited for.
fn matchmaking(account: &Botzone) -> Option<Matchmaking> {
    let seat = &account.seat;
    if seat.opponents.is_empty() {
        return None;
    }
    let players = std::iter::once(None).chain(seat.opponents.iter().cloned().map(Some)).collect();
    let wanted = WantedMatch { game: seat.game.site_name(), players };
    Some(Matchmaking { wanted, at_once: seat.matches_at_once as usize })
}
