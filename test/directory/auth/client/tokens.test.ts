import { describe, expect, it } from "vitest";
import { consent, findToken, tokenOf } from "../../../../src/directory/tokens.ts";
import { createVault, randomToken } from "../../../../src/shared/crypto.ts";
import { expectNoSecrets } from "../../../support/canaries.ts";
import { authHost, codeFor, exchange, loggedIn } from "../auth-host.ts";

const host = await authHost();
const { deps } = host;

async function pair() {
  const made = { userId: (await host.user()).id, clientId: (await host.application()).clientId };
  await consent(deps, made);
  return made;
}

it("the token of a disabled user is not found", async () => {
  const one = await pair();
  const token = await tokenOf(deps, one);
  await deps.prisma.user.update({ where: { id: one.userId }, data: { disabledAt: new Date() } });
  expect(await findToken(deps, token)).toBeUndefined();
});

it("the database stores nothing usable as a token or a code", async () => {
  const one = await pair();
  const token = await tokenOf(deps, one);
  const row = await deps.prisma.authorization.findUniqueOrThrow({ where: { userId_clientId: one } });
  const kept = Buffer.concat([row.tokenLookup ?? Buffer.of(), row.tokenSealed ?? Buffer.of()]);
  expect(kept.includes(token)).toBe(false);
  for (const encoding of ["hex", "base64url"] as const)
    expect(await findToken(deps, Buffer.from(row.tokenLookup ?? []).toString(encoding))).toBeUndefined();
});

it("a token copied to another user's row does not open, and the original stays valid", async () => {
  const [one, victim] = [await pair(), await pair()];
  const [own, theirs] = [await tokenOf(deps, one), await tokenOf(deps, victim)];
  const { tokenSealed } = await deps.prisma.authorization.findUniqueOrThrow({ where: { userId_clientId: victim } });
  await deps.prisma.authorization.update({ where: { userId_clientId: one }, data: { tokenSealed } });
  const fresh = await tokenOf(deps, one);
  expect([own, theirs]).not.toContain(fresh);
  expect(await Promise.all([own, fresh, theirs].map((token) => findToken(deps, token)))).toMatchObject([
    undefined,
    one,
    victim,
  ]);
});

/** Makes the stored token unreadable, as after damage or the loss of a key. */
const damage = (userId_clientId: { userId: string; clientId: string }) =>
  deps.prisma.authorization.update({ where: { userId_clientId }, data: { tokenSealed: Buffer.from("damaged") } });

it("sixteen concurrent calls replace an unreadable token by one new token", async () => {
  const one = await pair();
  const before = await tokenOf(deps, one);
  await damage(one);
  const tokens = new Set(await Promise.all(Array.from({ length: 16 }, () => tokenOf(deps, one))));
  expect(tokens.size).toBe(1);
  expect(await findToken(deps, [...tokens][0] ?? "")).toMatchObject(one);
  expect(await findToken(deps, before)).toBeUndefined();
  expect(await tokenOf(deps, one)).toBe([...tokens][0]);
});

it("a user with an unreadable token can log in again, with one new token for all codes and a log line", async () => {
  const [user, application] = [await host.user(), await host.application()];
  const browser = await loggedIn(host, user);
  const first = await exchange(host, application, await codeFor(browser, application.clientId));
  await damage({ userId: user.id, clientId: application.clientId });
  const codes = await Promise.all(Array.from({ length: 16 }, () => codeFor(browser, application.clientId)));
  const answers = await Promise.all(codes.map((code) => exchange(host, application, code)));
  const tokens = new Set(answers.map(({ body }) => body.access_token));
  expect(tokens.size).toBe(1);
  expect(await findToken(deps, [...tokens][0] ?? "")).toMatchObject({ userId: user.id });
  const warnings = host.logs.lines.filter((line) => line.includes("did not open with ENCRYPTION_KEYS"));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, userId: user.id }]);
  const token = [first.body.access_token ?? "", ...tokens].filter((each) => each !== undefined);
  expectNoSecrets({ logs: host.logs.text() }, { token });
});

it("a code sent sixteen times at once revokes the new token too", async () => {
  const [user, application] = [await host.user(), await host.application()];
  const browser = await loggedIn(host, user);
  for (let round = 0; round < 5; round += 1) {
    await exchange(host, application, await codeFor(browser, application.clientId));
    const code = await codeFor(browser, application.clientId);
    await damage({ userId: user.id, clientId: application.clientId });
    const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(host, application, code)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await findToken(deps, given[0]?.body.access_token ?? "")).toBeUndefined();
  }
});

it("a token of an older key works while that key is listed, and not afterwards", async () => {
  const [oldKey, newKey] = [randomToken(), randomToken()];
  const with_ = (...keys: string[]) => ({ ...deps, vault: createVault(keys, "directory") });
  const one = await pair();
  const token = await tokenOf(with_(oldKey), one);
  expect(await findToken(with_(newKey, oldKey), token)).toMatchObject(one);
  expect(await tokenOf(with_(newKey, oldKey), one)).toBe(token);
  expect(await findToken(with_(newKey), token)).toBeUndefined();
  expect(await tokenOf(with_(newKey), one)).not.toBe(token);
});

it("a text that is no token finds no user", async () => {
  for (const text of ["", "\0", "x".repeat(10_000), randomToken()]) expect(await findToken(deps, text)).toBeUndefined();
});

const isAlive = async (token: string | undefined) => (await findToken(host.deps, token ?? "")) !== undefined;

describe("an authorization code", () => {
  it("is accepted in one of sixteen concurrent exchanges", async () => {
    const application = await host.application();
    const browser = await loggedIn(host, await host.user());
    for (let round = 0; round < 10; round += 1) {
      const code = await codeFor(browser, application.clientId);
      const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(host, application, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(15);
      const token = answers.find(({ status }) => status === 200)?.body.access_token;
      expect(await isAlive(token)).toBe(false);
    }
  });

  it("yields no token after its user was disabled", async () => {
    const [user, application] = [await host.user(), await host.application()];
    const code = await codeFor(await loggedIn(host, user), application.clientId);
    await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect((await exchange(host, application, code)).body.error).toBe("invalid_grant");
    expect(await host.deps.prisma.authorization.count({ where: { userId: user.id, NOT: { tokenSealed: null } } })).toBe(
      0,
    );
  });
});
