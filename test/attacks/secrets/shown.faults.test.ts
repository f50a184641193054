import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { spawnCommand } from "../../cli/samespot-command.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { freePort } from "../../support/free-port.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { LAPTOP } from "../../support/production.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../../support/samespot.ts";
import { throughDirectory } from "../running-apps.ts";

const dataDir = dataFolder();
const addresses = await freeAddresses();
const metrics = await freePort();
const given = { CLIENT_ID: "given-client", CLIENT_SECRET: randomToken() };
const typed = `typed-${randomToken()}`;

/** A program error that contains everything the process knows. */
const fault = `import { readFileSync } from "node:fs";
  process.once("SIGUSR2", () => {
    const all = { env: process.env, config: readFileSync(process.env.DATA_DIR + "/secrets.json", "utf8") };
    throw Object.assign(new Error("something broke"), all, { cause: Object.assign(new Error("and why"), all) });
  });`;

/** With the embedded database and generated secrets, in its own process. */
const start = (env: Record<string, string>) => spawnSamespot({ env: { ...LAPTOP, ...addresses, ...env }, dataDir });
const read = (file: string) => readFileSync(path.join(dataDir, file), "utf8");

let running: Awaited<ReturnType<typeof start>>;
const secrets: Record<string, string[]> = {};
beforeAll(async () => {
  running = await start({
    METRICS_PORT: String(metrics),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`,
  });
  const { session, encryption, demoPassword } = JSON.parse(read("secrets.json"));
  Object.assign(secrets, {
    "session secret": [session],
    "encryption key": [encryption],
    "password of the demo": [demoPassword],
    "password of the database": [read("pg.secret").trim()],
    "password typed": [typed],
  });
});

const processes = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // it has ended
      }
    })
    .join("\n");

it.skipIf(process.platform !== "linux")(
  "S09: the process list shows no secret, even while a command takes a password",
  async () => {
    expect(processes()).toMatch(/postgres.*-D .*pg/);
    const lists = [processes()];
    const command = spawnCommand(
      { ...LAPTOP, ...addresses, DATA_DIR: dataDir },
      ["user", "add", "--handle", "ada", "--password-stdin"],
      {
        input: `${typed}\n`,
      },
    );
    let isOver = false;
    void command.ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      lists.push(processes());
      await sleep(20);
    }
    expect((await command.ended).code).toBe(0);
    expect(lists.some((list) => list.includes("user add --handle ada"))).toBe(true);
    expectNoSecrets({ processes: lists.join("\n") }, secrets);
  },
);

it("S09: health checks, metrics, error pages and output show no secret, even in a crash", async () => {
  const browser = createHttpClient(addresses.APP_URL);
  const at = createHttpClient(addresses.AUTH_URL);
  await browser.get(await throughDirectory(at, (await browser.get("/login")).location, running.demo));
  expect((await browser.get("/checkins")).status).toBe(200);
  const seen: Record<string, string> = {};
  const urls = Object.values(addresses).flatMap((url) => [`${url}/healthz`, `${url}/readyz`, `${url}/nowhere`]);
  for (const url of [...urls, `http://127.0.0.1:${metrics}/metrics`]) {
    const reply = await fetch(url);
    seen[url] = `${[...reply.headers].join("\n")}\n${await reply.text()}`;
  }
  expect(seen[`http://127.0.0.1:${metrics}/metrics`]).toContain("samespot_http_request_seconds");
  expectNoSecrets(seen, secrets);

  expect((await running.kill("SIGUSR2")).code).not.toBe(0);
  expect(running.output()).toContain("something broke");
  const output = running.output().replace(/^Demo account: .*$/m, ""); // said once, to whoever starts it
  expectNoSecrets({ output }, secrets);
});

it("S09: secrets are stored in files readable by their owner only, and those of the settings in none", async () => {
  const again = await start({ ...given, ROLES: "app" });
  onTestFinished(async () => void (await again.kill("SIGTERM")));
  for (const file of ["secrets.json", "pg.secret"])
    expect([file, (statSync(path.join(dataDir, file)).mode & 0o777).toString(8)]).toEqual([file, "600"]);
  const others = readdirSync(dataDir).filter((name) => statSync(path.join(dataDir, name)).isFile());
  const { session, encryption } = JSON.parse(read("secrets.json"));
  const rest = others.filter((name) => name !== "secrets.json").map((name) => [name, read(name)]);
  expectNoSecrets(
    { ...Object.fromEntries(rest), output: again.output() },
    { session: [session], encryption: [encryption], given: [given.CLIENT_SECRET] },
  );
});
