/** Views that are never translated: the API reference, which developers read beside answers in English (decision 0012). */
export const ENGLISH_ONLY = ["contents", "errors", "fields", "index", "operation", "resources"].map(
  (view) => `directory/docs/${view}`,
);

/** Views whose words are not yet translated. */
export const PENDING = [];
