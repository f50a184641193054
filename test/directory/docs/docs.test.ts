import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import { version } from "../../../src/contract/parameters.ts";
import { introduction } from "../../../src/directory/docs/introduction.ts";
import { AUTH_URL, apiHost } from "../api/host.ts";
import {
  type Json,
  type OpenApi,
  type Operation,
  openApi,
  operationsOf,
  problemsWithExamples,
  resolve,
} from "./openapi.ts";

const host = await apiHost();
let document: OpenApi;
beforeAll(async () => {
  document = openApi.parse((await host.send("GET", "/docs/openapi.json")).body);
});

const operations = () => operationsOf(document);

/** Parameters of the body, query and path by name, except those that all operations share. */
function parametersOf(operation: Operation): [name: string, parameter: { description?: unknown }][] {
  const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema as Json | undefined;
  const inQuery = (operation.parameters ?? []).flatMap((each) => ("$ref" in each ? [] : [each]));
  return [
    ...Object.entries((form?.properties ?? {}) as Record<string, Json>),
    ...inQuery.map((each): [string, typeof each] => [each.name, each]),
  ];
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1, and uses only registered formats", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as Json);
    expect([valid, errors]).toEqual([true, undefined]);
    const formats = [...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format);
    expect(new Set(formats)).toEqual(new Set(["date-time", "uri"]));
  });

  it("requires the fields that the wire format promises", () => {
    const required = (name: string, part?: string) => {
      const schema = document.components.schemas[name] as { required: string[]; properties: Record<string, Json> };
      return part ? schema.properties[part]?.required : schema.required;
    };
    const compact = ["id", "name", "contact", "location", "categories", "verified", "stats"];
    expect(required("Venue")).toEqual(expect.arrayContaining(compact));
    expect(required("Venue", "location")).toEqual(expect.arrayContaining(["lat", "lng"]));
    expect(required("UsersIdResponse", "user")).toEqual(expect.arrayContaining(["id", "contact"]));
    expect(required("Checkin")).toEqual(expect.arrayContaining(["id", "createdAt", "venue"]));
    expect(required("Meta")).toEqual(expect.arrayContaining(["code", "requestId"]));
  });

  it("has one type of answer for each status, because generated clients would take two for one of either", () => {
    for (const { path, operation } of operations())
      for (const [status, answer] of Object.entries(operation.responses)) {
        const whole = "$ref" in answer ? (resolve(document, answer.$ref) as typeof answer) : answer;
        const types = "content" in whole ? Object.keys(whole.content ?? {}) : [];
        expect([path, status, types.length]).toEqual([path, status, status.startsWith("3") ? 0 : 1]);
      }
  });

  it("has an operation for each endpoint that takes lines, with a line of the body that its schema allows", () => {
    const ofLines = operations().filter(({ path }) => path.endsWith("/lines"));
    expect(ofLines.map(({ path }) => path)).toEqual(
      ["match", "add", "delete", "lookup", "annotate"].map((name) => `/v2/venues/${name}/lines`),
    );
    for (const { operation } of ofLines) {
      const body = operation.requestBody?.content["application/x-ndjson"];
      const line = body?.schema["x-line"] as Json & { properties: Json };
      for (const each of String(body?.example).trim().split("\n"))
        expect(Object.keys(line.properties)).toEqual(expect.arrayContaining(Object.keys(JSON.parse(each))));
    }
  });

  it("has a command, or an address for a browser, for every operation of the auth host", () => {
    const ofAuth = operations().filter(({ path }) => document.paths[path]?.servers);
    expect(ofAuth.length).toBeGreaterThan(8);
    for (const { path, operation } of ofAuth) expect(operation["x-codeSamples"][0]?.source).toContain(AUTH_URL + path);
  });

  it("has working references, unique operation ids, and no external resource", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((ref) => resolve(document, ref) === undefined)).toEqual([]);
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(text).not.toMatch(/"\$(id|schema)":/);
  });

  it("gives every operation responses for success and errors, a known tag and a known security scheme", () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { path, method, operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(["200", "500"]));
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      for (const scheme of operation.security.flatMap((way) => Object.keys(way)))
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    }
  });

  it("describes every parameter, in the query and in bodies", () => {
    for (const { path, method, operation } of operations()) {
      for (const [name, { description }] of parametersOf(operation)) {
        const own = String(description ?? "").replace(/^Ours, [^.]*\./, "");
        expect(own, `${method} ${path} ${name}`).toMatch(/\w/);
      }
      const names = (operation.parameters ?? []).map((each) => ("$ref" in each ? each.$ref : each.name));
      expect(new Set(names).size, `${method} ${path}`).toBe(names.length);
    }
    const v = resolve(document, "#/components/parameters/Version") as { schema: { pattern: string; default: string } };
    expect(version.safeParse(v.schema.default).success && new RegExp(v.schema.pattern).test(v.schema.default)).toBe(
      true,
    );
  });

  it("has no parameter under /v2 that neither docs/interface.md nor docs/wire-format.md names", () => {
    const documents = ["interface", "wire-format"].map((name) => readFileSync(`docs/${name}.md`, "utf8")).join();
    const names = operations()
      .filter(({ path }) => path.startsWith("/v2/"))
      .flatMap(({ operation }) => parametersOf(operation).map(([name]) => name));
    expect(names).toEqual(expect.arrayContaining(["minScore", "shout"]));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(documents))).toEqual([]);
  });

  it("has a valid example for every response and JSON body, and for many parameters", () => {
    for (const { operation } of operations()) expect(problemsWithExamples(document, operation)).toEqual([]);
    const examples = JSON.stringify(operations().map(({ operation }) => operation.responses["200"]));
    expect(examples).not.toContain("errorType");
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it("states the default of each optional parameter", () => {
    const defaultsOf = (path: string) => {
      const parameters = document.paths[path]?.get?.parameters ?? [];
      const given = parameters.flatMap((each) => ("$ref" in each ? [] : [[each.name, each.schema.default] as const]));
      return Object.fromEntries(given.filter(([, value]) => value !== undefined));
    };
    expect(defaultsOf("/v2/venues/search")).toEqual({ intent: "checkin", limit: 30 });
    expect(defaultsOf("/v2/users/{id}/checkins")).toEqual({ limit: 20, offset: 0, sort: "newestfirst" });
    expect(defaultsOf("/reconcile/0.2/suggest/entity")).toEqual({});
  });

  it("mentions an unknown place at venues/search only", () => {
    const text = (operation: Operation) => {
      const answer = operation.responses["400"];
      return JSON.stringify(answer && "$ref" in answer ? resolve(document, answer.$ref) : answer);
    };
    const near = operations().filter(({ operation }) => text(operation)?.includes("failed_geocode"));
    expect(near.map(({ path }) => path)).toEqual(["/v2/venues/search"]);
  });

  it("links from its introduction to the registration of applications, and mentions HTTPS where required", () => {
    expect(document.info.description).toContain(`(${AUTH_URL}/applications)`);
    expect(document.info.description).not.toContain("HTTPS");
    expect(introduction({ authUrl: AUTH_URL, apiUrl: "https://api.example" })).toContain("needs HTTPS");
  });

  it("is linked at the root of the host, together with search and the reconciliation service", async () => {
    const { body } = await host.send("GET", "/");
    const { docs, search, reconcile } = body as unknown as { docs: string; search: string; reconcile: Json };
    expect((await host.send("GET", docs)).status).toBe(200);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([search, ...Object.values(reconcile)]));
  });

  it("marks the extensions, and nothing of the interface", () => {
    const search = document.paths["/v2/venues/search"]?.get;
    const parameters = (search?.parameters ?? []) as { name?: string; description?: string; schema?: Json }[];
    const ours = parameters.filter(({ schema }) => schema?.["x-ours"]).map(({ name }) => name);
    expect(ours).toEqual(["minScore"]);
    expect(parameters.find(({ name }) => name === "minScore")?.description).toMatch(/^Ours/);
    const venue = document.components.schemas.Venue?.properties as Record<string, Json>;
    const oursOfVenue = Object.keys(venue).filter((name) => venue[name]?.["x-ours"]);
    expect(oursOfVenue).toEqual([
      "closed",
      "held",
      "temporarilyClosed",
      "otherNames",
      "positionByAddress",
      "source",
      "score",
      "needsReview",
      "evidence",
    ]);
    const oursAsAWhole = operations().filter(({ operation }) => operation["x-ours"]);
    expect(oursAsAWhole.map(({ path }) => path)).toEqual(expect.arrayContaining(["/oauth2/revoke", "/reconcile/0.2"]));
    expect(oursAsAWhole.map(({ path }) => path)).not.toContain("/oauth2/access_token");
  });

  it("requires what the interface requires, and includes both flows of its log-in", () => {
    const required = (operation: Operation | undefined) =>
      (operation?.parameters ?? []).flatMap((each) => (!("$ref" in each) && each.required ? [each.name] : []));
    expect(required(document.paths["/v2/venues/add"]?.get)).toEqual(["name", "ll", "primaryCategoryId"]);
    expect(required(document.paths["/oauth2/authenticate"]?.get)).toEqual(["client_id", "response_type"]);
    expect(document.components.securitySchemes.oauth2).toMatchObject({
      flows: {
        authorizationCode: {
          authorizationUrl: `${AUTH_URL}/oauth2/authenticate`,
          tokenUrl: `${AUTH_URL}/oauth2/access_token`,
        },
        implicit: { authorizationUrl: `${AUTH_URL}/oauth2/authenticate` },
      },
    });
  });
});
