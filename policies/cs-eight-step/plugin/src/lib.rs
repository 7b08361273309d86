//! The strategy cs-eight-step as a library of its own.

policy_sdk::export!(strategy::ENTRY);
