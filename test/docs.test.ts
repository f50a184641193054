import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Registered, registeredRoutes } from "./support/routes.ts";
import { startSamespot } from "./support/samespot.ts";

/** Removes from a route the hash of assets and an optional slash at the end. */
const plain = (route: string) => route.replace(/ \/assets\/[^/]+/, " /assets/…").replace(/(?<=\w)\/$/, "");

/** A row of docs/http.md. `route` is "METHOD /path", `who` the guard in words. */
interface Row {
  route: string;
  who: string;
  file: string;
}

/** By the listener's heading in docs/http.md. */
const registered = await routesByListener();

describe.each(["Web app", "Auth host", "API host"])("docs/http.md, %s", (heading) => {
  const documented = [...documentedRoutes("Every listener"), ...documentedRoutes(heading)];
  const routes = registered.get(heading) ?? [];

  it("W08: lists every route of the listener and no others, with who may call each", () => {
    const inWords = (route: string, who: string) => `${route}: ${who}`;
    const guarded = routes.map(({ route, config }) => inWords(route, guardInWords(config.who?.name)));
    expect(documented.map(({ route, who }) => inWords(route, who)).toSorted()).toEqual(
      [...new Set(guarded)].toSorted(),
    );
  });

  it("names the file that answers each route", async () => {
    const wrong: string[] = [];
    for (const { route, file } of documented) {
      const found = routes.filter((each) => each.route === route);
      for (const each of found) if (!(await answers(file, each))) wrong.push(`${route}: ${file}`);
    }
    expect(wrong).toEqual([]);
  });
});

it("docs/http.md explains every guard", () => {
  const [legend = ""] = readFileSync("docs/http.md", "utf8").split("\n## ");
  const explained = [...legend.matchAll(/^\| ([a-z ,]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
  const guards = [...registered.values()].flat().map(({ config }) => guardInWords(config.who?.name));
  expect(explained.filter((name) => name !== "who may").toSorted()).toEqual([...new Set(guards)].toSorted());
});

it("W08: the routes of the web app and the auth host are in their tables, except those of every listener", () => {
  const common = documentedRoutes("Every listener").map(({ route }) => route);
  const routes = ["Web app", "Auth host"].flatMap((heading) => registered.get(heading) ?? []);
  const outside = routes.filter(({ route, config }) => !config.handler && !common.includes(route));
  expect(outside.map(({ route }) => route)).toEqual([]);
});

const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...globSync("docs/**/*.md")];

it.each(DOCUMENTS)("the links of %s lead to existing files and headings", (file) => {
  const links = [...withoutCode(readFileSync(file, "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
  const broken = links.filter((to) => !/^https?:/.test(to) && !leadsSomewhere(file, to));
  expect(broken).toEqual([]);
});

async function routesByListener(): Promise<Map<string, Registered[]>> {
  const start = () => startSamespot({ template: "empty", env: { SIGN_UP: "on" } });
  const servers = (await registeredRoutes(start)).map((routes) =>
    routes.map((each) => ({ ...each, route: plain(each.route) })),
  );
  const having = (wanted: string) => servers.find((routes) => routes.some(({ route }) => route === wanted)) ?? [];
  return new Map([
    ["Web app", having("GET /login/callback")],
    ["Auth host", having("GET /oauth2/authenticate")],
    ["API host", having("GET /v2/venues/search")],
  ]);
}

/** Reads the rows `| METHOD METHOD | `/path` | guard | `file` | … |` below a heading. */
function documentedRoutes(heading: string): Row[] {
  const [, section = ""] = readFileSync("docs/http.md", "utf8").split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| ([A-Z ]+) \| `([^`]+)` \| ([^|]+) \| `([^`]+)` \|/gm);
  return [...rows].flatMap(([, methods = "", url = "", who = "", file = ""]) =>
    methods.split(" ").map((method) => ({ route: `${method} ${url}`, who, file })),
  );
}

/** Returns "confirmed admins" for `confirmedAdmins`. A route without a guard is open. */
const guardInWords = (name = "anyone"): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Whether the file exports the handler, or registers the route itself or through a plugin. */
async function answers(file: string, { config, files }: Registered): Promise<boolean> {
  const at = path.resolve("src", file);
  if (config.handler) return Object.values(await import(at)).includes(config.handler);
  return files.length > 0 ? files.includes(file) : readFileSync(at, "utf8").includes(".register(");
}

const withoutCode = (markdown: string) => markdown.replace(/```.*?```/gs, "").replace(/`[^`\n]*`/g, "");

function leadsSomewhere(file: string, to: string): boolean {
  const [target = "", anchor] = to.split("#");
  const at = target === "" ? file : path.join(path.dirname(file), target);
  if (!existsSync(at)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(at, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return headings
    .map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    )
    .includes(anchor);
}
