//! Matches of Dou Dizhu with bidding (`FightTheLandlord2`): as a seat hears of them, and through an
//! account on a real socket.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use client::bot::polling::{
    AccountEnd, AccountGoal, BotzoneAccount, MatchEvent, MatchPlayer, PollPatience,
};
use client::session::botzone::{
    BiddingMatch, DouDizhuDialect, DouDizhuMatch, Match, MatchDialect, McrMatch, RequestOutcome,
    end_line, record_lines,
};
use client::shutdown::Shutdown;
use doudizhu::{DouDizhuAction, DouDizhuEvent, DouDizhuSeat};
use doudizhu_split::SplitEffort;
use policy_host::SeatEvent;
use protocol::botzone::MatchId;
use protocol::game_record::{DouDizhuRecordForm, GameOutcome, RecordedGame};

use crate::common::bidding_judge::BiddingJudge;
use crate::common::botzone_site::{FakeSite, decision, id};

/// Plays a game whose three seats know only their requests, and answer by `choose`. Seats from
/// `late` on hear nothing of the bidding. Returns the bids.
fn play(seed: u64, late: usize, mut choose: impl FnMut(&[DouDizhuAction]) -> usize) -> Vec<u8> {
    let mut judge = BiddingJudge::new(seed);
    let mut matches = [const { None::<BiddingMatch> }; 3];
    let mut records = [const { (0, Vec::new()) }; 3];
    while let Some((seat, text)) = judge.request() {
        if judge.game.round().landlord().is_none() && seat >= late {
            judge.take(if judge.game.round().highest_bid() == 0 {
                "1"
            } else {
                "0"
            });
            continue;
        }
        let heard = matches[seat].get_or_insert_default();
        let response = match heard.hear(&text, Instant::now()) {
            Ok(RequestOutcome::Forced(text)) => text,
            Ok(RequestOutcome::Open { .. }) => {
                assert_eq!(
                    heard.hear(&text, Instant::now()),
                    Ok(RequestOutcome::Repeated),
                    "a question is open"
                );
                let legal = heard.legal().expect("it is open").to_vec();
                assert_eq!(legal, judge.game.legal_actions(), "game {seed}");
                heard.answer(Some(choose(&legal))).expect("an answer")
            }
            other => panic!("{other:?}"),
        };
        heard.sent(1);
        let (kept, lines) = &mut records[seat];
        lines.extend(record_lines(&heard.dialect, kept, false));
        heard.taken(1);
        judge.take(&response);
    }
    for (seat, (heard, (mut kept, mut lines))) in
        DouDizhuSeat::all().zip(matches.iter().zip(records))
    {
        let Some(heard) = heard else { continue };
        assert_eq!(heard.dialect.desyncs().count, 0, "game {seed}");
        lines.extend(record_lines(&heard.dialect, &mut kept, true));
        let scores = judge.game.scores().expect("it is over");
        lines.push(end_line(&heard.dialect, scores.to_vec()));
        let recorded = RecordedGame::<DouDizhuRecordForm>::read(&lines.join("\n"));
        let told = judge.events_for(seat);
        let left = told.len() - recorded.events.len();
        let is_bid = |event: &DouDizhuEvent| matches!(event, DouDizhuEvent::Bid { .. });
        if seat.index() < late {
            assert_eq!(
                (recorded.broken, &recorded.events[..]),
                (None, &told[..told.len() - left]),
                "game {seed}"
            );
        } else {
            assert!(
                recorded.events.iter().any(is_bid),
                "the landlord's bid is sent"
            );
        }
        assert!(
            left <= 2,
            "game {seed}: only what others did last is not heard, and {left} events are missing"
        );
        assert_eq!(recorded.deals.iter().flatten().count(), 1);
        let round = judge.game.round();
        match recorded.end.and_then(|end| end.outcome) {
            Some(GameOutcome::LastCard {
                landlord,
                landlord_won,
                ..
            }) => {
                assert_eq!(
                    round.landlord().map(DouDizhuSeat::index),
                    Some(landlord),
                    "game {seed}"
                );
                assert_eq!(
                    round.winner() == round.landlord(),
                    landlord_won,
                    "game {seed}"
                );
            }
            other => panic!("game {seed}: {other:?}"),
        }
    }
    judge.game.round().bids().to_vec()
}

#[test]
fn a_seat_knows_its_table_from_the_requests_alone_and_every_bid_and_play_is_legal() {
    let mut rng = fastrand::Rng::with_seed(7);
    let ends: std::collections::HashSet<Vec<u8>> = (0..300)
        .map(|seed| play(seed, 3, |legal| rng.usize(0..legal.len())))
        .collect();
    assert!(
        ends.contains(&vec![0, 0, 0]) && ends.contains(&vec![0, 1, 2]) && ends.contains(&vec![3]),
        "{ends:?}"
    );
}

