import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import {
  extended02,
  manifest02,
  proposedProperties,
  resultBatch02,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
} from "../../../src/contract/reconcile.ts";
import { LISTINGS, PROPERTIES } from "../../support/example-listings.ts";
import { startSamespot } from "../../support/samespot.ts";

/*
 * The calls that OpenRefine 3.6.2 makes, as recorded from it, for the example listings and a running directory with the
 * sample venues. `npm run openrefine` makes the program itself do it.
 */

const { apiUrl } = await startSamespot({ env: { ROLES: "directory" } });
const SERVICE = `${apiUrl}/reconcile/0.2`;

type Row = Record<string, string>;
const rows = parse<Row>(LISTINGS, { columns: true, bom: true }).filter(({ Name }) => Name);

/** OpenRefine's server sends POST, with this type and name. */
async function post(fields: Record<string, string>): Promise<unknown> {
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "user-agent": "OpenRefine/3.6.2 [62de008]",
  };
  const response = await fetch(SERVICE, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  expect(response.status).toBe(200);
  return response.json();
}

/** OpenRefine's page sends GET from another origin. */
async function get(url: string, fields: Row = {}): Promise<unknown> {
  const headers = { origin: "http://127.0.0.1:3333" };
  const response = await fetch(`${url}?${new URLSearchParams(fields)}`, { headers });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  return response.json();
}

/**
 * Types of the candidates of the first ten names, ranked as in GuessTypesOfColumnCommand. The page preselects the
 * first.
 */
async function guessTypes(names: string[]): Promise<string[]> {
  const sample = [...new Set(names)].slice(0, 10);
  const queries = Object.fromEntries(sample.map((query, index) => [`q${index}`, { query, limit: 3 }]));
  const answers = resultBatch02.parse(await post({ queries: JSON.stringify(queries) }));
  const groups = new Map<string, { count: number; score: number }>();
  for (const { result } of Object.values(answers))
    result.forEach(({ type }, rank) => {
      type.forEach(({ id }, at) => {
        const { count, score } = groups.get(id) ?? { count: 0, score: 0 };
        groups.set(id, { count: count + 1, score: score + ((1 / (1 + rank)) * (type.length - at)) / type.length });
      });
    });
  return [...groups]
    .sort(([, a], [, b]) => Math.min(10, b.count) - Math.min(10, a.count) || b.score / b.count - a.score / a.count)
    .map(([id]) => id);
}

/** Queries of StandardReconConfig, in batches of ten. */
async function reconcileAll(type: string | undefined, withColumns: boolean) {
  const queries = rows.map((row) => {
    const properties = Object.entries(PROPERTIES).flatMap(([column, pid]) =>
      row[column] ? [{ pid, v: row[column] }] : [],
    );
    return {
      query: row.Name,
      ...(type && { type }),
      ...(withColumns && { properties }),
      ...(type && { type_strict: "should" }),
    };
  });
  const results: { id: string; match: boolean }[][] = [];
  for (let from = 0; from < queries.length; from += 10) {
    const batch = Object.fromEntries(queries.slice(from, from + 10).map((query, index) => [`q${index}`, query]));
    const answers = resultBatch02.parse(await post({ queries: JSON.stringify(batch) }));
    results.push(...Object.keys(batch).map((name) => answers[name]?.result ?? []));
  }
  const found = results.filter((result) => result.length > 0).length;
  return { found, matched: results.filter(([first]) => first?.match).length };
}

test("OpenRefine matches a column of names with any venue, not with a type guessed from the first names", async () => {
  const [preselected] = await guessTypes(rows.map(({ Name = "" }) => Name));
  expect(preselected).toBe("venue");
  const { found, matched } = await reconcileAll(preselected, false);
  expect(found).toBeGreaterThanOrEqual(250);
  // A name alone is never a match.
  expect(matched).toBe(0);
});

test("OpenRefine matches most rows when it also sends address, position and phone, even with one narrow type selected", async () => {
  const { result } = suggestedTypes.parse(await get(`${SERVICE}/suggest/type`, { prefix: "donut" }));
  const any = await reconcileAll("venue", true);
  expect(any.matched).toBeGreaterThanOrEqual(220);
  const donuts = await reconcileAll(result[0]?.id, true);
  expect(donuts.found).toBeGreaterThanOrEqual(0.95 * any.found);
  expect(donuts.matched).toBeGreaterThanOrEqual(0.8 * any.matched);
});

test("OpenRefine's page finds types, properties and venues while the user types, and previews them", async () => {
  const manifest = manifest02.parse(await get(SERVICE));
  const address = (name: "entity" | "property" | "type") =>
    manifest.suggest[name].service_url + manifest.suggest[name].service_path;
  const asked = { spell: "always", exact: "false", scoring: "schema", prefixed: "true" };
  const properties = await get(address("property"), { prefix: "coord", ...asked, type: "venue" });
  expect(suggestedProperties.parse(properties).result[0]?.id).toBe("ll");
  const types = await get(address("type"), { prefix: "rest", ...asked });
  expect(suggestedTypes.parse(types).result[0]?.name).toBe("Restaurant");
  const entities = suggestedEntities.parse(await get(address("entity"), { prefix: "Slater Mill", ...asked }));
  const [mill] = entities.result;
  expect(mill?.name).toContain("Slater Mill");
  const preview = await fetch(manifest.preview.url.replace("{{id}}", mill?.id ?? ""));
  expect([preview.status, await preview.text()]).toEqual([200, expect.stringContaining("Slater Mill")]);
});

test("OpenRefine can add columns of the matched venues", async () => {
  const { propose_properties: propose } = manifest02.parse(await get(SERVICE)).extend;
  const { properties } = proposedProperties.parse(await get(propose.service_url + propose.service_path, { type: "" }));
  expect(properties.map(({ id }) => id)).toEqual(expect.arrayContaining(["ll", "phone"]));
  const { result } = suggestedEntities.parse(
    await get(`${SERVICE}/suggest/entity`, { prefix: "Slater Mill Historic" }),
  );
  const id = result[0]?.id ?? "";
  const extend = JSON.stringify({ ids: [id], properties: [{ id: "phone" }, { id: "ll" }] });
  const extended = extended02.parse(await post({ extend }));
  expect(extended.rows[id]).toEqual({ phone: [{ str: "401-555-0164" }], ll: [{ str: "41.8773,-71.383499" }] });
});
