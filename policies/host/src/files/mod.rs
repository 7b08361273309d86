//! Files that others may change: opened safely, hashed, watched for a change.

pub(crate) mod foreign_file;
pub(crate) mod sha256;
pub(crate) mod stamp;
