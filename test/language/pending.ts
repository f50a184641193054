/** Views that are never translated: the API reference, which developers read beside answers in English (decision 0012). */
export const ENGLISH_ONLY = ["directory/docs/fields", "directory/docs/index", "directory/docs/operation"];

/** Views whose words are not yet translated. */
export const PENDING = [
  "harmonize/again",
  "harmonize/draft/draft",
  "harmonize/draft/manage",
  "harmonize/draft/trial",
  "harmonize/index",
  "harmonize/judging",
  "harmonize/listing-table",
  "harmonize/positions-examples",
  "harmonize/positions",
  "harmonize/progress",
  "harmonize/results/bridge",
  "harmonize/results/changes",
  "harmonize/results/conflicts",
  "harmonize/results/cuts",
  "harmonize/results/facets",
  "harmonize/results/manage",
  "harmonize/results/next",
  "harmonize/results/results",
  "harmonize/runs",
];
