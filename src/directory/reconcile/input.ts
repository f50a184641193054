import { z } from "zod";
import {
  type AskedFor,
  type ExtendQuery,
  extendQuery,
  LARGEST_BATCH,
  query02,
  query10,
} from "../../contract/reconcile/queries.ts";
import { KnownError } from "../../shared/errors.ts";

/** Bytes. */
export const LARGEST_BODY = 1024 * 1024;

/** The error never repeats the text. Throws KnownError 400. */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KnownError(400, "param_error", `${name} is not JSON: check its quotes, commas and brackets.`, { cause });
  }
}

/** Throws KnownError 400, or 413 for too many queries ("Service Manifest", batchSize). */
export function readBatch<T extends object>(name: string, given: unknown, shape: z.ZodType<T>, example: string): T {
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw new KnownError(400, "param_error", `${name} must be ${example}.`);
  if (Object.keys(parsed.data).length > LARGEST_BATCH)
    throw new KnownError(
      413,
      "param_error",
      `A call may have at most ${LARGEST_BATCH} queries. Send the rest in another call.`,
    );
  return parsed.data;
}

export type Read = AskedFor | { error: string };

/** Returns errors, because OpenRefine would lose the whole batch if one query failed it. */
export function readQuery02(raw: unknown): Read {
  const { data, error } = query02.safeParse(raw);
  return data ?? { error: `${error?.issues[0]?.message ?? "the query is malformed"}.` };
}

/**
 * Reads the queries of a batch (Reconciliation API 1.0, "Error Handling and Rate-limiting"): one bad query fails all of them.
 * Throws KnownError 400 that says where the first error is.
 */
export function readQueries10(batch: unknown[]): Read[] {
  const { data, error } = z.array(query10).safeParse(batch);
  if (data) return data;
  const [{ path = [], message = "is malformed" } = {}] = error.issues;
  const where = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  throw new KnownError(400, "param_error", `queries${where} ${message}.`);
}

export function readExtension(given: unknown): ExtendQuery {
  const parsed = extendQuery.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue?.path.length
    ? issue.message
    : 'send an object such as {"ids": ["…"], "properties": [{"id": "ll"}]}';
  throw new KnownError(400, "param_error", `${message}.`);
}
