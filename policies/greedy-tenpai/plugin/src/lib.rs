//! The strategy greedy-tenpai as a separate library.

policy_sdk::export!(strategy::ENTRY);
