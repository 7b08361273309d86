//! An account on a real socket.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::bot::PermitPool;
use client::bot::polling::{
    AccountEnd, AccountGoal, BotzoneAccount, MatchEnd, MatchEvent, MatchPlayer, Matchmaking,
    PollPatience, Readiness,
};
use client::session::botzone::{DouDizhuDialect, Match, MatchDialect, McrDialect};
use client::shutdown::Shutdown;
use client::transport::botzone::{MAX_RESPONSES, WantedMatch};
use policy_host::SeatEvent;
use protocol::botzone::MatchId;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::common::botzone_site::{Call, FakeSite, SECRET, decision, id};
use crate::common::logged::Log;

/// Answers when the test says so; otherwise at once with the safe answer.
struct TestPlayer {
    asked: mpsc::UnboundedSender<MatchId>,
    decisions: Option<mpsc::UnboundedReceiver<Option<usize>>>,
    pending: bool,
    readiness: watch::Receiver<Readiness>,
    heard: Arc<AtomicUsize>,
    ends: Arc<Mutex<Vec<MatchEnd>>>,
}

impl<D: MatchDialect> MatchPlayer<D> for TestPlayer {
    fn ask(&mut self, id: &MatchId, _played: &Match<D>, _until: Instant) -> Result<(), String> {
        self.pending = true;
        let _ = self.asked.send(id.clone());
        Ok(())
    }

    async fn next(&mut self, _in_match: bool) -> SeatEvent {
        if !self.pending {
            if self.readiness.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            return SeatEvent::AskAgain;
        }
        let choice = match &mut self.decisions {
            None => None,
            Some(decisions) => decisions.recv().await.expect("the test decides"),
        };
        self.pending = false;
        decision(choice)
    }

    fn withdraw(&mut self) {
        self.pending = false;
    }

    fn readiness(&mut self) -> Readiness {
        *self.readiness.borrow()
    }

    fn happened(&mut self, _id: &MatchId, what: MatchEvent<'_, D>) {
        match what {
            MatchEvent::Heard { .. } => _ = self.heard.fetch_add(1, Ordering::Relaxed),
            MatchEvent::Ended { end, .. } => self.ends.lock().expect("no panic").push(end),
            _ => {}
        }
    }
}

const PATIENCE: PollPatience = PollPatience {
    first_wait: Duration::from_millis(10),
    longest_wait: Duration::from_millis(40),
    closed_wait: Duration::from_millis(20),
    shortest_poll: Duration::from_millis(10),
    linger: Duration::from_millis(20),
    repeat: Duration::from_millis(50),
    answer: Duration::from_secs(20),
    between_matches: Duration::from_millis(10),
    begin_every: Duration::from_millis(10),
    silent_match: Duration::from_secs(20),
    turn: Duration::from_millis(100),
};

/// An account that plays at a fake site.
struct Scene {
    site: FakeSite,
    asked: mpsc::UnboundedReceiver<MatchId>,
    decide: mpsc::UnboundedSender<Option<usize>>,
    readiness: watch::Sender<Readiness>,
    /// Number of requests received.
    heard: Arc<AtomicUsize>,
    ends: Arc<Mutex<Vec<MatchEnd>>>,
    shutdown: Shutdown,
    playing: JoinHandle<AccountEnd>,
}

impl Scene {
    async fn of<D: MatchDialect + 'static>(
        goal: AccountGoal,
        patience: PollPatience,
        thinks: bool,
    ) -> Self {
        Self::with_permits::<D>(goal, patience, thinks, None).await
    }

    async fn with_permits<D: MatchDialect + 'static>(
        goal: AccountGoal,
        patience: PollPatience,
        thinks: bool,
        permits: Option<PermitPool>,
    ) -> Self {
        let site = FakeSite::start().await;
        let (asked_sender, asked) = mpsc::unbounded_channel();
        let (decide, decisions) = mpsc::unbounded_channel();
        let (readiness, ready) = watch::channel(Readiness::Ready);
        let (heard, ends) = (Arc::default(), Arc::default());
        let player = TestPlayer {
            asked: asked_sender,
            decisions: thinks.then_some(decisions),
            pending: false,
            readiness: ready,
            heard: Arc::clone(&heard),
            ends: Arc::clone(&ends),
        };
        let shutdown = Shutdown::default();
        let (account, stop) = (site.account.clone(), shutdown.clone());
        let account =
            BotzoneAccount::<D, _>::new(account, player, patience, goal).with_permits(permits);
        let playing = tokio::spawn(async move {
            let mut account = account;
            account.play(&stop).await
        });
        Self {
            site,
            asked,
            decide,
            readiness,
            heard,
            ends,
            shutdown,
            playing,
        }
    }

    async fn mahjong() -> Self {
        Self::of::<McrDialect>(
            AccountGoal {
                games: Some(1),
                matchmaking: None,
            },
            PATIENCE,
            false,
        )
        .await
    }

    async fn end(self) -> (AccountEnd, Vec<MatchEnd>) {
        let end = tokio::time::timeout(Duration::from_secs(20), self.playing)
            .await
            .expect("it ends")
            .expect("no panic");
        let ends = self.ends.lock().expect("no panic").clone();
        (end, ends)
    }
}

