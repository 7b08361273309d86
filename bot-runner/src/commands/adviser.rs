//! The adviser of a person: a policy that is asked what it would do at each question of the seat.
//!
//! It reads the lines of the seat's round, as a review reads a record, on a thread of its own at a
//! low priority.

use std::io::Cursor;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use client::place::complete;
use config::RawConfig;
use doudizhu::DouDizhuGame;
use fleet::{CommandFiles, Prepared, Purpose, prepare_raw};
use foreign_text::shown;
use lab::advisor::{Advisor, NoAdvice};
use lab::comparison::advice_on;
use lab::decisions::each_decision;
use lab::game::{Entrant, GameRules, NamedGame};
use lab::replay::whole_courses;
use lab::replayed::{RecordDecision, ReplayedGame};
use mcr::McrGame;
use policy_host::DirectThread;
use riichi::game::RiichiGame;
use riichi::{ActionOf, SeatTable};
use say::output::say;
use view::page::ShownAction;
use view::person::{
    AdviceCounts, AdviserAnswer, PersonAction, PersonSeat, QuestionForAdvice, SeatAdvice,
};

use super::entrants::entrant;
use super::low_priority::spawn_low;

/// How long the lines of a round may take to lead to the question that was put.
const LINES_TIMEOUT: Duration = Duration::from_secs(1);
/// How often they are read meanwhile.
const READ_EVERY: Duration = Duration::from_millis(20);

/// How long the end of the games waits for what the adviser has not said yet, and for its end.
const ADVICE_TIMEOUT: Duration = Duration::from_secs(5);

/// A game in which a person can be advised.
trait AdvisedGame:
    ReplayedGame + NamedGame<Table: SeatTable<Action: PersonAction>, Rules: Copy>
{
}

impl<G: ReplayedGame + NamedGame<Table: SeatTable<Action: PersonAction>, Rules: Copy>> AdvisedGame
    for G
{
}

/// Has the policy of a config advise a person from now on, and returns it. Its process is kept from
/// these files.
///
/// # Errors
///
/// If the policy cannot play at this table.
pub(super) fn advise(
    seat: &PersonSeat,
    config: PathBuf,
    (rules, players): (GameRules, u8),
    files: CommandFiles,
) -> anyhow::Result<Entrant> {
    let game = rules.kind();
    let raw = complete([config]);
    let raw = raw.iter().map(|file| RawConfig::load(file));
    let prepared = prepare_raw(raw.collect(), Purpose::Policy { game, players }, files);
    let Prepared { bots, libraries } = prepared.context("--adviser")?;
    let bot = bots.first().context("--adviser: the config names no bot")?;
    let entrant = entrant(bot, &libraries);
    let adviser = entrant.clone();
    let advice = seat.advice().clone();
    let at_work = advice.begin(&entrant.policy.identity().words());
    let work = move || {
        let ended = match rules {
            GameRules::Riichi(rules) => advise_at::<RiichiGame>(&entrant, &advice, rules),
            GameRules::Mcr(rules) => advise_at::<McrGame>(&entrant, &advice, rules),
            GameRules::DouDizhu(rules) => advise_at::<DouDizhuGame>(&entrant, &advice, rules),
        };
        if let Err(why) = ended {
            let why = with_causes(why);
            say(format!("adviser: {}; it says nothing more", shown(&why)));
            advice.end(&why);
        }
        drop(at_work);
    };
    spawn_low("adviser", work).context("--adviser: it needs a thread")?;
    Ok(adviser)
}

/// Waits a moment for what the adviser of a person has not said yet, if there is one, and says how
/// often it differed.
pub(super) fn dismiss_adviser(seat: &PersonSeat) {
    let Some(adviser) = seat.advice().adviser() else {
        return;
    };
    let AdviceCounts {
        made,
        compared,
        differ,
    } = seat.advice().finish(ADVICE_TIMEOUT);
    let of = if compared == made {
        String::new()
    } else {
        format!(" that it was asked about, of {made}")
    };
    say(format!(
        "{}: {} would have decided otherwise in {differ} of {compared} decisions{of}",
        shown(seat.name()),
        shown(&adviser)
    ));
}

fn with_causes(why: NoAdvice) -> String {
    format!("{:#}", anyhow::Error::from(why))
}

