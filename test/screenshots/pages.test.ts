import { describe, expect, it } from "vitest";
import { openRoutes, pageRoutes } from "../../src/directory/auth/routes.ts";
import { routes } from "../../src/web/routes.ts";
import type { Hosts } from "./content.ts";
import { FILES, PAGES } from "./pages.ts";

/** Routes that no address shows by itself, and why. */
const WITHOUT = {
  app: { "/harmonizations/:id/events": "a stream without an end" },
  auth: {
    "/oauth2/authorize": "the same as authenticate, but always asks",
    "/oauth2/consent": "only within a log-in; directory-consent leads there",
  },
};

const hosts = { app: "http://app", auth: "http://auth", api: "http://api" } satisfies Hosts;
const content = {
  ...{ file: "/harmonizations/1", draft: "/harmonizations/2", venue: "/venues/3", checkin: "/checkins/4" },
  application: "/applications/5",
};

describe.each([
  { host: "app" as const, table: routes },
  { host: "auth" as const, table: [...openRoutes, ...pageRoutes] },
])("the list of pages: $host", ({ host, table }) => {
  const paths = table.filter(({ method }) => method === "GET").map(({ path }) => path);
  const listed = [...PAGES, ...FILES].filter((shown) => shown.host === host && !shown.steps);
  const opened = listed.map((shown) => routeOf(new URL(shown.address({ ...hosts, ...content })).pathname, paths));

  it("C80: has every page of the table of routes", () => {
    const missing = paths.filter((path) => !opened.includes(path));
    expect(missing.toSorted()).toEqual(Object.keys(WITHOUT[host]).toSorted());
  });
});

/** Fastify too prefers a route that names the part to one with a parameter there. */
function routeOf(pathname: string, paths: string[]): string | undefined {
  if (paths.includes(pathname)) return pathname;
  return paths.find((path) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(pathname));
}
