//! The decisions of one seat in a record.

use protocol::game_record::LineForm;
use riichi::SeatTable;

use crate::course::{CannotWatch, RecordedCourse};
use crate::replayed::{RecordDecision, ReplayedGame};

/// The counts of a walk through a record.
#[derive(Debug, Default)]
pub struct Walked {
    /// Rounds begun.
    pub rounds: u64,
}

/// Goes through the games of a record from one seat and passes each of its decisions to `told`. It
/// ends at an event that the seat's table refuses; [`replay`](crate::replay::replay) says what is
/// wrong.
///
/// # Errors
///
/// If the seat cannot be watched, or with the first error of `told`.
pub fn each_decision<G: ReplayedGame, E: From<CannotWatch>>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    mut told: impl FnMut(RecordDecision<'_, G>) -> Result<(), E>,
) -> Result<Walked, E> {
    let mut walked = Walked::default();
    for course in courses.iter().filter(|course| course.dealt > 0) {
        let mut table = course.table(seat)?;
        let mut number = 0;
        let dealt = course
            .deal(seat)
            .map(|deal| (course.dealt, deal, &course.events[..]));
        walked.rounds += u64::from(dealt.is_some());
        let happened = course.events.iter().enumerate();
        let happened =
            happened.map(|(place, (line, event))| (*line, event, &course.events[place + 1..]));
        for (line, event, next) in dealt.into_iter().chain(happened) {
            if G::Form::begins_round(event) {
                walked.rounds += 1;
                number = 0;
            }
            if table
                .apply(&G::heard_by(event, seat))
                .is_err_and(|why| !G::takes_effect(&why))
            {
                return Ok(walked);
            }
            if !G::is_asked(&table, event, next.first().map(|(_, event)| event)) {
                continue;
            }
            let legal = table.legal();
            if !G::Table::leaves_choice(&legal) {
                continue;
            }
            number += 1;
            let (round, outcome) = (walked.rounds, course.outcome.as_ref());
            told(RecordDecision {
                seat,
                line,
                round,
                number,
                table: &table,
                legal,
                next,
                outcome,
            })?;
        }
    }
    Ok(walked)
}

#[cfg(test)]
#[path = "../../games/riichi/tests/game/choice.rs"]
mod choice;

#[cfg(test)]
mod tests {
    use riichi::game::RiichiGame;
    use riichi::rng::Rng;
    use riichi::rules::Length;
    use riichi::{Action, Event, Rules, Seat, Table};

    use super::*;

    /// What a seat knows when it is asked: the dora indicators, and its actions.
    type Question = (usize, Vec<Action>);

    /// The events of a game of random choices, and the questions of each seat that leave a choice.
    fn played(rules: Rules, number: u64) -> (Vec<Event>, Vec<Vec<Question>>) {
        let style = choice::Style::of_game(number);
        let mut rng = Rng::keyed(&[number, 78]);
        let mut game = RiichiGame::new(rules, number);
        let (mut events, mut asked) = (Vec::new(), vec![Vec::new(); rules.players.into()]);
        loop {
            events.extend_from_slice(game.events());
            if game.is_over() {
                return (events, asked);
            }
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                if <Table as SeatTable>::leaves_choice(&legal) {
                    asked[seat.index()].push((game.dora_markers().len(), legal.to_vec()));
                }
                let action = style.choose(&game, seat, &legal, &mut rng);
                game.answer(seat, action).expect("it is legal");
            }
        }
    }

    #[test]
    fn the_decisions_of_a_record_are_those_that_the_seats_were_asked_for() {
        let mut with_kans = 0;
        for number in 0..42 {
            let players = if number % 2 == 0 { 4 } else { 3 };
            let rules = Rules::TENHOU_HALF
                .with_players(players)
                .with_length(Length::Single);
            let (events, asked) = played(rules, number);
            with_kans += usize::from(
                events
                    .iter()
                    .any(|event| matches!(event, Event::Dora { .. })),
            );
            let course = RecordedCourse::<RiichiGame> {
                rules,
                dealt: 1,
                deals: Vec::new(),
                events: (1..).zip(events).collect(),
                told: Vec::new(),
                known: (0..usize::from(players)).collect(),
                outcome: None,
                has_end: false,
                wrong_end: None,
            };
            for (seat, asked) in Seat::all(players).zip(asked) {
                let mut found: Vec<Question> = Vec::new();
                let walked = each_decision::<_, CannotWatch>(
                    std::slice::from_ref(&course),
                    seat.index(),
                    |decision| {
                        let doras = decision.table.dora_markers().len();
                        found.push((doras, decision.legal.to_vec()));
                        Ok(())
                    },
                );
                walked.expect("all hands are known");
                assert_eq!(found, asked, "game {number}, seat {seat}");
            }
        }
        assert!(with_kans > 10, "{with_kans} games with kans");
    }
}
