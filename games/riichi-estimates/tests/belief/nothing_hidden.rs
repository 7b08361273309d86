//! A belief follows from the table of one seat alone.

use riichi::rng::Rng;
use riichi::{Kind, Rules, Seat, Table};
use riichi_estimates::belief::Belief;

use crate::games::RECORDS;

#[test]
fn hidden_tiles_that_a_seat_received_do_not_change_its_beliefs() {
    let mut looked = 0;
    for events in RECORDS.iter() {
        for seat in Seat::all(4) {
            let [mut told, mut masked] = [
                Table::new(Rules::TENHOU_HALF, seat),
                Table::new(Rules::TENHOU_HALF, seat),
            ];
            for (number, event) in events.iter().enumerate() {
                told.apply(event).expect("it was played");
                masked
                    .apply(&event.masked_for(seat))
                    .expect("it was played");
                if !told.phase().is_running() || number % 5 > 0 {
                    continue;
                }
                looked += 1;
                let beliefs = [&told, &masked].map(Belief::of);
                for other in Seat::all(4) {
                    for kind in Kind::all() {
                        let [one, two] = beliefs.each_ref().map(|belief| {
                            (
                                belief.tenpai(other),
                                belief.deal_in(other, kind),
                                belief.loss(other, kind),
                            )
                        });
                        assert_eq!(one, two, "seat {other}, {kind}");
                    }
                }
                let [one, two] =
                    beliefs.map(|belief| belief.sample(&mut Rng::keyed(&[number as u64])));
                assert_eq!(one, two);
            }
        }
    }
    assert!(looked > 1000, "{looked}");
}
