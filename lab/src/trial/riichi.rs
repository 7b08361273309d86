//! Riichi mahjong: hanchan against bots that discard what they draw.

use arena::DirectGame;
use arrayvec::ArrayVec;
use policy_host::{Asked, RiichiTable, ScriptedQuestion};
use riichi::{Action, Event, Rules, Seat};

use super::games::{SEED, TrialChair, TrialGame, TrialGameError, TrialGames};
use super::rules::TrialRules;
use super::situations;
use super::subject::Subject;

/// Riichi mahjong with four.
#[derive(Debug)]
pub enum RiichiTrial {}

impl TrialRules for RiichiTrial {
    type Table = RiichiTable;
    const SEATS: u8 = 4;
    const OPPONENTS: &'static str = "three bots that discard what they draw";

    fn situations(asked: Asked) -> Vec<ScriptedQuestion<Action>> {
        situations::riichi(asked)
    }

    fn sort(action: &Action) -> String {
        Self::words(action).split(' ').next().unwrap_or_default().to_owned()
    }

    fn words(action: &Action) -> String {
        format!("{action:?}")
    }

    fn play(
        games: &mut TrialGames<Action>,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<TrialGame>, TrialGameError> {
        let seat = Seat::all(Self::SEATS).cycle().nth(number as usize - 1).unwrap_or(Seat::FIRST);
        let mut game = DirectGame::new(SEED, number, Rules::TENHOU_HALF)?;
        let mut chair = TrialChair::new(RiichiTable::new(Rules::TENHOU_HALF, seat), number, asked);
        let mut moves: ArrayVec<(Seat, Action), 4> = ArrayVec::new();
        loop {
            for event in game.events() {
                chair.hear(&event.masked_for(seat))?;
            }
            moves.clear();
            for asked in game.asked() {
                let action = if asked == seat { games.act(&mut chair, subject) } else { tsumogiri(asked, &game) };
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
        Ok(Some(TrialGame { place: scores.place(seat), points: scores[seat].into(), won: None }))
    }
}

/// Passes everything, and throws what it has drawn.
fn tsumogiri(seat: Seat, game: &DirectGame) -> Action {
    match game.events().last() {
        Some(&Event::Tsumo { actor, tile: Some(tile) }) if actor == seat => Action::Dahai { tile, tsumogiri: true },
        _ => Action::None,
    }
}
