import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Registered, registeredRoutes } from "./support/routes.ts";
import { startSamespot } from "./support/samespot.ts";

/** Removes from a route the hash of assets and an optional slash at the end. */
const plain = (route: string) => route.replace(/ \/assets\/[^/]+/, " /assets/…").replace(/(?<=\w)\/$/, "");

const listeners = await routesByListener();

describe("the routes", () => {
  it("W08: are those of test/routes.txt, each with who may call it; `npx vitest run test/docs.test.ts -u` writes it", async () => {
    const sections = [...listeners].map(([name, routes]) => [
      `# ${name}`,
      ...new Set(routes.map(inOneLine).toSorted()),
      "",
    ]);
    await expect(sections.flat().join("\n")).toMatchFileSnapshot("routes.txt");
  });

  it("W08: of the web app and the auth host are in their tables, except those of every listener", () => {
    const routes = ["Web app", "Auth host"].flatMap((name) => listeners.get(name) ?? []);
    const outside = routes.filter(({ config }) => !config.handler).map(({ route }) => route);
    expect([...new Set(outside)].toSorted()).toEqual([
      "GET /assets/…/*",
      "GET /basemap/:name",
      "GET /healthz",
      "GET /readyz",
    ]);
  });

  it("have guards that docs/architecture.md explains, and no others are explained", () => {
    const [, section = ""] = readFileSync("docs/architecture.md", "utf8").split("\n| who may |");
    const [legend = ""] = section.split("\n\n");
    const explained = [...legend.matchAll(/^\| ([a-z ,]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
    const guards = [...listeners.values()].flat().map(({ config }) => guardInWords(config.who?.name));
    expect(explained.toSorted()).toEqual([...new Set(guards)].toSorted());
  });
});

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...globSync("docs/**/*.md"),
  "test/attacks/README.md",
  "test/attacks/asvs.md",
];

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

/** "POST /venues · connected · addVenue"; a route outside the tables is known by the file that registers it. */
function inOneLine({ route, config, files }: Registered): string {
  const registering = files.find((file) => !/^http\/(?:routes|server)|\/endpoint\//.test(file)) ?? files[0];
  return [route, guardInWords(config.who?.name), config.handler?.name ?? registering].join(" · ");
}

/** Returns "confirmed admins" for `confirmedAdmins`. A route without a guard is open. */
const guardInWords = (name = "anyone"): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

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
