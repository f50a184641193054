import { beforeAll, describe, expect, it } from "vitest";
import { authorizePath, decide, loggedIn } from "../../directory/auth/auth-host.ts";
import { formFields, type HttpClient, type Page } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory();
const host = { ...directory, url: directory.auth };
const ACTION = "/oauth2/consent";
let browser: HttpClient;
/** Form tokens of the session before the log-in, and of another user's session. */
let tokenBefore: string;
let foreignToken: string;

beforeAll(async () => {
  const user = await directory.user();
  const other = await loggedIn(host, await directory.user());
  const { clientId } = await directory.application();
  foreignToken = formFields(await other.get(authorizePath(clientId)), ACTION)._csrf ?? "";
  browser = directory.browser();
  const login = await browser.get("/login");
  tokenBefore = formFields(login, "/login")._csrf ?? "";
  await browser.submit(login, "/login", user);
});

/** Opens a consent page of an application without consent. */
async function asked(more: Record<string, string> = {}, path?: string) {
  const { clientId } = await directory.application({ tokenFlow: true });
  const page = await browser.get(authorizePath(clientId, { state: "s", ...more }, path));
  const { _csrf = "", request = "" } = formFields(page, ACTION);
  return { page, clientId, _csrf, request, fields: { _csrf, request, decision: "allow" } };
}

/** Counts codes and connections of an application. */
async function given(clientId: string): Promise<number[]> {
  const { authorizationCode, authorization } = directory.deps.prisma;
  const where = { where: { clientId } };
  return Promise.all([authorizationCode.count(where), authorization.count(where)]);
}

const NOTHING = [0, 0];
const ALLOWED = /^https:\/\/app\.example\/callback\?code=[\w-]{43}&state=s$/;

describe("B24: a forged consent decision", () => {
  const withToken =
    (token: string) =>
    ({ request, decision }: Record<string, string>) =>
      new URLSearchParams({ request: request ?? "", decision: decision ?? "", _csrf: token }).toString();
  type Fields = Record<string, string>;
  const bodies: Record<string, (fields: Fields) => string> = {
    "no token": ({ request = "" }) => new URLSearchParams({ request, decision: "allow" }).toString(),
    "an empty token": withToken(""),
    "a changed token": (fields) => withToken(`${fields._csrf}x`)(fields),
    "the token of another session": (fields) => withToken(foreignToken)(fields),
    "the token of the session before the log-in": (fields) => withToken(tokenBefore)(fields),
    "its token twice": (fields) => `${new URLSearchParams(fields)}&_csrf=${encodeURIComponent(fields._csrf ?? "")}`,
    "its token in an array": (fields) => new URLSearchParams(fields).toString().replace("_csrf=", "_csrf[]="),
  };
  const origin = directory.auth;
  const senders: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://app.example" },
    { origin: `${origin}.evil.example` },
    { origin: origin.replace(/:\d+$/, "") },
    { origin: origin.replace("http:", "https:") },
    { origin: origin.replace("localhost", "127.0.0.1") },
    { origin: directory.api },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ];

  it.each(Object.entries(bodies))("B24: is rejected with %s, and grants nothing", async (_kind, bodyOf) => {
    const { page, clientId, fields } = await asked();
    const answer = await browser.post(ACTION, bodyOf(fields));
    expect([answer.status, answer.location]).toEqual([403, ""]);
    expect(await given(clientId)).toEqual(NOTHING);
    expect((await decide(browser, page, "allow")).location).toMatch(ALLOWED);
  });

  it.each(senders)("B24: is rejected with the right token and %j, and grants nothing", async (headers) => {
    const { page, clientId, fields } = await asked();
    const answer = await browser.post(ACTION, fields, headers);
    expect([answer.status, answer.location]).toEqual([403, ""]);
    expect(await given(clientId)).toEqual(NOTHING);
    expect((await decide(browser, page, "allow")).location).toMatch(ALLOWED);
  });

  it("B24: is rejected with another content type, address or method, and without the cookie", async () => {
    const { page, clientId, fields } = await asked();
    const text = new URLSearchParams(fields).toString();
    for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x", "application/xml"])
      expect([400, 403, 415]).toContain((await browser.post(ACTION, fields, { "content-type": type })).status);
    const { request, decision, _csrf } = fields;
    const inAddress = await browser.post(`${ACTION}?${new URLSearchParams({ _csrf })}`, { request, decision });
    expect([inAddress.status, inAddress.location]).toEqual([403, ""]);
    expect((await browser.get(`${ACTION}?${text}`)).location).toBe("");
    expect((await browser.get(`${ACTION}?${text}`, { "x-http-method-override": "POST" })).location).toBe("");
    expect((await directory.browser().post(ACTION, fields)).status).toBe(403);
    expect(await given(clientId)).toEqual(NOTHING);
    expect((await decide(browser, page, "allow")).location).toMatch(ALLOWED);
  });
});

