import type { FastifyRequest } from "fastify";

const MOST = 5;

interface Search {
  query: string;
  ll: string;
  at: string;
}

declare module "fastify" {
  interface Session {
    searches?: Search[];
  }
}

/** Keeps the last searches by a word in the session, newest first. */
export function rememberSearch({ session }: FastifyRequest, { query, ll, at }: Search): void {
  const before = session.searches ?? [];
  const isSame = (each: Search) => each.query === query && each.ll === ll;
  if (query === "" || (before[0] && isSame(before[0]))) return;
  session.searches = [{ query, ll, at }, ...before.filter((each) => !isSame(each))].slice(0, MOST);
}

export const recentSearches = ({ session }: FastifyRequest) =>
  (session.searches ?? []).map(({ query, ll, at }) => ({
    label: ll ? `${query}, ${ll}` : query,
    href: `/venues?${new URLSearchParams({ query, ll, ...(at && { at }) })}`,
  }));
