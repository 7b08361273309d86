//! A bot with short waits, and its events.

use std::time::Duration;

use client::bot::{Arena, Bot, BotEvent, BotPolicy, BotReport, LifeEnd, NamedBotEvent, Patience};
use client::shutdown::Shutdown;
use client::transport::Limits;
use client::{ArenaUrl, Token};
use outbound::Authorities;
use riichi::Rules;
use tokio::sync::mpsc;

use crate::common::policies::{Last, bot_policy};
use crate::common::server::{Server, soon};

pub(crate) const TOKEN: &str = "canary-0123456789abcdef";

pub(crate) const SHORT: Patience = Patience {
    after_short_game: Duration::from_millis(1),
    first_wait: Duration::from_millis(20),
    longest_wait: Duration::from_millis(40),
    let_in: Duration::from_secs(60),
    lost_game: Duration::from_secs(3600),
    turn: Duration::from_secs(600),
    verdict: Duration::from_millis(100),
    connection: Limits {
        connect: Duration::from_secs(20),
        write: Duration::from_secs(10),
        ping_every: Duration::from_secs(20),
        pong: Duration::from_secs(40),
        frame: Duration::from_secs(120),
    },
};

pub(crate) fn login(url: ArenaUrl, token: &str) -> Arena {
    Arena::Riichilab {
        url,
        token: Token::new(token).expect("a token"),
        authorities: Authorities::default(),
    }
}

/// A bot and the place where its news arrive.
pub(crate) struct Seated {
    pub(crate) bot: Bot,
    pub(crate) shutdown: Shutdown,
    pub(crate) news: mpsc::UnboundedReceiver<NamedBotEvent>,
}

impl Seated {
    pub(crate) fn at(url: ArenaUrl) -> Self {
        let (sender, news) = mpsc::unbounded_channel();
        let bot = Bot {
            name: "kuma".into(),
            arena: login(url, TOKEN),
            rules: Rules::TENHOU_HALF,
            turn: None,
            records: None,
            results: None,
            permits: None,
            patience: SHORT,
            plays_while_set_aside: true,
            news: sender,
        };
        Self {
            bot,
            shutdown: Shutdown::new(),
            news,
        }
    }

    pub(crate) async fn play(
        &self,
        games: u32,
        bot_policy: &mut BotPolicy,
    ) -> (BotReport, LifeEnd) {
        soon(
            "the end of the bot's life",
            self.bot.resume(
                BotReport::default(),
                Some(games),
                bot_policy,
                &self.shutdown,
            ),
        )
        .await
    }

    /// All events so far.
    pub(crate) fn news(&mut self) -> Vec<BotEvent> {
        std::iter::from_fn(|| self.news.try_recv().ok())
            .map(|news| news.event)
            .collect()
    }

    /// The reasons of the waits so far.
    pub(crate) fn waits(&mut self) -> Vec<String> {
        let reason = |event| match event {
            BotEvent::Waiting { reason, .. } => Some(reason),
            _ => None,
        };
        self.news().into_iter().filter_map(reason).collect()
    }

    /// The same, short.
    pub(crate) fn told(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        for event in self.news() {
            told.push(match event {
                BotEvent::Queued => "queued".to_owned(),
                BotEvent::Started(seat) => format!("started on {seat}"),
                BotEvent::AwaitsTurn => "awaits its turn".to_owned(),
                BotEvent::AwaitsPermit => "awaits a permit".to_owned(),
                BotEvent::Decided(_) => continue,
                BotEvent::Starting | BotEvent::TokenInUse(_) | BotEvent::Ended(_) => {
                    unreachable!("those are the crew's")
                }
                BotEvent::Finished(_) => "finished".to_owned(),
                BotEvent::Dropped(_) => "dropped".to_owned(),
                BotEvent::Aborted(_) => "aborted".to_owned(),
                BotEvent::AwaitsPolicy => "set aside".to_owned(),
                BotEvent::Waiting { .. } => "waiting".to_owned(),
            });
        }
        told
    }
}

/// Plays one game with a harmless policy while the arena follows `script`; returns the result.
pub(crate) async fn one_game(
    server: &Server,
    script: impl Future<Output = ()>,
) -> (BotReport, LifeEnd, Vec<String>) {
    let mut seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<Last>().await;
    let ((report, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    let told = seated.told();
    (report, end, told)
}
