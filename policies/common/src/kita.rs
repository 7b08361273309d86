//! Setting a North aside (three players).

use policy_sdk::View;
use riichi::acceptance::discard_options;
use riichi::shanten::shanten;
use riichi::{Action, Wind};

/// The listed kita, if the hand can spare the North: without it it is as near to completion as
/// after its best discard.
///
/// A North set aside is a dora and brings another draw, and no triplet of it is a yaku, so it is
/// only kept if setting it aside would break a pair, a triplet or thirteen orphans. It ignores that
/// another seat may win on it: only a seat that waits for North can.
pub fn spare(view: &View<'_>) -> Option<usize> {
    let kita = view
        .legal()
        .iter()
        .position(|action| matches!(action, Action::Kita))?;
    let nearest = discard_options(view.concealed())
        .iter()
        .map(|option| option.shanten)
        .min()?;
    let rest = view.concealed().without(Wind::North.kind())?;
    (shanten(&rest) <= nearest).then_some(kita)
}

#[cfg(test)]
mod tests {
    use policy_sdk::testing::Situation;
    use riichi::Rules;

    use super::*;

    fn is_spare(closed: &str, drawn: &str) -> bool {
        let situation = Situation::drew(closed, drawn)
            .rules(Rules::TENHOU_HALF.with_players(3))
            .also(Action::Kita);
        situation
            .build()
            .view(|view| spare(view).is_some())
            .unwrap()
    }

    #[test]
    fn a_single_north_is_set_aside() {
        assert!(is_spare("19m 456p 789s 11223z", "4z"));
        assert!(is_spare("456p 789s 112233z 4z", "9m"));
    }

    #[test]
    fn a_third_north_beside_a_pair_that_is_needed_is_set_aside_and_the_pair_is_not() {
        assert!(is_spare("123p 456p 789s 12s 44z", "4z"));
        assert!(!is_spare("123p 456p 789s 12s 44z", "9m"));
    }

    #[test]
    fn a_north_that_thirteen_orphans_need_is_kept_and_one_beside_another_pair_is_not() {
        assert!(!is_spare("19m 159p 19s 123567z", "4z"));
        assert!(is_spare("19m 19p 19s 1234577z", "4z"));
    }
}
