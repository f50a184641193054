import { beforeEach, expect, it } from "vitest";
import { expectNoSecrets } from "../../support/canaries.ts";
import { answers, answersError, usual } from "../../support/fake-directory/behaviours.ts";
import type { Page } from "../../support/http-client.ts";
import { sessionOf } from "../../web/web-app.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes();
const { pool } = web.database;

beforeEach(() => web.directory.reset());

/** Returns everything a browser receives with an answer. */
const received = ({ status, headers, body }: Page) =>
  `${status}\n${[...headers].map((header) => header.join(": ")).join("\n")}\n\n${body}`;

/** Opens everything a well-behaved user opens, and every GET route. */
async function walk(browser: ReturnType<typeof web.newBrowser>, seen: Record<string, string>, who: string) {
  const search = await browser.get("/venues?query=coffee&ll=41.8,-71.4");
  const [venue = ""] = /\/venues\/[0-9a-f]{24}/.exec(search.body) ?? [];
  const registered = routes.filter((route) => /^GET [^*]*$/.test(route)).map((route) => route.slice(4));
  const paths = registered.filter((path) => !path.startsWith("/login")).map((path) => path.replace(/:\w+/g, "x"));
  for (const path of [...paths, venue, "/checkins?page=2", "/venues?ll=x", "/nothing", "/%zz", "/logout"])
    seen[`${who} ${path}`] = received(await browser.get(path));
  const form = await browser.get("/venues/new");
  const venueForm = { name: "Corner Coffee", ll: "41.8,-71.4", primaryCategoryId: "fa4e000000000000000000c1" };
  const candidates = await browser.submit(form, "/venues", venueForm);
  seen[`${who} candidates`] = received(candidates);
  seen[`${who} added`] = received(await browser.submit(candidates, "/venues"));
  seen[`${who} forged`] = received(await browser.post("/venues", venueForm));
  for (const behaviour of [echoes, answersError(500, "server_error"), answersError(401, "invalid_auth")]) {
    web.directory.behave("/v2/*", behaviour);
    for (const path of ["/", venue, "/checkins", "/venues?query=x&ll=1,2", "/settings"])
      seen[`${who} ${path} ${Object.keys(seen).length}`] = received(await browser.get(path));
  }
  web.directory.behave("/v2/*", usual);
}

/** Repeats the token in its error. */
const echoes: Parameters<typeof web.directory.behave>[1] = (call) => {
  const { oauth_token } = web.directory.requests.at(-1)?.params ?? {};
  answers(400, { meta: { code: 400, errorType: "other", errorDetail: `bad token ${oauth_token}` }, response: {} })(
    call,
  );
};

it("A21: no page shows a browser any token, code, client secret or verifier, for members or admins", async () => {
  const seen: Record<string, string> = {};
  for (const who of ["member", "admin"]) {
    web.directory.signIn(who);
    const browser = web.newBrowser();
    const start = await browser.get("/login?next=/settings");
    seen[`${who} log-in`] = received(start);
    const callback = (await fetch(start.location, { redirect: "manual" })).headers.get("location") ?? "";
    seen[`${who} callback`] = received(await browser.get(callback));
    seen[`${who} callback again`] = received(await browser.get(callback));
    seen[`${who} callback elsewhere`] = received(await web.newBrowser().get(callback));
    web.directory.behave("/oauth2/access_token", answersError(400, "invalid_grant"));
    seen[`${who} refused`] = received(await browser.get(await web.beginLogin(web.newBrowser())));
    web.directory.behave("/oauth2/access_token", usual);
    if (who === "admin") await pool.query("UPDATE app.account SET role = 'admin' WHERE first_name = 'admin'");
    await pool.query(
      "UPDATE app.session SET data = data || jsonb_build_object('verifiedAt', extract(epoch FROM now()) * 1000) WHERE account_id IS NOT NULL",
    );
    await walk(browser, seen, who);
    await browser.get(await web.beginLogin(browser)); // the directory refused the token, which ended the session
    seen[`${who} cookies`] = [...browser.cookies].join();
    expect(sessionOf(browser)).toBeDefined();
    seen[`${who} disconnected`] = received(
      await browser.submit(await browser.get("/settings"), "/settings/disconnect"),
    );
    seen[`${who} logged out`] = received(await browser.submit(await browser.get("/settings"), "/logout"));
  }
  const verifiers = web.directory.requests.flatMap(({ params }) => params.code_verifier ?? []);
  expect([Object.keys(seen).length > 70, verifiers.length > 3]).toEqual([true, true]);
  expectNoSecrets(seen, { "token, code or secret": web.directory.secrets, verifier: verifiers });
});

it("A26: calls of two concurrent users each carry their own user's token", async () => {
  web.directory.signIn("Una");
  const una = await web.logIn();
  web.directory.signIn("Dos");
  const dos = await web.logIn();
  const [tokenOfUna = "", tokenOfDos = ""] = new Set(
    web.directory.requests.filter(({ path }) => path === "/v2/users/self").map(({ params }) => params.oauth_token),
  );
  expect(tokenOfDos).not.toBe("");
  const people = [
    { name: "Una", browser: una, token: tokenOfUna },
    { name: "Dos", browser: dos, token: tokenOfDos },
  ];
  const forms = await Promise.all(people.map(({ browser }) => browser.get("/venues/new")));
  web.directory.reset();
  const calls = Array.from({ length: 6 }, (_, turn) =>
    people.flatMap(({ name, browser }, index) => [
      browser.get(`/venues?query=${name}-search-${turn}&ll=41.8,-71.4`),
      browser.submit(forms[index] as Page, "/venues", {
        // Unique, so that all are added at once.
        ...{ name: `${name}-add-${turn}`, ll: "41.8,-71.4", primaryCategoryId: "c" },
      }),
    ]),
  );
  const pages = await Promise.all(calls.flat());
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 303]));
  for (const { name, token } of people) {
    const own = web.directory.requests.filter(({ params }) => `${params.query ?? params.name}`.startsWith(name));
    const adds = own.filter(({ path }) => path === "/v2/venues/add");
    // One explicit search, and one before each add.
    expect([name, own.length, adds.length]).toEqual([name, 18, 6]);
    expect([name, new Set(own.map(({ params }) => params.oauth_token))]).toEqual([name, new Set([token])]);
  }
});
