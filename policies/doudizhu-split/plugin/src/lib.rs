//! The strategy doudizhu-split as a separate library.

policy_sdk::export!(strategy::ENTRY);
