//! What must hold whatever a policy's process sends.

use std::io::{self, Read};

use bot_runner::plugin::child::{Garbled, Said, Sayings};

/// Most room for bytes that have come: the longest frame twice, and a read.
const MOST_ROOM: usize = 4 << 20;

/// A pipe that gives its bytes in pieces of this length.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(room.len()).min(self.0.len());
        let (piece, rest) = self.0.split_at(count);
        room[..count].copy_from_slice(piece);
        self.0 = rest;
        Ok(count)
    }
}

/// Everything that a pipe's bytes say, and what was wrong at the end.
fn heard(bytes: &[u8], piece: usize) -> (Vec<Said>, Option<Garbled>) {
    let (mut pipe, mut sayings, mut heard) = (Pieces(bytes, piece), Sayings::default(), Vec::new());
    loop {
        let count = sayings.fill(&mut pipe).expect("there is nothing that could fail");
        loop {
            match sayings.next_said() {
                Ok(Some(said)) => heard.push(said),
                Ok(None) => break,
                Err(garbled) => return (heard, Some(garbled)),
            }
        }
        assert!(sayings.room() <= MOST_ROOM, "{} bytes are held", sayings.room());
        if count == 0 {
            return (heard, None);
        }
    }
}

/// The bytes are heard without a panic and without more room than a frame may need, and it makes no difference in which
/// pieces they come.
pub(crate) fn child_sayings(bytes: &[u8]) {
    let (said, garbled) = heard(bytes, usize::MAX);
    // A value that is no number equals nothing, not even itself; its text does.
    let whole = format!("{said:?} {garbled:?}");
    for piece in [1, 7, 4096] {
        // Byte by byte takes long for much.
        if bytes.len() / piece < 10_000 {
            let (said, garbled) = heard(bytes, piece);
            assert_eq!(format!("{said:?} {garbled:?}"), whole, "in pieces of {piece} bytes");
        }
    }
}
