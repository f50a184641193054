import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkPassword } from "../../src/directory/users.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { createHttpClient } from "../support/http-client.ts";
import { dataFolder, startSamespot } from "../support/samespot.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const [keys, secrets] = [randomToken(), randomToken()];
const samespot = await startSamespot({ template: "empty", env: { ENCRYPTION_KEYS: keys, SESSION_SECRETS: secrets } });
const dir = dataFolder();
mkdirSync(dir, { recursive: true });
const env = {
  DATABASE_URL: samespot.config.databaseUrl ?? "",
  BASE_URL: samespot.apiUrl,
  DATA_DIR: dir,
  ENCRYPTION_KEYS: keys,
  SESSION_SECRETS: secrets,
};
const run = (args: string[], input = "") => runCommand(env, args, { input });

async function json(args: string[], input = ""): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await run([...args, "--json"], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const PASSWORD = "correct horse battery";
const addUser = (handle: string) => json(["user", "add", "--handle", handle, "--password-stdin"], `${PASSWORD}\n`);
const addApplication = (owner: string) =>
  json(["application", "add", "--owner", owner, "--name", "Map app", "--redirect-uri", "https://map.example/cb"]);

async function call(path: string, parameters: Record<string, string>) {
  const url = new URL(path, samespot.apiUrl);
  url.search = new URLSearchParams({ v: "20260101", ...parameters }).toString();
  const answer = await fetch(url);
  const { status, headers } = answer;
  return { status, headers, body: (await answer.json()) as { response: Record<string, never> } };
}

const searchAs = (id = "", secret = "") =>
  call("/v2/venues/search", { ll: "41.8,-71.4", client_id: id, client_secret: secret });

describe("a command beside a running server", () => {
  test("issues a token that the API accepts", async () => {
    await addUser("Ada");
    const { client_id: id = "" } = await addApplication("ada");
    const { access_token: token = "" } = await json(["token", "issue", "--user", "ada", "--client-id", id]);
    const { status, body } = await call("/v2/users/self", { oauth_token: token });
    expect(status).toBe(200);
    expect(body.response).toMatchObject({ user: { id: expect.any(String) } });
    expect(await json(["token", "issue", "--user", "ada", "--client-id", id])).toEqual({ access_token: token });
    expect(await json(["provider", "reserve", "map-app", "--client-id", id])).toMatchObject({ provider_id: "map-app" });
  });

  test("rotates a secret with an overlap for the old one, or without", async () => {
    await addUser("bea");
    const first = await addApplication("bea");
    const rotate = (overlap: string) =>
      json(["application", "rotate-secret", first.client_id ?? "", "--overlap", overlap]);
    const second = await rotate("90m");
    expect((await searchAs(first.client_id, first.client_secret)).status).toBe(200);
    expect((await searchAs(first.client_id, second.client_secret)).status).toBe(200);
    const third = await rotate("0");
    expect((await searchAs(first.client_id, second.client_secret)).status).toBe(400);
    expect((await searchAs(first.client_id, third.client_secret)).status).toBe(200);
    const { stdout } = await run(["application", "list"]);
    expect(stdout).toContain(`client id: ${first.client_id}\nname: Map app\nowner: bea\n`);
  });

  test("disables and enables a person, and sets a new password", async () => {
    await addUser("dee");
    const { client_id: id = "" } = await addApplication("dee");
    const { access_token: token = "" } = await json(["token", "issue", "--user", "dee", "--client-id", id]);
    const status = async () => (await call("/v2/users/self", { oauth_token: token })).status;
    expect(await json(["user", "disable", "--handle", "Dee"])).toMatchObject({ handle: "dee", disabled: true });
    expect(await status()).toBe(401);
    expect(await json(["user", "enable", "--handle", "dee"])).toMatchObject({ handle: "dee", disabled: false });
    expect(await status()).toBe(200);
    await json(["user", "set-password", "--handle", "dee", "--password-stdin"], "another long one\n");
    expect(await checkPassword(samespot.database, "dee", PASSWORD)).toBeUndefined();
    expect(await checkPassword(samespot.database, "dee", "another long one")).toMatchObject({ handle: "dee" });
  });

  test("lists users by handle, as a table and as JSON, without secrets", async () => {
    await addUser("zoe");
    await json(
      ["user", "add", "--handle", "yan", "--first-name", "Yan", "--last-name", "Li", "--password-stdin"],
      PASSWORD,
    );
    await addApplication("yan");
    await json(["user", "disable", "--handle", "zoe"]);
    const { users = [] } = (await json(["user", "list"])) as unknown as { users: Record<string, unknown>[] };
    const handles = users.map(({ handle }) => handle);
    expect(handles).toEqual(handles.toSorted());
    const common = { id: expect.any(String), created: expect.stringMatching(/^20\d\d-/) };
    expect(users.slice(-2)).toEqual([
      { ...common, handle: "yan", name: "Yan Li", disabled: false, applications: 1 },
      { ...common, handle: "zoe", name: "", disabled: true, applications: 0 },
    ]);
    const lines = (await run(["user", "list"])).stdout.split("\n");
    expect(lines[0]).toMatch(/^handle +name +created +state +applications$/);
    expect(lines.at(-3)).toMatch(/^yan +Yan Li +20\d\d-\d\d-\d\d +1$/);
    expect(lines.at(-2)).toMatch(/^zoe +20\d\d-\d\d-\d\d +disabled +0$/);
  });

  test("names the feature, not a line, of a GeoJSON that is wrong, also in the report", async () => {
    const [file, report] = [path.join(dir, "kiosks.geojson"), path.join(dir, "kiosks.tsv")];
    const kiosk = { type: "Feature", properties: { name: "Kiosk" }, geometry: null };
    const placed = { ...kiosk, geometry: { type: "Point", coordinates: [7.4, 43.7] } };
    writeFileSync(file, JSON.stringify({ type: "FeatureCollection", features: [kiosk, placed, kiosk] }));
    const { code, stdout } = await run(["import", file, "--report", report]);
    const said = "lat is missing; lng is missing";
    expect([code, stdout.split("\n").slice(1)]).toEqual([1, [`feature 1: ${said}`, `feature 3: ${said}`, ""]]);
    expect(readFileSync(report, "utf8")).toBe(`feature 1\t${said}\nfeature 3\t${said}\n`);
  });

  test("logs out one person everywhere, and no other", async () => {
    const [gus, hal] = [await addUser("gus"), await addUser("hal")];
    const logIn = async (handle: string) => {
      const browser = createHttpClient(samespot.authUrl);
      await browser.submit(await browser.get("/login"), "/login", { handle, password: PASSWORD });
      return async () => (await browser.get("/settings")).status;
    };
    const [one, two, other] = [await logIn("gus"), await logIn("gus"), await logIn("hal")];
    expect([await one(), await two(), await other()]).toEqual([200, 200, 200]);
    expect(await json(["user", "end-sessions", "--handle", "Gus"])).toEqual({ id: gus.id, handle: "gus" });
    expect([await one(), await two(), await other()]).toEqual([303, 303, 200]);
    expect((await run(["user", "end-sessions", "--handle", "hal"])).stdout).toBe(`id: ${hal.id}\nhandle: hal\n`);
    expect(await other()).toBe(303);
    const again = await logIn("gus");
    expect(await again()).toBe(200);
  });

  test("registers an application for web connect, and for changing its own secret", async () => {
    await addUser("eli");
    const redirect = ["--redirect-uri", "https://map.example/cb"];
    const add = ["application", "add", "--owner", "eli", "--name", "Web", ...redirect];
    const { client_id: id = "" } = await json([...add, "--web-connect", "--rotates-itself"]);
    const page = await fetch(`${samespot.authUrl}/oauth2/authenticate?client_id=${id}&response_type=code`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("to continue to")]);
    expect((await run(["application", "list"])).stdout).toMatch(/web connect: true\nrotates itself: true/);
  });

  test("sets an application's hourly limit at registration and later, with immediate effect", async () => {
    await addUser("flo");
    const add = ["application", "add", "--owner", "flo", "--name", "Few", "--redirect-uri", "https://map.example/cb"];
    const { client_id: id = "", client_secret: secret = "" } = await json([...add, "--rate-limit", "2"]);
    const limit = (to: string) => json(["application", "limit", id, to]);
    const limitOfSearch = async () => (await searchAs(id, secret)).headers.get("x-ratelimit-limit");
    expect(await limitOfSearch()).toBe("2");
    expect(await limit("off")).toEqual({ client_id: id, rate_limit: "off" });
    expect(await limitOfSearch()).toBe("1000000");
    expect(await limit("default")).toEqual({ client_id: id, rate_limit: "default" });
    expect(await limitOfSearch()).toBe("5000");
    expect(await limit("70000")).toEqual({ client_id: id, rate_limit: 70_000 });
    expect((await run(["application", "list"])).stdout).toContain("rate limit: 70000");
    expect(await json(["application", "show", id])).toMatchObject({ rate_limit: 70_000 });
  });

  test("rotates the web app's own secret, which the app adopts", async () => {
    const own = await samespot.database.prisma.clientCredential.findFirstOrThrow();
    const { client_secret: secret } = await json(["application", "rotate-secret", own.clientId, "--overlap", "0"]);
    expect((await searchAs(own.clientId, secret)).status).toBe(200);
    expect(await samespot.database.prisma.clientCredential.count()).toBe(2);
    expect((await fetch(`${samespot.webUrl}/login`, { redirect: "manual" })).headers.get("location")).toContain(
      own.clientId,
    );
  });

  test("imports a venue that search finds at once, and reports each wrong line", async () => {
    const file = path.join(dir, "venues.csv");
    const report = path.join(dir, "report.tsv");
    writeFileSync(file, "id,name,lat,lng,phone\nx1,Blue Room,41.8,-71.4,0\nx2,Nowhere,,\n");
    const { code, stdout, stderr } = await run(["import", file, "--keep-ids", "--report", report]);
    expect({ code, stderr }, "so that a nightly job notices").toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^1 new venues, 0 updated, 0 unchanged, 1 refused .*\n.*column not used: phone of 1\nline 3: lat is missing; lng is missing\n$/,
    );
    const { client_id: id, client_secret: secret } = await addUser("cy").then(() => addApplication("cy"));
    const { body } = await searchAs(id, secret);
    expect(body.response).toMatchObject({ venues: [{ id: "x1", name: "Blue Room" }] });
    const again = await run(["import", file, "--keep-ids", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      imported: 0,
      unchanged: 1,
      unused: { phone: 1 },
    });
  });
});

