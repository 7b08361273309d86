//! The boundary between a host that seats bots and a library that decides for them.
//!
//! A policy is a dynamic library behind this small C ABI, so any language that can export one C symbol can be one. The
//! library exports [`ENTRY_SYMBOL`]; what it returns leads to a [`PolicyDescriptor`](descriptor::PolicyDescriptor) for
//! each policy in it, and that holds the functions. Authors in Rust use `policy-sdk`, which is safe, instead of this.
//!
//! Rules of the boundary:
//!
//! - **Version.** 1.0, frozen (`docs/boundary.md`). The majors of both sides must be equal, minors may differ.
//! - **Growth.** A struct that is passed by pointer begins with its `struct_size`; arrays are passed as pointer, length
//!   and stride. A reader uses the smaller of the two sides' sizes, and missing fields read as zero
//!   ([`layout`] does both). New fields go to the end of those structs, and have no effect when zero. A change beyond
//!   that is an extension, found by its name (`"name/1"`).
//! - **Layout.** 64-bit targets. No implicit padding, so that a view can be sent as bytes. Reserved fields are zero.
//! - **Memory.** Pointers passed in live for the call only, unless said otherwise; the side that allocated memory frees
//!   it.
//! - **Text** is pointer and length, UTF-8, not terminated, and checked by the reader.
//! - **Threads.** Calls on one instance never overlap and come from one thread, creation and destruction included.
//!   Instances run side by side.
//! - **Panics and exceptions** never cross: a function returns a [`Status`](status::Status) and an error text.
//!
//! The same for C is `include/bot_policy.h`, which is generated from these definitions and their comments.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![no_std]
#![allow(unsafe_code, reason = "a C boundary consists of raw pointers")]

pub mod action;
pub mod card;
pub mod codes;
pub mod create;
pub mod decision;
pub mod descriptor;
pub mod entry;
pub mod head;
pub mod host;
pub mod identity;
pub mod layout;
pub mod log;
pub mod params;
pub mod seat;
pub mod standard;
pub mod status;
pub mod text;
pub mod together;
pub mod view;

pub use codes::{KINDS, NONE, SEATS};
pub use entry::{ABI_MAJOR, ABI_MINOR, ENTRY_SYMBOL, Entry};
