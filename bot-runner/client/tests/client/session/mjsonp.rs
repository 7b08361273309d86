//! The original mjai protocol: one reply to every line, and each as strict as the server wants it.

use client::session::desync::DesyncKind;
use client::session::mjsonp::MjsonpSession;
use client::session::{Dialect, SessionEnd, SessionStep};
use foreign_text::ForeignText;
use riichi::{Action, Event, Rules};
use serde_json::{Value, json};

use crate::common::frames::*;
use crate::session::player::{reach, seat, throw};

/// With 3s drawn, throwing E waits for 1s and 4s, throwing 1s for E.
const ALMOST: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 1s 2s E";

/// A session that hears lines.
struct Client(MjsonpSession);

impl Client {
    /// In a game on seat 1, dealt this hand; the dealer has drawn.
    fn dealt(hand: &str) -> Self {
        let mut client = Self(MjsonpSession::new("kuma", "default", Rules::TENHOU_HALF));
        let mut start = start_kyoku(SEAT, hand);
        start.as_object_mut().expect("an object").remove("scores");
        client.pass_all([
            json!({"type": "start_game", "id": SEAT, "names": ["a", "kuma", "c", "d"]}),
            start,
        ]);
        client.pass_all([tsumo(0, "?")]);
        client
    }

    /// We have drawn a tile after a discard of the dealer's, and may do these things besides
    /// discarding.
    fn drawn(hand: &str, pai: &str, possible: Value) -> (Self, Vec<Action>) {
        let mut client = Self::dealt(hand);
        client.pass_all([with(dahai(0, "N", false), "possible_actions", json!([]))]);
        let legal = client.asked(&with(tsumo(SEAT, pai), "possible_actions", possible));
        (client, legal)
    }

    /// The outcome of a line: the reply, if there is one at once, and whether a decision is needed.
    fn hear(&mut self, line: &Value) -> (Option<Value>, bool) {
        let (mut reply, mut asked) = (None, false);
        for step in self.0.hear(&line.to_string()) {
            match step {
                SessionStep::Reply(text) => {
                    assert!(reply.is_none(), "one reply to a line");
                    reply = Some(serde_json::from_str(&text).expect("a reply is JSON"));
                }
                SessionStep::Ask => asked = true,
                SessionStep::Happened(_) | SessionStep::Rebuilt(_) | SessionStep::Ended(_) => {}
            }
        }
        assert!(
            reply.is_some() != asked,
            "{line}: every line is answered or asks"
        );
        (reply, asked)
    }

    #[track_caller]
    fn replied(&mut self, line: &Value) -> Value {
        self.hear(line).0.unwrap_or_else(|| panic!("{line} asks"))
    }

    /// Hears lines that leave nothing to do.
    #[track_caller]
    fn pass_all(&mut self, lines: impl IntoIterator<Item = Value>) {
        for line in lines {
            assert_eq!(self.replied(&line), json!({"type": "none"}), "{line}");
        }
    }

    #[track_caller]
    fn asked(&mut self, line: &Value) -> Vec<Action> {
        assert!(self.hear(line).1, "{line} asks nothing");
        self.0
            .game
            .question()
            .expect("something is asked")
            .legal
            .to_vec()
    }

    #[track_caller]
    fn choose(&mut self, wanted: Action) -> Value {
        let question = self.0.game.question().expect("something is asked");
        let index = question.legal.iter().position(|&action| action == wanted);
        assert!(
            index.is_some(),
            "{wanted:?} is not a choice of {:?}",
            question.legal
        );
        let reply = self.0.answer(index).expect("the request is open");
        serde_json::from_str(&reply).expect("a reply is JSON")
    }

    fn desyncs(&mut self) -> u32 {
        self.0.review();
        self.0.game.desyncs.total()
    }
}

fn with(mut line: Value, key: &str, value: Value) -> Value {
    line[key] = value;
    line
}

