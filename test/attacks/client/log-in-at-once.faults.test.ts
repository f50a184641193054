import { beforeEach, expect, test } from "vitest";
import { answers, answersError, answersToken, type Behaviour, usual } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const { newBrowser, beginLogin } = web;

beforeEach(() => web.directory.reset());

/** Sends sixteen browsers to the callback at once, and returns those that are logged in. */
async function sixteenAtOnce() {
  const browsers = Array.from({ length: 16 }, newBrowser);
  const callbacks = await Promise.all(browsers.map((browser) => beginLogin(browser)));
  const replies = await Promise.all(browsers.map((browser, index) => browser.get(callbacks[index] ?? "")));
  return browsers.filter((_, index) => replies[index]?.status === 303);
}

// Delays responses until all sixteen have asked, so that log-ins proceed in step.
function inStep(behaviour: Behaviour = usual): Behaviour {
  const waiting: Parameters<Behaviour>[0][] = [];
  return (call) => {
    if (waiting.push(call) === 16) for (const each of waiting.splice(0)) behaviour(each);
  };
}

const IDENTITIES: [how: string, self: Behaviour][] = [
  ["by name", usual],
  ["by their token alone", answersError(404, "endpoint_error")],
];
test.each(IDENTITIES)(
  "A30: where the directory identifies people %s, sixteen concurrent log-ins of a new person create one account",
  async (how, self) => {
    for (let round = 0; round < 2; round += 1) {
      web.directory.signIn(`${how} ${round}`);
      web.directory.behave("/v2/users/self", inStep(self));
      const before = await web.rows();
      const browsers = await sixteenAtOnce();
      expect(browsers.length).toBe(16);
      expect(await web.rows()).toEqual({ accounts: before.accounts + 1, connections: before.connections + 1 });
      for (const browser of browsers) expect((await browser.get("/settings")).body).toContain("Connected</span>");
    }
  },
);

test("A30: where each exchange ends the token before it, the account keeps the token that still works", async () => {
  for (let round = 0; round < 3; round += 1) {
    const changing = changingTokens(`person-${round}`, () => Math.random() * 40);
    web.directory.behave("/oauth2/access_token", changing.exchange);
    web.directory.behave("/v2/*", changing.api);
    const [browser] = await sixteenAtOnce(); // not all: a token may be dead before anybody asks whose it is
    changing.calls.length = 0;
    expect((await browser?.get("/checkins"))?.body).toContain("No check-ins yet");
    expect(changing.calls, "the token it uses").toEqual([changing.live()]);
  }
});

test("A30: a late answer to an earlier exchange does not replace the newer token", async () => {
  const delays = [400, 0];
  const changing = changingTokens("late", () => delays.shift() ?? 0);
  web.directory.behave("/oauth2/access_token", changing.exchange);
  web.directory.behave("/v2/*", changing.api);
  const [early, late] = [newBrowser(), newBrowser()];
  const callbacks = [await beginLogin(early), await beginLogin(late)];
  const first = early.get(callbacks[0] ?? "");
  await expect.poll(() => changing.calls.length).toBe(1); // its token is out and has been seen to work
  expect((await late.get(callbacks[1] ?? "")).status).toBe(303);
  expect((await first).status).toBe(303);
  expect((await late.get("/checkins")).body).toContain("No check-ins yet");
  expect(changing.calls.at(-1)).toBe(changing.live());
});

/** A directory where only a user's newest token works. `delay` returns milliseconds before a response of the API. */
function changingTokens(id: string, delay: () => number) {
  let issued = 0;
  const live = () => `${id}-token-${issued}`;
  const calls: (string | null)[] = [];
  const exchange: Behaviour = (call) => {
    issued += 1;
    answersToken(live())(call);
  };
  const api: Behaviour = (call) => {
    const token = new URL(call.response.req.url ?? "", "http://fake").searchParams.get("oauth_token");
    calls.push(token);
    const answer =
      token === live()
        ? answers(200, { meta: { code: 200 }, response: { user: { id }, checkins: { count: 0, items: [] } } })
        : answersError(401, "invalid_auth");
    setTimeout(() => answer(call), delay());
  };
  return { live, calls, exchange, api };
}
