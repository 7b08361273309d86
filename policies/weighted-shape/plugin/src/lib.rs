//! The strategy weighted-shape as a separate library.

policy_sdk::export!(strategy::ENTRY);
