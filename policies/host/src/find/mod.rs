//! The library of a policy: where its file lies, what it contains, its private copy, and the
//! policies that it describes.

pub(crate) mod announced;
pub(crate) mod child_library;
pub(crate) mod content;
pub(crate) mod describe;
pub(crate) mod library;
pub(crate) mod load;
pub(crate) mod locate;
pub(crate) mod origin;
pub(crate) mod params;
pub(crate) mod private;
pub(crate) mod watched;
