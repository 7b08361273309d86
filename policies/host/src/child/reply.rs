//! The replies of a policy's process. Its library may have overwritten any of its memory, so every
//! reply is checked here.

use std::io::{self, Read};

use super::frame::{FrameReader, FrameWriter};
use crate::call::instance::{ERROR_ROOM, REASON_ROOM};
use crate::fault::BadFrame;
use crate::fault::{Decided, Fault};
use crate::find::announced::AnnouncedIdentity;
use crate::find::describe::Description;
use crate::games::MAX_ACTIONS;
use foreign_text::{escaped, shown};

const DESCRIBED: u32 = 0x10;
const CREATED: u32 = 0x11;
const REFUSED: u32 = 0x12;
const DECIDED: u32 = 0x13;
const PANICKED: u32 = 0x14;
const FAILED: u32 = 0x15;
const LOGGED: u32 = 0x16;
const UNAVAILABLE: u32 = 0x17;
const OTHER_QUESTION: u32 = 0x18;

/// Maximum length of a description, in bytes of JSON.
const MAX_DESCRIPTION_BYTES: usize = 1 << 20;
/// Maximum length of a refusal and of a line for the log, in bytes.
const MAX_LINE_BYTES: usize = 4096;

fn longest(tag: u32) -> Option<usize> {
    Some(match tag {
        DESCRIBED => MAX_DESCRIPTION_BYTES,
        CREATED => 8 + AnnouncedIdentity::MAX_JSON_BYTES,
        REFUSED => MAX_LINE_BYTES,
        DECIDED => 16 + 4 * MAX_ACTIONS + REASON_ROOM,
        PANICKED | FAILED | UNAVAILABLE => 8 + ERROR_ROOM,
        OTHER_QUESTION => 16,
        LOGGED => 4 + MAX_LINE_BYTES,
        _ => return None,
    })
}

#[derive(Debug, Clone, PartialEq)]
pub enum ChildReply {
    /// The library is loaded; this is its description.
    Described(Description),
    Created {
        /// Number of the process that runs it.
        process: u32,
        /// The name and version of a program that decides for it.
        announced: AnnouncedIdentity,
        /// Whether another instance may follow it in this process: it knows that it plays together
        /// with others.
        shares: bool,
    },
    /// The library cannot be used or the policy not be created; the text says why. The process
    /// ends.
    Refused(String),
    Answered {
        question: u64,
        /// The decision, whose index the reader must check; or the fault.
        result: Result<Decided, Fault>,
    },
    /// A line for the log: its level, one of `policy_abi::host::LOG_*`, and its text.
    Logged(u32, String),
}

impl ChildReply {
    /// The reply as a frame. Texts are cut to the allowed length.
    pub(super) fn write<'a>(&self, writer: &'a mut FrameWriter) -> &'a [u8] {
        match self {
            Self::Described(description) => match serde_json::to_vec(description) {
                Ok(json) if json.len() <= MAX_DESCRIPTION_BYTES => {
                    writer.begin(DESCRIBED).bytes(&json)
                }
                Ok(json) => {
                    let text = format!(
                        "its library's description is too long: {} bytes",
                        json.len()
                    );
                    writer.begin(REFUSED).bytes(text.as_bytes())
                }
                Err(error) => writer.begin(REFUSED).bytes(error.to_string().as_bytes()),
            },
            Self::Created {
                process,
                announced,
                shares,
            } => {
                let json = serde_json::to_vec(announced).unwrap_or_default();
                writer
                    .begin(CREATED)
                    .number(*process)
                    .number(u32::from(*shares))
                    .bytes(&json)
            }
            Self::Refused(text) => writer.begin(REFUSED).bytes(cut(text, MAX_LINE_BYTES)),
            Self::Answered { question, result } => match result {
                Ok(Decided {
                    index,
                    values,
                    reason,
                }) => {
                    writer
                        .begin(DECIDED)
                        .long_number(*question)
                        .number(*index as u32)
                        .number(values.len() as u32);
                    values.iter().for_each(|value| {
                        writer.bytes(&value.to_le_bytes());
                    });
                    writer.bytes(cut(reason, REASON_ROOM))
                }
                // The runner knows the number of actions, and checks it again.
                Err(Fault::OutOfRange { index, .. }) => writer
                    .begin(DECIDED)
                    .long_number(*question)
                    .number(*index)
                    .number(0),
                Err(Fault::Panicked(text)) => writer
                    .begin(PANICKED)
                    .long_number(*question)
                    .bytes(cut(text, ERROR_ROOM)),
                Err(Fault::Failed(text)) => writer
                    .begin(FAILED)
                    .long_number(*question)
                    .bytes(cut(text, ERROR_ROOM)),
                Err(Fault::Unavailable(text)) => writer
                    .begin(UNAVAILABLE)
                    .long_number(*question)
                    .bytes(cut(text, ERROR_ROOM)),
                Err(Fault::OtherQuestion { answered, .. }) => writer
                    .begin(OTHER_QUESTION)
                    .long_number(*question)
                    .long_number(*answered),
                // These faults happen to a process, not inside it.
                Err(
                    fault @ (Fault::Died(_) | Fault::Hung | Fault::Kept(_) | Fault::BadFrame(_)),
                ) => {
                    let text = fault.to_string();
                    writer
                        .begin(FAILED)
                        .long_number(*question)
                        .bytes(cut(&text, ERROR_ROOM))
                }
            },
            Self::Logged(level, text) => writer
                .begin(LOGGED)
                .number(*level)
                .bytes(cut(text, MAX_LINE_BYTES)),
        }
        .end()
    }

    fn read(tag: u32, content: &[u8]) -> Result<Self, BadFrame> {
        let answered = |result| {
            let (question, _) = long_number(content)?;
            Ok(Self::Answered { question, result })
        };
        let rest = || long_number(content).map(|(_, rest)| rest);
        match tag {
            DESCRIBED => Ok(Self::Described(description(content)?)),
            CREATED => {
                let (process, rest) = number(content)?;
                let (shares, json) = number(rest)?;
                let announced: AnnouncedIdentity =
                    serde_json::from_slice(json).map_err(|error| {
                        BadFrame(shown(&format!("a name that cannot be read: {error}")))
                    })?;
                Ok(Self::Created {
                    process,
                    announced: announced.checked(),
                    shares: shares != 0,
                })
            }
            REFUSED => Ok(Self::Refused(text(content)?)),
            DECIDED => answered(Ok(decided(rest()?)?)),
            PANICKED => answered(Err(Fault::Panicked(text(rest()?)?))),
            FAILED => answered(Err(Fault::Failed(text(rest()?)?))),
            UNAVAILABLE => answered(Err(Fault::Unavailable(text(rest()?)?))),
            OTHER_QUESTION => {
                let (asked, rest) = long_number(content)?;
                answered(Err(Fault::OtherQuestion {
                    answered: long_number(rest)?.0,
                    asked,
                }))
            }
            LOGGED => {
                let (level, line) = number(content)?;
                Ok(Self::Logged(level, text(line)?))
            }
            _ => Err(BadFrame(format!("a frame of the unknown kind {tag:#x}"))),
        }
    }

    /// The error for a reply that was not asked for.
    pub(super) fn unexpected(&self) -> BadFrame {
        BadFrame(match self {
            Self::Described(_) => "a description that was not asked for".to_owned(),
            Self::Created { .. } => {
                "a report of a created policy that was not asked for".to_owned()
            }
            Self::Refused(_) => "a refusal that was not asked for".to_owned(),
            Self::Answered { question, .. } => {
                format!("an answer to question {question}, which is not the open one")
            }
            Self::Logged(..) => "a log line that was not asked for".to_owned(),
        })
    }
}

