//! Files, archives and encodings.

use std::io::{BufRead, Cursor, ErrorKind, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use game_logs::{Log, LogForm, MAX_BYTES, each_log, log_lines, looks_like_logs, tenhou_form};
use protocol::event_json;
use riichi::Rules;
use zip::write::SimpleFileOptions;

use crate::played::played;
use crate::spellings::COMPETITION;
use crate::writers::{mahjong_soul, majiang, mjlog};

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

/// A log of each form, with the characters of names beyond ASCII where the form has names.
fn one_of_each_form() -> Vec<(LogForm, String)> {
    let events = played(Rules::TENHOU_HALF, 3);
    let names = ["東", "b", "c", "d"].map(str::to_owned);
    let tenhou = tenhou_form(&events, &names).expect("all hands are shown");
    let lines: Vec<String> = events.iter().map(event_json).collect();
    let pretty = |json: &str| {
        let json: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
        serde_json::to_string_pretty(&json).expect("it is JSON")
    };
    vec![
        (LogForm::Lines, lines.join("\n") + "\n"),
        (LogForm::MjaiLists, format!("[{}]", lines.join(",\n"))),
        (LogForm::TenhouJson, pretty(&tenhou.game.to_string())),
        (
            LogForm::Mjlog,
            mjlog(&events, Rules::TENHOU_HALF).replace("/>", "/>\n"),
        ),
        (LogForm::Majiang, pretty(&majiang(&events))),
        (LogForm::MahjongSoul, pretty(&mahjong_soul(&events, false))),
        (LogForm::ChineseStandard, COMPETITION.to_owned()),
    ]
}

#[test]
fn byte_order_marks_line_ends_and_utf_16_change_nothing_in_any_form() {
    for (form, text) in one_of_each_form() {
        let plain = lines(text.clone().into_bytes()).expect("it is read");
        assert!(!plain.is_empty(), "{form}");
        let marked = format!("\u{feff}{text}");
        let ended = marked.replace('\n', "\r\n");
        assert!(ended.len() > marked.len(), "{form}");
        let wide =
            |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
        for (what, changed) in [
            ("a mark", marked.clone().into_bytes()),
            ("CRLF", ended.clone().into_bytes()),
            ("UTF-16LE", wide(&marked, u16::to_le_bytes)),
            ("UTF-16BE", wide(&marked, u16::to_be_bytes)),
            ("CRLF in UTF-16LE", wide(&ended, u16::to_le_bytes)),
            ("gzip", gzipped(ended.as_bytes())),
        ] {
            let found = logs(changed.clone());
            assert_eq!(found[0].1, Ok(form), "{form} with {what}");
            let read = lines(changed).unwrap_or_else(|why| panic!("{form} with {what}: {why}"));
            assert!(read.lines().eq(plain.lines()), "{form} with {what}");
        }
    }
}

#[test]
fn another_encoding_is_refused_with_the_byte_and_what_to_do() {
    for (form, text) in one_of_each_form() {
        // One character in Shift_JIS, and all of it in UTF-16 without a mark.
        let at = text.find('1').expect("a digit");
        let mut shift_jis = text.clone().into_bytes();
        shift_jis.splice(at..at + 1, [0x93, 0x8c]);
        let unmarked: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, word) in [
            (shift_jis, format!("byte {} is not UTF-8", at + 1)),
            (unmarked, "byte 2 is 0; UTF-16 must begin with".to_owned()),
        ] {
            let why = logs(bytes.clone()).remove(0).1.expect_err("it is no UTF-8");
            assert!(
                why.contains(&word) && why.contains("iconv"),
                "{form}: {why}"
            );
            let why = lines(bytes).expect_err("it is no UTF-8");
            assert_eq!(why.kind(), ErrorKind::InvalidData, "{form}: {why}");
        }
    }
}

#[test]
fn a_cut_file_is_refused_or_what_is_read_of_it_is_whole() {
    let (xml, json) = (log(), majiang(&played(Rules::TENHOU_HALF, 3)));
    let members: [(&str, &[u8]); 3] = [
        ("one.mjlog", xml.as_bytes()),
        ("two.json", json.as_bytes()),
        ("three.mjlog", xml.as_bytes()),
    ];
    for (name, whole) in [
        ("gzip", gzipped(xml.as_bytes())),
        ("zip", zipped(&members)),
        ("tar", tarred(&members)),
        ("tar.gz", gzipped(&tarred(&members))),
    ] {
        let (all, _) = logs_before_error(whole.clone());
        // At 512 bytes a member of a tar archive may end.
        for end in (0..whole.len()).filter(|end| end % 100 == 0 || end % 512 == 0) {
            let (found, is_refused) = logs_before_error(whole[..end].to_vec());
            assert!(
                is_refused || name == "tar.gz" && found.len() == all.len(),
                "{name}, {end} of {} bytes",
                whole.len()
            );
            for (found, all) in found.iter().zip(&all) {
                assert!(found == all, "{name}, {end} of {} bytes", whole.len());
            }
        }
    }
}

