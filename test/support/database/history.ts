import type pg from "pg";

/** Makes a database look as if it lacked the newest migration, which it returns. */
export async function forgetNewestMigration(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `DELETE FROM public._prisma_migrations
      WHERE migration_name = (SELECT max(migration_name) FROM public._prisma_migrations) RETURNING migration_name AS name`,
  );
  return rows[0]?.name ?? "";
}
