//! An array of boundary structs, whose type is known only to the code that fills it.

use policy_abi::layout::Plain;

const WORD: usize = size_of::<u64>();

/// An array of boundary structs: plain bytes, aligned for any of them.
#[derive(Debug)]
pub(super) struct ElementBuffer {
    words: Vec<u64>,
    /// Bytes of one element.
    size: usize,
    len: usize,
}

impl ElementBuffer {
    pub(super) fn new(size: usize, room: usize) -> Self {
        // A view's arrays may take hundreds of kB in one game and little in another, so they grow
        // on demand.
        let words = (size * room).div_ceil(WORD).min(1024);
        Self {
            words: Vec::with_capacity(words),
            size,
            len: 0,
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn extend<T: Plain>(&mut self, items: impl ExactSizeIterator<Item = T>) {
        self.check::<T>();
        let len = self.len + items.len();
        self.grow(len);
        let start = self.words.as_mut_ptr().cast::<T>();
        // An iterator's word for its length is not to be relied on.
        for item in items.take(len - self.len) {
            // SAFETY: there is room for `len` elements, fewer are present, and the room is aligned
            // for them.
            unsafe { start.add(self.len).write(item) };
            self.len += 1;
        }
    }

    pub(super) fn extend_from_slice<T: Plain>(&mut self, items: &[T]) {
        self.check::<T>();
        let len = self.len + items.len();
        self.grow(len);
        // SAFETY: there is room for `len` elements, aligned for them, and no other code has it.
        unsafe {
            let end = self.words.as_mut_ptr().cast::<T>().add(self.len);
            std::ptr::copy_nonoverlapping(items.as_ptr(), end, items.len());
        }
        self.len = len;
    }

    /// Takes the elements from bytes.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        let len = bytes.len() / self.size;
        self.grow(len);
        // SAFETY: there is room for that many bytes, and no other code uses it.
        let room = unsafe {
            std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast::<u8>(), len * self.size)
        };
        room.copy_from_slice(&bytes[..len * self.size]);
        self.len = len;
    }

    fn grow(&mut self, len: usize) {
        let words = (len * self.size).div_ceil(WORD);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        // SAFETY: that many bytes are initialised, and lent with `self`.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len * self.size) }
    }

    #[cfg(test)]
    pub(super) fn as_slice<T: Plain>(&self) -> &[T] {
        self.check::<T>();
        // SAFETY: that many elements of this size are initialised and aligned, any bytes are valid,
        // and they are lent with `self`.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }

    pub(super) fn as_mut_slice<T: Plain>(&mut self) -> &mut [T] {
        self.check::<T>();
        // SAFETY: that many elements of this size are initialised and aligned, any bytes are valid,
        // and they are lent with `self`.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len) }
    }

    /// The beginning of the first element.
    pub(super) fn beginning<T: Plain>(&self) -> &T {
        self.check_beginning::<T>();
        // SAFETY: that many bytes are present, aligned, and any bytes are a valid `T`.
        unsafe { &*self.words.as_ptr().cast() }
    }

    pub(super) fn beginning_mut<T: Plain>(&mut self) -> &mut T {
        self.check_beginning::<T>();
        // SAFETY: as in `beginning`, and they are lent with `self`.
        unsafe { &mut *self.words.as_mut_ptr().cast() }
    }

    fn check<T: Plain>(&self) {
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        assert_eq!(self.size, size_of::<T>(), "these are other elements");
    }

    fn check_beginning<T: Plain>(&self) {
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        assert!(
            self.len > 0 && self.size >= size_of::<T>(),
            "there is no such beginning"
        );
    }
}

#[cfg(test)]
mod tests {
    use policy_abi::log::LogEvent;
    use policy_abi::seat::RiverTile;

    use super::*;

    fn tiles(from: u8, to: u8) -> impl ExactSizeIterator<Item = RiverTile> {
        (from..to).map(|tile| RiverTile {
            tile,
            flags: 0,
            called_by: 255,
            order: tile,
        })
    }

    #[test]
    fn elements_are_added_behind_those_that_are_there() {
        let mut buffer = ElementBuffer::new(size_of::<RiverTile>(), 2);
        buffer.extend(tiles(0, 3));
        buffer.extend(tiles(3, 5));
        assert_eq!(
            buffer.as_slice::<RiverTile>(),
            tiles(0, 5).collect::<Vec<_>>()
        );
        assert_eq!(buffer.bytes().len(), 20);
        buffer.clear();
        assert_eq!((buffer.len(), buffer.bytes()), (0, [].as_slice()));
    }

    #[test]
    fn bytes_that_were_read_are_the_same_elements() {
        let mut buffer = ElementBuffer::new(size_of::<RiverTile>(), 2);
        buffer.extend(tiles(0, 7));
        let mut copy = ElementBuffer::new(size_of::<RiverTile>(), 0);
        copy.read(buffer.bytes());
        assert_eq!(copy.as_slice::<RiverTile>(), buffer.as_slice::<RiverTile>());
    }

    #[test]
    #[should_panic(expected = "other elements")]
    fn elements_of_another_size_are_a_fault_of_the_runner() {
        ElementBuffer::new(size_of::<RiverTile>(), 2).extend(std::iter::empty::<LogEvent>());
    }
}
