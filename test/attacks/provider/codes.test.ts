import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { authorizePath, codeFor, exchange, loggedIn } from "../../directory/auth/auth-host.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";
import { forEach } from "../venue-api.ts";

const directory = await runningDirectory({ instances: 2 });
const host = { ...directory, url: directory.auth };
const OTHER_CALLBACK = "https://app.example/other";
let browser: HttpClient;
let application: { clientId: string; clientSecret: string };

beforeAll(async () => {
  browser = await loggedIn(host, await directory.user());
  application = await directory.application({ redirectUris: [CALLBACK, OTHER_CALLBACK] });
  await newCode(); // allows the application: the codes of the tests come straight
});

const newCode = (more: Record<string, string> = {}) => codeFor(browser, application.clientId, more);
const give = (code: string, more: Record<string, string> = {}) => exchange(host, application, code, more);

/** Returns whether the token works at each instance. */
async function lives(token = ""): Promise<boolean[]> {
  const calls = directory.instances.map((on) => directory.call("/v2/users/self", { oauth_token: token }, { on }));
  return (await Promise.all(calls)).map(({ status }) => status === 200);
}

async function tokenAndCode() {
  const token = (await give(await newCode())).body.access_token ?? "";
  return { token, code: await newCode() };
}

describe("an authorization code", () => {
  it("B09: is rejected at its second exchange, which revokes the token of the first", async () => {
    const { token, code } = await tokenAndCode();
    const first = await give(code);
    expect(first.body.access_token).toBe(token);
    expect(await lives(token)).toEqual([true, true]);
    expect(await give(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await lives(token)).toEqual([false, false]);
    const next = (await give(await newCode())).body.access_token;
    expect(next).not.toBe(token);
    expect(await lives(next)).toEqual([true, true]);
  });

  it("B11: is rejected for another application, and the attempt neither spends the code nor revokes its token", async () => {
    const other = await directory.application();
    const { token, code } = await tokenAndCode();
    const stolen = () => exchange(host, other, code);
    for (let time = 0; time < 3; time += 1)
      expect(await stolen()).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await give(code)).toEqual({ status: 200, body: { access_token: token } });
    expect(await stolen()).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await lives(token)).toEqual([true, true]);
  });

  it("B12: survives an exchange with a different redirect URI, a wrong verifier or a wrong secret", async () => {
    const code = await newCode(begun(VERIFIER));
    const right = { code_verifier: VERIFIER };
    const mistakes: [more: Record<string, string>, error: string][] = [
      [{ ...right, redirect_uri: OTHER_CALLBACK }, "invalid_grant"],
      [{ ...right, redirect_uri: `${CALLBACK}/` }, "invalid_grant"],
      [{ ...right, redirect_uri: "" }, "invalid_request"],
      [{ code_verifier: VERIFIER.replace("d", "e") }, "invalid_grant"],
      [{}, "invalid_grant"],
      [{ ...right, client_secret: "wrong" }, "invalid_client"],
      [{ ...right, client_secret: "" }, "invalid_request"],
    ];
    for (const [more, error] of mistakes)
      expect(await give(code, more)).toEqual({ status: 400, body: { error, error_description: expect.any(String) } });
    expect(await give(code, right)).toMatchObject({ status: 200 });
  });

  it("B13: expires after 60 seconds by the directory's clock, and a late exchange revokes nothing", async () => {
    const moved = async (seconds: number) => {
      const { token, code } = await tokenAndCode();
      const text = "UPDATE directory.authorization_code SET expires_at = expires_at - make_interval(secs => $1)";
      await directory.database.pool.query(text, [seconds]);
      return { token, answer: await give(code), again: await give(code) };
    };
    expect((await moved(30)).answer.status).toBe(200);
    const { token, answer, again } = await moved(61);
    for (const late of [answer, again])
      expect(late).toEqual({
        status: 400,
        body: { error: "invalid_grant", error_description: expect.stringContaining("expired") },
      });
    expect(await lives(token)).toEqual([true, true]);
  });

  it("B14: that is invalid returns 400, in the query and in the body", async () => {
    const { token, code } = await tokenAndCode();
    const long = [10_000, 14_000].map((length) => "c".repeat(length));
    const none = ["", " ", "\0", `${code}\0`, `${code} `, code.slice(1), token, application.clientSecret, "é", ...long];
    const codes = [...none.map((each) => [each]), [code, code], [code, "x"], ["x", code], ["x".repeat(60_000)]];
    await forEach(codes, async (sent) => {
      const inBody = await fetch(`${directory.auth}/oauth2/access_token`, { method: "POST", body: fields(sent) });
      expect([inBody.status, ((await inBody.json()) as { error: string }).error]).toEqual([400, NO_CODE]);
      if ((sent[0] ?? "").length > 20_000) return; // more than an address holds
      const inQuery = await fetch(`${directory.auth}/oauth2/access_token?${fields(sent)}`);
      expect([inQuery.status, ((await inQuery.json()) as { error: string }).error]).toEqual([400, NO_CODE]);
    });
    const inBoth = { method: "POST", body: new URLSearchParams({ code }) };
    expect((await fetch(`${directory.auth}/oauth2/access_token?${fields([code])}`, inBoth)).status).toBe(400);
    expect(await give(code)).toMatchObject({ status: 200 });
    expect(await lives(token)).toEqual([true, true]);
  });

  const NO_CODE = expect.stringMatching(/^invalid_(grant|request)$/);

  function fields(codes: string[]): URLSearchParams {
    const { clientId, clientSecret } = application;
    const query = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, redirect_uri: CALLBACK });
    query.append("grant_type", "authorization_code");
    for (const code of codes) query.append("code", code);
    return query;
  }
});

