//! The certificate authorities that a connection trusts.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// The variables that name the authorities in place of the system's, as OpenSSL reads them.
const VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The authorities of every connection: the public ones and the system's, or only those that the
/// environment names.
static COMMON: LazyLock<Result<Arc<ClientConfig>, AuthoritiesError>> =
    LazyLock::new(|| common_roots().map(config_with));

/// The certificate authorities that a bot's connections trust. The default trusts the public ones
/// and the system's, or only those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
#[derive(Clone, Default)]
pub struct Authorities(Option<Arc<ClientConfig>>);

/// A list of authorities that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthoritiesError {
    /// The list that the environment names.
    #[error("{0}; name certificates as PEM, or unset SSL_CERT_FILE and SSL_CERT_DIR")]
    Environment(String),
    /// The file of the config.
    #[error("{0}; name a file with certificates as PEM")]
    File(String),
}

impl Authorities {
    /// Trusts the authorities in a file too.
    ///
    /// # Errors
    ///
    /// If the file contains no certificate, or the environment names none.
    pub fn with_file(file: &Path) -> Result<Self, AuthoritiesError> {
        let bad =
            |why: &dyn fmt::Display| AuthoritiesError::File(format!("{}: {why}", file.display()));
        let certificates: Vec<CertificateDer<'_>> = CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect)
            .map_err(|error| bad(&error))?;
        if certificates.is_empty() {
            return Err(bad(&"it contains no certificate"));
        }
        let mut roots = common_roots()?;
        for certificate in certificates {
            roots.add(certificate).map_err(|error| bad(&error))?;
        }
        Ok(Self(Some(config_with(roots))))
    }

    /// The settings of a TLS connection.
    ///
    /// # Errors
    ///
    /// If the environment names no certificate.
    pub fn config(&self) -> Result<Arc<ClientConfig>, AuthoritiesError> {
        self.0.clone().map_or_else(|| COMMON.clone(), Ok)
    }
}

fn common_roots() -> Result<RootCertStore, AuthoritiesError> {
    let mut roots = RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    let (added, _) = roots.add_parsable_certificates(native.certs);
    let is_set = |name: &&&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let named: Vec<&str> = VARIABLES.iter().filter(is_set).copied().collect();
    if named.is_empty() {
        // A container often has no certificates of its own.
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    } else if added == 0 {
        let why = native
            .errors
            .first()
            .map_or_else(|| "it names no certificate".to_owned(), ToString::to_string);
        return Err(AuthoritiesError::Environment(format!(
            "{} is set, but {why}",
            named.join(" or ")
        )));
    }
    Ok(roots)
}

fn config_with(roots: RootCertStore) -> Arc<ClientConfig> {
    Arc::new(
        ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

/// Shows no certificate: there are hundreds.
impl fmt::Debug for Authorities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorities").finish_non_exhaustive()
    }
}
