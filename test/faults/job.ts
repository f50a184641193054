import { setTimeout as after } from "node:timers/promises";
import { isUnavailable } from "../../src/db/unavailable.ts";
import { startAdding } from "../../src/harmonize/add-listings.ts";
import { receiveFile } from "../../src/harmonize/file/receive.ts";
import { changeState, loadHarmonization, retryFailed } from "../../src/harmonize/harmonizations.ts";
import { sendNext } from "../../src/harmonize/next-tasks.ts";
import type { Site } from "./site.ts";

/** Of the file: so many that the directory has, and so many that it does not. */
const [KNOWN, NEW] = [20, 10];

export interface JobEnd {
  /** Rows that neither have a venue nor say why not. */
  lost: number;
  /** New places that are several venues, or a venue that is not the listing's. */
  doubled: number;
  /** It did not come to its end in time. */
  isStuck: boolean;
  seconds: number;
}

/**
 * One file from its upload to the last new place that is added, whatever is killed meanwhile: read, matched, what failed
 * asked about again, the new ones added.
 */
export async function runJob(site: Site, name: string, patienceSeconds: number): Promise<JobEnd> {
  const begun = performance.now();
  const { deps, accountId } = site;
  const deadline = begun + patienceSeconds * 1000;
  const file = await fileOf(site, name);
  const bytes = async function* () {
    yield Buffer.from(file.csv);
  };
  const id = await patiently(() => receiveFile(deps, { accountId, name: `${name}.csv`, bytes: bytes() }));
  await patiently(() => changeState(deps, id, ["draft"], { state: "reading", columns: COLUMNS }));
  await patiently(() => sendNext(deps, id, "reading"));
  let isStuck = !(await isReady(site, id, deadline));
  for (let runs = 0; runs < 5 && !isStuck; runs++) {
    const again = await patiently(() => retryFailed(deps, id));
    if (again) isStuck = !(await isReady(site, id, deadline));
    const left = await patiently(() => count(site, id, "decision IS NULL AND best_id IS NULL"));
    if (left === 0 || isStuck) break;
    await patiently(() =>
      startAdding(deps, { id }, { id: accountId, isAdmin: false }, { categoryId: file.categoryId }),
    );
    isStuck = !(await isReady(site, id, deadline));
  }
  const seconds = (performance.now() - begun) / 1000;
  return { ...(await patiently(() => judge(site, id, name))), isStuck, seconds };
}

const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3 };

async function fileOf({ database }: Site, name: string) {
  const { rows: known } = await patiently(() =>
    database.pool.query(
      `SELECT id, name, lat, lng FROM directory.venue WHERE creator_id IS NULL AND name !~ '[",]' ORDER BY md5(id || $1) LIMIT ${KNOWN}`,
      [name],
    ),
  );
  const { rows: categories } = await patiently(() =>
    database.pool.query("SELECT id FROM directory.category WHERE parent_id IS NOT NULL ORDER BY id LIMIT 1"),
  );
  const at = hash(name);
  const unknown = Array.from({ length: NEW }, (_, index) => ({
    id: `${name}-${index}`,
    name: newName(name, index),
    // Far from everything, and from each other.
    lat: -60 + ((at >>> 8) % 4000) / 100,
    lng: -170 + (at % 200) / 2 + index * 0.05,
  }));
  const lines = [...known, ...unknown].map((each) => [each.id, each.name, each.lat, each.lng].join());
  return {
    csv: `${["id", "name", "lat", "lng"].join()}\n${lines.join("\n")}\n`,
    categoryId: String(categories[0]?.id),
  };
}

const newName = (name: string, index: number) => `Place of ${name} number ${index}`;

async function judge({ database }: Site, id: string, name: string) {
  const { rows: listings } = await database.pool.query(
    `SELECT l.cells[2] AS name, l.status, l.decision, coalesce(l.venue_id, l.best_id) AS venue, l.problem
       FROM app.listing l WHERE l.harmonization_id = $1`,
    [id],
  );
  const names = Array.from({ length: NEW }, (_, index) => newName(name, index));
  const { rows: venues } = await database.pool.query("SELECT id, name FROM directory.venue WHERE name = ANY($1)", [
    names,
  ]);
  const isFine = (each: (typeof listings)[number]) => each.status === "asked" && each.venue !== null;
  const lost = KNOWN + NEW - listings.filter(isFine).length;
  const doubled = names.filter((each) => {
    const made = venues.filter((venue) => venue.name === each);
    const mapped = listings.filter((listing) => listing.name === each && listing.venue === made[0]?.id);
    return made.length > 1 || (made.length === 1 && mapped.length !== 1);
  }).length;
  return { lost, doubled };
}

async function count({ database }: Site, id: string, condition: string): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM app.listing WHERE harmonization_id = $1 AND ${condition}`;
  const { rows } = await database.pool.query(text, [id]);
  return rows[0].n;
}

async function isReady({ deps }: Site, id: string, deadline: number): Promise<boolean> {
  while (performance.now() < deadline) {
    const h = await patiently(() => loadHarmonization(deps, id));
    if (h?.state === "ready") return true;
    await after(300);
  }
  return false;
}

/** As somebody at a page does: tries again while the database is away. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await after(200);
    }
  }
}

const hash = (text: string) =>
  [...text].reduce((sum, each) => Math.imul(sum, 31) + (each.codePointAt(0) ?? 0), 7) >>> 0;
