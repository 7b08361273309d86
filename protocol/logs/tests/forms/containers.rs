//! Files, archives and encodings.

use std::io::{BufRead, Cursor, ErrorKind, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use game_logs::{Log, LogForm, MAX_BYTES, each_log, log_lines, looks_like_logs};
use riichi::Rules;
use zip::write::SimpleFileOptions;

use crate::played::played;
use crate::writers::{majiang, mjlog};

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    file.write_all(bytes).expect("it is written to memory");
    file.finish().expect("it is written to memory")
}

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .expect("a name");
        archive.write_all(bytes).expect("it is written to memory");
    }
    archive
        .finish()
        .expect("it is written to memory")
        .into_inner()
}

fn tarred(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        archive
            .append_data(&mut header, name, *bytes)
            .expect("it is written to memory");
    }
    archive.into_inner().expect("it is written to memory")
}

fn log() -> String {
    mjlog(&played(Rules::TENHOU_HALF, 2), Rules::TENHOU_HALF)
}

fn lines(bytes: Vec<u8>) -> std::io::Result<String> {
    let mut text = String::new();
    log_lines(Cursor::new(bytes))?.read_to_string(&mut text)?;
    Ok(text)
}

fn logs(bytes: Vec<u8>) -> Vec<(String, Result<LogForm, String>)> {
    let mut found = Vec::new();
    let visited = each_log::<std::io::Error>(Cursor::new(bytes), &mut |Log { member, read }| {
        let read = read.map(|(form, _)| form).map_err(|why| why.to_string());
        found.push((member.unwrap_or_default(), read));
        Ok(())
    });
    visited.expect("the archive can be read");
    found
}

#[test]
fn a_log_is_read_plain_gzipped_and_from_archives() {
    let (xml, json) = (log(), majiang(&played(Rules::TENHOU_HALF, 3)));
    let plain = lines(xml.clone().into()).expect("it is read");
    assert!(
        plain.starts_with(r#"{"log":{"#) && plain.contains("start_kyoku"),
        "{}",
        &plain[..200]
    );
    assert_eq!(lines(gzipped(xml.as_bytes())).expect("it is read"), plain);
    let members = [
        ("a/one.mjlog.gz", gzipped(xml.as_bytes())),
        ("b.json", json.clone().into_bytes()),
        ("notes.txt", b"no log".to_vec()),
    ];
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, bytes)| (*name, bytes.as_slice()))
        .collect();
    let both = plain + &lines(json.into_bytes()).expect("it is read");
    for archive in [
        zipped(&members),
        tarred(&members),
        gzipped(&tarred(&members)),
    ] {
        assert!(looks_like_logs(Cursor::new(archive.clone())).expect("it is read"));
        let found = logs(archive);
        assert_eq!(found[0], ("a/one.mjlog.gz".to_owned(), Ok(LogForm::Mjlog)));
        assert_eq!(found[1], ("b.json".to_owned(), Ok(LogForm::Majiang)));
        let why = found[2].1.as_ref().expect_err("it is none");
        assert!(why.contains("known are: mjai, "), "{why}");
    }
    assert_eq!(lines(zipped(&members[..2])).expect("it is read"), both);
    assert_eq!(
        lines(gzipped(&tarred(&members[..2]))).expect("it is read"),
        both
    );
}

#[test]
fn marks_line_ends_and_wide_characters_change_nothing() {
    let json = majiang(&played(Rules::TENHOU_HALF, 3));
    let plain = lines(json.clone().into_bytes()).expect("it is read");
    let pretty: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let pretty = serde_json::to_string_pretty(&pretty).expect("it is JSON");
    let crlf = format!("\u{feff}{}", pretty.replace('\n', "\r\n"));
    assert_eq!(lines(crlf.into_bytes()).expect("it is read"), plain);
    let wide = format!("\u{feff}{json}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(lines(wide).expect("it is read"), plain);
    let own = "\u{feff}{\"type\":\"start_game\"}\r\n{\"type\":\"end_game\"}\r\n";
    let first = log_lines(Cursor::new(own.as_bytes()))
        .expect("it is read")
        .lines()
        .next()
        .expect("there is a line")
        .expect("it is read");
    assert_eq!(first, "{\"type\":\"start_game\"}");
}

#[test]
fn another_encoding_is_refused() {
    let mut bytes = majiang(&played(Rules::TENHOU_HALF, 3)).into_bytes();
    bytes[20] = 0x93;
    let why = lines(bytes).expect_err("it is no UTF-8");
    assert_eq!(why.kind(), ErrorKind::InvalidData);
    assert!(why.to_string().contains("byte 21 is not UTF-8"), "{why}");
}

#[test]
fn bombs_are_left_at_the_largest_size() {
    let spaces = vec![b' '; 1 << 20];
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..=MAX_BYTES >> 20 {
        bomb.write_all(&spaces).expect("it is written to memory");
    }
    let bomb = bomb.finish().expect("it is written to memory");
    assert!(bomb.len() < 1 << 20);
    let why = lines(bomb.clone()).expect_err("it is too large");
    assert!(why.to_string().contains("more than 64 MiB"), "{why}");
    let found = logs(zipped(&[("bomb.gz", &bomb), ("log", log().as_bytes())]));
    assert!(
        found[0]
            .1
            .as_ref()
            .is_err_and(|why| why.contains("more than 64 MiB"))
    );
    assert_eq!(found[1].1, Ok(LogForm::Mjlog), "the next is read");
    let nested = zipped(&[("inner.zip", &zipped(&[("log", log().as_bytes())]))]);
    let found = logs(nested);
    assert!(
        found[0]
            .1
            .as_ref()
            .is_err_and(|why| why.contains("an archive in an archive"))
    );
}
