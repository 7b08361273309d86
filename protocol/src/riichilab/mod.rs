//! RiichiLab's protocol, version 2: what its server sends, frame by frame, and the observation
//! inside its requests.

mod frame;
pub mod observation;
pub mod server;

pub use frame::{
    AckStatus, ActionAck, FrameError, RequestAction, RequestTime, ServerFrame, parse_frame,
};
pub use observation::{Observation, ObservationError, parse_observation};
