import type pg from "pg";
import { embeddedHomes } from "../db/embedded/embedded.ts";
import { lackOfSpace } from "../db/embedded/files.ts";
import { type Keys, keyProblems } from "../db/keys.ts";
import { pendingMigrations } from "../db/migrate.ts";
import { missingStandbys } from "../db/standby.ts";

export const ALIVE = { status: "alive" };

interface Ready {
  ready: () => Promise<string[]>;
  /** Once it is aborted, the answer is 503, so that proxies send no more requests. */
  stopping?: AbortSignal | undefined;
  /** Information beside the problems. */
  about?: (() => object | Promise<object>) | undefined;
}

export async function readiness({ ready, stopping, about }: Ready) {
  if (stopping?.aborted) return { status: 503, body: { status: "stopping", problems: [] } };
  const problems = await ready().catch(() => ["database does not answer"]);
  const isReady = problems.length === 0;
  const more = await Promise.resolve(about?.()).catch(() => ({}));
  return { status: isReady ? 200 : 503, body: { status: isReady ? "ready" : "not ready", problems, ...more } };
}

/** Returns why a process should get no requests: with these its reads or writes fail. Throws if the database does not answer. */
export async function notReady(pool: pg.Pool, keys: Keys): Promise<string[]> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return pending;
  return [...(await keyProblems(pool, keys)), ...(await missingStandbys(pool)), ...(await fullDisks())];
}

/** Looks at the disk of the embedded database only, since that of another one cannot be seen from here. Names no folder to strangers. */
async function fullDisks(): Promise<string[]> {
  const lacks = await Promise.all(embeddedHomes().map((home) => lackOfSpace(home)));
  return lacks.some(Boolean) ? ["no space left in DATA_DIR: writes fail"] : [];
}
