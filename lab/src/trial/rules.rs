//! The games that policies are tried out in, and in what they differ.

use std::fmt::Debug;

use policy_host::{Asked, ScriptedQuestion, SeatTable};
use riichi::rng::Rng;

use super::games::{TrialChair, TrialGame, TrialGameError, TrialGames};
use super::subject::Subject;
use crate::duplicate::{ActionOf, DuplicateGame};

/// A game that policies are tried out in.
pub trait TrialRules {
    /// The game as one of its seats knows it.
    type Table: SeatTable<Event: Debug, Action: Debug>;
    /// How many play it.
    const SEATS: u8;
    /// Who sits at the other seats.
    const OPPONENTS: &'static str;

    /// Situations in which every sort of action comes up, numbered from `asked`'s on.
    fn situations(asked: Asked) -> Vec<ScriptedQuestion<ActionIn<Self>>>;

    /// What sort of action it is, in a word or two.
    fn sort(action: &ActionIn<Self>) -> String;

    /// The action in words.
    fn words(action: &ActionIn<Self>) -> String;

    /// Plays the game with this number, counted from 1, the policy's seat going round. `None` when the policy is of no more use
    /// before its end.
    ///
    /// # Errors
    ///
    /// When the game cannot be played out.
    fn play(
        games: &mut TrialGames<ActionIn<Self>>,
        subject: &mut Subject,
        number: u64,
        asked: Asked,
    ) -> Result<Option<TrialGame>, TrialGameError>;
}

/// What is done in a game.
pub type ActionIn<R> = <<R as TrialRules>::Table as SeatTable>::Action;

/// Plays a game whose walls or cards have this number. At the other seats any action is taken that is allowed.
pub(super) fn play_wall<G: DuplicateGame>(
    games: &mut TrialGames<ActionOf<G>>,
    subject: &mut Subject,
    number: u64,
    asked: Asked,
) -> Result<Option<TrialGame>, TrialGameError> {
    let own = (number as usize - 1) % G::SEATS;
    let mut random = Rng::keyed(&[super::SEED, number]);
    let mut game = G::new(super::SEED, number);
    let mut chairs = Vec::with_capacity(G::SEATS);
    for seat in 0..G::SEATS {
        let mut chair = TrialChair::new(game.table(seat), number, asked);
        chair.hear(&game.deal(seat))?;
        chairs.push(chair);
    }
    let mut heard = 0;
    loop {
        for event in &game.events()[heard..] {
            for (seat, chair) in chairs.iter_mut().enumerate() {
                chair.hear(&G::heard(event, seat))?;
            }
        }
        heard = game.events().len();
        if let Some(end) = game.end() {
            let points = end.scores[own];
            let place = 1 + end.scores.iter().filter(|&&score| score > points).count() as u8;
            return Ok(Some(TrialGame { place, points, won: Some(end.winners().contains(&own)) }));
        }
        let mut answers = Vec::with_capacity(G::SEATS);
        for (seat, chair) in chairs.iter_mut().enumerate() {
            let mut legal = chair.table.legal();
            answers.push(match legal.len() {
                0 => None,
                _ if seat == own => Some(games.act(chair, subject)),
                several => Some(legal.swap_remove(random.below(several))),
            });
        }
        if subject.is_over() {
            return Ok(None);
        }
        if answers.iter().all(Option::is_none) {
            return Err(TrialGameError::Stuck);
        }
        game.answer(&answers);
    }
}
