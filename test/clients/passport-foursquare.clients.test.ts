import "./installed.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Passport } from "passport";
import { type Options, Strategy } from "passport-foursquare";
import { describe, expect, it } from "vitest";
import { randomToken } from "../../src/shared/crypto.ts";
import { createHttpClient } from "../support/http-client.ts";
import { directoryForClients, PERSON, SCEPTIC, startSite } from "./client-site.ts";
import { logInAndDecide } from "./person.ts";

const { authUrl, apiUrl, client } = await directoryForClients("http://localhost/callback");

interface Outcome {
  error?: { name: string; message: string; code?: string | number; type?: string };
  user?: { token: string; profile: Record<string, unknown> } | false;
  info?: { message?: string };
}

const sessions = new Map<string, object>();
const site = await startSite((request, response) => {
  const address = new URL(request.url ?? "", site.url());
  openSession(request, response);
  Object.assign(request, { query: Object.fromEntries(address.searchParams) });
  const isBroken = address.searchParams.has("wrong-secret");
  const answer = (error: unknown, user?: unknown, info?: unknown) => {
    const { name, message, code, type } = (error ?? {}) as NonNullable<Outcome["error"]>;
    response.end(JSON.stringify({ ...(error ? { error: { name, message, code, type } } : {}), user, info }));
  };
  passport(isBroken).authenticate("foursquare", { session: false }, answer)(request, response, answer);
});

/** passport keeps the state in `request.session`, which the application must provide. */
function openSession(request: IncomingMessage, response: ServerResponse): void {
  const id = /\bsid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? randomToken();
  const session = sessions.get(id) ?? {};
  sessions.set(id, session);
  response.setHeader("set-cookie", `sid=${id}; Path=/`);
  Object.assign(request, { session });
}

const options = (): Options => ({
  clientID: client.clientId,
  clientSecret: client.clientSecret,
  callbackURL: `${site.url()}/callback`,
  authorizationURL: `${authUrl}/oauth2/authenticate`,
  tokenURL: `${authUrl}/oauth2/access_token`,
  userProfileURL: `${apiUrl}/v2/users/self`,
  state: true,
});

const strategy = (more: Partial<Options> = {}) =>
  new Strategy({ ...options(), ...more }, (token, _refresh, profile, done) => done(null, { token, profile }));

function passport(isBroken: boolean): Passport {
  const instance = new Passport();
  instance.use(strategy(isBroken ? { clientSecret: "wrong" } : {}));
  return instance;
}

/** Logs in from the site's link to its callback, which `tamper` may change. SCEPTIC denies. */
async function logIn(person: typeof SCEPTIC = PERSON, tamper = (callback: string) => callback): Promise<Outcome> {
  const browser = createHttpClient(site.url());
  const { location } = await browser.get("/login");
  const callback = tamper(await logInAndDecide(location, person, person === SCEPTIC ? "deny" : "allow"));
  return JSON.parse((await browser.get(callback)).body);
}

describe("passport-foursquare 1.0.0 with passport 0.7.0", () => {
  it("reports a denied consent", async () => {
    const { error, user, info } = await logIn(SCEPTIC);
    expect([error, user]).toEqual([undefined, false]);
    expect(info?.message).toMatch(/\w/);
  });

  it("logs in by POST with its stored state, and reads the profile", async () => {
    const { error, user } = await logIn();
    expect(error).toBeUndefined();
    expect(user).toMatchObject({
      token: expect.stringMatching(/^[\w-]{40,}$/),
      profile: {
        provider: "foursquare",
        id: expect.stringMatching(/\w/),
        name: { givenName: "Ada", familyName: "Lovelace" },
        gender: "none",
        emails: [{ value: PERSON.email }],
      },
    });
  });

  it("rejects a callback with a changed state", async () => {
    const { user, info } = await logIn(PERSON, (callback) => callback.replace(/state=[^&]+/, "state=forged"));
    expect(user).toBe(false);
    expect(info?.message).toMatch(/state/);
  });

  it("reports a wrong secret, a wrong code and a wrong token", async () => {
    const wrongSecret = await logIn(PERSON, (address) => `${address}&wrong-secret`);
    expect(wrongSecret.error).toMatchObject({ name: "TokenError", code: "invalid_client" });
    const wrongCode = await logIn(PERSON, (address) => address.replace(/code=[^&]+/, "code=wrong"));
    expect(wrongCode.error).toMatchObject({ name: "TokenError", code: "invalid_grant" });
    const error = await new Promise((resolve) => strategy().userProfile("wrong", resolve));
    expect(error).toMatchObject({ name: "APIError", type: "invalid_auth", code: 401 });
  });
});
