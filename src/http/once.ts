import type { FastifyRequest, Session } from "fastify";

/** What the session keeps for its next page, once. A HEAD leaves it there: nobody sees that page. */
export function takeOnce<Name extends keyof Session>(
  { session, method }: FastifyRequest,
  name: Name,
): Session[Name] | undefined {
  const kept = session[name];
  if (kept !== undefined && method !== "HEAD") delete session[name];
  return kept;
}
