import type { Json } from "../../http/json-schema.ts";

/** A parameter of a request in OpenAPI. */
export interface Sent {
  name: string;
  in: "query" | "path" | "header";
  required: boolean;
  description: string;
  schema: Json & { example?: unknown; default?: unknown };
}

interface Operation {
  security: Record<string, never[]>[];
  parameters: (Sent | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Fields; example?: unknown }> };
}

interface Fields {
  properties?: Record<string, Sent["schema"]>;
  required?: string[];
}

export interface Sample {
  lang: "Shell" | "Address";
  source: string;
}

/** `x-codeSamples` is an extension that documentation tools know. */
export const sample = (source: string): { "x-codeSamples": Sample[] } => ({
  "x-codeSamples": [{ lang: source.startsWith("curl") ? "Shell" : "Address", source }],
});

/** Adds a command to each operation of the API host, with placeholders for credentials. */
export function withSamples(paths: Json, url: string, shared: Record<string, Sent>): Json {
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation & Json>).map(([method, operation]) => [
      method,
      { ...operation, ...sample(curl(method, url + path, { ...operation, parameters: sentWith(operation, shared) })) },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(items);
}

const sentWith = ({ parameters }: Operation, shared: Record<string, Sent>): Sent[] =>
  parameters.flatMap((each) => ("$ref" in each ? (shared[each.$ref.split("/").at(-1) ?? ""] ?? []) : [each]));

function curl(method: string, url: string, operation: Omit<Operation, "parameters"> & { parameters: Sent[] }): string {
  const { parameters, security, requestBody } = operation;
  const [way = {}] = security;
  const credentials: Filled[] = Object.keys(way).map((name) => [name, name.toUpperCase()] as const);
  const inPath = parameters.filter((each) => each.in === "path");
  const address = inPath.reduce((at, { name, schema }) => at.replace(`{${name}}`, String(schema.example)), url);
  const json = requestBody?.content["application/json"]?.example;
  if (json !== undefined)
    return lines("curl", address, ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json))}`]);
  const text = requestBody?.content["application/x-ndjson"]?.example;
  if (text !== undefined) return withLines(address, String(text), [...filledIn(parameters), ...credentials]);
  const { properties = {}, required = [] } = requestBody?.content["application/x-www-form-urlencoded"]?.schema ?? {};
  const inBody = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }));
  const sent = [...filledIn(parameters), ...filledIn(inBody)];
  const fields = [...sent, ...credentials].map(([name, value]) => field(name, value));
  return lines(method === "get" && fields.length > 0 ? "curl -G" : "curl", address, fields);
}

type Filled = readonly [name: string, value: string];

const filledIn = (parameters: (Pick<Sent, "name" | "required" | "schema"> & { in?: Sent["in"] })[]): Filled[] =>
  parameters
    .filter((each) => each.in === undefined || each.in === "query")
    .flatMap(({ name, schema, required }) => {
      const value = schema.example ?? (required ? schema.default : undefined);
      return value === undefined ? [] : [[name, String(value)] as const];
    });

function withLines(address: string, text: string, query: readonly Filled[]): string {
  const whole = `${address}?${query.map((each) => each.join("=")).join("&")}`;
  return lines("curl", whole, ["-H 'Content-Type: application/x-ndjson'", `--data-binary ${quoted(text.trimEnd())}`]);
}

const lines = (command: string, address: string, options: string[]): string =>
  [`${command} ${quoted(address)}`, ...options].join(" \\\n  ");

const field = (name: string, value: string): string =>
  `${/^[\w.,-]*$/.test(value) ? "-d" : "--data-urlencode"} ${quoted(`${name}=${value}`)}`;

/** Quotes a word for a POSIX shell if it needs it. */
const quoted = (word: string): string => (/^[\w.,:/=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
