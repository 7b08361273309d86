//! A seat's policy decides on its thread, another takes over between two decisions, and one that
//! fails too often is set aside.

use std::path::PathBuf;

use cs_eight_step::CsEightStep;
use doudizhu_split::DouDizhuSplit;
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, RiichiMahjong, View,
};
use tokio::sync::oneshot;

use super::*;
use crate::call::host::WhenUnwanted;
use crate::child::launch::Launch;
use crate::games::GameKind;
use crate::policy_config::{LibraryChoice, PolicyConfig};
use crate::view::Asked;

/// Asks the policy the question and waits for the outcome.
async fn decided(seated: &mut SeatedPolicy, view: &mut ViewBuffer) -> Decided {
    let until = Instant::now() + Duration::from_secs(60);
    seated
        .ask(until, |asked| std::mem::swap(asked, view))
        .expect("it can be asked");
    match seated.next(true).await {
        SeatEvent::Decided { decided, .. } => decided,
        other => panic!("{other:?}"),
    }
}

/// The policy at the seat, with the sender for replacements and the options for starting them.
async fn seat(
    policy: ChosenPolicy,
    game: GameKind,
    players: u8,
) -> (SeatedPolicy, ReplacementSender, StartOptions) {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), Vec::new()));
    let options = StartOptions {
        bot: "test".to_owned(),
        game,
        players,
        config_folder: PathBuf::new(),
        launch,
    };
    let (seated, sender) = SeatedPolicy::start(policy, pace(), options.clone(), libraries)
        .await
        .expect("it starts");
    (seated, sender, options)
}

fn pace() -> Pace {
    Pace::from(&PolicyConfig::of(LibraryChoice::Builtin, None))
}

async fn is_swapped_in_the_middle_of_a_game(policy: ChosenPolicy, game: GameKind, players: u8) {
    let (mut seated, sender, options) = seat(policy.clone(), game, players).await;
    let mut questions = (game.definition().admission_views)(
        players,
        Asked {
            budget: Duration::from_secs(60),
            ..Asked::default()
        },
    );
    let actions: Vec<usize> = questions.iter().map(ViewBuffer::actions).collect();

    let first = decided(&mut seated, &mut questions[0]).await;
    assert!(
        first.index < actions[0] && first.values.len() == actions[0] && !first.reason.is_empty(),
        "{first:?}"
    );

    let (taken, mut was_taken) = oneshot::channel();
    let other = PolicyThread::start(policy, options)
        .await
        .expect("it starts");
    sender.put(Replacement {
        policy: other,
        pace: pace(),
        taken,
    });
    assert!(was_taken.try_recv().is_err(), "no thread has looked for it");
    let nothing_pending = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
    assert!(
        nothing_pending.is_err() && was_taken.try_recv().is_ok(),
        "it takes over between two decisions"
    );

    for (question, &actions) in questions.iter_mut().zip(&actions).skip(1) {
        assert!(decided(&mut seated, question).await.index < actions);
    }
    assert!(seated.end().await.is_empty(), "no fault");
}

#[tokio::test]
async fn chinese_standard_is_swapped_in_the_middle_of_a_hand() {
    is_swapped_in_the_middle_of_a_game(ChosenPolicy::of::<CsEightStep>(), GameKind::Mcr, 4).await;
}

#[tokio::test]
async fn dou_dizhu_is_swapped_in_the_middle_of_a_game() {
    is_swapped_in_the_middle_of_a_game(ChosenPolicy::of::<DouDizhuSplit>(), GameKind::DouDizhu, 3)
        .await;
}

/// Takes longer than a look at it, to start and for its first decision.
struct Slow;

const LONGER_THAN_A_LOOK: Duration = Duration::from_millis(400);

impl Policy for Slow {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "slow",
        name: "Slow",
        version: "1",
        summary: "Starts slowly and decides slowly.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        std::thread::sleep(LONGER_THAN_A_LOOK);
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        std::thread::sleep(LONGER_THAN_A_LOOK);
        Ok(0)
    }
}

#[tokio::test]
async fn a_policy_that_starts_slowly_and_is_late_does_not_hang() {
    let (mut seated, ..) = seat(ChosenPolicy::of::<Slow>(), GameKind::Riichi, 4).await;
    let asked = Asked {
        budget: Duration::from_millis(1),
        ..Asked::default()
    };
    let mut view = (GameKind::Riichi.definition().admission_views)(4, asked).swap_remove(0);
    seated
        .ask(Instant::now() + asked.budget, |asked| {
            std::mem::swap(asked, &mut view)
        })
        .expect("it can be asked");
    assert!(
        matches!(seated.next(true).await, SeatEvent::Undecided(_)),
        "its time is over"
    );
    let nothing = tokio::time::timeout(2 * LONGER_THAN_A_LOOK, seated.next(true)).await;
    assert!(
        nothing.is_err(),
        "its late answer means nothing: {nothing:?}"
    );
    assert_eq!(seated.end().await.to_string(), "was late once");
}

