//! The strategy doudizhu-split as a library of its own.

policy_sdk::export!(strategy::ENTRY);
