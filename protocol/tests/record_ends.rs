//! The last line of a record is compared with the events before it.

use doudizhu::{DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat};
use mcr::game::{McrEnd, McrWalls};
use mcr::{McrAction, McrEvent, McrGame, McrRules};
use protocol::game_record::{
    DouDizhuRecordForm, GameOutcome, McrRecordForm, RecordEnd, RecordForm, RecordStart,
    RecordedGame, WrongEnd,
};
use riichi::rng::Rng;
use riichi::{Finding, Seat, WholeGame, Wind};
use serde_json::{Value, json};

/// A game that was played, as its table recorded it.
struct PlayedRecord<F: RecordForm> {
    deals: Vec<Option<F::Event>>,
    events: Vec<F::Event>,
    end: RecordEnd,
}

impl<F: RecordForm> PlayedRecord<F> {
    /// What is wrong about this end, after these events, in the record of the table or of a seat.
    fn wrong(&self, id: Option<usize>, events: &[F::Event], end: &Value) -> Option<WrongEnd> {
        let deals: Vec<_> = (0..F::SEATS)
            .map(|seat| {
                self.deals[seat]
                    .clone()
                    .filter(|_| id.is_none_or(|id| id == seat))
            })
            .collect();
        let start = RecordStart {
            game: String::new(),
            id,
            names: Vec::new(),
        }
        .line();
        let mut lines = vec![start];
        lines.extend(F::deal_line(&deals));
        lines.extend(events.iter().filter_map(F::event_line));
        let mut line = json!({"type": "end_game"});
        line.as_object_mut()
            .expect("an object")
            .extend(end.as_object().expect("an object").clone());
        lines.push(line.to_string());
        let record = RecordedGame::<F>::read(&lines.join("\n"));
        assert_eq!(record.broken, None);
        let wrong = record.wrong_end();
        assert!(
            wrong
                .as_ref()
                .is_none_or(|wrong| wrong.line == lines.len() as u64),
            "{wrong:?}"
        );
        wrong
    }

    /// Checks that the end is accepted as it is, and from each seat as the client writes it, with
    /// these events.
    fn is_accepted(&self, heard: impl Fn(usize) -> Vec<F::Event>) {
        let scores = json!({"scores": self.end.scores});
        assert_eq!(self.wrong(None, &self.events, &json!(self.end)), None);
        assert_eq!(self.wrong(None, &self.events, &scores), None);
        for seat in 0..F::SEATS {
            let events = heard(seat);
            let deals: Vec<_> = (0..F::SEATS)
                .map(|own| self.deals[own].clone().filter(|_| own == seat))
                .collect();
            // The last event may be missing, or further ones after a request that did not fit.
            for missing in 0..events.len().min(6) {
                let events = &events[..events.len() - missing];
                let outcome = F::outcome(
                    &RecordedGame::so_far(deals.clone(), events.to_vec()),
                    &self.end.scores,
                );
                let written = RecordEnd {
                    scores: self.end.scores.clone(),
                    outcome,
                };
                assert_eq!(
                    self.wrong(Some(seat), events, &json!(written)),
                    None,
                    "seat {seat}, {missing} missing"
                );
                assert_eq!(
                    self.wrong(Some(seat), events, &scores),
                    None,
                    "seat {seat}, {missing} missing"
                );
            }
        }
    }

    /// Checks that each change of one field is refused with its name and both values.
    fn changes_are_refused(&self, changes: &[(&str, Value)]) {
        for (field, value) in changes {
            let mut end = json!(self.end);
            let place = end
                .pointer_mut(&format!("/{}", field.replace('.', "/")))
                .expect("it has the field");
            let before = std::mem::replace(place, value.clone());
            let wrong = self.wrong(None, &self.events, &end).expect("it is wrong");
            assert_eq!(
                (&*wrong.finding.field, &wrong.finding.found),
                (*field, &value.to_string())
            );
            assert_eq!(
                wrong.finding.right,
                format!("should be {before}"),
                "{field}"
            );
        }
    }
}

