//! A wrong reply, which ends the game of all four.

use bot_runner::bot::LifeEnd;
use mahjong::rules::Length;
use serde_json::{Value, json};

use super::bots;
use super::server::{Outcome, Server, play};

/// Four bots at a server that changes a reply in the first game, and none in the second.
async fn two_games(
    changed: impl FnMut(usize, &Value, Value) -> Value + Send + 'static,
) -> (Vec<Outcome>, Vec<(bot_runner::bot::BotReport, LifeEnd, Vec<String>)>) {
    let server = Server::open();
    let room = server.room("default");
    let games = tokio::task::spawn_blocking(move || {
        let first = play(&mut server.gather(1), 1, Length::East, changed);
        vec![first, play(&mut server.gather(2), 2, Length::East, |_, _, reply| reply)]
    });
    let (a, b, c, d) = tokio::join!(
        bots::play(room.clone(), "a", 1),
        bots::play(room.clone(), "b", 1),
        bots::play(room.clone(), "c", 1),
        bots::play(room, "d", 1)
    );
    (games.await.expect("the server ends well"), vec![a, b, c, d])
}

/// Changes the first reply of this type.
fn first(kind: &'static str, mut change: impl FnMut(&mut Value)) -> impl FnMut(usize, &Value, Value) -> Value {
    let mut done = false;
    move |_, _, mut reply| {
        if !done && reply["type"] == kind {
            done = true;
            change(&mut reply);
        }
        reply
    }
}

#[tokio::test]
async fn a_wrong_tsumogiri_aborts_the_game_and_the_bots_say_so_and_come_back() {
    let wrong = first("dahai", |reply| reply["tsumogiri"] = json!(!reply["tsumogiri"].as_bool().expect("it is there")));
    let (games, bots) = two_games(wrong).await;
    let Outcome::Aborted(message) = &games[0] else { panic!("{games:?}") };
    assert!(matches!(games[1], Outcome::Played(_)), "{games:?}");
    for (report, end, told) in &bots {
        assert_eq!((end, report.games.len(), report.aborted, report.abandoned), (&LifeEnd::Done, 1, 1, 0));
        assert_eq!(told[0], *message);
        assert!(told[1].contains("aborted"), "{told:?}");
    }
    assert_eq!(bots.iter().map(|(report, ..)| report.acks.rejected).sum::<u32>(), 1, "one of them is to blame");
}

#[tokio::test]
async fn a_game_that_is_aborted_while_others_have_not_heard_of_it_is_waited_out_by_all() {
    // The first to hear of the game acts where nothing is asked.
    let (games, bots) = two_games(first("none", |reply| *reply = json!({"type": "hora", "actor": 0}))).await;
    assert!(matches!(&games[0], Outcome::Aborted(why) if why.contains("not possible")), "{games:?}");
    assert!(bots.iter().all(|(report, end, _)| *end == LifeEnd::Done && report.games.len() == 1), "{bots:?}");
    assert_eq!(bots.iter().map(|(report, ..)| report.aborted).sum::<u32>(), 1);
}
