import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import type { Envelope } from "../../../src/contract/envelope.ts";
import type { Venue } from "../../../src/contract/resources.ts";
import type { Operator } from "../../../src/directory/access.ts";
import { buildApi } from "../../../src/directory/api/app.ts";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { allCategories } from "../../../src/directory/categories/tree.ts";
import type { DirectoryDeps } from "../../../src/directory/deps.ts";
import { consent, type TokenPair, tokenOf } from "../../../src/directory/tokens.ts";
import { addUser } from "../../../src/directory/users.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { createVault, randomToken } from "../../../src/shared/crypto.ts";
import { testDatabase } from "../../support/database/database.ts";

export const AUTH_URL = "http://localhost:3001";
export const API_URL = "http://localhost:3002";
export const V = "20260101";

/** Downtown Providence, where the sample is densest. */
export const DOWNTOWN = "41.8240,-71.4128";

type Fields = Record<string, string | number | string[]>;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  body: Envelope;
}

export interface ApiHost {
  deps: DirectoryDeps;
  /** Adds neither credentials nor `v`. */
  send(method: string, path: string, fields?: Fields, more?: Sending): Promise<Answer>;
  /** Listens on a free port of 127.0.0.1 and returns it. */
  listen(): Promise<number>;
  /** Calls without a user's token. */
  userless(path: string, fields?: Fields): Promise<Answer>;
  /** POST sends the parameters in the body. */
  asUser(path: string, fields?: Fields, more?: { method?: string; key?: string; token?: string }): Promise<Answer>;
  application: { clientId: string; clientSecret: string };
  user: TokenPair & { token: string };
  newUser(): Promise<TokenPair & { token: string }>;
}

interface Sending {
  headers?: Record<string, string>;
  /** Sends a urlencoded body. */
  body?: Fields;
  /** Sends a raw body. */
  payload?: string | Buffer;
}

/** Starts the API host on a database of its own, with a user, an application and optionally the sample venues. */
export async function apiHost({
  sample = false,
  rateLimit = "off",
  operators,
  holdNewVenues = "off",
  publicSearch = true,
}: {
  sample?: boolean;
  rateLimit?: Config["rateLimit"];
  /** Handles and ids, which a test may add to. The application's owner has the handle `owner`. */
  operators?: string[];
  holdNewVenues?: NonNullable<Operator["holdNewVenues"]>;
  publicSearch?: boolean;
} = {}): Promise<ApiHost> {
  const { database } = await testDatabase({ template: sample ? "sample" : "categories" });
  const deps: DirectoryDeps = { ...database, vault: createVault([randomToken()], "directory") };
  if (operators || holdNewVenues !== "off")
    deps.operator = {
      ...{ names: operators ?? [], contact: undefined, newApplications: "enabled", ownClient: undefined },
      holdNewVenues,
    };
  const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
  const address = { url: API_URL, host: "127.0.0.1", port: 0 };
  const app = await buildApi({
    ...deps,
    log,
    config: {
      auth: { ...address, url: AUTH_URL },
      api: address,
      tls: undefined,
      trustProxy: undefined,
      basemap: undefined,
      publicSearch,
      languages: ["en", "es"],
      rateLimit,
    },
  });
  const host = { deps, ...calls(app) } as ApiHost;
  beforeAll(async () => {
    const owner = await addUser(deps, { handle: "owner", password: randomToken() });
    host.application = await addApplication(deps, {
      ownerId: owner.id,
      name: "Map app",
      redirectUris: ["https://app.example/callback"],
    });
    host.newUser = async () => {
      const { id } = await addUser(deps, {
        handle: randomToken(6).toLowerCase().replace(/\W/g, "x"),
        password: randomToken(),
      });
      return connect(deps, { userId: id, clientId: host.application.clientId });
    };
    host.user = await host.newUser();
  });
  afterAll(() => app.close());
  host.userless = (path, fields = {}) =>
    host.send("GET", path, { v: V, ...credentialsOf(host.application), ...fields });
  host.asUser = (path, fields = {}, { method = "GET", key, token = host.user.token } = {}) => {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    const all = { v: V, oauth_token: token, ...fields };
    return method === "GET"
      ? host.send("GET", path, all, { headers })
      : host.send(method, path, {}, { headers, body: all });
  };
  return host;
}

export async function connect(deps: DirectoryDeps, pair: TokenPair): Promise<TokenPair & { token: string }> {
  await consent(deps, pair);
  return { ...pair, token: await tokenOf(deps, pair) };
}

export const credentialsOf = ({ clientId, clientSecret }: ApiHost["application"]) => ({
  client_id: clientId,
  client_secret: clientSecret,
});

function calls(app: FastifyInstance): Pick<ApiHost, "send" | "listen"> {
  return {
    listen: async () => Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port),
    async send(method, path, fields = {}, { headers = {}, body, payload } = {}) {
      const query = encode(fields);
      const form = body && { "content-type": "application/x-www-form-urlencoded" };
      const reply = await app.inject({
        method: method as "GET",
        url: query ? `${path}?${query}` : path,
        headers: { ...form, ...headers },
        ...(body && { payload: encode(body) }),
        ...(payload !== undefined && { payload }),
      });
      const isJson = String(reply.headers["content-type"]).startsWith("application/json");
      const json = reply.body && isJson ? reply.json() : undefined;
      return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: json };
    },
  };
}

function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}

export const venuesOf = (answer: Answer): Venue[] => answer.body.response.venues as Venue[];

export const venueOf = (answer: Answer): Venue => answer.body.response.venue as Venue;

export function categoryId(name: string): string {
  const category = allCategories.find((each) => each.name === name);
  if (!category) throw new Error(`There is no category ${name}.`);
  return category.id;
}

let fresh = 0;

/** Parameters of venues/add for a unique venue far from all others. */
export function freshVenue(more: Record<string, string> = {}): Record<string, string> & { name: string; ll: string } {
  fresh += 1;
  const name = `${randomToken(6).replace(/[^A-Za-z]/g, "q")} ${randomToken(6).replace(/[^A-Za-z]/g, "z")}`;
  return { name, ll: `${10 + fresh * 0.1},20.5`, primaryCategoryId: categoryId("Coffee Shop"), ...more };
}

export async function addedVenues({ deps }: ApiHost): Promise<number> {
  return deps.prisma.venue.count();
}

/** Expects an error envelope with the status in `meta.code` and an empty `response`. */
export function expectError(answer: Answer, status: number, errorType: string): void {
  expect(answer.body.meta).toMatchObject({ code: status, errorType, errorDetail: expect.stringMatching(/\w/) });
  expect(answer.status).toBe(status);
  expect(answer.body.response).toEqual({});
}

/** Drops what differs between calls: the request's id, and referralIds, which contain the second. */
export function comparable(envelope: Envelope): unknown {
  const { requestId: _, ...meta } = envelope.meta;
  const text = JSON.stringify({ ...envelope, meta });
  return JSON.parse(text.replace(/"referralId":"v-\d+"/g, '"referralId":"v"'));
}