fn finished(slot: usize, scores: &[f64]) -> MatchEnd {
    MatchEnd::Finished {
        slot,
        scores: scores.to_vec(),
    }
}

fn with_opponents(games: u32, at_once: usize) -> AccountGoal {
    let players = vec![None, Some(id(1)), Some(id(2)), Some(id(3))];
    let wanted = WantedMatch {
        game: "Chinese-Standard-Mahjong",
        players,
    };
    AccountGoal {
        games: Some(games),
        matchmaking: Some(Matchmaking { wanted, at_once }),
    }
}

#[tokio::test]
async fn answers_travel_in_the_next_poll_and_a_result_ends_the_match() {
    let mut scene = Scene::mahjong().await;
    let poll = scene.site.poll().await;
    assert!(poll.headers.is_empty(), "{:?}", poll.headers);
    poll.ask(&[(1, "0 2 0"), (2, "0 3 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(
        (poll.response(1), poll.response(2)),
        (Some("PASS"), Some("PASS"))
    );
    poll.ask(&[(2, "3 0 DRAW")]);
    let poll = scene.site.poll().await;
    assert_eq!((poll.response(1), poll.response(2)), (None, Some("PASS")));
    poll.answer(
        200,
        format!("0 2\n{} 2 4 -8 24 -8 -8\n{} 3 0", id(1), id(2)),
    );
    assert_eq!(
        scene.end().await,
        (
            AccountEnd::Done,
            vec![finished(2, &[-8.0, 24.0, -8.0, -8.0]), MatchEnd::BrokenOff]
        )
    );
}

#[tokio::test]
async fn what_a_poll_without_an_answer_carried_is_sent_again_unchanged() {
    let mut scene = Scene::mahjong().await;
    scene.site.poll().await.ask(&[(1, "0 2 0")]);
    for (status, body) in [
        (504, ""),
        (502, "Bad Gateway"),
        (500, ""),
        (503, ""),
        (200, "<html>"),
        (200, "0 0"),
        (200, ""),
        (404, ""),
    ] {
        let poll = scene.site.poll().await;
        assert_eq!(poll.response(1), Some("PASS"), "{status}");
        poll.answer(status, body);
    }
    scene.site.poll().await.end(1, "2 4 0 0 0 0");
    assert_eq!(scene.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn a_request_that_comes_twice_is_answered_once() {
    let mut scene = Scene::mahjong().await;
    scene.site.poll().await.ask(&[(1, "0 2 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), Some("PASS"));
    poll.ask(&[(1, "0 2 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), None);
    poll.end(1, "2 4 0 0 0 0");
    scene.end().await;
}

const DEAL: &str = "1 0 0 0 0 W1 W1 W2 W2 W3 W4 B5 B6 B7 T1 T2 F1 F2";

#[tokio::test]
async fn a_pending_decision_delays_no_other_match_and_its_answer_replaces_the_waiting_poll() {
    let goal = AccountGoal {
        games: Some(2),
        matchmaking: None,
    };
    let mut scene = Scene::of::<McrDialect>(goal, PATIENCE, true).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    scene.site.poll().await.ask(&[(1, DEAL)]);
    scene.site.poll().await.ask(&[(1, "2 W4")]);
    scene.asked.recv().await.expect("it is asked");
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), None);
    poll.ask(&[(2, "0 1 0")]);
    let waiting = scene.site.poll().await;
    assert_eq!(
        (waiting.response(1), waiting.response(2)),
        (None, Some("PASS"))
    );
    scene.decide.send(Some(0)).expect("it listens");
    let poll = scene.site.poll().await;
    assert!(
        poll.response(1)
            .is_some_and(|text| text.starts_with("PLAY ")),
        "{:?}",
        poll.headers
    );
    assert_eq!(poll.response(2), None, "that is in the poll before");
    // News that the old poll brings at the last moment counts.
    assert!(waiting.ask(&[(2, DEAL)]));
    let next = scene.site.poll().await;
    assert_eq!((next.response(1), next.response(2)), (None, Some("PASS")));
    assert!(poll.answer(403, r#"{"error":"Kicked"}"#));
    next.answer(
        200,
        format!("0 2\n{} 0 4 0 0 0 0\n{} 1 4 0 0 0 0", id(1), id(2)),
    );
    assert_eq!(scene.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn an_answer_in_a_poll_that_fails_is_sent_again_though_a_later_poll_was_answered() {
    let goal = AccountGoal {
        games: Some(2),
        matchmaking: None,
    };
    let mut scene = Scene::of::<McrDialect>(goal, PATIENCE, true).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    scene.site.poll().await.ask(&[(1, DEAL)]);
    scene.site.poll().await.ask(&[(1, "2 W4")]);
    scene.asked.recv().await.expect("it is asked");
    scene.site.poll().await.ask(&[(2, "0 1 0")]);
    let overtaken = scene.site.poll().await;
    assert_eq!(overtaken.response(2), Some("PASS"));
    scene.decide.send(Some(0)).expect("it listens");
    let later = scene.site.poll().await;
    assert!(
        later.response(1).is_some() && later.response(2).is_none(),
        "{:?}",
        later.headers
    );
    later.end(9, "0 0");
    overtaken.answer(502, "");
    let poll = scene.site.poll_of(2).await;
    assert_eq!(poll.response(1), None, "that was taken");
    poll.answer(
        200,
        format!("0 2\n{} 0 4 0 0 0 0\n{} 1 4 0 0 0 0", id(1), id(2)),
    );
    assert_eq!(scene.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn a_poll_that_another_one_displaced_was_read_whatever_its_status() {
    let goal = AccountGoal {
        games: Some(1),
        matchmaking: None,
    };
    for status in [200, 403, 409] {
        let mut scene = Scene::of::<McrDialect>(goal.clone(), PATIENCE, false).await;
        scene.site.poll().await.ask(&[(1, "0 0 0")]);
        let poll = scene.site.poll().await;
        assert_eq!(poll.response(1), Some("PASS"));
        poll.answer(status, r#"{"error":"Kicked"}"#);
        let poll = scene.site.poll().await;
        assert_eq!(poll.response(1), None, "{status}");
        poll.end(1, "0 4 0 0 0 0");
        assert_eq!(scene.end().await.0, AccountEnd::Done);
    }
}

#[tokio::test]
async fn a_result_that_cannot_be_read_takes_no_request_with_it() {
    let mut scene = Scene::mahjong().await;
    scene
        .site
        .poll()
        .await
        .answer(200, format!("1 1\n{}\n0 0 0\n{} 0 4 - - - -", id(1), id(9)));
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), Some("PASS"));
    poll.end(1, "0 4 0 0 0 0");
    assert_eq!(scene.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn no_match_begins_until_the_player_is_ready_and_one_in_progress_is_played() {
    let waits = AccountGoal {
        games: Some(2),
        matchmaking: None,
    };
    for (goal, makes) in [(waits, false), (with_opponents(2, 1), true)] {
        let mut scene = Scene::of::<McrDialect>(goal, PATIENCE, false).await;
        if makes {
            call_beside_polls(&mut scene.site).await.answer(200, id(1));
        }
        scene.site.poll().await.ask(&[(1, "0 0 0")]);
        let poll = scene.site.poll().await;
        assert_eq!(poll.response(1), Some("PASS"));
        scene.readiness.send(Readiness::NotYet).expect("it plays");
        poll.end(1, "0 4 0 0 0 0");
        let nothing = tokio::time::timeout(Duration::from_millis(100), scene.site.call()).await;
        assert!(nothing.is_err(), "{:?}", nothing.map(|call| call.what));
        scene.readiness.send(Readiness::Ready).expect("it waits");
        if makes {
            call_beside_polls(&mut scene.site).await.answer(200, id(2));
        }
        scene.site.play(2).await;
        let (end, ends) = scene.end().await;
        assert_eq!((end, ends.len()), (AccountEnd::Done, 2));
    }
}

#[tokio::test]
async fn a_wrong_secret_ends_the_account_at_once_and_shows_it_nowhere() {
    let mut scene = Scene::mahjong().await;
    scene
        .site
        .poll()
        .await
        .answer(401, format!("no user with {SECRET}"));
    let (end, _) = scene.end().await;
    let AccountEnd::Refused(fault) = end else {
        panic!("{end:?}")
    };
    assert!(
        !fault.to_string().contains("canary") && fault.to_string().contains("arena.user"),
        "{fault}"
    );
}

#[tokio::test]
async fn matches_are_made_against_the_opponents_and_the_own_seat_moves_on() {
    let mut scene = Scene::of::<McrDialect>(with_opponents(2, 2), PATIENCE, false).await;
    let mut seats = Vec::new();
    let mut polls = Vec::new();
    while seats.len() < 2 {
        let call = scene.site.call().await;
        if call.what == "runmatch" {
            assert_eq!(call.headers["x-game"], "Chinese-Standard-Mahjong");
            seats.push(
                (0..4)
                    .find(|seat| call.headers[&format!("x-player-{seat}")] == "me")
                    .expect("the own seat"),
            );
            call.answer(200, id(seats.len() as u8));
        } else {
            polls.push(call);
        }
    }
    assert_eq!(seats, [0, 1]);
    polls
        .pop()
        .expect("it polls meanwhile")
        .ask(&[(1, "0 0 0"), (2, "0 1 0")]);
    let poll = scene.site.poll().await;
    poll.answer(
        200,
        format!("0 2\n{} 0 4 0 0 0 0\n{} 1 4 0 0 0 0", id(1), id(2)),
    );
    let (end, ends) = scene.end().await;
    assert_eq!((end, ends.len()), (AccountEnd::Done, 2));
}

/// The next call that is no poll; polls meanwhile bring nothing.
async fn call_beside_polls(site: &mut FakeSite) -> Call {
    loop {
        let call = site.call().await;
        if call.what != "localai" {
            return call;
        }
        call.answer(504, "");
    }
}

#[tokio::test]
async fn a_match_is_made_when_the_process_has_a_game_to_spare_and_no_sooner() {
    let permits = PermitPool::new(1);
    let goal = with_opponents(1, 1);
    let mut one =
        Scene::with_permits::<McrDialect>(goal.clone(), PATIENCE, false, Some(permits.clone()))
            .await;
    call_beside_polls(&mut one.site).await.answer(200, id(1));
    let mut other =
        Scene::with_permits::<McrDialect>(goal, PATIENCE, false, Some(permits.clone())).await;
    for _ in 0..20 {
        other.site.poll().await.answer(504, "");
    }
    assert!(
        permits.try_take().is_none(),
        "the match has the only permit"
    );
    one.site.play(1).await;
    assert_eq!(one.end().await.0, AccountEnd::Done);
    call_beside_polls(&mut other.site).await.answer(200, id(1));
    other.site.play(1).await;
    assert_eq!(other.end().await.0, AccountEnd::Done);
    assert!(permits.try_take().is_some(), "it was given back");
}

#[tokio::test]
async fn an_account_that_waits_for_matches_polls_only_with_a_free_permit_and_gives_way_to_others() {
    let permits = PermitPool::new(1);
    let goal = AccountGoal {
        games: Some(1),
        matchmaking: None,
    };
    let mut one =
        Scene::with_permits::<McrDialect>(goal.clone(), PATIENCE, false, Some(permits.clone()))
            .await;
    let poll = one.site.poll().await;
    let mut other =
        Scene::with_permits::<McrDialect>(goal, PATIENCE, false, Some(permits.clone())).await;
    // It waits for as long as the other has its turn.
    tokio::time::timeout(PATIENCE.turn, other.site.poll())
        .await
        .err()
        .expect("it does not poll");
    poll.answer(504, "");
    let poll = other.site.poll().await;
    poll.ask(&[(1, "0 0 0")]);
    let poll = other.site.poll().await;
    assert!(
        permits.try_take().is_none(),
        "the match has the only permit"
    );
    poll.end(1, "0 4 0 0 0 0");
    assert_eq!(other.end().await.0, AccountEnd::Done);
    one.site.poll().await.ask(&[(1, "0 0 0")]);
    one.site.poll().await.end(1, "0 4 0 0 0 0");
    assert_eq!(one.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn a_match_that_others_begin_is_played_though_no_permit_is_free() {
    let permits = PermitPool::new(1);
    let goal = AccountGoal {
        games: Some(2),
        matchmaking: None,
    };
    let mut scene =
        Scene::with_permits::<McrDialect>(goal, PATIENCE, false, Some(permits.clone())).await;
    scene.site.poll().await.ask(&[(1, "0 0 0"), (2, "0 1 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(
        (poll.response(1), poll.response(2)),
        (Some("PASS"), Some("PASS"))
    );
    poll.answer(
        200,
        format!("0 2\n{} 0 4 0 0 0 0\n{} 1 4 0 0 0 0", id(1), id(2)),
    );
    assert_eq!(scene.end().await.0, AccountEnd::Done);
    assert!(permits.try_take().is_some(), "it was given back");
}

#[tokio::test]
async fn a_first_request_may_come_before_the_result_of_creating_the_match() {
    let mut scene = Scene::of::<McrDialect>(with_opponents(1, 1), PATIENCE, false).await;
    let (first, second) = (scene.site.call().await, scene.site.call().await);
    let (made, poll) = if first.what == "runmatch" {
        (first, second)
    } else {
        (second, first)
    };
    poll.ask(&[(1, "0 0 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), Some("PASS"));
    made.answer(200, id(1));
    poll.end(1, "0 4 0 0 0 0");
    assert_eq!(scene.end().await.0, AccountEnd::Done);
}

#[tokio::test]
async fn a_site_that_wants_matches_less_often_is_asked_later_and_one_that_makes_none_is_not_asked_again()
 {
    let mut scene = Scene::of::<McrDialect>(with_opponents(1, 1), PATIENCE, false).await;
    let mut refusals = [
        (403, "only one match in 300 seconds"),
        (502, ""),
        (400, "X-Player-1: no bot"),
    ]
    .into_iter();
    let mut polls = Vec::new();
    while refusals.len() > 0 {
        let call = scene.site.call().await;
        match call.what.as_str() {
            "runmatch" => {
                _ = call.answer(
                    refusals.next().map_or(0, |(status, _)| status),
                    "X-Player-1: no bot",
                )
            }
            _ => polls.push(call),
        }
    }
    let (end, _) = scene.end().await;
    let AccountEnd::NoMatches(fault) = end else {
        panic!("{end:?}")
    };
    assert!(fault.to_string().contains("no bot"), "{fault}");
}

#[tokio::test]
async fn a_silent_match_is_aborted() {
    let patience = PollPatience {
        silent_match: Duration::from_millis(200),
        ..PATIENCE
    };
    let goal = AccountGoal {
        games: Some(1),
        matchmaking: None,
    };
    let mut scene = Scene::of::<McrDialect>(goal, patience, false).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    let poll = scene.site.poll().await;
    let call = scene.site.call().await;
    assert_eq!(
        (call.what.as_str(), call.headers["x-matchid"].clone()),
        ("abortmatch", id(1))
    );
    call.answer(200, "aborted");
    poll.ask(&[(2, "0 0 0")]);
    scene.site.poll().await.end(2, "0 4 0 0 0 0");
    let (end, ends) = scene.end().await;
    assert_eq!(end, AccountEnd::Done);
    assert!(
        matches!(&ends[0], MatchEnd::GivenUp(why) if why.starts_with("it was silent for")),
        "{ends:?}"
    );
}

#[tokio::test]
async fn who_is_asked_to_stop_plays_its_matches_to_their_end() {
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), PATIENCE, false).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    let poll = scene.site.poll().await;
    scene.shutdown.request();
    poll.ask(&[(1, DEAL)]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), Some("PASS"));
    poll.end(1, "0 4 0 0 0 0");
    assert_eq!(scene.end().await.0, AccountEnd::Stopped);
}

#[tokio::test]
async fn a_dou_dizhu_match_joined_in_the_middle_is_aborted_when_it_has_to_lead() {
    let goal = AccountGoal {
        games: Some(1),
        matchmaking: None,
    };
    let mut scene = Scene::of::<DouDizhuDialect<false>>(goal, PATIENCE, false).await;
    scene
        .site
        .poll()
        .await
        .ask(&[(1, r#"{"history":[[],[]]}"#)]);
    let (first, second) = (scene.site.call().await, scene.site.call().await);
    let (abort, poll) = if first.what == "abortmatch" {
        (first, second)
    } else {
        (second, first)
    };
    assert_eq!(abort.headers["x-matchid"], id(1));
    abort.answer(200, "");
    poll.ask(&[(2, r#"{"history":[[],[7]]}"#)]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(2), Some("[]"));
    poll.end(2, "2 3 -1 2.5 2.5");
    assert_eq!(
        scene.end().await.1.last(),
        Some(&finished(2, &[-1.0, 2.5, 2.5]))
    );
}

/// The only request that no seat of a match of cards can answer without having heard its beginning.
const MUST_LEAD: &str = r#"{"history":[[],[]]}"#;

fn match_id(number: usize) -> String {
    format!("{number:024x}")
}

#[tokio::test]
async fn a_few_of_many_unplayable_matches_are_aborted_in_turn() {
    const BEGUN: usize = 28_000;
    let mut scene =
        Scene::of::<DouDizhuDialect<false>>(AccountGoal::default(), PATIENCE, false).await;
    let requests = (0..BEGUN).map(|number| format!("{}\n{MUST_LEAD}\n", match_id(number)));
    scene
        .site
        .poll()
        .await
        .answer(200, format!("{BEGUN} 0\n{}", requests.collect::<String>()));
    let (mut polls, mut aborts) = (0, 0);
    let mut open: Option<Call> = None;
    while polls < 200 {
        let call = scene.site.call().await;
        if call.what == "abortmatch" {
            assert!(
                open.replace(call).is_none(),
                "another one is being broken off"
            );
            aborts += 1;
        } else {
            polls += 1;
            call.answer(504, "");
            // Some polls later: others had the time to come.
            if polls % 2 == 0
                && let Some(abort) = open.take()
            {
                abort.answer(200, "");
            }
        }
    }
    assert!((2..=MAX_RESPONSES).contains(&aborts), "{aborts}");
    assert!(scene.ends.lock().expect("no panic").len() <= MAX_RESPONSES);
    // Aborted matches make room.
    let poll = loop {
        let call = scene.site.call().await;
        if call.what == "localai" {
            break call;
        }
        call.answer(200, "");
    };
    poll.ask(&[(255, r#"{"history":[[],[7]]}"#)]);
    let answered = loop {
        let call = scene.site.call().await;
        if call.what == "localai" {
            break call.response(255).map(str::to_owned);
        }
        call.answer(200, "");
    };
    assert_eq!(answered.as_deref(), Some("[]"));
}

#[tokio::test]
async fn results_of_matches_that_are_not_played_here_are_ignored() {
    let mut scene = Scene::mahjong().await;
    for round in 0..3 {
        let results =
            (0..1_000).map(|number| format!("{} 0 4 1 2 3 4\n", match_id(round * 1_000 + number)));
        scene
            .site
            .poll()
            .await
            .answer(200, format!("0 1000\n{}", results.collect::<String>()));
    }
    scene.site.poll().await.ask(&[(1, "0 2 0")]);
    let poll = scene.site.poll().await;
    assert_eq!(poll.response(1), Some("PASS"));
    poll.end(1, "2 4 -8 24 -8 -8");
    assert_eq!(
        scene.end().await,
        (
            AccountEnd::Done,
            vec![finished(2, &[-8.0, 24.0, -8.0, -8.0])]
        )
    );
}

#[tokio::test]
async fn a_poll_carries_no_more_responses_than_fit_a_request() {
    let mut site = FakeSite::start().await;
    let account = site.account.clone();
    let responses: Vec<_> = (0..30_000)
        .map(|number| {
            (
                MatchId::new(&match_id(number)).expect("an id"),
                "PASS".to_owned(),
            )
        })
        .collect();
    let polling = tokio::spawn(async move { account.poll(&responses).await });
    let poll = site.poll().await;
    assert_eq!(poll.headers.len(), MAX_RESPONSES);
    poll.answer(504, "");
    polling.await.expect("no panic").expect("nothing new");
}

#[tokio::test]
async fn the_second_request_to_stop_does_not_wait_for_a_match_that_is_being_aborted() {
    let mut scene =
        Scene::of::<DouDizhuDialect<false>>(AccountGoal::default(), PATIENCE, false).await;
    scene.site.poll().await.ask(&[(1, MUST_LEAD)]);
    let (first, second) = (scene.site.call().await, scene.site.call().await);
    let abort = if first.what == "abortmatch" {
        first
    } else {
        second
    };
    assert_eq!(abort.headers["x-matchid"], id(1));
    scene.shutdown.request();
    scene.shutdown.request();
    let end = tokio::time::timeout(Duration::from_secs(10), scene.playing)
        .await
        .expect("it ends at once");
    assert_eq!(end.expect("no panic"), AccountEnd::Stopped);
    drop(abort);
}

#[tokio::test]
async fn a_site_that_answers_every_poll_at_once_does_not_set_the_pace() {
    const POLLS: u32 = 24;
    let patience = PollPatience {
        shortest_poll: Duration::from_millis(50),
        ..PATIENCE
    };
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), patience, false).await;
    let began = Instant::now();
    for _ in 0..POLLS {
        scene.site.poll().await.end(9, "0 4 1 2 3 4");
    }
    // A few may follow each other at once.
    assert!(
        began.elapsed() >= patience.shortest_poll * (POLLS - 10),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn an_answer_does_not_wait_for_the_pause_after_a_poll_that_brought_nothing() {
    let patience = PollPatience {
        shortest_poll: Duration::from_secs(60),
        ..PATIENCE
    };
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), patience, true).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    scene.site.poll().await.ask(&[(1, DEAL)]);
    scene.site.poll().await.ask(&[(1, "2 W4")]);
    scene.asked.recv().await.expect("it is asked");
    scene.site.poll().await.answer(504, "");
    scene.decide.send(Some(0)).expect("it listens");
    // Within the time that a call may take to come, which is far below the pause.
    let poll = scene.site.poll().await;
    assert!(
        poll.response(1)
            .is_some_and(|text| text.starts_with("PLAY ")),
        "{:?}",
        poll.headers
    );
}

#[tokio::test]
async fn a_secret_that_the_site_repeats_in_its_bodies_is_shown_nowhere() {
    let log = Log::of_this_thread();
    let mut scene = Scene::of::<DouDizhuDialect<false>>(
        AccountGoal {
            games: Some(1),
            matchmaking: None,
        },
        PATIENCE,
        false,
    )
    .await;
    for body in [
        SECRET.to_owned(),
        format!("{}{SECRET}", "x".repeat(24)),
        format!("1 0\n{SECRET}\nx"),
        format!("0 1\n{} {SECRET}", id(1)),
    ] {
        scene.site.poll().await.answer(200, body);
    }
    let request = format!(r#"{{"history":[[],["{}{SECRET}"]]}}"#, "x".repeat(24));
    scene.site.poll().await.ask(&[(1, &request)]);
    loop {
        let call = scene.site.call().await;
        if call.what == "abortmatch" {
            call.answer(400, format!("no match of {SECRET}"));
            break;
        }
        call.answer(504, "");
    }
    scene
        .site
        .poll()
        .await
        .ask(&[(2, r#"{"history":[[],[7]]}"#)]);
    scene.site.poll().await.end(2, "2 3 -1 2.5 2.5");
    let (_, ends) = scene.end().await;
    let shown = format!("{}{ends:?}", log.text());
    assert!(
        shown
            .contains("the body of a poll cannot be read: (not shown, since it repeats the token)"),
        "{shown}"
    );
    // Addresses that `hyper` and the test's own server log are theirs.
    let ours = shown.lines().filter(|line| line.contains(" client::"));
    assert!(ours.clone().count() > 3);
    for line in ours {
        assert!(!line.contains("cana"), "{line}");
    }
    assert!(!format!("{ends:?}").contains("cana"), "{ends:?}");
}

#[tokio::test]
async fn a_match_that_ends_before_an_answer_was_taken_does_not_count_and_the_log_says_so_once() {
    let log = Log::of_this_thread();
    let mut scene = Scene::mahjong().await;
    for number in 1..=3 {
        let lines = format!("{0}\n0 0 0\n{0} 0 4 24 -8 -8 -8", id(number));
        scene.site.poll().await.answer(200, format!("1 1\n{lines}"));
    }
    // An aborted match is no longer ours either.
    scene
        .site
        .poll()
        .await
        .answer(200, format!("1 1\n{0}\n0 0 0\n{0} 0 0", id(4)));
    scene.site.play(5).await;
    let (end, ends) = scene.end().await;
    assert_eq!(end, AccountEnd::Done);
    assert_eq!(ends[..4], [const { MatchEnd::Unanswered }; 4]);
    assert_eq!(ends[4..], [finished(0, &[0.0; 4])]);
    assert_eq!(
        log.text().matches("before it took an answer").count(),
        1,
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn a_match_that_was_made_and_ends_before_its_first_request_does_not_count() {
    let mut scene = Scene::of::<McrDialect>(with_opponents(1, 1), PATIENCE, false).await;
    let (first, second) = (scene.site.call().await, scene.site.call().await);
    let (made, poll) = if first.what == "runmatch" {
        (first, second)
    } else {
        (second, first)
    };
    // The first result comes before the match's id, the second after it.
    poll.end(1, "0 4 24 -8 -8 -8");
    let poll = scene.site.poll().await;
    made.answer(200, id(1));
    poll.answer(504, "");
    call_beside_polls(&mut scene.site).await.answer(200, id(2));
    scene.site.poll().await.end(2, "0 4 24 -8 -8 -8");
    call_beside_polls(&mut scene.site).await.answer(200, id(3));
    scene.site.play(3).await;
    let (end, ends) = scene.end().await;
    let expected = vec![
        MatchEnd::Unanswered,
        MatchEnd::Unanswered,
        finished(0, &[0.0; 4]),
    ];
    assert_eq!((end, ends), (AccountEnd::Done, expected));
}

#[tokio::test]
async fn an_answer_in_flight_when_its_match_continues_or_ends_was_accepted() {
    const FIRST: &str = r#"{"own":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52],"history":[[],[]],"publiccard":[0,1,2]}"#;
    for goes_on in [false, true] {
        let goal = AccountGoal {
            games: Some(1),
            matchmaking: None,
        };
        let mut scene = Scene::of::<DouDizhuDialect<false>>(goal, PATIENCE, true).await;
        scene.site.poll().await.ask(&[(1, FIRST)]);
        let waiting = scene.site.poll().await;
        scene.decide.send(Some(0)).expect("it listens");
        let displacing = scene.site.poll_of(1).await;
        if goes_on {
            waiting.ask(&[(1, MUST_LEAD)]);
            for _ in 0..2 {
                scene.asked.recv().await.expect("it is asked");
            }
            displacing.answer(502, "");
            scene.site.poll().await.end(1, "0 3 2 -1 -1");
        } else {
            waiting.end(1, "0 3 2 -1 -1");
        }
        let (end, ends) = scene.end().await;
        assert_eq!(
            (end, ends),
            (AccountEnd::Done, vec![finished(0, &[2.0, -1.0, -1.0])]),
            "goes on: {goes_on}"
        );
    }
}

#[tokio::test]
async fn after_a_burst_matches_begin_at_their_pace_however_soon_they_end() {
    const EXCESS: u32 = 6;
    let log = Log::of_this_thread();
    let patience = PollPatience {
        begin_every: Duration::from_millis(200),
        ..PATIENCE
    };
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), patience, false).await;
    let began = Instant::now();
    for number in 0..MAX_RESPONSES as u32 + EXCESS {
        scene.site.play(number as u8).await;
    }
    assert!(
        began.elapsed() >= patience.begin_every * (EXCESS - 1),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        log.text().matches("waits or is left alone").count(),
        1,
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn a_match_that_ends_while_it_waits_to_begin_never_begins() {
    let patience = PollPatience {
        begin_every: Duration::from_secs(600),
        ..PATIENCE
    };
    let goal = AccountGoal {
        games: Some(MAX_RESPONSES as u32),
        matchmaking: None,
    };
    let mut scene = Scene::of::<McrDialect>(goal, patience, false).await;
    for number in 1..MAX_RESPONSES as u8 {
        scene.site.play(number).await;
    }
    scene
        .site
        .poll()
        .await
        .ask(&[(100, "0 0 0"), (101, "0 0 0")]);
    let poll = scene.site.poll_of(100).await;
    assert_eq!(poll.response(101), None);
    poll.answer(
        200,
        format!("0 2\n{} 0 4 0 0 0 0\n{} 0 4 0 0 0 0", id(101), id(100)),
    );
    let heard = Arc::clone(&scene.heard);
    let (end, ends) = scene.end().await;
    assert_eq!(
        (end, heard.load(Ordering::Relaxed)),
        (AccountEnd::Done, MAX_RESPONSES)
    );
    assert_eq!(
        ends.iter()
            .filter(|end| **end == MatchEnd::Unanswered)
            .count(),
        1
    );
}

#[tokio::test]
async fn a_result_with_other_seats_than_the_game_has_does_not_count() {
    let mut scene = Scene::mahjong().await;
    for (number, result) in [(1, "0 3 1 2 3"), (2, "4 4 1 2 3 4"), (3, "0 5 1 2 3 4 5")] {
        scene.site.poll().await.ask(&[(number, "0 0 0")]);
        scene.site.poll().await.end(number, result);
    }
    scene.site.play(4).await;
    let (end, ends) = scene.end().await;
    let unread = MatchEnd::GivenUp("its result cannot be read".to_owned());
    assert_eq!(
        (end, &ends[..3]),
        (
            AccountEnd::Done,
            &[unread.clone(), unread.clone(), unread][..]
        )
    );
    assert_eq!(ends[3..], [finished(0, &[0.0; 4])]);
}

#[tokio::test]
async fn a_request_that_is_longer_than_any_breaks_its_match_off_and_begins_none() {
    let mut scene = Scene::mahjong().await;
    let long = "2 W1,".repeat(1_000);
    scene.site.poll().await.ask(&[(1, "0 0 0"), (2, &long)]);
    let poll = scene.site.poll().await;
    assert_eq!((poll.response(1), poll.response(2)), (Some("PASS"), None));
    poll.ask(&[(1, &long)]);
    let (first, second) = (scene.site.call().await, scene.site.call().await);
    let (abort, poll) = if first.what == "abortmatch" {
        (first, second)
    } else {
        (second, first)
    };
    assert_eq!(abort.headers["x-matchid"], id(1));
    abort.answer(200, "");
    poll.answer(504, "");
    scene.site.play(3).await;
    let (end, ends) = scene.end().await;
    assert_eq!((end, ends.len()), (AccountEnd::Done, 2));
    assert_eq!(
        ends[0],
        MatchEnd::GivenUp("a request has 5000 bytes, and none has more than 4096".to_owned())
    );
}

#[tokio::test]
async fn the_requests_read_of_one_poll_are_limited_and_an_endless_match_is_aborted() {
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), PATIENCE, false).await;
    scene.site.poll().await.ask(&[(1, "0 0 0")]);
    let tiles = ["W1", "W2"]
        .into_iter()
        .cycle()
        .map(|tile| format!("3 1 PLAY {tile}"));
    let requests: Vec<String> = tiles.take(2_000).collect();
    let requests: Vec<(u8, &str)> = requests.iter().map(|text| (1, text.as_str())).collect();
    scene.site.poll().await.ask(&requests);
    let mut poll = scene.site.poll().await;
    assert_eq!(scene.heard.load(Ordering::Relaxed), 1 + 256);
    let abort = loop {
        assert!(scene.heard.load(Ordering::Relaxed) <= 1_000);
        poll.ask(&requests);
        poll = scene.site.call().await;
        if poll.what == "abortmatch" {
            break poll;
        }
    };
    assert_eq!(
        (
            abort.headers["x-matchid"].clone(),
            scene.heard.load(Ordering::Relaxed)
        ),
        (id(1), 1_000)
    );
}

#[tokio::test]
async fn while_bodies_cannot_be_read_the_pause_between_polls_doubles() {
    let patience = PollPatience {
        first_wait: Duration::from_millis(50),
        longest_wait: Duration::from_secs(5),
        shortest_poll: Duration::from_millis(1),
        ..PATIENCE
    };
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), patience, false).await;
    let began = Instant::now();
    for _ in 0..5 {
        scene.site.poll().await.answer(200, "<html>");
    }
    // Each is shortened by up to a fifth.
    assert!(
        began.elapsed() >= patience.first_wait * (1 + 2 + 4 + 8) * 4 / 5,
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn after_a_long_body_the_next_poll_waits_even_with_an_answer() {
    const RESULTS: usize = 30_000;
    let mut scene = Scene::of::<McrDialect>(AccountGoal::default(), PATIENCE, false).await;
    let results: String = (1_000..1_000 + RESULTS)
        .map(|number| format!("{} 0 0\n", match_id(number)))
        .collect();
    let began = Instant::now();
    for number in 0..5 {
        scene.site.poll().await.answer(
            200,
            format!("1 {RESULTS}\n{}\n0 0 0\n{results}", id(number)),
        );
    }
    // Four megabytes a second, and the last of them is not waited for.
    let pause = Duration::from_nanos(250) * results.len() as u32;
    assert!(
        began.elapsed() >= pause * 4,
        "{:?} of {:?}",
        began.elapsed(),
        pause * 4
    );
}

#[tokio::test]
async fn who_waits_for_matches_gives_way_to_others_whatever_the_site_answers() {
    let results: String = format!("0 1\n{} 0 4 0 0 0 0", id(9));
    for (status, body) in [(200, results.as_str()), (200, "<html>"), (502, "")] {
        let permits = PermitPool::new(1);
        let goal = AccountGoal {
            games: Some(1),
            matchmaking: None,
        };
        let mut one =
            Scene::with_permits::<McrDialect>(goal.clone(), PATIENCE, false, Some(permits.clone()))
                .await;
        let mut poll = one.site.poll().await;
        let mut other =
            Scene::with_permits::<McrDialect>(goal, PATIENCE, false, Some(permits)).await;
        let began = Instant::now();
        let given = loop {
            poll.answer(status, body);
            tokio::select! {
                next = one.site.poll() => poll = next,
                given = other.site.poll() => break given,
            }
            assert!(
                began.elapsed() < Duration::from_secs(10),
                "{status} {body}: the other never has its turn"
            );
        };
        given.answer(504, "");
    }
}

#[tokio::test]
async fn matches_that_others_begin_take_no_more_permits_than_the_config_wants_matches() {
    let permits = PermitPool::new(4);
    let waits = AccountGoal {
        games: None,
        matchmaking: None,
    };
    for (goal, most) in [(waits, 1), (with_opponents(9, 2), 2)] {
        let mut scene =
            Scene::with_permits::<McrDialect>(goal, PATIENCE, false, Some(permits.clone())).await;
        let poll = loop {
            let call = scene.site.call().await;
            if call.what == "localai" {
                break call;
            }
            call.answer(502, "");
        };
        poll.ask(&[(1, "0 0 0"), (2, "0 0 0"), (3, "0 0 0"), (4, "0 0 0")]);
        let poll = scene.site.poll_of(4).await;
        assert_eq!(
            (poll.response(1), poll.response(4)),
            (Some("PASS"), Some("PASS"))
        );
        let free: Vec<_> = std::iter::from_fn(|| permits.try_take()).collect();
        assert_eq!(free.len(), 4 - most);
        scene.playing.abort();
        let _ = scene.playing.await;
    }
}
