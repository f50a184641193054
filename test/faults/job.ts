import { setTimeout as after } from "node:timers/promises";
import { AT_WORK } from "../../src/harmonize/run/harmonizations.ts";
import type { Stage } from "./faults.ts";
import { fileOf, judge, type Verdict } from "./listings.ts";
import type { Site } from "./site.ts";
import { judgeEvents, patiently, type TeamVerdict, workTogether } from "./team.ts";

export interface JobEnd extends Verdict, TeamVerdict {
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

/**
 * Takes one file through all stages: matches, works on it and its next edition as a team by programs, retries failed rows, adds new ones by a
 * program and, what is left, as a user of the web app, annotates, and waits until its webhook has told everything.
 */
export async function runJob(site: Site, name: string, trouble: Trouble): Promise<JobEnd> {
  const { database, visitor } = site;
  const begun = performance.now();
  const file = await patiently(() => fileOf(database, name));
  const id = await visitor.upload(file.csv);
  const job: Job = { ...trouble, site, id, deadline: begun + trouble.patienceSeconds * 1000, work: [] };
  const columns = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" };
  const { owner } = site.people;
  const { secret } = (await owner("POST", `${id}/webhook`, { url: site.receiver.url })).body;
  let isStuck = !(await run(job, "match", press(job, "columns", { action: "start", ...columns })));
  const team = isStuck ? undefined : await asTeam(job, name, file.csv);
  isStuck ||= team === undefined;
  const byProgram = () => owner("POST", `${id}/add`, { category_id: file.categoryId });
  for (let runs = 0; runs < 5 && !isStuck && (await left(job)) > 0; runs++) {
    isStuck = !(await run(job, "match", press(job, "retry")));
    const add = runs === 0 ? byProgram : press(job, "add", { categoryId: file.categoryId });
    if (!isStuck) isStuck = !(await run(job, "add", add));
  }
  for (let runs = 0; runs < 3 && !isStuck && (runs === 0 || (await unnoted(job)) > 0); runs++)
    isStuck = !(await run(job, "annotate", press(job, "annotate")));
  const seconds = (performance.now() - begun) / 1000;
  const toldOf = (file: string, least: number) =>
    judgeEvents(database.pool, file, site.receiver, { secret, least: isStuck ? 0 : least, deadline: job.deadline });
  const told = [await toldOf(id, LEAST_EVENTS), ...(team ? [await toldOf(team.next, 1)] : [])];
  const rows = await patiently(() => judge(database, id, name));
  const verdict = added([{ ...rows, contradicted: 0 }, ...told, ...(team ? [team] : [])]);
  return {
    ...verdict,
    amiss: isStuck ? [...verdict.amiss, { stuck: await statesOf(job) }] : verdict.amiss,
    misnoted: rows.misnoted,
    isStuck,
    seconds,
    work: job.work,
  };
}

/** What the file and its next edition wait for. */
const statesOf = async ({ site, id }: Job): Promise<object[]> => {
  const text = `SELECT id, state, task, paused_for, retry_at, now(), repairs FROM app.harmonization WHERE id = $1 OR previous_id = $1`;
  return (await patiently(() => site.database.pool.query(text, [id]))).rows;
};

/** Of a match, a repair and its undo, an add and the annotations. */
const LEAST_EVENTS = 5;

const added = (verdicts: TeamVerdict[]): TeamVerdict => {
  const sum = (kind: "lost" | "doubled" | "contradicted") => verdicts.reduce((all, each) => all + each[kind], 0);
  return {
    ...{ lost: sum("lost"), doubled: sum("doubled"), contradicted: sum("contradicted") },
    amiss: verdicts.flatMap(({ amiss }) => amiss),
  };
};

async function asTeam(job: Job, name: string, csv: string): ReturnType<typeof workTogether> {
  const { site, id } = job;
  job.before?.("team");
  const from = performance.now();
  const ticking = setInterval(() => job.during?.("team", performance.now() - from, 0), 100);
  try {
    return await workTogether({
      pool: site.database.pool,
      people: site.people,
      id,
      name,
      uploadNext: () => site.visitor.upload(csv),
      settle: (file) => settled({ ...job, id: file }, "team", from),
    });
  } finally {
    clearInterval(ticking);
    job.work.push([from, performance.now()]);
  }
}

interface Job extends Trouble {
  site: Site;
  id: string;
  deadline: number;
  work: JobEnd["work"];
}

/** Presses a button of the file's page. */
const press =
  ({ site, id }: Job, button: string, fields?: Record<string, string>) =>
  () =>
    site.visitor.press(`/harmonizations/${id}/${button}`, fields);

/** Begins a task, and waits for its end. Returns false if that takes too long. */
async function run(job: Job, stage: Stage, begin: () => Promise<unknown>): Promise<boolean> {
  job.before?.(stage);
  await begin();
  const from = performance.now();
  if (!(await settled(job, stage, from))) return false;
  job.work.push([from, performance.now()]);
  return true;
}

async function settled(job: Job, stage: Stage, from: number): Promise<boolean> {
  for (;;) {
    const { state, done } = await progress(job, stage);
    if (state === "ready") return true;
    if (performance.now() > job.deadline) return false;
    if (AT_WORK.some((each) => each === state)) job.during?.(stage, performance.now() - from, done);
    await after(100);
  }
}

const DONE: Record<Stage, string> = {
  match: "status <> 'pending'",
  team: "status <> 'pending'",
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
