import { unlessTooSlow } from "../../db/bulk.ts";
import { countsOf } from "../../harmonize/results/progress.ts";
import { type Waiting, waitingIn } from "../../harmonize/review/notes.ts";
import { type Harmonization, isAtWork, isOwner, roleOn } from "../../harmonize/run/harmonizations.ts";
import { shownTime } from "../../http/pages/times.ts";
import { formatNumber } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { expiryInWords } from "./base/expiry.ts";
import { barOf, type Counts, outcomes, SHOWN_OUTCOMES } from "./base/outcomes.ts";
import { waitingInWords } from "./base/waiting.ts";

/** Runs with counts; older ones go without. */
const MOST_COUNTED = 20;
const WAIT_MS = 300;

/** Makes the rows of a list of files, each with its state, owner, and counts if they are known in time. */
export async function runViews(web: Web, member: Member, runs: Harmonization[]): Promise<RunView[]> {
  const [names, waiting, counts] = await Promise.all([
    namesOf(web, runs, member),
    waitingIn(web.pool, member.id).catch(unlessTooSlow),
    Promise.all(runs.slice(0, MOST_COUNTED).map((run) => countsOf(web.harmonizer, run, WAIT_MS))),
  ]);
  return runs.map((run, at) => runView(run, { names, waiting: waiting?.get(run.id), counts: counts[at], member }));
}

async function namesOf({ prisma }: Web, runs: Harmonization[], { id: own }: Member): Promise<Map<string, string>> {
  const owners = runs.flatMap(({ list }) => list.people.filter(({ role }) => role === "owner"));
  const ids = new Set(owners.map(({ accountId }) => accountId).filter((id) => id !== own));
  if (ids.size === 0) return new Map();
  const select = { id: true, handle: true, firstName: true, lastName: true };
  const people = await prisma.account.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(
    people.map(({ id, handle, firstName, lastName }) => [
      id,
      [firstName, lastName].filter(Boolean).join(" ") || handle || t("another member"),
    ]),
  );
}

function runView(
  run: Harmonization,
  {
    names,
    waiting,
    counts,
    member,
  }: { names: Map<string, string>; waiting: Waiting | undefined; counts: Counts | undefined; member: Member },
) {
  const { id, name, accountId, list, state, listingCount, createdAt, isShared } = run;
  const role = roleOn(run, member);
  const owner = list.people.find((each) => each.role === "owner" && names.has(each.accountId));
  const whose = owner && names.get(owner.accountId);
  const sharedFrom = () => {
    if (whose && role && role !== "owner")
      return t("Shared by {whose}: you {role, select, viewer {read and download} other {review}}", { whose, role });
    return isShared ? t("Shared with all members") : undefined;
  };
  return {
    id,
    name,
    href: `/harmonizations/${id}`,
    isOwn: accountId !== null && role === "owner",
    mayDelete: isOwner(run, member),
    isAtWork: isAtWork({ state }),
    outcomes: counts && { bar: barOf(counts), words: outcomesInWords(counts) },
    toReview: state === "ready" && counts?.review ? formatNumber(counts.review) : undefined,
    waiting: waiting && waitingInWords(waiting),
    state: stateInWords(run),
    listings: listingCount > 0 ? t("{count, plural, one {# row} other {# rows}}", { count: listingCount }) : undefined,
    isDraft: state === "draft",
    from: accountId ? sharedFrom() : t("From the command line"),
    at: shownTime(createdAt),
    expires: expiryInWords(run),
  };
}

function outcomesInWords(counts: Counts): string {
  const shown = outcomes();
  return SHOWN_OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${formatNumber(counts[outcome])} ${shown[outcome].label.toLowerCase()}`)
    .join(" · ");
}

export type RunView = ReturnType<typeof runView>;

export function stateInWords({ state, pausedFor }: Pick<Harmonization, "state" | "pausedFor">) {
  const [words, tone, icon] = pausedFor ? [t("Paused"), "chip-warning", "alert"] : states()[state];
  return { words, tone, icon };
}

type Words = [words: string, tone: string, icon: string];
const states = (): Record<Harmonization["state"], Words> => ({
  uploading: [t("Uploading"), "", "info"],
  deleting: [t("Being deleted"), "", "info"],
  draft: [t("Not started"), "chip-warning", "info"],
  reading: [t("Reading"), "chip-accent", "info"],
  matching: [t("Matching"), "chip-accent", "info"],
  adding: [t("Adding venues"), "chip-accent", "info"],
  annotating: [t("Annotating"), "chip-accent", "info"],
  undoing: [t("Undoing the addition"), "chip-accent", "info"],
  ready: [t("Done"), "chip-success", "check"],
  cancelled: [t("Cancelled"), "", "cross"],
});
