import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type StaticFile, sendStaticFile, staticFile } from "../../http/files/static-file.ts";
import { setCost } from "../../http/in-flight.ts";
import { registerViews, renderView } from "../../http/pages/views.ts";
import { escapeHtml } from "../../language/html.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openApiDocument } from "./document.ts";
import type { Sample, Sent } from "./sample.ts";

/** Call it after all endpoints are registered. The page loads nothing from other hosts. */
export async function registerDocs(app: FastifyInstance, { config, endpoints }: ApiDeps): Promise<void> {
  await app.register(async (scope) => {
    setCost(scope, "file");
    const frame = { mapTiles: undefined, basemap: undefined, streets: false, isSample: false, signUp: false };
    const defaults = { nav: "directory", home: config.auth.url, ...frame } as const;
    await registerViews(scope, { production: true, defaults });
    const files = async () => {
      const document = openApiDocument(endpoints, { authUrl: config.auth.url, apiUrl: config.api.url });
      const reference = referenceOf(document);
      const page = async (view: "entry" | "errors" | "index" | "resources", title: string, more: object) => {
        const locals = { title, sheets: ["docs.css"], reference, ...more };
        const html = await renderView(scope, `directory/docs/${view}`, locals);
        return staticFile(Buffer.from(html), "text/html; charset=utf-8");
      };
      const entries = reference.groups.flatMap((group) => group.entries);
      const pages = entries.map(
        async (entry): Promise<[string, StaticFile]> => [entry.slug, await page("entry", entry.summary, { entry })],
      );
      return new Map([
        ["", await page("index", reference.title, {})],
        ["errors", await page("errors", "Errors of the API host", {})],
        ["resources", await page("resources", "Resources in answers", {})],
        ["openapi.json", staticFile(Buffer.from(JSON.stringify(document)), "application/json; charset=utf-8")],
        ...(await Promise.all(pages)),
      ]);
    };
    // Made when first asked for, as it takes longer than all else that builds this host.
    let made: ReturnType<typeof files> | undefined;
    const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
      made ??= files();
      const file = (await made).get(name);
      return file ? sendFresh(request, reply, file) : reply.callNotFound();
    };
    scope.get("/docs", (request, reply) => send(request, reply, ""));
    scope.get<{ Params: { page: string } }>("/docs/:page", (request, reply) =>
      send(request, reply, request.params.page),
    );
  });
}

/** Has browsers ask each time whether theirs is the same, because a release may change the content of an address. */
const sendFresh = (request: FastifyRequest, reply: FastifyReply, file: StaticFile) =>
  sendStaticFile(request, reply, { file, cacheControl: "no-cache" });

type Document = ReturnType<typeof openApiDocument>;

interface Content {
  schema: Schema;
  example?: unknown;
}

interface Answer {
  description: string;
  content?: Record<string, Content>;
}

interface Documented {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  "x-ours"?: true;
  "x-codeSamples": Sample[];
  security: Record<string, never[]>[];
  parameters?: (Sent | { $ref: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer | { $ref: string }>;
}

/** What an answer or a body contains: fields, or alternatives, and an example in JSON. */
interface ShownContent {
  fields: Field[];
  alternatives: string[];
  /** Whether the fields are those of `response` in the envelope. */
  inEnvelope: boolean;
  example: string;
}

interface ShownError {
  status: string;
  /** Name of the shared error, below which its words are. */
  shared: string | undefined;
  types: string[];
  /** In HTML. */
  description: string;
}

export type ShownOperation = ReturnType<typeof shownOperation>;
export type Reference = ReturnType<typeof referenceOf>;

/** A page: the operations of one path, and of the path that takes lines of the same. */
export interface Entry {
  /** The last part of its address. */
  slug: string;
  path: string;
  summary: string;
  methods: string[];
  operations: ShownOperation[];
}

/** Prepares the document for the pages: what their views print, in their order. */
function referenceOf(document: Document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers, ...methods } = item as { servers?: { url: string }[] } & Record<string, Documented>;
    const ofPath = Object.entries(methods as Record<string, Documented>).map(([method, operation]) =>
      shownOperation(document, { method, path, host: servers?.[0]?.url, operation }),
    );
    return withoutTwins(ofPath);
  });
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entriesOf(operations.filter(({ tag }) => tag === name)),
  }));
  const errors = Object.entries(document.components.responses as Record<string, Answer>).map(([name, answer]) => ({
    name,
    ...errorOf(document, "", answer),
    example: jsonOf(answer.content?.["application/json"]?.example),
  }));
  return {
    title: document.info.title,
    introduction: paragraphs(document.info.description),
    groups,
    errors,
    resources: resourcesIn(document, operations),
  };
}

