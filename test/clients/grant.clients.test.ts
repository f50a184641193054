import "./installed.ts";
import grant from "grant";
import { describe, expect, it } from "vitest";
import { createHttpClient } from "../support/http-client.ts";
import { directoryForClients, PERSON, SCEPTIC, startSite } from "./client-site.ts";
import { logInAndDecide } from "./person.ts";

const CALLBACK = "/connect/foursquare/callback";
const { authUrl, apiUrl, client } = await directoryForClients(`http://localhost${CALLBACK}`);

interface Outcome {
  access_token?: string;
  raw?: object;
  profile?: unknown;
  error?: unknown;
}

const site = await siteWith({ secret: client.clientSecret, profile_url: `${apiUrl}/v2/users/self?v=20200101` });
/** With grant's default, which requests the profile without `v`. */
const bareSite = await siteWith({ secret: client.clientSecret, profile_url: `${apiUrl}/v2/users/self` });
const brokenSite = await siteWith({ secret: "wrong", profile_url: `${apiUrl}/v2/users/self?v=20200101` });

async function siteWith(settings: { secret: string; profile_url: string }) {
  const started = await startSite(async (request, response) => {
    handler ??= grant({
      handler: "node",
      config: {
        defaults: { origin: started.url(), transport: "state", state: true, response: ["tokens", "raw", "profile"] },
        foursquare: {
          key: client.clientId,
          authorize_url: `${authUrl}/oauth2/authenticate`,
          access_url: `${authUrl}/oauth2/access_token`,
          ...settings,
        },
      },
      session: { secret: "of the test's own" },
    });
    const { response: outcome, redirect } = await handler(request, response);
    if (!redirect) response.end(JSON.stringify(outcome));
  });
  let handler: ReturnType<typeof grant>;
  return started;
}

/** Logs in from the site's link to its callback, which `tamper` may change. SCEPTIC denies. */
async function logIn(
  { url }: typeof site,
  person: typeof SCEPTIC = PERSON,
  tamper = (callback: string) => callback,
): Promise<Outcome> {
  const browser = createHttpClient(url());
  const { location } = await browser.get("/connect/foursquare");
  const callback = tamper(await logInAndDecide(location, person, person === SCEPTIC ? "deny" : "allow"));
  return JSON.parse((await browser.get(callback)).body);
}

describe("grant 5.4.24", () => {
  it("reports a denied consent", async () => {
    const outcome = await logIn(site, SCEPTIC);
    expect(outcome).toMatchObject({ error: "access_denied" });
    expect(outcome.access_token).toBeUndefined();
  });

  it("logs in by POST and reads the profile", async () => {
    const outcome = await logIn(site);
    expect(outcome).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]{40,}$/),
      raw: { access_token: outcome.access_token, token_type: "bearer" },
      profile: { meta: { code: 200 }, response: { user: { firstName: "Ada", contact: { email: PERSON.email } } } },
    });
  });

  it("rejects a callback with a changed state", async () => {
    const tamper = (callback: string) => callback.replace(/state=[^&]+/, "state=forged");
    const outcome = await logIn(site, PERSON, tamper);
    expect(outcome).toMatchObject({ error: "Grant: OAuth2 state mismatch" });
    expect(outcome.access_token).toBeUndefined();
  });

  it("reports a wrong secret, a wrong code, and a profile request without v", async () => {
    expect(await logIn(brokenSite)).toMatchObject({ error: { error: "invalid_client" } });
    const tamper = (callback: string) => callback.replace(/code=[^&]+/, "code=wrong");
    expect(await logIn(site, PERSON, tamper)).toMatchObject({ error: { error: "invalid_grant" } });
    expect(await logIn(bareSite)).toMatchObject({
      access_token: expect.stringMatching(/\w/),
      profile: { error: { meta: { code: 410, errorType: "param_error" } } },
    });
  });
});
