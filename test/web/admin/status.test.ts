import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { generate } from "selfsigned";
import { beforeEach, describe, expect, it } from "vitest";
import { anyWorker } from "../../../src/harmonize/results/progress.ts";
import type { Problem } from "../../../src/harmonize/run/problems/problems.ts";
import { lookAtTls, readCertificate } from "../../../src/web/admin/checks.ts";
import { listInstances, startHeartbeat } from "../../../src/web/base/instances.ts";
import { makeAccount, makeHarmonization } from "../../harmonize/rows.ts";
import { answers, answersError, hangs } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";
import { newAdmin } from "./browser.ts";

const web = await startWeb();
const asOwner = await startWeb({ asOwner: true });
const { pool } = web.database;
const process = { roles: ["app", "worker"], version: "1.2.3", problems: (): Problem[] => [], onFailure: () => {} };

beforeEach(async () => {
  web.directory.reset();
  await pool.query("DELETE FROM app.instance");
});

/** The words of each check on the status page, by name. */
async function checks(at = web, admin = newAdmin(at)): Promise<Record<string, string>> {
  const { browser } = await admin;
  const { status, body } = await browser.get("/admin/status");
  expect(status).toBe(200);
  const rows = body.matchAll(/<dt>([^<]*)<\/dt><dd><span class="chip[^>]*>(.*?)<\/dd>/gs);
  return Object.fromEntries(
    [...rows].map(([, name, words = ""]) => [name, words.replace(/(<[^>]*>|\s)+/g, " ").trim()]),
  );
}

describe("the status page", () => {
  it("reports that everything works, with figures", async () => {
    const heartbeat = await startHeartbeat(pool, process);
    const found = await checks();
    await heartbeat.stop();
    expect(Object.values(found).filter((words) => words.startsWith("Not working"))).toEqual([]);
    expect(found.Database).toMatch(/PostgreSQL \d+.* answers in \d+ ms; the data takes \d+ [kM]B/);
    expect(found.Migrations).toMatch(/\d migrations applied, none missing/);
    expect(found["Database roles"]).toMatch(
      /^Good The web app connects as \S+_app, which has no rights on the directory’s tables/,
    );
    expect(found["Directory: log-in host"]).toContain("No OAuth metadata");
    expect(found.Certificates).toContain("Not needed");
  });

  it("S11: warns if both programs share one database role, and gives the SQL that separates them", async () => {
    const { "Database roles": words = "" } = await checks(asOwner);
    expect(words).toContain("so the database does not keep them from each other’s tables");
    const [remedy = ""] = words.match(/CREATE ROLE .* TO \S+;/) ?? [];
    const client = asOwner.database.pool;
    await client.query(remedy);
    const { rows } = await client.query("SELECT current_database() AS name");
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname IN ($1, $2)", [
      ...[`${rows[0].name}_app`, `${rows[0].name}_directory`],
    ]);
    expect(rowCount).toBe(2);
  });

  it("is shown while the directory hangs, and reports it", async () => {
    const admin = await newAdmin(web); // a log-in now would note for seconds that the directory does not answer
    web.directory.behave("/v2/venues/*", hangs());
    web.directory.behave("/.well-known/*", hangs());
    const begun = performance.now();
    const found = await checks(web, Promise.resolve(admin));
    expect(performance.now() - begun).toBeLessThan(6000);
    for (const name of ["Directory: log-in host", "Directory: API host", "Client secret"])
      expect(found[name]).toMatch(/^Not working .*The answer took longer than 3 seconds/);
    expect(found.Database).toMatch(/^Good/);
  });

  it("distinguishes a failing host from one that refuses Samespot", async () => {
    web.directory.behave("/v2/venues/*", answersError(400, "invalid_auth"));
    const refused = await checks();
    expect(refused["Directory: API host"]).toMatch(/^Good/);
    expect(refused["Client secret"]).toMatch(/^Not working .*does not accept this server/);
    web.directory.behave("/v2/venues/*", answers(500, "{}"));
    expect((await checks())["Directory: API host"]).toMatch(/^Not working/);
  });

  it("reports how far the directory's replicas are behind, and which are not asked", async () => {
    expect(Object.keys(await checks())).not.toContain("Directory: replicas");
    const near = { name: "10.0.0.2:5432", lagSeconds: 0.251, isAsked: true };
    const far = { name: "10.0.0.3:5432", lagSeconds: 14, isAsked: false };
    const silent = { name: "10.0.0.4:5432", lagSeconds: null, isAsked: false };
    const reported = async (replicas: object[]) => {
      web.directory.behave("/readyz", answers(200, { status: "ready", problems: [], replicas }));
      return (await checks())["Directory: replicas"];
    };
    expect(await reported([near])).toBe("Good 10.0.0.2:5432 is 0.251 s behind.");
    expect(await reported([near, far, silent])).toBe(
      "Needs attention 10.0.0.2:5432 is 0.251 s behind. 10.0.0.3:5432 is 14 s behind, so it is not asked. " +
        "10.0.0.4:5432 does not answer, or its lag is unknown, so it is not asked.",
    );
  });

  it("reports that more keys are in use than configured", async () => {
    await pool.query("INSERT INTO app.vault_key (id) VALUES ('\\x01020304'), ('\\x01020305')");
    expect((await checks())["Encryption keys"]).toMatch(/^Not working 1 key in ENCRYPTION_KEYS, \d keys/);
    await pool.query("DELETE FROM app.vault_key");
  });
});

