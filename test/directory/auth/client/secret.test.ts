import { describe, expect, it } from "vitest";
import { endedSecretsResponse, rotationResponse } from "../../../../src/contract/oauth.ts";
import { listSecrets } from "../../../../src/directory/applications/secrets.ts";
import { authHost } from "../auth-host.ts";
import { basic, clientSecretCalls, type Sent } from "./secret-calls.ts";

const host = await authHost({ hasTwin: true });
const { deps } = host;
const { call, selfRotating, works, list, rotate } = clientSecretCalls(host);

/** Seconds between two times of a response. */
const between = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

describe("GET of the client secret", () => {
  it("returns when each live secret was made, last used and ends, the current one first, and no value", async () => {
    const first = await selfRotating();
    const alone = await list(first);
    expect(alone).toEqual({
      client_id: first.clientId,
      secrets: [expect.objectContaining({ expires_at: null, current: true, used_now: true })],
    });
    const { next, created_at, previous_expires_at } = await rotate(first);
    const { secrets } = await list(first);
    expect(secrets).toEqual([
      { created_at, expires_at: null, last_used_at: null, current: true, used_now: false },
      expect.objectContaining({ expires_at: previous_expires_at, current: false, used_now: true }),
    ]);
    const both = await call("GET", { headers: basic(next) });
    expect(both.body.secrets.map(({ used_now }: { used_now: boolean }) => used_now)).toEqual([true, false]);
    const hashes = (await deps.prisma.applicationSecret.findMany({ where: { clientId: first.clientId } })).map(
      ({ id, hash }) => [id, Buffer.from(hash).toString("hex"), Buffer.from(hash).toString("base64")],
    );
    for (const text of [first.clientSecret, next.clientSecret, ...hashes.flat()])
      expect(JSON.stringify([both.body, secrets])).not.toContain(text);
    expect([both.headers.get("cache-control"), both.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
  });

  it("counts as a use of its own secret only, shown at once", async () => {
    const first = await selfRotating();
    const { next } = await rotate(first);
    const { secrets } = await list(first);
    expect(between(secrets[1]?.created_at ?? "", secrets[1]?.last_used_at ?? "")).toBeGreaterThan(0);
    expect(secrets[0]?.last_used_at).toBeNull();
    await list(next);
    await expect.poll(async () => (await listSecrets(deps, first.clientId))[0]?.lastUsedAt).not.toBeNull();
  });
});

describe("POST to the client secret", () => {
  it("creates a new secret, and keeps the caller's valid for one more day", async () => {
    const first = await selfRotating();
    const { next, created_at, previous_expires_at, ...rest } = await rotate(first);
    expect(rest).toEqual({
      client_id: first.clientId,
      client_secret: next.clientSecret,
      client_secret_expires_at: 0,
    });
    expect(next.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(between(created_at, previous_expires_at)).toBeCloseTo(86_400, 0);
    expect([await works(first), await works(next)]).toEqual([true, true]);
  });

  it("accepts credentials in the body too, and an overlap from 0 to 7 days", async () => {
    for (const overlap of ["0", "1", "604800"]) {
      const { clientId, clientSecret } = await selfRotating();
      const fields = { client_id: clientId, client_secret: clientSecret, overlap };
      const { body } = await call("POST", { fields });
      const { created_at, previous_expires_at } = rotationResponse.parse(body);
      expect(Math.abs(between(created_at, previous_expires_at) - Number(overlap))).toBeLessThan(1);
      expect(await works({ clientId, clientSecret })).toBe(overlap !== "0");
    }
  });

  it.each(["-1", "1e9", "604801", "abc", "1.5", "0x10", " 1", "١", "9".repeat(5000)])(
    "has no effect with the overlap %j",
    async (overlap) => {
      const client = await selfRotating();
      const answer = await call("POST", { headers: basic(client), fields: { overlap } });
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
      expect((await list(client)).secrets).toHaveLength(1);
    },
  );

  it("has no effect with two overlaps", async () => {
    const client = await selfRotating();
    const fields: Sent = [
      ["overlap", "0"],
      ["overlap", "0"],
    ];
    const answer = await call("POST", { headers: basic(client), fields });
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
    expect((await list(client)).secrets).toHaveLength(1);
  });

  it("B36: ends the undelivered secret when it is repeated after a lost answer", async () => {
    const first = await selfRotating();
    const lost = await rotate(first, { overlap: "60" });
    const again = await rotate(first, { overlap: "3600" }, host.twin);
    expect([await works(first), await works(lost.next), await works(again.next)]).toEqual([true, false, true]);
    expect(again.previous_expires_at, "no longer than promised at first").toBe(lost.previous_expires_at);
    expect((await list(first)).secrets).toHaveLength(2);
  });

  it("B36: has no effect with an expiring secret once the newer one was used", async () => {
    const first = await selfRotating();
    const { next, previous_expires_at } = await rotate(first, { overlap: "60" });
    await list(next);
    await expect.poll(async () => (await listSecrets(deps, first.clientId))[0]?.lastUsedAt).not.toBeNull();
    for (const overlap of ["0", "604800"]) {
      const refused = await call("POST", { headers: basic(first), fields: { overlap } });
      expect([refused.status, refused.body]).toEqual([
        409,
        { error: "invalid_request", error_description: expect.stringContaining("Switch to the newest one") },
      ]);
    }
    const { secrets } = await list(next);
    expect(secrets.map(({ expires_at }) => expires_at)).toEqual([null, previous_expires_at]);
    expect((await rotate(next)).client_id).toBe(first.clientId);
  });

  it("B36: answers sixteen concurrent calls with one secret, and leaves that one and the newest", async () => {
    const first = await selfRotating();
    const hosts = Array.from({ length: 16 }, (_, index) => (index % 2 ? host.twin : host.url));
    const answers = await Promise.all(hosts.map((on) => rotate(first, {}, on)));
    const alive = [];
    for (const answer of answers) if (await works(answer.next)) alive.push(answer);
    expect(alive).toHaveLength(1);
    expect(await works(first)).toBe(true);
    const newest = Math.max(...answers.map(({ created_at }) => Date.parse(created_at)));
    expect(Date.parse(alive[0]?.created_at ?? "")).toBe(newest);
    expect((await list(first)).secrets).toHaveLength(2);
  });

  it("does not count as a use of the old secret after the rotation", async () => {
    const first = await selfRotating();
    await rotate(first);
    const old = async () => (await listSecrets(deps, first.clientId))[1];
    await expect.poll(async () => (await old())?.lastUsedAt).not.toBeNull();
    const [current] = await listSecrets(deps, first.clientId);
    expect((await old())?.lastUsedAt?.getTime()).toBeLessThanOrEqual(current?.createdAt.getTime() ?? 0);
  });
});

describe("DELETE of older client secrets", () => {
  it("B36: ends every secret but the current one on both instances at once, also when repeated", async () => {
    const first = await selfRotating();
    const { next } = await rotate(first);
    const end = async (on: string) =>
      endedSecretsResponse.parse((await call("DELETE", { headers: basic(next), on })).body);
    expect(await end(host.twin)).toEqual({ client_id: first.clientId, ended: 1 });
    expect([await works(first), await works(next)]).toEqual([false, true]);
    for (const on of [host.url, host.twin]) expect((await call("GET", { headers: basic(first), on })).status).toBe(401);
    expect(await end(host.url)).toEqual({ client_id: first.clientId, ended: 0 });
  });

  it("B36: is refused to an older secret, which would end the one in use", async () => {
    const first = await selfRotating();
    const { next } = await rotate(first);
    const refused = await call("DELETE", { headers: basic(first) });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: "invalid_request", error_description: expect.stringContaining("Switch to the newest one") },
    ]);
    expect([await works(first), await works(next)]).toEqual([true, true]);
  });
});
