//! Networks of users: proxies, certificates of an own authority, and servers that ask for a delay.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use super::configs::{Folder, POLICY};
use super::program::{Finished, Runner};
use crate::common::server::Server;

/// The password of the proxy.
const PASSWORD: &str = "canary-password";

/// A listener on loopback, and its port.
async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("loopback has a free port");
    let port = listener.local_addr().expect("it is bound").port();
    (listener, port)
}

/// The local arena behind TLS, with a certificate of an authority of its own.
struct EncryptedArena {
    port: u16,
    /// The authority's certificate.
    ca: PathBuf,
    _arena: arena::ArenaHandle,
}

impl EncryptedArena {
    async fn start(folder: &Folder) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let arena = arena::start(arena::ArenaSettings::default())
            .await
            .expect("loopback has a free port");
        let plain: SocketAddr = arena
            .url()
            .trim_start_matches("ws://")
            .parse()
            .expect("an address");
        let (ca_key, key) = (
            KeyPair::generate().expect("a key"),
            KeyPair::generate().expect("a key"),
        );
        let mut ca = CertificateParams::new(Vec::new()).expect("parameters");
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca_certificate = ca.self_signed(&ca_key).expect("a certificate");
        let own = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
        let own = own
            .signed_by(&key, &Issuer::new(ca, ca_key))
            .expect("a certificate");
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(
                vec![own.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            )
            .expect("the certificate fits its key");
        let (listener, port) = listen().await;
        tokio::spawn(async move {
            let acceptor = TlsAcceptor::from(Arc::new(config));
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut encrypted = acceptor.accept(stream).await?;
                    copy_bidirectional(&mut encrypted, &mut TcpStream::connect(plain).await?).await
                });
            }
        });
        Self {
            port,
            ca: folder.file("ca.pem", ca_certificate.pem()),
            _arena: arena,
        }
    }

    fn config(&self, folder: &Folder, more: &str) -> PathBuf {
        let url = format!("wss://localhost:{}", self.port);
        let arena = format!(
            "[arena]\nkind = \"riichilab\"\nurl = {url:?}\ntoken_env = \"KUMA_TOKEN\"\n{more}"
        );
        folder.file("kuma.toml", format!("name = \"kuma\"\n{arena}\n{POLICY}"))
    }
}

/// Runs a command for a config in this environment, and in no other.
fn in_environment(command: &str, config: &Path, environment: &[(&str, &str)]) -> Finished {
    let mut runner = Runner::new([Path::new(command), config]).env("KUMA_TOKEN", "canary-token");
    for name in [
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
    ] {
        let set = environment
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value);
        runner = runner.env(name, set);
    }
    let finished = runner.run();
    for secret in [PASSWORD, "canary-token"] {
        assert!(!finished.all().contains(secret), "{}", finished.all());
    }
    finished
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_of_ones_own_is_named_by_the_config_or_the_environment() {
    let folder = Folder::new();
    let arena = EncryptedArena::start(&folder).await;
    let ca = arena.ca.to_str().expect("a name");
    // OpenSSL looks for a certificate by the hash of its name; any file that ends in a digit is
    // read here.
    let hashed = folder.private("certificates");
    fs::copy(&arena.ca, hashed.join("12345678.0")).expect("it can be copied");

    let plain = arena.config(&folder, "");
    let variables = [
        ("SSL_CERT_FILE", ca),
        ("SSL_CERT_DIR", hashed.to_str().expect("a name")),
    ];
    for variable in variables {
        in_environment("validate", &plain, &[variable]).exited(0);
    }
    in_environment(
        "validate",
        &arena.config(&folder, "ca_file = \"ca.pem\""),
        &[],
    )
    .exited(0);
}