describe("the status page on files", () => {
  it("reports that none goes on without a worker", async () => {
    expect((await checks()).Workers).toMatch(/^Not working .*no file can continue/);
  });

  it("names the former address of the directory if files belong to it", async () => {
    expect(Object.keys(await checks())).not.toContain("Files of other directories");
    const directory = "http://localhost:9";
    const account = await makeAccount(web.database, "Moved", directory);
    await makeHarmonization(web.database, account, [], { directory });
    expect((await checks())["Files of other directories"]).toMatch(
      /^Needs attention 1 file belongs to the directory at http:\/\/localhost:9\. .*API_PORT/,
    );
  });
});

describe("a process", () => {
  it("is listed while it runs, and no longer after it has stopped", async () => {
    const heartbeat = await startHeartbeat(pool, process);
    expect(await listInstances(pool)).toMatchObject([{ roles: ["app", "worker"], version: "1.2.3", isGone: false }]);
    const { browser } = await newAdmin(web);
    expect((await browser.get("/admin/status")).body).toMatch(/<td[^>]*>app, worker<\/td>\s*<td[^>]*>1\.2\.3<\/td>/);
    await heartbeat.stop();
    expect(await listInstances(pool)).toEqual([]);
  });

  it("is listed as not working while its worker polls for no tasks, and pages say that no worker is running", async () => {
    expect(await anyWorker(pool)).toBe(false);
    const problems = (): Problem[] => [{ code: "worker_idle", seconds: 14 }];
    const stuck = await startHeartbeat(pool, { ...process, problems });
    const { browser } = await newAdmin(web);
    const { body } = await browser.get("/admin/status");
    expect(body).toMatch(/Not working<\/span> the worker has not looked for tasks for 14 seconds/);
    expect(body).not.toContain("Everything works.");
    expect(await anyWorker(pool)).toBe(false);
    const well = await startHeartbeat(pool, process);
    expect(await anyWorker(pool)).toBe(true);
    await Promise.all([stuck.stop(), well.stop()]);
  });

  it("counts as gone half a minute after a kill, and is no longer listed after an hour", async () => {
    await pool.query("INSERT INTO app.instance (id, host, version) VALUES (gen_random_uuid(), 'one', '1.2.3')");
    const seen = (ago: string) => pool.query(`UPDATE app.instance SET seen_at = now() - interval '${ago}'`);
    await seen("31 seconds");
    expect(await listInstances(pool)).toMatchObject([{ isGone: true }]);
    await seen("61 minutes");
    expect(await listInstances(pool)).toEqual([]);
  });
});

describe("a certificate", () => {
  it("F92: that is not trusted is reported with what to do, as by the doctor", async () => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }]);
    const server = createServer({ cert, key }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const { words } = await lookAtTls(url);
    server.close();
    expect(words).toMatch(/not trusted from here \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*set NODE_EXTRA_CA_CERTS to/);
  });

  it("is reported with its remaining days, trusted or not", async () => {
    const notAfterDate = new Date(Date.now() + 20.5 * 86_400_000);
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { notAfterDate });
    const server = createServer({ cert, key }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { validTo, distrust } = await readCertificate(`https://localhost:${port}`, 1000);
    server.close();
    expect(Math.abs(validTo.getTime() - notAfterDate.getTime())).toBeLessThan(2000);
    expect(distrust).toContain("SELF_SIGNED");
    await expect(readCertificate(`https://localhost:${port}`, 1000)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
