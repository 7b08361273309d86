//! Weights, and the policy without and with them.

mod policy;
mod weights;
