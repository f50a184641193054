import type { FastifyInstance } from "fastify";
import type { Envelope } from "../../contract/envelope.ts";
import { multiParameters, splitRequests } from "../../contract/parameters.ts";
import { multiResponse } from "../../contract/resources.ts";
import { parseFields } from "../../http/parameters.ts";
import { atMost } from "../../shared/at-most.ts";
import { randomId } from "../../shared/crypto.ts";
import { badRequest, notFound } from "../../shared/errors.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps, RegisteredEndpoint } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { errorEnvelope, foreseen, successEnvelope } from "../endpoint/envelope.ts";
import { inEnvelopes } from "../endpoint/samples.ts";

/** Requests of one call that run at once, to leave database connections to other callers. */
const AT_ONCE = 2;

/** Credentials and `v` come from the call itself, not from its requests (wire-format 11). */
export function registerMulti(app: FastifyInstance, deps: ApiDeps): void {
  openEndpoint(app, deps, {
    methods: ["GET", "POST"],
    path: "/v2/multi",
    summary: "Up to five calls that read, in one",
    parameters: multiParameters,
    response: multiResponse,
    example: ({ found, categoryTree }) => ({ responses: inEnvelopes(found, { categories: categoryTree }) }),
    cost: ({ requests = "" }) => Math.min(splitRequests(String(requests)).length, 5),
    answer: async ({ caller, parameters, v }) => ({
      responses: await atMost(AT_ONCE, parameters.requests, (request) => answerOne(deps, caller, v, request)),
    }),
  });
}

async function answerOne(deps: ApiDeps, caller: Caller, v: string, request: string): Promise<Envelope> {
  const about = { id: randomId(), caller };
  try {
    const [path = "", ...query] = request.trim().split("?");
    const { endpoint, id } = findEndpoint(deps.endpoints, path);
    if (endpoint.methods.includes("POST"))
      throw badRequest("multi takes only requests that read. Send this one as a call of its own.");
    const raw = Object.assign(parseFields(plainQuery(query.join("?"))), { v });
    return successEnvelope(about, await endpoint.answer(caller, raw, { id }));
  } catch (error) {
    return errorEnvelope(about, foreseen(error, deps.log.child({ request: about.id })));
  }
}

/** The Python client encodes the whole query twice, the PHP client once. A query without `=` is still encoded. */
function plainQuery(query: string): string {
  if (query.includes("=")) return query;
  return decode(query) ?? "";
}

/** Accepts paths in any case, with or without /v2. */
function findEndpoint(endpoints: RegisteredEndpoint[], path: string): { endpoint: RegisteredEndpoint; id: string } {
  const segments = `/v2/${path.replace(/^\/(?:v2\/)?/i, "").replace(/\/$/, "")}`.split("/");
  const fitting = endpoints.filter((endpoint) => fits(endpoint.path.split("/"), segments));
  const endpoint = fitting.find(({ path }) => !path.includes(":")) ?? fitting[0];
  if (!endpoint) throw notFound();
  return { endpoint, id: decode(segments[endpoint.path.split("/").indexOf(":id")] ?? "") ?? "" };
}

const fits = (pattern: string[], segments: string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => {
    const given = segments[index] ?? "";
    return part === ":id" ? given !== "" : part.toLowerCase() === given.toLowerCase();
  });

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
