import type pg from "pg";

/** Returns `rows hash` of each table and materialized view of both programs by name; the order of rows does not matter. */
export async function tableHashes(client: pg.Client | pg.Pool, leftOut: readonly string[] = []) {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'm') AND c.relpersistence = 'p'
        AND (n.nspname IN ('app', 'directory') OR c.relname = '_prisma_migrations') ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables.filter((each) => !leftOut.includes(each.name))) {
    const { rows } = await client.query<{ hash: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) AS hash FROM ${name} t`,
    );
    hashes[name] = rows[0]?.hash ?? "";
  }
  return hashes;
}
