//! The strategy defensive-fold as a separate library.

policy_sdk::export!(strategy::ENTRY);
