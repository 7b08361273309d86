//! `takeover`: a person plays in place of a bot's policy, and gives the seat back.

mod lending;

use std::process::ExitCode;

use anyhow::bail;
use fleet::control::{ControlRequest, ControlResponse, RunnerAnswer, SeatOutcome, ask_all};
use foreign_text::{escaped, shown};
use say::output::say;

pub(super) use self::lending::LentSeats;
use super::reload::{none_at_work, others};
use super::success;

/// Asks the runners of this user for the seat of a bot, or has it given back.
///
/// # Errors
///
/// If no runner is running, or none has a bot of that name.
pub async fn takeover(bot: String, gives_back: bool) -> anyhow::Result<ExitCode> {
    let request = match gives_back {
        false => ControlRequest::TakeOver { bot: bot.clone() },
        true => ControlRequest::GiveBack { bot: bot.clone() },
    };
    let reached = ask_all(&request).await?;
    if reached.is_empty() {
        return Err(none_at_work()?);
    }
    let (mut good, mut told) = (true, 0);
    for RunnerAnswer { process, answer } in reached {
        match answer {
            Ok(ControlResponse::Seat(None)) => {}
            Ok(ControlResponse::Seat(Some(outcome))) => {
                told += 1;
                good &= !matches!(outcome, SeatOutcome::Refused(_));
                say(outcome_words(&bot, &outcome));
            }
            other => {
                let why = other.map_or_else(|why| why, ControlResponse::why_none);
                good = false;
                say(format!(
                    "the runner with PID {process} does not answer: {}",
                    shown(&why)
                ));
            }
        }
    }
    if told == 0 && good {
        bail!(
            "no runner of yours has a bot named {bot:?}{}",
            others(&bot).await?
        );
    }
    Ok(success(good))
}

fn outcome_words(bot: &str, outcome: &SeatOutcome) -> String {
    let bot = shown(bot);
    match outcome {
        SeatOutcome::Offered(link) => {
            let link = escaped(link.as_bytes());
            format!("seat: {link} ({bot}; the first browser takes it)")
        }
        SeatOutcome::GivenBack => format!("{bot}: the seat is given back to its policy"),
        SeatOutcome::Refused(why) => {
            let why = escaped(why.as_bytes());
            format!("{bot}: the seat stays as it is: {why}")
        }
    }
}
