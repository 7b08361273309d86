//! Tiles, kinds and seats.
//!
//! A tile is a number: 0 to 33 for the plain tiles `1m..9m 1p..9p 1s..9s E S W N P F C`, and 34 to 36 for the red fives
//! `5mr 5pr 5sr`. A kind is 0 to 33, without the colour of fives: a red five is of the kind of the plain one. A set of
//! kinds is a number of 64 bits: bit 0 for kind 0, and so on. A seat is 0 to 3 and stays the same all game; 0
//! is the first dealer.

/// No tile, no seat, or no number in the round's order, in a field of one byte.
pub const NONE: u8 = 255;

/// Maximum number of seats at a table.
pub const SEATS: usize = 4;

/// Number of tile kinds.
pub const KINDS: usize = 34;
