//! PostgreSQL servers that want to do harm.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread::JoinHandle;

use results::{DatabaseAddress, ResultsKeeper, open};
use secrecy::SecretString;

use crate::common::game;

const PASSWORD: &str = "canary of the test";

/// Bytes that the endless server sends at most.
const MAX_SENT: usize = 64 << 20;

/// A client's connection from a server's point of view.
trait Wire: Read + Write + Send {}
impl<S: Read + Write + Send> Wire for S {}

/// How an address names a server on this machine.
#[derive(Debug, Clone, Copy)]
enum Place {
    Host,
    HostAddress,
    Socket,
}

/// A server that follows the test's script for the first client; returns the client's result.
fn server_at<T: Send + 'static>(
    place: Place,
    say: impl FnOnce(Box<dyn Wire>) -> T + Send + 'static,
) -> (DatabaseAddress, JoinHandle<T>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let tcp = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let unix =
        UnixListener::bind(folder.path().join(".s.PGSQL.5432")).expect("a socket can be made");
    let port = tcp.local_addr().expect("it is bound").port();
    let url = match place {
        Place::Host => format!("postgres://bots@127.0.0.1:{port}/games"),
        Place::HostAddress => format!("postgres:///games?user=bots&hostaddr=127.0.0.1&port={port}"),
        Place::Socket => {
            format!(
                "postgres://bots@{}/games",
                folder.path().display().to_string().replace('/', "%2F")
            )
        }
    };
    let address = DatabaseAddress::parse(&url, Path::new("")).expect("an address");
    let saying = std::thread::spawn(move || {
        let _folder = folder;
        let mut client: Box<dyn Wire> = match place {
            Place::Socket => Box::new(unix.accept().expect("a client").0),
            Place::Host | Place::HostAddress => Box::new(tcp.accept().expect("a client").0),
        };
        // The start message has no kind.
        read_content(&mut client);
        say(client)
    });
    (address, saying)
}

fn server<T: Send + 'static>(
    say: impl FnOnce(Box<dyn Wire>) -> T + Send + 'static,
) -> (DatabaseAddress, JoinHandle<T>) {
    server_at(Place::Host, say)
}

fn read_content(client: &mut dyn Wire) -> Vec<u8> {
    let mut length = [0; 4];
    client.read_exact(&mut length).expect("a length");
    let mut content = vec![0; u32::from_be_bytes(length) as usize - 4];
    client.read_exact(&mut content).expect("the content");
    content
}

fn message(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len() as u32 + 4;
    [&[kind][..], &length.to_be_bytes(), content].concat()
}

fn refusal(address: &DatabaseAddress) -> String {
    let refused = open(address, Some(&SecretString::from(PASSWORD)));
    refused.err().expect("no server of results").to_string()
}

#[test]
fn a_password_that_a_server_repeats_is_not_shown_and_its_words_disturb_no_terminal() {
    let (address, server) = server(|mut client| {
        client
            .write_all(&message(b'R', &3_u32.to_be_bytes()))
            .expect("it asks for the password");
        let mut kind = [0];
        client.read_exact(&mut kind).expect("an answer");
        let sent = String::from_utf8(read_content(&mut client)).expect("a text");
        let said = format!(
            "SFATAL\0C28P01\0Mno \u{202e}\u{200f}\n{0} is {0}, {1}\0\0",
            &sent[..sent.len() - 1],
            "x".repeat(5_000)
        );
        client
            .write_all(&message(b'E', said.as_bytes()))
            .expect("it refuses");
        sent
    });
    let words = refusal(&address);
    assert_eq!(
        server.join().expect("no panic"),
        format!("{PASSWORD}\0"),
        "it has the password"
    );
    assert!(
        words.contains(r"no \u{202e}\u{200f}\n[token] is [token], xxx"),
        "{words}"
    );
    assert!(!words.contains("canary") && words.len() < 400, "{words}");
}

#[test]
fn a_password_is_fetched_anew_for_each_connection_so_a_corrected_one_is_used() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let url = format!(
        "postgres://bots@{}/games",
        listener.local_addr().expect("it is bound")
    );
    let address = DatabaseAddress::parse(&url, Path::new("")).expect("an address");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let wrong = SecretString::from("wrong");
    let keeper = ResultsKeeper::start(address, Some(wrong), &folder.path().join("spool"))
        .expect("there are threads");
    keeper.keep(vec![game(1)]);
    // It refuses each client after its password.
    let sent = || {
        let mut client = listener.accept().expect("a client").0;
        read_content(&mut client);
        client
            .write_all(&message(b'R', &3_u32.to_be_bytes()))
            .expect("it asks for the password");
        client.read_exact(&mut [0]).expect("an answer");
        String::from_utf8(read_content(&mut client)).expect("a text")
    };
    assert_eq!(sent(), "wrong\0");
    let file = folder.path().join("password");
    fs::write(&file, "wrong too").expect("it can be written");
    keeper.fetch_password({
        let file = file.clone();
        move || {
            fs::read_to_string(&file)
                .map(SecretString::from)
                .map_err(|error| error.to_string())
        }
    });
    assert_eq!(sent(), "wrong too\0");
    fs::write(&file, "right").expect("it can be written");
    assert_eq!(sent(), "right\0");
}

