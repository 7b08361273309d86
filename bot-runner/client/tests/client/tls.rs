//! Connections over TLS.

use std::sync::Arc;

use client::Token;
use client::transport::websocket::WebSocketConnection;
use client::transport::{ConnectError, Limits};
use outbound::Authorities;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

#[tokio::test]
async fn a_certificate_without_a_trusted_issuer_is_refused_before_the_token_is_sent() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()])
        .expect("a certificate can be made");
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(
            vec![own.cert.der().clone()],
            PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()).into(),
        )
        .expect("the certificate fits its key");
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("loopback has a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a client connects");
        TlsAcceptor::from(Arc::new(config))
            .accept(stream)
            .await
            .map(drop)
    });

    let token = Token::new("canary").expect("it is a token");
    let url = format!("wss://localhost:{port}/ws/ranked");
    let error = WebSocketConnection::open(&url, &token, &Authorities::default(), Limits::default())
        .await
        .err();
    let Some(ConnectError::Certificate(why)) = error else {
        panic!("{error:?}")
    };
    assert!(why.contains("UnknownIssuer"), "{why}");
    let handshake = server.await.expect("the server does not panic");
    assert!(
        handshake.is_err(),
        "the handshake broke off, so no request was sent"
    );
}
