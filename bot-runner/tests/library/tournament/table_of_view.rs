//! The table that a view gives is the one that the view was filled from.

use std::sync::atomic::{AtomicU32, Ordering};

use lab::game::GameId;
use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};
use riichi::Rules;
use riichi::rules::Length;

use super::seated::{entrant, events_of};

static DECISIONS: AtomicU32 = AtomicU32::new(0);

/// Compares each view with its table, and plays what comes.
struct Compares;

impl Policy for Compares {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "compares",
        name: "Compares",
        version: "1",
        summary: "For tests.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        let table = view.table().expect("the round was seen from its start");
        assert_eq!(
            (table.seat(), table.oya(), table.bakaze()),
            (view.seat(), view.oya(), view.bakaze())
        );
        assert_eq!(
            (table.kyoku(), table.honba(), table.kyotaku()),
            (view.kyoku(), view.honba(), view.kyotaku())
        );
        assert_eq!(
            (table.hand(), table.drawn(), table.waits()),
            (view.hand(), view.drawn(), view.waits())
        );
        assert_eq!(
            (*table.scores(), table.unseen(), table.furiten()),
            (view.scores(), view.unseen(), view.furiten())
        );
        assert_eq!(table.legal_actions().as_slice(), view.legal());
        assert_eq!(table.tiles_left(), view.tiles_left());
        for player in view.opponents() {
            let theirs = table.player(player.seat());
            assert_eq!(theirs.cannot_ron(), player.cannot_ron().all());
            assert_eq!(theirs.riichi, player.riichi());
            assert!(theirs.river.iter().copied().eq(player.river()));
        }
        DECISIONS.fetch_add(1, Ordering::Relaxed);
        Ok(view.decision() as usize * 7 % view.legal().len())
    }
}

#[test]
fn the_table_of_a_view_knows_what_the_view_shows() {
    for players in [4, 3] {
        let compares = entrant::<Compares>();
        let rules = Rules::TENHOU_HALF
            .with_players(players)
            .with_length(Length::East);
        events_of(
            &vec![&compares; players.into()],
            rules,
            GameId {
                seed: 1,
                wall: 2,
                seating: 0,
            },
        );
    }
    assert!(DECISIONS.load(Ordering::Relaxed) > 200);
}