#[test]
fn a_server_with_endless_parameters_is_left_soon_wherever_it_is() {
    for place in [Place::Host, Place::HostAddress, Place::Socket] {
        let (address, server) = server_at(place, |mut client| {
            client
                .write_all(&message(b'R', &0_u32.to_be_bytes()))
                .expect("it lets everyone in");
            let (mut sent, mut number) = (0, 0);
            while sent < MAX_SENT {
                number += 1;
                let parameter = message(b'S', format!("{number:01000}\0x\0").as_bytes());
                if client.write_all(&parameter).is_err() {
                    break;
                }
                sent += parameter.len();
            }
            sent
        });
        let words = refusal(&address);
        assert!(
            words.contains("more than any PostgreSQL server does"),
            "{place:?}: {words}"
        );
        let sent = server.join().expect("no panic");
        assert!(
            sent < MAX_SENT,
            "{place:?}: it was listened to for {sent} bytes"
        );
    }
}

/// A type that is not built into any PostgreSQL server.
const UNKNOWN_TYPE: u32 = 1_000_000;

/// The columns of an answer, with their types.
fn columns(types: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let column = |of_type: u32| {
        [
            &b"column\0"[..],
            &[0; 6],
            &of_type.to_be_bytes(),
            &[0xff; 6],
            &[0; 2],
        ]
        .concat()
    };
    let columns: Vec<Vec<u8>> = types.into_iter().map(column).collect();
    message(
        b'T',
        &[&(columns.len() as u16).to_be_bytes()[..], &columns.concat()].concat(),
    )
}

/// The client's library asks for each type that it does not know, and to read that answer for the
/// types of its columns.
#[test]
fn a_server_whose_types_lead_to_other_types_without_end_is_left_soon() {
    const MAX_QUESTIONS: u32 = 50;
    for parameters in [&[][..], &[UNKNOWN_TYPE]] {
        let parameter_types: Vec<u8> = parameters
            .iter()
            .flat_map(|of_type| of_type.to_be_bytes())
            .collect();
        let parameters = [
            &(parameters.len() as u16).to_be_bytes()[..],
            &parameter_types,
        ]
        .concat();
        let (address, server) = server(move |mut client| {
            let ready = message(b'Z', b"I");
            let mut answer = [message(b'R', &0_u32.to_be_bytes()), ready.clone()].concat();
            let mut questions = 0;
            let mut kind = [0];
            while questions < MAX_QUESTIONS
                && client.write_all(&answer).is_ok()
                && client.read_exact(&mut kind).is_ok()
            {
                read_content(&mut client);
                answer = match kind[0] {
                    b'Q' => [message(b'C', b"OK\0"), ready.clone()].concat(),
                    b'P' => {
                        questions += 1;
                        message(b'1', b"")
                    }
                    b'D' => [
                        message(b't', &parameters),
                        columns([UNKNOWN_TYPE + questions]),
                    ]
                    .concat(),
                    b'S' => ready.clone(),
                    _ => break,
                };
            }
            questions
        });
        let words = refusal(&address);
        let questions = server.join().expect("no panic");
        assert!(questions <= 2, "it was asked {questions} times");
        assert!(words.contains("connection closed"), "{words}");
    }
}

/// Answers all that a client asks as a database would whose version has this type and these bytes.
fn answer_with_version(mut client: Box<dyn Wire>, of_type: u32, version: &[u8]) {
    let ready = || message(b'Z', b"I");
    let mut answer = [message(b'R', &0_u32.to_be_bytes()), ready()].concat();
    let row = [
        &1_u16.to_be_bytes()[..],
        &(version.len() as u32).to_be_bytes(),
        version,
    ]
    .concat();
    let mut kind = [0];
    while client.write_all(&answer).is_ok() && client.read_exact(&mut kind).is_ok() {
        read_content(&mut client);
        answer = match kind[0] {
            b'Q' => [message(b'C', b"OK\0"), ready()].concat(),
            b'P' => message(b'1', b""),
            b'D' => [message(b't', &[0; 2]), columns([of_type])].concat(),
            b'B' => message(b'2', b""),
            b'E' => [message(b'D', &row), message(b'C', b"SELECT 1\0")].concat(),
            b'C' => message(b'3', b""),
            b'S' => ready(),
            _ => return,
        };
    }
}

#[test]
fn a_version_that_no_runner_writes_is_refused_in_words() {
    const NUMBER: u32 = 20;
    const TEXT: u32 = 25;
    for (of_type, version, words) in [
        (
            NUMBER,
            (-1_i64).to_be_bytes().to_vec(),
            "the version -1 of the schema",
        ),
        (NUMBER, b"short".to_vec(), "error deserializing column 0"),
        (TEXT, b"hello".to_vec(), "error deserializing column 0"),
    ] {
        let (address, server) =
            server(move |client| answer_with_version(client, of_type, &version));
        let words_said = refusal(&address);
        assert!(
            words_said.contains(words) && words_said.contains("127.0.0.1"),
            "{words_said}"
        );
        server.join().expect("no panic");
    }
}
