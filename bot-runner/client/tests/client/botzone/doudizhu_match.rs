//! Matches of Dou Dizhu as a seat hears of them.

use std::time::Instant;

use client::session::botzone::{
    DouDizhuMatch, MatchDialect, RequestOutcome, end_line, record_lines,
};
use doudizhu::game::DouDizhuAnswer;
use doudizhu::{Card, CardSet, DouDizhuDeal, DouDizhuGame, DouDizhuRules, DouDizhuSeat};
use protocol::botzone::{DouDizhuResponse, doudizhu_response, parse_doudizhu_response};
use protocol::game_record::{DouDizhuRecordForm, GameOutcome, RecordedGame};

/// Plays a game whose three seats know only their requests. Each seat answers by `choose`, which
/// gets the number of legal actions.
fn play(seed: u64, mut choose: impl FnMut(usize) -> usize) -> u32 {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    rng.shuffle(&mut order);
    let deal = DouDizhuDeal::of_order(&order);
    let mut game = DouDizhuGame::new(deal, DouDizhuRules::FIXED);
    let mut matches = [
        DouDizhuMatch::default(),
        DouDizhuMatch::default(),
        DouDizhuMatch::default(),
    ];
    let (mut first, mut repeated) = ([true; 3], 0);
    let mut records = [const { (0, Vec::new()) }; 3];
    let mut plays: Vec<CardSet> = vec![CardSet::EMPTY; 2];
    while let Some(seat) = game.asked() {
        let history = [plays[plays.len() - 2], plays[plays.len() - 1]]
            .map(doudizhu_response)
            .join(",");
        let heard = &mut matches[seat.index()];
        let text = if std::mem::take(&mut first[seat.index()]) {
            let (own, public) = (
                doudizhu_response(game.hand(seat)),
                doudizhu_response(deal.public()),
            );
            format!("{{\"own\":{own},\"history\":[{history}],\"publiccard\":{public}}}")
        } else {
            format!("{{\"history\":[{history}]}}")
        };
        let response = match heard.hear(&text, Instant::now()) {
            Ok(RequestOutcome::Forced(text)) => text,
            Ok(RequestOutcome::Open { may_be_repeated }) => {
                repeated += u32::from(may_be_repeated);
                assert_eq!(
                    heard.hear(&text, Instant::now()),
                    Ok(RequestOutcome::Repeated),
                    "a question is open"
                );
                let legal = heard.legal().expect("it is open").to_vec();
                assert_eq!(legal, game.legal_actions(), "game {seed}");
                heard.answer(Some(choose(legal.len()))).expect("an answer")
            }
            other => panic!("{other:?}"),
        };
        heard.sent(1);
        let (kept, lines) = &mut records[seat.index()];
        lines.extend(record_lines(&heard.dialect, kept, false));
        heard.taken(1);
        let Ok(DouDizhuResponse::Cards(cards)) = parse_doudizhu_response(&response) else {
            panic!("{response}")
        };
        let numbers: Vec<i64> = cards.iter().map(|card| i64::from(card.number())).collect();
        game.answer(DouDizhuAnswer::Cards(&numbers))
            .expect("every answer is legal");
        plays.push(cards);
    }
    for (heard, (mut kept, mut lines)) in matches.iter().zip(records) {
        assert_eq!(heard.dialect.desyncs().count, 0, "game {seed}");
        lines.extend(record_lines(&heard.dialect, &mut kept, true));
        let scores = game.scores().expect("it is over");
        lines.push(end_line(&heard.dialect, scores.to_vec()));
        let recorded = RecordedGame::<DouDizhuRecordForm>::read(&lines.join("\n"));
        let (events, left) = (game.events(), game.events().len() - recorded.events.len());
        assert_eq!(
            (recorded.broken, &recorded.events[..]),
            (None, &events[..events.len() - left]),
            "game {seed}"
        );
        assert!(
            left <= 2,
            "game {seed}: only what others did last is not heard, and {left} events are missing"
        );
        assert_eq!(recorded.deals.iter().flatten().count(), 1);
        let round = game.round();
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
    repeated
}

#[test]
fn a_seat_knows_its_table_from_the_requests_alone_and_every_answer_is_legal() {
    let mut rng = fastrand::Rng::with_seed(7);
    for seed in 0..200 {
        play(seed, |legal| rng.usize(0..legal));
    }
}

#[test]
fn a_seat_that_leads_repeatedly_gets_the_same_question_each_time() {
    let mut rng = fastrand::Rng::with_seed(7);
    let again: u32 = (0..100)
        .map(|seed| play(seed, |legal| if rng.u8(0..4) > 0 { 0 } else { legal - 1 }))
        .sum();
    assert!(again > 20, "{again}");
}

/// A landlord's first request: it holds all fours from three to seven.
fn landlord() -> DouDizhuMatch {
    let mut heard = DouDizhuMatch::default();
    let own: CardSet = (0..20).filter_map(Card::new).collect();
    let text = format!(
        "{{\"own\":{},\"history\":[[],[]],\"publiccard\":[0,1,2]}}",
        doudizhu_response(own)
    );
    assert_eq!(
        heard.hear(&text, Instant::now()),
        Ok(RequestOutcome::Open {
            may_be_repeated: false
        })
    );
    assert_eq!(heard.answer(None).as_deref(), Some("[0]"));
    heard.sent(1);
    heard.taken(1);
    heard
}

const LEAD: &str = r#"{"history":[[],[]]}"#;
const OPEN: Result<RequestOutcome, client::session::botzone::LostMatch> =
    Ok(RequestOutcome::Open {
        may_be_repeated: false,
    });
const MAYBE: Result<RequestOutcome, client::session::botzone::LostMatch> =
    Ok(RequestOutcome::Open {
        may_be_repeated: true,
    });

fn held(heard: &DouDizhuMatch) -> u8 {
    heard.dialect.table().expect("a table").hand().len()
}

#[test]
fn a_lead_that_is_asked_for_before_the_last_answer_was_taken_is_the_old_one_repeated() {
    let mut heard = landlord();
    assert_eq!(
        heard.hear(LEAD, Instant::now()),
        OPEN,
        "the first request has more in it"
    );
    heard.answer(None);
    assert_eq!(
        heard.hear(LEAD, Instant::now()),
        Ok(RequestOutcome::Repeated)
    );
    heard.sent(1);
    heard.send_again(1, Instant::now());
    assert_eq!(
        heard.hear(LEAD, Instant::now()),
        Ok(RequestOutcome::Repeated)
    );
    heard.sent(2);
    heard.taken(2);
    assert_eq!(heard.hear(LEAD, Instant::now()), MAYBE);
}

#[test]
fn another_request_before_the_answer_shows_that_a_lead_was_the_old_one_repeated() {
    let mut heard = landlord();
    heard.hear(LEAD, Instant::now()).expect("it is heard");
    heard.answer(None);
    heard.sent(1);
    heard.taken(1);
    assert_eq!(
        (heard.hear(LEAD, Instant::now()), held(&heard)),
        (MAYBE, 18)
    );
    // Seat 1 played a four higher than any card of ours after our second lead.
    assert_eq!(
        (
            heard.hear(r#"{"history":[[20],[]]}"#, Instant::now()),
            held(&heard)
        ),
        (OPEN, 18)
    );
    assert_eq!(heard.dialect.desyncs().count, 0);
}

#[test]
fn an_answer_to_a_lead_that_was_repeated_is_forgotten_when_the_game_shows_that_it_never_counted() {
    let mut heard = landlord();
    heard.hear(LEAD, Instant::now()).expect("it is heard");
    heard.answer(None);
    heard.sent(1);
    heard.taken(1);
    assert_eq!(heard.hear(LEAD, Instant::now()), MAYBE);
    let last = heard.legal().expect("it is open").len() - 1;
    assert_ne!(
        heard.answer(Some(last)).as_deref(),
        Some("[2]"),
        "something that no single card beats"
    );
    heard.sent(1);
    heard.taken(1);
    assert_eq!(
        (
            heard.hear(r#"{"history":[[20],[]]}"#, Instant::now()),
            held(&heard)
        ),
        (OPEN, 18)
    );
}

#[test]
fn a_match_that_is_joined_in_its_middle_is_passed_and_given_up_when_it_has_to_lead() {
    let mut heard = DouDizhuMatch::default();
    assert_eq!(
        heard.hear(r#"{"history":[[],[20]]}"#, Instant::now()),
        Ok(RequestOutcome::Forced("[]".to_owned()))
    );
    let lost = heard
        .hear(LEAD, Instant::now())
        .expect_err("it cannot be played");
    assert!(
        lost.0
            .starts_with("it is our turn to lead, and our cards are not known"),
        "{lost}"
    );
}

#[test]
fn the_seat_follows_from_the_first_request() {
    let hand = |from: u8| doudizhu_response((from..from + 17).filter_map(Card::new).collect());
    for (history, seat) in [("[],[53]", 1), ("[53],[]", 2)] {
        let mut heard = DouDizhuMatch::default();
        let text = format!(
            "{{\"own\":{},\"history\":[{history}],\"publiccard\":[50,51,52]}}",
            hand(0)
        );
        heard.hear(&text, Instant::now()).expect("it is heard");
        assert_eq!(
            heard
                .dialect
                .table()
                .expect("a table")
                .seat()
                .map(DouDizhuSeat::index),
            Some(seat)
        );
    }
}
