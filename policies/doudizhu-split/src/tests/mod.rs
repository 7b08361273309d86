//! The choices of the policy.

mod bids;
mod endings;
mod habits;
mod long_cards;
mod playouts;
mod worlds;

use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuDeal, DouDizhuGame, DouDizhuPlay, DouDizhuRules,
    DouDizhuSeat, DouDizhuSeatState, RankCounts,
};

use crate::{SplitDecision, SplitEffort, decide};

/// Enough for choices that any player should find.
const EFFORT: SplitEffort = SplitEffort {
    candidates: 32,
    playouts: 128,
};

fn seat(number: u8) -> DouDizhuSeat {
    DouDizhuSeat::new(number).expect("a seat")
}

fn cards(text: &str) -> RankCounts {
    text.parse().expect("cards")
}

fn play_of(text: &str) -> DouDizhuPlay {
    DouDizhuPlay::of(cards(text), DouDizhuRules::FIXED).expect("a combination")
}

fn table_of(game: &DouDizhuGame, seat: DouDizhuSeat) -> DouDizhuSeatState {
    let mut table = DouDizhuSeatState::new(game.round().rules());
    for event in std::iter::once(&game.deal_event(seat)).chain(game.events()) {
        table.apply(event).expect("it has happened");
    }
    table
}

fn random_deal(seed: u64) -> DouDizhuDeal {
    let mut order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    DouDizhuDeal::of_order(&order)
}

/// The hands of seats 0, 1 and 2, the public cards, and the plays; an empty text is a pass.
fn scene(hands: [&str; 3], public: &str, plays: &[&str]) -> DouDizhuGame {
    let mut left = CardSet::ALL;
    let mut take = |text: &str| {
        let taken = cards(text)
            .cards_of(left)
            .expect("no more cards than the deck has");
        left = left.without(taken);
        taken
    };
    let deal = DouDizhuDeal::new(hands.map(&mut take), take(public)).expect("a deal");
    let mut game = DouDizhuGame::new(deal, DouDizhuRules::FIXED);
    for text in plays {
        let action = if text.is_empty() {
            DouDizhuAction::Pass
        } else {
            DouDizhuAction::Play(play_of(text))
        };
        assert_eq!(game.act(action), Ok(()), "{text} of {plays:?}");
    }
    game
}

fn decision(table: &DouDizhuSeatState, legal: &[DouDizhuAction]) -> SplitDecision {
    decide(table, legal, &EFFORT).expect("something is legal")
}

/// The choice of the seat in turn, as text.
fn answer(game: &DouDizhuGame) -> String {
    let table = table_of(game, game.asked().expect("the game goes on"));
    let legal = table.legal_actions();
    match legal[decision(&table, &legal).index] {
        DouDizhuAction::Play(play) => play.cards.to_string(),
        DouDizhuAction::Pass => "pass".to_owned(),
        DouDizhuAction::Bid(bid) => format!("bid {bid}"),
    }
}

/// Plays games of the policy with itself, and looks at each decision.
fn watch(
    rules: DouDizhuRules,
    games: u64,
    mut look: impl FnMut(&DouDizhuSeatState, &[DouDizhuAction], &SplitDecision),
) {
    for seed in 0..games {
        let mut game = DouDizhuGame::new(random_deal(seed), rules);
        while let Some(seat) = game.asked() {
            let table = table_of(&game, seat);
            let legal = table.legal_actions();
            let decided = decision(&table, &legal);
            look(&table, &legal, &decided);
            assert_eq!(game.act(legal[decided.index]), Ok(()));
        }
    }
}