#[tokio::test]
async fn a_policy_that_waits_for_a_processor_is_not_set_aside_and_one_that_hangs_twice_is() {
    for (fault, most) in [(Fault::Kept(KeptBy::Load), None), (Fault::Hung, Some(2))] {
        let (mut seated, ..) = seat(ChosenPolicy::of::<Slow>(), GameKind::Riichi, 4).await;
        // Once in each game is not often enough.
        for _ in 0..4 {
            seated.game_begins();
            seated.failed(&fault);
            assert!(!seated.is_set_aside(), "{fault}");
        }
        seated.game_begins();
        let often = (1..=20).find(|_| {
            seated.failed(&fault);
            seated.is_set_aside()
        });
        assert_eq!(often, most, "{fault}");
    }
}

/// One decision in a game, and the game's beginning.
async fn good_decision(seated: &mut SeatedPolicy) {
    let asked = Asked {
        budget: Duration::from_secs(60),
        ..Asked::default()
    };
    let mut view = (GameKind::Riichi.definition().admission_views)(4, asked).swap_remove(0);
    decided(seated, &mut view).await;
}

#[tokio::test]
async fn a_policy_that_is_stopped_again_and_again_is_set_aside_in_games_of_any_length() {
    let stop = Fault::Kept(KeptBy::Stop);
    for games_between in 0..3 {
        let (mut seated, ..) = seat(ChosenPolicy::of::<Slow>(), GameKind::Riichi, 4).await;
        seated.game_begins();
        for stops in 1..=MAX_STOPS {
            assert!(!seated.is_set_aside(), "after {} stops", stops - 1);
            seated.failed(&stop);
            // It decides nothing in these, since it does not return.
            (0..games_between).for_each(|_| seated.game_begins());
        }
        let told = seated.set_aside().expect("it is set aside");
        assert_eq!(
            told.why,
            "it was stopped 3 times for a minute after its time was over"
        );
    }
}

#[tokio::test]
async fn stops_are_forgotten_after_a_good_game() {
    let (mut seated, ..) = seat(ChosenPolicy::of::<Slow>(), GameKind::Riichi, 4).await;
    for _ in 0..MAX_STOPS {
        seated.game_begins();
        seated.failed(&Fault::Kept(KeptBy::Stop));
        seated.game_begins();
        good_decision(&mut seated).await;
    }
    seated.game_begins();
    assert!(!seated.is_set_aside());
}

/// Never decides: a server that it asks is away, or else it fails.
struct Undecided<const AWAY: bool>;

impl<const AWAY: bool> Policy for Undecided<AWAY> {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "undecided",
        name: "Undecided",
        version: "1",
        summary: "Never decides.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        let why = "the server is away".to_owned();
        Err(if AWAY {
            DecideError::Unavailable(why)
        } else {
            DecideError::Failed(why)
        })
    }
}

/// Number of questions that it is asked, out of this many in one game, before it is set aside.
async fn asked_of<const AWAY: bool>(questions: u32) -> u32 {
    let (mut seated, ..) = seat(ChosenPolicy::of::<Undecided<AWAY>>(), GameKind::Riichi, 4).await;
    let asked = Asked {
        budget: Duration::from_secs(60),
        ..Asked::default()
    };
    for number in 0..questions {
        let mut view = (GameKind::Riichi.definition().admission_views)(4, asked).swap_remove(0);
        let until = Instant::now() + Duration::from_secs(60);
        if seated
            .ask(until, |asked| std::mem::swap(asked, &mut view))
            .is_err()
        {
            return number;
        }
        match seated.next(true).await {
            SeatEvent::Undecided(_) => {}
            other => panic!("{other:?}"),
        }
    }
    questions
}

#[tokio::test]
async fn a_policy_that_fails_is_set_aside() {
    assert_eq!(
        asked_of::<false>(MAX_FAULTS_PER_GAME * 2).await,
        MAX_FAULTS_PER_GAME
    );
}

#[tokio::test]
async fn a_policy_that_is_unavailable_is_asked_again_and_again() {
    assert_eq!(
        asked_of::<true>(MAX_FAULTS_PER_GAME * 2).await,
        MAX_FAULTS_PER_GAME * 2
    );
}

/// A guest that takes its time, as a person does: it waits until no answer is wanted any more.
struct PatientGuest;

