//! The strategy cs-learned as a library.

policy_sdk::export!(strategy::ENTRY);
