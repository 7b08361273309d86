
// The one function that a library exports. [any-thread]
//
// See bp_entry_fn. BP_EXPORT is part of the declaration, so that a definition without it is exported too.
BP_EXPORT const bp_entry *bot_policy_entry(void);

#ifdef __cplusplus
}
#endif

#endif // BOT_POLICY_H