#[test]
fn words_before_a_game_are_a_refusal_and_in_it_the_end_of_it() {
    let mut session = MjsonpSession::new("kuma", "default", Rules::TENHOU_HALF);
    let error =
        json!({"type": "error", "message": "The room is busy. Retry after a while."}).to_string();
    let refused = SessionStep::Ended(SessionEnd::Refused(ForeignText::new(
        "The room is busy. Retry after a while.",
        None,
    )));
    let none = || SessionStep::Reply(r#"{"type":"none"}"#.to_owned());
    assert_eq!(session.hear(&error).as_slice(), [none(), refused]);

    let mut client = Client::dealt(PLAIN);
    let message = "Error in player 1's response: tsumogiri";
    let steps = client
        .0
        .hear(&json!({"type": "error", "message": message}).to_string());
    let aborted = SessionStep::Ended(SessionEnd::Aborted {
        words: ForeignText::new(message, None),
        by_us: true,
    });
    assert_eq!(steps.as_slice(), [none(), aborted]);
    assert_eq!(client.0.game.acks.rejected, 1, "player 1 is ours");
}

#[test]
fn every_line_that_leaves_nothing_to_do_is_answered_none() {
    let mut client = Client::dealt(PLAIN);
    client.pass_all([
        with(dahai(0, "N", false), "possible_actions", json!([])),
        json!({"type": "something_new", "id": 3}),
        json!({"type": "hora", "actor": 2, "target": 0, "pai": "N", "hora_tehais": [], "uradora_markers": ["1m"],
            "yakus": [["reach", 1]], "fu": 40, "fan": 1, "hora_points": 1300, "deltas": [-1300, 0, 1300, 0],
            "scores": [23700, 25000, 26300, 25000]}),
        end_kyoku(),
    ]);
    let steps = client
        .0
        .hear(r#"{"type":"end_game","scores":[23700,25000,26300,25000]}"#);
    let [
        SessionStep::Reply(none),
        SessionStep::Happened(Event::EndGame { .. }),
        SessionStep::Ended(SessionEnd::Game),
    ] = &steps[..]
    else {
        panic!("{steps:?}")
    };
    assert_eq!(none, r#"{"type":"none"}"#);
    assert_eq!(
        client.0.game.final_scores().expect("the game is over")[seat(2)],
        26_300
    );
    assert_eq!(client.desyncs(), 0);
}

#[test]
fn a_blank_line_is_ignored() {
    let mut client = Client::dealt(PLAIN);
    for blank in ["", " ", "\r", "\t \r\n"] {
        assert_eq!(client.0.hear(blank), [], "{blank:?}");
    }
    assert_eq!(
        (client.0.game.unreadable, client.0.game.desyncs.total()),
        (0, 0)
    );
}

#[test]
fn a_line_that_cannot_be_read_is_answered_too() {
    let mut client = Client::dealt(PLAIN);
    client.pass_all([json!({"type": "dahai", "actor": 0, "pai": "9z", "tsumogiri": false})]);
    assert_eq!((client.0.game.unreadable, client.desyncs()), (1, 1));
    // The table is not reliable: the drawn tile is discarded, and a listed win is taken.
    let drawn = with(tsumo(SEAT, "9m"), "possible_actions", json!([]));
    let reply = json!({"type": "dahai", "actor": 1, "pai": "9m", "tsumogiri": true});
    assert_eq!(client.replied(&drawn), reply);
    let hora = json!([{"type": "hora", "actor": 1, "target": 2, "pai": "9s"}]);
    let won = client.replied(&with(dahai(2, "9s", true), "possible_actions", hora));
    assert_eq!(
        won,
        json!({"type": "hora", "actor": 1, "target": 2, "pai": "9s"})
    );
}

#[test]
fn a_drawn_tile_with_a_copy_in_the_hand_can_be_discarded_either_way() {
    let (mut client, legal) = Client::drawn(PLAIN, "1m", json!([]));
    assert!(
        legal.contains(&throw("1m", true)) && legal.contains(&throw("1m", false)),
        "{legal:?}"
    );
    let reply = client.choose(throw("1m", false));
    assert_eq!(
        reply,
        json!({"type": "dahai", "actor": 1, "pai": "1m", "tsumogiri": false})
    );
    assert_eq!(client.desyncs(), 0);
}

#[test]
fn riichi_is_declared_and_its_discard_answers_the_own_declaration() {
    let (mut client, _) = Client::drawn(ALMOST, "3s", json!([{"type": "reach", "actor": 1}]));
    assert_eq!(
        client.choose(reach("E", false)),
        json!({"type": "reach", "actor": 1})
    );
    let forbidden = json!([
        "1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s"
    ]);
    let reply = client.replied(&json!({"type": "reach", "actor": 1, "cannot_dahai": forbidden}));
    assert_eq!(
        reply,
        json!({"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": false})
    );
    client.pass_all([
        dahai(SEAT, "E", false),
        json!({"type": "reach_accepted", "actor": 1, "deltas": [0, -1000, 0, 0],
            "scores": [25000, 24000, 25000, 25000]}),
    ]);
    assert_eq!(client.desyncs(), 0);
}

#[test]
fn a_forbidden_discard_is_no_choice_and_a_desync_if_we_would_have_discarded_it() {
    let (mut client, _) = Client::drawn(ALMOST, "3s", json!([{"type": "reach", "actor": 1}]));
    client.choose(reach("E", false));
    let reply = client.replied(&json!({"type": "reach", "actor": 1, "cannot_dahai": ["E"]}));
    assert_eq!(reply["pai"], "1s", "the plan is forbidden");
    assert_eq!(client.desyncs(), 1);
}

#[test]
fn after_an_own_pon_the_own_tile_is_no_choice_and_nothing_is_the_drawn_tile() {
    let mut client = Client::dealt("1m 6m 4p 4p 4p 1s 3s 5s 6s 6s 7s F C");
    let pon =
        json!({"type": "pon", "actor": 1, "target": 0, "pai": "4p", "consumed": ["4p", "4p"]});
    let kan = json!({"type": "daiminkan", "actor": 1, "target": 0, "pai": "4p", "consumed": ["4p", "4p", "4p"]});
    let legal = client.asked(&with(
        dahai(0, "4p", false),
        "possible_actions",
        json!([pon.clone(), kan]),
    ));
    assert_eq!(legal.len(), 3, "{legal:?}");
    assert_eq!(client.choose(legal[0]), pon);
    let legal = client.asked(&with(pon, "cannot_dahai", json!(["4p"])));
    assert!(
        legal.iter().all(|action| matches!(
            action,
            Action::Dahai {
                tsumogiri: false,
                ..
            }
        )),
        "{legal:?}"
    );
    assert!(!legal.contains(&throw("4p", false)));
    assert_eq!(client.desyncs(), 0);
}

#[test]
fn an_own_kan_names_no_tile_and_is_answered_none_until_its_tile_is_drawn() {
    let kan = json!({"type": "ankan", "actor": 1, "consumed": ["1m", "1m", "1m", "1m"]});
    let (mut client, legal) = Client::drawn(
        "1m 1m 1m 4p 8p 1s 3s 5s 6s 6s 7s F C",
        "1m",
        json!([kan.clone()]),
    );
    let ankan = legal
        .into_iter()
        .find(|action| matches!(action, Action::Ankan { .. }))
        .expect("it is listed");
    assert_eq!(client.choose(ankan), kan);
    client.pass_all([kan, json!({"type": "dora", "dora_marker": "9p"})]);
    client.asked(&with(tsumo(SEAT, "9s"), "possible_actions", json!([])));
    assert_eq!(client.desyncs(), 0);
}

#[test]
fn a_dora_indicator_between_a_draw_and_its_discard_asks_nothing() {
    let (mut client, _) = Client::drawn(PLAIN, "9m", json!([]));
    client.choose(throw("9m", true));
    client.pass_all([
        json!({"type": "dora", "dora_marker": "9p"}),
        dahai(SEAT, "9m", true),
    ]);
}

#[test]
fn a_win_names_whose_tile_it_is_and_which() {
    let mut client = Client::dealt("1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s C C");
    let hora = json!({"type": "hora", "actor": 1, "target": 0, "pai": "1s"});
    // It has no yaku, which the server sees otherwise.
    let legal = client.asked(&with(
        dahai(0, "1s", false),
        "possible_actions",
        json!([hora.clone()]),
    ));
    let won = legal
        .into_iter()
        .find(|action| matches!(action, Action::Hora { .. }))
        .expect("it is listed");
    assert_eq!(client.choose(won), hora);
    assert_eq!(client.desyncs(), 1);
    assert_eq!(
        client.0.game.desyncs.first_of_each()[0].0,
        DesyncKind::Legal
    );
}

#[test]
fn what_the_server_does_not_list_is_no_choice_and_is_a_desync() {
    let mut client = Client::dealt(PLAIN);
    client.pass_all([with(dahai(0, "4p", false), "possible_actions", json!([]))]);
    assert_eq!(client.desyncs(), 1, "we hold two 4p");
}

#[test]
fn nine_terminals_are_declared_with_their_reason() {
    let hand = "1m 9m 1p 9p 1s 9s E S W 2m 3m 4p 5p";
    let ryukyoku = json!({"type": "ryukyoku", "actor": 1, "reason": "kyushukyuhai"});
    let (mut client, _) = Client::drawn(hand, "P", json!([ryukyoku.clone()]));
    assert_eq!(client.choose(Action::Ryukyoku), ryukyoku);
    client.pass_all([json!({"type": "ryukyoku", "reason": "kyushukyuhai", "tenpais": [false, false, false, false],
        "tehais": [[], [], [], []], "deltas": [0, 0, 0, 0], "scores": [25000, 25000, 25000, 25000], "actor": 1})]);
    assert_eq!((client.0.game.acks.accepted, client.desyncs()), (1, 0));
}
