import { beforeAll, expect } from "vitest";
import type { z } from "zod";
import { resultBatch10 } from "../../../src/contract/reconcile.ts";
import { refreshPlaces } from "../../../src/directory/places/refresh.ts";
import { type Answer, type ApiHost, apiHost, categoryId, venueOf } from "../api/host.ts";

export const V02 = "/reconcile/0.2";
export const V10 = "/reconcile/1.0";

/** A candidate in both versions. */
export interface Candidate {
  id: string;
  name: string;
  description: string;
  score: number;
  match: boolean;
  type: { id: string; name: string }[];
  features: { id: string; name?: string; value: number | boolean }[];
}

export interface ReconcileHost extends ApiHost {
  /** Ids of the venues. */
  ids: Record<keyof typeof VENUES, string>;
  /** Sends a batch of 0.2 by POST. */
  ask02(queries: Record<string, unknown>): Promise<Answer>;
  /** Returns the candidates of one query of 0.2. */
  candidates(query: Record<string, unknown>): Promise<Candidate[]>;
  /** Sends JSON to a path below the root of 1.0. */
  post10(path: string, body: unknown): Promise<Answer>;
  /** Returns the results of queries of 1.0, in order. */
  match10(...queries: unknown[]): Promise<z.output<typeof resultBatch10>["results"]>;
}

/** A tea house, a chain of three, and a hotel, far from one another and from the sample. */
const VENUES = {
  tea: {
    name: "Quiet Lantern Tea House",
    ll: "60.1,24.9",
    category: "Coffee Shop",
    address: "12 Harbor Street",
    city: "Northwick",
    zip: "00150",
    phone: "+358 9 555 0142",
    url: "https://tea.example/",
  },
  chainOne: {
    name: "Zebra Burger",
    ll: "60.2,24.9",
    category: "Burger Place",
    city: "Northwick",
    address: "1 Mill Road",
  },
  chainTwo: {
    name: "Zebra Burger",
    ll: "60.3,24.9",
    category: "Burger Place",
    city: "Northwick",
    address: "9 Oak Road",
  },
  chainThree: {
    name: "Zebra Burger",
    ll: "60.4,24.9",
    category: "Burger Place",
    city: "Southwick",
    phone: "+358 4 555 0162 / 0163",
  },
  hotel: { name: "Grand Juniper Hotel", ll: "60.5,24.9", category: "Hotel", phone: "+358 9 555 0199" },
};

export async function reconcileHost(): Promise<ReconcileHost> {
  const host = (await apiHost()) as ReconcileHost;
  beforeAll(async () => {
    const added = Object.entries(VENUES).map(async ([key, { category, ...venue }]) => {
      const answer = await host.asUser("/v2/venues/add", { ...venue, primaryCategoryId: categoryId(category) });
      return [key, venueOf(answer).id];
    });
    host.ids = Object.fromEntries(await Promise.all(added)) as ReconcileHost["ids"];
    const client = await host.deps.pool.connect();
    await refreshPlaces(client).finally(() => client.release());
  });
  host.ask02 = (queries) => host.send("POST", V02, {}, { body: { queries: JSON.stringify(queries) } });
  host.candidates = async (query) => {
    const { body } = await host.ask02({ q0: query });
    return (body as unknown as { q0: { result: Candidate[] } }).q0.result;
  };
  host.post10 = (path, body) =>
    host.send(
      "POST",
      `${V10}${path}`,
      {},
      { headers: { "content-type": "application/json" }, payload: JSON.stringify(body) },
    );
  host.match10 = async (...queries) => read(resultBatch10, await host.post10("/match", { queries })).results;
  return host;
}

export const named = (propertyValue: unknown, more = {}) => ({ matchType: "name", propertyValue, ...more });

export const property = (propertyId: string, propertyValue: unknown, more = {}) => ({
  ...{ matchType: "property", propertyId, propertyValue },
  ...more,
});

/** Parses the response with the protocol's schema. Missing and additional fields fail. */
export function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  expect(answer.text).not.toBe("");
  expect(answer.status).toBe(200);
  return schema.parse(answer.body);
}
