//! An arena that misbehaves, one way in each test. In every case the bot sends nothing that could
//! cost it a penalty, the game continues or the bot comes back, and its token appears nowhere.

mod course;
mod door;
mod frames;
mod secrets;
mod stalls;
pub(crate) mod wire;

use std::time::Duration;

use client::bot::{BotEvent, BotReport, LifeEnd, Patience};
use serde_json::{Map, Value};
use tokio_tungstenite::tungstenite::Message;
use weighted_shape::WeightedShape;

use super::bot::{SHORT, Seated, TOKEN};
use crate::common::games::one_client;
use crate::common::logged::Log;
use crate::common::policies::{Last, bot_policy};
use crate::common::server::{Client, Server};

/// Hardly any wait between two attempts.
pub(crate) const HASTY: Patience = Patience {
    first_wait: Duration::from_millis(1),
    longest_wait: Duration::from_millis(2),
    ..SHORT
};

/// The state of a bot afterwards.
struct Survivor {
    report: BotReport,
    end: LifeEnd,
    /// All its events.
    news: Vec<BotEvent>,
}

/// Lets a bot play this many games while the arena follows `script`.
async fn meet(patience: Patience, games: u32, script: impl AsyncFnOnce(&Server)) -> Survivor {
    let log = Log::of_this_thread();
    tracing::trace!("the first line");
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    seated.bot.patience = patience;
    let mut bot_policy = bot_policy::<Last>().await;
    let ((report, end), ()) = tokio::join!(seated.play(games, &mut bot_policy), script(&server));
    let survivor = Survivor {
        report,
        end,
        news: seated.news(),
    };
    survivor.shows_no_token(&log);
    survivor
}

impl Survivor {
    fn shows_no_token(&self, log: &Log) {
        let log = log.text();
        assert!(log.contains("the first line"), "the log holds everything");
        for (place, text) in [
            ("log", log),
            ("report", format!("{:?}", self.report)),
            ("end", format!("{:?}", self.end)),
            ("news", format!("{:?}", self.news)),
        ] {
            assert!(!text.contains(TOKEN), "the token is in the {place}");
        }
    }

    /// The words with which it gave up.
    fn gave_up(&self) -> &str {
        let LifeEnd::GaveUp(why) = &self.end else {
            panic!("{:?}", self.end)
        };
        why
    }
}

/// Lets a bot play a whole real game, with `tell` sending each part of it. The rules engine judges
/// the replies: each request must be answered once, with an action that it lists.
async fn survives(tell: impl AsyncFnMut(&mut Client, Vec<String>)) -> BotReport {
    let log = Log::of_this_thread();
    tracing::trace!("the first line");
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    let mut bot_policy = bot_policy::<WeightedShape>().await;
    let script = async {
        let mut client = server.accept().await;
        let game = client.play_by(one_client(5), tell).await;
        (game.results().swap_remove(0), client.gone().await)
    };
    let ((report, end), (result, unasked)) = tokio::join!(seated.play(1, &mut bot_policy), script);
    let survivor = Survivor {
        report,
        end,
        news: seated.news(),
    };
    survivor.shows_no_token(&log);
    assert_eq!(
        (&survivor.end, survivor.report.games()),
        (&LifeEnd::Done, 1)
    );
    assert_eq!(
        (result.acks.accepted, result.chombo),
        (result.requests, 0),
        "{:?}",
        result.acks
    );
    assert!(result.requests > 20, "it was a game");
    assert_eq!(unasked, [""; 0], "nothing but answers");
    survivor.report
}

/// A game in which every frame is replaced by the frames that `frames` makes of it.
async fn survives_frames(mut frames: impl FnMut(&str) -> Vec<String>) -> BotReport {
    survives(async |client, texts| {
        for text in texts {
            for frame in frames(&text) {
                client.send(Message::text(frame)).await;
            }
        }
    })
    .await
}

/// A frame as JSON.
fn read(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).expect("the arena writes objects")
}

fn changed(text: &str, change: impl FnOnce(&mut Map<String, Value>)) -> String {
    let mut frame = read(text);
    change(&mut frame);
    Value::Object(frame).to_string()
}

fn is(frame: &Map<String, Value>, kind: &str) -> bool {
    frame["type"] == kind
}
