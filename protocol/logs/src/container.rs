//! Files of logs: plain, gzipped, or archives of many.

use std::cell::Cell;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use crate::form::LogForm;
use crate::game::LogGame;
use crate::text::text_of;
use crate::text_games::{form_by_head, is_event_line, read_text};

/// Maximum size of a log that is read, in bytes, unpacked.
pub const MAX_BYTES: u64 = 64 << 20;

/// Maximum size of what a tar archive has between two members, in bytes: names may have any length,
/// and are held in memory.
const MAX_NAMES: u64 = 1 << 20;

/// The first bytes of every gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The first bytes of every zip archive.
const ZIP: &[u8] = b"PK\x03\x04";
/// What a tar archive has at [`TAR_PLACE`].
const TAR: &[u8] = b"ustar";
const TAR_PLACE: usize = 257;
/// Size of the blocks of a tar archive, in bytes. Two blocks of zeros end it.
const TAR_BLOCK: usize = 512;
/// In how many of the first lines an event is looked for.
const HEAD_LINES: usize = 8;
/// How much of a file is looked at to tell an archive.
const HEAD: usize = 512;
/// How much of a file is looked at to tell a log from other files.
const LOOKED_AT: u64 = 64 << 10;

/// A log in a file or in an archive.
pub struct Log {
    /// Its name in the archive; `None` if the file is the log.
    pub member: Option<String>,
    /// The form and the lines of its games, one after the other; the error says why it cannot be
    /// read. A text of no known form is refused.
    pub read: io::Result<(LogForm, String)>,
}

/// The content of a file of logs.
pub trait LogFile: Read + Seek + 'static {}

impl<F: Read + Seek + 'static> LogFile for F {}

/// The lines of a file's games, one game after the other, whatever form they have. Our records and
/// mjai are read line by line; all else is held in memory. Reading fails behind [`MAX_BYTES`].
///
/// # Errors
///
/// If it cannot be read, or a log in it is malformed ([`ErrorKind::InvalidData`]).
pub fn log_lines(mut file: impl LogFile) -> io::Result<Box<dyn BufRead>> {
    let container = container_of(&mut file)?;
    let unpacked: Box<dyn Read> = match container {
        Container::Plain => Box::new(file),
        Container::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
        Container::Zip | Container::Tar | Container::TarGzip => return lines_of_archive(file),
    };
    let mut content = BufReader::new(Bounded::log(unpacked));
    if is_of_lines(content.fill_buf()?) {
        let mark = content.fill_buf()?.starts_with("\u{feff}".as_bytes());
        content.consume(if mark { '\u{feff}'.len_utf8() } else { 0 });
        return Ok(Box::new(content));
    }
    let mut bytes = Vec::new();
    let cut = content.read_to_end(&mut bytes);
    match cut {
        Ok(_) => Ok(Box::new(Cursor::new(lines_of_text(text_of(bytes)?)?.1))),
        // Of lines, those that can be read are.
        Err(why) => match read_text(&String::from_utf8_lossy(&bytes)) {
            Some(_) => Err(why),
            None => Ok(Box::new(before(bytes, why))),
        },
    }
}

/// Whether a file seems to hold logs, by its first bytes: an archive, or a text that begins like a
/// log of a known form.
///
/// # Errors
///
/// If it cannot be read.
pub fn looks_like_logs(mut file: impl LogFile) -> io::Result<bool> {
    let mut head = Vec::new();
    match container_of(&mut file)? {
        Container::Plain => file.take(LOOKED_AT).read_to_end(&mut head)?,
        // What is broken is reported when it is read.
        Container::Gzip => MultiGzDecoder::new(BufReader::new(file))
            .take(LOOKED_AT)
            .read_to_end(&mut head)
            .unwrap_or_default(),
        Container::Zip | Container::Tar | Container::TarGzip => return Ok(true),
    };
    // A character may be cut, and text that is none is reported when it is read.
    let text = match head.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => text_of(head).unwrap_or_default(),
        _ => String::from_utf8_lossy(&head).into_owned(),
    };
    Ok(form_by_head(text.trim_start_matches('\u{feff}')).is_some())
}

