import { expect, it } from "vitest";
import { createVault, randomToken } from "../../src/crypto.ts";
import { consent, disconnect, findToken, revokeToken, tokenOf } from "../../src/directory/tokens.ts";
import { authHost, codeFor, exchange, loggedIn } from "./auth-host.ts";

const host = await authHost();
const { deps } = host;

/** A user who has consented to a new application. */
async function pair(userId?: string, clientId?: string) {
  const made = {
    userId: userId ?? (await host.user()).id,
    clientId: clientId ?? (await host.application()).clientId,
  };
  await consent(deps, made);
  return made;
}

it("gives one token to sixteen calls for the same user and application at once", async () => {
  const one = await pair();
  const tokens = await Promise.all(Array.from({ length: 16 }, () => tokenOf(deps, one)));
  expect(new Set(tokens).size).toBe(1);
  expect(await findToken(deps, tokens[0] ?? "")).toEqual(one);
});

it("gives one token to sixteen codes of the same user and application exchanged at once", async () => {
  const application = await host.application();
  const browser = await loggedIn(host, await host.user());
  await codeFor(browser, application.clientId);
  const codes = await Promise.all(Array.from({ length: 16 }, () => codeFor(browser, application.clientId)));
  const answers = await Promise.all(codes.map((code) => exchange(host, application, code)));
  const tokens = new Set(answers.map(({ body }) => body.access_token));
  expect(tokens.size).toBe(1);
  expect(await findToken(deps, [...tokens][0] ?? "")).toBeDefined();
});

it("gives two users of two applications four tokens, and killing one leaves three", async () => {
  const [first, second] = [await pair(), await pair()];
  const pairs = [first, second, await pair(first.userId, second.clientId), await pair(second.userId, first.clientId)];
  const tokens = await Promise.all(pairs.map((each) => tokenOf(deps, each)));
  expect(new Set(tokens).size).toBe(4);
  await revokeToken(deps, first);
  const found = await Promise.all(tokens.map((token) => findToken(deps, token)));
  expect(found).toEqual([undefined, ...pairs.slice(1)]);
  expect(await tokenOf(deps, first)).not.toBe(tokens[0]);
});

it("ends token, consent and pending codes of a disconnected application only", async () => {
  const first = await pair();
  const other = await pair(first.userId);
  const [token, kept] = [await tokenOf(deps, first), await tokenOf(deps, other)];
  expect(await disconnect(deps, first)).toBe(true);
  expect(await disconnect(deps, first)).toBe(false);
  expect([await findToken(deps, token), await findToken(deps, kept)]).toEqual([undefined, other]);
  await expect(tokenOf(deps, first)).rejects.toMatchObject({ code: "invalid_grant" });
});

it("finds no token of a disabled user", async () => {
  const one = await pair();
  const token = await tokenOf(deps, one);
  await deps.prisma.user.update({ where: { id: one.userId }, data: { disabledAt: new Date() } });
  expect(await findToken(deps, token)).toBeUndefined();
});

it("keeps nothing that could be used as a token or a code", async () => {
  const one = await pair();
  const token = await tokenOf(deps, one);
  const row = await deps.prisma.authorization.findUniqueOrThrow({ where: { userId_clientId: one } });
  const kept = Buffer.concat([row.tokenLookup ?? Buffer.of(), row.tokenSealed ?? Buffer.of()]);
  expect(kept.includes(token)).toBe(false);
  for (const encoding of ["hex", "base64url"] as const)
    expect(await findToken(deps, Buffer.from(row.tokenLookup ?? []).toString(encoding))).toBeUndefined();
});

it("does not open a token that was copied to another user's row, and overwrites nothing", async () => {
  const [one, victim] = [await pair(), await pair()];
  await tokenOf(deps, one);
  await tokenOf(deps, victim);
  const { tokenSealed } = await deps.prisma.authorization.findUniqueOrThrow({ where: { userId_clientId: victim } });
  await deps.prisma.authorization.update({ where: { userId_clientId: one }, data: { tokenSealed } });
  await expect(tokenOf(deps, one)).rejects.toMatchObject({ code: "invalid_grant", status: 400 });
  const after = await deps.prisma.authorization.findUniqueOrThrow({ where: { userId_clientId: one } });
  expect(after.tokenSealed).toEqual(tokenSealed);
});

it("finds and hands out tokens of an older key while it is still listed, and not afterwards", async () => {
  const [oldKey, newKey] = [randomToken(), randomToken()];
  const with_ = (...keys: string[]) => ({ ...deps, vault: createVault(keys, "directory") });
  const one = await pair();
  const token = await tokenOf(with_(oldKey), one);
  expect(await findToken(with_(newKey, oldKey), token)).toEqual(one);
  expect(await tokenOf(with_(newKey, oldKey), one)).toBe(token);
  expect(await findToken(with_(newKey), token)).toBeUndefined();
  await expect(tokenOf(with_(newKey), one)).rejects.toMatchObject({ code: "invalid_grant" });
});

it("finds nothing for what is not a token", async () => {
  for (const text of ["", "\0", "x".repeat(10_000), randomToken()]) expect(await findToken(deps, text)).toBeUndefined();
});
