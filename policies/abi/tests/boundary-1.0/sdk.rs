//! A library of the SDK as it was with version 1.0 of the boundary. It reads all that each game's
//! view tells, wins where it can, and else takes the first legal action.

use std::fmt::Debug;
use std::hint::black_box;

use mcr::StandardAction;
use policy_sdk::mahjong::{Action, Seat};
use policy_sdk::{
    Answer, ChineseStandard, ChineseStandardView, Choice, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env,
    Games, Level, Param, Params, Policy, RiichiMahjong, View, abi,
};

static ENTRY: abi::Entry = policy_sdk::entry(
    "SDK of 1.0",
    &[policy_sdk::policy::<Riichi>(), policy_sdk::policy::<Standard>(), policy_sdk::policy::<Cards>()],
);

policy_sdk::export!(ENTRY);

const PARAMS: &[Param] = &[
    Param::integer("whole", 1, -10, 10, "A whole number."),
    Param::number("number", 1.0, 0.0, 2.0, "A number.").tunable(),
    Param::choice("choice", "first", &[Choice::new("first"), Choice::new("second")], "One of a list."),
];

const fn descriptor(id: &'static str, games: Games) -> Descriptor {
    let (name, summary) = ("SDK of 1.0", "Reads all that its view tells.");
    Descriptor { id, name, version: "1.0", summary, games, params: PARAMS }
}

fn check(params: &Params) -> Result<(), CreateError> {
    let found = (params.integer("whole")?, params.number("number")?, params.choice("choice")?.to_owned());
    if found != (-7, 0.5, "second".to_owned()) {
        return Err(CreateError::Failed(format!("parameters {found:?}")));
    }
    Ok(())
}

/// Writes out everything, so that all accessors are called.
fn read(everything: &dyn Debug) {
    black_box(format!("{everything:?}"));
}

fn decided(index: Option<usize>, actions: usize, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
    if !env.still_wanted() {
        return Err(DecideError::Failed("nobody waits".to_owned()));
    }
    env.log(Level::Info, "a library of 1.0 decides");
    (0..actions).for_each(|index| answer.value(index, 0.5));
    answer.reason(format_args!("as 1.0 does"));
    Ok(index.unwrap_or(0))
}

struct Riichi;

impl Policy for Riichi {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = descriptor("riichi", Games::Both);

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        check(params).map(|()| Self)
    }

    fn decide(&mut self, view: &View<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        read(&(view.rules(), view.game(), view.decision(), view.seat(), view.oya(), view.bakaze(), view.seat_wind()));
        read(&(view.kyoku(), view.honba(), view.kyotaku(), view.start_kyotaku(), view.rng().next_u64()));
        read(&(view.scores(), view.start_scores(), view.placements(), view.hand(), view.closed(), view.drawn()));
        read(&(view.start_hand(), view.melds(), view.waits(), view.furiten(), view.request(), view.time()));
        read(&(view.dora_markers().collect::<Vec<_>>(), view.tiles_left(), view.first_turn(), view.after_kan()));
        read(&(view.unseen(), view.seen(), view.unseen_reds(), view.opponents().count(), view.legal()));
        for seat in Seat::all(view.players()) {
            let player = view.player(seat);
            read(&(player.river().collect::<Vec<_>>(), player.melds(), player.riichi(), player.cannot_ron().all()));
        }
        for end in view.ended_round() {
            read(&end.map_err(|error| DecideError::Failed(error.to_string()))?);
        }
        for event in view.events() {
            read(&event.map_err(|error| DecideError::Failed(error.to_string()))?);
        }
        let win = view.legal().iter().position(|action| matches!(action, Action::Hora { .. }));
        decided(win, view.legal().len(), env, answer)
    }
}

struct Standard;

impl Policy for Standard {
    type Game = ChineseStandard;

    const DESCRIPTOR: Descriptor = descriptor("chinese-standard", Games::FourPlayers);

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        check(params).map(|()| Self)
    }

    fn decide(&mut self, view: &ChineseStandardView<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        read(&(view.table(), view.legal(), view.events().collect::<Vec<_>>(), view.time()));
        read(&(view.game(), view.decision(), view.rng().next_u64()));
        let win = view.legal().iter().position(|action| matches!(action, StandardAction::Win));
        decided(win, view.legal().len(), env, answer)
    }
}

struct Cards;

impl Policy for Cards {
    type Game = DouDizhu;

    const DESCRIPTOR: Descriptor = descriptor("doudizhu", Games::ThreePlayers);

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        check(params).map(|()| Self)
    }

    fn decide(&mut self, view: &DouDizhuView<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        read(&(view.table(), view.legal(), view.seat(), view.time()));
        read(&(view.game(), view.decision(), view.rng().next_u64()));
        decided(None, view.legal().len(), env, answer)
    }
}
