//! Games of random answers, some of them wrong, as lines of JSON for the independent judge: see
//! `compare.py`.
//!
//!     cargo run --release -p doudizhu --example judged-games -- 2000

use std::io::Write as _;

use doudizhu::game::{DouDizhuAnswer, DouDizhuGame};
use doudizhu::plays::plays;
use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuDeal, DouDizhuRules, DouDizhuSeat, RankCounts,
};

fn main() {
    let games = std::env::args()
        .nth(1)
        .map_or(200, |games| games.parse().expect("a number of games"));
    let mut out = std::io::stdout().lock();
    for seed in 0..games {
        writeln!(out, "{}", judged_game(seed)).expect("a reader");
    }
}

fn judged_game(seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    rng.shuffle(&mut order);
    let deal = DouDizhuDeal::of_order(&order);
    let rules = DouDizhuRules::FIXED;
    let mut game = DouDizhuGame::new(deal, rules);
    let hands: Vec<Vec<i64>> = DouDizhuSeat::all()
        .map(|seat| numbers(game.hand(seat)))
        .collect();
    // In every other game each answer may be a wrong one.
    let wrong = if seed.is_multiple_of(2) { 0.0 } else { 0.1 };
    let (mut responses, mut kinds, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(seat) = game.asked() {
        let legal = game.legal_actions();
        // Wings apart, as the other judge lists each kind with one choice of wings.
        let mut different: Vec<_> = legal
            .iter()
            .map(|action| {
                if let DouDizhuAction::Play(play) = action {
                    Some(play.combination)
                } else {
                    None
                }
            })
            .collect();
        different.sort_unstable();
        different.dedup();
        kinds.push(different.len());
        let response = if rng.f64() < wrong {
            wrong_answer(&mut rng, game.hand(seat))
        } else {
            match *rng.choice(&legal).expect("something is legal") {
                DouDizhuAction::Play(play) => {
                    numbers(play.cards.cards_of(game.hand(seat)).expect("they are held"))
                }
                _ => Vec::new(),
            }
        };
        let judged = game.answer(DouDizhuAnswer::Cards(&response));
        codes.push(judged.err().map_or("OK", |fault| fault.code(rules)));
        responses.push(response);
    }
    format!(
        "{{\"allocation\": {hands:?}, \"publiccard\": {:?}, \"responses\": {responses:?}, \"kinds\": {kinds:?}, \
         \"codes\": {codes:?}, \"scores\": {:?}}}",
        numbers(deal.public()),
        game.scores().expect("it is over")
    )
}

/// Something that is often wrong: any numbers, any own cards, or a play of another kind.
fn wrong_answer(rng: &mut fastrand::Rng, hand: CardSet) -> Vec<i64> {
    match rng.u8(0..3) {
        0 => (0..rng.usize(0..=4)).map(|_| rng.i64(-1..55)).collect(),
        1 => numbers(hand)
            .into_iter()
            .filter(|_| rng.u8(0..4) == 0)
            .collect(),
        _ => {
            let any = plays(RankCounts::from(hand), None, DouDizhuRules::FIXED);
            rng.choice(any)
                .and_then(|play| play.cards.cards_of(hand))
                .map_or_else(Vec::new, numbers)
        }
    }
}

fn numbers(cards: CardSet) -> Vec<i64> {
    cards.iter().map(|card| i64::from(card.number())).collect()
}
