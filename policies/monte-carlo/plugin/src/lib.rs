//! The strategy monte-carlo as a separate library.

policy_sdk::export!(strategy::ENTRY);
