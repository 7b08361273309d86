//! The policy mjai-engine as a separate library.

policy_sdk::export!(strategy::ENTRY);
