import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "../support/database/database.ts";
import { backUp, emptyDatabase, restoreInto } from "./restored.ts";

const WRITERS = 4;

/** Fifty venues, and rows that are read after the check-ins and before the venues, and take a while. */
async function filled() {
  const made = await testDatabase();
  await made.database.pool.query("SET statement_timeout = 0");
  await made.database.pool.query(`
    INSERT INTO directory."user" (id, handle, password_hash) VALUES ('u', 'u', '');
    INSERT INTO directory.venue (id, name, name_norm, lat, lng, point)
      SELECT 'v' || n, 'V', 'v', 0, 0, '(0,0)' FROM generate_series(0, 49) n`);
  for (let part = 0; part < 5; part++)
    await made.database.pool.query(`INSERT INTO directory.idempotency_key (scope, key, params_hash)
      SELECT '${part}', md5(random()::text), '' FROM generate_series(1, 20000)`);
  return made;
}

/** Keeps the count of each venue equal to its check-ins, in every committed state. Returns how many check-ins it has written. */
async function checkIn(pool: Pool, until: AbortSignal): Promise<number> {
  let written = 0;
  const writer = async (id: number) => {
    for (let n = 0; !until.aborted; n++, written++)
      await pool.query(
        `WITH made AS (INSERT INTO directory.checkin (id, user_id, venue_id, time_zone_offset) VALUES ($1, 'u', $2, 0)
                       RETURNING venue_id)
         UPDATE directory.venue v SET checkins_count = checkins_count + 1 FROM made WHERE v.id = made.venue_id`,
        [`${id}-${n}`, `v${(id + n) % 50}`],
      );
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, id) => writer(id)));
  return written;
}

test("backup: while others write, it is one state of all tables", async () => {
  const { url, database } = await filled();
  const stopping = new AbortController();
  const writing = checkIn(database.pool, stopping.signal);
  await sleep(300);
  const backup = await backUp(url);
  stopping.abort();
  const total = await writing;

  const target = await emptyDatabase();
  await restoreInto(target.url, backup);
  const { rows } = await target.database.pool.query<Record<"counted" | "rows" | "uneven", number>>(
    `SELECT sum(checkins_count)::int AS counted, (SELECT count(*)::int FROM directory.checkin) AS rows,
            count(*) FILTER (WHERE checkins_count <>
              (SELECT count(*) FROM directory.checkin c WHERE c.venue_id = v.id))::int AS uneven
       FROM directory.venue v`,
  );
  const [state] = rows;
  expect(state).toMatchObject({ uneven: 0, counted: state?.rows });
  expect(state?.rows).toBeGreaterThan(0);
  expect(state?.rows).toBeLessThan(total); // they wrote on meanwhile
});

test("backup: a table that is emptied meanwhile is in it, as it was at the beginning", async () => {
  const { url, database } = await filled();
  await database.pool.query("INSERT INTO directory.setup_step (name) SELECT 's' || n FROM generate_series(1, 50) n");
  let emptied: Promise<unknown> | undefined;
  const backup = await backUp(url, undefined, async () => {
    emptied ??= database.prisma.$executeRawUnsafe("TRUNCATE directory.setup_step").catch((error) => error);
    await Promise.race([emptied, sleep(800)]);
  });
  expect(emptied).toBeDefined();
  const target = await emptyDatabase();
  expect(await restoreInto(target.url, backup)).toMatchObject({ "directory.setup_step": 50 });
});
