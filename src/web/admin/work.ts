import { poolsInUse } from "../../db/connections.ts";
import { countStored, queuedTasks } from "../../harmonize/run/metrics.ts";
import { figuresOf } from "../../http/figures.ts";
import { waitInWords } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { within } from "../base/within.ts";
import { count } from "../base/words.ts";

/** A figure of /metrics in words. */
export interface Figure {
  name: string;
  words: string;
}

/** Of all processes together. */
export async function workInWords({ harmonizer }: Web): Promise<Figure[]> {
  const [tasks, listings] = await within(Promise.all([queuedTasks(harmonizer), countStored(harmonizer)]));
  const begun = tasks.filter(({ waiting, active }) => waiting + active > 0);
  const words = begun.map(({ kind, waiting, active, oldestSeconds }) => {
    const since = waiting > 0 ? `, the oldest for ${waitInWords(Math.round(oldestSeconds))}` : "";
    return `${kind}: ${active} running, ${waiting} waiting${since}`;
  });
  return [
    { name: "Tasks", words: words.join("; ") || "None." },
    {
      name: "Listings",
      words: `${number(listings.matched)} matched, ${number(listings.pending)} to be matched, ${number(listings.failed)} failed.`,
    },
  ];
}

/** Of the process that shows the page, since it started. */
export async function processInWords(): Promise<Figure[]> {
  const pools = poolsInUse().map(({ name, busy, idle, max, waiting }) => {
    const calls = waiting > 0 ? `, ${count(waiting, "call")} waiting` : "";
    return `${name}: ${busy} busy and ${idle} idle of at most ${max}${calls}`;
  });
  return [
    { name: "Database connections", words: pools.join("; ") },
    { name: "Calls to the directory", words: await totals("samespot_directory_call_seconds", "outcome") },
    { name: "Log-ins at the web app", words: await totals("samespot_log_ins_total", "outcome") },
    { name: "Refused requests", words: await totals("samespot_refusals_total", "kind") },
  ];
}

async function totals(metric: string, label: string): Promise<string> {
  const figures = [...(await figuresOf(metric, label))].toSorted((a, b) => b[1] - a[1]);
  return figures.map(([word, total]) => `${number(total)} ${word.replaceAll("_", " ")}`).join(", ") || "None.";
}

const number = (value: number): string => value.toLocaleString("en-US");
