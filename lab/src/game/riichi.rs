//! Riichi mahjong with four players or three.

use lab_stats::SeatCounter;
use policy_host::{GameKind, Measure, PolicyTable};
use protocol::game_record::{GameOutcome, LineForm, RiichiLineForm};
use protocol::won_json;
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::{Action, Event, Rules, Table, WholeGame};

use super::definition::{LabGame, NamedGame};
use super::luck::riichi::{RiichiLuck, weights};
use super::luck::{LuckTerms, LuckWeights};
use super::played::GameId;

impl NamedGame for RiichiGame {
    const KIND: GameKind = GameKind::Riichi;
}

impl LabGame for RiichiGame {
    const MEASURE: Measure = Self::KIND.measure();
    type Form = RiichiLineForm;
    const TRIAL_OPPONENTS: &'static str = "three bots that discard what they draw";

    fn outcome(&self) -> Option<GameOutcome> {
        None
    }

    fn count(counter: &mut SeatCounter, event: &Event, tables: &[Option<PolicyTable<Table>>]) {
        counter.count(event);
        if let Event::Dahai { actor, .. } = *event
            && let Some(Some(table)) = tables.get(actor.index())
            && !table.waits().is_empty()
        {
            counter.tenpai(actor);
        }
    }

    /// A win has its value besides, and the first line the names of the players.
    fn recorded_line(&self, place: usize) -> Option<String> {
        match &self.news()[place] {
            Event::StartGame { .. } => None,
            Event::Hora(hora) => {
                let is_win = |event: &&Event| matches!(event, Event::Hora(_));
                let before = self.news()[..place].iter().filter(is_win).count();
                Some(won_json(hora, self.wins().get(before)?))
            }
            event => Self::Form::event_line(event),
        }
    }

    fn luck(rules: &Rules) -> Option<Box<dyn LuckTerms<Self>>> {
        Some(Box::new(RiichiLuck::new(rules)))
    }

    fn luck_weights(rules: &Rules) -> Option<&'static LuckWeights> {
        Some(weights(rules))
    }

    fn policy_seed(
        GameId {
            seed,
            wall,
            seating,
        }: GameId,
        seat: usize,
    ) -> u64 {
        [wall, seating as u64, seat as u64]
            .into_iter()
            .fold(seed, |seed, part| {
                fastrand::Rng::with_seed(seed ^ part).u64(..)
            })
    }

    /// By its mjai name, as libraries log it.
    fn trial_words(action: &Action) -> String {
        format!("{action:?}")
    }

    /// Always passes, and discards the drawn tile.
    fn trial_opponent(
        table: &PolicyTable<Self::Table>,
        legal: &[Action],
        _: &mut Rng,
    ) -> Option<usize> {
        let wanted = match table.drawn() {
            Some(tile) => Action::Dahai {
                tile,
                tsumogiri: true,
            },
            None => Action::None,
        };
        legal.iter().position(|&action| action == wanted)
    }
}
