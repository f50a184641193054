/** The advisory locks, in one place so that their numbers differ. */
export const LOCKS = {
  /** Preparing the directory. */
  setup: 72707370,
  /** Writing many venues: an import, or new normalized names. */
  import: 72707371,
  admins: 72707372,
  /** Rebuilding the places. */
  places: 72707373,
  keys: 72707374,
  clientSecret: 72707375,
  roles: 72707376,
  /** Building indexes in the background. */
  indexes: 72707377,
  /** Searching the directory for duplicates. */
  duplicates: 72707378,
  /** Writing pairs and groups of duplicates, for a moment. */
  duplicatePairs: 72707379,
} as const;
