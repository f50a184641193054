import type { Headers } from "undici";
import { z } from "zod";
import { type Auth, readAnswer } from "./answers.ts";
import { type Answer, callJson, type Line, readJson, reasonOf, send } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";
import { measured } from "./outbound.ts";

export interface DirectoryClientOptions extends Line {
  baseUrl: string;
  /** `v`, YYYYMMDD. */
  version: string;
}

/** Undefined and empty ones are not sent. */
export type Parameters = Record<string, string | number | undefined>;

export interface More {
  headers?: Record<string, string>;
  maxBytes?: number;
  method?: "GET" | "POST";
  signal?: AbortSignal | undefined;
}

interface Asked<S extends z.ZodType> extends More {
  schema: S;
  path: string | URL;
  auth: Auth;
  parameters: Parameters;
  onHeaders?: (headers: Headers) => void;
}

/** Sends a call with the options of one client. */
export type Call = <S extends z.ZodType>(
  schema: S,
  path: string,
  auth: Auth,
  parameters: Parameters,
  more?: More,
) => Promise<z.output<S>>;

/** Sends one call to the API host. Throws only DirectoryError. */
export async function callDirectory<S extends z.ZodType>(
  { baseUrl, ...options }: DirectoryClientOptions,
  { schema, path, auth, parameters, method = "GET", headers = {}, maxBytes = 1_000_000, signal, onHeaders }: Asked<S>,
): Promise<z.output<S>> {
  const url = path instanceof URL ? new URL(path) : new URL(`/v2/${path}`, baseUrl);
  const sent = parametersSent(options, parameters, auth);
  if (method === "GET") for (const [name, value] of sent) url.searchParams.set(name, value);
  const form = method === "POST" && { form: Object.fromEntries(sent) };
  return measured("api", async () => {
    const answer = await callJson(options, url, { method, headers, maxBytes, signal, ...form });
    onHeaders?.(answer.headers);
    return readAnswer(schema, answer, auth);
  });
}

/** Adds version and credentials, without which the API host answers nothing. */
function parametersSent(
  { version }: Pick<DirectoryClientOptions, "version">,
  parameters: Parameters,
  auth: Auth,
): [name: string, value: string][] {
  const who =
    "token" in auth ? { oauth_token: auth.token } : { client_id: auth.clientId, client_secret: auth.clientSecret };
  return Object.entries({ v: version, ...parameters, ...who }).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
}

interface LinesCall extends Exchange {
  auth: Auth;
  /** Of all lines. */
  parameters?: Parameters;
}

interface Exchange {
  lines: string[];
  /** Characters of a line of the answer. */
  longestLine: number;
  signal?: AbortSignal | undefined;
  onHeaders: (headers: Headers) => void;
  /** A line that is not JSON is undefined. */
  onLine: (body: unknown) => void;
}

const NDJSON = "application/x-ndjson";

/**
 * Sends lines of JSON (NDJSON) and passes on those of the answer as they arrive. The deadline is for each piece of it.
 * @throws DirectoryError as callDirectory() does, also in the middle
 */
export async function callLines(options: DirectoryClientOptions, path: string | URL, call: LinesCall): Promise<void> {
  const url = new URL(path, options.baseUrl);
  for (const [name, value] of parametersSent(options, call.parameters ?? {}, call.auth))
    url.searchParams.set(name, value);
  await measured("api", async () => {
    const other = await exchange(options, url, call);
    if (other) readAnswer(z.never(), other, call.auth);
  });
}

/** Returns the answer if it is one JSON document instead of lines, such as an error. */
async function exchange(line: Line, url: URL, call: Exchange): Promise<Answer | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new DOMException("silent for too long", "TimeoutError")),
    line.deadlineMs,
  );
  try {
    const response = await send(line, url, {
      method: "POST",
      headers: { "content-type": NDJSON, accept: `${NDJSON}, application/json` },
      body: call.lines.map((each) => `${each}\n`).join(""),
      signal: call.signal ? AbortSignal.any([silence.signal, call.signal]) : silence.signal,
    });
    call.onHeaders(response.headers);
    if (!response.headers.get("content-type")?.startsWith(NDJSON)) return await readJson(response, 65_536);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let left = "";
    for await (const bytes of response.body ?? []) {
      timer.refresh();
      const lines = (left + decoder.decode(bytes, { stream: true })).split("\n");
      left = lines.pop() ?? "";
      if (left.length > call.longestLine)
        throw new DirectoryError("invalid_answer", undefined, { reason: "a line too long" });
      for (const each of lines) call.onLine(parseLine(each));
    }
    return undefined;
  } catch (error) {
    if (error instanceof DirectoryError) throw error;
    throw new DirectoryError("unreachable", undefined, { reason: reasonOf(error) });
  } finally {
    clearTimeout(timer);
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