describe("a mistaken command reports one message on standard error", () => {
  test.each([
    ["an unknown command", ["fly"], 2, "unknown command 'fly'"],
    ["a missing option", ["user", "add"], 2, "required option '--handle <handle>'"],
    [
      "an unknown user",
      ["token", "issue", "--user", "nobody", "--client-id", "x"],
      1,
      "no user with the handle nobody",
    ],
    ["an unknown application", ["application", "rotate-secret", "x"], 1, "no application with this client id"],
    ["an unknown person", ["user", "disable", "--handle", "nobody"], 1, "no user with the handle nobody"],
    ["sessions of nobody", ["user", "end-sessions", "--handle", "nobody"], 1, "no user with the handle nobody"],
    ["an empty password", ["user", "add", "--handle", "eve", "--password-stdin"], 1, "no password on standard input"],
    ["a bad overlap", ["application", "rotate-secret", "x", "--overlap", "-1"], 1, "24h, 90m, 7d or 0"],
    [
      "a limit of nothing",
      ["application", "limit", "x", "0"],
      2,
      "a whole number from 1 to 999999999, off, or default",
    ],
    ["a limit of nobody", ["application", "limit", "x", "off"], 1, "no application with this client id"],
    ["a missing file", ["import", "/nowhere/venues.csv"], 1, "The file /nowhere/venues.csv does not exist"],
  ])("%s", async (_, args, code, message) => {
    const ended = await run([...args, "--json"]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(JSON.parse(ended.stderr)).toEqual({ error: expect.stringContaining(message) });
  });

  test("for a missing or refusing database, without its password or a stack trace", async () => {
    const secret = "sekret-9f8e7d";
    const nobody = `postgresql://nobody:${secret}@localhost:1/none`;
    const refusing = new URL(env.DATABASE_URL);
    Object.assign(refusing, { username: "nobody", password: secret });
    for (const url of [nobody, refusing.href]) {
      const { code, stdout, stderr } = await runCommand({ ...env, DATABASE_URL: url }, ["migrate"]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^The database cannot be used: [^\n]+ DATABASE_URL says where it is\.\n$/);
      expect(stderr).not.toContain(secret);
    }
  });
});

test("the command is an executable file, and works through a symbolic link", async () => {
  const link = path.join(dir, "samespot");
  symlinkSync(path.resolve("src/cli.ts"), link);
  const { code, stdout } = await spawnCommand({}, ["import", "--help"], { file: link }).ended;
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: samespot import [options] <file>");
});
