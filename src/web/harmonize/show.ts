import type { FastifyInstance } from "fastify";
import { notFound } from "../../errors.ts";
import { AT_WORK, findHarmonization, type Harmonization } from "../../harmonize/harmonizations.ts";
import type { Web } from "../deps.ts";
import { membersOnly } from "../members.ts";
import { sendDraft } from "./draft.ts";
import { registerEvents } from "./events.ts";
import { sendProgress } from "./show-progress.ts";
import { sendResults } from "./show-results.ts";

/**
 * `GET /harmonizations/:id`: what there is to see of one at the moment, for everybody who may see it: how its file is read,
 * how far it is, or what came of it. `GET /harmonizations/:id/events` keeps the second up to date.
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
  registerEvents(app, web);
}

const isAtWork = ({ state }: Harmonization): boolean => AT_WORK.some((each) => each === state);
