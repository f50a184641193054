import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { routesOf } from "./support/routes.ts";
import { startSamespot } from "./support/samespot.ts";

/** A route without what changes with every release, and without the slash that some also take at their end. */
const plain = (route: string) => route.replace(/ \/assets\/[^/]+/, " /assets/…").replace(/(?<=\w)\/$/, "");

/** "METHOD /path" of every route, by the heading that docs/http.md has for the listener. */
const registered = await registeredRoutes();

it.each(["Web app", "Auth host", "API host"])(
  "docs/http.md lists the routes of the %s, all and no others",
  (heading) => {
    const documented = [...documentedRoutes("Every listener"), ...documentedRoutes(heading)];
    expect(documented.toSorted()).toEqual(registered.get(heading)?.toSorted());
  },
);

const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...globSync("docs/**/*.md")];

it.each(DOCUMENTS)("the links of %s lead to files and headings that are there", (file) => {
  const links = [...withoutCode(readFileSync(file, "utf8")).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
  const broken = links.filter((to) => !/^https?:/.test(to) && !leadsSomewhere(file, to));
  expect(broken).toEqual([]);
});

async function registeredRoutes(): Promise<Map<string, string[]>> {
  const start = () => startSamespot({ template: "empty", env: { SIGN_UP: "on" } });
  const servers = (await routesOf(start)).map((routes) => routes.map(plain));
  const having = (route: string) => [...new Set(servers.find((routes) => routes.includes(route)))];
  return new Map([
    ["Web app", having("GET /login/callback")],
    ["Auth host", having("GET /oauth2/authenticate")],
    ["API host", having("GET /v2/venues/search")],
  ]);
}

/** The rows `| METHOD METHOD | `/path` | … |` below a heading. */
function documentedRoutes(heading: string): string[] {
  const [, section = ""] = readFileSync("docs/http.md", "utf8").split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").matchAll(/^\| ([A-Z ]+) \| `([^`]+)` \|/gm);
  return [...rows].flatMap(([, methods = "", url = ""]) => methods.split(" ").map((method) => `${method} ${url}`));
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
