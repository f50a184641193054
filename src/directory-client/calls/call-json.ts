import { type Dispatcher, fetch, type Headers, type RequestInit, type Response } from "undici";
import { currentRequestId } from "../../shared/request-id.ts";
import { DirectoryError } from "./errors.ts";
import { retryAfter } from "./retry-after.ts";

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Line {
  /** Restricts the addresses that connections may reach (attacks W20). */
  dispatcher: Dispatcher;
  deadlineMs: number;
}

interface Call {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  form?: Record<string, string>;
  /** A body instead of a form, with its own content-type. */
  json?: string;
  /** Of the body, after decompression. With 0 the body is not read and need not be JSON. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Sends one call. Rejects redirects, which would pass on secrets of the query string. Errors contain no address.
 * @throws DirectoryError `unreachable`, `rate_limited` (429) or `invalid_answer`
 */
export async function callJson(line: Line, url: URL, call: Call): Promise<Answer> {
  const { method = "GET", headers = {}, form, json, maxBytes, signal } = call;
  const deadline = AbortSignal.timeout(line.deadlineMs);
  const response = await send(line, url, {
    method,
    headers,
    ...(form ? { body: new URLSearchParams(form) } : {}),
    ...(json !== undefined && { body: json }),
    signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
  });
  if (maxBytes > 0) return readJson(response, maxBytes);
  return {
    status: response.status,
    headers: response.headers,
    body: await response.body?.cancel().catch(() => undefined),
  };
}

/** Like callJson(), but the answer may be a stream. */
export async function send({ dispatcher }: Pick<Line, "dispatcher">, url: URL, init: RequestInit): Promise<Response> {
  const id = currentRequestId();
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    referrerPolicy: "no-referrer",
    headers: { accept: "application/json", ...(id && { "x-request-id": id }), ...init.headers },
    dispatcher,
  }).catch((error) => {
    if (error.cause instanceof DirectoryError) throw error.cause; // from the dispatcher: no permitted address
    throw new DirectoryError("unreachable", undefined, { reason: reasonOf(error) });
  });
  const { status } = response;
  if (status >= 300 && status < 400) throw await refusalOf(response, `status ${status}: a redirect`);
  if (status >= 500 || status === 429) throw await refusalOf(response, `status ${status}`);
  return response;
}

export async function readJson(response: Response, maxBytes: number): Promise<Answer> {
  const { status, headers } = response;
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers.get("content-type") ?? ""))
    throw await refusalOf(response, `status ${status}: not JSON`);
  return { status, headers, body: parse(await readBody(response, maxBytes)) };
}

async function refusalOf(response: Response, reason: string): Promise<DirectoryError> {
  const { status, headers } = response;
  await response.body?.cancel().catch(() => undefined);
  if (status === 429)
    return new DirectoryError("rate_limited", undefined, { reason, retryAfter: retryAfter(headers), answered: status });
  return new DirectoryError(status >= 500 ? "unreachable" : "invalid_answer", undefined, { reason, answered: status });
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) break; // leaving the loop cancels the body
      chunks.push(chunk);
    }
  } catch (error) {
    throw new DirectoryError("unreachable", undefined, { reason: reasonOf(error) });
  }
  if (size > maxBytes) throw new DirectoryError("invalid_answer", undefined, { reason: "body too large" });
  return Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new DirectoryError("invalid_answer", undefined, { reason: "not JSON in UTF-8" });
  }
}

// The code of a network error (ECONNREFUSED, TimeoutError), never its message.
export function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return "network error";
  return "code" in inner && typeof inner.code === "string" ? inner.code : inner.name;
}
