//! Bots of one process at one arena.

use std::time::Duration;

use client::bot::{LifeEnd, PermitPool, QueueTurns};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::bot::{Seated, TOKEN, login};
use crate::common::logged::Log;
use crate::common::policies::{Last, bot_policy};
use crate::common::server::Server;

#[tokio::test]
async fn bots_that_must_not_meet_queue_one_after_the_other() {
    let server = Server::open().await;
    let turns = QueueTurns::default();
    let mut bots = [Seated::at(server.url()), Seated::at(server.url())];
    for (seated, token) in bots.iter_mut().zip(["one", "two"]) {
        seated.bot.arena = login(server.url(), token);
        seated.bot.turn = turns.at(&seated.bot.arena, 4, false);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let script = async {
        let mut first = server.accept().await;
        assert!(
            server.is_left_alone(Duration::from_millis(50)).await,
            "the other waits while one is queued"
        );
        first.deal().await;
        let mut second = server.accept().await;
        assert_ne!(first.authorization, second.authorization);
        second.deal().await;
        second.finish().await;
        first.finish().await;
    };
    let ((_, one), (_, two), ()) =
        tokio::join!(bots[0].play(1, &mut one), bots[1].play(1, &mut two), script);
    assert_eq!((one, two), (LifeEnd::Done, LifeEnd::Done));
}

#[tokio::test]
async fn a_bot_that_is_refused_gives_its_turn_away() {
    let server = Server::open().await;
    let turns = QueueTurns::default();
    let mut bots = [Seated::at(server.url()), Seated::at(server.url())];
    for seated in &mut bots {
        seated.bot.turn = turns.at(&seated.bot.arena, 4, false);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let script = async {
        server
            .refuse("Token verification failed: Invalid token")
            .await;
        let mut client = server.accept().await;
        client.deal().await;
        client.finish().await;
    };
    let ((_, one), (_, two), ()) =
        tokio::join!(bots[0].play(1, &mut one), bots[1].play(1, &mut two), script);
    let LifeEnd::Refused(words) = one else {
        panic!("{one:?}")
    };
    assert!(
        words.starts_with("Token verification failed: Invalid token; see that "),
        "{words}"
    );
    assert_eq!(two, LifeEnd::Done);
}

#[tokio::test]
async fn a_bot_that_gets_no_game_leaves_the_queue_for_a_sibling_and_says_why() {
    let log = Log::of_this_thread();
    let server = Server::open().await;
    let turns = QueueTurns::default();
    let mut bots = [Seated::at(server.url()), Seated::at(server.url())];
    for (seated, token) in bots.iter_mut().zip(["one", "two"]) {
        seated.bot.arena = login(server.url(), token);
        seated.bot.turn = turns.at(&seated.bot.arena, 4, false);
        seated.bot.patience.turn = Duration::from_millis(50);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let script = async {
        let first = server.accept().await;
        let stuck = first.authorization.clone();
        // It is never dealt anything, so it has to leave before the other comes.
        assert_eq!(first.gone().await, [""; 0]);
        for other in [true, false] {
            let mut next = server.accept().await;
            assert_eq!(next.authorization != stuck, other);
            next.deal().await;
            next.finish().await;
            next.gone().await;
        }
    };
    let ((_, one), (_, two), ()) =
        tokio::join!(bots[0].play(1, &mut one), bots[1].play(1, &mut two), script);
    assert_eq!((one, two), (LifeEnd::Done, LifeEnd::Done));
    assert!(
        log.text()
            .contains("it leaves the queue, since another bot waits"),
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn a_bot_that_gets_no_game_leaves_its_permit_to_a_bot_of_another_arena() {
    let (empty, other) = (Server::open().await, Server::open().await);
    let permits = PermitPool::new(1);
    let mut bots = [Seated::at(empty.url()), Seated::at(other.url())];
    for seated in &mut bots {
        seated.bot.permits = Some(permits.clone());
        seated.bot.patience.turn = Duration::from_millis(50);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let script = async {
        let stuck = empty.accept().await;
        let mut next = other.accept().await;
        assert_eq!(stuck.gone().await, [""; 0]);
        next.deal().await;
        // It comes back to its queue only when the other's game is over.
        assert!(empty.is_left_alone(Duration::from_millis(100)).await);
        next.finish().await;
        next.gone().await;
        let mut again = empty.accept().await;
        again.deal().await;
        again.finish().await;
    };
    let ((_, one), (_, two), ()) =
        tokio::join!(bots[0].play(1, &mut one), bots[1].play(1, &mut two), script);
    assert_eq!((one, two), (LifeEnd::Done, LifeEnd::Done));
}

/// What it says of a failure after which the back-off is as at the beginning.
const FIRST_FAILURE: &str = r#"the arena says "Internal server error""#;

#[tokio::test]
async fn an_error_after_a_long_time_in_the_queue_finds_the_back_off_reset_and_after_a_short_one_does_not()
 {
    for (let_in, second) in [
        (Duration::from_millis(50), FIRST_FAILURE.to_owned()),
        (
            Duration::from_secs(60),
            format!("{FIRST_FAILURE}; 2 attempts failed"),
        ),
    ] {
        let server = Server::open().await;
        let mut seated = Seated::at(server.url());
        seated.bot.patience.let_in = let_in;
        let mut bot_policy = bot_policy::<Last>().await;
        let script = async {
            for _ in 0..2 {
                let mut client = server.accept().await;
                sleep(Duration::from_millis(100)).await;
                client.say(json!({"error": "Internal server error"})).await;
                client.close().await;
            }
            let mut client = server.accept().await;
            client.deal().await;
            client.finish().await;
        };
        tokio::join!(seated.play(1, &mut bot_policy), script);
        assert_eq!(seated.waits(), [FIRST_FAILURE, &second]);
    }
}

#[tokio::test]
async fn a_bot_that_leaves_the_queue_for_another_after_a_long_time_finds_the_back_off_reset() {
    let (empty, other) = (Server::open().await, Server::open().await);
    let permits = PermitPool::new(1);
    let mut bots = [Seated::at(empty.url()), Seated::at(other.url())];
    for seated in &mut bots {
        seated.bot.permits = Some(permits.clone());
        seated.bot.patience.turn = Duration::from_millis(100);
        seated.bot.patience.let_in = Duration::from_millis(50);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let (start_two, two_starts) = oneshot::channel();
    let script = async {
        empty.refuse("Internal server error").await;
        let stuck = empty.accept().await;
        start_two.send(()).expect("the other bot waits for it");
        assert_eq!(stuck.gone().await, [""; 0]);
        let mut next = other.accept().await;
        next.deal().await;
        next.finish().await;
        empty.refuse("Internal server error").await;
        let mut again = empty.accept().await;
        again.deal().await;
        again.finish().await;
    };
    let other_bot = async {
        two_starts.await.expect("it is told");
        bots[1].play(1, &mut two).await
    };
    tokio::join!(bots[0].play(1, &mut one), other_bot, script);
    assert_eq!(bots[0].waits(), [FIRST_FAILURE; 2]);
}

#[tokio::test]
async fn a_bot_whose_turn_no_other_waits_for_stays_in_the_queue() {
    let server = Server::open().await;
    let mut seated = Seated::at(server.url());
    seated.bot.turn = QueueTurns::default().at(&seated.bot.arena, 4, false);
    seated.bot.patience.turn = Duration::from_millis(5);
    let mut bot_policy = bot_policy::<Last>().await;
    let script = async {
        let mut client = server.accept().await;
        assert!(server.is_left_alone(Duration::from_millis(50)).await);
        client.deal().await;
        client.finish().await;
    };
    let ((_, end), ()) = tokio::join!(seated.play(1, &mut bot_policy), script);
    assert_eq!(end, LifeEnd::Done);
}

#[tokio::test]
async fn a_permit_for_a_game_comes_back_when_the_connection_is_lost_in_the_game() {
    let server = Server::open().await;
    let permits = PermitPool::new(1);
    let mut bots = [Seated::at(server.url()), Seated::at(server.url())];
    for (seated, token) in bots.iter_mut().zip(["one", "two"]) {
        seated.bot.permits = Some(permits.clone());
        seated.bot.arena = login(server.url(), token);
    }
    let (mut one, mut two) = (bot_policy::<Last>().await, bot_policy::<Last>().await);
    let script = async {
        let mut first = server.accept().await;
        first.deal().await;
        first.offer(3).await;
        first.reply().await;
        assert!(
            server.is_left_alone(Duration::from_millis(50)).await,
            "one game is on, and no more may be"
        );
        first.reset();
        for _ in 0..2 {
            let mut next = server.accept().await;
            assert!(permits.try_take().is_none());
            next.deal().await;
            next.finish().await;
            next.gone().await;
        }
    };
    let ((one, _), (two, _), ()) =
        tokio::join!(bots[0].play(1, &mut one), bots[1].play(1, &mut two), script);
    assert_eq!(
        (one.games(), two.games(), one.abandoned + two.abandoned),
        (1, 1, 1)
    );
    assert!(permits.try_take().is_some());
    assert!(bots[1].told().contains(&"awaits a permit".to_owned()));
}

#[tokio::test]
async fn bots_that_may_meet_queue_together_and_each_arena_has_its_own_queue() {
    let (server, other) = (Server::open().await, Server::open().await);
    let turns = QueueTurns::default();
    assert!(turns.at(&login(server.url(), TOKEN), 4, true).is_none());
    let here = turns.at(&login(server.url(), TOKEN), 4, false).unwrap();
    let _queued = here.try_take().expect("no other bot holds it");
    assert!(
        turns
            .at(&login(server.url(), TOKEN), 4, false)
            .unwrap()
            .try_take()
            .is_none()
    );
    assert!(
        turns
            .at(&login(other.url(), TOKEN), 4, false)
            .unwrap()
            .try_take()
            .is_some()
    );
    assert!(
        turns
            .at(&login(server.url(), TOKEN), 3, false)
            .unwrap()
            .try_take()
            .is_some(),
        "three never meet four"
    );
}
