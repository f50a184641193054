import type { Pool } from "pg";

/** Returns the rows of each table as text, except the tables and columns in `aside`. */
export async function snapshot(pool: Pool, schema: "app" | "directory", aside: string[]) {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1",
    [schema],
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !aside.includes(table.name))) {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${schema}."${name}" t ORDER BY 1`,
      [aside],
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
