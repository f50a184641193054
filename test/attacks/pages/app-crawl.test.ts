import { expect, it } from "vitest";
import { makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { snapshot } from "../../support/database/snapshot.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { routesOf } from "../../support/routes.ts";
import { type RunningApps, runningApps } from "../running-apps.ts";

let started: RunningApps | undefined;
const servers = await routesOf(async () => {
  started = await runningApps({ instances: 1 });
});
if (!started) throw new Error("Samespot did not start.");
const apps = started;
const { pool } = apps.database;
const routes = servers.find((each) => each.includes("GET /login/callback")) ?? [];

const OF_A_KIND = 4;
/** Rows that record use, background work, copies, or log-ins that have begun. */
const ASIDE = [
  "session",
  "login_attempt",
  "rate_count",
  "instance",
  "last_used_at",
  "used_at",
  ...["checkin_copy", "copied_checkin"],
  ...["locked_by", "locked_until", "positions"],
  ...["place", "street", "setup_step"],
];

const links = (body: string) =>
  [...body.matchAll(/<(?:a|form)\b[^>]*\b(?:href|action)="([^"]*)"/g)]
    .filter(([tag]) => !/method="post"/.test(tag))
    .map(([, to = ""]) => to.replaceAll("&amp;", "&"));

/** Creates a harmonization of each kind with its own page, with a listing of each outcome. Returns their addresses. */
async function makeHarmonizations(owner: HttpClient): Promise<string[]> {
  const { id: accountId } = await apps.database.prisma.account.findFirstOrThrow();
  const { rows: venues } = await pool.query<{ id: string }>("SELECT id FROM directory.venue ORDER BY id LIMIT 2");
  const [sure, perhaps] = venues.map(({ id }) => id);
  const listings = [
    { name: "Sure Thing", candidates: [makeCandidate(sure ?? "", 0.99, { name: 2 })], more: { isClear: true } },
    ...["Perhaps", "Perhaps another"].map((name) => ({
      name,
      candidates: [makeCandidate(perhaps ?? "", 0.5, { name: 2, distance: -1 })],
    })),
    { name: "Unknown" },
  ];
  const directory = apps.config.api.url;
  const ready = await makeHarmonization(apps.database, accountId, listings, { directory });
  const at = { state: "matching", pausedFor: "person" } as const;
  const running = await makeHarmonization(apps.database, accountId, listings, { directory, ...at });
  const { _csrf = "" } = formFields(await owner.get("/settings"), "/logout");
  const draft = await owner.post("/harmonizations", { _csrf, text: "id,name,lat,lng\n1,Joe,41.8,-71.4\n" });
  return [ready, running].map(({ id }) => `/harmonizations/${id}`).concat(draft.location);
}

it("W02: an admin who opens every page changes nothing in the app or at the directory", async () => {
  const admin = apps.newBrowser();
  await apps.logIn(admin, { next: "/settings" });
  const plain = routes.filter((route) => /^GET [^:*]*$/.test(route)).map((route) => route.slice(4));
  const harmonizations = await makeHarmonizations(admin);
  const queue = [
    "/",
    ...plain,
    ...harmonizations,
    "/venues?query=coffee&near=Providence",
    "/venues?query=coffee&ll=41.82,-71.41",
  ];
  const before = [await snapshot(pool, "app", ASIDE), await snapshot(pool, "directory", ASIDE)];
  const seen = new Map<string, number>();
  const kinds = new Map<string, number>();
  while (queue.length > 0) {
    const { pathname, search, origin } = new URL(queue.shift() ?? "", apps.url);
    const path = pathname + search;
    const kind = pathname.replace(/[0-9a-f]{24}/, ":id").replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, ":id");
    if (origin !== apps.url || seen.has(path) || (kinds.get(kind) ?? 0) >= OF_A_KIND) continue;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const page = await admin.get(path);
    seen.set(path, page.status);
    queue.push(...links(page.body), ...(page.location ? [page.location] : []));
  }
  for (const path of plain) expect([path, seen.has(path)]).toEqual([path, true]);
  expect(kinds.get("/venues/:id")).toBe(OF_A_KIND);
  const ofHarmonizations = ["", "/review", "/review/2", "/conflicts", "/export", "/listings/4/add"];
  for (const page of ofHarmonizations) expect(kinds.get(`/harmonizations/:id${page}`), page).toBeGreaterThan(0);
  expect([...seen].filter(([, status]) => status >= 500)).toEqual([]);
  expect([await snapshot(pool, "app", ASIDE), await snapshot(pool, "directory", ASIDE)]).toEqual(before);
  expect((await admin.get("/settings")).status, "and is still logged in").toBe(200);
});