describe("B25: a consent decision with extra fields", () => {
  const evil = "https://evil.example/";
  it.each([
    { client_id: "another" },
    { client_id: "" },
    { redirect_uri: evil },
    { redirect_uri: `${CALLBACK}/` },
    { redirect_uri: "" },
    { response_type: "token" },
    { response_type: "" },
    { state: "other" },
    { client_id: "another", redirect_uri: evil, response_type: "token", state: "other" },
    { decision: "" },
    { decision: "Allow" },
    { request: "0".repeat(24) },
    { request: "" },
  ])("B25: is rejected when the fields differ from the stored request: %j", async (altered: Record<string, string>) => {
    const { page, clientId } = await asked();
    const answer = await browser.submit(page, ACTION, { decision: "allow", ...altered });
    expect([answer.status, answer.location]).toEqual([400, ""]);
    expect(await given(clientId)).toEqual(NOTHING);
    expect((await decide(browser, page, "allow")).location).toMatch(ALLOWED);
  });

  it.each(["request", "decision", "client_id", "redirect_uri"])(
    "B25: is rejected with %s given twice",
    async (name) => {
      const { clientId, fields } = await asked();
      const values: Record<string, string> = { ...fields, client_id: clientId, redirect_uri: CALLBACK };
      const twice = new URLSearchParams(fields);
      if (!twice.has(name)) twice.append(name, values[name] ?? "");
      twice.append(name, values[name] ?? "");
      const answer = await browser.post(ACTION, twice.toString());
      expect([answer.status, answer.location]).toEqual([400, ""]);
      expect(await given(clientId)).toEqual(NOTHING);
    },
  );

  it("B25: follows the stored request when its address differs", async () => {
    const other = await directory.application({ redirectUris: [evil], tokenFlow: true });
    const query = authorizePath(other.clientId, { redirect_uri: evil, response_type: "token", state: "x" }).split(
      "?",
    )[1];
    const { clientId, fields, request } = await asked();
    const page = await browser.get(`${ACTION}?request=${request}&${query}`);
    expect(page.body).not.toContain("evil.example");
    expect(page.headers.get("content-security-policy")).not.toContain("evil.example");
    expect((await browser.post(`${ACTION}?${query}`, fields)).location).toMatch(ALLOWED);
    expect([await given(clientId), await given(other.clientId)]).toEqual([[1, 1], NOTHING]);
  });
});

describe("B26: a denied consent", () => {
  const DENIED = "error=access_denied&error_description=[\\w%]+&state=s$";
  const endsIn = (page: Page, pattern: string) =>
    expect([page.status, page.location]).toEqual([303, expect.stringMatching(new RegExp(pattern))]);

  it.each([
    ["code", "authenticate", "\\?"],
    ["code", "authorize", "\\?"],
    ["token", "authenticate", "#"],
    ["token", "authorize", "#"],
  ])("B26: of response_type=%s at %s redirects with the state, and is final", async (kind, path, mark) => {
    const { page, clientId, fields, request } = await asked({ response_type: kind }, path);
    endsIn(await decide(browser, page, "deny"), `^https://app\\.example/callback${mark}${DENIED}`);
    // The back button shows the old page.
    for (const decision of ["allow", "deny"] as const) {
      const again = await decide(browser, page, decision);
      expect([again.status, again.location, again.body]).toEqual([400, "", expect.stringContaining("is over")]);
    }
    const reloaded = await browser.get(`${ACTION}?request=${request}`);
    expect([reloaded.status, reloaded.location]).toEqual([400, ""]);
    expect((await browser.post(ACTION, { ...fields, _csrf: foreignToken })).status).toBe(400);
    expect(await given(clientId)).toEqual(NOTHING);
  });

  it("B26: and many concurrent permissions count as one decision", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { page, clientId } = await asked();
      const decisions = Array.from({ length: 16 }, (_, index) => (index % 2 ? "allow" : "deny"));
      const answers = await Promise.all(decisions.map((decision) => decide(browser, page, decision)));
      const [taken, ...others] = answers.sort((a, b) => a.status - b.status);
      expect([taken?.status, ...new Set(others.map(({ status }) => status))]).toEqual([303, 400]);
      expect(await given(clientId)).toEqual(taken?.location.includes("code=") ? [1, 1] : NOTHING);
    }
  });
});
