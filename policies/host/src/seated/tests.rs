//! A seat of a game other than riichi: its policy decides on its thread, and another takes over between two decisions.

use std::path::PathBuf;

use cs_eight_step::CsEightStep;
use doudizhu_split::DouDizhuSplit;
use tokio::sync::oneshot;

use super::*;
use crate::games::GameKind;
use crate::launch::Launch;
use crate::section::{LibraryChoice, PolicyConfig};
use crate::view::Asked;

/// Puts the question to the policy and waits for what comes of it.
async fn decided(seated: &mut SeatedPolicy, view: &mut ViewBuffer) -> Decided {
    let until = Instant::now() + Duration::from_secs(60);
    seated.ask(until, |asked| std::mem::swap(asked, view)).expect("it can be asked");
    match seated.next(true).await {
        SeatEvent::Decided { decided, .. } => decided,
        other => panic!("{other:?}"),
    }
}

async fn is_swapped_in_the_middle_of_a_game(policy: ChosenPolicy, game: GameKind, players: u8) {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), Vec::new()));
    let options = StartOptions { bot: "test".to_owned(), game, players, config_folder: PathBuf::new(), launch };
    let pace = Pace::from(&PolicyConfig::of(LibraryChoice::Builtin, None));
    let (mut seated, sender) =
        SeatedPolicy::start(policy.clone(), pace, options.clone(), libraries).await.expect("it starts");
    let mut questions = (game.definition().scripted)(players, Asked { budget_ms: 60_000, ..Asked::default() });
    let actions: Vec<usize> = questions.iter().map(ViewBuffer::actions).collect();

    let first = decided(&mut seated, &mut questions[0]).await;
    assert!(first.index < actions[0] && first.values.len() == actions[0] && !first.reason.is_empty(), "{first:?}");

    let (taken, mut was_taken) = oneshot::channel();
    let other = PolicyThread::start(policy, options).await.expect("it starts");
    sender.put(Replacement { policy: other, pace, taken });
    assert!(was_taken.try_recv().is_err(), "nobody has looked for it");
    let nothing_pending = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
    assert!(nothing_pending.is_err() && was_taken.try_recv().is_ok(), "it takes over between two decisions");

    for (question, &actions) in questions.iter_mut().zip(&actions).skip(1) {
        assert!(decided(&mut seated, question).await.index < actions);
    }
    assert!(seated.end().await.is_empty(), "no fault");
}

#[tokio::test]
async fn chinese_standard_is_swapped_in_the_middle_of_a_hand() {
    is_swapped_in_the_middle_of_a_game(ChosenPolicy::of::<CsEightStep>(), GameKind::ChineseStandard, 4).await;
}

#[tokio::test]
async fn dou_dizhu_is_swapped_in_the_middle_of_a_game() {
    is_swapped_in_the_middle_of_a_game(ChosenPolicy::of::<DouDizhuSplit>(), GameKind::DouDizhu, 3).await;
}
