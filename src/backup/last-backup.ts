import type pg from "pg";
import { Gauge } from "prom-client";

/** The row of directory.setup_step with the time of the last backup. */
const STEP = "backup";

/** Has no effect where nothing can be written, as on a replica: the backup is good all the same. */
export async function noteBackup(client: pg.Client | pg.Pool, madeAt: string): Promise<void> {
  const text = `INSERT INTO directory.setup_step (name, done_at) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET done_at = EXCLUDED.done_at`;
  await client.query(text, [STEP, madeAt]).catch(() => {});
}

export async function lastBackup(client: pg.Client | pg.Pool): Promise<Date | undefined> {
  const { rows } = await client.query("SELECT done_at FROM directory.setup_step WHERE name = $1", [STEP]);
  return rows[0]?.done_at;
}

const made = new Gauge({
  name: "samespot_last_backup_timestamp_seconds",
  help: "When the last good backup by samespot backup began (Unix time), 0 if there was none; of all processes together",
});

/** Reads the gauge. Without the database it is missing. */
export async function readLastBackup(pool: pg.Pool): Promise<void> {
  made.remove();
  const time = await lastBackup(pool).then(
    (at) => at?.getTime() ?? 0,
    () => undefined,
  );
  if (time !== undefined) made.set(time / 1000);
}
