import { z } from "zod";
import {
  type AskedFor,
  type ExtendQuery,
  extendQuery,
  LARGEST_BATCH,
  query02,
  query10,
} from "../../contract/reconcile-queries.ts";
import { KnownError } from "../../shared/errors.ts";

/** Bytes of the largest body. */
export const LARGEST_BODY = 1024 * 1024;

/** @throws KnownError 400 for text that is no JSON; nothing of it is repeated */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KnownError(400, "param_error", `${name} is not JSON: check its quotes, commas and brackets.`, { cause });
  }
}

/**
 * The queries of a call, each as it was sent.
 *
 * @param example what should stand there
 * @throws KnownError 400 for another shape; 413 for too many ("Service Manifest", batchSize)
 */
export function readBatch<T extends object>(name: string, given: unknown, shape: z.ZodType<T>, example: string): T {
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw new KnownError(400, "param_error", `${name} must be ${example}.`);
  if (Object.keys(parsed.data).length > LARGEST_BATCH)
    throw new KnownError(413, "param_error", `A call may have ${LARGEST_BATCH} queries: send the rest in another.`);
  return parsed.data;
}

/** A query, or why it cannot be understood. */
export type Read = AskedFor | { error: string };

/** A query of 0.2. One that cannot be understood spoils no other: OpenRefine would lose the whole batch. */
export function readQuery02(raw: unknown): Read {
  const { data, error } = query02.safeParse(raw);
  return data ?? { error: `${error?.issues[0]?.message ?? "the query cannot be read"}.` };
}

/** @throws KnownError 400 that says where a query of 1.0 does not fit the protocol ("Error Handling and Rate-limiting") */
export function readQueries10(batch: unknown[]): Read[] {
  const { data, error } = z.array(query10).safeParse(batch);
  if (data) return data;
  const [{ path = [], message = "cannot be read" } = {}] = error.issues;
  const where = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  throw new KnownError(400, "param_error", `queries${where} ${message}.`);
}

/** @throws KnownError 400 that says what is wrong with a data extension query */
export function readExtension(given: unknown): ExtendQuery {
  const parsed = extendQuery.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue?.path.length
    ? issue.message
    : 'send an object such as {"ids": ["…"], "properties": [{"id": "ll"}]}';
  throw new KnownError(400, "param_error", `${message}.`);
}
