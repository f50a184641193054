import { BLUE_STATE, COFFEE_SHOP, FOOD } from "../../contract/sample-ids.ts";
import { manifest10 } from "../reconcile/manifest.ts";
import type { Json } from "./schemas.ts";

const named = {
  id: BLUE_STATE,
  name: "Blue State Coffee",
  description: "300 Thayer St, Providence, RI 02906, United States",
};
const types = [{ id: COFFEE_SHOP, name: "Coffee Shop" }];
const candidate = {
  ...named,
  score: 80.2,
  match: false,
  type: [{ id: "venue", name: "Venue" }, ...types, { id: FOOD, name: "Food" }],
};
const extended = { id: BLUE_STATE, properties: [{ id: "zip", values: [{ str: "02906" }] }] };

export function reconcileExamples(apiUrl: string) {
  const manifest = manifest10(apiUrl);
  return {
    Manifest10: { ...manifest, defaultTypes: manifest.defaultTypes.slice(0, 2) },
    Results02: { q0: { result: [{ ...candidate, features: [{ id: "name", value: 4.72 }] }] } },
    Results10: {
      results: [{ candidates: [{ ...candidate, features: [{ id: "name", name: "Name", value: 4.72 }] }] }],
    },
    Extended10: { meta: [{ id: "zip", name: "Postal code" }], rows: [extended] },
    SuggestedEntity: { result: [{ ...named, notable: types }] },
    SuggestedProperty: { result: [{ id: "zip", name: "Postal code", description: "For matching and fetching" }] },
    SuggestedType: {
      result: [{ id: COFFEE_SHOP, name: "Coffee Shop", description: "Food", broader: [{ id: FOOD, name: "Food" }] }],
    },
    Proposed: { properties: [{ id: "zip", name: "Postal code" }], type: "" },
  } satisfies Record<string, Json>;
}

export const MATCH_BODY = {
  queries: [{ conditions: [{ matchType: "name", propertyValue: "Blue State Coffee" }], limit: 1 }],
};
