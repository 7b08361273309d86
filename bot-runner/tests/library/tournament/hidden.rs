//! Nothing hidden: what a seat is shown in a tournament follows from the events as that seat may
//! hear them.

use std::sync::Mutex;

use lab::game::GameId;

use crate::tournament::seated::events_of;
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};
use riichi::rules::Length;
use riichi::{Rules, Seat, Table};

use super::seated::entrant;

/// The view of a policy at each decision, with its seat.
static SHOWN: Mutex<Vec<(Seat, String)>> = Mutex::new(Vec::new());

/// A policy that records its views.
struct Scribe;

impl Policy for Scribe {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "scribe",
        name: "Scribe",
        version: "1",
        summary: "For tests.",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        let events: Vec<_> = view.events().collect();
        let shown = format!("{:?} {:?} {events:?}", view.seen(), view.legal());
        SHOWN
            .lock()
            .expect("no other thread panics while holding it")
            .push((view.seat(), shown));
        Ok(view.decision() as usize % view.legal().len())
    }
}

#[test]
fn every_view_follows_from_the_masked_events() {
    let scribe = entrant::<Scribe>();
    let rules = Rules::TENHOU_HALF.with_length(Length::East);
    let heard = events_of(
        &[&scribe; 4],
        rules,
        GameId {
            seed: 1,
            wall: 1,
            seating: 0,
        },
    );
    let shown = std::mem::take(
        &mut *SHOWN
            .lock()
            .expect("no other thread panics while holding it"),
    );

    let mut followed = [0; 4];
    for seat in Seat::all(4) {
        let mut own = shown
            .iter()
            .filter(|(of, _)| *of == seat)
            .map(|(_, shown)| shown)
            .peekable();
        let mut table = Table::new(rules, seat);
        let mut round = Vec::new();
        for event in &heard {
            let event = event.masked_for(seat);
            table.apply(&event).expect("it can follow");
            if matches!(event, riichi::Event::StartKyoku(_)) {
                round.clear();
            }
            round.push(event);
            // At a round's start the log has only the dealer and the indicator; the view has the
            // rest.
            let seen = riichi::Counts(table.unseen().0.map(|unseen| 4 - unseen));
            let start = format!("{seen:?} {:?} [", table.legal_actions().as_slice());
            if own
                .next_if(|shown| shown.starts_with(&start) && ends_like(shown, &round))
                .is_some()
            {
                followed[seat.index()] += 1;
            }
        }
        assert_eq!(
            own.next(),
            None,
            "seat {seat} was shown what does not follow"
        );
    }
    assert!(followed.iter().all(|&times| times > 50), "{followed:?}");
}

/// Whether the log in a policy's view is the round so far, compared from the first draw on.
fn ends_like(shown: &str, round: &[riichi::Event]) -> bool {
    let rest: Vec<_> = round[1..]
        .iter()
        .map(|event| format!("Ok({event:?})"))
        .collect();
    shown.ends_with(&format!("{}]", rest.join(", ")))
}
