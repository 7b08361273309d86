//! The value of a win, based on a view.

use riichi::score::{NoWin, Payment, Score};
use riichi::yaku::Yaku;
use riichi::{Seat, Wind};

use crate::testing::Situation;
use crate::{Request, View};

/// Waits for 1m and 4m.
const PINFU: &str = "23m 456p 789p 234s 88s";

fn worth(situation: Situation) -> Result<Score, NoWin> {
    let score = |view: &View<'_>| match view.request() {
        Request::OwnTurn => view.score_of(view.seat(), view.drawn().expect("a drawn tile")),
        Request::Claim { tile, from, .. } => view.score_of(from, tile),
    };
    situation.build().view(score).expect("a sound view")
}

fn yaku(score: Score) -> Vec<Yaku> {
    score.yaku.iter().collect()
}

#[test]
fn a_win_is_judged_as_the_view_has_it() {
    let table = |situation: Situation| {
        situation
            .seat(0)
            .oya(1)
            .bakaze(Wind::South)
            .dora_markers("7s")
    };
    let drawn = worth(table(Situation::drew(PINFU, "1m")).river(0, "9s")).expect("a win");
    assert_eq!(yaku(drawn), [Yaku::MenzenTsumo, Yaku::Pinfu]);
    assert_eq!((drawn.dora.dora, drawn.han, drawn.fu), (2, 4, 20));
    assert_eq!(
        drawn.payment(),
        Payment::Tsumo {
            oya: 2600,
            ko: 1300
        }
    );

    let offered = worth(table(Situation::offered(PINFU, "1m", 2))).expect("a win");
    assert_eq!(yaku(offered), [Yaku::Pinfu]);
    assert_eq!(
        offered.deltas(Seat::new(2).unwrap()).as_slice(),
        [3900, 0, -3900, 0]
    );
}

#[test]
fn without_a_win_there_is_no_value() {
    assert_eq!(
        worth(Situation::offered("23m 456p 789p 234s 77z", "1m", 2)),
        Err(NoWin::NoYaku)
    );
    assert_eq!(
        worth(Situation::offered(PINFU, "9m", 2)),
        Err(NoWin::NotComplete)
    );
    let riichi = Situation::offered("23m 456p 789p 234s 77z", "1m", 2).riichi(0, "9s");
    assert!(yaku(worth(riichi).expect("a win")).contains(&Yaku::Riichi));
}
