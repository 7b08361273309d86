//! What a policy's process says. Its library may have written anything over its memory, so that nothing it says is
//! believed before it has been checked here.

use std::io::{self, Read};

use policy_abi::action::MAX_LEGAL;

use super::frame::{FrameReader, FrameWriter, Garbled};
use crate::plugin::describe::Description;
use crate::plugin::instance::{Decided, ERROR_ROOM, Fault, REASON_ROOM};

const DESCRIBED: u32 = 0x10;
const CREATED: u32 = 0x11;
const REFUSED: u32 = 0x12;
const DECIDED: u32 = 0x13;
const PANICKED: u32 = 0x14;
const FAILED: u32 = 0x15;
const LOGGED: u32 = 0x16;

/// Longest description, bytes of JSON.
const LONGEST_DESCRIPTION: usize = 1 << 20;
/// Longest refusal and longest line for the log, bytes.
const LONGEST_TEXT: usize = 4096;

fn longest(tag: u32) -> Option<usize> {
    Some(match tag {
        DESCRIBED => LONGEST_DESCRIPTION,
        CREATED => 0,
        REFUSED => LONGEST_TEXT,
        DECIDED => 8 + 4 * MAX_LEGAL as usize + REASON_ROOM,
        PANICKED | FAILED => ERROR_ROOM,
        LOGGED => 4 + LONGEST_TEXT,
        _ => return None,
    })
}

/// Something that a policy's process says.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The library is loaded, and says this of itself.
    Described(Description),
    /// The policy is made.
    Created,
    /// The library cannot be used, or the policy not be made, and why. The process ends.
    Refused(String),
    /// The policy chose. Whether there is such an action is for the reader to check.
    Decided(Decided),
    /// The policy panicked and will not decide any more.
    Panicked(String),
    /// The policy reported that it could not decide.
    Failed(String),
    /// A line for the log: its level, one of `policy_abi::host::LOG_*`, and its text.
    Logged(u32, String),
}

impl From<Result<Decided, Fault>> for Said {
    fn from(result: Result<Decided, Fault>) -> Self {
        match result {
            Ok(decided) => Self::Decided(decided),
            Err(Fault::OutOfRange { index, .. }) => {
                Self::Decided(Decided { index: index as usize, ..Decided::default() })
            }
            Err(Fault::Panicked(text)) => Self::Panicked(text),
            Err(Fault::Failed(text)) => Self::Failed(text),
            // These happen to a process, not in one.
            Err(fault @ (Fault::Died(_) | Fault::Hung | Fault::Garbled(_))) => Self::Failed(fault.to_string()),
        }
    }
}

impl Said {
    /// It as a frame. Texts are cut to what is allowed.
    pub(super) fn write<'a>(&self, writer: &'a mut FrameWriter) -> &'a [u8] {
        match self {
            Self::Described(description) => match serde_json::to_vec(description) {
                Ok(json) if json.len() <= LONGEST_DESCRIPTION => writer.begin(DESCRIBED).bytes(&json),
                Ok(json) => {
                    let text = format!("its library says more of itself than is believed: {} bytes", json.len());
                    writer.begin(REFUSED).bytes(text.as_bytes())
                }
                Err(error) => writer.begin(REFUSED).bytes(error.to_string().as_bytes()),
            },
            Self::Created => writer.begin(CREATED),
            Self::Refused(text) => writer.begin(REFUSED).bytes(cut(text, LONGEST_TEXT)),
            Self::Decided(Decided { index, values, reason }) => {
                writer.begin(DECIDED).number(*index as u32).number(values.len() as u32);
                values.iter().for_each(|value| {
                    writer.bytes(&value.to_le_bytes());
                });
                writer.bytes(cut(reason, REASON_ROOM))
            }
            Self::Panicked(text) => writer.begin(PANICKED).bytes(cut(text, ERROR_ROOM)),
            Self::Failed(text) => writer.begin(FAILED).bytes(cut(text, ERROR_ROOM)),
            Self::Logged(level, text) => writer.begin(LOGGED).number(*level).bytes(cut(text, LONGEST_TEXT)),
        }
        .end()
    }

    fn read(tag: u32, content: &[u8]) -> Result<Self, Garbled> {
        Ok(match tag {
            DESCRIBED => Self::Described(description(content)?),
            CREATED => Self::Created,
            REFUSED => Self::Refused(text(content)?),
            DECIDED => Self::Decided(decided(content)?),
            PANICKED => Self::Panicked(text(content)?),
            FAILED => Self::Failed(text(content)?),
            LOGGED => {
                let (level, line) = number(content)?;
                Self::Logged(level, text(line)?)
            }
            _ => return Err(Garbled(format!("a frame of the unknown kind {tag:#x}"))),
        })
    }
}

/// The bytes of a process's pipe, cut into what they say.
#[derive(Debug)]
pub struct Sayings(FrameReader);

impl Default for Sayings {
    fn default() -> Self {
        Self(FrameReader::new(longest))
    }
}

impl Sayings {
    /// Reads once from the pipe. Returns how many bytes came; 0 at its end.
    ///
    /// # Errors
    ///
    /// The pipe's.
    pub fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        self.0.fill(from)
    }

    /// The next of what has come, if all of it is there.
    ///
    /// # Errors
    ///
    /// When it is nothing that a process may say. What comes afterwards means nothing then.
    pub fn next_said(&mut self) -> Result<Option<Said>, Garbled> {
        let Some((tag, place)) = self.0.next()? else { return Ok(None) };
        Said::read(tag, self.0.content(place)).map(Some)
    }

    /// How many bytes are held for what has come and what may come next.
    #[must_use]
    pub fn room(&self) -> usize {
        self.0.room()
    }
}

/// As much of a text as may be sent, cut between characters.
fn cut(text: &str, longest: usize) -> &[u8] {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text.as_bytes()[..end]
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8]), Garbled> {
    match bytes.split_first_chunk() {
        Some((number, rest)) => Ok((u32::from_le_bytes(*number), rest)),
        None => Err(Garbled(format!("a frame that ends after {} bytes", bytes.len()))),
    }
}

fn text(bytes: &[u8]) -> Result<String, Garbled> {
    let text = str::from_utf8(bytes).map_err(|_| Garbled("a text that is not UTF-8".to_owned()))?;
    Ok(text.to_owned())
}

fn decided(bytes: &[u8]) -> Result<Decided, Garbled> {
    let (index, rest) = number(bytes)?;
    let (count, rest) = number(rest)?;
    let count = count as usize;
    // The frame's own bound stands for one on the values, but the product must not overflow.
    let Some((values, reason)) = count.checked_mul(4).and_then(|len| rest.split_at_checked(len)) else {
        return Err(Garbled(format!("a decision with {count} values in {} bytes", rest.len())));
    };
    let values = values.as_chunks().0.iter().map(|value| f32::from_le_bytes(*value)).collect();
    Ok(Decided { index: index as usize, values, reason: text(reason)? })
}

fn description(json: &[u8]) -> Result<Description, Garbled> {
    let description: Description =
        serde_json::from_slice(json).map_err(|error| Garbled(format!("a description that is none: {error}")))?;
    description.check().map_err(|message| Garbled(format!("a description in which {message}")))?;
    Ok(description)
}
