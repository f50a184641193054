import { describe, expect, test } from "vitest";
import { type Category, categoriesResponse } from "../../../src/contract/resources.ts";
import { API_URL, apiHost, categoryId, venueOf } from "./host.ts";

const host = await apiHost();

describe("venues/categories", () => {
  test("returns the tree with ids, names and icons, and empty lists at its leaves", async () => {
    const answer = await host.userless("/v2/venues/categories");
    const { categories } = categoriesResponse.parse(answer.body.response);
    const all = categories.flatMap(function below(each: Category): Category[] {
      return [each, ...(each.categories ?? []).flatMap(below)];
    });
    expect(categories.length).toBeGreaterThan(5);
    expect(all.length).toBeGreaterThan(150);
    for (const each of all) {
      expect(each).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), pluralName: expect.any(String) });
      expect(each.categories).toBeInstanceOf(Array);
    }
  });

  test("has icons at prefix, size and suffix", async () => {
    const { categories } = categoriesResponse.parse((await host.userless("/v2/venues/categories")).body.response);
    for (const { icon } of categories)
      for (const size of [32, 44, 64, 88]) {
        expect(icon?.prefix.startsWith(`${API_URL}/icons/`)).toBe(true);
        const { pathname } = new URL(`${icon?.prefix}${size}${icon?.suffix}`);
        expect((await host.send("GET", pathname)).status).toBe(200);
      }
  });

  test("accepts a user's token too", async () => {
    expect((await host.asUser("/v2/venues/categories")).status).toBe(200);
  });
});

describe("venues/{id}", () => {
  test("returns the complete venue, to a userless call too", async () => {
    const fields = { name: "Spot", ll: "41,-71", primaryCategoryId: categoryId("Bar"), description: "Nice" };
    const { id } = venueOf(await host.asUser("/v2/venues/add", fields));
    const venue = venueOf(await host.userless(`/v2/venues/${id}`));
    expect(venue).toMatchObject({
      id,
      description: "Nice",
      createdAt: expect.any(Number),
      likes: { count: 0, groups: [] },
      tips: { count: 0, groups: [] },
      photos: { count: 0, groups: [] },
    });
    expect(venue.location).not.toHaveProperty("distance");
  });

  test.each([
    "1",
    "0123456789abcdef01234567",
    "0123456789ABCDEF01234567",
    "search2",
    "%00",
    "..%2fsearch",
    "x".repeat(200),
  ])("rejects the id %s", async (id) => {
    const answer = await host.userless(`/v2/venues/${id}`);
    expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });
});
