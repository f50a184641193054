import type { Page } from "playwright-core";
import { EXPORT_FORMATS } from "../../src/harmonize/export/formats.ts";
import { SHOWN } from "../../src/web/harmonize/results/list.ts";
import type { Content, Hosts, Role } from "./content.ts";
import { ARABIC, WORD } from "./long-names.ts";
import type { Site } from "./site.ts";

/** A page in a state. Its address depends on `Where`. */
export interface Shown<Where = Site> {
  role: Role;
  name: string;
  host: keyof Hosts;
  /** 200 by default. */
  status?: number;
  address(where: Where): string;
  /** What a person does there until the state is reached. */
  steps?(page: Page, site: Site): Promise<unknown>;
  /** What happens to the site meanwhile. */
  before?(site: Site): Promise<unknown>;
  after?(site: Site): Promise<unknown>;
}

export const on =
  <Where extends Hosts>(host: keyof Hosts) =>
  (
    role: Role,
    name: string,
    path: string | ((where: Where) => string),
    more: Omit<Shown, "role" | "name" | "host" | "address"> = {},
  ): Shown<Where> => ({
    ...{ role, name, host, ...more },
    address: (where) => where[host] + (typeof path === "string" ? path : path(where)),
  });
const [app, auth, api] = [on<Hosts & Content>("app"), on<Hosts & Content>("auth"), on<Hosts & Content>("api")];

const COFFEE = "query=coffee&ll=41.8236,-71.4222";
const LISTING = "name=Starbuck&ll=41.8246,-71.4139&address=11+Dorrance+Street&city=Providence";

const LONG = `name,address,city,lat,lng,${WORD}\n${WORD},${WORD} 1,${WORD},41.8236,-71.4222,${WORD}\n${ARABIC},شارع النيل ٥,القاهرة,41.824,-71.422,${ARABIC}\n`;

/** Function declarations, as the list is made before constants below it. */
async function send(page: Page) {
  await page.locator("main form[method=post] button:not([type=button])").last().click();
}

async function chooseAll(page: Page) {
  await page.locator("#delete-files button").last().click();
}

export async function logInWrongly(page: Page) {
  await page.locator("[name=handle]").fill("nobody");
  await page.locator("[name=password]").fill("not the password");
  await send(page);
}

async function sendWithoutCookies(page: Page) {
  await page.context().clearCookies();
  await logInWrongly(page);
}

async function sendList(page: Page, text: string) {
  await page.locator("details:has([name=text]) > summary").first().click();
  await page.locator("[name=text]").fill(text);
  const loaded = page.waitForEvent("load");
  await page.locator("form:has([name=text]) button").last().click();
  await loaded;
}

