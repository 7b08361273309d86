//! The laboratory's additions to a game: the counts, and the winner.

use lab_stats::SeatCounter;
use policy_host::{GameKind, Measure, PolicyTable, ShownTable};
use protocol::game_record::{GameOutcome, LineForm, RecordForm};
use riichi::rng::Rng;
use riichi::{ActionOf, EventOf, WholeGame};

use super::luck::{LuckTerms, LuckWeights};
use super::played::{GameEnd, GameId};

/// A game in which bots can be compared.
pub trait LabGame: WholeGame<Table: ShownTable> {
    /// The measure that compares players in it.
    const MEASURE: Measure;

    /// The form of its records.
    type Form: LineForm<Event = EventOf<Self>, Action = ActionOf<Self>>;

    /// The players at the other seats of a policy's trial.
    const TRIAL_OPPONENTS: &'static str;

    /// The winner and the winning hand, in a game with one win.
    fn outcome(&self) -> Option<GameOutcome>;

    /// The end of the game, once it has ended.
    fn game_end(&self) -> Option<GameEnd> {
        let scores = self.end_scores()?;
        let places = (0..scores.len())
            .map(|seat| Self::MEASURE.place(&scores, seat))
            .collect();
        Some(GameEnd {
            places,
            outcome: self.outcome(),
            scores,
        })
    }

    /// Counts an event for its seats, whose tables have just applied it.
    fn count(
        _counter: &mut SeatCounter,
        _event: &EventOf<Self>,
        _tables: &[Option<PolicyTable<Self::Table>>],
    ) {
    }

    /// The line of a record about the event at this place of the [news](WholeGame::news), with
    /// nothing hidden; `None` for an event that records write differently.
    fn recorded_line(&self, place: usize) -> Option<String> {
        Self::Form::event_line(&self.news()[place])
    }

    /// The terms of the luck of a game by these rules before its deal, if it has any.
    fn luck(_: &Self::Rules) -> Option<Box<dyn LuckTerms<Self>>> {
        None
    }

    /// The weights of these terms, if they are fitted.
    fn luck_weights(_: &Self::Rules) -> Option<&'static LuckWeights> {
        None
    }

    /// An action in the reports of trials.
    fn trial_words(action: &ActionOf<Self>) -> String {
        action.to_string()
    }

    /// The action of another seat in a trial: any legal action.
    fn trial_opponent(
        _: &PolicyTable<Self::Table>,
        legal: &[ActionOf<Self>],
        random: &mut Rng,
    ) -> Option<usize> {
        Some(random.below(legal.len()))
    }

    fn policy_seed(
        GameId {
            seed,
            wall,
            seating,
        }: GameId,
        seat: usize,
    ) -> u64 {
        Rng::keyed(&[seed, wall, seating as u64, seat as u64]).next_u64()
    }
}

/// A game with a row in [`GameKind`], by which configs, commands and libraries name it.
pub trait NamedGame: LabGame {
    const KIND: GameKind;
}

/// A game in whose records the deal and the result have their own lines.
pub trait SteppedGame: LabGame<Form: RecordForm<Rules = <Self as WholeGame>::Rules>> {}

impl<G: LabGame<Form: RecordForm<Rules = <G as WholeGame>::Rules>>> SteppedGame for G {}
