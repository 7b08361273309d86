//! The number of records of a bot.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordCounts {
    pub complete: u32,
    /// Incomplete records.
    pub cut: u32,
    /// Games without a record, or whose record could not be finished.
    pub none: u32,
    /// Frames, events and decisions that are in no record.
    pub missing: u64,
    /// Whether the disk took too long, so that these counts are not final.
    pub unfinished: bool,
}

impl RecordCounts {
    pub fn add(&mut self, earlier: &Self) {
        self.complete += earlier.complete;
        self.cut += earlier.cut;
        self.none += earlier.none;
        self.missing += earlier.missing;
        self.unfinished |= earlier.unfinished;
    }
}
