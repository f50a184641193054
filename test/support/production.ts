/**
 * Settings with which tests start programs, in their own process or another: as operators run them, so that views are compiled as
 * in production. Production demands secrets with DATABASE_URL.
 */
export const PRODUCTION = {
  NODE_ENV: "production",
  ENCRYPTION_KEYS: "kI3mZ0pX9vQ7tB2nL5sD8fG1hJ4wR6yU",
  SESSION_SECRETS: "Tz4rYq8WmB1cVd6NxF3gHs9JkL2pQe7A",
};

/** In its place, for a start without settings on a laptop, which generates its secrets. Empty settings count as not set. */
export const LAPTOP = { NODE_ENV: "", ENCRYPTION_KEYS: "", SESSION_SECRETS: "" };
