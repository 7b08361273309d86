//! What a game is played for.

/// What a game is played for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GamePurpose {
    /// A ranked game.
    Ranked,
    /// A validation: East-only, one client on seat 0 among built-in bots.
    Validation,
}
