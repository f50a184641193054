import { withOwnConnection } from "../../db/own-connection.ts";

/** Listings from which on it matters how they are looked through, and PostgreSQL must not wait for its own time to learn it. */
export const ANALYZE_FROM = 10_000;

/**
 * Tells PostgreSQL what the listings are like now, on a connection of its own: it may take seconds. Without it, after a
 * large matching, a page that takes milliseconds takes a minute, until the server looks by itself.
 */
export async function analyzeListings(databaseUrl: string): Promise<void> {
  await withOwnConnection(
    databaseUrl,
    { name: "analyze", statementMs: 60_000 },
    (client) => client.query("SELECT app.analyze_listings()"), // ANALYZE itself is the owner's
  );
}
