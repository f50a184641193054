import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { importsIn, importsOf } from "./imports.ts";
import { circles, folderCircles, readTable, refusal, unused } from "./table.ts";

// The type check and Vitest accept more than Node, such as `in` in the default of a parameter.
test("Node can run every file of the source as it is", () => {
  const refused = globSync("src/**/*.ts").filter((file) => {
    try {
      stripTypeScriptTypes(readFileSync(file, "utf8"));
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual([]);
});

const table = readTable(readFileSync("docs/architecture.md", "utf8"));
const imports = importsOf();

describe("the table of docs/architecture.md", () => {
  test("allows every import of the source", () => {
    expect(imports.flatMap((each) => refusal(table, each) ?? [])).toEqual([]);
  });

  test("allows no import that no file uses", () => {
    expect(unused(table, imports)).toEqual([]);
  });

  test.each([
    ["src/web/users.ts", "../directory/users.ts", "src/directory"],
    ["src/harmonize/review/page.ts", "../../web/app.ts", "src/web"],
    ["src/harmonize/run/listen.ts", "../../http/server.ts", "src/http"],
    ["src/directory-client/rows.ts", "../harmonize/run/rows.ts", "src/harmonize"],
    ["src/directory-client/pages.ts", "../web/base/deps.ts", "src/web"],
    ["src/directory-client/store.ts", "../db/database.ts", "src/db"],
    ["src/shared/csv/page.ts", "../../web/app.ts", "src/web"],
    ["src/web/venues/judge.ts", "../../matching/match.ts", "src/matching"],
    ["src/web/admin/again.ts", "../../start/setup.ts", "src/start"],
    ["src/http/rows.ts", "../shared/csv/csv.ts", "src/shared/csv"],
    ["src/http/start.ts", "../main.ts", "src/main.ts"],
    ["src/db/listen.ts", "../http/server.ts", "src/http"],
    ["src/directory/again.ts", "../start/setup.ts", "src/start"],
    ["src/directory/print.ts", "../cli/output.ts", "src/cli.ts, src/cli"],
    ["src/contract/call.ts", "undici", "undici"],
    ["src/matching/call.ts", "undici", "undici"],
    ["src/directory/auth/call.ts", "../../directory-client/client.ts", "src/directory-client"],
    ["src/matching/read.ts", "node:fs/promises", "node:fs/promises"],
    ["src/http/query.ts", "../db/generated/../../harmonize/run/rows.ts", "src/harmonize"],
    ["src/contract/parse.ts", "zod-to-openapi", "zod-to-openapi"],
    ["src/new-folder/file.ts", "zod", undefined],
  ])("rejects that %s imports %s", (file, specifier, what) => {
    const message = what
      ? `${file} imports ${specifier}, which is ${what}. The row of `
      : `${file} is in no row of the table of docs/architecture.md.`;
    expect(refusals(file, `import "${specifier}";`)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ["src/web/home.ts", "./harmonize/app.ts"],
    ["src/web/home.ts", "../contract/envelope.ts"],
    ["src/web/review.ts", "../matching/distance.ts"],
    ["src/directory/again.ts", "../matching/normalize/normalize.ts"],
    ["src/directory/again.ts", "../../prisma/categories.json"],
    ["src/harmonize/file/read.ts", "../../shared/csv/csv.ts"],
    ["src/http/query.ts", "@fastify/cookie"],
    ["src/harmonize/export/text.ts", "hyparquet-writer"],
    ["src/cli/harmonize/again.ts", "../../cli.ts"],
    ["src/db/again.ts", "node:fs"],
  ])("allows that %s imports %s", (file, specifier) => {
    expect(refusals(file, `import "${specifier}";`)).toEqual([]);
  });

  test("holds for imports of types, dynamic imports and re-exports", () => {
    const sources = [
      `import type { User } from "../directory/users.ts";`,
      `import { type User } from "../directory/users.ts";`,
      `export { addUser } from "../directory/users.ts";`,
      `export * from "../directory/users.ts";`,
      `export type * from "../directory/users.ts";`,
      `export const later = () => import("../directory/users.ts");`,
      `export let user: import("../directory/users.ts").User;`,
      `import users = require("../directory/users.ts");`,
      `export const any = (name: string) => import("../directory/" + name);`,
    ];
    expect(sources.filter((source) => refusals("src/web/a.ts", source).length !== 1)).toEqual([]);
  });
});

const refusals = (file: string, source: string) =>
  importsIn(file, source).flatMap((each) => refusal(table, each) ?? []);

describe("the source has no circular imports", () => {
  test("between files", () => {
    expect(circles(imports)).toEqual([]);
  });

  test("between folders", () => {
    expect(folderCircles(imports)).toEqual([]);
  });

  test("of any number of files, types included", () => {
    const chain = [
      ["src/web/a.ts", `import type { B } from "./b/b.ts";`],
      ["src/web/b/b.ts", `export * from "./c.ts";`],
      ["src/web/b/c.ts", `const a = () => import("../a.ts");`],
      ["src/web/d.ts", `import "./a.ts";`],
    ].flatMap(([file = "", source = ""]) => importsIn(file, source));
    expect(circles(chain)).toEqual(["src/web/a.ts src/web/b/b.ts src/web/b/c.ts"]);
    expect(folderCircles(chain)).toEqual(["src/web src/web/b"]);
    expect(circles(chain.slice(0, 2))).toEqual([]);
  });
});

test("only the configuration and the entry points read the environment", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-walls-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  cpSync("biome.json", path.join(folder, "biome.json"));
  mkdirSync(path.join(folder, "src/web"), { recursive: true });
  writeFileSync(path.join(folder, "src/web/environment.ts"), "export const home = process.env.HOME;\n");
  const { stdout } = spawnSync(
    path.resolve("node_modules/.bin/biome"),
    ["lint", "--vcs-enabled=false", "--reporter=github"],
    { cwd: folder, encoding: "utf8" },
  );
  expect(stdout).toContain("noProcessEnv");
});
