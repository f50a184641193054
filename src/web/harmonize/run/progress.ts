import type { FastifyReply } from "fastify";
import { type Progress, progressOf } from "../../../harmonize/results/progress.ts";
import { type Harmonization, isAtWork, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { refusalOf } from "../../../harmonize/run/hold-up.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { outcomes, SHOWN_OUTCOMES } from "../base/outcomes.ts";
import { peopleLine } from "../base/people.ts";

export async function sendProgress(web: Web, reply: FastifyReply, member: Member, h: Harmonization) {
  const progress = await progressOf(web.harmonizer, h);
  const live = progressView(h, progress);
  const refusal = refusalOf(h);
  const shown = outcomes();
  return sendPage(reply, member, "harmonize/progress", {
    title: [live.percentText, h.name].filter(Boolean).join(" – "),
    run: { id: h.id, name: h.name },
    live,
    stage: stageOf(h),
    outcomes: SHOWN_OUTCOMES.map((outcome) => ({ ...shown[outcome], outcome, count: live[outcome] })),
    pause: h.pausedFor ? pauseOf(h.pausedFor, refusal && wordsOf(refusal)) : undefined,
    isOwner: isOwner(h, member),
    people: await peopleLine(web, member, h),
    connectHref: `/login?${new URLSearchParams({ next: `/harmonizations/${h.id}` })}`,
    note: notes()[h.pausedFor ?? "none"],
    /** Whether it may continue without a person. */
    isMoving: h.pausedFor !== "person",
  });
}

/** The stage that a page shows: an open page of another stage reloads. `-judged`: positions were checked while nothing ran. */
export function stageOf(h: Pick<Harmonization, "state" | "pausedFor" | "positions">): string {
  const { state, pausedFor, positions } = h;
  if (isAtWork(h)) return pausedFor ? `${state}-${pausedFor}` : state;
  return positions ? `${state}-judged` : state;
}

const states = (): Partial<Record<Progress["state"], string>> => ({
  reading: t("Reading the file"),
  matching: t("Matching"),
  adding: t("Adding venues"),
  annotating: t("Writing your ids to the directory"),
  undoing: t("Deleting the added venues"),
});

const pauses = () => ({
  person: {
    kind: "info",
    heading: t("Paused."),
    message: t("Everything done so far is kept. Resume to continue where it stopped."),
  },
  connection: {
    kind: "warning",
    heading: t("Waiting for a connection to the directory."),
    message: t(
      "The directory no longer accepts the access of the person who started this. It continues by itself when that person connects again.",
    ),
  },
  directory: {
    kind: "warning",
    heading: t("The directory does not answer, or refuses Samespot."),
    message: t("Nothing is lost. Resume when it works again."),
  },
  application: {
    kind: "warning",
    heading: t("The directory does not allow Samespot to do this."),
    message: t("An admin of this Samespot has to ask the directory's operator."),
  },
});

/** @param refusal what the directory said, if it refused */
function pauseOf(pausedFor: keyof ReturnType<typeof pauses>, refusal: string | undefined) {
  const { message, ...pause } = pauses()[pausedFor];
  return { ...pause, message: refusal || message, isConnection: pausedFor === "connection" };
}
export type Pause = ReturnType<typeof pauseOf>;

const notes = () => ({
  none: t("You can close this page and come back: it continues without you."),
  person: t("You can close this page and come back. It waits until somebody resumes it."),
  connection: t("You can close this page. It continues when the person who started it connects again."),
  directory: t("You can close this page and come back: it waits until somebody resumes it."),
  application: t(
    "Nothing is lost. You can close this page: it tries again every minute, and continues when the directory allows it.",
  ),
});

/** `percent` is undefined if the total is unknown. */
export function progressView(h: Harmonization, progress: Progress) {
  const { state, pausedFor } = h;
  const { total, done, retryAt, counts, perSecond, hasWorker } = progress;
  // While a file is being read the total is an estimate, and its last row does not end the work.
  const most = state === "reading" ? 99 : 100;
  const percent = total > 0 ? Math.min(most, Math.floor((done / total) * 100)) : undefined;
  const isRunning = pausedFor === null;
  const what = states()[state] ?? t("Working");
  const number = (value: number) => (progress.isCounted ? formatNumber(value) : "…");
  const until = isRunning && retryAt ? shownTime(retryAt) : undefined;
  return {
    what: isRunning ? what : t("{what}, paused", { what }),
    percent,
    percentText: percent === undefined ? "" : `${percent} %`,
    done: doneInWords(progress),
    speed: isRunning && perSecond ? t("{number, number} a second", { number: Math.max(1, Math.round(perSecond)) }) : "",
    left: isRunning && !until ? timeLeft(progress.secondsLeft) : "",
    waiting: until ? waitingInWords(h, until.text) : "",
    idle: isRunning && !hasWorker ? t("No worker is running at the moment. This continues when one starts.") : "",
    toReview:
      counts.review > 0 ? t("Review {count, plural, one {# row} other {# rows}}", { count: counts.review }) : "",
    toDownload:
      h.listingCount > 0 && progress.isCounted && counts.pending < h.listingCount
        ? t("Download what is done so far")
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
    ? t("The directory cannot be reached. Samespot tries again by itself {time}.", { time })
    : t("The directory asked Samespot to wait. It continues by itself {time}.", { time });
}

export type ProgressView = ReturnType<typeof progressView>;

function doneInWords({ state, total, done, isCounted, countedAgo }: Progress): string {
  if (state === "reading")
    return total > 0
      ? t("{done, number} of about {total, plural, one {# row} other {# rows}} read", { done, total })
      : "";
  if (!isCounted) return t("Counting…");
  if (total === 0) return "";
  if (countedAgo === undefined)
    return t("{done, number} of {total, plural, one {# row} other {# rows}}", { done, total });
  return t("{done, number} of {total, plural, one {# row} other {# rows}}, counted {seconds, number} seconds ago", {
    done,
    total,
    seconds: Math.round(countedAgo),
  });
}

function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined) return "";
  if (seconds < 10) return t("a few seconds left");
  if (seconds < 90) return t("about {seconds} seconds left", { seconds: Math.round(seconds / 10) * 10 });
  if (seconds < 90 * 60)
    return t("about {minutes, plural, one {# minute} other {# minutes}} left", { minutes: Math.round(seconds / 60) });
  return t("about {hours, plural, one {# hour} other {# hours}} left", { hours: Math.round(seconds / 3600) });
}