/// Splits the bytes of a process's pipe into its replies.
#[derive(Debug)]
pub struct ChildReplies(FrameReader);

impl Default for ChildReplies {
    fn default() -> Self {
        Self(FrameReader::new(longest))
    }
}

impl ChildReplies {
    /// Reads once from the pipe. Returns the number of bytes; 0 at the end.
    ///
    /// # Errors
    ///
    /// The error of the pipe.
    pub fn fill(&mut self, from: &mut impl Read) -> io::Result<usize> {
        self.0.fill(from)
    }

    /// The next reply, if it has arrived completely.
    ///
    /// # Errors
    ///
    /// If the frame is not one that a process may send. Later frames are meaningless then.
    pub fn next_reply(&mut self) -> Result<Option<ChildReply>, BadFrame> {
        let Some((tag, place)) = self.0.next()? else {
            return Ok(None);
        };
        ChildReply::read(tag, self.0.content(place)).map(Some)
    }

    /// Number of bytes allocated for received data and the next read.
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

/// The part of a text that may be sent, cut between characters.
fn cut(text: &str, longest: usize) -> &[u8] {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text.as_bytes()[..end]
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8]), BadFrame> {
    match bytes.split_first_chunk() {
        Some((number, rest)) => Ok((u32::from_le_bytes(*number), rest)),
        None => Err(BadFrame(format!(
            "a frame that ends after {} bytes",
            bytes.len()
        ))),
    }
}

fn long_number(bytes: &[u8]) -> Result<(u64, &[u8]), BadFrame> {
    match bytes.split_first_chunk() {
        Some((number, rest)) => Ok((u64::from_le_bytes(*number), rest)),
        None => Err(BadFrame(format!(
            "a frame that ends after {} bytes",
            bytes.len()
        ))),
    }
}

fn text(bytes: &[u8]) -> Result<String, BadFrame> {
    let text =
        str::from_utf8(bytes).map_err(|_| BadFrame("a text that is not UTF-8".to_owned()))?;
    // Any process with this pipe may have written it unescaped.
    Ok(escaped(text.as_bytes()))
}

fn decided(bytes: &[u8]) -> Result<Decided, BadFrame> {
    let (index, rest) = number(bytes)?;
    let (count, rest) = number(rest)?;
    let count = count as usize;
    // The frame's own bound stands for one on the values, but the product must not overflow.
    let Some((values, reason)) = count
        .checked_mul(4)
        .and_then(|len| rest.split_at_checked(len))
    else {
        return Err(BadFrame(format!(
            "a decision with {count} values in {} bytes",
            rest.len()
        )));
    };
    if reason.len() > REASON_ROOM {
        return Err(BadFrame(format!(
            "a reason of {} bytes; at most {REASON_ROOM} are allowed",
            reason.len()
        )));
    }
    let values = values
        .as_chunks()
        .0
        .iter()
        .map(|value| f32::from_le_bytes(*value))
        .collect();
    Ok(Decided {
        index: index as usize,
        values,
        reason: text(reason)?,
    })
}

fn description(json: &[u8]) -> Result<Description, BadFrame> {
    let bad = |words: String| BadFrame(shown(&words));
    let description: Description = serde_json::from_slice(json)
        .map_err(|error| bad(format!("a description that cannot be read: {error}")))?;
    description
        .checked()
        .map_err(|message| bad(format!("a description that is out of bounds: {message}")))
}
