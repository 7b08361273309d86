//! Seats for policies in tests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use policy_host::{
    Admitted, Decided, GameKind, Launch, Libraries, Pace, PolicyConfig, SeatEvent, SeatedPolicy,
    StartOptions, ViewBuffer,
};

/// A policy that a section names, at a seat.
pub(crate) async fn admitted(section: &PolicyConfig, launch: Launch) -> SeatedPolicy {
    let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch,
    };
    let admitted = libraries.admit(section, &options, None, Instant::now());
    let Ok(Admitted::Ready(policy)) = admitted else {
        panic!("{admitted:?}")
    };
    SeatedPolicy::start(policy, Pace::from(section), options, libraries)
        .await
        .expect("it starts")
        .0
}

/// The decision of a seated policy for this view, with a minute of time.
pub(crate) async fn decision(
    seat: &mut SeatedPolicy,
    fill: impl FnOnce(&mut ViewBuffer),
) -> Decided {
    seat.ask(Instant::now() + Duration::from_secs(60), fill)
        .expect("it is free");
    match seat.next(true).await {
        SeatEvent::Decided { decided, .. } => decided,
        event => panic!("{event:?}"),
    }
}
