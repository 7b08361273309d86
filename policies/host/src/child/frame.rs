//! Frames: a tag, a length, and that many bytes.
//!
//! `[tag: u32 LE][length of the rest: u32 LE][the rest]`. The tag determines the maximum length of
//! a frame. A longer one, or one with an unknown tag, is an error before a buffer is allocated for
//! it.

use std::io::{self, Read};
use std::ops::Range;

use crate::fault::BadFrame;

/// Length of a frame's head.
const HEAD: usize = 8;
/// Minimum size of the buffer for a read.
const CHUNK: usize = 8 * 1024;

#[derive(Debug, Default)]
pub(super) struct FrameWriter(Vec<u8>);

impl FrameWriter {
    /// Begins a frame, in the buffer of the previous one.
    pub(super) fn begin(&mut self, tag: u32) -> &mut Self {
        self.0.clear();
        self.0.extend_from_slice(&tag.to_le_bytes());
        self.0.extend_from_slice(&[0; 4]);
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn number(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(super) fn long_number(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    /// The whole frame.
    pub(super) fn end(&mut self) -> &[u8] {
        let len = (self.0.len() - HEAD) as u32;
        self.0[4..HEAD].copy_from_slice(&len.to_le_bytes());
        &self.0
    }
}

/// Splits the bytes of a pipe into frames.
#[derive(Debug)]
pub(super) struct FrameReader {
    /// Maximum length of a frame's content by its tag; `None` for an unknown tag.
    longest: fn(u32) -> Option<usize>,
    bytes: Vec<u8>,
    /// The range of bytes that have been read but not removed.
    pending: Range<usize>,
}

impl FrameReader {
    pub(super) const fn new(longest: fn(u32) -> Option<usize>) -> Self {
        Self {
            longest,
            bytes: Vec::new(),
            pending: 0..0,
        }
    }

    /// Reads once. Returns the number of bytes; 0 at the end.
    pub(super) fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        if self.pending.is_empty() {
            self.pending = 0..0;
        } else if self.bytes.len() - self.pending.end < CHUNK {
            self.bytes.copy_within(self.pending.clone(), 0);
            self.pending = 0..self.pending.len();
        }
        // The buffer grows with the bytes that have arrived, never with the length in a frame's
        // head.
        if self.bytes.len() - self.pending.end < CHUNK {
            self.bytes.resize(self.pending.end + CHUNK, 0);
        }
        let count = from.read(&mut self.bytes[self.pending.end..])?;
        self.pending.end += count;
        Ok(count)
    }

    /// The next complete frame: its tag, and the range of its content until the next
    /// [`fill`](Self::fill).
    pub(super) fn next(&mut self) -> Result<Option<(u32, Range<usize>)>, BadFrame> {
        let Some((head, rest)) = self.bytes[self.pending.clone()].split_first_chunk::<HEAD>()
        else {
            return Ok(None);
        };
        let [tag, len] =
            [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|index| head[at + index])));
        let longest = (self.longest)(tag)
            .ok_or_else(|| BadFrame(format!("a frame of the unknown kind {tag:#x}")))?;
        let len = len as usize;
        if len > longest {
            return Err(BadFrame(format!(
                "a frame of kind {tag:#x} with {len} bytes; at most {longest} are allowed"
            )));
        }
        if rest.len() < len {
            return Ok(None);
        }
        let start = self.pending.start + HEAD;
        self.pending.start = start + len;
        Ok(Some((tag, start..start + len)))
    }

    pub(super) fn content(&self, place: Range<usize>) -> &[u8] {
        &self.bytes[place]
    }

    /// Number of bytes allocated for received data and the next read.
    pub(super) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }
}
