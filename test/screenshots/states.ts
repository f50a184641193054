import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { WORD } from "./long-names.ts";
import { logInWrongly, on, type Shown } from "./pages.ts";
import type { Site } from "./site.ts";

const [app, auth] = [on<Site>("app"), on<Site>("auth")];

/** Opens a menu or a filter, which holds a form of its own. */
const opens = (nth: number) => ({
  steps: (page: Page) => page.locator("main details > summary:visible").nth(nth).click(),
});

/** More counts than any brake allows, of what has been counted once. */
const tooOften = ({ database }: Site) => database.pool.query("UPDATE directory.rate_count SET count = 1000000");
const forget = ({ database }: Site) => database.pool.query("DELETE FROM directory.rate_count");

const afterMany = (once: (page: Page) => Promise<unknown>) => ({
  status: 429,
  async steps(page: Page, site: Site) {
    await once(page);
    await tooOften(site);
    await once(page);
  },
  after: forget,
});

const callsOfAll = ({ database }: Site, most: number) =>
  database.pool.query("UPDATE directory.application SET rate_limit = $1", [most]);
/** The directory refuses the web app, whose user has used up the calls of an hour. */
const slowedDown = {
  status: 503,
  before: (site: Site) => callsOfAll(site, 1),
  async steps(page: Page, site: Site) {
    await tooOften(site);
    await page.reload();
  },
  async after(site: Site) {
    await callsOfAll(site, 0);
    await forget(site);
  },
};

const withoutDatabase = {
  status: 503,
  before: async ({ databaseAway }: Site) => databaseAway.begin(),
  async after({ app, auth, api, databaseAway }: Site) {
    databaseAway.end();
    // A directory that is switched off as well does not answer.
    const isReady = (host: string) =>
      fetch(`${host}/readyz`).then(
        ({ ok }) => ok,
        () => true,
      );
    for (const host of [app, auth, api]) while (!(await isReady(host)));
  },
};

/** More requests than the web app serves at once wait for a lock on what they read. */
function overload() {
  let end = async () => {};
  return {
    status: 503,
    async before({ app, database, states }: Site) {
      const client = await database.pool.connect();
      await client.query("BEGIN");
      await client.query("LOCK TABLE app.account");
      const headers = { cookie: (states.user?.cookies ?? []).map(({ name, value }) => `${name}=${value}`).join("; ") };
      let isOver = false;
      const waiting = Array.from({ length: 60 }, async () => {
        for (; !isOver; await setTimeout(50)) await fetch(`${app}/settings`, { headers }).catch(() => undefined);
      });
      end = async () => {
        isOver = true;
        await client.query("ROLLBACK");
        client.release();
        await Promise.all(waiting);
      };
      await setTimeout(3000);
    },
    after: () => end(),
  };
}

const types = (text: string) => ({
  async steps(page: Page) {
    await page.locator("main [name=query]").first().pressSequentially(text);
    await page.waitForTimeout(500); // for the suggestions
  },
});

const gone = { status: 404 };

const ofExample = (steps: (page: Page) => Promise<unknown>) => ({
  async steps(page: Page) {
    await page.locator(".listing-table").waitFor();
    await steps(page);
  },
});

/** Further states of the pages: menus open, nothing there, long names, somebody else's, and what is said when something is away. */
export const STATES: readonly Shown[] = [
  app(
    "guest",
    "example-slider",
    "/example",
    ofExample((page) => page.locator("a.fold").click()),
  ),
  app(
    "guest",
    "example-review",
    "/example",
    ofExample((page) => page.locator("main a.btn-primary").click()),
  ),
  app("user", "results-slider", ({ file }) => `${file}?cut=77`),
  app("user", "search-filters", "/venues?query=coffee&ll=41.8236,-71.4222", opens(0)),
  app("user", "suggestions", "/venues", types("cof")),
  app("user", "results-menu", ({ file }) => file, opens(0)),
  app("user", "results-facets", ({ file }) => file, {
    steps: (page) => page.locator(".facets-chosen .btn").click(),
  }),
  app("user", "review-notes", ({ file }) => `${file}/review/1`),
  app("admin", "review-question", ({ file }) => `${file}/review/1`),
  app("admin", "files-question", "/harmonizations"),
  app("admin", "results-of-reviewer", ({ file }) => file),
  app("admin", "steps-of-reviewer", ({ file }) => `${file}/steps`),
  app("user", "review-help", ({ file }) => `${file}/review`, { steps: (page) => page.keyboard.press("?") }),
  app("user", "settings-menu", "/settings", opens(0)),
  app("user", "files-menu", "/harmonizations", opens(0)),
  app("user", "draft-menu", ({ draft }) => draft, opens(0)),
  app("user", "venue-of-another", ({ long }) => long.venue, gone),
  app("other", "review-of-another", ({ file }) => `${file}/review`, gone),
  app("other", "conflicts-of-another", ({ file }) => `${file}/conflicts`, gone),
  auth("other", "application-of-another", "/applications/unknown", gone),
  app("other", "long-home", "/"),
  app("other", "long-suggestions", "/venues?ll=41.8236,-71.4222", types(WORD.slice(0, 8))),
  app("other", "long-found", `/venues?query=${WORD.slice(0, 8)}&ll=41.8236,-71.4222`),
  app("other", "long-files", "/harmonizations"),
  app("other", "long-results", ({ long }) => long.file),
  app("other", "long-review", ({ long }) => `${long.file}/review/1`),
  app("other", "long-held-back", ({ long }) => `${long.file}/review/2`),
  app("other", "long-decided", ({ long }) => `${long.file}/review/5`),
  app("other", "long-failed", ({ long }) => `${long.file}/review/6`),
  app("other", "long-add", ({ long }) => `${long.file}/listings/4/add`),
  app("other", "long-add-all", ({ long }) => `${long.file}/add`),
  app("other", "long-conflicts", ({ long }) => `${long.file}/conflicts`),
  app("other", "long-changes", ({ long }) => `${long.file}/changes`),
  app("other", "long-venue", ({ long }) => long.venue),
  app("other", "long-checkins", "/checkins"),
  app("other", "long-proposals", "/venues/proposals"),
  app("admin", "run-paused", ({ runs }) => runs.person),
  app("admin", "run-cancel", ({ runs }) => runs.person, opens(0)),
  app("admin", "run-failed", ({ runs }) => runs.directory),
  app("admin", "run-cancelled", ({ runs }) => runs.cancelled),
  app("user", "search-limited", "/venues?query=coffee&ll=41.8236,-71.4222", slowedDown),
  app("user", "home-limited", "/", slowedDown),
  auth("guest", "directory-login-limited", "/login", afterMany(logInWrongly)),
  auth(
    "guest",
    "directory-search-limited",
    "/search?query=coffee&near=Providence",
    afterMany((page) => page.reload()),
  ),
  app("user", "files-overload", "/harmonizations", overload()),
  app("user", "files-database-away", "/harmonizations", withoutDatabase),
  app("guest", "login-database-away", "/login", withoutDatabase),
  auth("user", "directory-database-away", "/settings", withoutDatabase),
];