/// Answers the questions of a seat until there are no more.
fn advise_at<G: AdvisedGame>(
    entrant: &Entrant,
    advice: &SeatAdvice,
    rules: G::Rules,
) -> Result<(), NoAdvice> {
    let work = |thread: &DirectThread| {
        let mut advisor = Advisor::start(thread, entrant)?;
        let mut told = String::new();
        while let Some(question) = advice.next_question() {
            let said = match answer::<G>(&question, advice, rules, &mut advisor) {
                Ok(None) => continue,
                Ok(Some(said)) => said,
                // It is started again for the next question.
                Err(why) => Err(with_causes(why)),
            };
            if let Err(why) = &said
                && *why != told
            {
                say(format!("adviser: {}", shown(why)));
                told.clone_from(why);
            }
            advice.say(question.number, said);
        }
        Ok(())
    };
    DirectThread::run("advisor", work)?
}

/// The adviser's answer to a question, or the reason why it has none; `None` if no answer is wanted
/// any more.
fn answer<G: AdvisedGame>(
    question: &QuestionForAdvice,
    advice: &SeatAdvice,
    rules: G::Rules,
    advisor: &mut Advisor<'_>,
) -> Result<Option<Result<AdviserAnswer, String>>, NoAdvice> {
    let tries = LINES_TIMEOUT.as_millis() / READ_EVERY.as_millis();
    for _ in 0..tries {
        let Some(lines) = advice.lines(question.number) else {
            return Ok(None);
        };
        let text = lines.join("\n");
        if let Some(said) = answer_after::<G>(text, question, rules, advisor)? {
            return Ok(Some(said));
        }
        // The last line of the round may be on its way.
        thread::sleep(READ_EVERY);
    }
    let why = "what the seat has seen does not lead to this question";
    Ok(Some(Err(why.to_owned())))
}

/// The adviser's answer to a question that is asked after these lines; `None` if it is another one
/// that is.
fn answer_after<G: AdvisedGame>(
    lines: String,
    question: &QuestionForAdvice,
    rules: G::Rules,
    advisor: &mut Advisor<'_>,
) -> Result<Option<Result<AdviserAnswer, String>>, NoAdvice> {
    let mut courses = match whole_courses::<G>(Box::new(Cursor::new(lines))) {
        Ok(courses) => courses,
        Err(why) => return Ok(Some(Err(why.to_string()))),
    };
    let Some(seat) = courses
        .first()
        .and_then(|course| course.known.first().copied())
    else {
        return Ok(None);
    };
    for course in &mut courses {
        course.rules = rules;
    }
    let mut said = None;
    each_decision::<G, NoAdvice>(&courses, seat, |decision| {
        if decision.next.is_empty()
            && let Some(places) = places_of::<G>(&decision, question)
        {
            let (advised, took) = advice_on(&decision, advisor)?;
            said = Some(match advised {
                Err(fault) => Err(fault.to_string()),
                Ok(decided) => {
                    let legal = |&place: &usize| &decision.legal[place];
                    let own = &decision.legal[decided.index];
                    let value = |&place: &usize| decided.values.get(place).copied();
                    Ok(AdviserAnswer {
                        game: G::KIND,
                        moment: G::moment(decision.table),
                        legal: places.iter().map(legal).map(ShownAction::of).collect(),
                        chosen: places
                            .iter()
                            .position(|&place| place == decided.index)
                            .unwrap_or_default(),
                        is_same: places
                            .iter()
                            .map(legal)
                            .map(|action| G::is_same(action, own))
                            .collect(),
                        values: places.iter().map_while(value).collect(),
                        reason: decided.reason,
                        took,
                    })
                }
            });
        }
        Ok(())
    })?;
    Ok(said)
}

/// The place of each action of the question among those of a decision; `None` if they are not the
/// same actions.
fn places_of<G: AdvisedGame>(
    decision: &RecordDecision<'_, G>,
    question: &QuestionForAdvice,
) -> Option<Vec<usize>> {
    let legal: Vec<_> = decision.legal.iter().map(ActionOf::<G>::offered).collect();
    let asked = &question.actions;
    let place = |of| legal.iter().position(|action| action.is_same_action(of));
    let places: Option<Vec<usize>> = asked.iter().map(place).collect();
    places.filter(|_| asked.len() == legal.len())
}