/// Calls `visit` with each log of a file, in the order of an archive.
///
/// # Errors
///
/// If the file or archive itself cannot be read or is cut, behind the logs that can be read; or the
/// first error of `visit`.
pub fn each_log<E: From<io::Error>>(
    mut file: impl LogFile,
    visit: &mut dyn FnMut(Log) -> Result<(), E>,
) -> Result<(), E> {
    match container_of(&mut file)? {
        Container::Plain | Container::Gzip => visit(Log {
            member: None,
            read: read_member(&mut file),
        }),
        Container::Zip => {
            let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(unreadable)?;
            for index in 0..archive.len() {
                let name = archive.name_for_index(index).and_then(Result::ok);
                let name = name.map_or_else(|| format!("member {}", index + 1), Into::into);
                let read = match archive.by_index(index) {
                    Ok(member) if !member.is_file() => continue,
                    Ok(mut member) => read_member(&mut member),
                    // Such as one with a password.
                    Err(why) => Err(unreadable(why)),
                };
                visit(Log {
                    member: Some(name),
                    read,
                })?;
            }
            Ok(())
        }
        Container::Tar => each_of_tar(BufReader::new(file), visit),
        Container::TarGzip => each_of_tar(MultiGzDecoder::new(BufReader::new(file)), visit),
    }
}

fn each_of_tar<E: From<io::Error>>(
    content: impl Read,
    visit: &mut dyn FnMut(Log) -> Result<(), E>,
) -> Result<(), E> {
    let content = Bounded {
        content,
        left: Rc::new(Cell::new(MAX_NAMES)),
        error: names_too_large,
    };
    let left = Rc::clone(&content.left);
    let mut archive = tar::Archive::new(content);
    for member in archive.entries().map_err(unreadable)? {
        let mut member = member.map_err(unreadable)?;
        let header = member.header();
        let is_file = header.entry_type().is_file();
        // Of a file with holes, the size counts them, and they are not in the archive.
        let size = match is_file {
            true => member.size(),
            false => header.entry_size().map_err(unreadable)?,
        };
        left.set(size.saturating_add(MAX_NAMES));
        if !is_file {
            continue;
        }
        let name = String::from_utf8_lossy(&member.path_bytes()).into_owned();
        visit(Log {
            member: Some(name),
            read: read_member(&mut member),
        })?;
    }
    // The reader ends at the first block of zeros, or where the archive is cut between two members.
    match archive.into_inner().read_exact(&mut [0; TAR_BLOCK]) {
        Err(why) if why.kind() == ErrorKind::UnexpectedEof => Err(cut_tar().into()),
        read => Ok(read.map_err(unreadable)?),
    }
}

/// A log that may be gzipped.
fn read_member(content: &mut dyn Read) -> io::Result<(LogForm, String)> {
    let mut content = BufReader::new(content);
    let mut bytes = Vec::new();
    if content.fill_buf()?.starts_with(GZIP) {
        Bounded::log(MultiGzDecoder::new(content)).read_to_end(&mut bytes)?;
    } else {
        Bounded::log(content).read_to_end(&mut bytes)?;
    }
    if is_archive(&bytes) {
        return Err(invalid(
            "it is an archive in an archive, which is not read; unpack it first",
        ));
    }
    let (form, lines) = lines_of_text(text_of(bytes)?)?;
    if form == LogForm::Lines && !lines.lines().take(HEAD_LINES).any(is_event_line) {
        let known: Vec<String> = LogForm::ALL.iter().map(ToString::to_string).collect();
        return Err(invalid(&format!(
            "it is a log of no known form; known are: {}",
            known.join(", ")
        )));
    }
    Ok((form, lines))
}

