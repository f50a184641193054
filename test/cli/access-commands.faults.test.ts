import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { addApplication } from "../../src/directory/applications/applications.ts";
import { addUser, OPERATOR_HANDLE } from "../../src/directory/users.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { testDatabase } from "../support/database/database.ts";
import { dataFolder } from "../support/samespot.ts";
import { runCommand } from "./samespot-command.ts";

const { url, database } = await testDatabase();
const dir = dataFolder();
mkdirSync(dir, { recursive: true });
const [keys, secrets] = [randomToken(), randomToken()];
const env = { DATABASE_URL: url, DATA_DIR: dir, ENCRYPTION_KEYS: keys, SESSION_SECRETS: secrets };

const command = (args: string[]) => runCommand(env, ["application", ...args]);
async function run(...args: string[]) {
  const { code, stdout, stderr } = await command([...args, "--json"]);
  return { code, ...JSON.parse(code === 0 ? stdout : stderr) };
}
async function newApplication(handle: string) {
  const { id: ownerId } = await addUser(database, { handle, password: randomToken() });
  const { clientId } = await addApplication(database, {
    ownerId,
    name: "Map app",
    redirectUris: ["https://a.example/"],
  });
  return clientId;
}

test("an application is stopped and enabled, partly or fully, and its history lists each change", async () => {
  const id = await newApplication("ada");
  const steps = [
    await run("stop", id, "--for", "harmonizing", "--why", "Until we talked"),
    await run("stop", id),
    await run("enable", id, "--for", "reading"),
    await run("enable", id),
    await run("enable", id, "--for", "reading"),
  ];
  expect(steps.map(({ code, client_id, access_before, access }) => [code, client_id, access_before, access])).toEqual([
    [0, id, "enabled", "reading"],
    [0, id, "reading", "stopped"],
    [0, id, "stopped", "reading"],
    [0, id, "reading", "enabled"],
    [0, id, "enabled", "enabled"],
  ]);
  const shown = await run("show", id);
  expect(shown).toMatchObject({ access: "enabled", asks_for_more: false });
  expect(shown.history.at(-1)).toEqual({
    ...{ when: expect.stringMatching(/^\d{4}-.*Z$/), who: "command line" },
    ...{ what: "reading", why: "Until we talked" },
  });
  const [listed] = (await run("list")).applications;
  expect(listed).toMatchObject({
    client_id: id,
    access: "enabled",
    calls_this_hour: 0,
    secret_last_used: null,
    note: "",
  });
  expect((await command(["list"])).stdout).toMatch(/access: enabled\n[\s\S]*secret last used: none\n/);
});

test("an unknown status, an unknown application and an overlong note each get their own message", async () => {
  const id = await newApplication("bea");
  expect((await run("stop", id, "--for", "annotating")).error).toContain("Allowed choices are reading, harmonizing");
  expect(await run("stop", "nobody")).toMatchObject({
    code: 1,
    error: "There is no application with this client id. List them with: samespot application list",
  });
  expect(await run("enable", id, "--why", "x".repeat(301))).toMatchObject({
    ...{ code: 1, error: "reason may have at most 300 characters." },
  });
  expect((await run("show", id)).history).toEqual([]);
});

test("B39: the web app's own application requires --yes to be stopped", async () => {
  const id = await newApplication(OPERATOR_HANDLE);
  for (const args of [[], ["--for", "harmonizing"]]) {
    const { code, error } = await run("stop", id, ...args);
    expect([code, error]).toEqual([1, expect.stringMatching(/web app's own application.*Add --yes/)]);
  }
  expect((await run("show", id)).access).toBe("enabled");
  expect((await run("stop", id, "--yes")).access).toBe("stopped");
  expect((await run("enable", id)).access).toBe("enabled");
});
