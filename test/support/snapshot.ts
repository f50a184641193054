import type { Pool } from "pg";

/** Returns the rows of each table as text, except the tables and columns in `aside`. */
export async function snapshot(pool: Pool, schema: "app" | "directory", aside: string[]) {
  const client = await pool.connect();
  try {
    await client.query("SET statement_timeout = 0"); // a machine under load may need longer than a request may take
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1",
      [schema],
    );
    const contents: Record<string, string[]> = {};
    for (const { name } of tables.filter((table) => !aside.includes(table.name))) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${schema}."${name}" t`,
        [aside],
      );
      contents[name] = rows.map(({ row }) => row).sort();
    }
    return contents;
  } finally {
    client.release(true);
  }
}
