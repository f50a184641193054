import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { localPath, loginPath } from "../base/local-path.ts";

/**
 * The end of a log-in in a popup (display=webpopup). "The callback loads in the calling window, and the popup closes"
 * (interface, rule 4): if the directory does that, this page loads in the calling window and redirects. Other
 * directories load the callback in the popup; then this page tells its opener, which redirects, and closes
 * (public/popup.js). Without script it shows a link.
 */
export const popupDonePath = (next: string): string => `/login/popup?next=${encodeURIComponent(next)}`;

export async function showPopupDone(_web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const next = localPath(textField(request.query, "next"));
  if (!request.session.owner) return reply.redirect(loginPath(next), 303);
  return sendView(keepOpener(reply), "login/popup", { title: t("You are logged in"), nav: "none", next });
}

/**
 * Lets a popup keep its opener across the directory's pages. A stranger's window gains nothing, because our pages talk
 * to our own origin only (attacks A29).
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.header("cross-origin-opener-policy", "unsafe-none");
