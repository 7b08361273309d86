//! Properties that hold for any data from a policy's process.

use std::io::{self, Read};

use policy_host::BadFrame;
use policy_host::child::{ChildReplies, ChildReply};

/// Maximum buffer for received bytes: the longest frame twice, and a read.
const MAX_ROOM_BYTES: usize = 4 << 20;

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

/// Every reply in a pipe's bytes, and the error at the end.
fn replies_in(bytes: &[u8], piece: usize) -> (Vec<ChildReply>, Option<BadFrame>) {
    let (mut pipe, mut replies, mut heard) =
        (Pieces(bytes, piece), ChildReplies::default(), Vec::new());
    loop {
        let count = replies
            .fill(&mut pipe)
            .expect("there is nothing that could fail");
        loop {
            match replies.next_reply() {
                Ok(Some(reply)) => heard.push(reply),
                Ok(None) => break,
                Err(bad) => return (heard, Some(bad)),
            }
        }
        assert!(
            replies.capacity() <= MAX_ROOM_BYTES,
            "{} bytes are held",
            replies.capacity()
        );
        if count == 0 {
            return (heard, None);
        }
    }
}

/// The bytes are read without a panic and without more room than a frame may need, and it makes no
/// difference in which pieces they come.
pub(crate) fn child_replies(bytes: &[u8]) {
    let (heard, bad) = replies_in(bytes, usize::MAX);
    // A value that is not a number equals nothing, not even itself; its text does.
    let whole = format!("{heard:?} {bad:?}");
    for piece in [1, 7, 4096] {
        // Byte by byte takes long for much.
        if bytes.len() / piece < 10_000 {
            let (heard, bad) = replies_in(bytes, piece);
            assert_eq!(
                format!("{heard:?} {bad:?}"),
                whole,
                "in pieces of {piece} bytes"
            );
        }
    }
}
