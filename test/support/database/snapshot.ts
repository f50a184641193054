import type { Pool } from "pg";

/** Returns the rows of each table as text, except the tables and columns in `aside`. */
export async function snapshot(pool: Pool, schema: "app" | "directory", aside: string[]) {
  const client = await pool.connect();
  try {
    await client.query("SET statement_timeout = 0"); // a machine under load may need longer than a request may take
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v') ORDER BY 1",
      [schema],
    );
    const contents: Record<string, string[]> = {};
    for (const { name } of tables) if (!aside.includes(name)) contents[name] = [];
    const each = Object.keys(contents).map(
      (name) => `SELECT '${name}' AS name, (to_jsonb(t) - $1::text[])::text AS row FROM ${schema}."${name}" t`,
    );
    const { rows } = await client.query<{ name: string; row: string }>(each.join(" UNION ALL "), [aside]);
    for (const { name, row } of rows) contents[name]?.push(row);
    for (const name of Object.keys(contents)) contents[name]?.sort();
    return contents;
  } finally {
    await client.query("RESET statement_timeout");
    client.release();
  }
}
