//! Matches of Chinese Standard mahjong as a seat hears of them.

use std::time::Instant;

use client::session::botzone::{MatchDialect, McrMatch, RequestOutcome, end_line, record_lines};
use mcr::event::{McrEvent, PLAYERS};
use mcr::game::McrWalls;
use mcr::{McrAction, McrGame, McrRules};
use protocol::botzone::mcr::{json_of_text, text_of_json};
use protocol::botzone::{flower_name, parse_mcr_response, parse_tile_name, tile_name};
use protocol::game_record::{GameOutcome, McrRecordForm, RecordedGame, WinningTile};
use riichi::rng::Rng;
use riichi::{Kind, Seat, Wind};

/// The judge's request to a seat about an event.
fn request(event: &McrEvent, seat: Seat) -> String {
    let told = |who: Seat, what: String| format!("3 {who} {what}");
    match *event {
        McrEvent::Drawn {
            seat: who,
            tile: Some(tile),
        } if who == seat => format!("2 {}", tile_name(tile)),
        McrEvent::Drawn { seat: who, .. } => told(who, "DRAW".to_owned()),
        McrEvent::FlowerDrawn { seat: who, flower } => {
            told(who, format!("BUHUA {}", flower_name(flower)))
        }
        McrEvent::Discarded { seat: who, tile } => told(who, format!("PLAY {}", tile_name(tile))),
        McrEvent::PungClaimed { seat: who, discard } => {
            told(who, format!("PENG {}", tile_name(discard)))
        }
        McrEvent::ChowClaimed {
            seat: who,
            middle,
            discard,
        } => told(
            who,
            format!("CHI {} {}", tile_name(middle), tile_name(discard)),
        ),
        McrEvent::KongClaimed { seat: who } | McrEvent::ConcealedKong { seat: who, .. } => {
            told(who, "GANG".to_owned())
        }
        McrEvent::KongAdded { seat: who, tile } => told(who, format!("BUGANG {}", tile_name(tile))),
        McrEvent::Dealt { .. } | McrEvent::Over => panic!("no request is sent for this"),
    }
}

/// The text of the deal; the names of the flowers that lie there do not matter.
fn deal(game: &McrGame, seat: Seat) -> String {
    let drawn_since = |who: Seat| {
        let drawn =
            |event: &&McrEvent| matches!(event, McrEvent::FlowerDrawn { seat, .. } if *seat == who);
        game.events().iter().filter(drawn).count() as u8
    };
    let flowers = Seat::all(PLAYERS)
        .map(|who| (game.seat(seat).public(who).flowers - drawn_since(who)).to_string());
    let hand = game.dealt(seat);
    let tiles = Kind::all()
        .flat_map(|kind| std::iter::repeat_n(tile_name(kind).to_owned(), usize::from(hand[kind])));
    format!("1 {}", flowers.chain(tiles).collect::<Vec<_>>().join(" "))
}

