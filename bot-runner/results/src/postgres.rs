//! Results in a PostgreSQL database.

use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::time::Duration;

use foreign_text::ForeignText;
use futures_util::future::try_join_all;
use futures_util::{TryStreamExt, pin_mut};
use rustix::net::sockopt::set_socket_keepalive;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::{TcpStream, UnixStream};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Connection, NoTls, Row};

use crate::address::{ServerAddress, server};
use crate::error::{ResultsError, with_causes};
use crate::kept::{ResultRow, SeatLuck};
use crate::ladder::LadderRow;
use crate::schema::{
    ColumnValue, INSERT, READ_VERSION, RowReader, SELECT, SELECT_LADDER, UPDATE_LUCK,
    UPSERT_LADDER, VERSION, VERSION_TABLE, ladder_result_of, ladder_row_of, luck_row_of,
    missing_migrations, result_of, row_of,
};
use crate::server_stream::{ServerStream, Socket};
use crate::store::{ReadLadderRow, ReadRow, ResultsFilter, Store};
use crate::tls::Encryption;

/// Maximum wait for an answer: a lost server sends none.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// The default port of servers.
const PORT: u16 = 5432;

/// The lock for changing the schema; any number that no other program uses in such a database.
const MIGRATION_LOCK: &str = "SELECT pg_advisory_xact_lock(7089336938131513954)";

pub(crate) struct PostgresStore {
    runtime: Runtime,
    client: Client,
    /// The server may repeat it, and it must never be shown.
    password: Option<SecretString>,
}

impl PostgresStore {
    /// Connects; a database for reading is not changed.
    pub(crate) fn open(
        address: &ServerAddress,
        password: Option<&SecretString>,
        only_read: bool,
    ) -> Result<Self, ResultsError> {
        let url = &address.to_string();
        let mut config = server(address)
            .ok_or_else(|| ResultsError::Database("the address cannot be read".to_owned()))?;
        if let Some(password) = password {
            config.password(password.expose_secret());
        }
        let encryption = match config.get_ssl_mode() {
            SslMode::Disable => None,
            _ => Some(Encryption::new(
                address.authorities.as_deref(),
                config.get_ssl_negotiation(),
            )),
        };
        let encryption = encryption.transpose().map_err(ResultsError::Database)?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ResultsError::database(&error))?;
        let client = runtime.block_on(connect(config, encryption.as_ref(), password));
        let mut store = Self {
            client: client.map_err(|error| told(url, error))?,
            runtime,
            password: password.cloned(),
        };
        if only_read {
            store.check(url)?
        } else {
            store.migrate().map_err(|error| told(url, error))?
        }
        Ok(store)
    }

    /// Refuses a database without results, or of a newer runner.
    fn check(&mut self, url: &str) -> Result<(), ResultsError> {
        let there = "SELECT to_regclass('bot_runner_schema') IS NOT NULL";
        let (client, password) = (&self.client, self.password.as_ref());
        let version = self.runtime.block_on(answered(password, async {
            let there: bool = client.query_one(there, &[]).await?.try_get(0)?;
            let version = if there {
                client.query_opt(READ_VERSION, &[]).await?
            } else {
                None
            };
            version.map_or(Ok(0), |row| row.try_get::<_, i64>(0))
        }));
        match version.map_err(|error| told(url, error))? {
            0 => Err(ResultsError::Nothing(url.to_owned())),
            found if found < VERSION => self.migrate().map_err(|error| told(url, error)),
            found => missing_migrations(found)
                .map(drop)
                .map_err(|error| told(url, error)),
        }
    }

    fn migrate(&mut self) -> Result<(), ResultsError> {
        let (client, password) = (&mut self.client, self.password.as_ref());
        self.runtime.block_on(answered::<_, tokio_postgres::Error>(password, async {
            let transaction = client.transaction().await?;
            transaction.batch_execute(MIGRATION_LOCK).await?;
            transaction.batch_execute(VERSION_TABLE).await?;
            let found = transaction.query_opt(READ_VERSION, &[]).await?;
            let found = found.map_or(Ok(0), |row| row.try_get::<_, i64>(0))?;
            let missing = match missing_migrations(found) {
                Ok(missing) => missing,
                Err(unknown) => return Ok(Err(unknown)),
            };
            for migration in missing {
                transaction.batch_execute(migration).await?;
            }
            if found < VERSION {
                let version =
                    format!("DELETE FROM bot_runner_schema; INSERT INTO bot_runner_schema VALUES ({VERSION})");
                transaction.batch_execute(&version).await?;
            }
            transaction.commit().await?;
            Ok(Ok(()))
        }))?
    }
}

