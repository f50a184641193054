import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Answer, answers, type Behaviour, failure, json, success, usual } from "./behaviours.ts";
import { fakeClient, secretEndpoint, takes } from "./fake-secrets.ts";

/** A request as the fake directory received it. `params` holds the query and the form body, the last of each name. */
export interface ReceivedRequest {
  host: "auth" | "api";
  method: string;
  path: string;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

type Person = { id: string; firstName: string };
type State = ReturnType<typeof freshState>;
type Endpoint = (request: ReceivedRequest, state: State, person: Person) => Answer;

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
    /** Well behaved again, with nothing received; codes, tokens and added venues stay. */
    reset() {
      behaviours.clear();
      requests.length = 0;
    },
    /** From here on its metadata say that an application can change its own secret. */
    offerSecrets() {
      const metadata = { issuer: authUrl, client_secret_endpoint: `${authUrl}/oauth2/client_secret` };
      behaviours.set("/.well-known/*", answers(200, metadata));
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

function freshState() {
  const client = fakeClient();
  return {
    client,
    signedIn: { id: random(12), firstName: "Fay" } as Person,
    tokens: new Map<string, Person>(),
    codes: new Map<string, { clientId: string; redirectUri: string; person: Person }>(),
    secrets: [client.secret],
    venues: [fakeVenue("Corner Coffee", 41.8236, -71.4222), fakeVenue("Harbor Books", 41.82, -71.4)],
  };
}

const random = (bytes = 24) => randomBytes(bytes).toString("hex");
const CATEGORY = { id: "fa4e000000000000000000c1", name: "Café", pluralName: "Cafés", shortName: "Café" };

const fakeVenue = (name: string, lat: number, lng: number) => ({
  id: random(12),
  name,
  contact: {},
  location: { lat, lng, city: "Providence", state: "RI", cc: "US" },
  categories: [{ ...CATEGORY, primary: true }],
  verified: false,
  stats: { checkinsCount: 0, usersCount: 0, tipCount: 0 },
});

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

function answerOf(request: ReceivedRequest, state: State): Answer {
  const { host, path } = request;
  if (host === "auth") return (AUTH[path] ?? authenticate)(request, state);
  const venue = state.venues.find(({ id }) => path === `/v2/venues/${id}`);
  const endpoint = venue ? () => success({ venue }) : API[path];
  if (!endpoint) return failure(404, "endpoint_error", "There is no such endpoint.");
  const { v, oauth_token = "", client_id, client_secret } = request.params;
  if (!v) return failure(410, "param_error", "v is missing.");
  const person = state.tokens.get(oauth_token);
  if (person) return endpoint(request, state, person);
  if (oauth_token) return failure(401, "invalid_auth", "The token is invalid or was revoked.");
  const isClient = takes(state.client, client_id, client_secret) !== undefined;
  const userless = !path.startsWith("/v2/users/") && path !== "/v2/venues/add";
  return isClient && userless
    ? endpoint(request, state, state.signedIn)
    : failure(400, "invalid_auth", "Send a token.");
}

const AUTH: Record<string, (request: ReceivedRequest, state: State) => Answer> = {
  "/oauth2/access_token": exchange,
  "/oauth2/client_secret": (request, state) => secretEndpoint(request, state.client),
};

const API: Record<string, Endpoint> = {
  "/v2/users/self": (_request, _state, person) => success({ user: { ...person, contact: {} } }),
  "/v2/users/self/checkins": checkins,
  "/v2/venues/search": search,
  "/v2/venues/add": add,
  "/v2/venues/categories": () => success({ categories: [{ ...CATEGORY, categories: [] }] }),
};

function authenticate({ params }: ReceivedRequest, state: State): Answer {
  const { client_id = "", redirect_uri = "", state: echo } = params;
  if (client_id !== state.client.id || !URL.canParse(redirect_uri)) return json(400, { error: "invalid_request" });
  const back = new URL(redirect_uri);
  back.searchParams.set("code", issueCode(state, client_id, redirect_uri));
  if (echo !== undefined) back.searchParams.set("state", echo);
  return { status: 302, headers: { location: back.href }, body: "" };
}

function issueCode(state: State, clientId: string, redirectUri: string): string {
  const code = random();
  state.codes.set(code, { clientId, redirectUri, person: state.signedIn });
  state.secrets.push(code);
  return code;
}

function exchange({ params }: ReceivedRequest, { client, codes, tokens, secrets }: State): Answer {
  const { grant_type, client_id, client_secret, redirect_uri, code = "" } = params;
  if (grant_type !== "authorization_code") return json(400, { error: "unsupported_grant_type" });
  if (!takes(client, client_id, client_secret)) return json(400, { error: "invalid_client" });
  const grant = codes.get(code);
  if (grant?.redirectUri !== redirect_uri || grant?.clientId !== client_id)
    return json(400, { error: "invalid_grant" });
  codes.delete(code);
  const [token = random()] = [...tokens].find(([, { id }]) => id === grant?.person.id) ?? [];
  if (grant) tokens.set(token, grant.person);
  secrets.push(token);
  return json(200, { access_token: token });
}

/** Every venue whose name holds one of the words asked for; without words all. */
function search({ params }: ReceivedRequest, { venues }: State): Answer {
  const words = (params.query ?? params.name ?? "").toLowerCase().split(/\s+/);
  const fits = ({ name }: { name: string }) => words.some((word) => name.toLowerCase().includes(word));
  return success({ venues: venues.filter(fits), confident: false });
}

function add({ params }: ReceivedRequest, { venues }: State): Answer {
  const [lat, lng] = (params.ll ?? "").split(",").map(Number);
  if (!params.name || lat === undefined || lng === undefined)
    return failure(400, "param_error", "name and ll are needed.");
  const venue = fakeVenue(params.name, lat, lng);
  venues.push(venue);
  return success({ venue });
}

/** Forty-five check-ins, one a day, backwards from a fixed day. */
function checkins({ params }: ReceivedRequest, { venues }: State): Answer {
  const offset = Number(params.offset ?? 0);
  const items = Array.from({ length: 45 }, (_, day) => ({
    id: `fa4e${day.toString(16).padStart(20, "0")}`,
    createdAt: 1_790_000_000 - day * 86_400,
    timeZoneOffset: -240,
    venue: venues[day % 2],
  })).slice(offset, offset + Number(params.limit ?? 20));
  return success({ checkins: { count: 45, items } });
}
