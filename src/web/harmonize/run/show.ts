import type { FastifyInstance } from "fastify";
import { findHarmonization, isAtWork } from "../../../harmonize/run/harmonizations.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { membersOnly } from "../../base/members.ts";
import { sendDraft } from "../draft/draft.ts";
import { sendResults } from "../results/results.ts";
import { registerEvents } from "./events.ts";
import { sendProgress } from "./progress.ts";

/**
 * `GET /harmonizations/:id`: what there is to see of one at the moment, for everybody who may see it: how its file is read,
 * how far it is, or what came of it. A listing's own address leads to its review. `GET /harmonizations/:id/events` keeps the second up to date.
 */
export function registerShow(app: FastifyInstance, web: Web): void {
  const handler = membersOnly(web, async (request, reply, member) => {
    const { id } = request.params as { id: string };
    const found = await findHarmonization(web.harmonizer, member, id);
    if (!found) throw notFound();
    if (found.state === "draft") return sendDraft(web, request, reply, member, found);
    return isAtWork(found) ? sendProgress(web, reply, member, found) : sendResults(web, reply, member, found);
  });
  app.get("/harmonizations/:id", handler);
  // What is decided of a listing is sent there, and its address may be left in a browser's bar.
  const toReview = membersOnly(web, async (request, reply, member) => {
    const { id, number } = request.params as { id: string; number: string };
    if (!(await findHarmonization(web.harmonizer, member, id))) throw notFound();
    return reply.redirect(`/harmonizations/${id}/review/${encodeURIComponent(number)}`);
  });
  app.get("/harmonizations/:id/listings/:number", toReview);
  registerEvents(app, web);
}
