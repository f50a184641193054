import { setTimeout as after } from "node:timers/promises";
import { isUnavailable } from "../../src/db/unavailable.ts";
import { AT_WORK } from "../../src/harmonize/run/harmonizations.ts";
import type { Stage } from "./faults.ts";
import { fileOf, judge, type Verdict } from "./listings.ts";
import type { Site } from "./site.ts";

export interface JobEnd extends Verdict {
  /** It did not end in time. */
  isStuck: boolean;
  seconds: number;
  /** Periods with work to do, by performance.now(). */
  work: [from: number, to: number][];
}

export interface Trouble {
  patienceSeconds: number;
  /** Called before each stage. */
  before?(stage: Stage): void;
  /** Called repeatedly during a stage, with the milliseconds since its start and the number of its finished rows. */
  during?(stage: Stage, ms: number, done: number): void;
}

/** Takes one file through all stages as a user of the web app: matches, retries failed rows, adds new ones, and annotates. */
export async function runJob(site: Site, name: string, trouble: Trouble): Promise<JobEnd> {
  const { database, visitor } = site;
  const begun = performance.now();
  const file = await patiently(() => fileOf(database, name));
  const id = await visitor.upload(file.csv);
  const job: Job = { ...trouble, site, id, deadline: begun + trouble.patienceSeconds * 1000, work: [] };
  const columns = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" };
  let isStuck = !(await run(job, "match", "columns", { action: "start", ...columns }));
  for (let runs = 0; runs < 5 && !isStuck && (await left(job)) > 0; runs++) {
    isStuck = !(await run(job, "match", "retry"));
    if (!isStuck) isStuck = !(await run(job, "add", "add", { categoryId: file.categoryId }));
  }
  for (let runs = 0; runs < 3 && !isStuck && (runs === 0 || (await unnoted(job)) > 0); runs++)
    isStuck = !(await run(job, "annotate", "annotate"));
  const seconds = (performance.now() - begun) / 1000;
  return { ...(await patiently(() => judge(database, id, name))), isStuck, seconds, work: job.work };
}

interface Job extends Trouble {
  site: Site;
  id: string;
  deadline: number;
  work: JobEnd["work"];
}

/** Presses a button of the file's page, and waits for its task. Returns false if that takes too long. */
async function run(job: Job, stage: Stage, button: string, fields?: Record<string, string>): Promise<boolean> {
  job.before?.(stage);
  await job.site.visitor.press(`/harmonizations/${job.id}/${button}`, fields);
  const from = performance.now();
  for (;;) {
    const { state, done } = await progress(job, stage);
    if (state === "ready") break;
    if (performance.now() > job.deadline) return false;
    if (AT_WORK.some((each) => each === state)) job.during?.(stage, performance.now() - from, done);
    await after(100);
  }
  job.work.push([from, performance.now()]);
  return true;
}

const DONE: Record<Stage, string> = {
  match: "status <> 'pending'",
  add: "decision IS NOT NULL",
  annotate: "annotated_at IS NOT NULL",
};

async function progress({ site, id }: Job, stage: Stage): Promise<{ state: string; done: number }> {
  const text = `SELECT state::text, (SELECT count(*)::int FROM app.listing WHERE harmonization_id = $1 AND ${DONE[stage]}) AS done
     FROM app.harmonization WHERE id = $1`;
  return (await patiently(() => site.database.pool.query(text, [id]))).rows[0];
}

const left = (job: Job) => count(job, "decision IS NULL AND best_id IS NULL");
const unnoted = (job: Job) => count(job, "annotation_problem IS NOT NULL");

async function count({ site, id }: Job, condition: string): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM app.listing WHERE harmonization_id = $1 AND ${condition}`;
  return (await patiently(() => site.database.pool.query(text, [id]))).rows[0].n;
}

/** Retries while the database is unavailable. */
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
