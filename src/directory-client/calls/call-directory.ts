import type { Headers } from "undici";
import type { z } from "zod";
import { type Auth, readAnswer } from "./answers.ts";
import { callJson, type Line } from "./call-json.ts";
import { measured } from "./metrics.ts";

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
export function parametersSent(
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
