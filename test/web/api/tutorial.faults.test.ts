import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { runningApps } from "../../attacks/running-apps.ts";
import { freePort } from "../../support/free-port.ts";
import { dataFolder } from "../../support/samespot.ts";
import { tokenOf } from "./programs.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const samespot = await runningApps({ instances: 1, env: { PRIVATE_WEBHOOKS: "on" } });
const { database } = samespot;
const folder = dataFolder();
const port = await freePort();
const PAGE = readFileSync(path.join(ROOT, "docs/api.md"), "utf8");
const blocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, block = ""]) =>
    block.replaceAll("9000", String(port)),
  );

/** curl and jq are the reader's own. */
const tools = ["curl", "jq"].filter((name) => {
  try {
    return execFileSync(name, ["--version"]).length === 0;
  } catch {
    return true;
  }
});

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await samespot.logIn(samespot.newBrowser());
  symlinkSync(path.join(ROOT, "examples"), path.join(folder, "examples"));
  for (const [at, name] of ["webhook.mjs", "receiver.mjs"].entries())
    writeFileSync(path.join(folder, name), blocks("js")[at] ?? "");
});

const rows = (name: string) =>
  parse(readFileSync(path.join(folder, name)), { columns: true, bom: true }) as Record<string, string>[];

test.skipIf(tools.length > 0)(
  "docs/api.md can be run from its first command to its last: upload to results, a rule, add, the next edition, a webhook, the command",
  async () => {
    const { id } = await database.prisma.account.findFirstOrThrow();
    const token = await tokenOf({ database }, id);
    const commands = blocks("sh")
      .join("\n")
      .replaceAll("http://localhost:3000", samespot.url)
      .replace("sspat_…", token);
    const script = `set -euo pipefail
trap 'jobs -p | xargs -r kill' EXIT
samespot() { node --import ${ROOT}/node-version.mjs ${ROOT}/src/cli.ts "$@"; }
${commands}
cat events.ndjson`;
    const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
    const bash = spawn("bash", ["-c", script], {
      cwd: folder,
      env: { PATH, HOME: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, [code]] = await Promise.all([text(bash.stdout), text(bash.stderr), once(bash, "close")]);
    expect({ code, said: code === 0 ? "" : out + err }).toEqual({ code: 0, said: "" });
    expect(out).not.toContain(token);
    expect(rows("stores-matched.csv")).toHaveLength(293);
    expect(rows("stores-matched.csv").filter(({ decision }) => decision === "added").length).toBeGreaterThan(0);
    expect(rows("new.csv").map((row) => row["Store ID"])).toEqual(["RI-9999"]);
    expect(rows("removed.csv")).toHaveLength(1);
    expect(out).toMatch(/"unchanged": 29\d,\n {2}"changed": 1,\n {2}"new": 1,\n {2}"removed": 1/);
    expect(out).toMatch(/"type":"file\.finished","work":"add"/);
    expect(out).toContain("Exit code 1");
    expect(rows("matched.csv")).toHaveLength(293);
  },
  240_000,
);
