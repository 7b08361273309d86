//! The policy program as a separate library.

policy_sdk::export!(strategy::ENTRY);
