//! Reading structs of another version: the smaller size counts, and missing fields are zero.

use core::mem::MaybeUninit;

/// A struct of this boundary: `repr(C)`, without implicit padding, made of integers, floats, and pointers that may be
/// null.
///
/// # Safety
///
/// Any bytes must be a valid value, because values are read from memory of a library and from a pipe. And there must be
/// no padding, so that all bytes of a value are initialised.
pub unsafe trait Plain: Copy {
    /// The fields in their order, for comparison with another language's picture of the struct.
    const FIELDS: &[FieldLayout];
}

/// The place of a field in its struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldLayout {
    /// Its name.
    pub name: &'static str,
    /// Bytes from the struct's beginning.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Implements [`Plain`] and proves, while compiling, that the struct has no implicit padding. All fields must be named,
/// else the sum of their sizes falls short of the struct's.
macro_rules! plain {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        // SAFETY: the struct is made of integers, floats, raw pointers and nullable function pointers.
        unsafe impl $crate::layout::Plain for $name {
            const FIELDS: &[$crate::layout::FieldLayout] = {
                const fn size_at<T>(_: *const T) -> usize {
                    size_of::<T>()
                }
                let place = core::mem::MaybeUninit::<$name>::uninit();
                let place = place.as_ptr();
                &[$($crate::layout::FieldLayout {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($name, $field),
                    // SAFETY: only an address is taken; nothing is read.
                    size: size_at(unsafe { &raw const (*place).$field }),
                }),+]
            };
        }

        const _: () = assert!(
            $crate::layout::total(<$name as $crate::layout::Plain>::FIELDS) == size_of::<$name>(),
            "implicit padding, or a field left out"
        );
    };
}
pub(crate) use plain;

pub(crate) const fn total(fields: &[FieldLayout]) -> usize {
    let mut sum = 0;
    let mut at = 0;
    while at < fields.len() {
        sum += fields[at].size;
        at += 1;
    }
    sum
}

/// Whether the first of these fields are the others, by name, place and size.
pub(crate) const fn begins_like(fields: &[FieldLayout], first: &[FieldLayout]) -> bool {
    let mut at = 0;
    while at < first.len() {
        let (field, wanted) = (fields[at], first[at]);
        if field.offset != wanted.offset
            || field.size != wanted.size
            || !is_same(field.name, wanted.name)
        {
            return false;
        }
        at += 1;
    }
    true
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    one.len() == other.len()
}

const _: () = assert!(
    size_of::<usize>() == 8,
    "the boundary is defined for 64-bit targets"
);

/// The size that goes into a `struct_size` or a stride.
pub const fn struct_size<T: Plain>() -> u32 {
    size_of::<T>() as u32
}

/// A struct whose fields are all zero or null.
pub(crate) const fn zeroed<T: Plain>() -> T {
    // SAFETY: any bytes are a valid `T`, by the promise of `Plain`.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// Reads the first `size` bytes of a struct; the fields beyond are zero.
///
/// # Safety
///
/// `from` must be valid for reading `size` bytes (no alignment needed) that hold the beginning of a `T`.
pub unsafe fn read_prefix<T: Plain>(from: *const T, size: u32) -> T {
    let size = size as usize;
    if size >= size_of::<T>() {
        // The usual case, whose size the compiler knows. SAFETY: the caller vouches for that many bytes, which are a
        // `T`.
        return unsafe { from.read_unaligned() };
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller vouches for the source; the target is a whole `T`; all zeros are a valid `T`, and so is a `T`
    // that begins with the bytes of another.
    unsafe {
        core::ptr::copy_nonoverlapping(from.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), size);
        value.assume_init()
    }
}

/// Reads a struct that begins with its `struct_size`, as [`read_prefix`] does.
///
/// # Safety
///
/// `from` must point to a `u32` (no alignment needed), the `struct_size`, and be valid for reading that many bytes that
/// hold the beginning of a `T`.
pub unsafe fn read_sized<T: Plain>(from: *const T) -> T {
    // SAFETY: the caller vouches for the size and for that many bytes.
    unsafe { read_prefix(from, from.cast::<u32>().read_unaligned()) }
}

/// Writes the first `size` bytes of a struct, and nothing beyond them.
///
/// # Safety
///
/// `to` must be valid for writing `size` bytes (no alignment needed).
pub unsafe fn write_prefix<T: Plain>(to: *mut T, size: u32, value: &T) {
    let size = size as usize;
    if size >= size_of::<T>() {
        // SAFETY: the caller vouches for that many bytes.
        return unsafe { to.write_unaligned(*value) };
    }
    // SAFETY: the caller vouches for the target; the source is a whole `T` without padding.
    unsafe {
        core::ptr::copy_nonoverlapping((&raw const *value).cast::<u8>(), to.cast::<u8>(), size)
    }
}

/// Reads the element with this index of an array whose elements are `stride` bytes apart.
///
/// # Safety
///
/// The array must be valid for reading `stride` bytes at `index * stride` (no alignment needed) that hold the beginning
/// of a `T`.
pub unsafe fn read_element<T: Plain>(items: *const T, stride: u32, index: u32) -> T {
    // SAFETY: the caller vouches for the element.
    unsafe { read_prefix(items.byte_add(stride as usize * index as usize), stride) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::{Meld, RiverTile};

    static LONG: RiverTile = RiverTile {
        tile: 1,
        flags: 2,
        called_by: 3,
        order: 4,
    };

    #[test]
    fn fields_beyond_the_writers_size_read_as_zero() {
        // SAFETY: two bytes of a whole struct.
        let short = unsafe { read_prefix(&raw const LONG, 2) };
        assert_eq!(
            short,
            RiverTile {
                tile: 1,
                flags: 2,
                called_by: 0,
                order: 0
            }
        );
    }

    #[test]
    fn fields_beyond_the_readers_size_are_left_alone() {
        let larger = [9_u8; 16];
        // SAFETY: sixteen bytes, four of them a struct.
        let read = unsafe { read_prefix(larger.as_ptr().cast::<RiverTile>(), 16) };
        assert_eq!(
            read,
            RiverTile {
                tile: 9,
                flags: 9,
                called_by: 9,
                order: 9
            }
        );

        let mut target = [0_u8; 16];
        // SAFETY: sixteen bytes to write to.
        unsafe { write_prefix(target.as_mut_ptr().cast::<RiverTile>(), 16, &LONG) };
        assert_eq!(target[..5], [1, 2, 3, 4, 0]);
    }

    #[test]
    fn elements_are_found_by_the_writers_stride() {
        let bytes: [u8; 24] = core::array::from_fn(|index| index as u8);
        // SAFETY: two elements of twelve bytes.
        let second = unsafe { read_element(bytes.as_ptr().cast::<Meld>(), 12, 1) };
        assert_eq!((second.kind, second.tiles), (12, [14, 15, 16, 17]));
    }
}
