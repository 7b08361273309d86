//! Situations of Dou Dizhu.

use doudizhu::{CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuRules, DouDizhuSeat};
use policy_host::{Asked, DouDizhuTable, ScriptedQuestion, scripted_questions};

/// Everything that seat 0 is asked in two games that take their course whatever is answered, as the landlord and as a peasant.
pub(in crate::trial) fn situations(mut asked: Asked) -> Vec<ScriptedQuestion<DouDizhuAction>> {
    let mut all = Vec::new();
    for game in [as_landlord(), as_peasant()] {
        let questions = scripted_questions(&mut DouDizhuTable::new(DouDizhuRules::BIDDING), &game, asked);
        asked.decision += questions.len() as u32;
        all.extend(questions);
    }
    all
}

/// 3333 4444 555 666 77 8, to which a 9 and both jokers come.
const RICH: [u8; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17, 20];
/// 33445566 and one of each rank from the seven to the two.
const LONG: [u8; 17] = [0, 1, 4, 5, 8, 9, 12, 13, 16, 20, 24, 28, 32, 36, 40, 44, 48];

/// The seats bid, the own one leads with everything that there is, and answers a pair.
fn as_landlord() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal { seat: own, hand: cards(RICH) },
        DouDizhuEvent::Bid { seat: own, bid: 3 },
        DouDizhuEvent::Landlord { seat: own, public: cards([24, 52, 53]) },
        DouDizhuEvent::Play { seat: own, cards: cards([24]) },
        DouDizhuEvent::Play { seat: next, cards: cards([29]) },
        DouDizhuEvent::Play { seat: last, cards: CardSet::EMPTY },
        DouDizhuEvent::Play { seat: own, cards: cards([52, 53]) },
        DouDizhuEvent::Play { seat: next, cards: CardSet::EMPTY },
        DouDizhuEvent::Play { seat: last, cards: CardSet::EMPTY },
    ]
}

/// Another seat bids higher; the own one answers its landlord and, after its partner has played, nobody but it.
fn as_peasant() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal { seat: own, hand: cards(LONG) },
        DouDizhuEvent::Bid { seat: own, bid: 1 },
        DouDizhuEvent::Bid { seat: next, bid: 3 },
        DouDizhuEvent::Landlord { seat: next, public: cards([17, 21, 52]) },
        DouDizhuEvent::Play { seat: next, cards: cards([17]) },
        DouDizhuEvent::Play { seat: last, cards: CardSet::EMPTY },
        DouDizhuEvent::Play { seat: own, cards: cards([20]) },
        DouDizhuEvent::Play { seat: next, cards: CardSet::EMPTY },
        DouDizhuEvent::Play { seat: last, cards: cards([25]) },
    ]
}

fn seats() -> [DouDizhuSeat; 3] {
    let first = DouDizhuSeat::FIRST;
    [first, first.next(), first.after(2)]
}

fn cards<const COUNT: usize>(numbers: [u8; COUNT]) -> CardSet {
    numbers.into_iter().filter_map(doudizhu::Card::new).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use doudizhu::CombinationKind;

    use super::*;
    use crate::game::PlayableDouDizhu;
    use crate::trial::TrialGame;

    #[test]
    fn every_sort_of_action_comes_up() {
        let questions = situations(Asked::default());
        let all = questions.iter().flat_map(|question| &question.legal);
        let sorts: BTreeSet<String> = all.map(PlayableDouDizhu::sort).collect();
        let mut expected: BTreeSet<String> =
            CombinationKind::ALL.into_iter().map(|kind| kind.name().to_owned()).collect();
        expected.extend(["bid".to_owned(), "pass".to_owned()]);
        assert_eq!(sorts, expected);
    }
}