impl PostgresStore {
    /// Executes a statement with each of these rows in one transaction; returns the number of rows
    /// that it changed.
    fn execute_all<const N: usize>(
        &mut self,
        statement: &str,
        rows: &[[ColumnValue; N]],
    ) -> Result<u64, ResultsError> {
        let (client, password) = (&mut self.client, self.password.as_ref());
        self.runtime
            .block_on(answered::<_, tokio_postgres::Error>(password, async {
                let transaction = client.transaction().await?;
                let statement = transaction.prepare(statement).await?;
                // All at once, without waiting for each answer.
                let (transaction_ref, statement) = (&transaction, &statement);
                let executed = rows.iter().map(|row| async move {
                    let values: Vec<&(dyn ToSql + Sync)> =
                        row.iter().map(ColumnValue::as_postgres).collect();
                    transaction_ref.execute(statement, &values).await
                });
                let changed = try_join_all(executed).await?.iter().sum();
                transaction.commit().await?;
                Ok(changed)
            }))
    }

    fn select(
        &self,
        statement: &str,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(&Row),
    ) -> Result<(), ResultsError> {
        let ResultsFilter {
            kind,
            bot,
            policy,
            arena,
            game,
            since_ms,
        } = filter;
        let (client, password) = (&self.client, self.password.as_ref());
        let kind = kind.word();
        let values: [&(dyn ToSql + Sync); 6] = [&kind, bot, policy, arena, since_ms, game];
        self.runtime.block_on(async {
            let rows = answered(password, client.query_raw(statement, values)).await?;
            pin_mut!(rows);
            while let Some(row) = answered(password, rows.try_next()).await? {
                each(&row);
            }
            Ok(())
        })
    }
}

impl Store for PostgresStore {
    fn write(&mut self, results: &[ResultRow]) -> Result<u64, ResultsError> {
        self.execute_all(INSERT, &results.iter().map(row_of).collect::<Vec<_>>())
    }

    fn write_luck(&mut self, luck: &[(String, SeatLuck)]) -> Result<u64, ResultsError> {
        let rows: Vec<_> = luck.iter().map(luck_row_of).collect();
        self.execute_all(UPDATE_LUCK, &rows)
    }

    fn read(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadRow),
    ) -> Result<(), ResultsError> {
        self.select(SELECT, filter, &mut |row| each(result_of(row)))
    }

    fn write_ladder(&mut self, rows: &[LadderRow]) -> Result<(), ResultsError> {
        let rows: Vec<_> = rows.iter().map(ladder_row_of).collect();
        self.execute_all(UPSERT_LADDER, &rows).map(drop)
    }

    fn read_ladder(
        &mut self,
        filter: &ResultsFilter,
        each: &mut dyn FnMut(ReadLadderRow),
    ) -> Result<(), ResultsError> {
        self.select(SELECT_LADDER, filter, &mut |row| {
            each(ladder_result_of(row))
        })
    }
}

/// Connects to the first server of an address that answers. The client's library does not allow
/// inspecting data on a connection that it opens or encrypts itself, so it gets open connections.
async fn connect(
    mut config: Config,
    encryption: Option<&Encryption>,
    password: Option<&SecretString>,
) -> Result<Client, ResultsError> {
    config.ssl_mode(SslMode::Disable);
    let mut servers: Vec<usize> =
        (0..config.get_hosts().len().max(config.get_hostaddrs().len())).collect();
    if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
        fastrand::shuffle(&mut servers);
    }
    let mut connected = Err(ResultsError::Database(
        "the address names no server".to_owned(),
    ));
    for server in servers {
        connected = connect_to(server, &config, encryption, password).await;
        if connected.is_ok() {
            break;
        }
    }
    connected
}

/// Connects to one of the servers of an address.
async fn connect_to(
    server: usize,
    config: &Config,
    encryption: Option<&Encryption>,
    password: Option<&SecretString>,
) -> Result<Client, ResultsError> {
    let socket = answered(password, open_socket(server, config, encryption)).await?;
    let connection = config.connect_raw(ServerStream::new(socket), NoTls);
    let (client, connection) = answered(password, connection).await?;
    carry(connection);
    let wanted = config.get_target_session_attrs();
    if wanted != TargetSessionAttrs::Any {
        let row = answered(
            password,
            client.query_one("SHOW transaction_read_only", &[]),
        )
        .await?;
        let only_read = row.try_get::<_, &str>(0).is_ok_and(|answer| answer == "on");
        if only_read != (wanted == TargetSessionAttrs::ReadOnly) {
            let words = if only_read {
                "database does not allow writes"
            } else {
                "database is not read only"
            };
            return Err(ResultsError::Database(format!(
                "error connecting to server: {words}"
            )));
        }
    }
    Ok(client)
}

