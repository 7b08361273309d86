//! Text that crosses the boundary.

use core::str::Utf8Error;

use crate::layout::plain;

/// Text owned by the caller that passes it: UTF-8, not terminated.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Text {
    /// The bytes; may be null if `len` is 0.
    pub data: *const u8,
    /// Number of bytes.
    pub len: u64,
}

plain!(Text { data, len });

impl Text {
    /// No text.
    pub const EMPTY: Self = Self {
        data: core::ptr::null(),
        len: 0,
    };

    /// The text of a string, for as long as the string lives.
    pub const fn new(text: &str) -> Self {
        Self {
            data: text.as_ptr(),
            len: text.len() as u64,
        }
    }

    /// The text, checked.
    ///
    /// # Errors
    ///
    /// If it is not UTF-8.
    ///
    /// # Safety
    ///
    /// `data` must be valid for reading `len` bytes that do not change during `'a`; a `len` of 0 or a null `data` reads
    /// as no text.
    pub const unsafe fn read<'a>(self) -> Result<&'a str, Utf8Error> {
        if self.data.is_null() || self.len == 0 {
            return Ok("");
        }
        // SAFETY: the caller vouches for the bytes.
        core::str::from_utf8(unsafe { core::slice::from_raw_parts(self.data, self.len as usize) })
    }
}

/// An array of texts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TextArray {
    /// The first element; may be null if `len` is 0.
    pub items: *const Text,
    /// Number of elements.
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(TextArray { items, len, stride });

/// A buffer of the caller's that the callee writes text into.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct TextBuffer {
    /// The buffer; may be null if `capacity` is 0: then no text is wanted. The bytes are the caller's.
    pub data: *mut u8,
    /// Capacity in bytes.
    pub capacity: u32,
    /// Number of bytes written: initially 0, set by the callee. A text that is too long is cut between characters.
    pub len: u32,
}

plain!(TextBuffer {
    data,
    capacity,
    len
});

impl TextBuffer {
    /// No room: no text is wanted.
    pub const NONE: Self = Self {
        data: core::ptr::null_mut(),
        capacity: 0,
        len: 0,
    };

    /// The empty buffer over `room`, for as long as that lives and is not used otherwise.
    pub const fn new(room: &mut [u8]) -> Self {
        let capacity = if room.len() > u32::MAX as usize {
            u32::MAX
        } else {
            room.len() as u32
        };
        Self {
            data: room.as_mut_ptr(),
            capacity,
            len: 0,
        }
    }

    /// Appends as much of `text` as there is room for, cut between characters.
    ///
    /// Returns whether all of it fitted.
    ///
    /// # Safety
    ///
    /// `data` must be valid for writing `capacity` bytes, or be null.
    pub unsafe fn append(&mut self, text: &str) -> bool {
        let room = self.capacity.saturating_sub(self.len) as usize;
        if self.data.is_null() {
            return text.is_empty();
        }
        let mut end = text.len().min(room);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: `len + end <= capacity`, and the caller vouches for that many bytes.
        unsafe {
            core::ptr::copy_nonoverlapping(text.as_ptr(), self.data.add(self.len as usize), end)
        };
        self.len += end as u32;
        end == text.len()
    }

    /// The written text, checked.
    ///
    /// # Errors
    ///
    /// If it is not UTF-8.
    ///
    /// # Safety
    ///
    /// `data` must be valid for reading `capacity` initialised bytes that do not change during `'a`, or be null. A
    /// `len` beyond the capacity is cut to it.
    pub const unsafe fn read<'a>(&self) -> Result<&'a str, Utf8Error> {
        let len = if self.len < self.capacity {
            self.len
        } else {
            self.capacity
        };
        // SAFETY: the caller vouches for the bytes up to the capacity.
        unsafe {
            Text {
                data: self.data,
                len: len as u64,
            }
            .read()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_finds_no_room_is_cut_between_characters() {
        let mut room = [0_u8; 6];
        let mut buffer = TextBuffer::new(&mut room);
        // SAFETY: the buffer is over `room`, which lives on.
        let written = unsafe {
            assert!(buffer.append("ab"));
            assert!(!buffer.append("東南"), "three bytes each, room for four");
            buffer.read().unwrap()
        };
        assert_eq!(written, "ab東");
    }

    #[test]
    fn a_buffer_without_room_takes_nothing() {
        let mut buffer = TextBuffer::NONE;
        // SAFETY: null.
        unsafe {
            assert!(!buffer.append("a"));
            assert_eq!(buffer.read().unwrap(), "");
        }
    }

    #[test]
    fn a_length_beyond_the_capacity_is_cut_to_it() {
        let mut room = *b"abcdef";
        let buffer = TextBuffer {
            data: room.as_mut_ptr(),
            capacity: 3,
            len: 600,
        };
        // SAFETY: the buffer is over `room`, which lives on.
        assert_eq!(unsafe { buffer.read() }.unwrap(), "abc");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_refused() {
        let text = Text {
            data: [0xff, 0xfe].as_ptr(),
            len: 2,
        };
        // SAFETY: two bytes that live for the program.
        assert!(unsafe { text.read() }.is_err());
    }
}
