// npm run bench -- outages [--only away|ends] [--times 3] [--ends 50] [--drain 3]: what users notice while the database is away, and
// while a process that gets 50 requests a second is ended by SIGTERM and started again. --times repeats each outage, --ends the
// signal; 50 of them take some seven minutes. --drain is the process's DRAIN_SECONDS: without a proxy its default is 0.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { lasting } from "./support/lasting.ts";
import { type Caller, type OutageSite, withOutageSite } from "./support/outage-site.ts";
import { stop } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { ask, type Reply } from "./support/strangers.ts";

const PER_SECOND = 50;
/** Milliseconds before an outage or signal, after an outage, and between the calls of a user. */
const [BEFORE, AFTER, PAUSE] = [1500, 10_000, 50];

export const SMALLEST = ["--times", "1", "--ends", "1", "--drain", "0"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { only: { type: "string" }, times: text("3"), ends: text("50"), drain: text("3") } as const;
  const { only, times, ends, drain } = parseArgs({ args, options }).values;
  const tables: Tables = {};
  await withScratch((scratch) =>
    withOutageSite(scratch, { DRAIN_SECONDS: drain }, async (site) => {
      if (only !== "ends") tables["The database is away"] = await measureOutages(site, Number(times));
      if (only !== "away")
        tables[`SIGTERM at ${PER_SECOND} requests a second, ${drain} s of draining`] = [
          await measureEnds(site, Number(ends)),
        ];
    }),
  );
  return tables;
}

async function measureOutages(site: OutageSite, times: number): Promise<Row[]> {
  const rows: Row[] = [];
  const child = await site.launch();
  for (const [what, strike] of Object.entries(site.outages))
    for (let time = 1; time <= times; time++) {
      say(`The database ${what}, ${time} of ${times}…`);
      const row = await measureOutage(site, strike);
      rows.push({
        "the database": what,
        ...row,
        "log-outs": await site.loggedOut(),
        ends: Number(child.exitCode !== null),
      });
    }
  await stop(child);
  return rows;
}

interface Call extends Reply {
  kind: Caller["kind"];
  /** When it was answered. */
  at: number;
}

async function measureOutage({ callers }: OutageSite, strike: () => Promise<unknown>): Promise<Row> {
  const calls: Call[] = [];
  let isOver = false;
  const calling = callers.map(async ({ kind, url, headers }) => {
    const agent = new Agent({ keepAlive: true });
    for (; !isOver; await sleep(PAUSE)) {
      const reply = await ask(url, { agent, headers });
      calls.push({ kind, at: performance.now(), ...reply });
    }
    agent.destroy();
  });
  await sleep(lasting(BEFORE));
  const begun = performance.now();
  await strike();
  const back = performance.now();
  await sleep(lasting(AFTER));
  isOver = true;
  await Promise.all(calling);
  const [without, needing] = [
    ["health", "file"],
    ["page", "search"],
  ].map((kinds) => calls.filter(({ kind }) => kinds.includes(kind)));
  const failed = (needing ?? []).filter(({ status }) => status !== 200);
  return {
    "away s": (back - begun) / 1000,
    errors: failed.length,
    as: statusesOf(failed),
    "slowest error ms": Math.max(0, ...failed.map(({ ms }) => ms)),
    "last error after s": Math.max(0, ...failed.map(({ at }) => at - back)) / 1000,
    "health and files": `${without?.filter(({ status }) => status === 200).length} of ${without?.length}`,
  };
}

const statusesOf = (replies: Reply[]): string => [...new Set(replies.map(({ status }) => status))].sort().join(" ");

async function measureEnds(site: OutageSite, times: number): Promise<Row> {
  const replies: Reply[] = [];
  const seconds: number[] = [];
  const codes = new Set<number | null>();
  for (let time = 1; time <= times; time++) {
    say(`SIGTERM ${time} of ${times}…`);
    const end = await endUnderLoad(await site.launch(), site.callers);
    replies.push(...end.replies);
    seconds.push(end.seconds);
    codes.add(end.code);
  }
  const child = await site.launch();
  const loggedOut = await site.loggedOut();
  await stop(child);
  const sorted = seconds.toSorted((a, b) => a - b);
  const unanswered = replies.filter(({ status }) => status === 0);
  return {
    signals: times,
    "exit codes": [...codes].join(" "),
    "median s": sorted[Math.floor(times / 2)] ?? Number.NaN,
    "longest s": sorted.at(-1) ?? Number.NaN,
    requests: replies.length,
    answered: statusesOf(replies.filter(({ status }) => status !== 0)),
    aborted: unanswered.filter(({ error }) => error !== "ECONNREFUSED").length,
    "not accepted": unanswered.filter(({ error }) => error === "ECONNREFUSED").length,
    "log-outs": loggedOut,
  };
}

/** Calls until the process has ended; the last calls may find no listener. */
async function endUnderLoad(child: ChildProcess, callers: readonly Caller[]) {
  const replies: Promise<Reply>[] = [];
  const agent = new Agent({ keepAlive: true });
  const sending = setInterval(() => {
    const { url, headers } = callers[replies.length % callers.length] as Caller;
    replies.push(ask(url, { agent, headers }));
  }, 1000 / PER_SECOND);
  await sleep(lasting(BEFORE));
  const begun = performance.now();
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = (await exited) as [number | null];
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(sending);
  const all = await Promise.all(replies);
  agent.destroy();
  return { replies: all, seconds, code };
}
