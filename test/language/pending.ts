/** Views that are never translated: the API reference, which developers read beside answers in English (decision 0012). */
export const ENGLISH_ONLY = ["directory/docs/fields", "directory/docs/index", "directory/docs/operation"];

/** Views whose words are not yet translated. */
export const PENDING = [];