/** Leaves one of a GET and a POST that say and take the same. */
function withoutTwins(operations: ShownOperation[]): ShownOperation[] {
  const named = ({ summary, parameters }: ShownOperation) =>
    JSON.stringify([summary, parameters.map(({ name }) => name).toSorted()]);
  return [...Map.groupBy(operations, named).values()].flatMap(([first, ...twins]) => {
    if (!first) return [];
    const errors = [first, ...twins].flatMap((each) => each.errors);
    const once = [...new Map(errors.map((error) => [error.status + error.shared, error])).values()];
    return {
      ...first,
      methods: [first, ...twins].flatMap(({ methods }) => methods),
      errors: once.toSorted((a, b) => Number(a.status) - Number(b.status)),
    };
  });
}

function entriesOf(operations: ShownOperation[]): Entry[] {
  const byPath = Map.groupBy(operations, ({ path }) => path.replace(/\/lines$/, ""));
  return [...byPath].map(([path, all]) => ({
    path,
    operations: all,
    slug: path
      .replace(/^\/(?:v2\/)?|\}/g, "")
      .replace(/\W+/g, "-")
      .replace(/^-/, ""),
    summary: all[0]?.summary ?? "",
    methods: [...new Set(all.filter((each) => each.path === path).flatMap(({ methods }) => methods))],
  }));
}

function shownOperation(
  document: Document,
  { method, path, host, operation }: { method: string; path: string; host: string | undefined; operation: Documented },
) {
  const { operationId: id, tags, summary, description = "", requestBody, responses } = operation;
  const body = requestBody?.content["application/x-www-form-urlencoded"];
  const json = requestBody?.content["application/json"];
  const answers = Object.entries(responses).map(([status, answer]) => ({
    status,
    answer: resolved<Answer>(document, answer),
  }));
  return {
    id,
    path,
    host,
    summary,
    methods: [method.toUpperCase()],
    tag: tags[0],
    isOurs: operation["x-ours"] === true,
    description: paragraphs(description.replace(/^Ours, not part of the interface\. ?/, "")),
    credentials: operation.security.map((way) => Object.keys(way)),
    parameters: [...parametersOf(document, operation), ...(body ? fieldsOf(body.schema) : [])],
    body: json && contentOf(document, json),
    takesLines: requestBody?.content["application/x-ndjson"] !== undefined,
    call: operation["x-codeSamples"][0] as Sample,
    successes: answers
      .filter(({ status }) => Number(status) < 400)
      .map(({ status, answer }) => {
        const content = answer.content?.["application/json"] ?? answer.content?.["application/x-ndjson"];
        return { status, description: words(answer.description), content: content && contentOf(document, content) };
      }),
    errors: Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, answer]) => errorOf(document, status, answer)),
  };
}

function parametersOf(document: Document, { parameters = [] }: Documented): Field[] {
  return parameters.map((each) => {
    const { name, schema, required, description, in: place } = resolved<Sent>(document, each);
    return fieldOf(name, { ...schema, description } as Schema, required, place === "query" ? undefined : place);
  });
}

function contentOf(document: Document, { schema, example }: Content): ShownContent {
  const inEnvelope = schema.properties?.meta !== undefined && schema.properties.response !== undefined;
  const of = resolved<Schema>(document, inEnvelope ? (schema.properties?.response ?? {}) : schema);
  const alternatives = (of.oneOf ?? []).flatMap(({ $ref }) => ($ref ? [resourceOf($ref)] : []));
  return { fields: fieldsOf(of), alternatives, inEnvelope, example: jsonOf(example) };
}

function errorOf(document: Document, status: string, answer: Answer | { $ref: string }): ShownError {
  const { description } = resolved<Answer>(document, answer);
  return {
    status,
    shared: "$ref" in answer ? resourceOf(answer.$ref) : undefined,
    types: [...description.matchAll(/`(\w+)`:/g)].map(([, type = ""]) => type),
    description: words(description),
  };
}

/** The schemas that a row or an alternative names, and those that these name. */
function resourcesIn({ components }: Document, operations: ShownOperation[]) {
  const schemas = components.schemas as Record<string, Schema>;
  const contents = operations.flatMap(({ body, successes }) => [body, ...successes.map(({ content }) => content)]);
  const named = new Set(contents.flatMap((content) => (content ? namesIn(content) : [])));
  // A set can grow while it is read.
  for (const name of named) for (const { resource } of fieldsOf(schemas[name] ?? {})) if (resource) named.add(resource);
  return [...named].toSorted().map((name) => ({ name, fields: fieldsOf(schemas[name] ?? {}) }));
}

