import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { randomToken } from "../../src/shared/crypto.ts";
import { testDatabase } from "../support/database/database.ts";
import { dataFolder } from "../support/samespot.ts";
import { runCommand } from "./samespot-command.ts";

const { url } = await testDatabase();
const [keys, secrets] = [randomToken(), randomToken()];
const dir = dataFolder();
mkdirSync(dir, { recursive: true });
const env = { DATABASE_URL: url, DATA_DIR: dir, ENCRYPTION_KEYS: keys, SESSION_SECRETS: secrets };

async function run(args: string[], input = "") {
  const { code, stdout, stderr } = await runCommand(env, [...args, "--json"], { input });
  return { code, ...JSON.parse(code === 0 ? stdout : stderr) };
}

test("an application can be shown, changed and removed, and its older secret ended", async () => {
  await run(["user", "add", "--handle", "ada", "--password-stdin"], "correct horse battery\n");
  const registration = ["application", "add", "--owner", "ada", "--name", "Map app"];
  const { client_id: id, client_secret: secret } = await run([
    ...registration,
    "--redirect-uri",
    "https://map.example/cb",
  ]);
  const rotated = await run(["application", "rotate-secret", id, "--overlap", "7d"]);
  expect(await run(["application", "rotate-secret", id, "--overlap", "8d"])).toMatchObject({
    code: 1,
    error: "The overlap must be between 0 hours and 7 days.",
  });
  const shown = await run(["application", "show", id]);
  const times = { secret_id: expect.any(String), made: expect.stringMatching(/^\d{4}-.*Z$/), last_used: null };
  expect(shown).toMatchObject({
    client_id: id,
    owner: "ada",
    redirect_uris: ["https://map.example/cb"],
    users: 0,
    secrets: [
      { ...times, ends: null },
      { ...times, ends: expect.stringMatching(/Z$/) },
    ],
  });
  for (const text of [secret, rotated.client_secret]) expect(JSON.stringify(shown)).not.toContain(text);

  const [current, older] = shown.secrets;
  expect((await run(["application", "end-secret", id, current.secret_id])).error).toContain(
    "This is the current secret",
  );
  expect((await run(["application", "end-secret", id, older.secret_id])).secrets).toEqual([current]);

  expect((await run(["application", "update", id])).error).toContain("Nothing to change. Give at least one of");
  expect((await run(["application", "update", id, "--redirect-uri", "javascript:x"])).code).toBe(1);
  const changes = ["--name", "City map", "--redirect-uri", "https://b.example/", "https://a.example/", "--token-flow"];
  expect(await run(["application", "update", id, ...changes])).toMatchObject({
    name: "City map",
    redirect_uris: ["https://b.example/", "https://a.example/"],
    redirect_match: "exact",
    token_flow: true,
    web_connect: false,
    rotates_itself: false,
  });
  const others = ["--no-token-flow", "--redirect-match", "path", "--rotates-itself"];
  const back = await run(["application", "update", id, ...others]);
  expect(back).toMatchObject({ name: "City map", token_flow: false, redirect_match: "path", rotates_itself: true });

  expect((await run(["application", "remove", id])).code).toBe(2);
  expect(await run(["application", "remove", id, "--yes"])).toEqual({ code: 0, removed: id });
  expect(await run(["application", "show", id])).toMatchObject({
    code: 1,
    error: "There is no application with this client id. List them with: samespot application list",
  });
});
