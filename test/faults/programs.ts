import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const PROJECT = path.resolve(import.meta.dirname, "../..");

export const PROGRAMS = ["worker 1", "worker 2", "worker 3", "directory", "app"] as const;
export type Program = (typeof PROGRAMS)[number];

/** `how` is killed, frozen, cut off, or the point at which a worker ended; `at` is from performance.now(). */
export interface Struck {
  part: string;
  how: string;
  at: number;
}

/** The processes of a site. It restarts those that end. */
export function createPrograms(envOf: (program: Program) => NodeJS.ProcessEnv) {
  let output = "";
  let isOver = false;
  const running = new Map<Program, ChildProcess>();
  /** Processes that have reported to be ready. */
  const working = new WeakSet<ChildProcess>();
  /** Points at which a worker is to end, once each. */
  const points: string[] = [];
  const struck: Struck[] = [];
  /** Processes that ended after their start without being killed, with their exit code. */
  const ended: string[] = [];

  const hear = (part: Program, child: ChildProcess, text: string) => {
    output = (output + text).slice(-20_000);
    if (/works|^Open |^Demo account: /m.test(text)) working.add(child);
    const [, point] = /ends at <(.+)>/.exec(text) ?? [];
    if (point === undefined) return;
    struck.push({ part, how: point, at: performance.now() });
    if (points.includes(point)) points.splice(points.indexOf(point), 1);
    for (const each of running.values()) tell(each);
  };
  const tell = (child: ChildProcess) => {
    if (child.connected) child.send(points, () => {}); // it may be about to end
  };
  const start = (part: Program) => {
    const isWorker = part.startsWith("worker");
    const child = spawn(process.execPath, [isWorker ? "test/faults/worker-child.ts" : "src/main.ts"], {
      cwd: PROJECT,
      env: { ...envOf(part), ROLES: isWorker ? "worker" : part },
      stdio: ["ignore", "pipe", "pipe", ...(isWorker ? (["ipc"] as const) : [])],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => hear(part, child, text));
    running.set(part, child);
    tell(child);
    child.once("exit", (code, signal) => {
      if (isOver) return;
      if (working.has(child) && signal !== "SIGKILL") ended.push(`${part}: ${signal ?? code}`);
      if (running.get(part) === child) start(part);
    });
  };
  return {
    ...{ start, struck, ended },
    /** The last part of their output. */
    output: () => output,
    /** The next worker that reaches this point ends there. */
    arm(point: string): void {
      points.push(point);
      for (const child of running.values()) tell(child);
    },
    isWorking(part: Program): boolean {
      const child = running.get(part);
      return child !== undefined && child.exitCode === null && child.signalCode === null && working.has(child);
    },
    async kill(part: Program): Promise<void> {
      const child = running.get(part);
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    /** Stops the process until the returned function is called. */
    freeze(part: Program): () => void {
      const child = running.get(part);
      child?.kill("SIGSTOP");
      return () => void child?.kill("SIGCONT");
    },
    async close(): Promise<void> {
      isOver = true;
      const ends = [...running.values()].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit"));
      for (const child of running.values()) child.kill("SIGKILL");
      await Promise.all(ends);
    },
  };
}
