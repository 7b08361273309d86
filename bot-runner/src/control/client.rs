//! Asking the runners that are at work.

use std::fs;
use std::io;
use std::path::Path;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::folder::{FolderError, runtime_folder};
use super::{Request, Response};

/// What a runner answered.
#[derive(Debug)]
pub struct Reached {
    /// Its process.
    pub process: u32,
    /// Its answer, or why none came.
    pub answer: Result<Response, String>,
}

/// Asks every runner of this user; empty when none is at work.
///
/// # Errors
///
/// When the folder of their sockets cannot be used.
pub async fn ask_all(request: &Request) -> Result<Vec<Reached>, FolderError> {
    let folder = runtime_folder()?;
    let mut processes: Vec<u32> = fs::read_dir(&folder)
        .map_err(|error| FolderError::Io { path: folder.clone(), error })?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".sock")?.parse().ok())
        .collect();
    processes.sort_unstable();
    let mut reached = Vec::new();
    for process in processes {
        let socket = folder.join(format!("{process}.sock"));
        match ask(&socket, request).await {
            Ok(answer) => reached.push(Reached { process, answer: Ok(answer) }),
            // Nobody listens: its process was killed.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                let _ = fs::remove_file(&socket);
            }
            // It ended just now.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => reached.push(Reached { process, answer: Err(error.to_string()) }),
        }
    }
    Ok(reached)
}

async fn ask(socket: &Path, request: &Request) -> io::Result<Response> {
    let mut stream = UnixStream::connect(socket).await?;
    let mut question = serde_json::to_string(request)?;
    question.push('\n');
    stream.write_all(question.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.is_empty() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended before it answered"));
    }
    Ok(serde_json::from_str(&answer)?)
}
