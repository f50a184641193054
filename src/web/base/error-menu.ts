import type { FastifyRequest, Session } from "fastify";
import { formToken } from "../../http/forms.ts";
import type { Web } from "./deps.ts";
import { findMember } from "./members.ts";
import { pageFrame } from "./page.ts";

/**
 * The menu of error pages, for members. Guests and files cost no look at the database.
 *
 * @param readSession for requests that no page answers: they have no session of their own
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
