import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { addApplication, type NewApplication } from "../../../src/directory/applications/applications.ts";
import { buildAuth } from "../../../src/directory/auth/app.ts";
import type { AuthDeps } from "../../../src/directory/auth/base/session.ts";
import type { DirectoryDeps } from "../../../src/directory/deps.ts";
import { addUser } from "../../../src/directory/users.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { createVault, randomToken } from "../../../src/shared/crypto.ts";
import { testDatabase } from "../../support/database/database.ts";
import { freePort } from "../../support/free-port.ts";
import { createHttpClient, type HttpClient, type Page } from "../../support/http-client.ts";
import { collectLogs } from "../../support/logs.ts";

export const CALLBACK = "https://app.example/callback";

export interface AuthHost {
  /** `{auth_url}` */
  url: string;
  deps: DirectoryDeps;
  logs: ReturnType<typeof collectLogs>;
  browser(): HttpClient;
  /** Creates a user with a new handle. */
  user(): Promise<{ id: string; handle: string; password: string }>;
  /** The default redirect URI is CALLBACK. */
  application(more?: Partial<NewApplication>): Promise<{ clientId: string; clientSecret: string }>;
}

/**
 * Starts the auth host on a database of its own, and a second instance with the same secrets at `twin` if the file has one. Call it
 * at the top level of the file.
 */
export async function authHost({
  signUp = false,
  publicSearch = true,
  admins = [],
  operator,
  languages = ["en"],
  hasTwin = false,
}: {
  signUp?: boolean;
  publicSearch?: boolean;
  admins?: string[];
  operator?: DirectoryDeps["operator"];
  languages?: AuthDeps["config"]["languages"];
  hasTwin?: boolean;
} = {}): Promise<AuthHost & { twin: string }> {
  const { database } = await testDatabase();
  const { prisma, pool } = database;
  const vault = createVault([randomToken()], "directory");
  const deps: DirectoryDeps = { prisma, pool, vault, ...(operator && { operator }) };
  const logs = collectLogs();
  const log = createLogger({ level: "trace", destination: logs });
  const config = {
    api: { url: "http://localhost:3002", host: "127.0.0.1", port: 3002 },
    tls: undefined,
    trustProxy: ["127.0.0.0/8"],
    basemap: undefined,
    languages,
    sessionSecrets: [randomToken()],
    production: true,
    signUp,
    publicSearch,
    admins,
  };
  const instance = async () => {
    const port = await freePort();
    const auth = { url: `http://localhost:${port}`, host: "127.0.0.1", port };
    const app = await buildAuth({ ...deps, config: { ...config, auth }, log });
    beforeAll(() => app.listen(auth));
    afterAll(() => app.close());
    return auth.url;
  };
  const [url, twin] = [await instance(), hasTwin ? await instance() : ""];
  let ownerId = "";
  beforeAll(async () => {
    ownerId = (await addUser(deps, { handle: "owner", password: randomToken() })).id;
  });
  let users = 0;
  return {
    url,
    twin,
    deps,
    logs,
    browser: () => createHttpClient(url),
    async user() {
      users += 1;
      const password = `password-${randomToken(6)}`;
      const { id, handle } = await addUser(deps, { handle: `user-${users}`, password });
      return { id, handle, password };
    },
    application: (more = {}) => addApplication(deps, { ownerId, name: "Map app", redirectUris: [CALLBACK], ...more }),
  };
}

export function authorizePath(clientId: string, more: Record<string, string> = {}, path = "authenticate"): string {
  const query = { client_id: clientId, response_type: "code", redirect_uri: CALLBACK, ...more };
  return `/oauth2/${path}?${new URLSearchParams(query)}`;
}

/** Submits the page's log-in form and follows the redirect. */
export async function logIn(
  browser: HttpClient,
  page: Page,
  { handle, password }: { handle: string; password: string },
): Promise<Page> {
  return browser.follow(await browser.submit(page, "/login", { handle, password }));
}

/** Returns a browser that is logged in without an application. */
export async function loggedIn(host: AuthHost, user: { handle: string; password: string }): Promise<HttpClient> {
  const browser = host.browser();
  await logIn(browser, await browser.get("/login"), user);
  return browser;
}

export const decide = (browser: HttpClient, page: Page, decision: "allow" | "deny"): Promise<Page> =>
  browser.submit(page, "/oauth2/consent", { decision });

/** Performs a whole log-in of a signed-in user up to the code. */
export async function codeFor(
  browser: HttpClient,
  clientId: string,
  more: Record<string, string> = {},
): Promise<string> {
  const first = await browser.get(authorizePath(clientId, more));
  const last = first.location ? first : await decide(browser, first, "allow");
  return new URL(last.location).searchParams.get("code") ?? "";
}

interface Exchanged {
  access_token?: string;
  error?: string;
  error_description?: string;
}

/** Exchanges a code by GET, as the interface shows it. */
export async function exchange(
  host: Pick<AuthHost, "url">,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  code: string,
  more: Record<string, string> = {},
): Promise<{ status: number; body: Exchanged }> {
  const query = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: "authorization_code",
    redirect_uri: CALLBACK,
    code,
    ...more,
  });
  const reply = await fetch(`${host.url}/oauth2/access_token?${query}`);
  return { status: reply.status, body: (await reply.json()) as Exchanged };
}

/** For requests that fetch cannot send: another Host header, the method TRACE. */
export function rawRequest(
  address: string,
  options: Pick<RequestOptions, "method" | "headers">,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(address, options, (reply) => {
      let body = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }));
    });
    call.on("error", reject).end();
  });
}
