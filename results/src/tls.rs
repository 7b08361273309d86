//! Encryption of connections to PostgreSQL, by the TLS library that the runner has anyway.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_rustls::client::TlsStream as RustlsStream;
use tokio_rustls::{Connect, TlsConnector};

use crate::server_stream::ServerStream;

/// Makes connections that are encrypted, to servers whose certificates are signed by one that is trusted.
pub(crate) struct TlsMaker(Arc<ClientConfig>);

impl TlsMaker {
    /// Trusts the certificates in a file, or those of public authorities.
    ///
    /// # Errors
    ///
    /// When the file holds none, as a sentence.
    pub(crate) fn new(authorities: Option<&Path>) -> Result<Self, String> {
        // Without a provider the first connection panics. It can only be there already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = match authorities {
            Some(file) => read(file)?,
            None => RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() },
        };
        Ok(Self(Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())))
    }
}

fn read(file: &Path) -> Result<RootCertStore, String> {
    let bad = |why: String| format!("sslrootcert: {}: {why}; name a file with certificates as PEM", file.display());
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| bad(error.to_string()))? {
        let certificate = certificate.map_err(|error| bad(error.to_string()))?;
        roots.add(certificate).map_err(|error| bad(error.to_string()))?;
    }
    if roots.is_empty() { Err(bad("there is no certificate in it".to_owned())) } else { Ok(roots) }
}

impl<S: AsyncRead + AsyncWrite + Unpin> MakeTlsConnect<S> for TlsMaker {
    type Stream = ServerStream<RustlsStream<S>>;
    type TlsConnect = NamedTls;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<NamedTls, InvalidDnsNameError> {
        Ok(NamedTls { config: Arc::clone(&self.0), name: ServerName::try_from(domain.to_owned())? })
    }
}

/// Encrypts a connection to the server of this name.
pub(crate) struct NamedTls {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsConnect<S> for NamedTls {
    type Stream = ServerStream<RustlsStream<S>>;
    type Error = io::Error;
    type Future = Encrypting<S>;

    fn connect(self, stream: S) -> Encrypting<S> {
        Encrypting(TlsConnector::from(self.config).connect(self.name, stream))
    }
}

/// The handshake.
pub(crate) struct Encrypting<S>(Connect<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> Future for Encrypting<S> {
    type Output = io::Result<ServerStream<RustlsStream<S>>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map_ok(ServerStream::new)
    }
}
