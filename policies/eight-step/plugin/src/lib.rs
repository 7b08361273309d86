//! The strategy eight-step as a separate library.

policy_sdk::export!(strategy::ENTRY);
