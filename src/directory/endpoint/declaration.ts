import type { Pool } from "pg";
import type { z } from "zod";
import type { Config } from "../../config/config.ts";
import type { Envelope } from "../../contract/envelope.ts";
import type { Replicas } from "../../db/replicas.ts";
import type { Json } from "../../http/json-schema.ts";
import type { Logger } from "../../http/logger.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import type { Access } from "../access.ts";
import type { DirectoryDeps } from "../deps.ts";
import type { Caller } from "./credentials.ts";
import type { Samples } from "./samples.ts";

export interface Endpoint<S extends z.ZodObject, C extends Caller> {
  /** POST is added to GET if the call has an effect. */
  methods: readonly Method[];
  path: `/v2/${string}`;
  summary: string;
  /** Further documentation in Markdown. */
  description?: string;
  parameters: S;
  response: z.ZodType;
  /** How many calls it counts as, by the parameters as sent; default 1. */
  cost?: (raw: Record<string, unknown>) => number;
  /** Whether its calls have a limit of their own, that of batches, instead of counting with the others of its group. */
  hasOwnLimit?: boolean;
  /** Whether the answer is the same for everybody until the next release: it gets an ETag, and is compressed as nothing in it is secret. */
  isConstant?: boolean;
  /** Default "reading". */
  needs?: Access | ((parameters: z.output<S>) => Access);
  /** Largest body in bytes; default 64 KB. */
  bodyLimit?: number;
  isOurs?: boolean;
  /** Whether it answers 404 for an id that the user has not, or that is the name of no endpoint. */
  mayMiss?: boolean;
  /** The 409 that it may answer; true if that has an empty `response`. */
  conflict?: Conflict | true;
  /** Whether it takes an Idempotency-Key: also a GET that writes may be repeated in transit. */
  isRepeatable?: boolean;
  /** `response` on the sample venues, for the documentation. */
  example: (samples: Samples) => Json;
  /** Optional parameters that the example of a call has, because it would have no effect without. */
  filledIn?: readonly string[];
  answer: (call: Call<z.output<S>, C>) => Promise<Answer>;
  lines?: ByLine<C>;
}

/** The answer to a body of NDJSON, with the parameters in the query: one envelope per line, in order. */
export interface ByLine<C extends Caller> {
  most: number;
  /** A line of the body. */
  line: z.ZodObject;
  parameters: z.ZodObject;
  /** Of the body. */
  example: readonly object[];
  /** `response` to a line; default that of the endpoint. */
  answered?: (samples: Samples) => Json;
  answer: (call: Call<Record<string, unknown>, C>, lines: string[]) => AsyncIterable<Envelope>;
}

export interface Conflict {
  /** Of the schema. */
  name: string;
  schema: z.ZodType;
  example: Json;
  detail: string;
}

export interface Call<P, C extends Caller = Caller> {
  caller: C;
  parameters: P;
  /** The API version date, YYYYMMDD. */
  v: string;
  id: string;
  idempotencyKey: string | undefined;
  /** For SELECTs only: a replica that has what the caller last wrote, or the primary. */
  reads: Pool;
}

type Method = "GET" | "POST";
type Answer = Record<string, unknown>;

export interface RegisteredEndpoint extends Omit<Endpoint<z.ZodObject, Caller>, "answer" | "needs" | "lines"> {
  needsUser: boolean;
  lines?: Omit<ByLine<Caller>, "answer"> | undefined;
  /** `raw` holds the parameters as sent. */
  answer(
    caller: Caller,
    raw: Record<string, unknown>,
    more: { id: string; idempotencyKey?: string | undefined },
  ): Promise<Answer>;
}

export interface ApiDeps extends DirectoryDeps {
  config: Pick<Config, "auth" | "api" | "tls" | "trustProxy" | "rateLimit" | "languages" | "basemap" | "publicSearch">;
  log: Logger;
  stopping?: AbortSignal | undefined;
  endpoints: RegisteredEndpoint[];
  replicas: Replicas;
}

/**
 * What to answer at the path of a venue whose id is unknown: `otherwise`, unless the id is a word of letters, as the names of endpoints that this
 * directory does not have (venues/explore), or only for other methods (wire-format 3).
 */
export function ifNoEndpoint(deps: ApiDeps, id: string, otherwise: unknown): unknown {
  if (!/^[a-z]{3,23}$/i.test(id)) return otherwise;
  const path = `/v2/venues/${id}`;
  return ofOtherMethods(deps, path) ?? notFound(`There is no endpoint ${path}, and no venue with this id.`);
}

/** HEAD of an endpoint that has none would be taken for HEAD of an id: of venues/add, for that of venues/ID. */
export function refuseHeadOfNamed(deps: ApiDeps, pattern: string, id: string): void {
  const refusal = pattern.endsWith(":id") && ofOtherMethods(deps, pattern.replace(":id", id));
  if (refusal) throw refusal;
}

function ofOtherMethods({ endpoints }: ApiDeps, path: string): KnownError | undefined {
  const named = endpoints.find((endpoint) => endpoint.path.toLowerCase() === path.toLowerCase());
  if (!named) return undefined;
  const allow = named.methods.join(", ");
  return new KnownError(405, "other", `This address supports only ${allow}.`, { headers: { allow } });
}
