//! Asking the runners that are at work.

use std::io;
use std::path::Path;
use std::time::Duration;

use foreign_text::check_texts;
use policy_host::MAX_START;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::GATE_TIMEOUT;
use super::folder::{cannot_use, clear_abandoned, processes_in, runtime_folder, socket_of};
use super::message::{ControlRequest, ControlResponse};

/// Maximum length of an answer, in bytes; a bot takes less than a KiB.
const MAX_ANSWER_BYTES: u64 = 64 << 20;

impl ControlRequest {
    fn answer_within(&self) -> Duration {
        match self {
            // Policies may take that long to be tried out, and again to start; so may a gate.
            Self::Reload { .. } => 2 * MAX_START + GATE_TIMEOUT,
            Self::Status | Self::TakeOver { .. } | Self::GiveBack { .. } => Duration::from_secs(10),
        }
    }
}

#[derive(Debug)]
pub struct RunnerAnswer {
    pub process: u32,
    /// Its answer, or why none came.
    pub answer: Result<ControlResponse, String>,
}

/// Asks every runner of this user; empty when none is at work.
///
/// # Errors
///
/// If the folder of their sockets cannot be used.
pub async fn ask_all(request: &ControlRequest) -> anyhow::Result<Vec<RunnerAnswer>> {
    let folder = runtime_folder()?;
    let processes = processes_in(&folder).map_err(|error| cannot_use(&folder, &error))?;
    let within = request.answer_within();
    let mut asked = JoinSet::new();
    for process in processes {
        let (socket, request) = (socket_of(&folder, process), request.clone());
        asked.spawn(async move { (process, timeout(within, ask(&socket, &request)).await) });
    }
    let mut reached = Vec::new();
    while let Some(Ok((process, answer))) = asked.join_next().await {
        match answer {
            Ok(Ok(answer)) => reached.push(RunnerAnswer {
                process,
                answer: Ok(answer),
            }),
            // No process listens: it was killed, or has just ended.
            Ok(Err(error))
                if matches!(
                    error.kind(),
                    io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound
                ) =>
            {
                clear_abandoned(&folder);
            }
            Ok(Err(error)) => reached.push(RunnerAnswer {
                process,
                answer: Err(error.to_string()),
            }),
            Err(_) => {
                let why = format!("no answer within {} s", within.as_secs());
                reached.push(RunnerAnswer {
                    process,
                    answer: Err(why),
                });
            }
        }
    }
    reached.sort_unstable_by_key(|reached| reached.process);
    Ok(reached)
}

async fn ask(socket: &Path, request: &ControlRequest) -> io::Result<ControlResponse> {
    let mut stream = UnixStream::connect(socket).await?;
    let mut question = serde_json::to_string(request)?;
    question.push('\n');
    stream.write_all(question.as_bytes()).await?;
    let mut answer = String::new();
    stream
        .take(MAX_ANSWER_BYTES + 1)
        .read_to_string(&mut answer)
        .await?;
    if answer.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "it ended before it answered",
        ));
    }
    let answer: Value = serde_json::from_str(&answer)?;
    check_texts(&answer).map_err(io::Error::other)?;
    Ok(serde_json::from_value(answer)?)
}
