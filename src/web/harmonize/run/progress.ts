import type { FastifyReply } from "fastify";
import { type Progress, progressOf } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isAtWork, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { refusalOf } from "../../../harmonize/run/hold-up.ts";
import { wordsOf } from "../../../harmonize/run/words.ts";
import { moment } from "../../../http/pages/times.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { count } from "../../base/words.ts";
import { formatNumber, OUTCOMES, SHOWN_OUTCOMES } from "../base/outcomes.ts";

export async function sendProgress(web: Web, reply: FastifyReply, member: Member, found: Harmonization) {
  const progress = await progressOf(web.harmonizer, found);
  const live = progressView(found, progress);
  const refusal = refusalOf(found);
  return sendPage(reply, member, "harmonize/progress", {
    title: [live.percentText, found.name].filter(Boolean).join(" – "),
    run: { id: found.id, name: found.name },
    live,
    stage: stageOf(found),
    outcomes: SHOWN_OUTCOMES.map((outcome) => ({ ...OUTCOMES[outcome], outcome, count: live[outcome] })),
    pause: found.pausedFor ? pauseOf(found.pausedFor, refusal && wordsOf(refusal)) : undefined,
    isOwner: isOwner(found, member),
    connectHref: `/login?${new URLSearchParams({ next: `/harmonizations/${found.id}` })}`,
    note: NOTES[found.pausedFor ?? "none"],
    /** Whether it may continue without a person. */
    isMoving: found.pausedFor !== "person",
  });
}

/** The stage that a page shows: an open page of another stage reloads. `-judged`: positions were checked while nothing ran. */
export function stageOf(h: Pick<Harmonization, "state" | "pausedFor" | "positions">): string {
  const { state, pausedFor, positions } = h;
  if (isAtWork(h)) return pausedFor ? `${state}-${pausedFor}` : state;
  return positions ? `${state}-judged` : state;
}

const STATES: Partial<Record<Progress["state"], string>> = {
  reading: "Reading the file",
  matching: "Matching",
  adding: "Adding venues",
  annotating: "Writing your ids to the directory",
  undoing: "Deleting the added venues",
};

const PAUSES = {
  person: { kind: "info", heading: "Paused.", message: "What is done is kept. Resume continues where it stopped." },
  connection: {
    kind: "warning",
    heading: "Waiting for a connection to the directory.",
    message:
      "The directory no longer accepts the access of the person who started this. It continues by itself when that person connects again.",
  },
  directory: {
    kind: "warning",
    heading: "The directory does not answer, or refuses Samespot.",
    message: "Nothing is lost. Resume when it works again.",
  },
  application: {
    kind: "warning",
    heading: "The directory does not allow Samespot to do this.",
    message: "An admin of this Samespot has to ask the directory's operator.",
  },
};

/** @param refusal what the directory said, if it refused */
function pauseOf(pausedFor: keyof typeof PAUSES, refusal: string | undefined) {
  const { message, ...pause } = PAUSES[pausedFor];
  return { ...pause, message: refusal || message, isConnection: pausedFor === "connection" };
}
export type Pause = ReturnType<typeof pauseOf>;

const NOTES = {
  none: "You can close this page and come back: it continues without you.",
  person: "You can close this page and come back. It waits until somebody resumes it.",
  connection: "You can close this page. It continues when the person who started it connects again.",
  directory: "You can close this page and come back: it waits until somebody resumes it.",
  application:
    "Nothing is lost. You can close this page: it tries again every minute, and continues when the directory allows it.",
};

/** `percent` is undefined if the total is unknown. */
export function progressView(found: Harmonization, progress: Progress) {
  const { state, pausedFor } = found;
  const { total, done, retryAt, counts, perSecond, hasWorker } = progress;
  // While a file is being read the total is an estimate, and its last row does not end the work.
  const most = state === "reading" ? 99 : 100;
  const percent = total > 0 ? Math.min(most, Math.floor((done / total) * 100)) : undefined;
  const isRunning = pausedFor === null;
  const number = (value: number) => (progress.isCounted ? formatNumber(value) : "…");
  const until = isRunning && retryAt ? moment(retryAt.getTime() / 1000) : undefined;
  return {
    what: `${STATES[state] ?? "Working"}${isRunning ? "" : ", paused"}`,
    percent,
    percentText: percent === undefined ? "" : `${percent} %`,
    done: doneInWords(progress),
    speed: isRunning && perSecond ? `${formatNumber(Math.max(1, Math.round(perSecond)))} a second` : "",
    left: isRunning && !until ? timeLeft(progress.secondsLeft) : "",
    waiting: until ? waitingInWords(found, until.time) : "",
    idle: isRunning && !hasWorker ? "No worker is running at the moment. This continues when one starts." : "",
    toReview: counts.review > 0 ? `Review ${count(counts.review, "listing")}` : "",
    toDownload:
      found.listingCount > 0 && progress.isCounted && counts.pending < found.listingCount
        ? "Download what is done so far"
        : "",
    matched: number(counts.matched),
    review: number(counts.review),
    none: number(counts.none),
    failed: number(counts.failed),
    pending: number(counts.pending),
  };
}

function waitingInWords({ task }: Harmonization, time: string): string {
  const { silentSince } = (task as { silentSince?: string } | null) ?? {};
  return silentSince
    ? `The directory cannot be reached. Samespot tries again by itself at ${time} UTC.`
    : `The directory asked Samespot to wait until ${time} UTC. It continues by itself then.`;
}

export type ProgressView = ReturnType<typeof progressView>;

function doneInWords({ state, total, done, isCounted, countedAgo }: Progress): string {
  if (state === "reading") return total > 0 ? `${formatNumber(done)} of about ${count(total, "row")} read` : "";
  if (!isCounted) return "Counting…";
  if (total === 0) return "";
  const when = countedAgo === undefined ? "" : `, counted ${Math.round(countedAgo)} seconds ago`;
  return `${formatNumber(done)} of ${count(total, "listing")}${when}`;
}

function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 10) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} seconds left`;
  if (seconds < 90 * 60) return `about ${count(Math.round(seconds / 60), "minute")} left`;
  return `about ${count(Math.round(seconds / 3600), "hour")} left`;
}
