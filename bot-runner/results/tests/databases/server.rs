//! A PostgreSQL server of the tests' own: Debian's programs, a temporary folder, a socket in that
//! folder.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use results::DatabaseAddress;
use tempfile::TempDir;

pub(crate) const PASSWORD: &str = "canary of the test";

/// The folder of the programs; set `POSTGRES_BIN` if it is elsewhere.
fn programs() -> PathBuf {
    if let Some(folder) = std::env::var_os("POSTGRES_BIN") {
        return folder.into();
    }
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .expect("these tests need a PostgreSQL server: apt-get install postgresql, or name its folder in POSTGRES_BIN")
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    versions.sort();
    versions
        .pop()
        .expect("a version with its programs: apt-get install postgresql")
}

/// A server that is stopped when it is dropped.
pub(crate) struct Server {
    folder: TempDir,
}

impl Server {
    /// Makes a database and starts the server.
    pub(crate) fn start() -> Self {
        // The path of a socket may have 107 bytes.
        let folder = tempfile::Builder::new()
            .prefix("pg")
            .tempdir_in("/tmp")
            .expect("a folder can be made");
        if let Some((user, group)) = other_user() {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
                .expect("it is ours");
            chown(folder.path(), Some(user), Some(group)).expect("root may");
        }
        let server = Self { folder };
        fs::write(server.path("password"), PASSWORD).expect("it can be written");
        fs::set_permissions(server.path("password"), fs::Permissions::from_mode(0o644))
            .expect("it is ours");
        let (data, password) = (server.path("data"), server.path("password"));
        server.call(
            "initdb",
            &[
                "--no-sync",
                "--username=bots",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                "-D",
                &data,
                &format!("--pwfile={password}"),
            ],
        );
        server.up();
        server
    }

    /// Starts the server, which was stopped.
    pub(crate) fn up(&self) {
        self.up_with("-c listen_addresses=");
    }

    /// Has it listen on loopback too, encrypted, with a certificate for `localhost` that signs
    /// itself; the port.
    pub(crate) fn encrypt(&self) -> u16 {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])
            .expect("a certificate can be made");
        for (name, text, mode) in [
            ("cert", made.cert.pem(), 0o644),
            ("key", made.signing_key.serialize_pem(), 0o600),
        ] {
            fs::write(self.path(name), text).expect("it can be written");
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode))
                .expect("it is ours");
            if let Some((user, group)) = other_user() {
                chown(self.path(name), Some(user), Some(group)).expect("root may");
            }
        }
        // The server takes no port 0: one that was free a moment ago is the best there is.
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .expect("there are ports")
            .port();
        self.down();
        let (cert, key) = (self.path("cert"), self.path("key"));
        self.up_with(&format!(
            "-c listen_addresses=localhost -c port={port} -c ssl=on -c ssl_cert_file={cert} -c ssl_key_file={key}"
        ));
        port
    }

    /// The certificate, once it is encrypted.
    pub(crate) fn certificate(&self) -> String {
        self.path("cert")
    }

    fn up_with(&self, more: &str) {
        let options = format!("-c fsync=off -k {} {more}", self.folder.path().display());
        self.call(
            "pg_ctl",
            &[
                "-w",
                "-D",
                &self.path("data"),
                "-l",
                &self.path("log"),
                "-o",
                &options,
                "start",
            ],
        );
    }

    /// Stops the server abruptly.
    pub(crate) fn down(&self) {
        self.call(
            "pg_ctl",
            &["-w", "-D", &self.path("data"), "-m", "immediate", "stop"],
        );
    }

    pub(crate) fn address(&self) -> DatabaseAddress {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        DatabaseAddress::parse(&format!("postgres://bots@{folder}/postgres"), Path::new(""))
            .expect("an address")
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Calls a program of PostgreSQL's, which refuses to serve as root.
    fn call(&self, program: &str, arguments: &[&str]) {
        let program = programs().join(program);
        let mut command = match other_user() {
            Some((user, group)) => {
                let mut command = Command::new("setpriv");
                let (user, group) = (format!("--reuid={user}"), format!("--regid={group}"));
                command
                    .args([&user, &group, "--clear-groups", "--"])
                    .arg(program);
                command
            }
            None => Command::new(program),
        };
        // With what it prints in files: a server inherits its ends of pipes and never closes them.
        let log = fs::File::create(self.folder.path().join("calls")).expect("it can be written");
        let ended = command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file can be opened twice"))
            .stderr(log)
            .status()
            .expect("it can be called");
        let said = || fs::read_to_string(self.folder.path().join("calls")).unwrap_or_default();
        assert!(ended.success(), "{arguments:?}: {}", said());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be stopped already.
        if Path::new(&self.path("data/postmaster.pid")).exists() {
            self.down();
        }
    }
}

/// The user of the server when the tests run as root: the one that the package creates.
fn other_user() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("there are users");
    let line = users
        .lines()
        .find(|line| line.starts_with("postgres:"))
        .expect("the package makes the user postgres");
    let mut fields = line
        .split(':')
        .skip(2)
        .map(|field| field.parse().expect("a number"));
    Some((fields.next()?, fields.next()?))
}
