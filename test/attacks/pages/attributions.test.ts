import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { createHttpClient, formFields, type HttpClient } from "../../support/http-client.ts";
import { routesOf } from "../../support/routes.ts";
import { type RunningApps, runningApps } from "../running-apps.ts";

let started: RunningApps | undefined;
const servers = await routesOf(async () => {
  started = await runningApps({ instances: 1, env: { OPERATORS: "demo" } });
});
if (!started) throw new Error("Samespot did not start.");
const apps = started;
const { pool, prisma } = apps.database;
const [appRoutes = [], authRoutes = []] = ["GET /login/callback", "GET /operator/duplicates"].map(
  (known) => servers.find((routes) => routes.includes(known)) ?? [],
);

const CREDIT = "Data from Somebody";
/** Addresses of one route that are looked at. */
const OF_A_KIND = 3;
/** Statements that mark all venues. */
const PARTS = 32;
/** Answers that name no source, and why. */
const WITHOUT: Record<string, string> = {
  "/harmonizations/:id/export?format=bridge-csv": "ids only, with the columns of Overture's bridge files",
  "/operator/venues": "a form of the directory's operators, which links the venue's page",
  "/operator/venues/edit": "the same",
  "/operator": "pairs of venues that seem to be one, each linked",
  "/operator/duplicates": "the same",
};

interface Found {
  kind: string;
  path: string;
  hasVenue: boolean;
  isCredited: boolean;
}

const links = (body: string) =>
  [...body.matchAll(/<(?:a|form)\b[^>]*\b(?:href|action)="([^"]*)"/g)]
    .filter(([tag]) => !/method="post"/.test(tag))
    .map(([, to = ""]) => to.replaceAll("&amp;", "&"));

const kindOf = ({ pathname, searchParams }: URL): string => {
  const format = searchParams.get("format");
  const path = pathname
    .replace(/[0-9a-f]{24}/, ":id")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, ":id")
    .replace(/\/\d+(?=\/|$)/g, "/:number");
  return format ? `${path}?format=${format}` : path;
};

/** Follows links of a host from these addresses. */
async function walk(browser: HttpClient, host: string, begin: string[], ids: Set<string>): Promise<Found[]> {
  const [queue, seen, kinds] = [[...begin], new Set<string>(), new Map<string, number>()];
  const found: Found[] = [];
  while (queue.length > 0) {
    const url = new URL(queue.shift() ?? "", host);
    const [path, kind] = [url.pathname + url.search, kindOf(url)];
    if (url.origin !== host || seen.has(path) || (kinds.get(kind) ?? 0) >= OF_A_KIND || /xlsx|parquet/.test(kind))
      continue;
    seen.add(path);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { body, location } = await browser.get(path);
    const hasVenue = [...body.matchAll(/[0-9a-f]{24}/g)].some(([id]) => ids.has(id));
    found.push({ kind, path, hasVenue, isCredited: body.includes(CREDIT) });
    queue.push(...links(body), ...(location ? [location] : []));
  }
  return found;
}

async function send(browser: HttpClient, path: string, fields: Record<string, string>) {
  const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
  return browser.post(path, { _csrf, ...fields });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); await after(100))
    if (Date.now() > end) throw new Error("That did not happen within a minute.");
}

/** Makes a list of venues, some spelt otherwise or twice, that is matched, looked at for changes, and kept as a tried draft. */
async function makeLists(browser: HttpClient): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; lat: number; lng: number }>(
    `SELECT name, lat, lng FROM directory.venue WHERE name ~ '^[A-Za-z ]{9,}$' ORDER BY id LIMIT 24`,
  );
  const named = rows.map(({ name, ...at }, index) => ({ name: index % 3 ? name : name.replace(/.{4}$/, "or"), ...at }));
  const lines = [...named, ...named.slice(1, 3)].map(({ name, lat, lng }, at) => `own-${at},${name},${lat},${lng}`);
  const text = `id,name,lat,lng\n${lines.join("\n")}\n`;
  const begin = async (action: string) => {
    const { location } = await send(browser, "/harmonizations", { text });
    const page = await browser.get(location);
    const { pathname } = new URL(location);
    const columns = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" };
    const { status } = await browser.submit(page, `${pathname}/columns`, { ...columns, action });
    expect(status).toBe(303);
    return pathname;
  };
  const [tried, list] = [await begin("try"), await begin("start")];
  const row = (path: string) => prisma.harmonization.findUniqueOrThrow({ where: { id: path.split("/").at(-1) ?? "" } });
  await until(async () => (await row(list)).state === "ready");
  await until(
    async () => (await row(tried)).trial !== null && JSON.stringify((await row(tried)).trial).includes("done"),
  );
  await pool.query("UPDATE directory.venue SET name = name || ' Renamed' WHERE name = ANY ($1)", [
    named.map(({ name }) => name),
  ]);
  await send(browser, `${list}/changes`, {});
  await until(async () => (await prisma.sideTask.count({ where: { kind: "changes", wantedAt: null } })) === 1);
  return [tried, list];
}

