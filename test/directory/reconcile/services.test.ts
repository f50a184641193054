import { describe, expect, test } from "vitest";
import {
  extended02,
  proposedProperties,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
} from "../../../src/contract/reconcile.ts";
import { categoryId } from "../api/host.ts";
import { read, reconcileHost, V02 } from "./host.ts";

const host = await reconcileHost();
const get = (path: string, fields = {}) => host.send("GET", `${V02}${path}`, fields);

describe("data extension of reconciliation 0.2", () => {
  const ask = (ids: string[], properties: string[]) =>
    host.send(
      "POST",
      V02,
      {},
      { body: { extend: JSON.stringify({ ids, properties: properties.map((id) => ({ id })) }) } },
    );

  test("returns the known values, and empty lists for the rest", async () => {
    const answer = await ask(
      [host.ids.tea, "nobody", "a\u0000b"],
      ["ll", "lat", "category", "url", "twitter", "nothing"],
    );
    const { rows, meta } = read(extended02, answer);
    expect(meta.map(({ id }) => id)).toEqual(["ll", "lat", "category", "url", "twitter", "nothing"]);
    expect(rows[host.ids.tea]).toEqual({
      ll: [{ str: "60.1,24.9" }],
      lat: [{ float: 60.1 }],
      category: [{ str: "Coffee Shop" }],
      url: [{ str: "https://tea.example/" }],
      twitter: [],
      nothing: [],
    });
    expect(Object.keys(rows)).toHaveLength(3);
    expect(new Set(Object.values(rows.nobody ?? {}).flat())).toEqual(new Set());
  });

  test("accepts GET as well", async () => {
    const extend = JSON.stringify({ ids: [host.ids.tea], properties: [{ id: "zip" }] });
    const { rows } = read(extended02, await get("", { extend }));
    expect(rows).toEqual({ [host.ids.tea]: { zip: [{ str: "00150" }] } });
  });

  test("knows every property that it proposes", async () => {
    const { properties } = read(proposedProperties, await get("/extend/propose", { type: "venue" }));
    const { rows } = read(
      extended02,
      await ask(
        [host.ids.tea],
        properties.map(({ id }) => id),
      ),
    );
    const held = Object.entries(rows[host.ids.tea] ?? {}).filter(([, values]) => values.length > 0);
    expect(held.map(([id]) => id)).toEqual(
      expect.arrayContaining(["name", "phone", "createdAt", "checkinsCount", "zip"]),
    );
  });

  test("proposes as many properties as requested, also without a type", async () => {
    const { properties, limit } = read(proposedProperties, await get("/extend/propose", { limit: 3 }));
    expect([properties.length, limit]).toEqual([3, 3]);
  });
});

describe("reconciliation suggestions", () => {
  test("begin with the venue whose id is typed", async () => {
    const { result } = read(suggestedEntities, await get("/suggest/entity", { prefix: host.ids.hotel }));
    expect(result).toEqual([expect.objectContaining({ id: host.ids.hotel, name: "Grand Juniper Hotel" })]);
  });

  test.each(["Qu", "quiet lan", "Quiet Lantern Tea House", "lantern"])(
    "include venues by part of a name: %s",
    async (prefix) => {
      const { result } = read(suggestedEntities, await get("/suggest/entity", { prefix }));
      expect(result[0]).toMatchObject({
        id: host.ids.tea,
        description: expect.stringContaining("12 Harbor Street"),
        notable: [{ id: categoryId("Coffee Shop"), name: "Coffee Shop" }],
      });
    },
  );

  test("include only venues of a requested type", async () => {
    const { result } = read(
      suggestedEntities,
      await get("/suggest/entity", { prefix: "quiet", type: categoryId("Hotel") }),
    );
    expect(result).toEqual([]);
  });

  test("are paged", async () => {
    const names = async (fields: object) =>
      read(suggestedProperties, await get("/suggest/property", fields)).result.map(({ id }) => id);
    const all = await names({ prefix: "", limit: 100 });
    expect(await names({ prefix: "", cursor: 2, limit: 3 })).toEqual(all.slice(2, 5));
    expect(await names({ prefix: "", offset: 10 })).toEqual(all.slice(10, 20));
  });

  test("include properties by id and by name", async () => {
    const first = async (prefix: string) =>
      read(suggestedProperties, await get("/suggest/property", { prefix })).result[0]?.id;
    expect([await first("zip"), await first("postal"), await first("LL"), await first("%%%")]).toEqual([
      "zip",
      "zip",
      "ll",
      undefined,
    ]);
  });

  test.each([
    ["ll", ["coord", "Coordinates", "position", "GPS", "lat/lng", "Koordinaten", "coordenadas"]],
    ["lat", ["lat", "latitude", "Breitengrad", "y"]],
    ["lng", ["lon", "long", "Longitude", "Länge"]],
    ["phone", ["tel", "phone number", "Telefon", "téléphone", "mobile"]],
    ["address", ["street", "street address", "Straße", "rue", "dirección"]],
    ["city", ["town", "locality", "Ort", "ville", "ciudad"]],
    ["state", ["region", "province", "Bundesland"]],
    ["zip", ["postcode", "postal code", "ZIP code", "PLZ", "code postal"]],
    ["country", ["country", "Land", "pays"]],
    ["url", ["url", "website", "web", "homepage"]],
    ["category", ["type", "kind", "catégorie"]],
  ])("include the property %s by its usual names", async (id, prefixes) => {
    for (const prefix of prefixes) {
      const { result } = read(suggestedProperties, await get("/suggest/property", { prefix }));
      expect([prefix, result[0]?.id]).toEqual([prefix, id]);
    }
  });

  test("include types by id and by name, with their parents", async () => {
    const hotel = categoryId("Hotel");
    const byId = read(suggestedTypes, await get("/suggest/type", { prefix: hotel }));
    expect(byId.result).toEqual([expect.objectContaining({ id: hotel, name: "Hotel", broader: [expect.anything()] })]);
    const byName = read(suggestedTypes, await get("/suggest/type", { prefix: "hot" }));
    expect(byName.result.map(({ id }) => id)).toContain(hotel);
    expect(read(suggestedTypes, await get("/suggest/type", { prefix: "" })).result).toHaveLength(10);
  });

  test.each(["%", "_", "\\", "'; DROP TABLE directory.venue; --", "\u0000", "{{7*7}}"])(
    "C06: read %j as plain text",
    async (prefix) => {
      for (const kind of ["entity", "property", "type"])
        expect(await get(`/suggest/${kind}`, { prefix })).toMatchObject({ status: 200, body: { result: [] } });
      expect((await get("/suggest/entity", { prefix: "quiet" })).body).toMatchObject({
        result: [{ id: host.ids.tea }],
      });
    },
  );
});

test.each(["", "/suggest/entity", "/suggest/property", "/suggest/type", "/extend/propose", "/preview"])(
  "a page of any origin can call the reconciliation address %s",
  async (path) => {
    const origin = "https://elsewhere.example";
    const { headers } = await host.send("GET", `${V02}${path}`, { id: host.ids.tea }, { headers: { origin } });
    expect(headers["access-control-allow-origin"]).toBe("*");
    const asks = { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    const preflight = await host.send("OPTIONS", `${V02}${path}`, {}, { headers: asks });
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toContain("content-type");
  },
);
