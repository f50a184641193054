import { describe, expect, it } from "vitest";
import { ensureRedirectUri, listApplications } from "../../../src/directory/applications/applications.ts";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { rotateSecret, verifyClient } from "../../../src/directory/applications/secrets.ts";
import { addUser, checkPassword, findUser } from "../../../src/directory/users.ts";
import { useRealCost } from "../../support/password-cost.ts";
import { authHost, CALLBACK } from "./auth-host.ts";

const host = await authHost();
const { deps } = host;

const works = async (clientId: string, secret: string) => (await verifyClient(deps, clientId, secret)) !== undefined;

describe("a registered application", () => {
  it("is found by its id and secret, with all its registered data", async () => {
    const { clientId, clientSecret } = await host.application({ redirectMatch: "path", tokenFlow: true });
    const { id: secretId } = await deps.prisma.applicationSecret.findFirstOrThrow({ where: { clientId } });
    const { rateLimit, access, rotatesItself, webConnect } = await deps.prisma.application.findUniqueOrThrow({
      where: { clientId },
    });
    const registered = { clientId, redirectUris: [CALLBACK], rateLimit, access, rotatesItself, webConnect };
    expect(await verifyClient(deps, clientId, clientSecret)).toEqual({ ...registered, secretId, position: null });
  });

  it.each([
    ["an empty name", { name: " " }],
    ["a name of 101 characters", { name: "n".repeat(101) }],
    ["a name with a right-to-left override", { name: "evil\u202egpj" }],
    ["no redirect URI", { redirectUris: [] }],
    ["a bad redirect URI", { redirectUris: [CALLBACK, "http://app.example/"] }],
  ])("is rejected with %s", async (_kind, more) => {
    await expect(host.application(more)).rejects.toMatchObject({ status: 400, code: "param_error" });
  });

  it("accepts another redirect URI, which is listed first and only once", async () => {
    const { clientId } = await host.application();
    const added = "http://localhost:3000/login/callback";
    for (let time = 0; time < 2; time += 1) expect(await ensureRedirectUri(deps, clientId, added)).toBe(true);
    const { redirectUris } = await deps.prisma.application.findUniqueOrThrow({ where: { clientId } });
    expect(redirectUris).toEqual([added, CALLBACK]);
    expect(await ensureRedirectUri(deps, "nobody", added)).toBe(false);
  });

  it("is listed with its owner and live secrets, without the values of the secrets", async () => {
    const { clientId, clientSecret } = await host.application();
    await rotateSecret(deps, clientId, { overlapHours: 1 });
    const found = (await listApplications(deps)).find((each) => each.clientId === clientId);
    expect(found).toMatchObject({ owner: { handle: "owner" }, redirectUris: [CALLBACK] });
    expect(found?.secrets).toHaveLength(2);
    expect(Object.keys(found?.secrets[0] ?? {})).not.toContain("hash");
    expect(JSON.stringify(found)).not.toContain(clientSecret);
  });
});

describe("a client secret", () => {
  it("stays valid for the overlap after a rotation, and expires with it", async () => {
    const { clientId, clientSecret: first } = await host.application();
    const { clientSecret: second } = await rotateSecret(deps, clientId, { overlapHours: 24 });
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([true, true]);
    await deps.pool.query(
      "UPDATE directory.application_secret SET expires_at = expires_at - interval '24 hours' WHERE client_id = $1",
      [clientId],
    );
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([false, true]);
  });

  it("is one of at most two", async () => {
    const { clientId, clientSecret: first } = await host.application();
    const { clientSecret: second } = await rotateSecret(deps, clientId, { overlapHours: 24 });
    const { clientSecret: third } = await rotateSecret(deps, clientId, { overlapHours: 24 });
    const all = [first, second, third].map((secret) => works(clientId, secret));
    expect(await Promise.all(all)).toEqual([false, true, true]);
  });

  it("ends at once with an overlap of 0", async () => {
    const { clientId, clientSecret: first } = await host.application();
    const { clientSecret: second } = await rotateSecret(deps, clientId, { overlapHours: 0 });
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([false, true]);
  });

  it("is one of at most two live ones after eight concurrent rotations", async () => {
    const { clientId, clientSecret: first } = await host.application();
    const rotations = Array.from({ length: 8 }, () => rotateSecret(deps, clientId, { overlapHours: 24 }));
    const secrets = [first, ...(await Promise.all(rotations)).map(({ clientSecret }) => clientSecret)];
    const alive = await Promise.all(secrets.map((secret) => works(clientId, secret)));
    expect(alive.filter(Boolean)).toHaveLength(2);
  });

  it("shows its last use, updated at most once a minute", async () => {
    const { clientId, clientSecret } = await host.application();
    const lastUse = async () =>
      (await deps.prisma.applicationSecret.findFirstOrThrow({ where: { clientId } })).lastUsedAt;
    expect(await lastUse()).toBeNull();
    await works(clientId, clientSecret);
    await expect.poll(lastUse).not.toBeNull();
    const first = await lastUse();
    await works(clientId, clientSecret);
    await works(clientId, "wrong");
    expect(await lastUse()).toEqual(first);
  });

  it.each([
    ["a prefix", (secret: string) => secret.slice(0, -1)],
    ["its hash", () => "hash"],
    ["nothing", () => ""],
  ])("cannot be replaced by %s", async (_kind, change) => {
    const { clientId, clientSecret } = await host.application();
    const { hash } = await deps.prisma.applicationSecret.findFirstOrThrow({ where: { clientId } });
    const sent = change(clientSecret);
    expect(await works(clientId, sent === "hash" ? Buffer.from(hash).toString("hex") : sent)).toBe(false);
    expect(await works("nobody", clientSecret)).toBe(false);
  });

  it.each([-1, Number.NaN, 10_000])(
    "is not rotated with an overlap of %s hours, nor for an unknown client",
    async (overlapHours) => {
      const { clientId, clientSecret } = await host.application();
      await expect(rotateSecret(deps, clientId, { overlapHours })).rejects.toMatchObject({ status: 400 });
      await expect(rotateSecret(deps, "nobody", { overlapHours: 1 })).rejects.toMatchObject({ status: 404 });
      expect(await works(clientId, clientSecret)).toBe(true);
    },
  );
});

