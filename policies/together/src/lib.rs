//! What instances of a policy share that play many games at once.
//!
//! A program or a network is slow to start and may decide faster for several seats at once. In a
//! tournament each seat of each game has its own instance of the policy. With a [`SharedPool`]
//! these instances share some [`SharedWorker`]s: a question waits until a worker is free, and a
//! free worker takes as many waiting questions as it can.
//!
//! - The thread of a waiting instance asks the worker itself; there are no other threads.
//! - A pool lives as long as one of the threads that joined it, so the games of a tournament that
//!   follow each other on a thread use the same workers.
//! - A worker that fails is dropped. Its questions are asked again, each alone and once, so that a
//!   question that breaks a worker costs the others nothing.
#![forbid(unsafe_code)]

mod pool;
mod registry;

pub use pool::{MAX_FAILURES, PoolLog, SharedPool, SharedWorker};
