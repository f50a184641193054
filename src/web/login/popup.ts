import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/forms.ts";
import { sendView } from "../../http/views.ts";
import type { Web } from "../base/deps.ts";
import { localPath, loginPath } from "../base/local-path.ts";

/**
 * The log-in in a window of its own (display=webpopup). "The callback loads in the calling window, and the popup closes"
 * (interface, rule 4): where the directory sees to that, this page loads in the calling window and goes straight on. Other
 * directories load the callback in the popup: then this page tells the window that opened it, closes, and that window goes
 * on (public/popup.js). Without script it shows the way.
 */
export const popupDonePath = (next: string): string => `/login/popup?next=${encodeURIComponent(next)}`;

/** GET /login/popup. */
export async function showPopupDone(_web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const next = localPath(textField(request.query, "next"));
  if (!request.session.owner) return reply.redirect(loginPath(next), 303);
  return sendView(keepOpener(reply), "login/popup", { title: "You are logged in", nav: "none", next });
}

/**
 * Lets a window that was opened for the log-in keep its opener across the directory's pages. A stranger that opened it gets
 * nothing by that: our pages speak to our own origin only (attacks A29).
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.header("cross-origin-opener-policy", "unsafe-none");
