//! The address of a database, without a secret.

use std::fmt;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};

use crate::kept::key_of;

/// Maximum wait for a connection, unless the address sets another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The form of addresses.
const ALLOWED: &str = "allowed are sqlite:FILE and postgres://USER@HOST[:PORT]/DATABASE, for instance \"sqlite:results.db\"";

/// Why a text is not the address of a database. The messages quote no part of it, because that may
/// contain a password by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadDatabaseAddress {
    #[error("found a control character; {ALLOWED}")]
    Control,
    #[error("found no file after sqlite:; {ALLOWED}")]
    NoFile,
    #[error("found // after sqlite:, leave it out; {ALLOWED}")]
    Slashes,
    #[error("found no database; {ALLOWED}")]
    NoDatabase,
    #[error("this is not an address of PostgreSQL that can be read; {ALLOWED}")]
    Postgres,
    #[error(
        "a password does not belong in an address, which gets shared and shown; put it into an environment variable \
         and name that as password_env, or into a file with mode 0600 and name that as password_file"
    )]
    Password,
    #[error("found no host; {ALLOWED}")]
    NoHost,
}

/// `Display` is the address, which contains no password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseAddress {
    Sqlite(PathBuf),
    Postgres(ServerAddress),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    /// The original text, without the parts that are parsed separately.
    text: String,
    /// The certificates that must have signed the server's; `None` for the public authorities.
    pub(crate) authorities: Option<PathBuf>,
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The option for a file of certificates in an address, as in PostgreSQL's own programs.
const AUTHORITIES: &str = "sslrootcert=";
/// What the options of an address about encryption begin with.
const ENCRYPTION: &str = "ssl";

/// Maximum length of the readable part of a folder's name.
const MAX_READABLE: usize = 120;
/// Number of digits that make the name of a folder unique.
const NAME_DIGITS: usize = 16;

impl DatabaseAddress {
    /// Reads an address; a relative path of a file is resolved in `folder`.
    ///
    /// # Errors
    ///
    /// If it is another address, or none.
    pub fn parse(text: &str, folder: &Path) -> Result<Self, BadDatabaseAddress> {
        if text.contains(char::is_control) {
            return Err(BadDatabaseAddress::Control);
        }
        if let Some(path) = text.strip_prefix("sqlite:") {
            return match path {
                "" | ":memory:" => Err(BadDatabaseAddress::NoFile),
                path if path.starts_with("//") => Err(BadDatabaseAddress::Slashes),
                path => Ok(Self::Sqlite(folder.join(path))),
            };
        }
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err(BadDatabaseAddress::NoDatabase);
        }
        let (text, authorities) = without_options(text, AUTHORITIES);
        let authorities = authorities.map(|path| folder.join(path));
        let config = text
            .parse::<tokio_postgres::Config>()
            .map_err(|_| BadDatabaseAddress::Postgres)?;
        if config.get_password().is_some() {
            return Err(BadDatabaseAddress::Password);
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(BadDatabaseAddress::NoHost);
        }
        Ok(Self::Postgres(ServerAddress { text, authorities }))
    }

    /// Whether it belongs to a server, which may require a password.
    pub const fn is_server(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    /// The name of its folder in a spool. It stays the same if encryption is set differently, and
    /// if the spool and an SQLite file next to it are moved together.
    pub(crate) fn folder_name(&self, spool: &Path) -> String {
        let name = match self {
            Self::Sqlite(path) => {
                let [path, spool] =
                    [path, spool].map(|path| absolute(path).unwrap_or_else(|_| path.to_owned()));
                let beside = spool
                    .parent()
                    .and_then(|folder| path.strip_prefix(folder).ok());
                Self::Sqlite(beside.unwrap_or(&path).to_owned()).to_string()
            }
            Self::Postgres(server) => without_options(&server.text, ENCRYPTION).0,
        };
        let plain = |char: char| {
            if char.is_ascii_alphanumeric() || "@.:-".contains(char) {
                char
            } else {
                '_'
            }
        };
        let readable: String = name.chars().map(plain).collect();
        let end = &readable[readable.len().saturating_sub(MAX_READABLE)..];
        format!("{end}-{}", &key_of(&[&name])[..NAME_DIGITS])
    }
}