#[test]
fn a_tar_archive_that_is_cut_between_two_members_has_the_logs_before_and_then_the_error() {
    let xml = log();
    let one = tarred(&[("one.mjlog", xml.as_bytes())]);
    let both = tarred(&[("one.mjlog", xml.as_bytes()), ("two.mjlog", xml.as_bytes())]);
    // Without the two blocks of zeros, and whatever fills the archive up behind them.
    let cut = both[..one.len() - 1024].to_vec();
    let plain = lines(xml.into_bytes()).expect("it is read");
    for cut in [gzipped(&cut), cut] {
        let (found, is_refused) = logs_before_error(cut.clone());
        assert_eq!((found.len(), is_refused), (1, true));
        let mut text = String::new();
        let why = log_lines(Cursor::new(cut))
            .and_then(|mut lines| lines.read_to_string(&mut text))
            .expect_err("it is cut");
        assert!(text == plain && why.to_string().contains("is cut"), "{why}");
    }
}

/// The logs before the first that cannot be read, and whether there is such an error.
fn logs_before_error(bytes: Vec<u8>) -> (Vec<(Option<String>, LogForm, String)>, bool) {
    let mut found = Vec::new();
    let visited = each_log(Cursor::new(bytes), &mut |Log { member, read }| {
        let (form, lines) = read?;
        found.push((member, form, lines));
        Ok::<(), std::io::Error>(())
    });
    (found, visited.is_err())
}

#[test]
fn a_cut_log_of_lines_has_the_lines_before_the_cut_and_then_the_error() {
    let (_, text) = one_of_each_form().remove(0);
    let whole = gzipped(text.as_bytes());
    for end in (100..whole.len()).step_by(100) {
        let mut before = Vec::new();
        let read = log_lines(Cursor::new(whole[..end].to_vec())).and_then(|lines| {
            for line in lines.lines() {
                before.push(line?);
            }
            Ok(())
        });
        assert!(read.is_err(), "{end} of {} bytes", whole.len());
        let lines = text.lines().take(before.len());
        assert!(lines.eq(before.iter()), "{end} of {} bytes", whole.len());
    }
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
    let large = vec![b' '; usize::try_from(MAX_BYTES).expect("it fits") + 1];
    let small = log();
    let members: [(&str, &[u8]); 2] = [("bomb", &large), ("log", small.as_bytes())];
    for archive in [zipped(&members), gzipped(&tarred(&members))] {
        assert!(archive.len() < 1 << 20);
        let found = logs(archive);
        let why = found[0].1.as_ref().expect_err("it is too large");
        assert!(why.contains("more than 64 MiB"), "{why}");
        assert_eq!(found[1].1, Ok(LogForm::Mjlog), "the next is read");
    }
    let nested = zipped(&[("inner.zip", &zipped(&[("log", log().as_bytes())]))]);
    let found = logs(nested);
    assert!(
        found[0]
            .1
            .as_ref()
            .is_err_and(|why| why.contains("an archive in an archive"))
    );
}

#[test]
fn an_endless_name_in_a_tar_archive_is_refused() {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_path("././@LongLink").expect("it is short");
    let name = vec![b'a'; 2 << 20];
    header.set_size(name.len() as u64);
    header.set_cksum();
    let mut archive = tar::Builder::new(Vec::new());
    archive
        .append(&header, name.as_slice())
        .expect("it is written to memory");
    let long = archive.into_inner().expect("it is written to memory");
    for bytes in [gzipped(&long), long] {
        let why = each_log::<std::io::Error>(Cursor::new(bytes), &mut |_| Ok(()))
            .expect_err("it is too long");
        assert!(
            why.to_string()
                .contains("the name of a member has more than 1 MiB"),
            "{why}"
        );
    }
}

#[test]
fn a_member_after_a_large_one_is_read() {
    let other = vec![b'x'; 3 << 20];
    let long = format!("{}/log", "a".repeat(300));
    let found = logs(tarred(&[("notes", &other), (&long, log().as_bytes())]));
    assert_eq!(found[1], (long, Ok(LogForm::Mjlog)));
}
