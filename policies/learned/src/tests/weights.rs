//! The built-in weights.

use crate::built_in;

#[test]
fn the_built_in_weights_are_those_of_this_programs_features() {
    for players in [4, 3] {
        assert_eq!(built_in(players).unwrap().players, players);
    }
}
