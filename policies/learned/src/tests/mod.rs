//! Weights, the network, and the policy without and with them.

mod policy;
mod weights;
