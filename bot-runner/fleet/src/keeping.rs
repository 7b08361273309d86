//! The keepers of a bot's records and results.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use client::bot::Arena;
use client::place::short;
use client::records::{GamesAbout, Keeper, KeeperOptions};
use config::{BotConfig, ResultsConfig};
use results::{DatabaseAddress, KeptCounts, ResultsKeeper};
use riichi::Rules;
use secrecy::SecretString;

use super::prepare::ReadyBot;

/// Starts keeping the records that a config asks for; `None` if it asks for none.
///
/// # Errors
///
/// If they cannot be kept there.
pub(super) fn keeper(
    config: &BotConfig,
    arena: &Arena,
    rules: Rules,
) -> io::Result<Option<Keeper>> {
    let Some(records) = config.records.clone() else {
        return Ok(None);
    };
    let about = GamesAbout {
        runner: env!("CARGO_PKG_VERSION").to_owned(),
        bot: config.name.clone(),
        arena: arena.to_string(),
        protocol: arena.protocol().to_owned(),
        game: arena.game().name().to_owned(),
        players: rules.players,
        config_sha256: config.digest().to_string(),
    };
    let (folder, retention) = (records.folder, records.retention);
    Keeper::start(KeeperOptions {
        folder,
        retention,
        about,
        rules,
        token: arena.token().cloned(),
    })
    .map(Some)
}

/// Maximum wait for the database when all bots have ended; results that it lacks then wait in the
/// spool.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// The keepers of the bots' results: bots that name the same database share one.
#[derive(Debug, Default)]
pub(super) struct ResultsKeepers(Vec<(DatabaseAddress, PathBuf, ResultsKeeper)>);

impl ResultsKeepers {
    /// The keeper of a bot's results; `None` if its config asks for none. From now on it connects
    /// with the password that this config names, if it names one.
    ///
    /// # Errors
    ///
    /// If they cannot be kept.
    pub(super) fn of(&mut self, bot: &ReadyBot) -> io::Result<Option<ResultsKeeper>> {
        let Some(section) = bot.config.results.clone() else {
            return Ok(None);
        };
        self.of_section(section, bot.results_password.clone())
            .map(Some)
    }

    fn of_section(
        &mut self,
        section: ResultsConfig,
        password: Option<SecretString>,
    ) -> io::Result<ResultsKeeper> {
        let same = |(database, spool, _): &&(DatabaseAddress, PathBuf, _)| {
            (database, spool) == (&section.database, &section.spool)
        };
        let keeper = match self.0.iter().find(same) {
            Some((_, _, keeper)) => keeper.clone(),
            None => {
                let keeper =
                    ResultsKeeper::start(section.database.clone(), password, &section.spool)?;
                self.0
                    .push((section.database, section.spool, keeper.clone()));
                keeper
            }
        };
        if let Some(source) = section.password {
            keeper.fetch_password(move || {
                source
                    .password()
                    .map_err(|error| format!("{}: {error}", source.key()))
            });
        }
        Ok(keeper)
    }

    /// Waits until the databases have everything, though not for long; what became of it, database
    /// by database. Blocks.
    pub(super) fn finish(&self) -> Vec<KeptResults> {
        let kept =
            |(database, spool, keeper): &(DatabaseAddress, PathBuf, ResultsKeeper)| KeptResults {
                database: database_words(database),
                spool: spool.clone(),
                counts: keeper.finish(FINISH_TIMEOUT),
            };
        self.0.iter().map(kept).collect()
    }
}

/// A database for users: of a file the path as [`short`] gives it.
pub fn database_words(database: &DatabaseAddress) -> String {
    match database {
        DatabaseAddress::Sqlite(path) => format!("sqlite:{}", short(path).display()),
        DatabaseAddress::Postgres(_) => database.to_string(),
    }
}

/// The counts of the results for a database.
#[derive(Debug)]
pub struct KeptResults {
    /// The database's address.
    pub database: String,
    /// The folder in which results wait for it.
    pub spool: PathBuf,
    pub counts: KeptCounts,
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use config::SecretKeys;
    use results::{ResultKind, ResultRow};

    use super::*;

    fn game() -> ResultRow {
        ResultRow {
            key: "0".repeat(64),
            kind: ResultKind::Ladder,
            arena: String::new(),
            shared: String::new(),
            shard: None,
            game: "riichi".to_owned(),
            ended_ms: 1,
            bot: "kuma".to_owned(),
            policy: String::new(),
            version: String::new(),
            content: None,
            mixed: false,
            players: 4,
            seat: 0,
            place: 1,
            scores: vec![25_000; 4],
            rounds: 1,
            wins: 0,
            deal_ins: 0,
            riichi: 0,
            called: 0,
            won: 0,
            lost: 0,
            opponents: Vec::new(),
            trouble: None,
            luck: None,
        }
    }

    /// The password of the next client; it is refused.
    fn next_password(server: &TcpListener) -> String {
        const ASK_FOR_PASSWORD: [u8; 9] = [b'R', 0, 0, 0, 8, 0, 0, 0, 3];
        let mut client = server.accept().expect("a client").0;
        let content = |mut client: &TcpStream| {
            let mut length = [0; 4];
            client.read_exact(&mut length).expect("a length");
            let mut content = vec![0; u32::from_be_bytes(length) as usize - 4];
            client.read_exact(&mut content).expect("the content");
            content
        };
        content(&client);
        client.write_all(&ASK_FOR_PASSWORD).expect("it listens");
        client.read_exact(&mut [0]).expect("an answer");
        String::from_utf8(content(&client))
            .expect("a text")
            .trim_end_matches('\0')
            .to_owned()
    }

    #[test]
    fn a_bot_that_rejoins_with_a_corrected_password_gives_it_to_the_keeper_of_its_database() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let server = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let url = format!(
            "postgres://bots@{}/games",
            server.local_addr().expect("it is bound")
        );
        let section = |name: &str| {
            let file = folder.path().join(name);
            fs::write(&file, name).expect("it can be written");
            fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("it is ours");
            ResultsConfig {
                database: DatabaseAddress::parse(&url, Path::new("")).expect("an address"),
                password: Some(SecretKeys::PASSWORD.in_file(file)),
                spool: folder.path().join("spool"),
            }
        };
        let mut keepers = ResultsKeepers::default();
        let mut of = |section| {
            keepers
                .of_section(section, Some(SecretString::from("wrong")))
                .expect("it starts")
        };
        of(section("wrong")).keep(vec![game()]);
        assert_eq!(next_password(&server), "wrong");
        of(section("right"));
        assert_eq!(next_password(&server), "right");
        of(ResultsConfig {
            password: None,
            ..section("none")
        });
        assert_eq!(next_password(&server), "right", "another bot has none");
        fs::write(folder.path().join("right"), "changed").expect("it is there");
        assert_eq!(next_password(&server), "changed");
    }
}