const namesIn = ({ fields, alternatives }: ShownContent): string[] => [
  ...alternatives,
  ...fields.flatMap(({ resource }) => resource ?? []),
];

function resolved<T extends object>(document: Document, value: object): T {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value as T;
  const steps = $ref.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
}

const jsonOf = (example: unknown): string =>
  typeof example === "string" ? example : (JSON.stringify(example, null, 1) ?? "");

/** The part of JSON Schema that the document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | false;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  "x-ours"?: boolean;
}

/** A row: a parameter, or a field of a body or an answer. */
export interface Field {
  /** With the names of what it is in: `location.lat`, `categories[].id`, `rows.*.id`. */
  name: string;
  type: string;
  /** The resource that it contains. */
  resource: string | undefined;
  /** Where a request has it, if not in its query or form. */
  place: "path" | "header" | undefined;
  required: boolean;
  isOurs: boolean;
  /** In HTML. */
  description: string;
  choices: string[];
  preset: string | undefined;
  example: string | undefined;
  isFilledIn: boolean;
}

/** Lists the fields of an object, and those of the objects in it. A reference is one row, which names the resource. */
function fieldsOf({ properties = {}, required = [] }: Schema, inside = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    fieldOf(inside + name, schema, required.includes(name)),
    ...within(inside + name, schema),
  ]);
}

function within(name: string, { items, additionalProperties, ...schema }: Schema): Field[] {
  if (items) return within(`${name}[]`, items);
  if (additionalProperties && !schema.properties) return within(`${name}.*`, additionalProperties);
  return fieldsOf(schema, `${name}.`);
}

function fieldOf(name: string, schema: Schema, required: boolean, place?: "path" | "header"): Field {
  const [example] = schema.examples ?? [];
  return {
    name,
    required,
    place,
    type: [typeOf(schema), ...limitsOf(schema)].join(", "),
    resource: resourceIn(schema),
    isOurs: schema["x-ours"] === true,
    description: words(schema.description?.replace(/^Ours, not part of the interface\. ?/, "") ?? ""),
    choices: (schema.enum ?? []).map(String),
    preset: schema.default === undefined ? undefined : String(schema.default),
    example: schema.example === undefined && example === undefined ? undefined : String(schema.example ?? example),
    isFilledIn: schema.example !== undefined || (required && schema.default !== undefined),
  };
}

const resourceOf = (ref: string): string => ref.split("/").at(-1) ?? "";

function resourceIn({ $ref, items, additionalProperties }: Schema): string | undefined {
  if ($ref) return resourceOf($ref);
  const inner = items ?? (additionalProperties || undefined);
  return inner && resourceIn(inner);
}

function typeOf({ $ref, type, items, anyOf, oneOf, additionalProperties, properties, ...schema }: Schema): string {
  if ($ref) return resourceOf($ref);
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (items) return isAnything(items) ? "array" : `array of ${typeOf(items)}`;
  if (type === "object" && !properties && additionalProperties && !isAnything(additionalProperties))
    return `object of ${typeOf(additionalProperties)}`;
  return [type ?? "anything"].flat().join(" or ");
}

const isAnything = (schema: object): boolean => Object.keys(schema).length === 0 || "not" in schema;

function limitsOf({ minimum, maximum, maxLength, format }: Schema): string[] {
  return [format, rangeOf(minimum, maximum), maxLength !== undefined && `at most ${maxLength} characters`].filter(
    (each) => !!each,
  ) as string[];
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

/**
 * Returns HTML for the Markdown that our descriptions use: paragraphs, lists of `- `, `code`, *emphasis* and [links](address).
 * Everything else is escaped.
 */
export function paragraphs(markdown: string): string {
  return markdown
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) =>
      part.startsWith("- ") ? `<ul>${part.split(/^- /m).map(item).join("")}</ul>` : `<p>${words(part)}</p>`,
    )
    .join("\n");
}

const item = (text: string): string => (text === "" ? "" : `<li>${words(text.trim())}</li>`);

/** The same for a text of one paragraph, without its element. */
export const words = (markdown: string): string =>
  escapeHtml(markdown).replace(
    /`([^`]+)`|\*([^*]+)\*|\[([^\]]+)\]\((https?:[^)\s]+)\)/g,
    (_, code?: string, emphasis?: string, label?: string, address?: string) => {
      if (code) return `<code>${code}</code>`;
      return emphasis ? `<em>${emphasis}</em>` : `<a href="${address}">${label}</a>`;
    },
  );
