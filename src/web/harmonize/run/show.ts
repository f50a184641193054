import type { FastifyReply, FastifyRequest } from "fastify";
import { isAtWork } from "../../../harmonize/run/harmonizations.ts";
import type { Web } from "../../base/deps.ts";
import type { Seen } from "../base/guards.ts";
import { sendDraft } from "../draft/draft.ts";
import { sendResults } from "../results/results.ts";
import { sendProgress } from "./progress.ts";

/**
 * `GET /harmonizations/:id`: what there is to see of one at the moment: how its file is read, how far it is, or what came of it.
 */
export function showHarmonization(web: Web, request: FastifyRequest, reply: FastifyReply, { member, found }: Seen) {
  if (found.state === "draft") return sendDraft(web, request, reply, member, found);
  return isAtWork(found) ? sendProgress(web, reply, member, found) : sendResults(web, reply, member, found);
}
