import { beforeAll, expect } from "vitest";
import { reserveProvider } from "../../src/directory/applications/providers.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { openApi, operationsOf } from "../directory/docs/openapi.ts";
import { categoryId, type RunningDirectory, V } from "./running-directory.ts";

export type Fields = Record<string, string>;

export interface Endpoint {
  method: "GET" | "POST" | "DELETE";
  /** As documented, such as /v2/venues/{id}. */
  path: string;
  /** Documented parameters, without the common ones. */
  known: string[];
}

const PROVIDER = "our-maps";

/** Prepares a user, a venue and calls of the venue API. Call it at the top of a test file. */
export function venueApi(directory: RunningDirectory) {
  const client = { client_id: "", client_secret: "" };
  const user = { id: "", oauth_token: "" };
  const venue = { id: "" };
  /** Used by nobody, so that who added it may edit it. */
  const unused = { id: "" };
  /** Of the user, for a venue of another user; withdrawn by the first call. */
  const proposal = { id: "" };
  /** Of the user, at a venue that nothing else uses. */
  const checkin = { id: "" };
  const endpoints: Endpoint[] = [];
  let count = 0;

  beforeAll(async () => {
    const { clientId, clientSecret } = await directory.application();
    Object.assign(client, { client_id: clientId, client_secret: clientSecret });
    user.id = (await directory.user()).id;
    user.oauth_token = await directory.token({ userId: user.id, clientId });
    await reserveProvider(directory.deps, PROVIDER, clientId);
    venue.id = await api.add();
    unused.id = await api.add();
    const other = await directory.token({ userId: (await directory.user()).id, clientId });
    const foreign = { venueId: await api.add({ oauth_token: other }), city: "Providence", ...user };
    const proposed = await directory.call("/v2/venues/propose", foreign, { method: "POST" });
    proposal.id = (proposed.body?.response.proposal as { id: string } | undefined)?.id ?? expect.fail(proposed.text);
    const visit = { venueId: await api.add(), ...user };
    const visited = await directory.call("/v2/checkins/add", visit, { method: "POST" });
    checkin.id = (visited.body?.response.checkin as { id: string } | undefined)?.id ?? expect.fail(visited.text);
    const document = await (await fetch(`${directory.api}/docs/openapi.json`)).json();
    endpoints.push(...endpointsOf(document));
    expect(endpoints.length).toBeGreaterThan(10);
  });

  const api = {
    client,
    user,
    /** Reserved for the client. */
    provider: PROVIDER,
    venue,
    /** Every endpoint under /v2 with each method. */
    endpoints,

    /** Parameters of a unique, remote venue. */
    newVenue(more: Fields = {}): Fields {
      count += 1;
      const name = `${letters()} ${letters()}`;
      const ll = `${(count % 1000) / 10 - 50},${20 + Math.floor(count / 1000)}`;
      return { name, ll, primaryCategoryId: categoryId("Coffee Shop"), ...more };
    },

    async add(more: Fields = {}): Promise<string> {
      const { body, text } = await directory.call(
        "/v2/venues/add",
        { ...user, ...api.newVenue(more) },
        { method: "POST" },
      );
      return body?.response.venue?.id ?? expect.fail(text);
    },

    /** Returns path and parameters of a valid call by a user. */
    goodCall({ path }: Pick<Endpoint, "path">): [path: string, fields: Fields] {
      count += 1;
      const link = { providerId: PROVIDER, linkedId: `listing ${count}` };
      const fields: Record<string, Fields> = {
        "/v2/venues/search": { ll: "0,0" },
        "/v2/venues/match": { listings: '[{"name":"Spot","ll":"0,0"}]' },
        "/v2/venues/add": api.newVenue(),
        "/v2/venues/annotate": { ...link, venueId: venue.id },
        "/v2/venues/{id}/annotate": link,
        "/v2/venues/lookup": { venueId: venue.id },
        "/v2/venues/edit": { venueId: unused.id, description: `Note ${count}` },
        "/v2/venues/propose": { venueId: unused.id, description: `Proposed note ${count}` },
        "/v2/venues/withdraw": { proposalId: proposal.id },
        "/v2/checkins/add": { venueId: venue.id },
        "/v2/checkins/edit": { checkinId: checkin.id, shout: `Words ${count}` },
        "/v2/multi": { requests: "/users/self" },
        "/v2/addresses/locate": { address: "1 Main St", near: "Providence" },
        "/v2/map/tile": { z: "0", x: "0", y: "0" },
      };
      const address = path.replace("{id}", path.startsWith("/v2/users/") ? "self" : venue.id);
      return [address, { oauth_token: user.oauth_token, ...fields[path] }];
    },

    /** Counts the rows of each table, without counters of calls. */
    async rows(): Promise<Record<string, number>> {
      const { rows: tables } = await directory.database.pool.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'directory'",
      );
      const names = tables.map(({ name }) => name).filter((name) => name !== "rate_count");
      const columns = names.map((name) => `(SELECT count(*)::int FROM directory."${name}") AS "${name}"`);
      const { rows } = await directory.database.pool.query<Record<string, number>>(`SELECT ${columns.join(", ")}`);
      return rows[0] ?? {};
    },
  };
  return api;
}

const letters = () => randomToken(6).replace(/[^A-Za-z]/g, "q");

function endpointsOf(document: unknown): Endpoint[] {
  // Lines are the same calls, and have tests of their own (test/directory/api/written-lines.test.ts).
  const documented = operationsOf(openApi.parse(document)).filter(
    ({ path }) => path.startsWith("/v2/") && !path.endsWith("/lines"),
  );
  return documented.map(({ method, path, operation }) => {
    const inQuery = (operation.parameters ?? []).flatMap((each) =>
      "in" in each && each.in === "query" ? each.name : [],
    );
    const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema.properties ?? {};
    return { method, path, known: [...new Set([...inQuery, ...Object.keys(form)])] };
  });
}

type Answer = Awaited<ReturnType<RunningDirectory["call"]>>;

/** Expects an error envelope that repeats the status, with an empty `response`. */
export function expectError(what: unknown, { status, headers, body, text }: Answer, expected: number, type: string) {
  const { code, errorType, errorDetail } = body?.meta ?? {};
  const seen = { what, status, code, errorType, response: body?.response, kind: headers.get("content-type"), text };
  expect(seen).toEqual({
    what,
    status: expected,
    code: expected,
    errorType: type,
    response: {},
    kind: "application/json; charset=utf-8",
    text,
  });
  expect(errorDetail).toMatch(/\w/);
}

export async function forEach<T>(all: Iterable<T>, work: (each: T) => Promise<unknown>): Promise<void> {
  const waiting = all[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  const ends = await Promise.allSettled(Array.from({ length: 4 }, worker)); // none goes on into the next test
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Builds a raw request, for what fetch cannot send. Each character is a byte. */
export function written(method: string, target: string, { host, body = "", headers = {} }: Written): string {
  const all = { Host: host, Connection: "close", "Content-Length": String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

interface Written {
  host: string;
  body?: string;
  headers?: Record<string, string>;
}

/** 0 if there is none. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** Builds a query string with the version. */
export const query = (fields: Fields): string => new URLSearchParams({ v: V, ...fields }).toString();
