//! `takeover`: a person plays in place of a bot's policy, and gives the seat back.

mod lending;

use std::process::ExitCode;

use fleet::control::{ControlRequest, ControlResponse, SeatOutcome};
use foreign_text::{escaped, shown};

pub(super) use self::lending::LentSeats;
use super::reload::{BotNews, ask_about};

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
    ask_about(&request, Some(&bot), |response| {
        let ControlResponse::Seat(outcome) = response else {
            return Err(response);
        };
        let said = outcome.into_iter().map(|outcome| BotNews {
            words: outcome_words(&bot, &outcome),
            is_good: !matches!(outcome, SeatOutcome::Refused(_)),
        });
        Ok(said.collect())
    })
    .await
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
