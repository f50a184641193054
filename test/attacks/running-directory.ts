import { appendFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { addApplication, type NewApplication } from "../../src/directory/applications/applications.ts";
import { allCategories } from "../../src/directory/categories/tree.ts";
import { directoryDeps } from "../../src/directory/deps.ts";
import { consent, type TokenPair, tokenOf } from "../../src/directory/tokens.ts";
import { addUser } from "../../src/directory/users.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot } from "../../src/main.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { testDatabase } from "../support/database/database.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { collectLogs } from "../support/logs.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

export const CALLBACK = "https://app.example/callback";
export const V = "20260101";

export interface Instance {
  /** `{auth_url}` and `{base_url}`. */
  auth: string;
  api: string;
}

type Env = Record<string, string>;
type Fields = Record<string, string> | [string, string][];

/**
 * Starts instances of the directory with real listeners on one database. Logs at level trace. Call it at the top of a
 * test file.
 */
export async function runningDirectory({ instances = 1, sample = false, env = {}, url: own }: Options = {}) {
  const { url, database } = own ? openOwn(own) : await testDatabase({ template: sample ? "sample" : "categories" });
  const logs = collectLogs();
  const dataDir = dataFolder();
  const started: Instance[] = [];
  const configs = [];
  for (let count = 0; count < instances; count += 1) {
    const addresses = await freeAddresses();
    const config = readConfig({
      ...PRODUCTION,
      ...addresses,
      ROLES: "directory",
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: "trace",
      RATE_LIMIT: "off",
      TRUST_PROXY: "127.0.0.0/8",
      ...env,
    });
    const { close } = await startSamespot(config, createLogger({ level: "trace", destination: logs }));
    afterAll(close);
    configs.push(config);
    started.push({ auth: addresses.AUTH_URL, api: addresses.BASE_URL });
  }
  const [first = { auth: "", api: "" }] = started;
  const [config] = configs;
  if (!config) throw new Error("At least one instance is needed.");
  const deps = directoryDeps({ config, database });
  let ownerId = "";
  beforeAll(async () => {
    ownerId = (await addUser(deps, { handle: "owner", password: randomToken() })).id;
  });
  let users = 0;

  return {
    ...first,
    instances: started,
    deps,
    database,
    config,
    logs,
    /** An HTTP client with cookies for the auth host. */
    browser: (instance = first): HttpClient => createHttpClient(instance.auth),
    async user() {
      users += 1;
      const password = `password-${randomToken(6)}`;
      const { id, handle } = await addUser(deps, { handle: `user-${users}`, password });
      return { id, handle, password };
    },
    application: (more: Partial<NewApplication> = {}) =>
      addApplication(deps, { ownerId, name: "Map app", redirectUris: [CALLBACK], ...more }),
    /** Issues the user's access token without a browser. */
    async token(pair: TokenPair) {
      await consent(deps, pair);
      return tokenOf(deps, pair);
    },
    /** Calls the API host with `v` unless given. POST sends a form. */
    async call(path: string, fields: Fields = {}, { method = "GET", headers = {}, on = first }: Calling = {}) {
      const all = new URLSearchParams(fields);
      if (!all.has("v")) all.append("v", V);
      const address = method === "GET" ? `${on.api}${path}?${all}` : `${on.api}${path}`;
      const send = () =>
        fetch(address, { method, headers, redirect: "manual", ...(method === "GET" ? {} : { body: all }) });
      let reply = await send();
      for (let tried = 1; reply.status === 503 && tried < TRIES; tried++) {
        if (SENT_AGAIN) appendFileSync(SENT_AGAIN, `${path}\n`);
        reply = await send();
      }
      const text = await reply.text();
      return {
        status: reply.status,
        headers: reply.headers,
        text,
        body: text.startsWith("{") ? JSON.parse(text) : undefined,
      };
    },
  };
}

/** A cluster on one busy machine may need longer than a statement has. Such a call has no effect and is sent again. */
const TRIES = CITUS_URL ? 20 : 1;
/** The file that lists these calls for `npm run citus`. */
const SENT_AGAIN = process.env.TEST_CITUS_SENT_AGAIN;

interface Options {
  instances?: number;
  /** Imports the sample venues. */
  sample?: boolean;
  env?: Env;
  /** Of an existing database. */
  url?: string;
}

function openOwn(url: string) {
  const database = openDatabase(url);
  afterAll(database.close);
  return { url, database };
}

interface Calling {
  method?: string;
  headers?: Record<string, string>;
  on?: Instance;
}

export type RunningDirectory = Awaited<ReturnType<typeof runningDirectory>>;

export function categoryId(name: string): string {
  const category = allCategories.find((each) => each.name === name);
  if (!category) throw new Error(`There is no category ${name}.`);
  return category.id;
}

/** Sends raw bytes and returns what is received until the end, or a silence of `quietMs`. */
export function rawExchange(address: string, bytes: string | Buffer, quietMs = 1000): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname === "localhost" ? "127.0.0.1" : hostname);
    let answer = "";
    socket.setEncoding("latin1").setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" ? resolve(answer) : reject(error),
    );
    socket.on("close", () => resolve(answer));
    socket.write(bytes);
  });
}