#[test]
fn a_list_of_authorities_without_a_certificate_is_refused_by_its_name() {
    let folder = Folder::new();
    let empty = folder.file("empty.pem", "no certificate\n");
    let config = |more: &str| {
        let arena = format!("[arena]\nkind = \"riichilab\"\ntoken_env = \"KUMA_TOKEN\"\n{more}");
        folder.file("kuma.toml", format!("name = \"kuma\"\n{arena}\n{POLICY}"))
    };
    for (file, why) in [
        ("empty.pem", "it contains no certificate"),
        ("absent.pem", "absent.pem"),
    ] {
        let finished = in_environment("check", &config(&format!("ca_file = {file:?}")), &[]);
        finished.exited(1);
        for words in ["arena.ca_file", why, "name a file with certificates as PEM"] {
            assert!(finished.all().contains(words), "{}", finished.all());
        }
    }
    for file in [empty.to_str().expect("a name"), "/nonexistent/ca.pem"] {
        let finished = in_environment("check", &config(""), &[("SSL_CERT_FILE", file)]);
        finished.exited(1);
        assert!(
            finished.all().contains("SSL_CERT_FILE is set, but"),
            "{}",
            finished.all()
        );
    }
}

/// A proxy that the test writes: `CONNECT` with a password, or SOCKS 5. Counts the tunnels that it
/// opens.
async fn proxy() -> (u16, Arc<AtomicU32>) {
    let (listener, port) = listen().await;
    let tunnels = Arc::new(AtomicU32::new(0));
    let opened = Arc::clone(&tunnels);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let opened = Arc::clone(&opened);
            tokio::spawn(async move {
                let mut first = [0];
                stream.peek(&mut first).await?;
                let target = if first == [5] {
                    socks(&mut stream).await?
                } else {
                    tunnel(&mut stream).await?
                };
                let Some(target) = target else { return Ok(()) };
                let mut arena = TcpStream::connect(target).await?;
                opened.fetch_add(1, Ordering::Relaxed);
                copy_bidirectional(&mut stream, &mut arena).await.map(drop)
            });
        }
    });
    (port, tunnels)
}

/// The target of a `CONNECT` with the right password.
async fn tunnel(stream: &mut TcpStream) -> std::io::Result<Option<String>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).expect("a head is text");
    let login = base64::Engine::encode(
        &base64::prelude::BASE64_STANDARD,
        format!("kuma:{PASSWORD}"),
    );
    if !head
        .to_lowercase()
        .contains(&format!("proxy-authorization: basic {login}").to_lowercase())
    {
        stream
            .write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            .await?;
        return Ok(None);
    }
    stream
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .await?;
    Ok(head
        .strip_prefix("CONNECT ")
        .and_then(|rest| rest.split(' ').next())
        .map(str::to_owned))
}