/** Gives all venues a source, in stretches. Returns their ids. */
async function creditAll(): Promise<string[]> {
  const { rows: sources } = await pool.query<{ id: number }>(
    "INSERT INTO directory.source (release, dataset, attribution) VALUES ('overture', 'meta', $1) RETURNING id",
    [CREDIT],
  );
  const ids: string[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const { rows } = await pool.query<{ id: string }>(
      "UPDATE directory.venue SET source_id = $1 WHERE abs(hashtext(id)) % $2 = $3 RETURNING id",
      [sources[0]?.id, PARTS, part],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

test("C73: every page and file of the app and the directory that shows a venue of a source names the source", async () => {
  const ids = new Set(await creditAll());
  const browser = apps.newBrowser();
  const directory = createHttpClient(apps.authUrl);
  await apps.logIn(browser, { next: "/checkins", at: directory });
  await until(async () => !(await browser.get("/checkins")).body.includes('role="progressbar"'));
  const [tried = "", list = ""] = await makeLists(browser);
  const { body: exported } = await browser.get(`${list}/export?format=mapping-csv`);
  const [mapped = ""] = exported.match(/[0-9a-f]{24}/) ?? [];
  const mappings = await browser.follow(await send(browser, "/mappings", { ids: mapped }));
  const { name, lat, lng } = await prisma.venue.findUniqueOrThrow({ where: { id: mapped } });
  expect([mappings.body.includes(`<code>${mapped}`), mappings.body.includes(CREDIT)]).toEqual([true, true]);

  const plain = (routes: string[]) =>
    routes.filter((route) => /^GET [^:*]*$/.test(route)).map((route) => route.slice(4));
  const at = "ll=41.8236,-71.4222";
  const formats = ["csv", "geojson", "json", "ndjson", "mapping-csv", "mapping-ndjson", "bridge-csv"];
  const app = await walk(
    browser,
    apps.url,
    [
      ...[tried, list, `${list}/review`, `${list}/conflicts`, `${list}/changes`, `${list}/changes/download`],
      ...["?show=matched", "/review?show=review", "/add", "/listings/1/family", "/listings/4/family"].map(
        (more) => list + more,
      ),
      ...formats.map((format) => `${list}/export?format=${format}`),
      ...[`/venues?query=coffee&${at}`, `/venues?${at}`, `/venues?name=Coffee&intent=match&${at}`],
      ...[
        `/venues/suggest?query=coffee&${at}`,
        `/venues/new/look?name=${encodeURIComponent(name)}&ll=${lat},${lng}`,
        `/venues/${mapped}`,
      ],
      ...[`/venues/${mapped}/edit`, "/checkins", "/checkins/download?format=csv", "/checkins/download?format=geojson"],
      ...plain(appRoutes),
    ],
    ids,
  );
  const operated = await walk(
    directory,
    apps.authUrl,
    [
      `/search?query=coffee&near=Providence`,
      `/operator/venues?id=${mapped}`,
      `/operator/venues/edit?id=${mapped}`,
      ...plain(authRoutes),
    ],
    ids,
  );
  const all = [...app, ...operated];
  const kinds = new Set(all.filter(({ hasVenue }) => hasVenue).map(({ kind }) => kind));
  const without = all.filter(({ hasVenue, isCredited, kind }) => hasVenue && !isCredited && !WITHOUT[kind]);
  expect([...new Set(without.map(({ kind }) => kind))]).toEqual([]);
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      ...[
        "/",
        "/venues",
        "/venues/:id",
        "/venues/suggest",
        "/venues/new/look",
        "/checkins",
        "/checkins/download?format=csv",
      ],
      ...["", "/review/:number", "/conflicts", "/changes", "/changes/download"].map(
        (end) => `/harmonizations/:id${end}`,
      ),
      ...["/search", "/operator/venues"],
      ...formats.map((format) => `/harmonizations/:id/export?format=${format}`),
    ]),
  );
}, 400_000);
