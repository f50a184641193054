import { setTimeout as after } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import type { Behaviour } from "../../support/fake-directory/behaviours.ts";
import { formFields, type Page } from "../../support/http-client.ts";
import { newAdmin } from "../../web/admin/browser.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes();
const { browser: member, id: accountId } = await newAdmin(web);
const VENUE = "4b1f2a3c4d5e6f7081920a1b";
/** So long a log-in relies on a response that the directory has given before. */
const SEEN_FOR_MS = 5000;
const NEVER_ANSWERS: Behaviour = ({ response }) => void response.destroy();

const listings: MadeListing[] = [
  { name: "Perhaps", candidates: [makeCandidate(VENUE, 0.5, { name: 2 })] },
  { name: "Sure Thing", candidates: [makeCandidate(VENUE, 0.99, { name: 2 })], more: { isClear: true } },
  { name: "Unknown" },
  { name: "Broken", more: { status: "failed", problem: { code: "no_position" } } },
];
const directory = web.config.api.url;
const { id } = await makeHarmonization(web.database, accountId, listings, { directory });
const FILE = `/harmonizations/${id}`;
const [visit] = web.directory.checkins;
Object.assign(visit ?? {}, { shout: "Good coffee", editable: true });
await member.get("/checkins");

beforeAll(async () => {
  web.directory.behave("*", NEVER_ANSWERS);
  await after(SEEN_FOR_MS);
});

const SAYS = "The venue directory does not answer. Please try again in a moment.";
const NOTHING = [200, ""] as const;

/** Of each route: a path, and status and words of what it shows; a redirect leads to one of the others. */
const SHOWN: Record<string, [path: string, status: number, ...words: string[]]> = {
  "/": ["/", 503, SAYS, "In progress", "shops.csv", "Match a whole list"],
  "/login": ["/login?next=/checkins", 503, "Nobody has been logged in", 'href="/login?next=%2Fcheckins"'],
  "/login/callback": ["/login/callback", 400, "We couldn’t finish logging you in", "Start again"],
  "/login/popup": ["/login/popup", 200, "You are logged in"],
  "/venues": [`/venues?query=zoo&ll=41.8,-71.4`, 503, SAYS, 'value="zoo"', 'value="41.8,-71.4"'],
  "/venues/suggest": ["/venues/suggest?query=zoo", 200, '"suggestions":[]'],
  "/venues/new": ["/venues/new?name=Zoo&ll=41.8,-71.4", 200, SAYS, 'value="Zoo"', 'value="41.8,-71.4"'],
  "/venues/new/look": ["/venues/new/look?name=Zoo&ll=41.8,-71.4", 200, '"venues":[]'],
  "/venues/proposals": ["/venues/proposals", 503, SAYS],
  "/venues/:id": [`/venues/${VENUE}`, 503, SAYS],
  "/venues/:id/edit": [`/venues/${VENUE}/edit`, 503, SAYS],
  "/map/:z/:x/:y": ["/map/12/1235/1523", 204],
  "/checkins": ["/checkins", 200, "The directory cannot be reached. Newer check-ins may be missing.", "Corner Coffee"],
  "/checkins/download": ["/checkins/download?format=csv", 200, "Corner Coffee"],
  "/checkins/:id": [`/checkins/${visit?.id}`, 200, "Corner Coffee", "Good coffee</textarea>"],
  "/example": ["/example", 303],
  "/harmonizations": ["/harmonizations", 200, "shops.csv", "Upload a file"],
  "/harmonizations/:id": [FILE, 200, "Perhaps", "Sure Thing"],
  "/harmonizations/:id/events": [`${FILE}/events`, ...NOTHING],
  "/harmonizations/:id/add": [`${FILE}/add`, 503, SAYS],
  "/harmonizations/:id/export": [`${FILE}/export?format=csv`, 200, "Sure Thing"],
  "/harmonizations/:id/conflicts": [`${FILE}/conflicts`, 200, "No conflicts"],
  "/harmonizations/:id/changes": [`${FILE}/changes`, 200, "Check for changes"],
  "/harmonizations/:id/changes/download": [`${FILE}/changes/download`, 200, "listing_id"],
  "/harmonizations/:id/bridge": [`${FILE}/bridge`, 200, "Upload a bridge file"],
  "/harmonizations/:id/bridge/rows": [`${FILE}/bridge/rows`, 200, "record_id"],
  "/harmonizations/:id/review": [`${FILE}/review`, 303],
  "/harmonizations/:id/review/:number": [`${FILE}/review/1`, 200, "Perhaps", "same name", "Your row"],
  "/harmonizations/:id/listings/:number": [`${FILE}/listings/1`, 302],
  "/harmonizations/:id/listings/:number/mend": [`${FILE}/listings/1/mend`, 302],
  "/harmonizations/:id/listings/:number/family": [`${FILE}/listings/1/family`, 200, "Identical rows"],
  "/harmonizations/:id/listings/:number/add": [`${FILE}/listings/3/add`, 200, SAYS, 'value="Unknown"'],
  "/harmonizations/:id/webhook": [`${FILE}/webhook`, 200, "Webhook address"],
  "/harmonizations/:id/people": [`${FILE}/people`, 200, "Everybody here works"],
  "/harmonizations/:id/steps": [`${FILE}/steps`, 200, "Decisions"],
  "/harmonizations/:id/steps/download": [`${FILE}/steps/download`, 200],
  "/harmonizations/:id/repairs": [`${FILE}/repairs?kind=set`, 200, "Find and replace"],
  "/harmonizations/:id/repairs/download": [`${FILE}/repairs/download`, 200],
  "/mappings": ["/mappings?ids=own-2", 200, "Sure Thing"],
  "/settings": ["/settings", 200, "Connected", "Disconnect"],
  "/settings/tokens": ["/settings/tokens", 200, "Tokens for programs"],
  "/api/v1": ["/api/v1", 200, "OpenAPI"],
  "/admin": ["/admin", 303],
  "/admin/lists": ["/admin/lists", 200, "shops.csv"],
  "/admin/status": ["/admin/status", 200, "Directory: log-in host", "Not working"],
  "/admin/secrets": ["/admin/secrets", 200, "Samespot could not check the secret at the directory.", "In use"],
  "/admin/people": ["/admin/people", 200, "Ada"],
};

