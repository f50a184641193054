import type { FastifyReply, FastifyRequest } from "fastify";
import { isAtWork } from "../../../harmonize/run/harmonizations.ts";
import type { Web } from "../../base/deps.ts";
import type { Seen } from "../base/guards.ts";
import { sendDraft } from "../draft/draft.ts";
import { sendResults } from "../results/results.ts";
import { sendProgress } from "./progress.ts";

export function showHarmonization(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  if (h.state === "draft") return sendDraft(web, request, reply, member, h);
  return isAtWork(h) ? sendProgress(web, reply, member, h) : sendResults(web, reply, member, h);
}
