import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LAPTOP } from "../../support/production.ts";
import { dataFolder, freeAddresses } from "../../support/samespot.ts";

/** Of each way to end, at moments from the first line of npm to a second after the start. */
const MOMENTS = Number(process.env.MOMENTS ?? 1);

const WAYS = [
  ["SIGTERM to the process group", "SIGTERM", -1],
  ["SIGTERM to npm alone", "SIGTERM", 1],
  ["SIGINT to the process group", "SIGINT", -1],
] as const;

const settings = await freeAddresses();
const prepared = dataFolder();
/** Milliseconds of a first start, and about of a later one, which makes no database. */
const takes = { first: 0, later: 0 };

const running = new Set<number>();
afterAll(() => {
  for (const pid of running) process.kill(-pid, "SIGKILL");
});

/** Runs `npm start` as the leader of a process group. */
function start(dataDir: string) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...LAPTOP, ...settings, SAMPLE_DATA: "off", DATA_DIR: dataDir };
  const npm = spawn("npm", ["start"], { detached: true, env, stdio: ["ignore", "pipe", "pipe"] });
  const pid = npm.pid ?? 0;
  let output = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(npm, "close").then(([code, signal]: (number | string | null)[]) => ({ code, signal }));
  running.add(pid);
  void ended.then(() => running.delete(pid));
  return { pid, ended, output: () => output };
}

/** Starts, and ends by SIGTERM to npm alone. Returns how long the start took. */
async function wholeLife(dataDir: string): Promise<number> {
  const begun = performance.now();
  const { pid, ended, output } = start(dataDir);
  while (!/^Open /m.test(output()) && running.has(pid)) await after(20);
  const ms = performance.now() - begun;
  process.kill(pid, "SIGTERM");
  expect(await ended, output()).toEqual({ code: 0, signal: null });
  for (const address of Object.values(settings)) await expect(fetch(address)).rejects.toThrow("fetch failed");
  return ms;
}

/** Programs of PostgreSQL that use the folder. */
function serversOf(dataDir: string): string[] {
  const folder = existsSync(dataDir) ? realpathSync(dataDir) : dataDir;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // it has ended
      }
    })
    .filter((line) => line.includes(folder) && !line.startsWith("npm") && !line.includes("main.ts"));
}

describe.runIf(process.platform === "linux")("F96: `npm start` with the embedded PostgreSQL", () => {
  beforeAll(async () => {
    takes.first = await wholeLife(prepared);
    takes.later = takes.first / 2;
  });

  // Every way, and both kinds of start, by turns: all of them together with more MOMENTS than one.
  const cases = WAYS.flatMap((way, turn) =>
    (["first", "later"] as const)
      .filter((_, kind) => MOMENTS > 1 || kind === turn % 2)
      .flatMap((kind) => Array.from({ length: MOMENTS }, (_, at) => [kind, ...way, (at + 0.5) / MOMENTS] as const)),
  );

  it.each(cases)(
    "the %s start leaves no server behind at %s (%s, %i, at the share %d of a start)",
    async (kind, _, signal, whom, share) => {
      const dataDir = kind === "first" ? dataFolder() : prepared;
      const { pid, ended, output } = start(dataDir);
      await after(share * (takes[kind] + 1000));
      process.kill(whom * pid, signal);
      const end = await ended;
      expect(serversOf(dataDir)).toEqual([]);
      const heard = output().includes('"msg":"stopping"');
      expect(end).toEqual(heard ? { code: 0, signal: null } : { code: null, signal }); // before it the program has not yet begun
      if (heard)
        for (const word of ["stopping", "stopped"])
          expect(output()).toMatch(new RegExp(`"reason":"${signal}".*"msg":"${word}"`));
      expect(output(), "no warnings").not.toMatch(/"level":[456]0/);
    },
  );
});
