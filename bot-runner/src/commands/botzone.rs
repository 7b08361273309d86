//! `botzone`: a bot as a program under Botzone's own judge.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use client::BotzoneGame;
use client::board::Board;
use client::bot::BotPolicy;
use client::session::botzone::{
    DouDizhuDialect, Match, MatchDesyncs, MatchDialect, McrDialect, RequestOutcome, pass_to,
};
use client::shutdown::Shutdown;
use protocol::botzone::turn::TurnInput;
use protocol::botzone::{TurnForm, TurnReader, TurnReply};
use tokio::sync::mpsc;
use tokio::time::timeout;

use config::{Problems, RawConfig};
use fleet::{
    CommandFiles, FileWatcher, Prepared, Purpose, Reloads, WATCH_EVERY, prepare_raw, start_policies,
};

/// The default time for a decision: a turn has a second, which includes the program's start.
const THINK: Duration = Duration::from_millis(500);

/// Maximum wait for the data after the messages of the simple form. The judge has closed the pipe
/// by then.
const DATA_TIMEOUT: Duration = Duration::from_millis(100);

/// Answers the turn on standard input; with `keep_running` also the following ones.
///
/// # Errors
///
/// If the config is wrong or has no Botzone game, the policy does not start, or the input is no
/// turn.
pub async fn botzone(config: PathBuf, keep_running: bool) -> anyhow::Result<ExitCode> {
    let raw = RawConfig::load(&config);
    let Some(game) = raw.arena.as_ref().and_then(|arena| arena.botzone_game) else {
        if !raw.problems.is_empty() {
            return Err(Problems(raw.problems).into());
        }
        bail!(
            "{}: the config has no game of Botzone; add [arena] kind = \"botzone\", game = \"chinese-standard\", \
             \"doudizhu\" or \"doudizhu-bidding\"",
            config.display()
        );
    };
    match game.bidding {
        None => {
            BotProgram::<McrDialect>::new(raw, game, keep_running)
                .run()
                .await?
        }
        Some(false) => {
            BotProgram::<DouDizhuDialect<false>>::new(raw, game, keep_running)
                .run()
                .await?
        }
        Some(true) => {
            BotProgram::<DouDizhuDialect<true>>::new(raw, game, keep_running)
                .run()
                .await?
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A bot that plays one match through pipes.
struct BotProgram<D: MatchDialect> {
    raw: RawConfig,
    game: BotzoneGame,
    keep_running: bool,
    played: Match<D>,
    /// The policy with its reloads, created at the first decision.
    bot_policy: Option<(BotPolicy, Reloads)>,
    decisions: u32,
    /// The last answer.
    last: String,
    /// Number of reported differences between the requests and the known state.
    told: u32,
}

impl<D: MatchDialect> BotProgram<D> {
    fn new(raw: RawConfig, game: BotzoneGame, keep_running: bool) -> Self {
        Self {
            raw,
            game,
            keep_running,
            played: Match::default(),
            bot_policy: None,
            decisions: 0,
            last: String::new(),
            told: 0,
        }
    }

    async fn run(mut self) -> anyhow::Result<()> {
        let mut lines = input()?;
        let mut reader = TurnReader::default();
        let mut has_answered = false;
        while let Some(line) = lines.recv().await {
            let Some(input) = reader.take(&line?)? else {
                continue;
            };
            let form = reader.form().unwrap_or(TurnForm::Json);
            let (request, data, globaldata) = match input {
                TurnInput::Next(request) => (request, None, None),
                TurnInput::First(mut history) => {
                    // A policy that cannot be started is reported in a match's first turn, which
                    // has twice the time.
                    if history.responses.is_empty() {
                        self.start_policy().await?;
                    }
                    let request = history.requests.pop().unwrap_or_default();
                    for (request, response) in history.requests.iter().zip(&history.responses) {
                        if let Err(why) = self.played.recall(request, response) {
                            tracing::warn!("an earlier answer cannot be read: {why}");
                        }
                    }
                    (request, history.data, history.globaldata)
                }
            };
            let (why, lost) = match self.answer(&request).await {
                Ok(why) => {
                    self.tell_differences();
                    (why, None)
                }
                // The judge waits for an answer anyway.
                Err(error) => (error.to_string(), Some(error)),
            };
            let (data, globaldata) = if form == TurnForm::Simple && !self.keep_running {
                data_after(&mut lines).await
            } else {
                (data, globaldata)
            };
            let reply = TurnReply {
                response: &self.last,
                debug: &why,
                data: data.as_deref(),
                globaldata: globaldata.as_deref(),
            };
            let text = if self.keep_running {
                reply.kept_text(form)
            } else {
                reply.text(form)
            };
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())
                .and_then(|()| out.flush())
                .context("standard output is closed")?;
            if let Some(lost) = lost {
                return Err(lost);
            }
            has_answered = true;
            if !self.keep_running {
                break;
            }
        }
        if !has_answered {
            bail!(
                "standard input ended before a turn came; Botzone's judge writes it, as one line of JSON or in the simple form"
            );
        }
        if let Some((bot_policy, _reloads)) = self.bot_policy {
            bot_policy.end().await;
        }
        Ok(())
    }

    /// Answers a request, and returns a short explanation. On failure, the answer is the safe one.
    async fn answer(&mut self, request: &str) -> anyhow::Result<String> {
        let mut why = String::new();
        let heard = self
            .played
            .hear(request, Instant::now())
            .inspect_err(|_| self.last = pass_to(request))?;
        match heard {
            // A repeated request gets the same answer.
            RequestOutcome::Repeated => {}
            RequestOutcome::Forced(response) => self.last = response,
            RequestOutcome::Open { .. } => {
                let decision = self.decisions;
                self.decisions += 1;
                if let Err(error) = self.start_policy().await {
                    self.last = self.played.answer(None).unwrap_or_else(|| pass_to(request));
                    return Err(error);
                }
                let (bot_policy, _) = self
                    .bot_policy
                    .as_mut()
                    .context("the policy does not start")?;
                let (choice, words) = bot_policy.decide(&self.played, decision, THINK).await;
                if choice.is_none() {
                    tracing::warn!("the safe answer: {words}");
                }
                self.last = self
                    .played
                    .answer(choice)
                    .context("there is no answer to the request")?;
                why = words;
            }
        }
        self.played.counts();
        Ok(why)
    }

    /// Reports a request that did not fit or could not be read, at most once for each turn.
    fn tell_differences(&mut self) {
        let MatchDesyncs { count, latest, .. } = self.played.dialect.desyncs();
        if *count > self.told
            && let Some(latest) = latest
        {
            tracing::warn!("{latest}");
        }
        self.told = *count;
    }

    /// Starts the policy. Most requests have only one answer, and a program that ends after each
    /// turn needs no policy for them.
    async fn start_policy(&mut self) -> anyhow::Result<()> {
        if self.bot_policy.is_some() {
            return Ok(());
        }
        let purpose = Purpose::Policy {
            game: self.game.kind,
            players: self.game.players(),
        };
        let Prepared { bots, libraries } =
            prepare_raw(vec![self.raw.clone()], purpose, CommandFiles::default())?;
        let reloads = Reloads::new(FileWatcher::start(WATCH_EVERY)?, Board::default());
        let bot_policies = start_policies(
            &bots,
            &Arc::clone(&libraries),
            &reloads,
            |_| fastrand::u64(..),
            &Shutdown::new(),
        )
        .await?;
        self.bot_policy = bot_policies
            .into_iter()
            .next()
            .map(|bot_policy| (bot_policy, reloads));
        Ok(())
    }
}

/// Reads the lines of standard input on their own thread.
fn input() -> anyhow::Result<mpsc::UnboundedReceiver<io::Result<String>>> {
    let (sender, lines) = mpsc::unbounded_channel();
    let read = move || {
        for line in io::stdin().lock().lines() {
            if sender.send(line).is_err() {
                break;
            }
        }
    };
    thread::Builder::new()
        .name("standard input".to_owned())
        .spawn(read)
        .context("standard input cannot be read")?;
    Ok(lines)
}

/// The line of data and the line of global data, if they arrive.
async fn data_after(
    lines: &mut mpsc::UnboundedReceiver<io::Result<String>>,
) -> (Option<String>, Option<String>) {
    let mut rest = Vec::new();
    while let Ok(Some(Ok(line))) = timeout(DATA_TIMEOUT, lines.recv()).await {
        rest.push(line);
    }
    let mut rest = rest.into_iter();
    let data = rest.next();
    let global: Vec<String> = rest.collect();
    (data, (!global.is_empty()).then(|| global.join("\n")))
}
