use super::*;

#[test]
fn tried_actions_have_a_value_and_one_of_the_highest_is_taken() {
    watch(DouDizhuRules::BIDDING, 6, |_, legal, decided| {
        assert_eq!(decided.values.len(), legal.len());
        let highest = decided
            .values
            .iter()
            .flatten()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(decided.values[decided.index], Some(highest));
        assert!(highest.is_finite() && !decided.reason.is_empty());
    });
}

#[test]
fn the_same_table_gives_the_same_decision() {
    watch(DouDizhuRules::BIDDING, 3, |table, legal, decided| {
        assert_eq!(decision(table, legal), *decided)
    });
}

#[test]
fn it_goes_out_when_it_can() {
    let mut times = 0;
    watch(DouDizhuRules::FIXED, 15, |table, legal, decided| {
        let goes_out = |action: &DouDizhuAction| matches!(action, DouDizhuAction::Play(play) if play.cards == table.hand_counts());
        if legal.iter().any(goes_out) {
            times += 1;
            assert!(
                goes_out(&legal[decided.index]),
                "{} {}",
                table.hand_counts(),
                decided.reason
            );
        }
    });
    assert!(times >= 15);
}

#[test]
fn it_sees_nothing_but_its_own_table() {
    // The same seat with the others' cards exchanged decides the same.
    for seed in 0..30 {
        let deal = random_deal(seed);
        let exchanged = DouDizhuDeal::new(
            [deal.hand(seat(0)), deal.hand(seat(2)), deal.hand(seat(1))],
            deal.public(),
        )
        .expect("a deal");
        let answers =
            [deal, exchanged].map(|deal| answer(&DouDizhuGame::new(deal, DouDizhuRules::FIXED)));
        assert_eq!(answers[0], answers[1]);
    }
}
