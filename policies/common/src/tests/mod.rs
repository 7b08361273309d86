//! The shared parts of all strategies, each rule by its sentence, tested through the simplest
//! strategy.

mod decisions;
mod kans;
mod nearest;

use policy_sdk::abi::params::{VALUE_CHOICE, Value};
use policy_sdk::testing::{Answered, Setting, Situation, TestInstance, tile};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi,
};
use riichi::Action;

use crate::{Calls, Habits, Kans, Strategy, call, candidate, kan};

const CALLS: Setting<'static> = ("calls", Value::text(VALUE_CHOICE, "yaku"));
const KANS: Setting<'static> = ("kan", Value::text(VALUE_CHOICE, "safe"));
const NO_KYUSHU: Setting<'static> = ("kyushu", Value::boolean(false));

static ENTRY: abi::Entry = policy_sdk::entry("plain", &[policy_sdk::policy::<Plain>()]);

/// Throws the first discard listed that leaves the lowest shanten number and the most acceptance.
struct Plain(Habits);

impl Policy for Plain {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "plain",
        name: "Plain",
        version: "0",
        summary: "Does what all strategies do.",
        games: Games::FourPlayers,
        params: &[
            Calls::param(Calls::Never),
            Kans::param(Kans::Never),
            Habits::KYUSHU,
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(Habits::read(params)?))
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        _: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        crate::decide(self, view, answer)
    }
}

impl Strategy for Plain {
    fn habits(&self) -> &Habits {
        &self.0
    }

    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize {
        call::nearest(view, pass, answer)
    }

    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError> {
        let eligible = candidate::eligible(view, &candidate::candidates(view));
        let best = eligible
            .iter()
            .min_by_key(|candidate| candidate.progress.order());
        let best = best.ok_or_else(|| DecideError::Failed("nothing to discard".to_owned()))?;
        Ok(kan::or_discard(view, self.0.kans, best, 1.0, answer))
    }
}

fn answers(settings: &[Setting<'_>], situation: Situation) -> Answered {
    TestInstance::create(&ENTRY, "plain", settings)
        .unwrap()
        .decide(&situation.build())
        .unwrap()
}

fn chooses(settings: &[Setting<'_>], situation: Situation) -> Action {
    answers(settings, situation).action
}
