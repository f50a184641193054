import { poolsInUse } from "../../db/connections.ts";
import { countStored, queuedTasks } from "../../harmonize/run/metrics.ts";
import { figuresOf } from "../../http/metrics.ts";
import { formatNumber } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { waitInWords } from "../../shared/errors.ts";
import { within } from "../../shared/within.ts";
import type { Web } from "../base/deps.ts";

/** Figures of /metrics in words, a line each. */
export interface Figure {
  name: string;
  lines: string[];
}

/** The work of all processes together. */
export async function workInWords({ harmonizer }: Web): Promise<Figure[]> {
  const [tasks, listings] = await within(Promise.all([queuedTasks(harmonizer), countStored(harmonizer)]));
  const begun = tasks.filter(({ waiting, active }) => waiting + active > 0);
  const words = begun.map(({ kind, waiting, active, oldestSeconds }) =>
    t("{kind}: {active} running, {waiting} waiting{waiting, plural, =0 {} other {, the oldest for {time}}}", {
      kind: wordOf(kind),
      active,
      waiting,
      time: waitInWords(Math.round(oldestSeconds)),
    }),
  );
  return [
    { name: t("Tasks"), lines: words.length > 0 ? words : [t("None.")] },
    {
      name: t("Rows"),
      lines: [
        t("{matched, number} matched, {pending, number} to be matched, {failed, number} failed.", { ...listings }),
      ],
    },
  ];
}

/** What the process that shows the page has done since it started. */
export async function processInWords(): Promise<Figure[]> {
  const pools = poolsInUse().map(({ name, busy, idle, max, waiting }) =>
    t(
      "{name}: {busy} busy and {idle} idle of at most {max}{waiting, plural, =0 {} one {, # call waiting} other {, # calls waiting}}",
      { name, busy, idle, max, waiting },
    ),
  );
  return [
    { name: t("Database connections"), lines: pools },
    { name: t("Calls to the directory"), lines: [await totals("samespot_directory_call_seconds", "outcome")] },
    { name: t("Log-ins at the web app"), lines: [await totals("samespot_log_ins_total", "outcome", OWN)] },
    { name: t("Refused requests"), lines: [await totals("samespot_refusals_total", "kind")] },
  ];
}

/** A process may be the directory as well. */
const OWN = { program: "app" };

async function totals(metric: string, label: string, only?: Record<string, string>): Promise<string> {
  const figures = [...(await figuresOf(metric, label, only))].toSorted((a, b) => b[1] - a[1]);
  return figures.map(([word, total]) => `${formatNumber(total)} ${wordOf(word)}`).join(", ") || t("None.");
}

/** Words a label of /metrics, or a kind of task. */
const wordOf = (label: string): string => WORDS[label]?.() ?? label.replaceAll("_", " ");

const WORDS: Partial<Record<string, () => string>> = {
  // Calls to the directory.
  ok: () => t("ok"),
  failed: () => t("failed"),
  aborted: () => t("aborted"),
  unreachable: () => t("unreachable"),
  refused_token: () => t("refused token"),
  refused_client: () => t("refused client"),
  not_enabled: () => t("not enabled"),
  rejected: () => t("rejected"),
  not_found: () => t("not found"),
  invalid_answer: () => t("invalid answer"),
  rate_limited: () => t("rate limited"),
  duplicate: () => t("duplicate"),
  conflict: () => t("conflict"),
  // Log-ins.
  malformed: () => t("malformed"),
  unknown: () => t("unrecognized"),
  elsewhere: () => t("elsewhere"),
  other_directory: () => t("other directory"),
  none_pending: () => t("none pending"),
  several_pending: () => t("several pending"),
  used: () => t("used"),
  expired: () => t("expired"),
  denied: () => t("denied"),
  still_logged_in: () => t("still logged in"),
  another_account: () => t("another account"),
  not_asked: () => t("not asked"),
  session_over: () => t("session over"),
  directory_error: () => t("directory error"),
  busy: () => t("busy"),
  wrong: () => t("wrong"),
  too_many_attempts: () => t("too many attempts"),
  // Refused requests.
  in_flight: () => t("in flight"),
  rate_limit: () => t("rate limit"),
  attempts: () => t("attempts"),
  connections: () => t("connections"),
  stopping: () => t("stopping"),
  // Tasks.
  read: () => t("read"),
  trial: () => t("trial"),
  positions: () => t("positions"),
  match: () => t("match"),
  retry: () => t("retry"),
  add: () => t("add"),
  annotate: () => t("annotate"),
  undo: () => t("undo"),
  conflicts: () => t("conflicts"),
  bridge: () => t("bridge"),
  changes: () => t("changes"),
  delete: () => t("delete"),
};
