import type pg from "pg";

/** The row of directory.setup_step with the time of the last backup. */
const STEP = "backup";

/** Has no effect where nothing can be written, as on a replica: the backup is good all the same. */
export async function noteBackup(client: pg.Client, madeAt: string): Promise<void> {
  const text = `INSERT INTO directory.setup_step (name, done_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET done_at = EXCLUDED.done_at`;
  await client.query(text, [STEP, madeAt]).catch(() => {});
}

export async function lastBackup(client: pg.Client | pg.Pool): Promise<Date | undefined> {
  const { rows } = await client.query("SELECT done_at FROM directory.setup_step WHERE name = $1", [STEP]);
  return rows[0]?.done_at;
}
