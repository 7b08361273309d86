//! Dou Dizhu, with bidding and without.

use doudizhu::game::DouDizhuAnswer;
use doudizhu::{Card, DouDizhuDeal, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat};
use protocol::game_record::{DouDizhuRecordForm, GameOutcome, RecordEnd, RecordForm, RecordedGame};
use riichi::WholeGame;
use riichi::rng::Rng;

use super::changes::all_found;
use super::{PlayedGame, are_sound, ends_with_its_end};

/// A game of random choices; every tenth ends with a fault.
fn played(rules: DouDizhuRules, number: u64) -> PlayedGame<DouDizhuGame> {
    let mut game = DouDizhuGame::numbered(rules, number, 0);
    let mut rng = Rng::keyed(&[number]);
    let answers = if number % 10 == 9 {
        number as usize % 13
    } else {
        usize::MAX
    };
    for answered in 0.. {
        let legal = game.legal_actions();
        // Plays more often than passes.
        let Some(&action) = rng
            .pick(&legal[legal.len().min(2) - usize::from(!legal.is_empty())..])
            .or(legal.first())
        else {
            break;
        };
        if answered < answers {
            game.act(action).expect("it is legal");
        } else {
            game.answer(DouDizhuAnswer::Nothing)
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
    PlayedGame {
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
fn games_with_bidding_are_sound() {
    are_sound(|number| played(DouDizhuRules::BIDDING, number));
}

#[test]
fn games_without_bidding_are_sound() {
    are_sound(|number| played(DouDizhuRules::FIXED, number));
}

/// Whether the game plays the record: from its deal and the actions that it shows come its events
/// and end.
fn is_played(lines: &[String]) -> bool {
    let record = RecordedGame::<DouDizhuRecordForm>::read(&lines.join("\n"));
    let (Some(end), None) = (&record.end, &record.broken) else {
        return record.broken.is_none();
    };
    if !ends_with_its_end(lines) {
        return false;
    }
    let rules = DouDizhuRecordForm::rules(&record);
    let hand = |seat: usize| match record.deals.get(seat) {
        Some(Some(DouDizhuEvent::Deal { hand, .. })) => Some(*hand),
        _ => None,
    };
    let (Some(a), Some(b), Some(c)) = (hand(0), hand(1), hand(2)) else {
        return false;
    };
    let public = Card::all()
        .filter(|card| ![a, b, c].iter().any(|hand| hand.contains(*card)))
        .collect();
    let Ok(deal) = DouDizhuDeal::new([a, b, c], public) else {
        return false;
    };
    let mut game = DouDizhuGame::new(deal, rules);
    for event in &record.events {
        let answered = match *event {
            DouDizhuEvent::Bid { bid, .. } => game.answer(DouDizhuAnswer::Bid(bid.into())),
            DouDizhuEvent::Play { cards, .. } => {
                let cards: Vec<i64> = cards.iter().map(|card| card.number().into()).collect();
                game.answer(DouDizhuAnswer::Cards(&cards))
            }
            _ => continue,
        };
        if answered.is_err() {
            return false;
        }
    }
    let mut events = game.events().to_vec();
    let fault = matches!(end.outcome, Some(GameOutcome::Fault { .. }));
    while fault && game.scores().is_none() {
        let _ = game.answer(DouDizhuAnswer::Nothing);
        events.truncate(record.events.len());
    }
    let scores = game.scores().map(|scores| scores.to_vec());
    let outcome = game.round().end().map(GameOutcome::from);
    events == record.events
        && scores.as_deref() == Some(&end.scores[..])
        && (fault || end.outcome.is_none() || end.outcome == outcome)
}

#[test]
fn random_changes_are_found() {
    let rules = |number| {
        if number % 2 == 0 {
            DouDizhuRules::BIDDING
        } else {
            DouDizhuRules::FIXED
        }
    };
    let records: Vec<_> = (0..80)
        .map(|number| played(rules(number), number).lines())
        .collect();
    all_found::<DouDizhuGame>(&records, 3, &[], is_played);
}