static UNWANTED: std::sync::Mutex<bool> = std::sync::Mutex::new(false);
static WOKEN: std::sync::Condvar = std::sync::Condvar::new();

impl Policy for PatientGuest {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "waiting",
        name: "Waiting",
        version: "1",
        summary: "Waits until its answer is no longer wanted.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, env: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        let mut unwanted = UNWANTED.lock().expect("no other thread panics with it");
        while env.still_wanted() {
            unwanted = WOKEN
                .wait(unwanted)
                .expect("no other thread panics with it");
        }
        *unwanted = true;
        Ok(0)
    }
}

fn riichi_question() -> ViewBuffer {
    let asked = Asked {
        budget: Duration::from_secs(60),
        ..Asked::default()
    };
    (GameKind::Riichi.definition().admission_views)(4, asked).remove(0)
}

#[tokio::test]
async fn a_guest_plays_until_it_is_dismissed_and_then_the_seats_own_policy_decides_again() {
    let own = ChosenPolicy::of::<Slow>();
    let (mut seated, sender, options) = seat(own, GameKind::Riichi, 4).await;
    let mut chosen = ChosenPolicy::of::<PatientGuest>();
    chosen.when_unwanted = Some(WhenUnwanted::new(|| {
        drop(UNWANTED.lock());
        WOKEN.notify_all();
    }));
    let guest = PolicyThread::start(chosen, options.clone())
        .await
        .expect("it starts");
    let think = Duration::from_secs(17);
    let mut stages = sender.invite(guest, think);
    assert_eq!(*stages.borrow_and_update(), GuestStage::Waits);
    let nothing = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
    assert!(nothing.is_err(), "nothing is asked");
    assert_eq!(*stages.borrow_and_update(), GuestStage::Sits);
    assert!(seated.has_guest() && seated.identity().id == "waiting");
    assert_eq!(seated.pace().think, Some(think));

    // A new build of the seat's own policy waits meanwhile.
    let (taken, mut was_taken) = oneshot::channel();
    let build = PolicyThread::start(ChosenPolicy::of::<Slow>(), options)
        .await
        .expect("it starts");
    sender.put(Replacement {
        policy: build,
        pace: pace(),
        taken,
    });
    let nothing = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
    assert!(nothing.is_err() && was_taken.try_recv().is_err() && seated.has_guest());

    // It leaves at once: the question that it leaves open goes to the seat's own policy.
    let until = Instant::now() + Duration::from_secs(60);
    let mut view = riichi_question();
    let fill = |asked: &mut ViewBuffer| std::mem::swap(asked, &mut view);
    seated.ask(until, fill).expect("it can be asked");
    let open = tokio::time::timeout(Duration::from_millis(20), seated.next(true)).await;
    assert!(open.is_err(), "it waits");
    sender.dismiss();
    assert!(matches!(seated.next(true).await, SeatEvent::AskAgain));
    assert_eq!(*stages.borrow_and_update(), GuestStage::Left);
    assert!(!seated.has_guest() && seated.identity().id == "slow");
    assert_eq!(seated.pace().think, pace().think);
    decided(&mut seated, &mut riichi_question()).await;
    let nothing = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
    assert!(
        nothing.is_err() && was_taken.try_recv().is_ok(),
        "the build"
    );
    let patience = Instant::now() + Duration::from_secs(60);
    while !*UNWANTED.lock().expect("no other thread panics with it") {
        assert!(
            Instant::now() < patience,
            "the guest hears that its answer is not wanted"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(seated.end().await.is_empty(), "no fault");
}

#[tokio::test]
async fn a_guest_that_fails_leaves_the_seat_to_its_own_policy() {
    let own = ChosenPolicy::of::<Slow>();
    let (mut seated, sender, options) = seat(own, GameKind::Riichi, 4).await;
    let guest = PolicyThread::start(ChosenPolicy::of::<Undecided<false>>(), options)
        .await
        .expect("it starts");
    let stages = sender.invite(guest, Duration::from_secs(60));
    for _ in 0..MAX_FAULTS_PER_GAME {
        let nothing = tokio::time::timeout(Duration::from_millis(1), seated.next(true)).await;
        assert!(nothing.is_err() && seated.has_guest());
        let until = Instant::now() + Duration::from_secs(60);
        let mut view = riichi_question();
        let fill = |asked: &mut ViewBuffer| std::mem::swap(asked, &mut view);
        seated.ask(until, fill).expect("it can be asked");
        assert!(matches!(seated.next(true).await, SeatEvent::Undecided(_)));
    }
    assert_eq!(*stages.borrow(), GuestStage::Left);
    assert!(!seated.has_guest() && !seated.is_set_aside() && seated.set_aside().is_none());
    decided(&mut seated, &mut riichi_question()).await;
}