/// Whether a folder of a spool has a name of [`DatabaseAddress::folder_name`].
pub(crate) fn is_folder_name(name: &str) -> bool {
    let digits = name.rsplit_once('-').map(|(_, digits)| digits);
    digits.is_some_and(|digits| {
        digits.len() == NAME_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// An address without the options that begin like this, and the rest of the last of them.
fn without_options(text: &str, beginning: &str) -> (String, Option<String>) {
    let Some((address, query)) = text.split_once('?') else {
        return (text.to_owned(), None);
    };
    let (named, others): (Vec<&str>, Vec<&str>) = query
        .split('&')
        .partition(|part| part.starts_with(beginning));
    let query = if others.is_empty() {
        String::new()
    } else {
        format!("?{}", others.join("&"))
    };
    (
        format!("{address}{query}"),
        named.last().map(|part| part[beginning.len()..].to_owned()),
    )
}

/// The settings of a connection to a server. To another machine the connection is encrypted unless
/// the address has `sslmode=disable`; on this one only if the address has `sslmode=require`.
pub(crate) fn server(address: &ServerAddress) -> Option<tokio_postgres::Config> {
    let mut config = address.text.parse::<tokio_postgres::Config>().ok()?;
    let is_here = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost"
                || name
                    .parse::<std::net::IpAddr>()
                    .is_ok_and(|address| address.is_loopback())
        }
        Host::Unix(_) => true,
    };
    let here = config.get_hosts().iter().all(is_here)
        && config
            .get_hostaddrs()
            .iter()
            .all(std::net::IpAddr::is_loopback);
    match config.get_ssl_mode() {
        SslMode::Prefer if here => drop(config.ssl_mode(SslMode::Disable)),
        SslMode::Prefer => drop(config.ssl_mode(SslMode::Require)),
        _ => {}
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if config.get_application_name().is_none() {
        config.application_name("bot-runner");
    }
    Some(config)
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(server) => server.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<DatabaseAddress, BadDatabaseAddress> {
        DatabaseAddress::parse(text, Path::new("bots"))
    }

    #[test]
    fn a_relative_file_starts_from_the_folder_that_is_given() {
        assert_eq!(
            parse("sqlite:results.db"),
            Ok(DatabaseAddress::Sqlite("bots/results.db".into()))
        );
        assert_eq!(
            parse("sqlite:/var/results.db"),
            Ok(DatabaseAddress::Sqlite("/var/results.db".into()))
        );
    }

    #[test]
    fn an_invalid_address_is_refused_with_the_allowed_ones() {
        for text in [
            "",
            "results.db",
            "sqlite:",
            "sqlite::memory:",
            "sqlite://results.db",
            "mysql://host/db",
            "sqlite:a\nb",
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains("allowed are sqlite:FILE"), "{text}: {error}");
        }
        for text in ["postgres://", "postgres://user@host:port/db"] {
            parse(text).expect_err(text);
        }
    }

    #[test]
    fn an_address_with_a_password_is_refused_without_repeating_it() {
        for text in [
            "postgres://bots:canary@host/db",
            "postgres://bots@host/db?password=canary",
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(
                error.contains("password_env") && error.contains("password_file"),
                "{error}"
            );
            assert!(!error.contains("canary"), "{error}");
        }
    }

    #[test]
    fn a_connection_to_another_machine_is_encrypted_unless_the_address_says_otherwise() {
        let mode = |text: &str| match parse(text) {
            Ok(DatabaseAddress::Postgres(address)) => {
                server(&address).expect("it is one").get_ssl_mode()
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(mode("postgres://bots@example.org/db"), SslMode::Require);
        assert_eq!(
            mode("postgres://bots@example.org/db?sslmode=prefer"),
            SslMode::Require
        );
        assert_eq!(
            mode("postgres://bots@example.org/db?sslmode=disable"),
            SslMode::Disable
        );
        for here in ["localhost", "127.0.0.1", "[::1]", "%2Frun%2Fpostgresql"] {
            assert_eq!(
                mode(&format!("postgres://bots@{here}/db")),
                SslMode::Disable,
                "{here}"
            );
            assert_eq!(
                mode(&format!("postgres://bots@{here}/db?sslmode=require")),
                SslMode::Require,
                "{here}"
            );
        }
    }

    #[test]
    fn a_file_of_certificates_is_named_as_postgresqls_own_programs_name_it_and_starts_from_the_folder()
     {
        let Ok(DatabaseAddress::Postgres(address)) =
            parse("postgres://bots@db/bots?sslrootcert=ca.pem&sslmode=require")
        else {
            panic!("it is one")
        };
        assert_eq!(
            address.to_string(),
            "postgres://bots@db/bots?sslmode=require"
        );
        assert_eq!(address.authorities, Some("bots/ca.pem".into()));
    }

    #[test]
    fn each_database_has_its_folder_in_a_spool_and_keeps_it_when_the_spool_moves_or_encryption_is_set()
     {
        let name = |text: &str, spool: &str| {
            parse(text)
                .expect("an address")
                .folder_name(Path::new(spool))
        };
        let long = format!("sqlite:/{}", "long/".repeat(60));
        let databases = [
            "sqlite:results.db",
            "sqlite:other.db",
            "sqlite:/results.db",
            "sqlite:a/b.db",
            "sqlite:a_b.db",
            "postgres://bots@db/one",
            "postgres://bots@db/two",
            "postgres:///one?user=bots&hostaddr=127.0.0.1",
            "postgres:///one?user=bots&hostaddr=127.0.0.2",
            &long,
        ];
        let mut names = databases.map(|text| name(text, "bots/spool")).to_vec();
        assert!(
            names[0].starts_with("sqlite:results.db-")
                && names[5].starts_with("postgres:__bots@db_one-")
        );
        assert!(
            names
                .iter()
                .all(|name| is_folder_name(name) && name.len() < 255 && !name.contains('/')),
            "{names:?}"
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), databases.len());
        let moved = DatabaseAddress::Sqlite("/srv/bots/results.db".into())
            .folder_name(Path::new("/srv/bots/spool"));
        assert_eq!(moved, name("sqlite:results.db", "bots/spool"));
        let encrypted = "postgres://bots@db/one?sslmode=disable&sslrootcert=ca.pem";
        assert_eq!(
            name(encrypted, "bots/spool"),
            name("postgres://bots@db/one", "bots/spool")
        );
        for other in ["results", "results-2024", "a-0123456789abcdeg"] {
            assert!(!is_folder_name(other), "{other}");
        }
    }
}
