// The tables of words. The runner puts them in: those of `words/`, and the language that was chosen for the page, if one was.

/** @type {Record<string, Record<string, string>>} */
export const TABLES = {};

export const CHOSEN_LANGUAGE = '';
