import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answers, type Behaviour, usual } from "./behaviours.ts";
import { fakeCheckins } from "./fake-checkins.ts";
import { answerOf, freshState, issueCode, type ReceivedRequest, random } from "./fake-endpoints.ts";

export type { ReceivedRequest };

/**
 * A minimal directory on 127.0.0.1 that implements interface.md. Somebody is always signed in and always consents. Endpoints can
 * be made to misbehave, from the start with `script`:
 *
 *     directory.behave("/oauth2/access_token", hangs());
 *     directory.behave("/v2/*", unauthorizedFrom(3));
 */
export async function startFakeDirectory(options: { script?: Record<string, Behaviour> } = {}) {
  const behaviours = new Map(Object.entries(options.script ?? {}));
  const requests: ReceivedRequest[] = [];
  const state = freshState();
  const metadata: Record<string, unknown> = {};
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
    /** All codes, tokens and secrets that it has issued. */
    secrets: state.secrets,
    /** `path` is a whole path, or a prefix and `*`. The longest match applies. */
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    /** Counts the calls of a path, without those inside `multi` and venues/match. */
    calls: (path: string) => requests.filter((request) => request.path === path).length,
    venuesNamed: (name: string) => state.venues.filter((venue) => venue.name === name).length,
    /** Resets behaviours, requests and offers; codes, tokens and added venues stay. */
    reset() {
      behaviours.clear();
      state.offers.clear();
      for (const name of Object.keys(metadata)) delete metadata[name];
      requests.length = 0;
    },
    /** Announces in its metadata that an application can change its own secret. */
    offerSecrets: () => tell({ client_secret_endpoint: `${authUrl}/oauth2/client_secret` }),
    /** Adds venues/match, and announces it in the metadata. */
    offerMatch() {
      state.offers.add("/v2/venues/match");
      tell({ venue_match_endpoint: `${baseUrl}/v2/venues/match` });
    },
    /** The same, also by lines. */
    offerLines() {
      this.offerMatch();
      tell({ venue_match_lines: 3000 });
    },
    /** Adds venues/lookup, and announces it in the metadata. */
    offerLookup() {
      state.offers.add("/v2/venues/lookup");
      tell({ venue_lookup_lines: 3000 });
    },
    /** Announces in its metadata that it knows where addresses are. */
    offerLocation: () => tell({ address_locate_endpoint: `${baseUrl}/v2/addresses/locate` }),
    /** Announces in its metadata that users may propose edits. */
    offerProposals: () => tell({ venue_propose_endpoint: `${baseUrl}/v2/venues/propose` }),
    /** Announces in its metadata that added venues can be deleted. */
    offerDeletion: () => tell({ venue_delete_lines: 500 }),
    /** Of everybody. Tests may change the list. */
    checkins: state.checkins,
    /** Replaces them with so many. */
    setCheckins: (count: number) => void state.checkins.splice(0, Infinity, ...fakeCheckins(count, state.venues)),
    offerCheckins: () => void state.offers.add("/v2/checkins/add"),
    offerMulti: () => void state.offers.add("/v2/multi"),
    /** Makes an add with an Idempotency-Key run once, and announces it in the metadata. */
    offerKeys() {
      state.offers.add("keys");
      tell({ idempotency_keys_supported: true });
    },
    /** Signs in another person. */
    signIn: (firstName: string) => (state.signedIn = { id: random(12), firstName }),
    /** Issues a code for the signed-in person, as after the consent. */
    issueCode: (redirectUri: string, clientId = state.client.id) => issueCode(state, clientId, redirectUri),
    /** Revokes the token of the signed-in person. */
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