/// Opens a connection to one of the servers of an address, and encrypts it unless it is a socket of
/// this machine.
async fn open_socket(
    server: usize,
    config: &Config,
    encryption: Option<&Encryption>,
) -> io::Result<Box<dyn Socket>> {
    let ports = config.get_ports();
    let port = ports.get(server).or(ports.first()).copied().unwrap_or(PORT);
    let (address, name) = match (
        config.get_hostaddrs().get(server),
        config.get_hosts().get(server),
    ) {
        (None, Some(Host::Unix(folder))) => {
            let socket = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}")));
            return Ok(Box::new(in_time(config, socket).await?));
        }
        (address, Some(Host::Tcp(name))) => (address.map(IpAddr::to_string), name.clone()),
        (Some(address), _) => (None, address.to_string()),
        (None, None) => return Err(ErrorKind::AddrNotAvailable.into()),
    };
    let socket = TcpStream::connect((address.as_deref().unwrap_or(&name), port));
    let socket = in_time(config, socket).await?;
    socket.set_nodelay(true)?;
    set_socket_keepalive(&socket, config.get_keepalives())?;
    Ok(match encryption {
        Some(encryption) => Box::new(encryption.encrypt(Box::new(socket), &name).await.map_err(
            |error| {
                io::Error::new(
                    error.kind(),
                    format!("error performing TLS handshake: {error}"),
                )
            },
        )?),
        None => Box::new(socket),
    })
}

/// A connection that is opened within the time limit of the address.
async fn in_time<S>(config: &Config, opened: impl Future<Output = io::Result<S>>) -> io::Result<S> {
    let limit = config
        .get_connect_timeout()
        .copied()
        .unwrap_or(ANSWER_TIMEOUT);
    let opened = timeout(limit, opened)
        .await
        .unwrap_or_else(|_| Err(io::Error::new(ErrorKind::TimedOut, "connection timed out")));
    opened.map_err(|error| {
        io::Error::new(error.kind(), format!("error connecting to server: {error}"))
    })
}

/// A server's answer, if it arrives within the time. An error contains its words without the
/// password.
async fn answered<T, E: std::error::Error>(
    password: Option<&SecretString>,
    asked: impl Future<Output = Result<T, E>>,
) -> Result<T, ResultsError> {
    match timeout(ANSWER_TIMEOUT, asked).await {
        Ok(answer) => answer.map_err(|error| {
            ResultsError::Database(ForeignText::new(&with_causes(&error), password).to_string())
        }),
        Err(_) => Err(ResultsError::Database(format!(
            "no answer within {} s",
            ANSWER_TIMEOUT.as_secs()
        ))),
    }
}

/// Carries the requests and answers of a client. After a connection has ended, the client's next
/// question gets the error; what the server says without being asked is not listened to.
fn carry(mut connection: Connection<ServerStream, NoTlsStream>) {
    tokio::spawn(async move {
        while let Some(Ok(_)) = poll_fn(|context| connection.poll_message(context)).await {}
    });
}

/// An error with its address.
fn told(url: &str, error: ResultsError) -> ResultsError {
    match error {
        ResultsError::Database(text) if text.contains("password missing") => {
            ResultsError::Database(format!(
                "{url}: the server asks for a password; give it by password_env or password_file in [results], or by \
             --password-env or --password-file"
            ))
        }
        other => other.at(url),
    }
}

impl ColumnValue {
    fn as_postgres(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Text(text) => text,
            Self::OptionalText(text) => text,
            Self::Number(number) => number,
            Self::OptionalNumber(number) => number,
            Self::OptionalReal(number) => number,
        }
    }
}

impl RowReader for Row {
    fn text(&self, column: usize) -> Option<String> {
        self.try_get(column).ok()
    }

    fn number(&self, column: usize) -> Option<i64> {
        self.try_get(column).ok()
    }

    fn real(&self, column: usize) -> Option<f64> {
        self.try_get(column).ok()
    }
}