/// A game of Chinese Standard mahjong, in which seats win if they can.
fn mcr_game(seed: u64) -> (McrGame, PlayedRecord<McrRecordForm>) {
    let rules = McrRules::default();
    let mut game = McrGame::new(McrWalls::shuffled(seed, rules), Wind::South, rules);
    let mut rng = Rng::keyed(&[seed]);
    while game.end().is_none() {
        let choose = |seat: Seat| {
            let legal = game.seat(seat).legal();
            let plain =
                |action: &McrAction| matches!(action, McrAction::Pass | McrAction::Discard(_));
            let (plain, special): (Vec<_>, Vec<_>) = legal.into_iter().partition(plain);
            special
                .iter()
                .find(|action| **action == McrAction::Win)
                .or(rng.pick(&special))
                .or(rng.pick(&plain))
                .copied()
        };
        let answers: Vec<_> = Seat::all(4).map(choose).collect();
        game.answer(answers.try_into().expect("four seats"));
    }
    let record = record_of(&game);
    (game, record)
}

fn record_of(game: &McrGame) -> PlayedRecord<McrRecordForm> {
    let end = game.end().expect("it is over");
    let scores = end.scores().map(f64::from).to_vec();
    PlayedRecord {
        deals: (0..4).map(|seat| game.deal_for(seat)).collect(),
        events: game
            .events()
            .iter()
            .filter(|event| **event != McrEvent::Over)
            .cloned()
            .collect(),
        end: RecordEnd {
            scores,
            outcome: Some(end.into()),
        },
    }
}

#[test]
fn the_end_of_chinese_standard_has_to_follow_from_the_events() {
    let (mut wins, mut draws) = (0, 0);
    for seed in 0..150 {
        let (game, record) = mcr_game(seed);
        let is_win = matches!(game.end(), Some(McrEnd::Won { .. }));
        if !is_win && seed > 10 {
            continue;
        }
        record.is_accepted(|seat| {
            let seat = Seat::at(seat).expect("a seat");
            record
                .events
                .iter()
                .map(|event| event.hidden_from(seat))
                .collect()
        });
        let drawn = json!({"type": "drawn"});
        let Some(GameOutcome::Win {
            winner,
            from,
            total,
            ..
        }) = &record.end.outcome
        else {
            record.changes_are_refused(&[("scores", json!([24.0, -8.0, -8.0, -8.0]))]);
            // Some events before the end a wall holds tiles.
            let early = &record.events[..record.events.len() / 2];
            let wrong = record
                .wrong(None, early, &json!(record.end))
                .expect("it is wrong");
            assert_eq!(wrong.finding.field, "scores", "{wrong:?}");
            draws += 1;
            continue;
        };
        let other = (winner + 1) % 4;
        let mut scores = record.end.scores.clone();
        scores[other] -= 1.0;
        record.changes_are_refused(&[
            ("scores", json!(scores)),
            ("scores", json!([0.0, 0.0])),
            ("outcome", drawn),
            ("outcome.winner", json!(other)),
            ("outcome.from", json!((from + 1) % 4)),
            ("outcome.total", json!(total + 1)),
            ("outcome.tile", json!("?")),
            ("outcome.fan", json!([])),
        ]);
        // From one seat the scores of its last line have to be those of a win.
        for seat in 0..4 {
            let mut end = json!(record.end);
            end["scores"] = json!(scores);
            let wrong = record
                .wrong(Some(seat), &record.events, &end)
                .expect("it is wrong");
            assert_eq!(
                wrong.finding,
                Finding::value("scores", json!(scores), json!(record.end.scores))
            );
        }
        wins += 1;
    }
    assert!(wins > 3 && draws > 3, "{wins} wins, {draws} draws");
}

#[test]
fn a_fault_may_end_chinese_standard_at_any_time() {
    let rules = McrRules::default();
    for (at_fault, answers) in [
        (0, [None; 4]),
        (
            2,
            [Some(McrAction::Pass), Some(McrAction::Pass), None, None],
        ),
    ] {
        let mut game = McrGame::new(McrWalls::shuffled(7, rules), Wind::East, rules);
        if at_fault > 0 {
            let tile = game.seat(Seat::FIRST).drawn().expect("it has drawn");
            game.answer([
                Some(McrAction::Discard(tile)),
                answers[0],
                answers[0],
                answers[0],
            ]);
        }
        game.answer(answers);
        let record = record_of(&game);
        assert_eq!(
            record.end.outcome,
            Some(GameOutcome::Fault { seat: at_fault })
        );
        record.is_accepted(|seat| {
            let seat = Seat::at(seat).expect("a seat");
            record
                .events
                .iter()
                .map(|event| event.hidden_from(seat))
                .collect()
        });
        record.changes_are_refused(&[("scores", json!([1.0, 0.0, -1.0, 0.0]))]);
    }
}

