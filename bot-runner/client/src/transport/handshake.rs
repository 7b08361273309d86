//! The opening handshake of a WebSocket, whose answer may arrive in any number of pieces.

use std::io;

use outbound::{Authorities, dial};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::{ProtocolError, TlsError, UrlError};
use tokio_tungstenite::tungstenite::handshake::client::{Request, Response, generate_request};
use tokio_tungstenite::tungstenite::handshake::machine::TryParse;
use tokio_tungstenite::tungstenite::http::{StatusCode, Uri};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async};

/// Maximum length of an answer that is read.
const MAX_READ_BYTES: usize = 16 << 10;

/// Connects to a request's address and does the handshake.
///
/// # Errors
///
/// If the handshake fails.
pub(super) async fn open(
    request: Request,
    config: WebSocketConfig,
    authorities: &Authorities,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, Error> {
    let mut stream = connect(request.uri(), authorities).await?;
    let (bytes, _key) = generate_request(request.clone())?;
    stream.write_all(&bytes).await?;
    stream.flush().await?;
    let (answer, rest) = read_answer(&mut stream).await?;
    // In one piece, because an answer in many small pieces counts as an attack.
    client_async(
        request,
        tokio::io::join(answer.as_slice(), tokio::io::sink()),
    )
    .await?;
    Ok(WebSocketStream::from_partially_read(stream, rest, Role::Client, Some(config)).await)
}

async fn connect(uri: &Uri, authorities: &Authorities) -> Result<MaybeTlsStream<TcpStream>, Error> {
    let host = uri.host().ok_or(UrlError::NoHostName)?;
    let stream = dial(uri).await?;
    if uri.scheme_str() != Some("wss") {
        return Ok(MaybeTlsStream::Plain(stream));
    }
    // An IPv6 address has brackets only in a URL.
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let name = ServerName::try_from(host.to_owned()).map_err(|_| TlsError::InvalidDnsName)?;
    let config = authorities.config().map_err(io::Error::other)?;
    let stream = TlsConnector::from(config).connect(name, stream).await?;
    Ok(MaybeTlsStream::Rustls(stream))
}

/// The first final response, and the bytes read after it.
async fn read_answer(stream: &mut MaybeTlsStream<TcpStream>) -> Result<(Vec<u8>, Vec<u8>), Error> {
    // Large enough that a refusal is read with its words.
    let mut answer = Vec::with_capacity(MAX_READ_BYTES);
    loop {
        while let Some((length, response)) = Response::try_parse(&answer)? {
            match response.status() {
                StatusCode::SWITCHING_PROTOCOLS => {
                    let rest = answer.split_off(length);
                    return Ok((answer, rest));
                }
                status if status.is_informational() => drop(answer.drain(..length)),
                // A refusal, with as much of its words as has arrived.
                _ => return Ok((answer, Vec::new())),
            }
        }
        if answer.len() >= MAX_READ_BYTES {
            return Err(Error::AttackAttempt);
        }
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(ProtocolError::HandshakeIncomplete.into());
        }
    }
}
