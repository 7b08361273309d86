//! The strategy greedy-tenpai as a library of its own.

policy_sdk::export!(strategy::ENTRY);
