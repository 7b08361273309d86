//! Encryption of connections to PostgreSQL, with the TLS library that the runner uses anyway.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_postgres::config::SslNegotiation;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::server_stream::Socket;

/// The message with which a client asks for encryption: its length, and a number that is no
/// version.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// The protocol that a server expects if encryption begins without that message.
const PROTOCOL: &[u8] = b"postgresql";

/// Encrypts connections to servers with a certificate of a trusted authority.
pub(crate) struct Encryption {
    tls: TlsConnector,
    negotiation: SslNegotiation,
}

impl Encryption {
    /// Trusts the certificates in a file, or the public authorities.
    ///
    /// # Errors
    ///
    /// If the file contains none; the text is a sentence.
    pub(crate) fn new(
        authorities: Option<&Path>,
        negotiation: SslNegotiation,
    ) -> Result<Self, String> {
        // Without a provider the first connection panics. The call fails only if there is one
        // already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = match authorities {
            Some(file) => read(file)?,
            None => RootCertStore {
                roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
            },
        };
        let mut config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        if negotiation == SslNegotiation::Direct {
            config.alpn_protocols = vec![PROTOCOL.to_vec()];
        }
        Ok(Self {
            tls: TlsConnector::from(Arc::new(config)),
            negotiation,
        })
    }

    /// Encrypts a connection to the server of this name.
    pub(crate) async fn encrypt(
        &self,
        mut socket: Box<dyn Socket>,
        name: &str,
    ) -> io::Result<TlsStream<Box<dyn Socket>>> {
        let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
        if self.negotiation == SslNegotiation::Postgres {
            socket.write_all(&SSL_REQUEST).await?;
            if socket.read_u8().await? != b'S' {
                return Err(io::Error::other("the server does not support TLS"));
            }
        }
        self.tls.connect(name, socket).await
    }
}

fn read(file: &Path) -> Result<RootCertStore, String> {
    let bad = |why: String| {
        format!(
            "sslrootcert: {}: {why}; name a file with certificates as PEM",
            file.display()
        )
    };
    let mut roots = RootCertStore::empty();
    for certificate in
        CertificateDer::pem_file_iter(file).map_err(|error| bad(error.to_string()))?
    {
        let certificate = certificate.map_err(|error| bad(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| bad(error.to_string()))?;
    }
    if roots.is_empty() {
        Err(bad("it contains no certificate".to_owned()))
    } else {
        Ok(roots)
    }
}
