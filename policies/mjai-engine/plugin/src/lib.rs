//! The policy mjai-engine as a library of its own.

policy_sdk::export!(strategy::ENTRY);
