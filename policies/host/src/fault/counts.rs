//! The faults of a policy, by kind.

use std::fmt;

use crate::fault::Fault;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    Panicked,
    /// It reported that it could not decide.
    Failed,
    /// It chose an action that is not legal.
    OutOfRange,
    Died,
    /// Its process was killed from outside.
    Killed,
    /// Its process sent something that it may not send.
    BadFrame,
    /// It did not return long after its time was over.
    Hung,
    /// Something kept it from running for a long time: it was stopped, or got no processor.
    Kept,
    /// Its answer was not there when its time was over.
    Late,
    OtherQuestion,
    /// A resource was unavailable, through no fault of its own.
    Unavailable,
}

impl FaultKind {
    const ALL: [(Self, &str); 11] = [
        (Self::Panicked, "panicked"),
        (Self::Failed, "failed"),
        (Self::OutOfRange, "chose an action that is not legal"),
        (Self::Died, "died"),
        (Self::Killed, "was killed"),
        (Self::BadFrame, "sent nonsense"),
        (Self::Hung, "hung"),
        (Self::Kept, "was kept from running"),
        (Self::Late, "was late"),
        (Self::OtherQuestion, "answered another question"),
        (
            Self::Unavailable,
            "could not decide through no fault of its own",
        ),
    ];

    pub(crate) fn of(fault: &Fault) -> Self {
        match fault {
            Fault::Panicked(_) => Self::Panicked,
            Fault::Failed(_) => Self::Failed,
            Fault::Unavailable(_) => Self::Unavailable,
            Fault::OtherQuestion { .. } => Self::OtherQuestion,
            Fault::OutOfRange { .. } => Self::OutOfRange,
            Fault::Died(end) if end.is_from_outside() => Self::Killed,
            Fault::Died(_) => Self::Died,
            Fault::BadFrame(_) => Self::BadFrame,
            Fault::Hung => Self::Hung,
            Fault::Kept(_) => Self::Kept,
        }
    }
}

/// The number of a policy's faults of each kind. Shown as `panicked 3 times, was late once`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FaultCounts([u32; FaultKind::ALL.len()]);

impl FaultCounts {
    /// Adds a fault; whether it is the first of its kind.
    pub(crate) fn add(&mut self, kind: FaultKind) -> bool {
        self.0[kind as usize] += 1;
        self.0[kind as usize] == 1
    }

    pub const fn of(&self, kind: FaultKind) -> u32 {
        self.0[kind as usize]
    }

    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The kinds that occurred, in words, with their numbers.
    pub fn by_kind(&self) -> impl Iterator<Item = (&'static str, u32)> {
        FaultKind::ALL
            .into_iter()
            .map(|(kind, words)| (words, self.of(kind)))
            .filter(|(_, count)| *count > 0)
    }

    pub fn since(&self, earlier: &Self) -> Self {
        Self(std::array::from_fn(|kind| self.0[kind] - earlier.0[kind]))
    }

    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl fmt::Display for FaultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (words, count) in self.by_kind() {
            match count {
                1 => write!(f, "{}{words} once", if first { "" } else { ", " })?,
                _ => write!(f, "{}{words} {count} times", if first { "" } else { ", " })?,
            }
            first = false;
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_kind_and_the_first_of_each_is_reported() {
        let mut counts = FaultCounts::default();
        assert_eq!(counts.to_string(), "none");
        assert!(counts.add(FaultKind::Panicked));
        assert!(!counts.add(FaultKind::Panicked));
        assert!(counts.add(FaultKind::Late));
        assert_eq!(
            (counts.to_string().as_str(), counts.total()),
            ("panicked 2 times, was late once", 3)
        );
        let earlier = counts;
        counts.add(FaultKind::Late);
        assert_eq!(
            counts.since(&earlier).by_kind().collect::<Vec<_>>(),
            [("was late", 1)]
        );
    }

    #[test]
    fn every_kind_has_its_own_place() {
        for (index, (kind, _)) in FaultKind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, index);
        }
    }
}