/// A game of Dou Dizhu that ends with the last card, or with a fault after this many answers.
fn doudizhu_game(
    rules: DouDizhuRules,
    seed: u64,
    answers: usize,
) -> PlayedRecord<DouDizhuRecordForm> {
    let mut game = DouDizhuGame::numbered(rules, seed, 0);
    let mut rng = Rng::keyed(&[seed]);
    for number in 0.. {
        let legal = game.legal_actions();
        let Some(&action) = rng.pick(&legal) else {
            break;
        };
        if number < answers {
            game.act(action).expect("it is legal");
        } else {
            game.answer(doudizhu::game::DouDizhuAnswer::Nothing)
                .expect_err("it is a fault");
        }
    }
    let at_fault = game
        .faults()
        .iter()
        .position(Option::is_some)
        .unwrap_or_default();
    let outcome = game
        .round()
        .end()
        .map_or(GameOutcome::Fault { seat: at_fault }, GameOutcome::from);
    PlayedRecord {
        deals: DouDizhuSeat::all()
            .map(|seat| Some(game.deal_event(seat)))
            .collect(),
        events: game.events().to_vec(),
        end: RecordEnd {
            scores: game.scores().expect("it is over").to_vec(),
            outcome: Some(outcome),
        },
    }
}

#[test]
fn the_end_of_doudizhu_has_to_follow_from_the_events() {
    let (mut faults, mut bombs_played) = (0, 0);
    for seed in 0..60 {
        let rules = if seed % 2 == 0 {
            DouDizhuRules::BIDDING
        } else {
            DouDizhuRules::FIXED
        };
        let answers = if seed % 5 == 0 {
            seed as usize % 9
        } else {
            usize::MAX
        };
        let record = doudizhu_game(rules, seed, answers);
        let events = |_| record.events.clone();
        record.is_accepted(events);
        record.changes_are_refused(&[
            ("scores", json!([0.5, 0.25, -0.75])),
            ("scores", json!([0.0])),
        ]);
        let Some(GameOutcome::LastCard {
            landlord,
            landlord_won,
            bid,
            bombs,
            spring,
            stake,
        }) = record.end.outcome
        else {
            faults += 1;
            continue;
        };
        bombs_played += bombs.unwrap_or_default();
        record.changes_are_refused(&[
            ("outcome", json!({"type": "fault", "seat": 0})),
            ("outcome.landlord", json!((landlord + 1) % 3)),
            ("outcome.landlord_won", json!(!landlord_won)),
            ("outcome.bombs", json!(bombs.map(|bombs| bombs + 1))),
            ("outcome.spring", json!(spring.map(|spring| !spring))),
        ]);
        // From one seat the peasants gain or lose the same.
        for seat in 0..3 {
            let last_play = |event: &DouDizhuEvent| !matches!(event, DouDizhuEvent::Play { .. });
            let seen = record
                .events
                .iter()
                .rposition(|event| !last_play(event))
                .expect("cards are played");
            let mut end = json!({"scores": record.end.scores});
            assert_eq!(record.wrong(Some(seat), &record.events[..seen], &end), None);
            end["scores"][(landlord + 2) % 3] = json!(77.0);
            let wrong = record
                .wrong(Some(seat), &record.events[..seen], &end)
                .expect("it is wrong");
            assert_eq!(
                wrong.finding,
                Finding::value("scores", &end["scores"], json!(record.end.scores))
            );
        }
        if let Some((bid, stake)) = bid.zip(stake) {
            record.changes_are_refused(&[
                ("outcome.bid", json!(bid + 1)),
                ("outcome.stake", json!(stake + 1.0)),
            ]);
        }
    }
    assert!(
        faults > 3 && bombs_played > 3,
        "{faults} faults, {bombs_played} bombs"
    );
}

#[test]
fn what_the_last_line_does_not_know_is_not_refused() {
    let record = doudizhu_game(DouDizhuRules::BIDDING, 4, usize::MAX);
    for outcome in [json!(null), json!({"type": "meteor"})] {
        let end = json!({"scores": record.end.scores, "outcome": outcome});
        assert_eq!(record.wrong(None, &record.events, &end), None, "{outcome}");
    }
    let mut end = json!(record.end);
    end["outcome"]["bombs"] = json!(null);
    assert_eq!(record.wrong(None, &record.events, &end), None);
}
