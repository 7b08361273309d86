use super::*;

/// 33456778999TTTJJJQAx, a landlord's hand with which the policy once led an ace and a joker, and
/// lost with 16 cards left.
const HAND: [u8; 20] = [
    34, 28, 23, 3, 14, 17, 18, 5, 37, 33, 25, 52, 8, 27, 0, 30, 35, 31, 45, 24,
];
const PUBLIC: [u8; 3] = [34, 28, 23];

fn set(numbers: impl IntoIterator<Item = u8>) -> CardSet {
    numbers.into_iter().filter_map(Card::new).collect()
}

/// The landlord's hand with the others' by chance.
fn deal(seed: u64) -> DouDizhuDeal {
    let (hand, public) = (set(HAND), set(PUBLIC));
    let mut rest: Vec<Card> = CardSet::ALL.without(hand).iter().collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut rest);
    let (one, two) = rest.split_at(17);
    let others = [one, two].map(|cards| cards.iter().copied().collect::<CardSet>());
    DouDizhuDeal::new([hand.without(public), others[0], others[1]], public).expect("a deal")
}

#[test]
fn a_landlord_with_long_plays_leads_one_of_them_and_wins() {
    let deals = 12;
    let mut won = 0;
    for seed in 0..deals {
        let mut game = DouDizhuGame::new(deal(seed), DouDizhuRules::FIXED);
        let mut led = None;
        while let Some(asked) = game.asked() {
            let table = table_of(&game, asked);
            let legal = table.legal_actions();
            let action = legal[decision(&table, &legal).index];
            led.get_or_insert(action);
            assert_eq!(game.act(action), Ok(()));
        }
        let is_long = |play: DouDizhuPlay| play.cards.len() >= 5;
        assert!(
            matches!(led, Some(DouDizhuAction::Play(play)) if is_long(play)),
            "{led:?}"
        );
        won += u64::from(game.round().winner() == game.round().landlord());
    }
    assert!(won * 2 > deals, "{won} of {deals} deals");
}
