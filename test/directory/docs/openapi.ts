import { z } from "zod";

export type Json = Record<string, unknown>;

const text = z.string().min(1);
const schema = z.record(z.string(), z.unknown());
const reference = z.strictObject({ $ref: z.string().startsWith("#/components/") });
const parameter = z.strictObject({
  name: text,
  in: z.enum(["query", "path", "header"]),
  required: z.boolean().optional(),
  description: text,
  "x-ours": z.literal(true).optional(),
  schema,
});
const header = z.union([reference, z.strictObject({ description: text.optional(), schema })]);
const content = z.record(
  z.string().regex(/^[a-z]+\/[a-z-]+$/),
  z.strictObject({ schema, example: z.unknown().optional() }),
);
const answer = z.strictObject({
  description: text,
  headers: z.record(z.string(), header).optional(),
  content: content.optional(),
});
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  tags: z.array(text).length(1),
  summary: text,
  description: text.optional(),
  "x-ours": z.literal(true).optional(),
  "x-codeSamples": z.array(z.strictObject({ lang: z.enum(["Shell", "Address"]), source: text })).length(1),
  security: z.array(z.record(z.string(), z.array(z.never()))),
  parameters: z.array(z.union([reference, parameter])).optional(),
  requestBody: z.strictObject({ required: z.boolean().optional(), content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.union([reference, answer])),
});
const server = z.strictObject({ url: z.url(), description: text });
const flow = { authorizationUrl: z.url(), scopes: z.strictObject({}) };

/** The part of OpenAPI 3.1 that our document uses, by the specification. Anything else in the document is an error. */
export const openApi = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({ title: text, version: text, description: text }),
  servers: z.array(server).min(1),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().startsWith("/"),
    z.strictObject({
      servers: z.array(server).optional(),
      get: operation.optional(),
      post: operation.optional(),
      delete: operation.optional(),
    }),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^\w+$/), schema),
    responses: z.record(z.string(), answer),
    headers: z.record(z.string(), header),
    parameters: z.record(z.string(), parameter),
    securitySchemes: z.record(
      z.string(),
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("apiKey"), in: z.literal("query"), name: text, description: text }),
        z.strictObject({ type: z.literal("http"), scheme: z.enum(["basic", "bearer"]), description: text }),
        z.strictObject({
          type: z.literal("oauth2"),
          description: text,
          flows: z.strictObject({
            authorizationCode: z.strictObject({ ...flow, tokenUrl: z.url() }),
            implicit: z.strictObject(flow),
          }),
        }),
      ]),
    ),
  }),
});
export type OpenApi = z.infer<typeof openApi>;
export type Operation = z.infer<typeof operation>;

interface PlacedOperation {
  method: "GET" | "POST" | "DELETE";
  path: string;
  operation: Operation;
}

/** Returns every operation with its method and path. */
export function operationsOf(document: OpenApi): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, { get, post, delete: end }]): PlacedOperation[] => [
    ...(get ? [{ method: "GET" as const, path, operation: get }] : []),
    ...(post ? [{ method: "POST" as const, path, operation: post }] : []),
    ...(end ? [{ method: "DELETE" as const, path, operation: end }] : []),
  ]);
}

/** Returns how a response differs from the document for its status. */
export function problemsWith(
  document: OpenApi,
  operation: Operation,
  { status, body }: { status: number; body: unknown },
): string[] {
  const found = operation.responses[String(status)];
  if (!found) return [`${operation.operationId} documents no status ${status}`];
  const answer = ("$ref" in found ? resolve(document, found.$ref) : found) as { content: Record<string, Json> };
  const at = `${operation.operationId} ${status}`;
  const line = answer.content["application/x-ndjson"]?.schema as Json | undefined;
  if (line) return (body as unknown[]).flatMap((each) => problemsOf(document, line["x-line"] as Json, each, at));
  return problemsOf(document, answer.content["application/json"]?.schema as Json, body, at);
}

type Content = z.infer<typeof content>;

/**
 * Returns the errors of an operation's examples: of its JSON responses (required), its JSON body and its parameters.
 */
export function problemsWithExamples(document: OpenApi, operation: Operation): string[] {
  const answers = Object.values(operation.responses).map((each) => {
    const answer = ("$ref" in each ? resolve(document, each.$ref) : each) as typeof each & { content?: Content };
    return answer.content ?? {};
  });
  const contents: Content[] = [...answers, operation.requestBody?.content ?? {}];
  const inJson = contents.flatMap((content) => content["application/json"] ?? []);
  const lacking = inJson.filter(({ example }) => example === undefined).map(() => "there is no example");
  const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema.properties ?? {};
  const inQuery = (operation.parameters ?? []).flatMap((each) => ("$ref" in each ? [] : [each.schema]));
  const ofFields = [...inQuery, ...Object.values(form as Record<string, Json>)].flatMap((field) =>
    [field.example ?? [], field.examples ?? [], field.default ?? []]
      .flat()
      .map((example) => ({ schema: field, example })),
  );
  return [...inJson, ...ofFields]
    .flatMap(({ schema, example }) => problemsOf(document, schema, example, operation.operationId))
    .concat(lacking);
}

/** Resolves a reference; undefined if it is broken. */
export function resolve(document: OpenApi, ref: string): unknown {
  const steps = ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);
}

/**
 * Returns how a value differs from a schema of the document, one line each. Stricter than JSON Schema: undocumented
 * properties are errors.
 */
function problemsOf(document: OpenApi, schema: Json, value: unknown, at = "answer"): string[] {
  const problems = (each: unknown, of: unknown, where: string) => problemsOf(document, each as Json, of, where);
  if (typeof schema.$ref === "string") {
    const target = resolve(document, schema.$ref);
    return target ? problems(target, value, at) : [`${at}: ${schema.$ref} leads nowhere`];
  }
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(choices)) continue;
    const tried = choices.map((choice) => problems(choice, value, at));
    if (!tried.some((each) => each.length === 0)) return [`${at}: fits none of ${choices.length}`, ...tried.flat()];
  }
  const enumerated = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (Array.isArray(enumerated) && !enumerated.includes(value)) return [`${at}: ${value} is none of ${enumerated}`];
  if (schema.type !== undefined && !hasType(schema.type, value)) return [`${at}: is no ${schema.type}`];
  if (typeof value === "string" && typeof schema.pattern === "string" && !new RegExp(schema.pattern, "u").test(value))
    return [`${at}: does not fit ${schema.pattern}`];
  if (Array.isArray(value))
    return value.flatMap((each, index) => problems(schema.items ?? {}, each, `${at}[${index}]`));
  if (typeof value === "object" && value !== null) return problemsOfObject(document, schema, value as Json, at);
  return [];
}

function problemsOfObject(document: OpenApi, schema: Json, value: Json, at: string): string[] {
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as { properties?: Json; required?: string[] } & Json;
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}: ${name} is missing`);
  const others =
    properties === undefined ? (additionalProperties ?? (schema.maxProperties === 0 ? false : {})) : undefined;
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const known = properties?.[name] ?? (others || undefined);
    if (known === undefined) return [`${at}: ${name} is not documented`];
    return problemsOf(document, known as Json, each, `${at}.${name}`);
  });
  return [...missing, ...wrong];
}

function hasType(type: unknown, value: unknown): boolean {
  if (Array.isArray(type)) return type.some((each) => hasType(each, value));
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}
