import type { Progress } from "../../harmonize/results/progress.ts";
import { count, duration } from "../words.ts";

/** On standard error: a line rewritten in place, a line now and then, or nothing. */
export type Shows = "bar" | "lines" | "nothing";

const LINE_EVERY_MS = 10_000;
const WIDTH = 24;

/** What is shown of it. */
export type ShownProgress = Pick<
  Progress,
  "state" | "isCounted" | "total" | "done" | "failed" | "perSecond" | "secondsLeft" | "retryAt"
>;

export function createProgressDisplay(shows: Shows) {
  let lastLine = Number.NEGATIVE_INFINITY;
  return {
    show(progress: ShownProgress): void {
      if (shows === "bar") process.stderr.write(`\r\x1b[K${bar(progress)}${progressText(progress)}`);
      if (shows !== "lines" || performance.now() - lastLine < LINE_EVERY_MS) return;
      lastLine = performance.now();
      process.stderr.write(`${progressText(progress)}\n`);
    },
    /** Prints a sentence; as JSON if only JSON is expected. */
    say(message: string): void {
      if (shows === "nothing") process.stderr.write(`${JSON.stringify({ notice: message })}\n`);
      else process.stderr.write(`${shows === "bar" ? "\r\x1b[K" : ""}${message}\n`);
    },
    end: () => void (shows === "bar" && process.stderr.write("\r\x1b[K")),
  };
}

function bar({ total, done }: ShownProgress): string {
  if (total === 0) return "";
  const full = Math.floor((WIDTH * done) / total);
  return `[${"█".repeat(full)}${" ".repeat(WIDTH - full)}] `;
}

function progressText({
  state,
  isCounted,
  total,
  done,
  failed,
  perSecond,
  secondsLeft,
  retryAt,
}: ShownProgress): string {
  if (state === "reading") return "Reading the file";
  if (!isCounted) return "Counting the rows";
  const parts = [`${count(done)} of ${count(total)} rows, ${total ? Math.floor((100 * done) / total) : 100} %`];
  if (perSecond) parts.push(`${count(Math.round(perSecond))} a second`);
  if (secondsLeft) parts.push(`about ${duration(secondsLeft)} left`);
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (retryAt && retryAt.getTime() > Date.now()) parts.push("waiting because the directory limits calls");
  return parts.join(", ");
}
