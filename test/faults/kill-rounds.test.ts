import { setTimeout as after } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { type JobEnd, runJob } from "./job.ts";
import { PARTS, startSite } from "./site.ts";

/** `npm run faults -- --rounds 300` sets it. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20);
const SEED = Number(process.env.FAULT_SEED ?? 1);
/** Files side by side: most of a round is waiting. */
const AT_ONCE = 7;
const PATIENCE_SECONDS = 300;

/** Beyond a worker's lease: another takes over what it comes back to. */
const FROZEN_SECONDS = 14;

/** Where a worker may end of itself. */
const POINTS = [
  ...["claimed", "asked", "before commit", "committed", "before done"],
  ...["add: before claim", "add: claimed", "add: answered", "add: committed"],
];

const site = await startSite();
afterAll(site.close);

test(`F01, F02, F03, F04, F05: ${ROUNDS} files come to their end, each place once, whatever is killed meanwhile`, {
  timeout: 300_000 + ROUNDS * 30_000,
}, async () => {
  const chance = random(SEED);
  const killing = new AbortController();
  const kills = killSomething(chance, killing.signal);
  const ends: JobEnd[] = [];
  let next = 0;
  const lane = async () => {
    while (next < ROUNDS) ends.push(await runJob(site, `round ${SEED} ${next++}`, PATIENCE_SECONDS));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  killing.abort();
  const sum = (of: (end: JobEnd) => number) => ends.reduce((total, end) => total + of(end), 0);
  const result = {
    ...{ rounds: ends.length, lost: sum(({ lost }) => lost), doubled: sum(({ doubled }) => doubled) },
    stuck: sum(({ isStuck }) => Number(isStuck)),
  };
  const seconds = ends.map((end) => end.seconds).sort((a, b) => a - b);
  const [median, longest] = [seconds[Math.floor(seconds.length / 2)], seconds.at(-1)].map((each) => each?.toFixed(1));
  console.log(JSON.stringify({ ...result, kills: await kills, seconds: { median, longest } }));
  expect(result, site.output()).toEqual({ rounds: ROUNDS, lost: 0, doubled: 0, stuck: 0 });
});

test("F01: a file over which one worker ends, and then another, is done within a minute", {
  timeout: 120_000,
}, async () => {
  for (const part of ["worker 1", "worker 2"] as const) await site.kill(part, "asked");
  const { lost, isStuck, seconds } = await runJob(site, "ended twice", 80);
  console.log(`Two workers ended over it: done after ${seconds.toFixed(1)} s`);
  expect({ lost, isStuck }).toEqual({ lost: 0, isStuck: false });
  expect(seconds).toBeLessThan(60);
});

/** Kills one part after another, until it is told to stop; answers how often each. */
async function killSomething(chance: () => number, signal: AbortSignal) {
  const kills: Record<string, number> = {};
  while (!signal.aborted) {
    await after(chance() * 3000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const part = PARTS[Math.floor(chance() * PARTS.length)] ?? "app";
    const how = chance();
    const isWorker = part.startsWith("worker");
    if (isWorker && how < 0.2) site.freeze(part, FROZEN_SECONDS);
    else await site.kill(part, isWorker && how < 0.6 ? POINTS[Math.floor(chance() * POINTS.length)] : undefined);
    kills[part] = (kills[part] ?? 0) + 1;
  }
  return kills;
}

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
