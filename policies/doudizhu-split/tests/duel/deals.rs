//! Deals without bidding, played to their end on the judge of `doudizhu`.

use doudizhu::{Card, CardAction, CardDeal, CardGame, CardRules, CardSeat, CardTable};

/// The deal of a seed.
pub(crate) fn deal_of(seed: u64) -> CardDeal {
    let mut order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    CardDeal::of_order(&order)
}

/// Plays a deal with what is chosen for the seat in turn; whether the landlord, seat 0, wins.
pub(crate) fn landlord_wins(deal: CardDeal, mut choose: impl FnMut(&CardTable, &[CardAction]) -> CardAction) -> bool {
    let mut game = CardGame::new(deal, CardRules::FIXED);
    let mut tables: [CardTable; CardSeat::COUNT] = std::array::from_fn(|_| CardTable::new(CardRules::FIXED));
    for (seat, table) in CardSeat::all().zip(&mut tables) {
        table.apply(&game.deal_event(seat)).expect("it is dealt");
    }
    let mut told = 0;
    while let Some(seat) = game.asked() {
        for event in &game.events()[told..] {
            tables.iter_mut().for_each(|table| table.apply(event).expect("it has happened"));
        }
        told = game.events().len();
        let table = &tables[seat.index()];
        game.act(choose(table, &table.legal_actions())).expect("it is legal");
    }
    game.round().winner() == game.round().landlord()
}
