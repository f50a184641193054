import { describe, expect, test } from "vitest";
import { withoutPosition, withPosition } from "../../../src/harmonize/query/shared.ts";

const IN_FILE = { lat: 45, lng: 68.5 };
const ll = { lat: 45, lng: -68.5 };

describe.each([
  ["read as the file has it", { name: "Quillon & Marsh", ll }, ll],
  ["repaired", { name: "Quillon & Marsh", ll, repaired: { by: "lng sign", was: IN_FILE } }, IN_FILE],
])("F80: a position %s that is left out", (_how, query, was) => {
  test.each([
    ["with a town", { city: "Ashbyton" }, { near: "Ashbyton" }],
    ["without one", {}, { ll }],
  ])("keeps what the file says, and is searched at as it was read, %s", (_town, given, place) => {
    const without = withoutPosition(query, given);
    expect(without).toEqual({ name: query.name, ...place, repaired: expect.objectContaining({ by: "shared", was }) });
    expect(withPosition(without)).toEqual({ name: query.name, ll, repaired: without.repaired });
  });
});