fn settled(heard: Result<RequestOutcome, client::session::botzone::LostMatch>) -> String {
    match heard {
        Ok(RequestOutcome::Forced(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Plays a game whose four seats hear of it by requests alone and answer any legal action; in JSON
/// form or as plain texts.
fn play(seed: u64, json: bool) {
    let mut random = Rng::keyed(&[60, seed]);
    let rules = McrRules {
        flowers: seed.is_multiple_of(3),
        ..McrRules::default()
    };
    let wind = Wind::ALL[random.below(4)];
    let mut game = McrGame::new(McrWalls::shuffled(seed, rules), wind, rules);
    let form = |text: String| if json { json_of_text(&text) } else { text };
    let plain = |text: &str| {
        if json {
            text_of_json(text).expect("JSON")
        } else {
            text.to_owned()
        }
    };
    let mut matches: Vec<McrMatch> = Seat::all(PLAYERS)
        .map(|seat| {
            let mut heard = McrMatch::default();
            assert_eq!(
                plain(&settled(heard.hear(
                    &form(format!("0 {seat} {}", wind as u8)),
                    Instant::now()
                ))),
                "PASS"
            );
            assert_eq!(
                plain(&settled(
                    heard.hear(&form(deal(&game, seat)), Instant::now())
                )),
                "PASS"
            );
            heard
        })
        .collect();
    let mut told = 0;
    while game.end().is_none() {
        let answers: Vec<Option<McrAction>> = Seat::all(PLAYERS)
            .map(|seat| {
                let heard = &mut matches[seat.index()];
                let mut last = None;
                for event in &game.events()[told..] {
                    last = Some(heard.hear(&form(request(event, seat)), Instant::now()));
                }
                let text = match last.expect("something happened") {
                    Ok(RequestOutcome::Forced(text)) => text,
                    Ok(RequestOutcome::Open {
                        may_be_repeated: false,
                    }) => {
                        let legal = heard.legal().expect("it is open").to_vec();
                        assert_eq!(legal, game.seat(seat).legal());
                        let first = |action: &McrAction| {
                            matches!(action, McrAction::Win | McrAction::ConcealedKong(_))
                        };
                        let choice = legal.iter().position(first);
                        heard
                            .answer(Some(choice.unwrap_or(random.below(legal.len()))))
                            .expect("an answer")
                    }
                    other => panic!("{other:?}"),
                };
                Some(parse_mcr_response(&plain(&text)).expect("an answer"))
            })
            .collect();
        told = game.events().len();
        game.answer(answers.try_into().expect("four"));
    }
    for heard in &matches {
        assert_eq!(heard.dialect.desyncs().count, 0, "game {seed}");
        let seat = heard.dialect.seat().expect("it is told");
        let mut lines = record_lines(&heard.dialect, &mut 0, true);
        let end = game.end().expect("it is over");
        lines.push(end_line(
            &heard.dialect,
            end.scores().map(f64::from).to_vec(),
        ));
        let recorded = RecordedGame::<McrRecordForm>::read(&lines.join("\n"));
        let mut outcome = GameOutcome::from(end);
        if let GameOutcome::Win {
            winner,
            with,
            tile,
            fan,
            ..
        } = &mut outcome
            && *winner != seat.index()
        {
            fan.clear();
            if *with == WinningTile::Draw {
                tile.clear();
            }
        }
        assert_eq!(
            recorded.end.and_then(|end| end.outcome),
            Some(outcome),
            "game {seed}"
        );
        let happened = game
            .events()
            .iter()
            .take(told)
            .map(|event| event.hidden_from(seat));
        assert_eq!(
            (recorded.broken, recorded.events),
            (None, happened.collect()),
            "game {seed}"
        );
        let dealt = recorded.deals[seat.index()].clone();
        assert!(
            matches!(dealt, Some(McrEvent::Dealt { hand, .. }) if hand == *game.dealt(seat)),
            "game {seed}"
        );
    }
}

#[test]
fn a_seat_knows_its_table_from_the_requests_alone_and_every_answer_is_one_that_is_legal() {
    for seed in 1..60 {
        play(seed, seed.is_multiple_of(2));
    }
}

fn begun() -> McrMatch {
    let mut heard = McrMatch::default();
    settled(heard.hear("0 1 0", Instant::now()));
    settled(heard.hear(
        "1 0 0 0 0 W1 W1 W1 W2 W3 W4 B5 B6 B7 T1 T2 F1 F2",
        Instant::now(),
    ));
    heard
}

#[test]
fn a_request_that_comes_twice_is_answered_once() {
    let mut heard = begun();
    assert_eq!(settled(heard.hear("3 0 DRAW", Instant::now())), "PASS");
    assert_eq!(
        heard.hear("3 0 DRAW", Instant::now()),
        Ok(RequestOutcome::Repeated)
    );
    assert_eq!(
        heard.hear("3 0 PLAY W1", Instant::now()),
        Ok(RequestOutcome::Open {
            may_be_repeated: false
        })
    );
    assert_eq!(
        heard.hear("3 0 PLAY W1", Instant::now()),
        Ok(RequestOutcome::Repeated)
    );
    assert_eq!(heard.answer(None).as_deref(), Some("PASS"));
    assert_eq!(
        heard.hear("3 0 PLAY W1", Instant::now()),
        Ok(RequestOutcome::Repeated)
    );
    assert_eq!(
        (heard.answer(None), heard.dialect.desyncs().count),
        (None, 0)
    );
}

#[test]
fn an_overruled_claim_leaves_the_hand_unchanged() {
    let mut heard = begun();
    settled(heard.hear("3 0 DRAW", Instant::now()));
    heard
        .hear("3 0 PLAY W1", Instant::now())
        .expect("it is heard");
    let legal = heard.legal().expect("it is open").to_vec();
    let pung = legal
        .iter()
        .position(|action| matches!(action, McrAction::ClaimPung { .. }))
        .expect("a pung");
    assert!(
        heard
            .answer(Some(pung))
            .expect("an answer")
            .starts_with("PENG ")
    );
    assert!(matches!(
        heard.hear("2 T3", Instant::now()),
        Ok(RequestOutcome::Open { .. })
    ));
    let table = heard.dialect.table().expect("a table");
    assert_eq!(
        table.hand().concealed()[parse_tile_name("W1").expect("a tile")],
        3
    );
}

#[test]
fn a_match_that_is_joined_in_its_middle_is_played_without_a_fault() {
    let mut heard = McrMatch::default();
    assert_eq!(settled(heard.hear("3 2 PLAY W1", Instant::now())), "PASS");
    assert_eq!(settled(heard.hear("3 3 DRAW", Instant::now())), "PASS");
    assert_eq!(settled(heard.hear("2 J1", Instant::now())), "PLAY J1");
    let desyncs = heard.dialect.desyncs();
    assert_eq!(
        (desyncs.count, desyncs.first.as_deref()),
        (1, Some("the match was joined in its middle"))
    );
}

#[test]
fn after_something_that_does_not_fit_or_cannot_be_read_it_passes_and_discards_what_it_draws() {
    for odd in ["3 1 PLAY J3", "3 2 HUH W1", "nonsense"] {
        let mut heard = begun();
        assert_eq!(settled(heard.hear(odd, Instant::now())), "PASS", "{odd}");
        assert_eq!(
            settled(heard.hear("2 F1", Instant::now())),
            "PLAY F1",
            "{odd}"
        );
        assert_eq!(heard.dialect.desyncs().count, 1, "{odd}");
    }
}

#[test]
fn answers_from_before_the_process_began_show_the_tile_of_a_concealed_kong() {
    let mut heard = begun();
    heard.recall("3 0 DRAW", "PASS").expect("a pass");
    heard.recall("3 0 PLAY J1", "PASS").expect("a pass");
    heard.recall("2 W1", "GANG W1").expect("a kong");
    assert_eq!(settled(heard.hear("3 1 GANG", Instant::now())), "PASS");
    let table = heard.dialect.table().expect("a table");
    assert_eq!(
        (table.hand().sets().len(), heard.dialect.desyncs().count),
        (1, 0)
    );
}
