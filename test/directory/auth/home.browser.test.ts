import { afterAll, expect, it } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { authHost } from "./auth-host.ts";

const host = await authHost({
  operator: { names: ["anna"], contact: "venues@example.org", newApplications: "enabled", ownClient: undefined },
});
const browser = await launchBrowser();
afterAll(() => browser.close());

const addCountry = (nameNorm: string, name: string, venues: number) =>
  host.deps.prisma.place.create({
    data: {
      ...{ kind: "country", nameNorm, state: "", cc: nameNorm.toUpperCase(), name, venues, lat: 0, lng: 0 },
      ...{ south: -1, west: -1, north: 1, east: 1 },
    },
  });

it("the directory's home says how many venues it has and whom to ask, as soon as they are counted", async () => {
  const home = async () => (await host.browser().get("/")).body;
  expect(await home()).not.toContain(" venues · ");
  await addCountry("us", "United States", 12_345);
  expect(await home()).toContain("12,345 venues · United States");
  await addCountry("de", "Germany", 655);
  const body = await home();
  expect(body).toContain("13,000 venues · 2 countries");
  expect(body).toContain('<a href="mailto:venues@example.org">venues@example.org</a>');
  const page = await openPage(browser);
  await page.goto(host.url);
  await expectPresentable(page, "directory-home");
});

it("the directory's home is shown even while the database cannot count", async () => {
  await host.deps.pool.query("ALTER TABLE directory.place RENAME TO places_away");
  await host.deps.pool.query(
    "CREATE VIEW directory.place AS SELECT pg_sleep(60)::text AS kind, ''::text AS name, 0 AS venues",
  );
  const { status, body } = await host.browser().get("/");
  expect([status, body]).toEqual([200, expect.stringContaining("The venue directory")]);
});
