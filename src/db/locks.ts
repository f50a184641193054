/** The advisory locks of the database, in one place so that no two are the same. */
export const LOCKS = {
  /** What must always be there is being put into the directory. */
  setup: 72707370,
  /** Many venues are being written: by an import, or in new normalized forms. */
  import: 72707371,
  /** Who is an admin is being changed. */
  admins: 72707372,
  /** Places are being gathered anew. */
  places: 72707373,
  /** Everything is being sealed anew. */
  keys: 72707374,
  /** The web app's client secret is being changed. */
  clientSecret: 72707375,
  /** The programs' roles are being made, or given their rights. */
  roles: 72707376,
} as const;