#[test]
fn a_seat_that_never_heard_the_bidding_plays_from_its_first_request_to_play_on() {
    let mut rng = fastrand::Rng::with_seed(8);
    for seed in 0..100 {
        play(seed, 0, |legal| rng.usize(0..legal.len()));
        play(seed, 1, |legal| rng.usize(0..legal.len()));
    }
}

const OWN: &str = "0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41";

fn bid(bids: &str) -> String {
    format!("{{\"own\":[{OWN}],\"bid\":[{bids}]}}")
}

fn first(own: &str, history: &str, landlord: u8, pos: u8, final_bid: u8) -> String {
    format!(
        "{{\"history\":{history},\"own\":[{own}],\"publiccard\":[3,52,53],\"landlord\":{landlord},\"pos\":{pos},\
         \"finalbid\":{final_bid}}}"
    )
}

/// A match in which this was bid for the own seat after these bids, and taken.
fn after_bid(bids: &str, own: usize) -> BiddingMatch {
    let mut heard = BiddingMatch::default();
    assert_eq!(
        heard.hear(&bid(bids), Instant::now()),
        Ok(RequestOutcome::Open {
            may_be_repeated: false
        })
    );
    assert!(heard.answer(Some(own)).is_some());
    heard.sent(1);
    heard.taken(1);
    heard
}

#[test]
fn a_bid_is_a_bare_number_and_the_safe_one_is_none() {
    let mut heard = BiddingMatch::default();
    heard
        .hear(&bid("0,1"), Instant::now())
        .expect("it is heard");
    assert_eq!(
        heard.legal(),
        Some(
            &[
                DouDizhuAction::Bid(0),
                DouDizhuAction::Bid(2),
                DouDizhuAction::Bid(3)
            ][..]
        )
    );
    assert_eq!(heard.answer(Some(1)).as_deref(), Some("2"));
    let mut heard = BiddingMatch::default();
    heard.hear(&bid("2"), Instant::now()).expect("it is heard");
    assert_eq!(
        (heard.safe(), heard.answer(None).as_deref()),
        (Some(0), Some("0"))
    );
}

#[test]
fn the_landlord_takes_the_public_cards_and_leads_with_twenty() {
    let mut heard = after_bid("0,1", 2);
    let lead = first(OWN, "[[],[]]", 2, 2, 3);
    assert_eq!(
        heard.hear(&lead, Instant::now()),
        Ok(RequestOutcome::Open {
            may_be_repeated: false
        })
    );
    let table = heard.dialect.table().expect("a table");
    assert_eq!(
        (
            table.hand().len(),
            table.round().bids(),
            table.round().highest_bid()
        ),
        (20, &[0, 1, 3][..], 3)
    );
    assert!(table.round().rules().bidding && table.round().rules().shuttle_wings == 2);
}

#[test]
fn a_bid_of_another_that_is_not_sent_counts_as_none() {
    let mut heard = after_bid("", 0);
    heard
        .hear(&first(OWN, "[[],[52]]", 2, 0, 3), Instant::now())
        .expect("it is heard");
    assert_eq!(
        heard.dialect.table().expect("a table").round().bids(),
        [0, 0, 3]
    );
    assert_eq!(heard.dialect.desyncs().count, 0);
}

#[test]
fn an_end_of_the_bidding_that_contradicts_the_bids_is_a_desync_that_names_it() {
    let mut heard = after_bid("0,2", 0);
    let answered = heard.hear(&first(OWN, "[[52],[]]", 1, 2, 3), Instant::now());
    assert_eq!(
        answered,
        Ok(RequestOutcome::Forced("[]".to_owned())),
        "there is something to beat"
    );
    let desyncs = heard.dialect.desyncs();
    let words = Some("`finalbid` is 3, and the highest bid known is 2");
    assert_eq!((desyncs.count, desyncs.first.as_deref()), (1, words));
    let lost = after_bid("", 3)
        .hear(&first(OWN, "[[],[]]", 1, 0, 3), Instant::now())
        .expect_err("it leads without its cards");
    assert!(lost.0.contains("seat 1 is not the landlord"), "{lost}");
}

#[test]
fn a_match_of_another_game_is_given_up_with_the_games_names_and_the_remedy() {
    let lead =
        format!("{{\"own\":[{OWN},44,48,49],\"history\":[[],[]],\"publiccard\":[44,48,49]}}");
    let bids = bid("");
    let starts = first(OWN, "[[],[]]", 0, 0, 1);
    let cases: [(Box<dyn MatchDialectOf>, &[&str], &str); 3] = [
        (
            Box::new(McrMatch::default()),
            &[&lead, &bids, &starts, "{\"history\":[[],[]]}"],
            "the config says game = \"chinese-standard\" (Chinese-Standard-Mahjong); set arena.game to \"doudizhu",
        ),
        (
            Box::new(DouDizhuMatch::default()),
            &[&bids, &starts],
            "the request is of FightTheLandlord2, and the config says game = \"doudizhu\" (FightTheLandlord); set arena.game to \
             \"doudizhu-bidding\"",
        ),
        (
            Box::new(BiddingMatch::default()),
            &[&lead],
            "the request is of FightTheLandlord, and the config says game = \"doudizhu-bidding\" (FightTheLandlord2); set \
             arena.game to \"doudizhu\"",
        ),
    ];
    for (mut heard, requests, words) in cases {
        for request in requests {
            let lost = heard.lost(request);
            assert!(lost.contains(words), "{lost}");
        }
    }
    for request in ["0 0 0", "\"0 0 0\"", "2 W1"] {
        let words =
            "the request is of Chinese-Standard-Mahjong, and the config says game = \"doudizhu";
        assert!(DouDizhuMatch::default().lost(request).starts_with(words));
        assert!(BiddingMatch::default().lost(request).starts_with(words));
    }
}

