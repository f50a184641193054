import { type Db, execute } from "../../db/sql.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import type { Harmonizer } from "./deps.ts";
import { anotherOwner } from "./lists.ts";
import { type Problem, problemOf } from "./problems/problems.ts";
import type { Task } from "./queue.ts";

/** Tasks of the queue that go on beside the state of a harmonization, one of a kind. */
export type Kind = Extract<Task["kind"], "bridge" | "changes">;

export interface SideTask<About> {
  accountId: string | null;
  wantedAt: Date | null;
  /** Why it waits. */
  problem: Problem | null;
  about: About;
}

export async function findSideTask<About>(
  { prisma }: Pick<Harmonizer, "prisma">,
  { id: harmonizationId }: { id: string },
  kind: Kind,
): Promise<SideTask<About> | undefined> {
  const row = await prisma.sideTask.findUnique({ where: { harmonizationId_kind: { harmonizationId, kind } } });
  return (row ?? undefined) as unknown as SideTask<About> | undefined;
}

/** Requests a task. Returns false while one of its kind is at work. */
export async function wantSideTask(
  db: Db,
  { id }: { id: string },
  kind: Kind,
  { accountId, about }: Pick<SideTask<object>, "accountId" | "about">,
): Promise<boolean> {
  const json = JSON.stringify(about);
  const wanted = await execute(db)`
    INSERT INTO app.side_task AS t (harmonization_id, kind, account_id, wanted_at, about)
    VALUES (${id}, ${kind}, ${accountId}, now(), ${json}::jsonb)
    ON CONFLICT (harmonization_id, kind) DO UPDATE
      SET account_id = excluded.account_id, wanted_at = now(), retry_at = NULL, problem = NULL, about = excluded.about
      WHERE t.wanted_at IS NULL`;
  return wanted === 1;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "authFor" | "tokenRefused">;

/**
 * Does a task that is due, and ends it with what `work` returns. If the directory fails it waits, and the supervision queues
 * it again. `work` must bear being repeated from any point.
 */
export async function runSideTask<About>(
  deps: Deps,
  { id }: { id: string },
  kind: Kind,
  work: (task: SideTask<About>, auth: Auth) => Promise<About | DirectoryError>,
): Promise<void> {
  const task = await findSideTask<About>(deps, { id }, kind);
  if (!task?.wantedAt) return;
  const { accountId } = task;
  const auth =
    (await deps.authFor(accountId)) ??
    (accountId === null ? undefined : (await anotherOwner(deps, id, accountId))?.auth);
  if (!auth) return wait(deps, id, kind, { code: "not_connected" }, NOT_CONNECTED);
  const end = await work(task, auth);
  if (!(end instanceof Error)) {
    await execute(deps)`
      UPDATE app.side_task SET wanted_at = NULL, retry_at = NULL, problem = NULL, about = ${JSON.stringify(end)}::jsonb
       WHERE harmonization_id = ${id} AND kind = ${kind}`;
    return;
  }
  if (end.kind === "refused_token" && task.accountId !== null) await deps.tokenRefused(task.accountId, auth);
  await wait(deps, id, kind, problemOf(end), end.retryAfter ?? (isHoldUp(end) ? NOT_CONNECTED : BACK_OFF));
}

/** Seconds. */
const BACK_OFF = 15;
const NOT_CONNECTED = 60;

async function wait(db: Deps, id: string, kind: Kind, problem: Problem, seconds: number): Promise<void> {
  await execute(db)`
    UPDATE app.side_task SET retry_at = now() + make_interval(secs => ${seconds}), problem = ${JSON.stringify(problem)}::jsonb
     WHERE harmonization_id = ${id} AND kind = ${kind}`;
}
