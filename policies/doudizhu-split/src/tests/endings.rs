use super::*;

/// The landlord led until it has one card, which no player knows; seat 1 has the lead.
const TO_ITS_LAST_CARD: [&str; 10] = ["3456789TJQKA", "", "", "334455", "", "", "2", "x", "", ""];

fn landlord_has_one_card() -> DouDizhuGame {
    let hands = [
        "34455567 89TJQKA2X",
        "x3 666 77 88 99 TT JJ 22",
        "45789TJ QQQ KKK AAA 2",
    ];
    scene(hands, "334", &TO_ITS_LAST_CARD)
}

#[test]
fn a_peasant_leads_no_low_single_to_a_landlord_with_one_card() {
    let game = landlord_has_one_card();
    assert_eq!(
        (game.asked(), game.round().left(seat(0))),
        (Some(seat(1)), 1)
    );
    assert!(answer(&game).len() > 1, "{}", answer(&game));
}

#[test]
fn a_hand_that_cannot_be_stopped_is_played_out() {
    // The landlord, with one card, beats nothing but a single, and seat 1 has only one that would
    // have to be led alone.
    let mut game = landlord_has_one_card();
    while let Some(asked) = game.asked() {
        let table = table_of(&game, asked);
        let legal = table.legal_actions();
        assert_eq!(game.act(legal[decision(&table, &legal).index]), Ok(()));
    }
    assert!(
        game.round()
            .are_partners(seat(1), game.round().winner().expect("a seat has won"))
    );
    assert_eq!(
        game.round().left(seat(0)),
        1,
        "the landlord never came to play again"
    );
}

#[test]
fn the_landlord_opens_with_a_long_part_of_its_hand_and_keeps_the_twos_and_the_joker() {
    let game = scene(
        [
            "35789TTJJQQKKA22x",
            "33344445556666778",
            "788999TTJQQKKAA22",
        ],
        "AXJ",
        &[],
    );
    let led = answer(&game);
    assert!(led.len() >= 5 && !led.contains(['2', 'x', 'X']), "{led}");
}

#[test]
fn a_peasant_leaves_the_lead_to_a_partner_with_one_card() {
    // The landlord has passed on the trio of seat 2.
    let hands = [
        "3 44 55 6 77 88 TTT JJ K2",
        "3 5 66 78 J QQQ KK AAA 22",
        "2 3456789TJQKA 999 4",
    ];
    let game = scene(
        hands,
        "3xX",
        &["3", "", "2", "", "", "3456789TJQKA", "", "", "999", ""],
    );
    assert_eq!(
        (game.asked(), game.round().left(seat(2))),
        (Some(seat(1)), 1)
    );
    assert_eq!(answer(&game), "pass");
}
