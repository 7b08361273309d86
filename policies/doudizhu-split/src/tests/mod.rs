//! What the policy does.

mod bids;
mod endings;
mod habits;
mod long_cards;
mod playouts;
mod worlds;

use doudizhu::{Card, CardAction, CardDeal, CardGame, CardPlay, CardRules, CardSeat, CardSet, CardTable, RankCounts};

use crate::{SplitDecision, SplitEffort, decide};

/// Enough for what any player should see.
const EFFORT: SplitEffort = SplitEffort { candidates: 32, playouts: 128 };

fn seat(number: u8) -> CardSeat {
    CardSeat::new(number).expect("a seat")
}

fn cards(text: &str) -> RankCounts {
    text.parse().expect("cards")
}

fn play_of(text: &str) -> CardPlay {
    CardPlay::of(cards(text), CardRules::FIXED).expect("a combination")
}

fn table_of(game: &CardGame, seat: CardSeat) -> CardTable {
    let mut table = CardTable::new(game.round().rules());
    for event in std::iter::once(&game.deal_event(seat)).chain(game.events()) {
        table.apply(event).expect("it has happened");
    }
    table
}

fn random_deal(seed: u64) -> CardDeal {
    let mut order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    CardDeal::of_order(&order)
}

/// The hands of seats 0, 1 and 2, and the public cards; what was played, an empty text for a pass.
fn scene(hands: [&str; 3], public: &str, plays: &[&str]) -> CardGame {
    let mut left = CardSet::ALL;
    let mut take = |text: &str| {
        let taken = cards(text).cards_of(left).expect("no more cards than the deck has");
        left = left.without(taken);
        taken
    };
    let deal = CardDeal::new(hands.map(&mut take), take(public)).expect("a deal");
    let mut game = CardGame::new(deal, CardRules::FIXED);
    for text in plays {
        let action = if text.is_empty() { CardAction::Pass } else { CardAction::Play(play_of(text)) };
        assert_eq!(game.act(action), Ok(()), "{text} of {plays:?}");
    }
    game
}

fn decision(table: &CardTable, legal: &[CardAction]) -> SplitDecision {
    decide(table, legal, &EFFORT).expect("something is legal")
}

/// What the seat in turn does, as text.
fn answer(game: &CardGame) -> String {
    let table = table_of(game, game.asked().expect("the game goes on"));
    let legal = table.legal_actions();
    match legal[decision(&table, &legal).index] {
        CardAction::Play(play) => play.cards.to_string(),
        CardAction::Pass => "pass".to_owned(),
        CardAction::Bid(bid) => format!("bid {bid}"),
    }
}

/// Plays games of the policy with itself, and looks at each decision.
fn watch(rules: CardRules, games: u64, mut look: impl FnMut(&CardTable, &[CardAction], &SplitDecision)) {
    for seed in 0..games {
        let mut game = CardGame::new(random_deal(seed), rules);
        while let Some(seat) = game.asked() {
            let table = table_of(&game, seat);
            let legal = table.legal_actions();
            let decided = decision(&table, &legal);
            look(&table, &legal, &decided);
            assert_eq!(game.act(legal[decided.index]), Ok(()));
        }
    }
}
