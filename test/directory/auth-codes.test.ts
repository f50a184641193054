import { beforeAll, describe, expect, it } from "vitest";
import { findToken } from "../../src/directory/tokens.ts";
import type { HttpClient } from "../support/http-client.ts";
import { authHost, CALLBACK, codeFor, exchange, loggedIn } from "./auth-host.ts";

const host = await authHost();
let application: { clientId: string; clientSecret: string };
let browser: HttpClient;

beforeAll(async () => {
  application = await host.application();
  browser = await loggedIn(host, await host.user());
});

const newCode = () => codeFor(browser, application.clientId);
const isAlive = async (token: string | undefined) => (await findToken(host.deps, token ?? "")) !== undefined;

describe("a code", () => {
  it("is good for one of sixteen exchanges at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = await newCode();
      const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(host, application, code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(15);
      const token = answers.find(({ status }) => status === 200)?.body.access_token;
      expect(await isAlive(token)).toBe(false);
    }
  });

  it("kills the token when it comes a second time", async () => {
    const code = await newCode();
    const { access_token } = (await exchange(host, application, code)).body;
    expect(await isAlive(access_token)).toBe(true);
    expect(await exchange(host, application, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await isAlive(access_token)).toBe(false);
    const next = (await exchange(host, application, await newCode())).body.access_token;
    expect(next).not.toBe(access_token);
    expect(await isAlive(next)).toBe(true);
  });

  it("does nothing for another application's credentials, before and after its use", async () => {
    const other = await host.application();
    const code = await newCode();
    expect((await exchange(host, other, code)).body.error).toBe("invalid_grant");
    const { access_token } = (await exchange(host, application, code)).body;
    expect((await exchange(host, other, code)).body.error).toBe("invalid_grant");
    expect(await isAlive(access_token)).toBe(true);
  });

  it("ends after 60 seconds of the database's clock", async () => {
    const moved = async (seconds: number) => {
      const code = await newCode();
      await host.deps.pool.query(
        "UPDATE directory.authorization_code SET expires_at = expires_at - make_interval(secs => $1) WHERE used_at IS NULL",
        [seconds],
      );
      return exchange(host, application, code);
    };
    expect((await moved(45)).status).toBe(200);
    const late = await moved(61);
    expect(late.body.error).toBe("invalid_grant");
    expect(late.body.error_description).toContain("expired");
  });

  it("gives nothing for a user who was disabled meanwhile", async () => {
    const user = await host.user();
    const code = await codeFor(await loggedIn(host, user), application.clientId);
    await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect((await exchange(host, application, code)).body.error).toBe("invalid_grant");
    expect(await host.deps.prisma.authorization.count({ where: { userId: user.id, NOT: { tokenSealed: null } } })).toBe(
      0,
    );
  });
});

it("slows down who guesses secrets, and not the application at its own address", async () => {
  const guessed = await host.application();
  const code = await codeFor(browser, guessed.clientId);
  const from = (address: string, secret: string) => {
    const query = new URLSearchParams({ grant_type: "authorization_code", redirect_uri: CALLBACK, code });
    query.append("client_id", guessed.clientId);
    query.append("client_secret", secret);
    const headers = { "x-forwarded-for": address, "x-forwarded-proto": "https" };
    return fetch(`${host.url}/oauth2/access_token?${query}`, { headers });
  };
  const guesses = await Promise.all(Array.from({ length: 40 }, () => from("203.0.113.9", "guess")));
  expect(guesses.filter(({ status }) => status === 400)).not.toHaveLength(0);
  const refused = await from("203.0.113.9", "guess");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await from("203.0.113.10", guessed.clientSecret)).status).toBe(200);
});
