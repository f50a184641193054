import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answers, type Behaviour, usual } from "./behaviours.ts";
import { answerOf, freshState, issueCode, type ReceivedRequest, random } from "./fake-endpoints.ts";

export type { ReceivedRequest };

/**
 * A small directory that speaks interface.md and no more, for the client's side of the tests: two hosts on 127.0.0.1,
 * where somebody is always signed in and always consents. Each endpoint can be told to misbehave:
 *
 *     directory.behave("/oauth2/access_token", hangs());
 *     directory.behave("/v2/*", unauthorizedFrom(3));
 *
 * @param options.script behaviours from the start on, by path
 */
export async function startFakeDirectory(options: { script?: Record<string, Behaviour> } = {}) {
  const behaviours = new Map(Object.entries(options.script ?? {}));
  const requests: ReceivedRequest[] = [];
  const state = freshState();
  const metadata: Record<string, unknown> = {};
  /** From here on its metadata say so, too. */
  const tell = (more: Record<string, unknown>) => {
    Object.assign(metadata, { issuer: authUrl, ...more });
    behaviours.set("/.well-known/*", answers(200, metadata));
  };

  const behaviourFor = (path: string): Behaviour => {
    const fits = (pattern: string) => pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1));
    const [longest] = [...behaviours.keys()].filter(fits).sort((a, b) => b.length - a.length);
    return behaviours.get(path) ?? behaviours.get(longest ?? "") ?? usual;
  };
  const serve = (host: ReceivedRequest["host"]) =>
    createServer(async (incoming, response) => {
      const request = await receive(host, incoming).catch(() => undefined); // the client went away
      if (!request) return;
      requests.push(request);
      behaviourFor(request.path)({ response, usual: () => answerOf(request, state) });
    });
  const [auth, api] = [serve("auth"), serve("api")];
  const [authUrl, baseUrl] = await Promise.all([listen(auth), listen(api)]);

  return {
    authUrl,
    baseUrl,
    client: state.client,
    requests,
    /** Every code, token and secret it has handed out. */
    secrets: state.secrets,
    /** `path` is a whole path, or its beginning and `*`. The longest that fits decides. */
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    /** How often this path was called; what `multi` and venues/match do inside is not counted. */
    calls: (path: string) => requests.filter((request) => request.path === path).length,
    venuesNamed: (name: string) => state.venues.filter((venue) => venue.name === name).length,
    /** Well behaved again, with nothing received and nothing offered; codes, tokens and added venues stay. */
    reset() {
      behaviours.clear();
      state.offers.clear();
      for (const name of Object.keys(metadata)) delete metadata[name];
      requests.length = 0;
    },
    /** From here on its metadata say that an application can change its own secret. */
    offerSecrets: () => tell({ client_secret_endpoint: `${authUrl}/oauth2/client_secret` }),
    /** From here on it has venues/match, and its metadata say so. */
    offerMatch() {
      state.offers.add("/v2/venues/match");
      tell({ venue_match_endpoint: `${baseUrl}/v2/venues/match` });
    },
    /** From here on it has multi. */
    offerMulti: () => void state.offers.add("/v2/multi"),
    /** From here on an add with an Idempotency-Key takes place once, and its metadata say so. */
    offerKeys() {
      state.offers.add("keys");
      tell({ idempotency_keys_supported: true });
    },
    /** From here on another person is signed in. */
    signIn: (firstName: string) => (state.signedIn = { id: random(12), firstName }),
    /** A code for whoever is signed in, as if the consent had been given. */
    issueCode: (redirectUri: string, clientId = state.client.id) => issueCode(state, clientId, redirectUri),
    /** Whoever is signed in disconnects the application: the token is no longer valid. */
    revoke() {
      for (const [token, { id }] of state.tokens) if (id === state.signedIn.id) state.tokens.delete(token);
    },
    async close() {
      for (const server of [auth, api]) server.closeAllConnections();
      await Promise.all([auth, api].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function receive(host: ReceivedRequest["host"], incoming: IncomingMessage): Promise<ReceivedRequest> {
  const { method = "", url = "/", headers } = incoming;
  const { pathname, searchParams } = new URL(url, "http://fake");
  const body = await text(incoming);
  const form = headers["content-type"]?.includes("urlencoded") ? new URLSearchParams(body) : [];
  return { host, method, path: pathname, params: Object.fromEntries([...searchParams, ...form]), headers, body };
}