describe("a provider id", () => {
  it("belongs to one application", async () => {
    const [first, second] = [await host.application(), await host.application()];
    for (let time = 0; time < 2; time += 1) await reserveProvider(deps, "acme", first.clientId);
    await expect(reserveProvider(deps, "acme", second.clientId)).rejects.toMatchObject({ status: 409 });
    await expect(reserveProvider(deps, "other", "nobody")).rejects.toMatchObject({ status: 404 });
    await expect(reserveProvider(deps, "a b", first.clientId)).rejects.toMatchObject({ status: 400 });
    expect(await deps.prisma.provider.findMany()).toMatchObject([{ id: "acme", clientId: first.clientId }]);
  });
});

describe("a directory user", () => {
  it("has a unique handle in lower case", async () => {
    const user = await addUser(deps, { handle: "Anna.B", password: "long enough" });
    expect(user.handle).toBe("anna.b");
    expect((await findUser(deps, " ANNA.B "))?.id).toBe(user.id);
    const again = addUser(deps, { handle: "anna.b", password: "long enough" });
    await expect(again).rejects.toMatchObject({ status: 409, message: expect.stringContaining("taken") });
  });

  it("cannot be added with invalid fields: the error names each of them, and never repeats the password", async () => {
    const bad = addUser(deps, { handle: "a b", password: "short", email: "nobody" });
    await expect(bad).rejects.toThrow(/handle.*; email.*; password/);
    await expect(bad).rejects.not.toThrow(/short/);
  });

  it("is authenticated by the right password only, and not while disabled", async () => {
    const user = await host.user();
    expect((await checkPassword(deps, user.handle, user.password))?.id).toBe(user.id);
    for (const wrong of ["", user.password.slice(0, -1), `${user.password}x`, user.password.toUpperCase()])
      expect(await checkPassword(deps, user.handle, wrong)).toBeUndefined();
    await deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect(await checkPassword(deps, user.handle, user.password)).toBeUndefined();
  });

  it("has a password stored as a salted scrypt hash", async () => {
    useRealCost();
    const users = [
      await addUser(deps, { handle: "salt-1", password: "same password" }),
      await addUser(deps, { handle: "salt-2", password: "same password" }),
    ];
    const [first = "", second = ""] = users.map(({ passwordHash }) => passwordHash);
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(first).not.toBe(second);
  });

  it("with an outdated password hash gets a stronger one at the next log-in", async () => {
    const { id, handle } = await addUser(deps, { handle: "older", password: "newer password" });
    const weak = "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$";
    const { scryptSync } = await import("node:crypto");
    const key = scryptSync("older password", Buffer.alloc(16), 32, { N: 16, r: 8, p: 1 })
      .toString("base64")
      .replace("=", "");
    await deps.prisma.user.update({ where: { id }, data: { passwordHash: weak + key } });
    expect((await checkPassword(deps, handle, "older password"))?.id).toBe(id);
    expect((await findUser(deps, handle))?.passwordHash).toMatch(/^\$scrypt\$ln=10/);
    expect((await checkPassword(deps, handle, "older password"))?.id).toBe(id);
  });
});
