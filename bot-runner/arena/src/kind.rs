//! The purpose of a game.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GamePurpose {
    Ranked,
    /// A validation: East-only, one client on seat 0 among built-in bots.
    Validation,
}
