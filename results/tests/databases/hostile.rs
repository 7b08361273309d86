//! PostgreSQL servers that want to do harm.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;

use results::{DatabaseAddress, open};
use secrecy::SecretString;

const PASSWORD: &str = "canary of the test";

/// Bytes that the endless server sends at most.
const MAX_SENT: usize = 64 << 20;

/// A server that says what the test says to the first client; what that comes to.
fn server<T: Send + 'static>(say: impl FnOnce(TcpStream) -> T + Send + 'static) -> (DatabaseAddress, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let url = format!("postgres://bots@127.0.0.1:{port}/games");
    let address = DatabaseAddress::parse(&url, Path::new("")).expect("an address");
    let saying = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("a client");
        // The start message has no kind.
        read_content(&mut client);
        say(client)
    });
    (address, saying)
}

fn read_content(client: &mut TcpStream) -> Vec<u8> {
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
        client.write_all(&message(b'R', &3_u32.to_be_bytes())).expect("it asks for the password");
        let mut kind = [0];
        client.read_exact(&mut kind).expect("an answer");
        let sent = String::from_utf8(read_content(&mut client)).expect("a text");
        let said = format!(
            "SFATAL\0C28P01\0Mno \u{202e}\u{200f}\n{0} is {0}, {1}\0\0",
            &sent[..sent.len() - 1],
            "x".repeat(5_000)
        );
        client.write_all(&message(b'E', said.as_bytes())).expect("it refuses");
        sent
    });
    let words = refusal(&address);
    assert_eq!(server.join().expect("no panic"), format!("{PASSWORD}\0"), "it has the password");
    assert!(words.contains(r"no \u{202e}\u{200f}\n[token] is [token], xxx"), "{words}");
    assert!(!words.contains("canary") && words.len() < 400, "{words}");
}

#[test]
fn a_server_with_endless_parameters_is_left_soon() {
    let (address, server) = server(|mut client| {
        client.write_all(&message(b'R', &0_u32.to_be_bytes())).expect("it lets everyone in");
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
    assert!(words.contains("more than any PostgreSQL server does"), "{words}");
    let sent = server.join().expect("no panic");
    assert!(sent < MAX_SENT, "it was listened to for {sent} bytes");
}

/// Answers all that a client asks as a database would whose version has this type and these bytes.
fn answer_with_version(mut client: TcpStream, of_type: u32, version: &[u8]) {
    let ready = || message(b'Z', b"I");
    let mut answer = [message(b'R', &0_u32.to_be_bytes()), ready()].concat();
    let column = [&b"version\0"[..], &[0; 6], &of_type.to_be_bytes(), &[0xff; 6], &[0; 2]].concat();
    let row = [&1_u16.to_be_bytes()[..], &(version.len() as u32).to_be_bytes(), version].concat();
    let mut kind = [0];
    while client.write_all(&answer).is_ok() && client.read_exact(&mut kind).is_ok() {
        read_content(&mut client);
        answer = match kind[0] {
            b'Q' => [message(b'C', b"OK\0"), ready()].concat(),
            b'P' => message(b'1', b""),
            b'D' => [message(b't', &[0; 2]), message(b'T', &[&1_u16.to_be_bytes()[..], &column].concat())].concat(),
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
        (NUMBER, (-1_i64).to_be_bytes().to_vec(), "the version -1 of the schema"),
        (NUMBER, b"short".to_vec(), "error deserializing column 0"),
        (TEXT, b"hello".to_vec(), "error deserializing column 0"),
    ] {
        let (address, server) = server(move |client| answer_with_version(client, of_type, &version));
        let words_said = refusal(&address);
        assert!(words_said.contains(words) && words_said.contains("127.0.0.1"), "{words_said}");
        server.join().expect("no panic");
    }
}
