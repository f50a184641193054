import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Category } from "../../../contract/resources.ts";
import { startAdding } from "../../../harmonize/add/add-listings.ts";
import { listListings } from "../../../harmonize/results/listings.ts";
import { progressOf } from "../../../harmonize/results/progress.ts";
import { isOpen, unanswered } from "../../../harmonize/run/positions.ts";
import { textField } from "../../../http/forms.ts";
import type { Web } from "../../base/deps.ts";
import { connectedOnly, type Visit } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { listingRow } from "../results/listings.ts";
import { backTo } from "../run/notice.ts";
import { findOwned, harmonizationOf } from "../run/owner.ts";

const CHOOSE = "Choose a category for the listings that name none themselves.";

/** Milliseconds that the page waits for the number of listings that can be added. */
const COUNT_MS = 3000;

const BUSY = "Adding could not begin: something else runs, or this was cancelled.";

/**
 * `GET /harmonizations/:id/add` asks for a category, says what will happen and shows the first of them; `POST` (`categoryId`) begins to add every
 * listing without a match as a new venue.
 */
export function registerAddMany(app: FastifyInstance, web: Web): void {
  const address = "/harmonizations/:id/add";
  const form = connectedOnly(web, (request, reply, visit) => sendForm(web, request, reply, visit), addPage);
  app.get(address, form);

  const begin = connectedOnly(
    web,
    async (request, reply, visit) => {
      const found = await findOwned(web, request, visit.member);
      const categoryId = textField(request.body, "categoryId");
      const categories = await web.directory.categories(visit.auth);
      if (isOpen(found.positions)) return backToQuestion(reply, found.id);
      if (!isAmong(categories, categoryId)) return sendForm(web, request, reply.code(400), visit, CHOOSE);
      const hasBegun = await startAdding(web.harmonizer, found, visit.member, { categoryId });
      return backTo(reply, found.id, hasBegun ? undefined : { kind: "warning", message: BUSY });
    },
    addPage,
  );
  app.post(address, begin);
}

const backToQuestion = (reply: FastifyReply, id: string) =>
  backTo(reply, id, { kind: "warning", message: unanswered().message });

const addPage = (request: FastifyRequest): string => `${harmonizationOf(request)}/add`;

async function sendForm(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit, error?: string) {
  const found = await findOwned(web, request, visit.member);
  if (found.state !== "ready") return backTo(reply, found.id, { kind: "warning", message: BUSY });
  if (isOpen(found.positions)) return backToQuestion(reply, found.id);
  const [categories, { addable, unplaced, isCounted }, { listings }] = await Promise.all([
    web.directory.categories(visit.auth),
    progressOf(web.harmonizer, found, { waitMs: COUNT_MS }),
    listListings(web.harmonizer, found, { outcome: "none" }),
  ]);
  if (!isCounted) reply.header("refresh", "3");
  return sendPage(reply, visit.member, "harmonize/results-add", {
    title: "Add as new",
    run: { id: found.id, name: found.name },
    ...{ isCounted, number: addable, unplaced, listings: listings.map((each) => listingRow(found, each)) },
    picker: { categories, name: "categoryId", value: textField(request.body, "categoryId"), error },
    errors: error ? [{ field: "categoryId", message: error }] : [],
  });
}

const isAmong = (categories: Category[], id: string): boolean =>
  categories.some((category) => category.id === id || isAmong(category.categories ?? [], id));