/// The target of a SOCKS 5 request with a name.
async fn socks(stream: &mut TcpStream) -> std::io::Result<Option<String>> {
    let _version = stream.read_u8().await?;
    let mut methods = vec![0; stream.read_u8().await?.into()];
    stream.read_exact(&mut methods).await?;
    stream.write_all(&[5, 0]).await?;
    let mut request = [0; 4];
    stream.read_exact(&mut request).await?;
    assert_eq!(request, [5, 1, 0, 3], "the proxy looks up the name");
    let mut name = vec![0; stream.read_u8().await?.into()];
    stream.read_exact(&mut name).await?;
    let port = stream.read_u16().await?;
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    Ok(Some(format!(
        "{}:{port}",
        String::from_utf8(name).expect("a name is text")
    )))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_through_the_proxy_that_the_environment_names() {
    let folder = Folder::new();
    let arena = EncryptedArena::start(&folder).await;
    let config = arena.config(&folder, "ca_file = \"ca.pem\"");
    let (port, tunnels) = proxy().await;
    let http = format!("http://kuma:{PASSWORD}@localhost:{port}");
    let socks = format!("socks5h://localhost:{port}");
    for environment in [
        &[("HTTPS_PROXY", http.as_str())][..],
        &[("ALL_PROXY", &http)],
        &[("ALL_PROXY", &socks)],
    ] {
        let before = tunnels.load(Ordering::Relaxed);
        in_environment("validate", &config, environment).exited(0);
        assert!(tunnels.load(Ordering::Relaxed) > before, "{environment:?}");
    }

    let before = tunnels.load(Ordering::Relaxed);
    for others in [
        [("HTTPS_PROXY", http.as_str()), ("NO_PROXY", "localhost")],
        [("HTTP_PROXY", &http), ("NO_PROXY", "")],
    ] {
        in_environment("validate", &config, &others).exited(0);
    }
    assert_eq!(
        tunnels.load(Ordering::Relaxed),
        before,
        "neither environment names a proxy for this arena"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_opens_no_tunnel_is_named_without_its_password() {
    let folder = Folder::new();
    let arena = EncryptedArena::start(&folder).await;
    let config = arena.config(&folder, "ca_file = \"ca.pem\"");
    let (port, _) = proxy().await;
    let (closed, closed_port) = listen().await;
    drop(closed);
    for (proxy, why) in [
        (
            format!("http://risu:{PASSWORD}@localhost:{port}"),
            "proxy authorization required",
        ),
        (
            format!("http://kuma:{PASSWORD}@localhost:{closed_port}"),
            "Connection refused",
        ),
    ] {
        let finished = in_environment("validate", &config, &[("HTTPS_PROXY", &proxy)]);
        finished.exited(1);
        for words in ["the proxy localhost:", why, "HTTPS_PROXY", "NO_PROXY"] {
            assert!(finished.err.contains(words), "{words}: {}", finished.err);
        }
    }
}

#[test]
fn games_of_this_process_need_no_proxy() {
    let folder = Folder::new();
    let config = folder.bot("kuma");
    let args = [
        Path::new("play"),
        Path::new("--games=1"),
        Path::new("--length=single"),
        &config,
    ];
    // Nothing listens there.
    Runner::new(args)
        .env("HTTP_PROXY", "http://127.0.0.1:1")
        .env("ALL_PROXY", "http://127.0.0.1:1")
        .run()
        .exited(0);
}

#[test]
fn a_variable_that_names_no_proxy_is_refused_by_its_name() {
    let folder = Folder::new();
    let config = folder.bot_at("kuma", "ws://127.0.0.1:1", "KUMA_TOKEN");
    for proxy in [
        format!("quic://kuma:{PASSWORD}@proxy:1"),
        format!("https://kuma:{PASSWORD}@proxy:1"),
    ] {
        for variable in ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"] {
            let finished = in_environment("check", &config, &[(variable, &proxy)]);
            finished.exited(1);
            for words in ["arena.url", variable, "socks5://HOST:PORT"] {
                assert!(finished.all().contains(words), "{}", finished.all());
            }
        }
    }
}

/// A proxy of Debian's packages, stopped when dropped.
struct Tinyproxy(Child);

impl Drop for Tinyproxy {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it needs tinyproxy; .ci/run installs it and runs the test"]
async fn a_bot_plays_through_tinyproxy() {
    let folder = Folder::new();
    let arena = EncryptedArena::start(&folder).await;
    let config = arena.config(&folder, "ca_file = \"ca.pem\"");
    let (listener, port) = listen().await;
    drop(listener);
    let (log, settings) = (
        folder.path().join("proxy.log"),
        folder.path().join("proxy.conf"),
    );
    let text = format!(
        "Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nBasicAuth kuma {PASSWORD}\nLogFile {log:?}\nLogLevel Connect\n"
    );
    fs::write(&settings, text).expect("a file can be written");
    let program = Command::new("tinyproxy")
        .arg("-d")
        .arg("-c")
        .arg(&settings)
        .stdout(Stdio::null())
        .spawn();
    let _proxy = Tinyproxy(program.expect("tinyproxy is installed"));
    for _ in 0..100 {
        if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let proxy = format!("http://kuma:{PASSWORD}@127.0.0.1:{port}");
    in_environment("validate", &config, &[("HTTPS_PROXY", &proxy)]).exited(0);
    let log = fs::read_to_string(log).expect("it keeps a log");
    assert!(
        log.contains(&format!("CONNECT localhost:{}", arena.port)),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_waits_until_the_moment_that_the_arena_names() {
    let server = Server::open().await;
    let folder = Folder::new();
    let config = folder.bot_at("kuma", &server.address(), "KUMA_TOKEN");
    let mut run = Runner::new([Path::new("run"), &config])
        .env("KUMA_TOKEN", "canary-token")
        .start();
    let moment = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(1000));
    server
        .answer(
            format!("HTTP/1.1 503 Down\r\nRetry-After: {moment}\r\nContent-Length: 0\r\n\r\n")
                .as_bytes(),
        )
        .await;
    let line = run.line_with("next attempt in");
    // Up to a fifth later than the moment.
    let seconds = line
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok());
    assert!(
        seconds
            .into_iter()
            .any(|seconds: u32| (990..=1201).contains(&seconds)),
        "{line}"
    );
    run.stop();
}
