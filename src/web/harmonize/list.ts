import { existsSync } from "node:fs";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { listHarmonizations } from "../../harmonize/run/harmonizations.ts";
import type { Notice } from "../../http/pages/parts.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { runViews } from "./run-views.ts";

export const EXAMPLE = path.join(import.meta.dirname, "../../../examples/listings.csv");
export const hasExample = (): boolean => existsSync(EXAMPLE);

export const showList = (web: Web, _request: FastifyRequest, reply: FastifyReply, member: Member) =>
  sendList(web, reply, member);

interface Refused {
  notice?: Notice;
  pasted?: string;
}

export async function sendList(web: Web, reply: FastifyReply, member: Member, { notice, pasted = "" }: Refused = {}) {
  const runs = await listHarmonizations(web.harmonizer, member);
  const views = await runViews(web, member, runs);
  return sendPage(reply, member, "harmonize/index", {
    title: "Harmonize",
    path: "/harmonizations",
    runs: views.filter(({ isOwn }) => isOwn),
    others: views.filter(({ isOwn }) => !isOwn),
    hasExample: hasExample(),
    mostMegabytes: web.harmonizer.limits.megabytes,
    ...{ notice, pasted },
  });
}
