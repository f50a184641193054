import { z } from "zod";
import { callJson, type Line } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";

/** The addresses of a directory: `{auth_url}` and `{base_url}` of the interface. */
export interface Hosts {
  authUrl: string;
  apiUrl: string;
}

/** What a directory offers beyond the interface, read from its metadata (RFC 8414). All of it is missing where it has none. */
export interface Features {
  /** It follows RFC 6749, so that an answer always carries the `state` that was sent. */
  echoesState: boolean;
  /** It understands prompt=login, and says with the token when the password was given (`auth_time`). */
  freshLogin: boolean;
  /** RFC 7009. */
  revocationUrl: URL | undefined;
  /** Ours: an application may list, rotate and end its own secrets there. */
  clientSecretUrl: URL | undefined;
  /** Ours: venues/match, on the API host. */
  matchUrl: URL | undefined;
  /** Ours: venues/add and annotate with the same Idempotency-Key take place once. */
  honoursKeys: boolean;
}

/**
 * Asks a directory for its metadata. A host without any is one that speaks the interface and no more.
 *
 * @param hosts addresses of the auth host and the API host
 * @throws DirectoryError `unreachable` or `rate_limited`, when nothing is known
 */
export async function fetchFeatures(line: Line, { authUrl, apiUrl }: Hosts): Promise<Features> {
  const url = new URL("/.well-known/oauth-authorization-server", authUrl);
  const answer = await callJson(line, url, { maxBytes: 65_536 }).catch((error) => {
    if (error instanceof DirectoryError && error.kind === "invalid_answer") return undefined;
    throw error;
  });
  const parsed = metadata.safeParse(answer?.status === 200 ? answer.body : undefined).data;
  // Metadata that is somebody else's would send our secrets there (RFC 8414 section 3.3).
  if (parsed?.issuer !== authUrl) return NOTHING;
  const endpoint = (address: string | undefined, host = authUrl) =>
    address && URL.canParse(address) && new URL(address).origin === host ? new URL(address) : undefined;
  return {
    echoesState: true,
    freshLogin: parsed.prompt_values_supported?.includes("login") ?? false,
    revocationUrl: endpoint(parsed.revocation_endpoint),
    clientSecretUrl: endpoint(parsed.client_secret_endpoint),
    matchUrl: endpoint(parsed.venue_match_endpoint, apiUrl),
    honoursKeys: parsed.idempotency_keys_supported ?? false,
  };
}

const NOTHING: Features = {
  echoesState: false,
  freshLogin: false,
  revocationUrl: undefined,
  clientSecretUrl: undefined,
  matchUrl: undefined,
  honoursKeys: false,
};

const metadata = z.object({
  issuer: z.string(),
  revocation_endpoint: z.string().optional(),
  client_secret_endpoint: z.string().optional(),
  venue_match_endpoint: z.string().optional(),
  idempotency_keys_supported: z.boolean().optional(),
  prompt_values_supported: z.array(z.string()).optional(),
});
