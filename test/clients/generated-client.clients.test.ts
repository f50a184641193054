import "./installed.ts";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { runningApps } from "../attacks/running-apps.ts";
import { dataFolder } from "../support/samespot.ts";
import { tokenOf } from "../web/api/programs.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const samespot = await runningApps({ instances: 1 });
const run = promisify(execFile);

/** What somebody writes with the types that openapi-typescript has made of our document. Wrong calls must not compile. */
const PROGRAM = `import createClient from "openapi-fetch";
import type { paths } from "./api.d.ts";

declare const process: { argv: string[] };
const [, , baseUrl = "", token = "", first = "", second = ""] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
const must = <T>({ data, error }: { data?: T; error?: { code: string; detail: string } }): T => {
  if (data === undefined) throw new Error(\`\${error?.code}: \${error?.detail}\`);
  return data;
};
const asIt = { bodySerializer: (body: unknown) => body as string, headers: { "content-type": "application/octet-stream" } };

async function upload(name: string, body: string): Promise<string> {
  return must(await api.POST("/api/v1/files", { params: { query: { name } }, body, ...asIt })).id;
}
async function until(id: string) {
  for (;;) {
    const file = must(await api.GET("/api/v1/files/{id}", { params: { path: { id }, query: { wait: 30 } } }));
    const isCounted = file.state === "draft" || file.counts !== null;
    if (!file.is_at_work && !file.is_judging && isCounted) return file;
  }
}
async function match(id: string, previous_id?: string) {
  const path = { id };
  must(await api.POST("/api/v1/files/{id}/columns", { params: { path }, body: { ...(previous_id && { previous_id }) } }));
  must(await api.POST("/api/v1/files/{id}/start", { params: { path } }));
  return until(id);
}

const id = await upload("stores.csv", first);
const params = { path: { id } };
must(await api.POST("/api/v1/files/{id}/trial", { params }));
await until(id);
const { counts } = await match(id);
const { rows } = must(await api.GET("/api/v1/files/{id}/rows", { params: { ...params, query: { show: "review", sort: "score" } } }));
const decisions = rows.flatMap(({ number, score, venue_id, seen }) =>
  score !== null && score >= 0.6 && venue_id ? [{ number, decision: "matched" as const, venue_id, seen }] : []);
const { decided } = must(await api.POST("/api/v1/files/{id}/decisions", { params, body: { decisions } }));
must(await api.POST("/api/v1/files/{id}/add", { params, body: { leave_out: true } }));
const added = await until(id);
const csv = must(await api.GET("/api/v1/files/{id}/export", { params: { ...params, query: { format: "csv" } }, parseAs: "text" }));
const next = await upload("march.csv", second);
await match(next, id);
const edition = must(await api.GET("/api/v1/files/{id}/edition", { params: { path: { id: next } } }));
const wrong = await api.GET("/api/v1/files/{id}", { params: { path: { id: "00000000-0000-4000-8000-000000000000" } } });
console.log(JSON.stringify({ counts, rule: decisions.length, decided, added: added.counts, lines: String(csv).trim().split("\\n").length, edition, wrong: wrong.error?.code }));

export const refused = () => [
  // @ts-expect-error there is no such decision
  api.POST("/api/v1/files/{id}/rows/{number}/decision", { params: { path: { id, number: 1 } }, body: { decision: "maybe" } }),
  // @ts-expect-error there is no such path
  api.GET("/api/v1/file", {}),
  // @ts-expect-error an id is missing
  api.DELETE("/api/v1/files/{id}", {}),
];
`;

test("a client that openapi-typescript generates from our document compiles, refuses wrong calls, and does the monthly job", async () => {
  const folder = dataFolder();
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(import.meta.dirname, "node_modules"), path.join(folder, "node_modules"));
  const document = await (await fetch(`${samespot.url}/api/v1/openapi.json`)).json();
  writeFileSync(path.join(folder, "api.d.ts"), astToString(await openapiTS(document)));
  writeFileSync(path.join(folder, "program.ts"), PROGRAM);
  writeFileSync(path.join(folder, "package.json"), '{"type": "module"}');
  const settings = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--allowImportingTsExtensions",
    "--module",
    "nodenext",
    "--target",
    "es2024",
  ];
  const tsc = await run(
    path.join(ROOT, "node_modules/.bin/tsc"),
    [...settings, "--lib", "es2024,dom", "--types", "", "program.ts"],
    {
      cwd: folder,
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    },
  ).catch((error: { stdout: string }) => error);
  expect(tsc.stdout).toBe("");

  await samespot.logIn(samespot.newBrowser());
  const { id } = await samespot.database.prisma.account.findFirstOrThrow();
  const first = readFileSync(path.join(ROOT, "examples/listings.csv"), "utf8");
  const lines = first.trim().split("\n");
  const second = [
    ...lines.slice(0, 20),
    ...lines.slice(21),
    "RI-9999,Brand New Books,41.8236,-71.4222,1 Main Street,Providence,RI,02903,",
  ].join("\n");
  const program = await run(
    process.execPath,
    ["program.ts", samespot.url, await tokenOf(samespot, id), first, second],
    { cwd: folder },
  );
  const done = JSON.parse(program.stdout);
  expect(done).toMatchObject({
    lines: 294,
    wrong: "not_found",
    edition: { new: 1, removed: 1, changed: 0, unchanged: 292 },
  });
  expect(done.decided).toBe(done.rule);
  expect(done.added.matched).toBeGreaterThan(done.counts.matched);
}, 120_000);
