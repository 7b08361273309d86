//! The socket of this process.

use std::fs;
use std::future::Future;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinHandle;

use super::folder::{clear_abandoned, runtime_folder, socket_of};
use super::message::{ControlRequest, ControlResponse};

/// Maximum length of a request, in bytes.
const MAX_BYTES: u64 = 64 << 10;
/// Maximum wait for a complete request.
const ASK_TIMEOUT: Duration = Duration::from_secs(5);

/// The open socket of this process, which is closed and removed when this is dropped.
#[must_use]
#[derive(Debug)]
pub struct ControlSocket {
    path: PathBuf,
    task: JoinHandle<()>,
}

impl ControlSocket {
    /// Opens the socket; `answer` is called with each request, possibly with several at once.
    ///
    /// # Errors
    ///
    /// If it cannot be opened; the games can still be played.
    pub fn open<F>(
        answer: impl Fn(ControlRequest) -> F + Send + Sync + 'static,
    ) -> anyhow::Result<Self>
    where
        F: Future<Output = ControlResponse> + Send + 'static,
    {
        let folder = runtime_folder()?;
        clear_abandoned(&folder);
        let path = socket_of(&folder, std::process::id());
        // A process with the same number may have left one of this name behind.
        let _ = fs::remove_file(&path);
        let listener = UnixListener::bind(&path)
            .and_then(|listener| {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
                Ok(listener)
            })
            .map_err(|error| anyhow!("the socket {} cannot be made: {error}", path.display()))?;
        let task = tokio::spawn(serve(listener, Arc::new(answer)));
        Ok(Self { path, task })
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        self.task.abort();
        let _ = fs::remove_file(&self.path);
    }
}

async fn serve<F>(
    listener: UnixListener,
    answer: Arc<impl Fn(ControlRequest) -> F + Send + Sync + 'static>,
) where
    F: Future<Output = ControlResponse> + Send + 'static,
{
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let answer = Arc::clone(&answer);
                tokio::spawn(async move {
                    if let Err(error) = converse(stream, answer.as_ref()).await {
                        tracing::debug!("a client disconnected before its answer: {error}");
                    }
                });
            }
            Err(error) => {
                tracing::warn!("the control socket accepts no connections: {error}");
                // Probably out of descriptors: the games need them more.
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

async fn converse<F>(
    stream: UnixStream,
    answer: &(impl Fn(ControlRequest) -> F + Send + Sync),
) -> io::Result<()>
where
    F: Future<Output = ControlResponse> + Send,
{
    let (reader, mut writer) = stream.into_split();
    let mut line = String::new();
    let mut reader = BufReader::new(reader.take(MAX_BYTES));
    tokio::time::timeout(ASK_TIMEOUT, reader.read_line(&mut line)).await??;
    let response = match serde_json::from_str(&line) {
        Ok(request) => answer(request).await,
        Err(error) => ControlResponse::NotUnderstood(format!(
            "this runner does not understand the question: {error}"
        )),
    };
    let mut text = serde_json::to_string(&response)?;
    text.push('\n');
    writer.write_all(text.as_bytes()).await
}
