//! A game's log as it is stored: mjai events, gzipped.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// Maximum size of an unpacked log, in bytes.
pub(crate) const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The text of a log. A server may have unpacked it already.
///
/// # Errors
///
/// If it is cut or damaged, too long, or no text.
pub(crate) fn unpacked(bytes: &[u8]) -> io::Result<String> {
    let mut text = Vec::new();
    if bytes.starts_with(&GZIP) {
        MultiGzDecoder::new(bytes)
            .take(MAX_UNPACKED_BYTES + 1)
            .read_to_end(&mut text)?;
        if text.len() as u64 > MAX_UNPACKED_BYTES {
            return Err(io::Error::other(format!(
                "the log is longer than {} MiB",
                MAX_UNPACKED_BYTES >> 20
            )));
        }
    } else {
        text.extend_from_slice(bytes);
    }
    let text = String::from_utf8(text).map_err(|_| io::Error::other("the log is not UTF-8"))?;
    match is_event(text.lines().next().unwrap_or_default()) {
        true => Ok(text),
        // A server under repair sends pages that say so.
        false => Err(io::Error::other("the log does not begin with an event")),
    }
}

fn is_event(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|event| event["type"].is_string())
}

/// A log whose first event names the players, by seats, as in records of this program.
pub fn with_names(log: &str, names: &[String]) -> String {
    let (first, rest) = log.split_once('\n').unwrap_or((log, ""));
    let start = serde_json::from_str::<Value>(first)
        .ok()
        .filter(|event| event["type"] == "start_game");
    let Some(mut start) = start.filter(|event| event.get("names").is_none()) else {
        return log.to_owned();
    };
    start["names"] = names.into();
    format!("{start}\n{rest}")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    #[test]
    fn a_log_is_read_packed_and_unpacked() {
        let text = "{\"type\":\"start_game\"}\n";
        assert_eq!(unpacked(&packed(text.as_bytes())).expect("a log"), text);
        assert_eq!(unpacked(text.as_bytes()).expect("a log"), text);
    }

    #[test]
    fn a_log_gets_names_unless_it_has_some() {
        let names = ["kuma".to_owned(), "seat 1".to_owned()];
        let named = with_names(
            "{\"type\":\"start_game\"}\n{\"type\":\"end_game\"}\n",
            &names,
        );
        assert_eq!(
            named,
            "{\"names\":[\"kuma\",\"seat 1\"],\"type\":\"start_game\"}\n{\"type\":\"end_game\"}\n"
        );
        assert_eq!(with_names(&named, &[]), named);
        for other in ["", "no event", "{\"type\":\"tsumo\"}\n"] {
            assert_eq!(with_names(other, &names), other);
        }
    }

    #[test]
    fn a_cut_log_a_bomb_and_one_that_is_no_text_are_refused() {
        let whole = packed("{}\n".repeat(1000).as_bytes());
        assert!(unpacked(&whole[..whole.len() / 2]).is_err());
        assert!(
            unpacked(&packed(&vec![b'\n'; 65 << 20]))
                .unwrap_err()
                .to_string()
                .contains("longer than 64 MiB")
        );
        assert!(unpacked(&packed(&[0xff, 0xfe])).is_err());
    }

    #[test]
    fn a_page_in_place_of_a_log_is_refused() {
        for text in ["", "<!doctype html><title>Error</title>\n", "{}\n", "[1]\n"] {
            let error = unpacked(text.as_bytes()).expect_err("no event");
            assert!(
                error.to_string().contains("does not begin with an event"),
                "{text}: {error}"
            );
        }
    }
}
