import type { FastifyRequest, Session } from "fastify";
import { formToken } from "../../http/pages/forms.ts";
import type { Web } from "./deps.ts";
import { findMember } from "./members.ts";
import { pageFrame } from "./page.ts";

/**
 * Returns the menu of error pages for members. Guests and assets cost no database query.
 *
 * @param readSession for requests without a route, which have no session
 */
export function errorMenu(web: Web, readSession: (request: FastifyRequest) => Promise<Session | undefined>) {
  return async (request: FastifyRequest) => {
    if (request.url.startsWith("/assets/")) return undefined;
    const { owner, formSecret } = request.session ?? (await readSession(request)) ?? {};
    if (!owner || !formSecret) return undefined;
    const member = await findMember(web, owner);
    return typeof member === "object" ? pageFrame(request, member, formToken(formSecret)) : undefined;
  };
}
