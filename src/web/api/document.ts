import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Json, SCHEMA_OPTIONS, sentIn, sentSchema, tidy } from "../../http/json-schema.ts";
import { sendView } from "../../http/pages/views.ts";
import { SOURCE_LANGUAGE } from "../../language/languages.ts";
import { inLanguage, t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { currentMember } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { MOST_CALLS } from "./admit.ts";
import { API, type Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";

const GROUPS: Record<keyof typeof ENDPOINTS, string> = {
  files: "Files: upload, columns, start, wait, export",
  rows: "Rows and decisions, also those made elsewhere",
  venues: "Venues of the directory: add, annotate, look again",
  lists: "Lists: people, and the webhook",
};

const problem = z.object({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string().meta({ description: "Stable, for programs." }),
  earlier_attempt: z.literal(true).optional().meta({
    description: "An earlier attempt with the same Idempotency-Key died or failed, and may have been carried out.",
  }),
  request_id: z.string(),
});

/** OpenAPI 3.1, made from the endpoints by which requests are checked. */
export function openApiDocument({ config }: Pick<Web, "config">): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, endpoints] of Object.entries(ENDPOINTS))
    for (const each of endpoints) {
      const path = each.path.replace(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [each.method.toLowerCase()]: operation(tag, each) };
    }
  return {
    openapi: "3.1.0",
    info: { title: "Samespot web app", version: "1", description: INTRODUCTION },
    servers: [{ url: config.web.url }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: answered(problem) },
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token of the settings." } },
    },
  };
}

const INTRODUCTION = `What people do with lists on the pages of Samespot, for their programs.

- Every call needs \`Authorization: Bearer TOKEN\`. People make tokens in their settings.
- Answers and bodies are JSON, but files that are uploaded and downloaded as they are.
- Errors are problem details (RFC 9457) with a stable \`code\`.
- A POST or DELETE with an \`Idempotency-Key\` may be sent again for a day: it is done once, and answered alike. Where the
  server died in the middle, the next attempt may be refused because the first was carried out; then \`earlier_attempt\` says so. An upload
  and a repair are found as they were made.
- ${MOST_CALLS} calls a minute of a person; beyond, 429 with \`Retry-After\`.`;

const answered = (schema: z.ZodType): Json => tidy(z.toJSONSchema(schema, SCHEMA_OPTIONS) as Json);

function operation(tag: string, each: Endpoint): Json {
  const { name, method, path, scope, summary, description, query, body, takesFile, answer, status = 200 } = each;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field = ""]) => ({
    name: field,
    in: "path",
    required: true,
    schema: field === "id" ? { type: "string", format: "uuid" } : { type: "integer", minimum: 1 },
  }));
  const key = { name: "Idempotency-Key", in: "header", required: false, schema: { type: "string", maxLength: 200 } };
  const file = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  const inForm = { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } };
  const fileSent = { ...file, "multipart/form-data": { schema: inForm } };
  const sent = takesFile ? fileSent : body && { "application/json": { schema: sentSchema(body) } };
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: [description, `Scope: \`${scope}\`.`].filter(Boolean).join("\n\n"),
    security: [{ token: [] }],
    "x-scope": scope,
    parameters: [...inPath, ...(query ? sentIn("query", query) : []), ...(method === "GET" ? [] : [key])],
    ...(sent && { requestBody: { required: takesFile === true, content: sent } }),
    responses: {
      [status]: {
        description: answer === "file" ? "The file." : "Done.",
        content: answer === "file" ? file : { "application/json": { schema: answered(answer) } },
      },
      default: {
        description: "Refused or failed.",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** `GET /api/v1/openapi.json` */
export const sendDocument = (web: Web, _request: FastifyRequest, reply: FastifyReply) =>
  reply
    .type("application/json; charset=utf-8")
    .send(inLanguage(SOURCE_LANGUAGE, () => JSON.stringify(openApiDocument(web))));

interface ShownField {
  /** In the address or in the body. */
  where: "?" | "{}";
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

function shownEndpoint({ name, method, path, scope, summary, description = "", query, body, takesFile }: Endpoint) {
  return {
    name,
    method,
    path,
    scope,
    summary,
    takesFile: takesFile === true,
    description: description.replaceAll("`", ""),
    fields: [...(query ? fieldsOf("?", query) : []), ...(body ? fieldsOf("{}", body) : [])],
  };
}

function fieldsOf(where: ShownField["where"], schema: z.ZodObject): ShownField[] {
  const { properties = {}, required = [] } = sentSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    where,
    name,
    type: typeInWords(field),
    isRequired: required.includes(name),
    description: String(field.description ?? "").replaceAll("`", ""),
  }));
}

function typeInWords({ type, enum: values, anyOf, default: usual }: Json): string {
  const named = Array.isArray(values)
    ? values.join(", ")
    : String(type ?? (Array.isArray(anyOf) ? "several types" : "any"));
  return usual === undefined ? named : `${named}; ${JSON.stringify(usual)} if missing`;
}

let made: { groups: { name: string; endpoints: ReturnType<typeof shownEndpoint>[] }[] } | undefined;

const reference = () => {
  made ??= inLanguage(SOURCE_LANGUAGE, () => ({
    groups: Object.entries(ENDPOINTS).map(([group, endpoints]) => ({
      name: GROUPS[group as keyof typeof GROUPS],
      endpoints: endpoints.map(shownEndpoint),
    })),
  }));
  return made;
};
export type ApiReference = ReturnType<typeof reference>;

/** `GET /api/v1`: what programs can do here, for people. */
export async function showApi(web: Web, request: FastifyRequest, reply: FastifyReply) {
  const member = await currentMember(web, request);
  const data = { title: t("API"), origin: web.config.web.url, api: API, mostCalls: MOST_CALLS, ...reference() };
  return member ? sendPage(reply, member, "api/index", data) : sendView(reply, "api/index", data);
}
