import { peakMegabytes, type Usage, usageOf } from "./processes.ts";

export interface Watched {
  name: string;
  pid: number;
  /** Has processes of its own. */
  isMany?: boolean;
}

export interface Used {
  name: string;
  cpuMs: number;
  start: number;
  end: number;
  peak: number;
}

const SAMPLE_MS = 2000;

/** Starts to watch the processes. PostgreSQL is several, so its peak comes from samples. */
export function watch(processes: Watched[]): () => Used[] {
  const usages = (): [name: string, usage: Usage][] => processes.map(({ name, pid }) => [name, usageOf(pid)]);
  const before = new Map(usages());
  const sampled = new Map<string, number>();
  const sample = () => {
    for (const [name, { megabytes }] of usages()) sampled.set(name, Math.max(megabytes, sampled.get(name) ?? 0));
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    sample();
    return processes.map(({ name, pid, isMany }) => {
      const [first, last] = [before.get(name), usageOf(pid)];
      const peak = isMany ? (sampled.get(name) ?? Number.NaN) : peakMegabytes(pid);
      const cpuMs = last.cpuMs - (first?.cpuMs ?? Number.NaN);
      return { name, cpuMs, start: first?.megabytes ?? Number.NaN, end: last.megabytes, peak };
    });
  };
}
