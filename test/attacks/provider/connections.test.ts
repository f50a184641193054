import { beforeAll, describe, expect, it } from "vitest";
import { authorizePath, codeFor, decide, exchange, loggedIn } from "../../directory/auth/auth-host.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { type Instance, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory({ instances: 2 });
const host = { ...directory, url: directory.auth };
const [here = directory, there = directory] = directory.instances;
type Client = { clientId: string; clientSecret: string };
interface Person {
  id: string;
  browser: HttpClient;
}
let ada: Person;
let bob: Person;

beforeAll(async () => {
  const person = async () => {
    const user = await directory.user();
    return { id: user.id, browser: await loggedIn(host, user) };
  };
  [ada, bob] = [await person(), await person()];
});

function at(instance: Instance, browser: HttpClient): HttpClient {
  const client = createHttpClient(instance.auth);
  for (const [name, value] of browser.cookies) client.cookies.set(name, value);
  return client;
}

/** Returns the user of a token at each instance, or the status. */
async function speaksFor(token = ""): Promise<unknown[]> {
  const calls = [here, there].map((on) => directory.call("/v2/users/self", { oauth_token: token }, { on }));
  return (await Promise.all(calls)).map(({ status, body }) => (status === 200 ? body.response.user.id : status));
}

const give = (application: Client, code: string, on = here) => exchange({ ...host, url: on.auth }, application, code);

/** Returns the user's token for the application, by log-in and exchange. */
async function tokenOf({ browser }: Person, application: Client): Promise<string> {
  return (await give(application, await codeFor(browser, application.clientId))).body.access_token ?? "";
}

async function disconnect({ browser }: Person, { clientId }: Client): Promise<void> {
  const answer = await browser.submit(await browser.get("/settings"), "/settings/disconnect", { client_id: clientId });
  expect(answer.status).toBe(303);
}

it("B31: sixteen concurrent authorizations of one user and application leave one working token", async () => {
  const application = await directory.application({ tokenFlow: true });
  const { clientId } = application;
  for (let round = 0; round < 2; round += 1) {
    const sixteen = Array.from({ length: 16 }, (_, index) => ({
      browser: at(index % 2 ? here : there, ada.browser),
      exchangedAt: index % 4 < 2 ? here : there,
      response_type: index % 8 < 4 ? "code" : "token",
    }));
    const asked = await Promise.all(
      sixteen.map(async ({ browser, response_type, exchangedAt }) => ({
        browser,
        exchangedAt,
        page: await browser.get(authorizePath(clientId, { response_type })),
      })),
    );
    const tokens = await Promise.all(
      asked.map(async ({ browser, page, exchangedAt }) => {
        const { hash, searchParams } = new URL((await decide(browser, page, "allow")).location);
        const code = searchParams.get("code");
        return code === null
          ? hash.replace("#access_token=", "")
          : (await give(application, code, exchangedAt)).body.access_token;
      }),
    );
    for (const token of new Set(tokens)) expect(await speaksFor(token)).toEqual([ada.id, ada.id]);
    const rows = await directory.deps.prisma.authorization.findMany({ where: { userId: ada.id, clientId } });
    expect(rows.map(({ tokenLookup }) => tokenLookup !== null)).toEqual([true]);
    await disconnect(ada, application);
  }
});

describe("B32: four connections of two users and two applications", () => {
  let pairs: { who: Person; application: Client }[];
  beforeAll(async () => {
    const applications = [await directory.application(), await directory.application()];
    pairs = [ada, bob].flatMap((who) => applications.map((application) => ({ who, application })));
  });

  const ends: [how: string, end: (pair: (typeof pairs)[number], token: string) => Promise<void>][] = [
    ["its user disconnects the application", async ({ who, application }) => disconnect(who, application)],
    [
      "the application gives it back",
      async (_pair, token) => {
        const { application } = _pair;
        const fields = { token, client_id: application.clientId, client_secret: application.clientSecret };
        const init = { method: "POST", body: new URLSearchParams(fields) };
        expect((await fetch(`${directory.auth}/oauth2/revoke`, init)).status).toBe(200);
      },
    ],
    [
      "a code for it comes twice",
      async ({ who, application }) => {
        const code = await codeFor(who.browser, application.clientId);
        expect([(await give(application, code)).status, (await give(application, code, there)).status]).toEqual([
          200, 400,
        ]);
      },
    ],
  ];

  it.each(ends)("B32: have four tokens, and when %s the other three keep working", async (_how, end) => {
    for (const pair of pairs) {
      const tokens = await Promise.all(pairs.map(({ who, application }) => tokenOf(who, application)));
      expect(new Set(tokens).size).toBe(4);
      const before: unknown[][] = pairs.map(({ who }) => [who.id, who.id]);
      expect(await Promise.all(tokens.map(speaksFor))).toEqual(before);
      const ended = pairs.indexOf(pair);
      await end(pair, tokens[ended] ?? "");
      expect(await Promise.all(tokens.map(speaksFor))).toEqual(before.with(ended, [401, 401]));
      expect(await tokenOf(pair.who, pair.application)).not.toBe(tokens[ended]);
    }
  });
});

it("B33: an application disconnected in the settings has no token, code or consent on any instance", async () => {
  const [application, other] = [await directory.application(), await directory.application()];
  const kept = [await tokenOf(ada, other), await tokenOf(bob, application)];
  const keptCode = await codeFor(bob.browser, application.clientId);
  for (const [asked, elsewhere] of [
    [here, there],
    [there, here],
  ] as const) {
    const browser = at(asked, ada.browser);
    const token = await tokenOf({ ...ada, browser }, application);
    const pending = await Promise.all([1, 2, 3].map(() => codeFor(browser, application.clientId)));
    // Each instance has seen the token, and could cache it.
    expect(await speaksFor(token)).toEqual([ada.id, ada.id]);
    await disconnect({ ...ada, browser }, application);
    expect(await speaksFor(token)).toEqual([401, 401]);
    expect((await give(application, pending[0] ?? "", elsewhere)).body.error).toBe("invalid_grant");
    for (const instance of [asked, elsewhere]) {
      const page = await at(instance, ada.browser).get(authorizePath(application.clientId));
      expect([page.status, page.body]).toEqual([200, expect.stringContaining("to use your account?")]);
    }
    // A new consent does not cover earlier pending requests.
    const fresh = await tokenOf(ada, application);
    for (const code of pending.slice(1))
      expect((await give(application, code, asked)).body.error).toBe("invalid_grant");
    expect(await Promise.all([token, fresh].map(speaksFor))).toEqual([
      [401, 401],
      [ada.id, ada.id],
    ]);
    await disconnect(ada, application);
  }
  expect(await Promise.all(kept.map(speaksFor))).toEqual([
    [ada.id, ada.id],
    [bob.id, bob.id],
  ]);
  expect((await give(application, keptCode)).body.access_token).toBe(kept[1]);
});
