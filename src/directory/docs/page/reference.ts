import type { openApiDocument } from "../document.ts";
import type { Sample, Sent } from "../sample.ts";
import { type Field, fieldOf, fieldsOf, resourceOf, type Schema } from "./fields.ts";
import { paragraphs, words } from "./prose.ts";

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
export interface ShownContent {
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
export function referenceOf(document: Document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) => {
    const { servers, ...methods } = item as { servers?: { url: string }[] } & Record<string, Documented>;
    const ofPath = Object.entries(methods as Record<string, Documented>).map(([method, operation]) =>
      shownOperation(document, { method, path, host: servers?.[0]?.url, operation }),
    );
    return withoutTwins(ofPath);
  });
  const groups = document.tags.map(({ name, description }) => ({
    ...{ name, description },
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
    ...{ groups, errors },
    resources: resourcesIn(document, operations),
  };
}

/** Of a GET and a POST that say and take the same, one stands for both. */
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
    ...{ path, operations: all },
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
    ...{ id, path, host, summary },
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
