//! How frames travel.

pub mod liveness;
pub mod websocket;
