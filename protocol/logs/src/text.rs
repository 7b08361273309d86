//! The text of a log.

use std::io;

/// The text, without a byte order mark. UTF-16 is read if it has one.
pub(crate) fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    let wide = |order: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let units = pairs.iter().map(|&pair| order(pair));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        text.ok()
            .filter(|_| rest.is_empty())
            .ok_or_else(|| not_text("it is not the UTF-16 that its first bytes announce"))
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            // No form has such a character, and UTF-16 is full of them.
            if let Some(place) = bytes.iter().position(|&byte| byte == 0) {
                return Err(not_text(&format!(
                    "byte {} is 0; UTF-16 must begin with a byte order mark, or be converted first, for \
                     example with `iconv --from-code UTF-16LE --to-code UTF-8`",
                    place + 1
                )));
            }
            let mut text = String::from_utf8(bytes).map_err(|error| {
                let place = error.utf8_error().valid_up_to();
                not_text(&format!(
                    "byte {} is not UTF-8; a log in another encoding must be converted first, for \
                     example with `iconv --from-code SHIFT_JIS --to-code UTF-8`",
                    place + 1
                ))
            })?;
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
    }
}

fn not_text(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_byte_order_are_no_text() {
        assert_eq!(text_of("\u{feff}{}".into()).unwrap(), "{}");
        let little: Vec<u8> = "\u{feff}{東}"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(text_of(little).unwrap(), "{東}");
        let big: Vec<u8> = "\u{feff}{東}"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(text_of(big).unwrap(), "{東}");
    }

    #[test]
    fn another_encoding_is_refused_with_the_byte() {
        let shift_jis = b"{\"name\":[\"\x93\x8c\"]}".to_vec();
        let error = text_of(shift_jis).unwrap_err().to_string();
        assert!(error.contains("byte 11 is not UTF-8"), "{error}");
        let unmarked = b"{\0}\0".to_vec();
        let error = text_of(unmarked).unwrap_err().to_string();
        assert!(error.contains("byte 2 is 0; UTF-16"), "{error}");
        let odd = text_of(vec![0xff, 0xfe, 0x00]).unwrap_err().to_string();
        assert!(odd.contains("UTF-16"), "{odd}");
    }
}
