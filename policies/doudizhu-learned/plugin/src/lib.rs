//! The strategy doudizhu-learned as a library.

policy_sdk::export!(strategy::ENTRY);