const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const s256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const begun = (verifier: string) => ({ code_challenge: s256(verifier), code_challenge_method: "S256" });

describe("B15: PKCE", () => {
  it("B15: is optional, and a verifier without a challenge is rejected", async () => {
    const code = await newCode();
    expect((await give(code, { code_verifier: VERIFIER })).body.error).toBe("invalid_grant");
    expect((await give(code)).status).toBe(200);
  });

  it.each([VERIFIER, "a".repeat(43), "Z".repeat(128), `${VERIFIER}.~_-`])(
    "B15: accepts the verifier of the challenge: %s",
    async (code_verifier) => {
      expect((await give(await newCode(begun(code_verifier)), { code_verifier })).status).toBe(200);
    },
  );

  it.each([
    ["no verifier", VERIFIER, {}],
    ["an empty one", VERIFIER, { code_verifier: "" }],
    ["another", VERIFIER, { code_verifier: `${VERIFIER.slice(0, -1)}l` }],
    ["the challenge itself", VERIFIER, { code_verifier: s256(VERIFIER) }],
    ["one of 42 characters", "a".repeat(42), { code_verifier: "a".repeat(42) }],
    ["one of 129 characters", "a".repeat(129), { code_verifier: "a".repeat(129) }],
    ["one with other characters", `${VERIFIER}+`, { code_verifier: `${VERIFIER}+` }],
    ["one with a NUL", `${VERIFIER}\0`, { code_verifier: `${VERIFIER}\0` }],
  ])("B15: fails for a challenge with %s", async (_kind, verifier, more: Record<string, string>) => {
    const answer = await give(await newCode(begun(verifier)), more);
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  const challenge = s256(VERIFIER);
  const wrong: Record<string, string>[] = [
    { code_challenge: VERIFIER, code_challenge_method: "plain" },
    { code_challenge: challenge, code_challenge_method: "s256" },
    { code_challenge: challenge },
    { code_challenge_method: "S256" },
    { code_challenge: challenge.slice(1), code_challenge_method: "S256" },
    { code_challenge: `${challenge}a`, code_challenge_method: "S256" },
    { code_challenge: "a".repeat(129), code_challenge_method: "S256" },
    { code_challenge: `${challenge.slice(1)}=`, code_challenge_method: "S256" },
    { code_challenge: `${challenge.slice(1)}+`, code_challenge_method: "S256" },
  ];
  it.each(wrong)("B15: rejects an authorization request with %j", async (more) => {
    const { status, location } = await browser.get(authorizePath(application.clientId, { state: "s", ...more }));
    expect([status, location]).toEqual([303, expect.stringContaining(`${CALLBACK}?error=invalid_request&`)]);
    expect(new URL(location).searchParams.has("code")).toBe(false);
  });
});