/** No stack, no network error, no secret; a page with a heading. */
function expectOurs({ body, headers }: Page) {
  expect(body).not.toMatch(/\bat .*\.(ts|js):\d+|ECONN|UND_ERR|socket/);
  for (const secret of [web.directory.client.secret, ...web.directory.secrets]) expect(body).not.toContain(secret);
  if (headers.get("content-type")?.startsWith("text/html")) expect(body).toMatch(/<h1[ >]/);
}

describe("F64: while the directory is switched off", () => {
  it("every route of the web app by GET is one of these", () => {
    const common = /^\/(assets|basemap|healthz|readyz)/;
    const paths = routes.filter((route) => route.startsWith("GET ")).map((route) => route.slice("GET ".length));
    expect(paths.filter((path) => !common.test(path)).toSorted()).toEqual(Object.keys(SHOWN).toSorted());
  });

  it.each(Object.values(SHOWN).filter(([path]) => !path.endsWith("/events")))(
    "%s answers %d with what it has, or says what to do",
    async (path, status, ...words) => {
      const page = await member.get(path);
      expect(page.status).toBe(status);
      for (const each of words) expect(page.body).toContain(each);
      expectOurs(page);
    },
  );

  it("the progress of a file still comes as events", async () => {
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(`${web.url}${FILE}/events`, { headers: { cookie } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await answer.body?.cancel();
  });

  const was = JSON.stringify({ name: "Cafe" });
  it.each([
    ["a venue to be added", "/venues", { name: "Zoë", ll: "41.8,-71.4", primaryCategoryId: "c" }],
    ["a venue whose position is sought", "/venues", { name: "Zoë", address: "1 Main St", city: "Providence" }],
    ["an edit", `/venues/${VENUE}/edit`, { name: "Zoë", was, comment: "I was there" }],
    ["a duplicate", `/venues/${VENUE}/edit`, { duplicateOf: "another", comment: "I was there" }],
    ["a check-in", `/venues/${VENUE}/checkins`, { shout: "Good coffee", key: "one" }],
    ["a correction", `${FILE}/listings/4/mend`, { name: "Zoë", lat: "41.8", lng: "-71.4" }],
    [
      "a listing to be added",
      `${FILE}/listings/3/add`,
      { name: "Zoë", ll: "41.8,-71.4", primaryCategoryId: "fa4e000000000000000000c1" },
    ],
  ])("the form of %s keeps what was typed", async (_what, action, fields) => {
    const { _csrf = "" } = formFields(await member.get("/settings"), "/logout");
    const page = await member.post(action, { _csrf, ...fields });
    expect(page.status).toBe(503);
    expect(page.body).toContain(SAYS);
    for (const typed of [fields].flatMap(Object.values<string>).filter((each) => each !== was))
      expect(page.body).toContain(typed);
    expectOurs(page);
  });

  it("a listing is decided, and a list becomes a draft, as always", async () => {
    const { _csrf = "" } = formFields(await member.get("/settings"), "/logout");
    const decided = await member.post(`${FILE}/listings/1`, { _csrf, decision: "matched", venueId: VENUE });
    expect([decided.status, decided.location]).toEqual([303, `${web.url}${FILE}/review?after=1`]);
    const draft = await member.post("/harmonizations", { _csrf, text: "id,name,lat,lng\n1,Joe,41.8,-71.4\n" });
    expect((await member.get(draft.location)).body).toContain("Joe");
  });
});
