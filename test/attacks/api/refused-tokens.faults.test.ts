import { expect, it } from "vitest";
import { issueCode } from "../../../src/directory/auth/client/token-endpoint.ts";
import { revokeToken } from "../../../src/directory/tokens.ts";
import { setDisabled } from "../../../src/directory/users.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { CALLBACK, runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory();
const { deps } = directory;

/** Returns invalid tokens by kind. */
async function strangers(): Promise<Record<string, string>> {
  const application = await directory.application();
  const { clientId, clientSecret } = application;
  const [revoked, disabled, expired] = [await directory.user(), await directory.user(), await directory.user()];
  const tokenFor = (userId: string) => directory.token({ userId, clientId });
  const oldToken = await tokenFor(revoked.id);
  const tokenOfDisabled = await tokenFor(disabled.id);
  const alive = await tokenFor(expired.id);
  for (const token of [oldToken, tokenOfDisabled, alive]) expect((await self(token)).status).toBe(200);
  await revokeToken(deps, { userId: revoked.id, clientId });
  await setDisabled(deps, disabled.id, true);
  const code = () => issueCode(deps, { clientId, userId: expired.id, redirectUri: CALLBACK, codeChallenge: null });
  const oldCode = await code();
  await deps.pool.query("UPDATE directory.authorization_code SET expires_at = now() - interval '1 minute'");
  return {
    "an unknown one": randomToken(),
    "a word": "x",
    "a revoked one": oldToken,
    "one of a disabled user": tokenOfDisabled,
    "a code": await code(),
    "an expired code": oldCode,
    "a client secret": clientSecret,
    "a client id": clientId,
    "a fingerprint": Buffer.from(deps.vault.fingerprint(alive, "token")).toString("hex"),
    "a good one with a space": `${alive} `,
    "a good one cut off": alive.slice(0, -1),
    "a good one in capitals": alive.toUpperCase(),
    "odd characters": "é\u0000",
    "a long one": "a".repeat(5000),
  };
}

let networks = 0;

// From a new network each time, because refused calls are counted per network.
async function self(oauth_token: string) {
  networks += 1;
  const headers = {
    "x-forwarded-for": `10.20.${networks >> 8}.${networks & 255}`,
    "x-forwarded-proto": "https",
  };
  const begun = performance.now();
  const reply = await fetch(`${directory.api}/v2/users/self?${new URLSearchParams({ v: V, oauth_token })}`, {
    headers,
  });
  const body = await reply.text();
  const ms = performance.now() - begun;
  const shown = [...reply.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return { status: reply.status, told: body.replace(/"requestId":"\w+"/, ""), shown: Object.fromEntries(shown), ms };
}

it("C20: every invalid token gets the identical 401 in the same time", async () => {
  const kinds = Object.entries(await strangers());
  const first = await self(randomToken());
  expect(first.status).toBe(401);
  expect(first.told).toContain('"errorType":"invalid_auth"');
  const times = new Map<string, number[]>();
  for (let round = 0; round < 15; round += 1) {
    // Sequentially: concurrent calls would share their time.
    for (const [kind, token] of kinds) {
      const { ms, ...answer } = await self(token);
      expect([kind, answer]).toEqual([kind, { status: first.status, told: first.told, shown: first.shown }]);
      times.set(kind, [...(times.get(kind) ?? []), ms]);
    }
  }
  // Only the fastest, because load on the machine adds to the time.
  const quick = [...times.values()].map((all) => all.sort((a, b) => a - b)[2] ?? 0);
  expect(Math.max(...quick)).toBeLessThan(3 * Math.min(...quick) + 5);
});
