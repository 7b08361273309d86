//! The number of records of a bot.

/// What happened to a bot's records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Records of whole games.
    pub complete: u32,
    /// Records that break off.
    pub cut: u32,
    /// Games without a record, or whose record is not finished.
    pub none: u32,
    /// Frames, events and decisions that are in no record.
    pub missing: u64,
    /// Whether the disk took longer than it was waited for, so that these counts are not the last.
    pub unfinished: bool,
}

impl RecordCounts {
    /// Adds earlier counts.
    pub fn add(&mut self, earlier: &Self) {
        self.complete += earlier.complete;
        self.cut += earlier.cut;
        self.none += earlier.none;
        self.missing += earlier.missing;
        self.unfinished |= earlier.unfinished;
    }
}
