//! Deals without bidding, played to their end on the judge of `doudizhu`.

use doudizhu::{
    Card, DouDizhuAction, DouDizhuDeal, DouDizhuGame, DouDizhuRules, DouDizhuSeat,
    DouDizhuSeatState,
};

pub(crate) fn deal_of(seed: u64) -> DouDizhuDeal {
    let mut order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    DouDizhuDeal::of_order(&order)
}

/// Plays a deal with the chosen actions; returns whether the landlord, seat 0, wins.
pub(crate) fn landlord_wins(
    deal: DouDizhuDeal,
    mut choose: impl FnMut(&DouDizhuSeatState, &[DouDizhuAction]) -> DouDizhuAction,
) -> bool {
    let mut game = DouDizhuGame::new(deal, DouDizhuRules::FIXED);
    let mut tables: [DouDizhuSeatState; DouDizhuSeat::COUNT] =
        std::array::from_fn(|_| DouDizhuSeatState::new(DouDizhuRules::FIXED));
    for (seat, table) in DouDizhuSeat::all().zip(&mut tables) {
        table.apply(&game.deal_event(seat)).expect("it is dealt");
    }
    let mut told = 0;
    while let Some(seat) = game.asked() {
        for event in &game.events()[told..] {
            tables
                .iter_mut()
                .for_each(|table| table.apply(event).expect("it has happened"));
        }
        told = game.events().len();
        let table = &tables[seat.index()];
        game.act(choose(table, &table.legal_actions()))
            .expect("it is legal");
    }
    game.round().winner() == game.round().landlord()
}
