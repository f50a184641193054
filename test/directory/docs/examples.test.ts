import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, apiHost, venuesOf } from "../api/host.ts";
import { type OpenApi, type Operation, openApi } from "./openapi.ts";

const host = await apiHost({ sample: true });
let document: OpenApi;
beforeAll(async () => {
  document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
});

describe("the answers for the sample venues", () => {
  it("match the examples when the example parameters are sent", async () => {
    const found = document.paths["/v2/venues/search"]?.get;
    const parameters = (found?.parameters ?? []).flatMap((each) => ("$ref" in each ? [] : [each]));
    const sent = parameters.flatMap(({ name, schema }) => (schema.example ? [[name, String(schema.example)]] : []));
    expect(sent.map(([name]) => name)).toEqual(["ll", "query"]);
    const answer = await host.userless("/v2/venues/search", { ...Object.fromEntries(sent), limit: 1 });
    const { stats: _, referralId: __, ...venue } = venuesOf(exampleOf(found))[0] ?? {};
    expect(venuesOf(answer)).toMatchObject([venue]);

    const match = document.paths["/reconcile/1.0/match"]?.post;
    const body = match?.requestBody?.content["application/json"]?.example;
    const headers = { "content-type": "application/json" };
    const matched = await host.send("POST", "/reconcile/1.0/match", {}, { payload: JSON.stringify(body), headers });
    const [expected] = (exampleOf(match).body as unknown as Matched).results;
    const [result] = (matched.body as unknown as Matched).results;
    expect(result?.candidates.map(({ id, name, score }) => ({ id, name, score }))).toEqual(
      expected?.candidates.map(({ id, name, score }) => ({ id, name, score })),
    );
  });

  it("are successful for every example parameter of a search", async () => {
    const parameters = document.paths["/v2/venues/search"]?.get?.parameters ?? [];
    const examples = parameters.flatMap((each) => {
      if ("$ref" in each) return [];
      const { example, examples } = each.schema as { example?: string; examples?: string[] };
      return [[each.name, String(example ?? examples?.[0] ?? "")] as const].filter(([, value]) => value !== "");
    });
    const all = Object.fromEntries(examples);
    for (const without of [["providerId", "linkedId", "url"], ["url"]]) {
      const fields = Object.fromEntries(examples.filter(([name]) => !without.includes(name)));
      expect((await host.userless("/v2/venues/search", { ...fields, intent: "match" })).status).toBe(200);
    }
    const { sw = "", ne = "", near = "", radius = "" } = all;
    for (const region of [{ sw, ne }, { near }, { near, radius }])
      expect((await host.userless("/v2/venues/search", { ...region, intent: "browse" })).status).toBe(200);
  });
});

function exampleOf(operation: Operation | undefined): Answer {
  const answer = operation?.responses["200"];
  const example = answer && "content" in answer ? answer.content?.["application/json"]?.example : undefined;
  return { status: 200, headers: {}, text: "", body: example as Answer["body"] };
}

interface Matched {
  results: { candidates: { id: string; name: string; score: number }[] }[];
}