/// A match of any game that cannot be played.
trait MatchDialectOf {
    /// Why.
    fn lost(&mut self, request: &str) -> String;
}

impl<D: MatchDialect> MatchDialectOf for Match<D> {
    fn lost(&mut self, request: &str) -> String {
        self.hear(request, Instant::now())
            .expect_err("it is of another game")
            .0
    }
}

/// `doudizhu-split` as a player of matches.
struct SplitPlayer(Option<Option<usize>>);

impl MatchPlayer<DouDizhuDialect<true>> for SplitPlayer {
    fn ask(&mut self, _: &MatchId, heard: &BiddingMatch, _: Instant) -> Result<(), String> {
        let (table, legal) = (
            heard.dialect.table().expect("a table"),
            heard.legal().expect("it is open"),
        );
        self.0 = Some(
            doudizhu_split::decide(table, legal, &SplitEffort::DEFAULT)
                .map(|decision| decision.index),
        );
        Ok(())
    }

    async fn next(&mut self, _in_match: bool) -> SeatEvent {
        match self.0.take() {
            Some(choice) => decision(choice),
            None => std::future::pending().await,
        }
    }

    fn withdraw(&mut self) {
        self.0 = None;
    }

    fn happened(&mut self, _: &MatchId, what: MatchEvent<'_, DouDizhuDialect<true>>) {
        if let MatchEvent::Ended { played, .. } = what {
            assert_eq!(played.dialect.desyncs().count, 0);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_with_bidding_through_an_account_have_no_illegal_answer() {
    let games = 100;
    let mut site = FakeSite::start().await;
    let patience = PollPatience {
        linger: Duration::ZERO,
        repeat: Duration::from_millis(20),
        begin_every: Duration::ZERO,
        ..PollPatience::default()
    };
    let goal = AccountGoal {
        games: Some(games),
        matchmaking: None,
    };
    let mut account = BotzoneAccount::new(site.account.clone(), SplitPlayer(None), patience, goal);
    let playing = tokio::spawn(async move { account.play(&Shutdown::default()).await });
    let mut rng = fastrand::Rng::with_seed(9);
    let (mut begun, mut finished) = (0_u8, 0);
    // The matches that are on, each with the account's seat and whether its response is awaited.
    let mut matches: HashMap<u8, (BiddingJudge, usize, bool)> = HashMap::new();
    let mut landlords = 0;
    while finished < games {
        let poll = site.poll().await;
        let (mut requests, mut results) = (Vec::new(), Vec::new());
        while matches.len() < 8 && u32::from(begun) < games {
            matches.insert(
                begun,
                (BiddingJudge::new(begun.into()), rng.usize(0..3), false),
            );
            begun += 1;
        }
        for (&number, (judge, own, waits)) in &mut matches {
            if *waits {
                let Some(response) = poll.response(number) else {
                    continue;
                };
                judge.take(response);
                *waits = false;
            }
            loop {
                match judge.request() {
                    None => {
                        landlords += u32::from(
                            judge.game.round().landlord().map(DouDizhuSeat::index) == Some(*own),
                        );
                        results.push((number, judge.result(*own)));
                        break;
                    }
                    Some((seat, request)) if seat == *own => {
                        requests.push((number, request));
                        *waits = true;
                        break;
                    }
                    // The others bid and play anything that is legal.
                    Some(_) => {
                        let legal = judge.game.legal_actions();
                        let choice = rng.usize(0..legal.len());
                        judge.game.act(legal[choice]).expect("it is legal");
                    }
                }
            }
        }
        for (number, _) in &results {
            matches.remove(number);
        }
        finished += results.len() as u32;
        if requests.is_empty() && results.is_empty() {
            poll.answer(504, "");
            continue;
        }
        let mut body = format!("{} {}\n", requests.len(), results.len());
        for (number, request) in requests {
            body += &format!("{}\n{request}\n", id(number));
        }
        for (number, result) in results {
            body += &format!("{} {result}\n", id(number));
        }
        poll.answer(200, body);
    }
    let end = tokio::time::timeout(Duration::from_secs(60), playing)
        .await
        .expect("it ends")
        .expect("no panic");
    assert_eq!(end, AccountEnd::Done);
    assert!(landlords > 0 && landlords < games, "{landlords} of {games}");
}
