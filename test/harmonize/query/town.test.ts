import { describe, expect, test } from "vitest";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";

const HEADER = ["name", "lat", "lng", "town"];
const COLUMNS = { name: 0, lat: 1, lng: 2, city: 3 };
const asked = (lat: string, lng: string) => toQuery(["Joe’s", lat, lng, "Providence"], HEADER, COLUMNS);

describe("a listing with a town", () => {
  test.each(["", "n/a", "unknown", "-"])("is searched for in its town if its position is “%s”", (none) =>
    expect(asked(none, none)).toMatchObject({ query: { near: "Providence" } }),
  );

  test.each([
    ["1.234,5", "-71.41", "lat"],
    ["41.82", "71 4l W", "lng"],
  ])("fails if a position was meant but cannot be read: %s, %s", (lat, lng, column) =>
    expect(asked(lat, lng)).toMatchObject({ problem: { code: "no_position", column } }),
  );
});
