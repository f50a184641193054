import { createAuthHost } from "../../src/directory-client/auth-host.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import {
  type Auth,
  createDirectoryClient,
  type DirectoryClient,
  type Listing,
  type MatchOutcome,
} from "../../src/directory-client/client.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";

/** A fake directory with its clients. `newClient` shares no cache. */
export async function directoryClients({ deadlineMs = 500 } = {}) {
  const directory = await startFakeDirectory();
  const line = { dispatcher: createOutbound(), deadlineMs };
  const newHost = () => createAuthHost({ authUrl: directory.authUrl, apiUrl: directory.baseUrl }, line);
  const newClient = (patience = deadlineMs) => {
    const api = { ...line, deadlineMs: patience, baseUrl: directory.baseUrl, version: "20260101" };
    return createDirectoryClient(api, newHost().features);
  };
  const app = { clientId: directory.client.id, clientSecret: directory.client.secret };
  const redirectUri = "http://localhost/back";
  const code = directory.issueCode(redirectUri);
  const { token } = await newHost().exchangeCode({ ...app, redirectUri, codeVerifier: "v", code });
  return { directory, newHost, newClient, app, user: { token } };
}

export const MATCH = "/v2/venues/match";
export const MULTI = "/v2/multi";
export const SEARCH = "/v2/venues/search";

export async function matching() {
  const clients = await directoryClients({ deadlineMs: 700 });
  const { directory, newClient, app } = clients;
  return {
    ...clients,
    ask: (
      listings: Listing[],
      {
        client = newClient(),
        auth = app,
        signal,
      }: { client?: DirectoryClient; auth?: Auth; signal?: AbortSignal } = {},
    ): Promise<MatchOutcome[]> => client.matchListings(auth, listings, { minScore: 0.05, limit: 5, signal }),
    /** Counts calls of venues/match, multi and venues/search. */
    calls: () => [MATCH, MULTI, SEARCH].map(directory.calls),
  };
}

export const listingsOf = (count: number, more: Partial<Listing> = {}): Listing[] =>
  Array.from({ length: count }, (_, at) => ({
    name: at % 2 ? "Corner Coffee" : `Harbor ${at}`,
    ll: { lat: 41 + at / 1000, lng: -71.4 },
    ...more,
  }));

export const names = (listings: Listing[]): string[] =>
  listings.map(({ name }) => (name === "Corner Coffee" ? name : "Harbor Books"));

/** Returns the kind of the error, or the name of the venue, of each outcome. */
export const told = (outcomes: MatchOutcome[]): string[] =>
  outcomes.map((each) => ("error" in each ? each.error.kind : (each.found.venues[0]?.name ?? "none")));
