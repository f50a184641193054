import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { parseSync } from "oxc-parser";
import { beforeAll, describe, expect, it } from "vitest";
import { assetBase, PARTS, registerAssets, withoutComments } from "../../src/http/files/assets.ts";
import { attributes, registerViews, safeHref } from "../../src/http/pages/views.ts";
import { categoryGlyph, GLYPHS } from "../../src/web/venues/view.ts";
import { FRAME } from "../http/pages/frame.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const VIEWS = globSync("views/**/*.eta", { cwd: ROOT }).map((file) => ({ file, text: read(file) }));
const HOSTILE = `"><script>x</script><img src=x onerror='x'>`;
const PERSON = { nav: "app", user: { name: "Ada", isAdmin: false }, csrf: "token", path: "/venues/new" };

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await registerViews(app, { production: true, defaults: FRAME });
  await registerAssets(app);
});

describe("the layout", () => {
  it("marks the current page in the menu, and no other", async () => {
    const html = await render("error", { title: "Add", problem: { heading: "h", message: "m" }, ...PERSON });
    expect(html.match(/<a href="[^"]*" aria-current="page">/g)).toEqual(['<a href="/venues" aria-current="page">']);
  });

  it("logs out with a form that contains the CSRF token", async () => {
    const html = await render("error", { title: "Add", problem: { heading: "h", message: "m" }, ...PERSON });
    expect(html).toMatch(/<form method="post" action="\/logout">\s*<input type="hidden" name="_csrf" value="token">/);
  });

  it("uses another brand at the directory than in the web app", async () => {
    const data = { title: "t", problem: { heading: "h", message: "m" } };
    expect(await render("error", { ...data, nav: "directory" })).toContain('data-brand="directory"');
    expect(await render("error", { ...data, nav: "app" })).not.toContain("data-brand");
  });

  it("has a dialog without style sheets, scripts and images for display=wap", async () => {
    const data = { title: "Log in", problem: { heading: "h", message: "m" } };
    const html = await render("error", { ...data, display: "wap" }, "dialog");
    expect(html).not.toMatch(/<link|<script|<svg/);
    expect(await render("error", { ...data, display: "touch" }, "dialog")).toMatch(/<link.*data-display="touch"/s);
  });
});

describe("a view", () => {
  it("throws for a missing value, without quoting any value", async () => {
    await expect(render("partials/empty", { empty: { heading: "No" } })).rejects.toThrow("a view prints undefined");
    await expect(render("partials/notice", { notice: { message: { token: "x" } } })).rejects.toThrow("prints object");
  });

  it.each([
    ["partials/notice", { notice: { heading: HOSTILE, message: HOSTILE } }],
    ["partials/empty", { empty: { heading: HOSTILE, message: HOSTILE, action: { href: HOSTILE, label: HOSTILE } } }],
    ["partials/field", { field: { name: HOSTILE, label: HOSTILE, value: HOSTILE, hint: HOSTILE, error: HOSTILE } }],
    ["partials/field", { field: { name: "n", label: "l", value: HOSTILE, rows: 3 } }],
    [
      "partials/map",
      { map: { points: [{ lat: 1, lng: 2, name: HOSTILE, href: HOSTILE }], around: [], label: HOSTILE } },
    ],
    ["partials/error-page", { problem: { heading: HOSTILE, message: HOSTILE, requestId: HOSTILE } }],
    [
      "partials/category/picker",
      { picker: { categories: [{ id: HOSTILE, name: HOSTILE }], name: "c", label: "l", error: HOSTILE } },
    ],
    ["partials/error-summary", { errors: [{ field: HOSTILE, message: HOSTILE }] }],
  ])("%s shows hostile text as text", async (view, data) => {
    const html = await app.view(view, data);
    expect(html).not.toMatch(/<script|<img|onerror='/);
    expect(html).toContain("&lt;script&gt;");
  });

  it.each(VIEWS)("$file has nothing inline, as the Content-Security-Policy requires", ({ text }) => {
    expect(text).not.toMatch(/\sstyle=|<style|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:/i);
  });

  it("the served scripts are their sources without comments and indentation", async () => {
    const parts = Object.values(PARTS).flat();
    const names = globSync("public/*.js", { cwd: ROOT }).map((file) => path.basename(file));
    const scripts = names
      .filter((name) => !parts.includes(name))
      .map((name) => [[...(PARTS[name] ?? []), name].map((part) => `public/${part}`), name] as const);
    const imported = new RegExp(`^import .* from "./(?:${parts.join("|")})";$`, "gm");
    for (const [files, name] of [...scripts, [["node_modules/leaflet/dist/leaflet.js"], "leaflet.js"] as const]) {
      const { body } = await app.inject(`${assetBase}/${name}`);
      expect(codeOf(body) === codeOf(files.map(read).join("\n").replace(imported, "")), name).toBe(true);
      if (name !== "leaflet.js") expect(body, name).not.toMatch(/^\s|^\/[/*]/m);
    }
  });

  it("the pages use only existing icons, and every style sheet is part of a served one", async () => {
    const icons = new Set([...read("public/icons.svg").matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id));
    const named = VIEWS.flatMap(({ text }) => [...text.matchAll(/icon: '(\w+)'/g)].map(([, icon]) => icon));
    expect(named.length).toBeGreaterThan(10);
    const glyphs = GLYPHS.map(([glyph]) => glyph);
    expect([...named, ...glyphs].filter((icon) => !icons.has(icon))).toEqual([]);
    const served = await Promise.all(
      "pages harmonizations checkins dialog docs map preview combobox"
        .split(" ")
        .map((sheet) => app.inject(`${assetBase}/${sheet}.css`)),
    );
    const all = served.map(({ body }) => body).join();
    expect(
      globSync("public/css/*.css", { cwd: ROOT }).filter((file) => !all.includes(withoutComments(read(file)).trim())),
    ).toEqual([]);
  });
});

describe("the icon of the category", () => {
  it.each([
    ["Café", "coffee"],
    ["Steakhouse", "food"],
    ["Barbershop", "shop"],
    ["Wine Bar", "bar"],
    ["Art Museum", "arts"],
    ["Bus Station", "travel"],
    ["Public Library", "library"],
    ["Zxq", "pin"],
    [undefined, "pin"],
  ])("%s is %s", (category, glyph) => expect(categoryGlyph(category)).toBe(glyph));
});

describe("a link to another site", () => {
  it.each(["https://example.org/a?b=c", "http://example.org"])("%s is kept", (url) => expect(safeHref(url)).toBe(url));

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:x",
    "data:text/html,x",
    "ftp://x",
    "www.x.org",
    "",
  ])("%j is not made a link", (url) => expect(safeHref(url)).toBeUndefined());
});

describe("attributes", () => {
  it("are escaped, bare if true, and omitted if empty", () => {
    const values = { title: `a"b<c>&'`, hidden: true, open: false, href: undefined, id: null, class: "", tabindex: 0 };
    expect(attributes(values)).toBe(' title="a&quot;b&lt;c&gt;&amp;&#39;" hidden tabindex="0"');
  });
});

/** The syntax tree as text, without positions. */
function codeOf(source: string): string {
  const { program, errors } = parseSync("script.js", source);
  if (errors[0]) throw new Error(errors[0].message);
  return JSON.stringify(program.body, (key, value) => (["start", "end", "range"].includes(key) ? undefined : value));
}

function render(view: string, data: object, layout = "layout"): Promise<string> {
  return app.view(view, data, { layout });
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
