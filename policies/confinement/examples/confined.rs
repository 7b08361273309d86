//! A process that confines itself, for this crate's tests: it makes one attempt and prints the
//! outcome. Its arguments are the confinement as JSON, the attempt, and what that needs. What the
//! system cannot enforce goes to standard error.
#![allow(clippy::print_stdout, reason = "a test reads its output")]

use std::fs::{self, File};
use std::io::{self, Read};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use confinement::{Confinement, under_guard};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [confinement, attempt, with] = &arguments[..] else {
        panic!("only a test starts this");
    };
    let confinement: Confinement = serde_json::from_str(confinement).expect("a confinement");
    let guard = under_guard().expect("a guard");
    for words in confinement.enforce(guard).expect("it can be enforced") {
        eprintln!("{words}");
    }
    let outcome = match attempt.as_str() {
        "read" => File::open(with).and_then(|mut file| file.read(&mut [0]).map(drop)),
        "write" => fs::write(with, "written"),
        "connect" => TcpStream::connect(with).map(drop),
        "take memory" => take_memory(with.parse().expect("MiB")),
        "start threads" => start_threads(with.parse().expect("a number")),
        "run" => Command::new(with).stdout(Stdio::null()).status().map(drop),
        // What it starts has the same standard output, and holds it open.
        "leave behind" => Command::new("/bin/sleep").arg(with).spawn().map(drop),
        other => panic!("no attempt {other:?}"),
    };
    match outcome {
        Ok(()) => println!("done"),
        Err(error) => println!("{}", error.kind()),
    }
}

fn take_memory(mib: usize) -> io::Result<()> {
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(mib << 20)
        .map_err(|_| io::ErrorKind::OutOfMemory.into())
}

/// Starts threads that all live at the same time.
fn start_threads(number: usize) -> io::Result<()> {
    for _ in 0..number {
        thread::Builder::new().spawn(|| thread::sleep(Duration::from_secs(600)))?;
    }
    Ok(())
}
