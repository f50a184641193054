import type { FastifyRequest, Session } from "fastify";

/** Removes and returns a value that the session keeps for its next page. HEAD leaves it, because nobody sees that page. */
export function takeOnce<Name extends keyof Session>(
  { session, method }: FastifyRequest,
  name: Name,
): Session[Name] | undefined {
  const kept = session[name];
  if (kept !== undefined && method !== "HEAD") delete session[name];
  return kept;
}
