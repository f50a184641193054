import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Db, execute, queryRows } from "../../db/sql.ts";
import type { Problem } from "../../harmonize/run/problems/problems.ts";

const EVERY_MS = 10_000;

/** Seconds after its last beat in which a process counts as running: three beats. */
export const SEEN_WITHIN_S = (3 * EVERY_MS) / 1000;

interface Process {
  roles: Iterable<string>;
  version: string;
  /** Called at each beat; returns what keeps the process from its work. */
  problems: () => Problem[];
  onFailure: (error: unknown) => void;
}

/** Reports to the database every ten seconds that this process is alive, until it is stopped. */
export async function startHeartbeat(db: Db, { roles, version, problems, onFailure }: Process) {
  const id = randomUUID();
  let failing = false;
  const beat = () =>
    execute(db)`
      INSERT INTO app.instance (id, host, version, roles, problems)
      VALUES (${id}, ${`${hostname()} (${process.pid})`}, ${version}, ${[...roles]},
        ${problems().map((each) => JSON.stringify(each))}::jsonb[])
      ON CONFLICT (id) DO UPDATE SET seen_at = now(), problems = EXCLUDED.problems`.then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        if (!failing) onFailure(error);
        failing = true;
      },
    );
  await beat();
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beat();
  }, EVERY_MS);
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await beating;
      await execute(db)`DELETE FROM app.instance WHERE id = ${id}`.catch(() => undefined); // without this, the process counts as gone
    },
  };
}

export interface Instance {
  host: string;
  version: string;
  roles: string[];
  problems: Problem[];
  startedAt: Date;
  seenAt: Date;
  /** Killed, or cut off from the database. */
  isGone: boolean;
}

/** Returns the processes of the last hour, running ones first. */
export async function listInstances(db: Db): Promise<Instance[]> {
  return queryRows<Instance>(db)`
    SELECT host, version, roles, problems, started_at AS "startedAt", seen_at AS "seenAt",
           seen_at < now() - make_interval(secs => ${SEEN_WITHIN_S}) AS "isGone"
      FROM app.instance WHERE seen_at > now() - interval '1 hour'
     ORDER BY "isGone", started_at DESC LIMIT 100`;
}
