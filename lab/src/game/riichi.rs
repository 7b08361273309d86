//! Riichi mahjong with four players or three.

use arrayvec::ArrayVec;
use lab_stats::SeatCounter;
use policy_host::{GameKind, RiichiTable};
use riichi::MAX_PLAYERS;
use riichi::game;
use riichi::{Action, Event, Rules, Seat};

use super::definition::Game;
use super::measure::Measure;
use super::played::{GameEnd, GameId};

/// A game of riichi mahjong. Its walls are those of the embedded arena's game with this seed and number.
#[derive(Debug, Clone)]
pub struct PlayableRiichi(game::Game);

fn seat(index: usize) -> Seat {
    Seat::new(index as u8).expect("there are at most four seats")
}

impl Game for PlayableRiichi {
    type Rules = Rules;
    type Table = RiichiTable;
    const KIND: GameKind = GameKind::Riichi;
    const MEASURE: Measure = Measure::Places;

    fn usual_rules(players: u8) -> Rules {
        Rules::TENHOU_HALF.with_players(players)
    }

    fn players(rules: &Rules) -> usize {
        rules.players.into()
    }

    fn new(rules: Rules, seed: u64, wall: u64) -> Self {
        Self(game::Game::new(rules, game::seed_of_walls(seed, wall)))
    }

    fn table(rules: Rules, index: usize) -> RiichiTable {
        RiichiTable::new(rules, seat(index))
    }

    fn news(&self) -> &[Event] {
        self.0.events()
    }

    fn heard(event: &Event, index: usize) -> Event {
        event.masked_for(seat(index))
    }

    fn asked(&self) -> ArrayVec<usize, MAX_PLAYERS> {
        self.0.asked().into_iter().map(Seat::index).collect()
    }

    fn answer(&mut self, answers: &[(usize, Action)]) -> Result<(), String> {
        answers
            .iter()
            .try_for_each(|&(index, action)| self.0.answer(seat(index), action))
            .map_err(|error| error.to_string())
    }

    fn end(&self) -> Option<GameEnd> {
        let scores = self.0.scores();
        self.0.is_over().then(|| GameEnd {
            scores: scores.iter().map(|(_, &score)| score.into()).collect(),
            places: scores.iter().map(|(seat, _)| scores.place(seat)).collect(),
            outcome: None,
        })
    }

    fn count(counter: &mut SeatCounter, event: &Event, tables: &[RiichiTable]) {
        counter.count(event);
        if let Event::Dahai { actor, .. } = *event
            && tables.get(actor.index()).is_some_and(|seat| !seat.table().waits().is_empty())
        {
            counter.tenpai(actor);
        }
    }

    fn policy_seed(GameId { seed, wall, seating }: GameId, seat: usize) -> u64 {
        [wall, seating as u64, seat as u64]
            .into_iter()
            .fold(seed, |seed, part| fastrand::Rng::with_seed(seed ^ part).u64(..))
    }
}