/// The form of a text, and the lines of its games.
fn lines_of_text(text: String) -> io::Result<(LogForm, String)> {
    match read_text(&text) {
        None => Ok((LogForm::Lines, text)),
        Some(games) => {
            let games = games.map_err(|why| invalid(&why.to_string()))?;
            let form = games.first().map_or(LogForm::Lines, |game| game.facts.form);
            let lines = games.iter().flat_map(|game: &LogGame| &game.lines);
            Ok((form, lines.flat_map(|line| [line, "\n"]).collect()))
        }
    }
}

fn lines_of_archive(file: impl LogFile) -> io::Result<Box<dyn BufRead>> {
    let mut lines = String::new();
    let read = each_log(file, &mut |log: Log| {
        let name = log.member.unwrap_or_default();
        let (_, text) = log.read.map_err(|why| invalid(&format!("{name}: {why}")))?;
        lines.push_str(&text);
        if lines.len() as u64 > MAX_BYTES {
            return Err(too_large());
        }
        Ok::<(), io::Error>(())
    });
    match read {
        Err(why) if lines.is_empty() => Err(why),
        Err(why) => Ok(Box::new(before(lines, why))),
        Ok(()) => Ok(Box::new(Cursor::new(lines))),
    }
}

/// What can be read, and then the error.
fn before(content: impl AsRef<[u8]>, why: io::Error) -> impl BufRead {
    Cursor::new(content).chain(BufReader::new(Failing(Some(why))))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Plain,
    Gzip,
    Zip,
    Tar,
    TarGzip,
}

fn container_of(file: &mut (impl Read + Seek)) -> io::Result<Container> {
    let head = head_of(file)?;
    file.seek(SeekFrom::Start(0))?;
    if !head.starts_with(GZIP) {
        return Ok(if head.starts_with(ZIP) {
            Container::Zip
        } else if is_tar(&head) {
            Container::Tar
        } else {
            Container::Plain
        });
    }
    // What is broken is reported when it is read.
    let inner = head_of(&mut MultiGzDecoder::new(&mut *file)).unwrap_or_default();
    file.seek(SeekFrom::Start(0))?;
    Ok(if is_tar(&inner) {
        Container::TarGzip
    } else {
        Container::Gzip
    })
}

fn head_of(content: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    content.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn is_tar(head: &[u8]) -> bool {
    head.get(TAR_PLACE..)
        .is_some_and(|rest| rest.starts_with(TAR))
}

fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP) || bytes.starts_with(GZIP) || is_tar(bytes)
}

/// Whether the first bytes are those of lines of events. A first line that is not whole, or begins
/// no other form, is none of a log that has to be read at once.
fn is_of_lines(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    std::str::from_utf8(line).is_ok_and(is_event_line)
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

fn unreadable(why: impl Display) -> io::Error {
    invalid(&format!("the archive cannot be read: {why}"))
}

fn cut_tar() -> io::Error {
    invalid(
        "the archive is cut: the blocks of zeros at its end are missing; the logs before are whole",
    )
}

fn names_too_large() -> io::Error {
    let most = MAX_NAMES >> 20;
    let why = format!("the name of a member has more than {most} MiB");
    io::Error::new(ErrorKind::FileTooLarge, why)
}

fn too_large() -> io::Error {
    io::Error::new(
        ErrorKind::FileTooLarge,
        format!(
            "it has more than {} MiB, and at most that is read",
            MAX_BYTES >> 20
        ),
    )
}

/// An error behind content that can be read.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Content of which only so many bytes can be read; more is an error.
struct Bounded<R> {
    content: R,
    left: Rc<Cell<u64>>,
    error: fn() -> io::Error,
}

impl<R> Bounded<R> {
    fn log(content: R) -> Self {
        Self {
            content,
            left: Rc::new(Cell::new(MAX_BYTES)),
            error: too_large,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        let room = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
        if room == 0 && !bytes.is_empty() {
            return match self.content.read(&mut [0])? {
                0 => Ok(0),
                _ => Err((self.error)()),
            };
        }
        let count = self.content.read(&mut bytes[..room])?;
        self.left.set(left - count as u64);
        Ok(count)
    }
}
