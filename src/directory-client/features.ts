import { z } from "zod";
import { callJson, type Line } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";

export interface Hosts {
  authUrl: string;
  apiUrl: string;
}

export interface Features {
  echoesState: boolean;
  freshLogin: boolean;
  /** RFC 7009. */
  revocationUrl: URL | undefined;
  clientSecretUrl: URL | undefined;
  matchUrl: URL | undefined;
  locateUrl: URL | undefined;
  mapTileUrl: URL | undefined;
  proposeUrl: URL | undefined;
  /** Where its operators work. */
  operatorUrl: URL | undefined;
  /** Where its operators remove its demo data, while there is any. */
  demoDataUrl: URL | undefined;
  /** Listings that `matchUrl` takes as NDJSON; 0 if none. */
  matchLines: number;
  /** Ids that venues/lookup takes as NDJSON; 0 if none. */
  lookupLines: number;
  honoursKeys: boolean;
  /** Calls of venues/add and venues/annotate that one takes as NDJSON; 0 if none. */
  addLines: number;
  annotateLines: number;
  /** The same of venues/delete; 0 if the directory deletes no venues. */
  deleteLines: number;
}

/** Throws DirectoryError `unreachable` or `rate_limited`; a host without metadata offers no extensions. */
export async function fetchFeatures(line: Line, { authUrl, apiUrl }: Hosts): Promise<Features> {
  const url = new URL("/.well-known/oauth-authorization-server", authUrl);
  const answer = await callJson(line, url, { maxBytes: 65_536 }).catch((error) => {
    if (error instanceof DirectoryError && error.kind === "invalid_answer") return undefined;
    throw error;
  });
  const parsed = metadata.safeParse(answer?.status === 200 ? answer.body : undefined).data;
  // Another issuer's metadata would make us send secrets there (RFC 8414 section 3.3).
  const told: Partial<z.output<typeof metadata>> = parsed?.issuer === authUrl ? parsed : {};
  const endpoint = (address: string | undefined, host = authUrl) =>
    address && URL.canParse(address) && new URL(address).origin === host ? new URL(address) : undefined;
  return {
    echoesState: told.issuer !== undefined,
    freshLogin: told.prompt_values_supported?.includes("login") ?? false,
    revocationUrl: endpoint(told.revocation_endpoint),
    clientSecretUrl: endpoint(told.client_secret_endpoint),
    matchUrl: endpoint(told.venue_match_endpoint, apiUrl),
    locateUrl: endpoint(told.address_locate_endpoint, apiUrl),
    mapTileUrl: endpoint(told.map_tile_endpoint, apiUrl),
    proposeUrl: endpoint(told.venue_propose_endpoint, apiUrl),
    operatorUrl: endpoint(told.operator_page),
    demoDataUrl: endpoint(told.demo_data_page),
    matchLines: told.venue_match_lines ?? 0,
    lookupLines: told.venue_lookup_lines ?? 0,
    honoursKeys: told.idempotency_keys_supported ?? false,
    addLines: told.venue_add_lines ?? 0,
    annotateLines: told.venue_annotate_lines ?? 0,
    deleteLines: told.venue_delete_lines ?? 0,
  };
}

const metadata = z.object({
  issuer: z.string(),
  revocation_endpoint: z.string().optional(),
  client_secret_endpoint: z.string().optional(),
  venue_match_endpoint: z.string().optional(),
  address_locate_endpoint: z.string().optional(),
  map_tile_endpoint: z.string().optional(),
  venue_propose_endpoint: z.string().optional(),
  operator_page: z.string().optional(),
  demo_data_page: z.string().optional(),
  venue_match_lines: z.int().nonnegative().optional(),
  venue_lookup_lines: z.int().nonnegative().optional(),
  venue_add_lines: z.int().nonnegative().optional(),
  venue_annotate_lines: z.int().nonnegative().optional(),
  venue_delete_lines: z.int().nonnegative().optional(),
  idempotency_keys_supported: z.boolean().optional(),
  prompt_values_supported: z.array(z.string()).optional(),
});
