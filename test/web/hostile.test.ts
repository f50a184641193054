import { beforeEach, expect, test } from "vitest";
import { answers } from "../support/behaviours.ts";
import { expectNoSecrets } from "../support/canaries.ts";
import { sessionOf, startWeb } from "./web-app.ts";

const web = await startWeb();

beforeEach(() => web.directory.reset());

test("what a hostile directory says stays text (W03)", async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const venue = {
    id: `../${evil}`,
    name: evil,
    url: "javascript:alert(3)",
    description: evil,
    location: { address: evil, lat: 41.8, lng: -71.4, formattedAddress: [evil] },
    categories: [{ id: "c", name: evil, icon: { prefix: "javascript:", suffix: "" }, primary: true }],
    evidence: [{ comparison: "name", weight: 1, text: evil }],
  };
  const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
  const browser = await web.logIn();
  web.directory.behave("/v2/venues/search", ok({ venues: [venue] }));
  web.directory.behave("/v2/venues/abc", ok({ venue }));
  web.directory.behave("/v2/venues/categories", ok({ categories: [{ ...venue.categories[0], categories: [] }] }));
  web.directory.behave("/v2/venues/add", answers(400, { meta: { code: 400, errorDetail: evil }, response: {} }));
  const items = [{ id: "1", createdAt: 1_790_000_000, shout: evil, venue }];
  web.directory.behave("/v2/users/self/checkins", ok({ checkins: { count: 1, items } }));
  const form = await browser.get("/venues/new");
  const typed = { name: evil, ll: "41.8,-71.4", primaryCategoryId: "c" };
  const candidates = await browser.submit(form, "/venues", typed);
  const pages = [
    await browser.get(`/venues?query=${encodeURIComponent(evil)}&ll=41.8,-71.4`),
    await browser.get("/venues/abc"),
    await browser.get("/checkins"),
    form,
    candidates,
    await browser.submit(candidates, "/venues"),
    await browser.get(`/${encodeURIComponent(evil)}`),
  ];
  for (const page of pages) {
    expect(page.body).not.toMatch(/<script(?! type="module" src="\/assets\/\w+\/app\.js")/);
    expect(page.body.replace(/="[^"]*"/g, "")).not.toMatch(/<img|<[^>]*\son\w+=/);
    expect(page.body).not.toMatch(/(href|src|action)="\s*javascript:/i);
  }
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 404]);
});

test("tokens, codes, secrets and verifiers reach neither pages nor headers nor cookies nor logs nor rows (A21, S01)", async () => {
  const browser = await web.logIn();
  const seen: Record<string, string> = {};
  for (const path of ["/", "/venues?query=coffee&ll=41.8,-71.4", "/venues/new", "/checkins", "/settings", "/nothing"]) {
    const page = await browser.get(path);
    seen[path] = `${page.body}\n${JSON.stringify([...page.headers])}`;
  }
  web.directory.behave("/v2/*", (call) => {
    const { oauth_token } = web.directory.requests.at(-1)?.params ?? {};
    answers(400, { meta: { code: 400, errorDetail: `bad token ${oauth_token}` }, response: {} })(call);
  });
  seen.echo = (await browser.get("/venues?query=coffee&ll=41.8,-71.4")).body;
  seen.cookies = [...browser.cookies].join();
  const tables = ["account", "connection", "login_attempt", "session", "client_credential"];
  for (const table of tables) {
    const { rows } = await web.database.pool.query(`SELECT to_jsonb(t)::text AS row FROM app.${table} t`);
    seen[`table ${table}`] = rows.map(({ row }) => row).join("\n");
  }
  seen.logs = web.logs.text();
  const exchanged = web.directory.requests.flatMap(({ params }) => params.code_verifier ?? []);
  expectNoSecrets(seen, { "of the directory": web.directory.secrets });
  expectNoSecrets(
    { tables: tables.map((table) => seen[`table ${table}`]).join("\n"), logs: seen.logs },
    {
      "session cookie": [(sessionOf(browser) ?? "").split(".")[0] ?? ""],
      ...(exchanged.length ? { verifier: exchanged } : {}),
    },
  );
});
