//! Bots of this process at a room, whose waits are short.

use std::time::Duration;

use client::RoomUrl;
use client::bot::{Arena, Bot, BotEvent, BotReport, LifeEnd, NamedBotEvent, Patience};
use client::shutdown::Shutdown;
use riichi::Rules;
use tempfile::TempDir;
use tokio::sync::mpsc;

use crate::common::policies::{Last, bot_policy};
use crate::common::records::{keeper_of, sound_records};
use crate::common::server::soon;

/// Plays this many games as one bot that passes and discards the drawn tile; returns its events
/// too. Checks that its records agree.
pub(crate) async fn play(
    room: RoomUrl,
    name: &str,
    games: u32,
) -> (BotReport, LifeEnd, Vec<String>) {
    let (sender, mut news) = mpsc::unbounded_channel();
    let patience = Patience {
        after_short_game: Duration::from_millis(1),
        first_wait: Duration::from_millis(20),
        longest_wait: Duration::from_millis(40),
        ..Patience::default()
    };
    let folder = TempDir::new().expect("a folder can be made");
    let keeper = keeper_of(name, folder.path(), None);
    let bot = Bot {
        name: name.into(),
        arena: Arena::Mjsonp(room),
        rules: Rules::TENHOU_HALF,
        turn: None,
        patience,
        plays_while_set_aside: true,
        records: Some(keeper.clone()),
        results: None,
        permits: None,
        news: sender,
    };
    let mut bot_policy = bot_policy::<Last>().await;
    bot_policy.keep_notes();
    let shutdown = Shutdown::new();
    let (report, end) = soon(
        "the end of the bot's life",
        bot.resume(
            BotReport::default(),
            Some(games),
            &mut bot_policy,
            &shutdown,
        ),
    )
    .await;
    let mut told = Vec::new();
    while let Ok(NamedBotEvent { event, .. }) = news.try_recv() {
        match event {
            BotEvent::Aborted(why) | BotEvent::Dropped(why) => told.push(why),
            BotEvent::Waiting { reason, .. } => told.push(reason),
            _ => {}
        }
    }
    keeper.finish().await;
    let records = sound_records(folder.path());
    let cut: Vec<&String> = records
        .iter()
        .filter_map(|record| record.manifest.cut.as_ref())
        .collect();
    assert_eq!(records.len() - cut.len(), report.games() as usize);
    assert!(cut.iter().all(|why| told.contains(why)), "{cut:?} {told:?}");
    assert_eq!(cut.len() as u32, report.aborted + report.abandoned);
    (report, end, told)
}
