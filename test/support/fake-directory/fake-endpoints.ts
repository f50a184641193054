import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Answer, failure, json, success } from "./behaviours.ts";
import { addCheckin, deleteCheckin, editCheckin, fakeCheckins, listCheckins } from "./fake-checkins.ts";
import { fakeClient, secretEndpoint, takes } from "./fake-secrets.ts";

/** `params` holds the query and the form body, the last value of each name. */
export interface ReceivedRequest {
  host: "auth" | "api";
  method: string;
  path: string;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

type Person = { id: string; firstName: string };
export type State = ReturnType<typeof freshState>;
type Endpoint = (request: ReceivedRequest, state: State, person: Person) => Answer;

export function freshState() {
  const client = fakeClient();
  const venues = [fakeVenue("Corner Coffee", 41.8236, -71.4222), fakeVenue("Harbor Books", 41.82, -71.4)];
  return {
    client,
    signedIn: { id: random(12), firstName: "Fay" } as Person,
    tokens: new Map<string, Person>(),
    codes: new Map<string, { clientId: string; redirectUri: string; person: Person }>(),
    secrets: [client.secret],
    /** Paths and names of extensions to the interface. */
    offers: new Set<string>(),
    /** By the listing's id. */
    links: new Map<string, { id: string; name: string }>(),
    /** Responses to adds, by Idempotency-Key. */
    added: new Map<string, Answer>(),
    venues,
    /** Newest first; of whoever asks. */
    checkins: fakeCheckins(45, venues),
  };
}

export const random = (bytes = 24) => randomBytes(bytes).toString("hex");
const CATEGORY = { id: "fa4e000000000000000000c1", name: "Café", pluralName: "Cafés", shortName: "Café" };

export type FakeVenue = ReturnType<typeof fakeVenue>;
const fakeVenue = (name: string, lat: number, lng: number) => ({
  id: random(12),
  name,
  contact: {},
  location: { lat, lng, city: "Providence", state: "RI", cc: "US" },
  categories: [{ ...CATEGORY, primary: true }],
  verified: false,
  stats: { checkinsCount: 0, usersCount: 0, tipCount: 0 },
});

/** Carries out the request and returns the response. */
export function answerOf(request: ReceivedRequest, state: State): Answer {
  const { host, path } = request;
  if (host === "auth") return (AUTH[path] ?? authenticate)(request, state);
  const venue = state.venues.find(({ id }) => path === `/v2/venues/${id}` || path === `/v2/venues/${id}/annotate`);
  const ofVenue = venue && (path.endsWith("/annotate") ? annotate(venue) : () => success({ venue }));
  const endpoint = ofVenue ?? (EXTRAS.has(path) && !state.offers.has(path) ? undefined : API[path]);
  if (!endpoint) return failure(404, "endpoint_error", "There is no such endpoint.");
  const { v, oauth_token = "", client_id, client_secret } = request.params;
  if (!v) return failure(410, "param_error", "v is missing.");
  const person = state.tokens.get(oauth_token);
  if (person) return endpoint(request, state, person);
  if (oauth_token) return failure(401, "invalid_auth", "The token is invalid or was revoked.");
  const isClient = takes(state.client, client_id, client_secret) !== undefined;
  const userless = !path.startsWith("/v2/users/") && !/\/(add|annotate)$/.test(path);
  return isClient && userless
    ? endpoint(request, state, state.signedIn)
    : failure(400, "invalid_auth", "Send a token.");
}

const AUTH: Record<string, (request: ReceivedRequest, state: State) => Answer> = {
  "/oauth2/access_token": exchange,
  "/oauth2/client_secret": (request, state) => secretEndpoint(request, state.client),
};

/** Endpoints that only some directories have. */
const EXTRAS = new Set(["/v2/venues/match", "/v2/venues/lookup", "/v2/multi", "/v2/checkins/add"]);

const API: Record<string, Endpoint> = {
  "/v2/users/self": (_request, _state, person) => success({ user: { ...person, contact: {} } }),
  "/v2/users/self/checkins": listCheckins,
  "/v2/checkins/add": addCheckin,
  "/v2/checkins/edit": editCheckin,
  "/v2/checkins/delete": deleteCheckin,
  "/v2/venues/search": search,
  "/v2/venues/add": addOnce,
  "/v2/venues/match": match,
  "/v2/venues/lookup": lookUp,
  "/v2/multi": multi,
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

export function issueCode(state: State, clientId: string, redirectUri: string): string {
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

/** Returns venues whose name contains one of the words, or all if there are none. */
function search({ params }: ReceivedRequest, { venues }: State): Answer {
  const words = (params.query ?? params.name ?? "").toLowerCase().split(/\s+/);
  const fits = ({ name }: { name: string }) => words.some((word) => name.toLowerCase().includes(word));
  return success({ venues: venues.filter(fits), confident: false });
}

/** As in our own directory: one search per listing, of a form or of lines. */
function match(request: ReceivedRequest, state: State): Answer {
  const { listings = "", ...shared } = request.params;
  const byLine = request.headers["content-type"] === "application/x-ndjson";
  const all = JSON.parse(byLine ? `[${request.body.trim().replaceAll("\n", ",")}]` : listings) as Record<
    string,
    string
  >[];
  const responses = all.map(
    (listing) => search({ ...request, params: { ...listing, ...shared, intent: "match" } }, state).body,
  );
  const lines = { status: 200, headers: { "content-type": "application/x-ndjson" } };
  if (byLine) return { ...lines, body: responses.map((each) => `${each}\n`).join("") };
  return success({ responses: responses.map((each) => JSON.parse(each)) });
}

function lookUp({ body }: ReceivedRequest, { venues }: State): Answer {
  const answers = body
    .trim()
    .split("\n")
    .map((line) => {
      const venue = venues.find(({ id }) => id === JSON.parse(line).venueId);
      return venue ? success({ venue }) : failure(400, "param_error", "There is no venue with this id.");
    });
  const lines = { status: 200, headers: { "content-type": "application/x-ndjson" } };
  return { ...lines, body: answers.map((each) => `${each.body}\n`).join("") };
}

function multi(request: ReceivedRequest, state: State, person: Person): Answer {
  const responses = (request.params.requests ?? "").split(/,(?=\/)/).map((each) => {
    const { pathname, searchParams } = new URL(each, "http://fake");
    const params = Object.fromEntries(searchParams);
    const venue = state.venues.find(({ id }) => pathname === `/venues/${id}`);
    const endpoint = venue ? () => success({ venue }) : (API[`/v2${pathname}`] ?? nothing);
    return JSON.parse(endpoint({ ...request, params }, state, person).body);
  });
  return responses.length > 5 ? failure(400, "param_error", "Five at most.") : success({ responses });
}

const nothing: Endpoint = () => failure(404, "endpoint_error", "There is no such endpoint.");

/** A listing is on one venue; repeating an annotation changes nothing. */
const annotate =
  (venue: { id: string; name: string }): Endpoint =>
  ({ params }, { links }) => {
    const { providerId, linkedId } = params;
    if (!providerId || !linkedId) return failure(400, "param_error", "providerId and linkedId are needed.");
    const { id, name } = links.get(linkedId) ?? venue;
    links.set(linkedId, { id, name });
    if (id === venue.id) return success({ venue, link: { provider: { id: providerId }, linkedId } });
    const meta = { code: 409, errorType: "other", errorDetail: "This linkedId is on another venue already." };
    return json(409, { meta, response: { venue: { id, name } } });
  };

/** If offered, an add with an Idempotency-Key runs once. */
function addOnce(request: ReceivedRequest, state: State): Answer {
  const key = state.offers.has("keys") ? request.headers["idempotency-key"] : undefined;
  if (typeof key !== "string") return add(request, state);
  const answer = state.added.get(key) ?? add(request, state);
  state.added.set(key, answer);
  return answer;
}

function add({ params }: ReceivedRequest, { venues }: State): Answer {
  const [lat, lng] = (params.ll ?? "").split(",").map(Number);
  if (!params.name || lat === undefined || lng === undefined)
    return failure(400, "param_error", "name and ll are needed.");
  const venue = fakeVenue(params.name, lat, lng);
  venues.push(venue);
  return success({ venue });
}
