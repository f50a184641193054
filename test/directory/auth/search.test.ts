import { afterAll, expect, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { authHost } from "./auth-host.ts";
import { addVenue } from "./operator/host.ts";

const host = await authHost({ languages: ["en", "es"] });
const closed = await authHost({ publicSearch: false });
const browser = await launchBrowser();
afterAll(() => browser.close());

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
const searched = (parameters: Record<string, string>) =>
  host.browser().get(`/search?${new URLSearchParams({ ...parameters })}`);

test("a guest finds a venue by its name near a place, with address, distance and a link to its page", async () => {
  const id = await addVenue(host, "Lantern <b>Café");
  const { status, body } = await searched({ query: "lantern", near: "41.8, -71.41" });
  expect(status).toBe(200);
  expect(body).toContain(`<a href="http://localhost:3002/venues/${id}"><bdi>Lantern &lt;b&gt;Café</bdi></a>`);
  expect(body).toContain("1 Main St");
  expect(body).toMatch(/830 m/);
  expect((await searched({ query: "lantern" })).body).toContain(id);
  expect((await searched({ near: "41.8,-71.41" })).body).toContain(id);
});

test("a search without results, for an unknown place or with too long a word says what to do and keeps what was typed", async () => {
  expect((await searched({ query: "zzzyx", near: "41.8,-71.4" })).body).toContain("No venue found");
  const unknown = await searched({ query: "cafe", near: "Nowhereville" });
  expect([unknown.status, unknown.body]).toEqual([400, expect.stringContaining("does not know this place")]);
  expect(unknown.body).toContain('value="Nowhereville"');
  const long = await searched({ query: "x".repeat(201) });
  expect([long.status, long.body]).toEqual([400, expect.stringContaining("use at most 200 characters")]);
});

test("C66: hostile words and places are inert", async () => {
  for (const text of ['"><script>alert(1)</script>', "%", "' OR 1=1 --", "{{7*7}}", "\u0000", "91,0", "٤١,٧١"])
    for (const name of ["query", "near"]) {
      const { status, body } = await searched({ [name]: text });
      expect([200, 400]).toContain(status);
      expect(body).not.toContain("<script>alert");
    }
  for (const query of ["query=a&query=b", "query[]=a", "query[a]=b", "__proto__=a"])
    expect((await host.browser().get(`/search?${query}`)).status).toBe(200);
});

test("the search is presentable in Chrome, from the directory's home, with and without results", async () => {
  await addVenue(host, `${LONG} Café`);
  const page = await openPage(browser);
  await page.goto(host.url);
  await page.getByRole("searchbox").fill(LONG.toLowerCase());
  await page.getByLabel("Near").fill("41.8,-71.4");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: LONG }).waitFor();
  await expectPresentable(page, "directory-search");
  await page.goto(`${host.url}/search?query=zzzyx`);
  await expectPresentable(page, "directory-search-empty");
});

test("C66: a network gets 100 searches in a window, those at once included, and the form alone always is", async () => {
  const from = (address: string, path = "/search?query=lantern") =>
    fetch(host.url + path, { headers: { "x-forwarded-for": address, "x-forwarded-proto": "https" } }).then(
      async (answer) => ({
        status: answer.status,
        wait: answer.headers.get("retry-after"),
        body: await answer.text(),
      }),
    );
  expect((await from("203.0.113.7")).status).toBe(200);
  const { rowCount } = await host.deps.pool.query(
    "UPDATE directory.rate_count SET count = 99 WHERE subject LIKE 'public search %' AND count = 1",
  );
  expect(rowCount).toBe(1);
  const answers = await Promise.all([from("203.0.113.7"), from("203.0.113.7"), from("203.0.113.7")]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status !== 200)).toEqual(
    Array(2).fill({
      status: 429,
      wait: expect.stringMatching(/^\d+$/),
      body: expect.stringContaining("Too many searches"),
    }),
  );
  expect((await from("203.0.113.8")).status).toBe(200);
  expect((await from("203.0.113.7", "/search")).status).toBe(200);
});

test("C66: a directory with the public search switched off has no such page and no box for it", async () => {
  expect((await closed.browser().get("/search?query=a")).status).toBe(404);
  expect((await closed.browser().get("/")).body).not.toContain('action="/search"');
});
