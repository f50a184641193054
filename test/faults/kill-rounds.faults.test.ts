import { setTimeout as after } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createFaults, LEAST_ROUNDS, POINTS, planOf, type Stage } from "./faults.ts";
import { type JobEnd, runJob, type Trouble } from "./job.ts";
import { account, hitsOf, spread, tally } from "./report.ts";
import { SERVER_ENDS } from "./server.ts";
import { startSite } from "./site.ts";

/** Set by `npm run faults -- --rounds 300`. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? LEAST_ROUNDS);
/** Set by `npm run faults -- --postgres-kills 100`. */
const POSTGRES_KILLS = Number(process.env.FAULT_POSTGRES_KILLS ?? 4);
const SEED = Number(process.env.FAULT_SEED ?? 1);
/** Concurrent files: most of a round is waiting, and a fault affects all of them. With more, each takes longer on two processors. */
const AT_ONCE = 15;
/** Of one file. Beside other work its last rows were seen under way after 300. */
const PATIENCE_SECONDS = 600;
/** Part of the names of all files: a repeated test must not find the venues that its first attempt added. */
let attempt = 0;
/** Fewer than AT_ONCE, so that adds and annotations dominate. */
const LANES_OF_KILLS = Math.min(8, POSTGRES_KILLS);

const site = await startSite();
afterAll(site.close);

test(`F01, F02, F03, F04, F05: ${ROUNDS} files are completed with each venue stored once, despite kills, freezes and lost connections`, {
  timeout: 600_000 + ROUNDS * 15_000,
}, async () => {
  await site.hurry();
  const begun = performance.now();
  const chance = random(SEED);
  const faults = createFaults(site);
  const ends: JobEnd[] = [];
  let next = 0;
  const files = `round ${SEED} try ${++attempt}`;
  const lane = async () => {
    while (next < ROUNDS) {
      const round = next++;
      ends.push(await runJob(site, `${files} ${round}`, troubleOf(round, faults, chance)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // A fast machine completes the files before the parts have been up often enough for all faults.
  const during = () => void faults.strike();
  while (faults.areWaiting())
    ends.push(await runJob(site, `${files} ${next++}`, { patienceSeconds: PATIENCE_SECONDS, during }));
  await faults.over();
  const struck = site.struck.filter(({ at }) => at >= begun);
  const result = account(ends, site.ended);
  const hits = spread(ends.slice(0, ROUNDS).map((end) => hitsOf(end, struck)));
  const seconds = { ...spread(ends.map((end) => end.seconds)), all: Math.round((performance.now() - begun) / 1000) };
  console.log(JSON.stringify({ ...result, seconds, hits, struck: tally(struck) }, undefined, 1));
  expect(result, site.output()).toEqual({ rounds: next, ...NOTHING_AMISS });
  expect(hits.least, "every file has a fault while it is at work").toBeGreaterThan(0);
  if (ROUNDS >= LEAST_ROUNDS) expect(Object.keys(tally(struck))).toEqual(expect.arrayContaining(MET));
});

test(`F29: PostgreSQL ends ${POSTGRES_KILLS} times during adds and annotations, and no process ends with it`, {
  timeout: 600_000 + POSTGRES_KILLS * 15_000,
}, async () => {
  await site.hurry();
  const begun = performance.now();
  const chance = random(SEED);
  const ends: JobEnd[] = [];
  let [next, kills, atWork] = [0, 0, 0];
  const files = `kills ${SEED} try ${++attempt}`;
  const during: Trouble["during"] = (stage) => {
    if (stage !== "match") atWork = performance.now();
  };
  const lane = async () => {
    while (kills < POSTGRES_KILLS)
      ends.push(await runJob(site, `${files} ${next++}`, { patienceSeconds: PATIENCE_SECONDS, during }));
  };
  const lanes = Array.from({ length: LANES_OF_KILLS }, lane);
  const over = Promise.all(lanes);
  over.catch(() => {});
  while (kills < POSTGRES_KILLS) {
    await after(1000 + chance() * 2000); // lets some work finish in between
    while (performance.now() - atWork > 200) await after(20);
    await site.endDatabase(SERVER_ENDS[kills++ % SERVER_ENDS.length] ?? "server killed");
  }
  kills = POSTGRES_KILLS;
  await over;
  const struck = site.struck.filter(({ at }) => at >= begun);
  const result = account(ends, site.ended);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(JSON.stringify({ ...result, seconds, struck: tally(struck) }, undefined, 1));
  expect(result, site.output()).toEqual({ rounds: next, ...NOTHING_AMISS });
  expect(struck).toHaveLength(POSTGRES_KILLS);
});

const NOTHING_AMISS = { lost: 0, doubled: 0, contradicted: 0, misnoted: 0, stuck: 0, amiss: [], ended: [] };

/** Every part killed and frozen, and every point. */
const MET = [
  ...["worker", "app", "directory", "database"].flatMap((part) => [`${part} killed`, `${part} frozen`]),
  ...Object.values(POINTS)
    .flat()
    .map((point) => `worker ${point}`),
];

/** Triggers the faults of a round: each point from the start of its stage, the other faults at a random moment of theirs. */
function troubleOf(round: number, faults: ReturnType<typeof createFaults>, chance: () => number): Trouble {
  const plan = planOf(round);
  const [ms, done] = [chance() * 400, { match: 0, team: 0, add: chance() * 8, annotate: chance() * 25 }];
  const begun = new Set<Stage>();
  let isDue = false;
  let stageStruck: string | undefined;
  return {
    patienceSeconds: PATIENCE_SECONDS,
    before(stage) {
      if (begun.has(stage)) return;
      begun.add(stage);
      for (const each of plan.points) if (each.stage === stage) site.arm(each.point);
      for (const each of plan.faults) if (each.stage === stage) faults.add(each.fault);
      isDue ||= plan.faults.some((each) => each.stage === stage);
    },
    during(stage, sinceMs, isDone) {
      if (!isDue || stageStruck === stage || sinceMs < ms || isDone < done[stage]) return;
      if (faults.strike()) stageStruck = stage;
    },
  };
}

/** Generates numbers from 0 to 1, determined by the seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
