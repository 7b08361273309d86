//! Whole games against bots that discard what they draw.

use arena::DirectGame;
use arrayvec::ArrayVec;
use mahjong::table::Contradiction;
use mahjong::{Action, Event, Rules, Seat, Table, safe_answer};

use super::PLAYERS;
use super::subject::Subject;

use policy_host::{Asked, RoundLog, ScriptedQuestion, ViewBuffer, leaves_choice};

/// What decides walls and the policy's randomness in all trials, so that two of the same library are the same.
pub const SEED: u64 = 1;

/// One decision of so many is kept, to be asked again.
const KEPT: u32 = 16;

/// Why a game cannot be played out. Neither has been seen to happen; they are faults of the runner.
#[derive(Debug, thiserror::Error)]
pub enum TrialGameError {
    /// The rules engine fails, or refuses what our own list allows.
    #[error(transparent)]
    Engine(#[from] arena::ArenaGameError),
    /// The table refuses what the engine says.
    #[error("the table cannot take in {0:?}: {1}")]
    Table(Box<Event>, Contradiction),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialGame {
    /// The policy's place, from 1.
    pub place: u8,
    /// Its points.
    pub points: i32,
}

/// The games of one policy.
#[derive(Debug, Default)]
pub struct TrialGames {
    /// Decisions that the policy was asked for.
    pub decisions: u32,
    /// Some of its decisions, to be asked again.
    pub kept: Vec<(ScriptedQuestion<Action>, Action)>,
}

impl TrialGames {
    /// Plays the game with this number, counted from 1, the policy's seat going round. `None` when the policy is of no more
    /// use before its end.
    ///
    /// # Errors
    ///
    /// When the game cannot be played out.
    pub fn play(
        &mut self,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<TrialGame>, TrialGameError> {
        let seat = Seat::all(PLAYERS).cycle().nth(number as usize - 1).unwrap_or(Seat::FIRST);
        let mut game = DirectGame::new(SEED, number, Rules::TENHOU_HALF)?;
        let mut chair = TrialSeat::new(seat, Asked { game: number - 1, seed: SEED, ..asked });
        let mut moves: ArrayVec<(Seat, Action), 4> = ArrayVec::new();
        loop {
            for event in game.events() {
                chair.hear(event)?;
            }
            moves.clear();
            for asked in game.asked() {
                let action = if asked == seat { self.act(&mut chair, subject) } else { tsumogiri(asked, &game) };
                moves.push((asked, action));
            }
            if subject.is_over() {
                return Ok(None);
            }
            if moves.is_empty() {
                break;
            }
            game.answer(&moves)?;
        }
        let scores = game.scores();
        Ok(Some(TrialGame { place: scores.place(seat), points: scores[seat] }))
    }

    /// What the policy does, or the safe answer.
    fn act(&mut self, chair: &mut TrialSeat, subject: &mut Subject) -> Action {
        let legal = chair.table.legal_actions();
        let safe = safe_answer(&legal).unwrap_or(Action::None);
        if !leaves_choice(&legal) {
            return safe;
        }
        chair.view.fill(&chair.table, &chair.log, &legal, &chair.asked);
        let place = format!("game {}, decision {}", chair.asked.game + 1, chair.asked.decision + 1);
        chair.asked.decision += 1;
        self.decisions += 1;
        let Some(answer) = subject.ask(&chair.view, &legal, &place) else { return safe };
        if self.decisions.is_multiple_of(KEPT) {
            let view = std::mem::take(&mut chair.view);
            self.kept.push((ScriptedQuestion { view, legal: legal.to_vec() }, answer.action));
        }
        answer.action
    }
}

/// The policy's seat with all it knows.
struct TrialSeat {
    table: Table,
    log: RoundLog,
    view: ViewBuffer,
    asked: Asked,
}

impl TrialSeat {
    fn new(seat: Seat, asked: Asked) -> Self {
        let table = Table::new(Rules::TENHOU_HALF, seat);
        Self { table, log: RoundLog::default(), view: ViewBuffer::default(), asked }
    }

    fn hear(&mut self, event: &Event) -> Result<(), TrialGameError> {
        let event = event.masked_for(self.table.seat());
        self.table.apply(&event).map_err(|contradiction| TrialGameError::Table(Box::new(event), contradiction))?;
        self.log.push(&event, &self.table);
        Ok(())
    }
}

/// Passes everything, and throws what it has drawn.
fn tsumogiri(seat: Seat, game: &DirectGame) -> Action {
    match game.events().last() {
        Some(&Event::Tsumo { actor, tile: Some(tile) }) if actor == seat => Action::Dahai { tile, tsumogiri: true },
        _ => Action::None,
    }
}
