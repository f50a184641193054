import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { execute, queryRow, queryRows } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { isOnEarth } from "../../files/row/position.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { findMistyped, knownNeighbours } from "../positions/neighbours.ts";
import { areasOf } from "../query/repairs.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, HELD_UNTIL, type Person } from "../run/harmonizations.ts";
import { effective, type KeptRepair, MOST_REPAIRS, type RowRepair } from "../run/row-repairs.ts";
import { REPAIRED } from "./apply.ts";

type Deps = Pick<Harmonizer, "pool" | "queue">;

/**
 * Adds repairs to those of a file, after the others. A draft is read with them; the rows of a finished run are brought in line by a task.
 * With the id of an earlier call, which has added them, it adds none.
 * @throws KnownError 409 while something else goes on, 400 beyond MOST_REPAIRS or for a swap of no row
 */
export async function addRepairs(
  deps: Deps,
  h: Harmonization,
  by: Person["id"] | null,
  repairs: RowRepair[],
  call: string = randomUUID(),
): Promise<KeptRepair[]> {
  const whole: RowRepair[] = [];
  for (const repair of repairs) whole.push(await withAreas(deps, h, repair));
  const at = new Date().toISOString();
  const added = whole.map((repair, index): KeptRepair => ({ id: index === 0 ? call : randomUUID(), by, at, repair }));
  const add = (kept: KeptRepair[]) => {
    if (effective(kept).length + added.length > MOST_REPAIRS) throw tooMany();
    // One at a time, so that the undo of each gives back what it took.
    if (h.state !== "draft" && added.length !== 1) throw badRequest(t("Apply one repair at a time."));
    return [...kept.slice(-MOST_KEPT), ...added];
  };
  await changeRepairs(deps, h, add, call);
  return added;
}

/** Those that are undone stay in sight up to this many. */
const MOST_KEPT = 3 * MOST_REPAIRS;

const tooMany = () =>
  new KnownError(
    400,
    "too_many_repairs",
    t("A list may have at most {most} repairs. Undo one first.", { most: MOST_REPAIRS }),
  );

/**
 * Undoes a repair: the rows follow from their file and the other repairs again.
 * @throws KnownError 404 if there is none, or it was undone already; 409 while something else goes on
 */
export const undoRepair = (deps: Deps, h: Harmonization, by: Person["id"] | null, id: string): Promise<void> =>
  changeRepairs(deps, h, (kept) => {
    if (!effective(kept).some((each) => each.id === id)) throw notFound(t("There is no such repair, or it is undone."));
    const undone = { by, at: new Date().toISOString() };
    return kept.map((each) => (each.id === id ? { ...each, undone } : each));
  });

/** One change at a time, of what is there then (attacks W164); none if the repair `made` is there already (W197). */
async function changeRepairs(
  { pool, queue }: Deps,
  { id }: Harmonization,
  change: (kept: KeptRepair[]) => KeptRepair[],
  made?: string,
): Promise<void> {
  const isApplied = await inTransaction(pool, async (client) => {
    const found = await queryRow<{ state: string; repairs: KeptRepair[] }>(client)`
      SELECT state, repairs FROM app.harmonization WHERE id = ${id} FOR NO KEY UPDATE`;
    if (found?.repairs.some(({ id }) => id === made)) return false;
    if (found?.state !== "draft" && found?.state !== "ready") throw busy();
    const before = new Set(found.repairs.map((each) => JSON.stringify(each)));
    const changed = change(found.repairs);
    if (found.state === "draft") await saveDraft(client, id, changed);
    else
      await begin(
        client,
        id,
        changed.map((each) => (before.has(JSON.stringify(each)) ? each : { ...each, isUnderWay: true as const })),
      );
    return found.state === "ready";
  });
  // If this fails, the supervision queues it.
  if (isApplied) await queue.send({ kind: "retry", harmonizationId: id });
}

const busy = () =>
  new KnownError(409, "conflict", t("Something else is going on with this file. Repair its rows once that is done."), {
    title: t("Nothing was repaired"),
  });

async function saveDraft(client: ClientBase, id: string, repairs: KeptRepair[]): Promise<void> {
  await execute(client)`
    UPDATE app.harmonization SET repairs = ${JSON.stringify(repairs)}::jsonb, trial = NULL WHERE id = ${id}`;
}

async function begin(client: ClientBase, id: string, repairs: KeptRepair[]): Promise<void> {
  await execute(client)`
    UPDATE app.harmonization AS h SET repairs = ${JSON.stringify(repairs)}::jsonb, state = 'matching', is_retrying = true,
      matched_at = NULL, task = NULL, paused_for = NULL, retry_at = ${HELD_UNTIL} WHERE id = ${id}`;
}

/** A swap without a condition is of the rows that look swapped now, and keeps where they belong, for the next edition. */
export async function withAreas(
  deps: Pick<Harmonizer, "pool">,
  h: Harmonization,
  repair: RowRepair,
): Promise<RowRepair> {
  if (repair.kind !== "swap" || repair.where || repair.around) return repair;
  const around = h.state === "draft" ? [] : areasOf(await swappedPlaces(deps, h));
  if (around.length > 0) return { ...repair, around };
  const message =
    h.state === "draft"
      ? t("Samespot can tell which rows look swapped once they are matched. Until then, choose a column and its value.")
      : t("No row looks swapped.");
  throw new KnownError(400, "param_error", message, { title: t("Nothing was repaired") });
}

/** Where the rows belong whose latitude and longitude look swapped, by the others of their file or because they would be off the earth. */
async function swappedPlaces({ pool }: Pick<Harmonizer, "pool">, h: Harmonization): Promise<LatLng[]> {
  const found = await findMistyped({ pool }, h, await knownNeighbours({ pool }, h), REPAIRED);
  const off = await queryRows<{ ll: LatLng }>(pool)`
    SELECT l.problem->'swapped' AS ll FROM app.listing l
     WHERE l.harmonization_id = ${h.id} AND l.status = 'failed' AND l.problem->>'code' = 'position_out_of_range' AND l.problem ? 'swapped'
     ORDER BY l.number LIMIT 1000`;
  return [
    ...found.filter(({ slip }) => slip === "swapped").map(({ wouldBe }) => wouldBe),
    ...off.map(({ ll }) => ({ lat: ll.lng, lng: ll.lat })).filter(isOnEarth),
  ];
}