/** Every page, and the states that differ from it most. */
export const PAGES: readonly Shown<Hosts & Content>[] = [
  app("guest", "home", "/"),
  app("guest", "example", "/example"),
  app("guest", "missing", "/nothing", { status: 404 }),
  app("user", "login-popup", "/login/popup"),
  app("guest", "login-unknown", "/login/callback?state=x&code=y", { status: 400 }),
  auth("guest", "directory", "/"),
  auth("guest", "directory-search", "/search?query=coffee&near=Providence"),
  auth("guest", "directory-search-nothing", "/search?query=zzzz&near=Providence"),
  auth("guest", "directory-search-wrong", "/search?query=coffee&near=zzzz", { status: 400 }),
  auth("guest", "directory-login", "/login"),
  auth("guest", "directory-sign-up", "/sign-up"),
  auth("guest", "directory-login-wrong", "/login", { status: 401, steps: logInWrongly }),
  auth("guest", "directory-login-stale", "/login", { status: 403, steps: sendWithoutCookies }),
  auth("guest", "directory-sign-up-wrong", "/sign-up", { status: 400, steps: send }),
  auth("guest", "directory-refusal", "/oauth2/authenticate?client_id=nobody&response_type=code", { status: 400 }),
  auth("guest", "directory-missing", "/nothing", { status: 404 }),
  app("stranger", "directory-consent", "/login"),
  api("guest", "docs", "/docs"),
  api("guest", "docs-search", "/docs/venues-search"),
  api("guest", "docs-resources", "/docs/resources"),
  api("guest", "directory-venue", ({ venue }) => venue),
  api("guest", "preview", ({ venue }) => `/reconcile/1.0/preview?id=${venue.split("/").at(-1)}`),
  app("user", "home", "/"),
  app("user", "search", "/venues"),
  app("user", "search-map", `/venues?${COFFEE}`),
  app("user", "search-results-most", `/venues?${COFFEE}&limit=50`),
  app("user", "search-nothing", "/venues?query=zzzz&ll=41.8236,-71.4222"),
  app("user", "search-wrong", "/venues?query=coffee&ll=here", { status: 400 }),
  app("user", "missing", "/nothing", { status: 404 }),
  app("user", "not-allowed", "/admin/status", { status: 404 }),
  app("user", "match", `/venues?intent=match&${LISTING}`),
  app("user", "venue", ({ venue }) => venue),
  app("user", "suggest-edit", ({ venue }) => `${venue}/edit`),
  app("user", "own-proposals", "/venues/proposals"),
  app("user", "add", "/venues/new?ll=41.8236,-71.4222"),
  app("user", "checkins", "/checkins"),
  app("user", "checkins-found", "/checkins?q=coffee"),
  app("user", "checkins-nothing", "/checkins?q=zzzz"),
  app("user", "checkin-change", ({ checkin }) => checkin),
  app("user", "files", "/harmonizations"),
  app("user", "files-found", "/harmonizations?q=listings"),
  app("user", "files-delete", "/harmonizations", { steps: chooseAll }),
  app("user", "draft", ({ draft }) => draft),
  app("user", "results", ({ file }) => file),
  app("user", "review", ({ file }) => `${file}/review`),
  app("user", "conflicts", ({ file }) => `${file}/conflicts`),
  app("user", "changes", ({ file }) => `${file}/changes`),
  app("user", "bridge", ({ file }) => `${file}/bridge`),
  app("user", "steps", ({ file }) => `${file}/steps`),
  app("user", "webhook", ({ file }) => `${file}/webhook`),
  app("user", "people", ({ file }) => `${file}/people`),
  app("user", "repairs", ({ file }) => `${file}/repairs?kind=set&preview=1&field=country&value=US`),
  app("user", "add-all", ({ file }) => `${file}/add`),
  ...SHOWN.map((show) => app("user", `results-${show}`, ({ file }) => `${file}?show=${show}`)),
  app("user", "results-nothing", ({ file }) => `${file}?q=zzzz`),
  app("user", "review-card", ({ file }) => `${file}/review/1`),
  app("user", "review-family", ({ file }) => `${file}/listings/1/family`),
  app("user", "add-as-new", ({ file }) => `${file}/listings/1/add`),
  app("user", "review-skipped", ({ file }) => `${file}/review?show=skipped`),
  app("user", "file-missing", "/harmonizations/00000000-0000-4000-8000-000000000000", { status: 404 }),
  app("user", "file-refused", "/harmonizations", { status: 400, steps: (page) => sendList(page, "%PDF-1.7 nothing") }),
  app("user", "add-wrong", "/venues/new?ll=41.8236,-71.4222", { status: 400, steps: send }),
  app("other", "home", "/"),
  app("other", "long-draft", "/harmonizations", { steps: (page) => sendList(page, LONG) }),
  app("other", "long-search", `/venues?query=${WORD}&ll=41.8236,-71.4222`),
  app("other", "long-match", `/venues?intent=match&name=${WORD}&address=${ARABIC}&city=${WORD}&ll=41.8236,-71.4222`),
  app("other", "not-theirs", ({ file }) => file, { status: 404 }),
  app("user", "mappings", "/mappings"),
  app("user", "settings", "/settings"),
  app("user", "tokens", "/settings/tokens"),
  app("user", "api", "/api/v1"),
  auth("user", "directory-settings", "/settings"),
  auth("user", "directory-applications", "/applications"),
  auth("user", "directory-new-application", "/applications/new"),
  auth("user", "directory-application", ({ application }) => application),
  app("admin", "status", "/admin/status"),
  app("admin", "secrets", "/admin/secrets"),
  app("admin", "people", "/admin/people"),
  app("admin", "lists", "/admin/lists"),
  auth("admin", "operator-overview", "/operator"),
  auth("admin", "operator", "/operator/applications"),
  auth("admin", "operator-application", ({ application }) => `/operator${application}`),
  auth("admin", "operator-duplicates", "/operator/duplicates"),
  auth("admin", "operator-venues-id", ({ venue }) => `/operator/venues?id=${venue.split("/").at(-1)}`),
  auth("admin", "operator-edit", ({ venue }) => `/operator/venues/edit?id=${venue.split("/").at(-1)}`),
  auth("admin", "operator-venues", "/operator/venues"),
  auth("admin", "operator-venues-name", "/operator/venues?id=coffee&near=Providence"),
  auth("admin", "operator-proposals", "/operator/proposals"),
  auth("admin", "operator-demo", "/operator/demo"),
  app("newcomer", "home-empty", "/"),
  app("newcomer", "files-empty", "/harmonizations"),
  app("newcomer", "checkins-empty", "/checkins"),
  app("newcomer", "proposals-empty", "/venues/proposals"),
  auth("newcomer", "applications-empty", "/applications"),
];

/** What pages offer, load or lead to, and show themselves nothing. */
export const FILES: readonly Shown<Hosts & Content>[] = [
  ...EXPORT_FORMATS.map((format) =>
    app("user", `export ${format}`, ({ file }) => `${file}/export?format=${format}&candidates=1`),
  ),
  app("user", "changes", ({ file }) => `${file}/changes/download`),
  app("user", "bridge", ({ file }) => `${file}/bridge/rows`),
  app("user", "steps", ({ file }) => `${file}/steps/download`),
  app("user", "repairs", ({ file }) => `${file}/repairs/download`),
  ...["csv", "geojson"].map((format) => app("user", `check-ins ${format}`, `/checkins/download?format=${format}`)),
  app("user", "suggestions", "/venues/suggest?query=cof&ll=41.8236,-71.4222"),
  app("user", "look-alikes", `/venues/new/look?${LISTING}`),
  app("user", "streets", "/map/12/1235/1523"),
  app("user", "card of a listing", ({ file }) => `${file}/listings/1`),
  app("user", "card of a mended listing", ({ file }) => `${file}/listings/1/mend`),
  app("admin", "first page of admins", "/admin"),
  auth("admin", "streets of operators", "/map/12/1235/1523"),
  api("guest", "streets of a venue's page", "/map/12/1235/1523"),
  auth("guest", "metadata", "/.well-known/oauth-authorization-server"),
  api("guest", "openapi", "/docs/openapi.json"),
  api("guest", "service", "/"),
];
