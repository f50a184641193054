import { existsSync } from "node:fs";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Harmonization, listHarmonizations } from "../../harmonize/run/harmonizations.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { momentOf } from "../../http/pages/times.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { count } from "../base/words.ts";

export const EXAMPLE = path.join(import.meta.dirname, "../../../examples/listings.csv");

export const showList = (web: Web, _request: FastifyRequest, reply: FastifyReply, member: Member) =>
  sendList(web, reply, member);

interface Refused {
  notice?: Notice;
  pasted?: string;
}

export async function sendList(web: Web, reply: FastifyReply, member: Member, { notice, pasted = "" }: Refused = {}) {
  const runs = await listHarmonizations(web.harmonizer, member);
  const names = await namesOf(web, runs, member);
  const viewsOf = (isOwn: boolean) =>
    runs.filter(({ accountId }) => (accountId === member.id) === isOwn).map((run) => runView(run, names));
  return sendPage(reply, member, "harmonize/index", {
    title: "Harmonize",
    path: "/harmonizations",
    runs: viewsOf(true),
    others: viewsOf(false),
    hasExample: existsSync(EXAMPLE),
    mostMegabytes: web.harmonizer.limits.megabytes,
    ...{ notice, pasted },
  });
}

async function namesOf({ prisma }: Web, runs: Harmonization[], { id: own }: Member): Promise<Map<string, string>> {
  const ids = new Set(runs.flatMap(({ accountId }) => (accountId && accountId !== own ? [accountId] : [])));
  if (ids.size === 0) return new Map();
  const select = { id: true, handle: true, firstName: true, lastName: true };
  const people = await prisma.account.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(
    people.map(({ id, handle, firstName, lastName }) => [
      id,
      [firstName, lastName].filter(Boolean).join(" ") || handle || "another member",
    ]),
  );
}

function runView(
  { id, name, accountId, state, pausedFor, listingCount, createdAt, isShared }: Harmonization,
  names: Map<string, string>,
) {
  const [words, tone, icon] = pausedFor ? PAUSED : STATES[state];
  const whose = accountId && names.get(accountId);
  return {
    href: `/harmonizations/${id}`,
    name,
    state: { words, tone, icon },
    listings: listingCount > 0 ? count(listingCount, "listing") : undefined,
    isDraft: state === "draft",
    from: !accountId
      ? "From the command line"
      : whose
        ? `Shared by ${whose}`
        : isShared
          ? "Shared with all members"
          : undefined,
    at: momentOf(createdAt),
  };
}
export type RunView = ReturnType<typeof runView>;

type Words = [words: string, tone: string, icon: string];
const PAUSED: Words = ["Paused", "chip-warning", "alert"];
const STATES: Record<Harmonization["state"], Words> = {
  uploading: ["Uploading", "", "info"],
  deleting: ["Being deleted", "", "info"],
  draft: ["Not started", "chip-warning", "info"],
  reading: ["Reading", "chip-accent", "info"],
  matching: ["Matching", "chip-accent", "info"],
  adding: ["Adding venues", "chip-accent", "info"],
  annotating: ["Annotating", "chip-accent", "info"],
  undoing: ["Undoing the add", "chip-accent", "info"],
  ready: ["Done", "chip-success", "check"],
  cancelled: ["Cancelled", "", "cross"],
};
