//! Lines of any length, number and content.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;

/// The log lines when a process writes these parts, each this many seconds after the start.
fn logged(parts: &[(&[u8], u64)]) -> Vec<String> {
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);
    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no thread panics").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let sink = Sink::default();
    let log = sink.clone();
    let subscriber = tracing_subscriber::fmt()
        .without_time()
        .with_ansi(false)
        .with_target(false)
        .with_writer(move || log.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, || {
        let start = Instant::now();
        let mut lines = StderrLines::new("kuma");
        for (part, second) in parts {
            lines.push(part, start + Duration::from_secs(*second));
        }
        lines.end();
    });
    let text =
        String::from_utf8(sink.0.lock().expect("no thread panics").clone()).expect("it is escaped");
    text.lines()
        .map(|line| line.trim().trim_start_matches("INFO stderr: ").to_owned())
        .collect()
}

#[test]
fn a_line_is_logged_with_the_bots_name_once_it_is_whole() {
    assert_eq!(
        logged(&[(b"loading", 0), (b" weights\nand", 0)]),
        ["loading weights bot=\"kuma\"", "and bot=\"kuma\""]
    );
}

#[test]
fn garbage_is_escaped_and_other_languages_are_not() {
    let line = logged(&[(b"\x1b[31m\xff\x00 ", 0), ("東\t|\n".as_bytes(), 0)]).remove(0);
    assert_eq!(line, "\\u{1b}[31m\\xff\\u{0} 東\t| bot=\"kuma\"");
}

#[test]
fn a_line_that_is_too_long_is_cut() {
    let line = logged(&[(&[b'a'; 400], 0), (&[b'b'; 4000], 0), (b"\n", 0)]).remove(0);
    assert_eq!(
        line,
        format!("{}{}… bot=\"kuma\"", "a".repeat(400), "b".repeat(100))
    );
}

#[test]
fn a_flood_is_limited_and_omitted_lines_are_counted_then_and_at_the_end() {
    let flood = b"again\n".repeat(130_000);
    let lines = logged(&[(&flood, 0), (b"late\n", 9), (&flood, 10)]);
    assert!(lines.len() < 1_200, "{}", lines.len());
    let late = lines
        .iter()
        .find(|line| line.starts_with("late"))
        .expect("there is time for it again");
    for line in [late, &lines[lines.len() - 1]] {
        assert!(line.contains("too much for the log: 12"), "{line}");
    }
}
