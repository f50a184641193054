import type { FastifyReply } from "fastify";
import { sendDialog } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { originOf } from "./answer.ts";
import type { Display } from "./authorization-request.ts";

/**
 * With display=webpopup "the callback loads in the calling window, and the popup closes" (interface, rule 4), which
 * needs a page. Only browsers that report a page load (Sec-Fetch-Dest) get one; others get a redirect.
 */
export function sendBack(reply: FastifyReply, address: string, display: Display | null): FastifyReply {
  const showsPages = reply.request.headers["sec-fetch-dest"] === "document";
  if (display !== "webpopup" || !showsPages) return reply.redirect(address, 303);
  reply.header("referrer-policy", "no-referrer");
  const data = { title: t("Back to the application"), goesTo: address, origin: originOf(address), display };
  return sendDialog(reply, "directory/hand-over", data);
}
