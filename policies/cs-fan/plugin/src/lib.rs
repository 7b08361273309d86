//! The strategy cs-fan as a separate library.

policy_sdk::export!(strategy::ENTRY);
