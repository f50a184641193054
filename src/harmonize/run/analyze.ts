import { withOwnConnection } from "../../db/own-connection.ts";
import { execute } from "../../db/sql.ts";

export const ANALYZE_FROM = 10_000;

/** A large import would slow pages to a minute until PostgreSQL updates its statistics itself. */
export async function analyzeListings(databaseUrl: string): Promise<void> {
  await withOwnConnection(
    databaseUrl,
    { name: "analyze", statementMs: 60_000 },
    (client) => execute(client)`SELECT app.analyze_listings()`, // only the table's owner may ANALYZE
  );
}
