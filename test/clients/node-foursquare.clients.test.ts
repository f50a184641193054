import "./installed.ts";
import nodeFoursquare from "node-foursquare";
import { describe, expect, it } from "vitest";
import { directoryForClients, PERSON, SCEPTIC } from "./client-site.ts";
import { logInAndDecide } from "./person.ts";

const CALLBACK = "http://localhost:7000/callback";
const PROVIDENCE = { lat: "41.8240", long: "-71.4128" };
const { authUrl, apiUrl, client } = await directoryForClients(CALLBACK);

/** As in its README, but silent. */
const connect = (secret = client.clientSecret) =>
  nodeFoursquare({
    secrets: { clientId: client.clientId, clientSecret: secret, redirectUrl: CALLBACK },
    foursquare: {
      authenticateUrl: `${authUrl}/oauth2/authenticate`,
      accessTokenUrl: `${authUrl}/oauth2/access_token`,
      apiUrl: `${apiUrl}/v2`,
      warnings: "ERROR", // treats any errorType in a 200 as an error
    },
    winston: { all: { level: "silent" } },
  });
const foursquare = connect();

/** Calls one of its functions, whose last argument is a callback. */
const call = <T>(start: (callback: (error: unknown, result?: unknown) => void) => unknown) =>
  new Promise<T>((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result as T))));

/** Returns the parameters at the callback. */
async function answerAtCallback(
  person: typeof SCEPTIC = PERSON,
  decision: "allow" | "deny" = "allow",
): Promise<URLSearchParams> {
  const callback = await logInAndDecide(foursquare.getAuthClientRedirectUrl(), person, decision);
  expect(callback.startsWith(`${CALLBACK}?`)).toBe(true);
  return new URL(callback).searchParams;
}

const freshCode = async () => (await answerAtCallback()).get("code") ?? "";

async function freshToken(): Promise<string> {
  const code = await freshCode();
  return call<string>((done) => foursquare.getAccessToken({ code }, done));
}

interface Venues {
  venues: { id: string; name: string; location: { lat: number; lng: number; distance?: number } }[];
}

describe("node-foursquare 0.4.6", () => {
  it("finds venues, one venue, a listing's venue, and categories without a token", async () => {
    const { venues } = await call<Venues>((done) =>
      foursquare.Venues.searchLocation(PROVIDENCE, { query: "coffee", limit: 5 }, null, done),
    );
    expect(venues).toHaveLength(5);
    expect(venues[0]?.location.distance).toEqual(expect.any(Number));
    const { venue } = await call<{ venue: Venues["venues"][number] }>((done) =>
      foursquare.Venues.getDetails(venues[0]?.id ?? "", {}, null, done),
    );
    expect(venue.name).toBe(venues[0]?.name);
    const there = { lat: venue.location.lat, long: venue.location.lng };
    const matched = await call<Venues>((done) => foursquare.Venues.match(there, venue.name, {}, null, done));
    expect(matched.venues[0]?.id).toBe(venues[0]?.id);
    const { categories } = await call<{ categories: object[] }>((done) =>
      foursquare.Venues.getCategories({}, null, done),
    );
    expect(categories.length).toBeGreaterThan(5);
  });

  it("logs in, checks in by POST, and reads the check-ins and the user", async () => {
    const accessToken = await freshToken();
    const { venues } = await call<Venues>((done) =>
      foursquare.Venues.searchLocation(PROVIDENCE, { query: "coffee" }, accessToken, done),
    );
    const { checkin } = await call<{ checkin: { id: string } }>((done) =>
      foursquare.Checkins.add(
        venues[0]?.id ?? "",
        { shout: "Fish & chips + tea", location: PROVIDENCE },
        accessToken,
        done,
      ),
    );
    const { checkins } = await call<{ checkins: { count: number; items: object[] } }>((done) =>
      foursquare.Users.getSelfCheckins({ limit: 10, sort: "newestfirst" }, accessToken, done),
    );
    expect(checkins.count).toBe(1);
    expect(checkins.items).toMatchObject([
      { id: checkin.id, shout: "Fish & chips + tea", venue: { id: venues[0]?.id, name: venues[0]?.name } },
    ]);
    const { user } = await call<{ user: object }>((done) => foursquare.Users.getSelfDetails(accessToken, done));
    expect(user).toMatchObject({ firstName: "Ada", lastName: "Lovelace", contact: { email: PERSON.email } });
  });

  it("gets the same token at the second log-in, and none from a used code", async () => {
    const code = await freshCode();
    const first = await call<string>((done) => foursquare.getAccessToken({ code }, done));
    expect(await freshToken()).toBe(first);
    await expect(call((done) => foursquare.getAccessToken({ code }, done))).rejects.toThrow("invalid_grant");
  });

  it("reports a denied consent, a wrong secret, a wrong token and a missing parameter", async () => {
    const denied = await answerAtCallback(SCEPTIC, "deny");
    expect([denied.get("error"), denied.get("code")]).toEqual(["access_denied", null]);
    const code = await freshCode();
    await expect(call((done) => connect("wrong").getAccessToken({ code }, done))).rejects.toThrow("invalid_client");
    await expect(call((done) => foursquare.Users.getSelfDetails("wrong", done))).rejects.toMatchObject({
      status: 401,
      error: new Error("401: The oauth_token is invalid or was revoked."),
    });
    await expect(
      call((done) => foursquare.Venues.searchLocation({ lat: "91", long: "1" }, {}, null, done)),
    ).rejects.toMatchObject({ status: 400, error: { message: expect.stringMatching(/^400: ll is out of range/) } });
  });
});
