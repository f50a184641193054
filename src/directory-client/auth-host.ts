import { setTimeout as after } from "node:timers/promises";
import { type AuthorizationRequest, authorizationUrl, type CodeExchange, exchangeCode } from "./authorization.ts";
import { basicAuthorization, type ClientCredentials } from "./calls/basic.ts";
import { callJson, type Line } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";
import { measured } from "./calls/metrics.ts";
import { createOwnSecrets, type OwnSecrets } from "./client-secret.ts";
import { type Features, fetchFeatures, type Hosts } from "./features.ts";
import { remember } from "./remember.ts";

/** The only caller of the auth host. Methods throw only DirectoryError, and never retry. */
export interface AuthHost {
  url: string;
  authorizationUrl(request: AuthorizationRequest): string;
  exchangeCode(exchange: CodeExchange): ReturnType<typeof exchangeCode>;
  /** RFC 7009. Returns false if the directory cannot revoke. */
  revokeToken(client: ClientCredentials, token: string): Promise<boolean>;
  ownSecrets(): Promise<OwnSecrets | undefined>;
  /** Cached for ten minutes; for one if there is no metadata. */
  features(): Promise<Features>;
  /** Not cached. */
  askFeatures(): Promise<Features>;
  /** Why the directory cannot be reached, if that is known within a second. Asks at most every five seconds. */
  whyUnreachable(): Promise<DirectoryError | undefined>;
}

export function createAuthHost({ authUrl: url, apiUrl }: Hosts, line: Line): AuthHost {
  const askFeatures = () => measured("auth", () => fetchFeatures(line, { authUrl: url, apiUrl }));
  const probe = remember(() => askFeatures().then(NO_REASON, ifUnreachable), FEW_SECONDS);
  const features = remember(askFeatures, (known) => (known.echoesState ? 600_000 : 60_000));
  return {
    url,
    authorizationUrl: (request) => authorizationUrl(url, request),
    exchangeCode: (exchange) => measured("auth", () => exchangeCode(line, url, exchange)),
    async revokeToken(client, token) {
      const { revocationUrl } = await features();
      if (revocationUrl) await measured("auth", () => giveBackToken(line, revocationUrl, client, token));
      return revocationUrl !== undefined;
    },
    async ownSecrets() {
      const { clientSecretUrl } = await features();
      return clientSecretUrl && createOwnSecrets(line, clientSecretUrl);
    },
    features,
    askFeatures,
    whyUnreachable: () => Promise.race([probe(), after(PROBE_MS, undefined, { ref: false })]),
  };
}

const PROBE_MS = 1000;
const FEW_SECONDS = () => 5000;
const NO_REASON = () => undefined;

const ifUnreachable = (error: unknown): DirectoryError | undefined =>
  error instanceof DirectoryError && error.kind === "unreachable" ? error : undefined;

// Unknown tokens count as revoked (RFC 7009 section 2.2). After an error the token may still be valid.
async function giveBackToken(line: Line, url: URL, client: ClientCredentials, token: string): Promise<void> {
  const headers = { authorization: basicAuthorization(client) };
  const { status } = await callJson(line, url, { method: "POST", headers, form: { token }, maxBytes: 0 });
  if (status === 200) return;
  const kind = status === 401 ? "refused_client" : "rejected";
  throw new DirectoryError(kind, undefined, { reason: `status ${status} to a revocation` });
}
