import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { variables } from "../../src/config/variables.ts";
import { closedFolder } from "../../src/db/embedded/user.ts";
import { type Ended, runCommand, spawnCommand } from "../cli/samespot-command.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

const WRONG = [
  "x y",
  "-1",
  "1e400",
  "0.5",
  "http://",
  "ftp://h/",
  "https://h/path",
  "/nowhere/file",
  "package.json",
  "{z}",
];
const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = variables.shape;
const refused = Object.entries(shape).map(([name, schema]) => ({
  name,
  values: WRONG.filter((value) => !schema.safeParse(value).success),
}));
const folder = dataFolder();
mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o755);

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0 && !closedFolder(path.resolve("src"), { uid: NOBODY, gid: NOBODY });

/** A message for people: an error of the command, without a place in the code. */
function expectMessage({ code, stdout, stderr }: Ended): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toMatch(/^ +at |node:internal|file:\/\//m);
}

test("F103: these settings have no wrong values by themselves, because they are text", () => {
  const free = refused.filter(({ values }) => values.length === 0).map(({ name }) => name);
  expect(free).toEqual([
    ...["NODE_ENV", "HOST", "DATA_DIR", "CLIENT_ID", "CLIENT_SECRET", "PROVIDER_ID"],
    ...["ADMINS", "ADMIN_PASSWORD", "OPERATORS"],
  ]);
});

/** All settings at once, because a start takes a second. test/config/config.test.ts has more values. */
test.each([
  ["first", 0],
  ["last", -1],
])(
  "F103: a start names every setting at once whose value is wrong, with the %s wrong value of each",
  async (_which, at) => {
    const env = Object.fromEntries(
      refused.filter(({ values }) => values.length > 0).map(({ name, values }) => [name, values.at(at) ?? ""]),
    );
    expect(Object.keys(env).length).toBeGreaterThan(30);
    const ended = await runCommand({ DATA_DIR: folder, ...env }, ["start"]);
    expectMessage(ended);
    const [first, ...lines] = ended.stderr.trim().split("\n");
    expect(first).toBe("These settings need attention:");
    expect(new Set(lines.map((line) => /^ {2}(\w+)[: ]./.exec(line)?.[1]))).toEqual(new Set(Object.keys(env)));
  },
);

test.each([
  ["HOST", { HOST: "203.0.113.5" }],
  ["DATA_DIR", { DATA_DIR: path.join(folder, "file", "below") }],
  ["CLIENT_SECRET and ADMINS", { CLIENT_ID: "us", ADMIN_PASSWORD: "a long way from home" }],
  ["DATABASE_URL", { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" }],
  [
    "DIRECT_DATABASE_URL",
    { DATABASE_URL: "postgresql://127.0.0.1:1/x", DIRECT_DATABASE_URL: "postgresql://127.0.0.1:1/x" },
  ],
])("F103: a start whose %s cannot work names it: %o", async (name, wrong) => {
  writeFileSync(path.join(folder, "file"), "");
  const ended = await runCommand({ ...(await freeAddresses()), DATA_DIR: folder, ...wrong }, ["start"]);
  expectMessage(ended);
  for (const each of name.split(" and ")) expect(ended.stderr).toMatch(new RegExp(`\\b${each}\\b`));
});

test.runIf(isRoot).each([
  ["APP_PORT", { APP_PORT: "80" }, "Choose a port from 1024 on"],
  ["DATA_DIR", { DATA_DIR: "/root/samespot" }, "cannot be written to (EACCES"],
])("F104: a plain user is told of %s what they may not: %o", async (name, wrong, why) => {
  const own = path.join(folder, "own");
  mkdirSync(own, { recursive: true });
  chmodSync(own, 0o777);
  const env = { ...(await freeAddresses()), DATA_DIR: own, ...wrong };
  const ended = await spawnCommand(env, ["start"], { uid: NOBODY }).ended;
  expectMessage(ended);
  expect(ended.stderr).toMatch(new RegExp(`^${name}: `));
  expect(ended.stderr).toContain(why);
});
