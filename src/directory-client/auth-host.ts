import { type AuthorizationRequest, authorizationUrl, type CodeExchange, exchangeCode } from "./authorization.ts";
import { basicAuthorization, type ClientCredentials } from "./basic.ts";
import { callJson, type Line } from "./call-json.ts";
import { createOwnSecrets, type OwnSecrets } from "./client-secret.ts";
import { DirectoryError } from "./errors.ts";
import { type Features, fetchFeatures, type Hosts } from "./features.ts";
import { remember } from "./remember.ts";

/** The one way to the auth host of a directory. Every call throws DirectoryError and nothing else; none is ever sent again by itself. */
export interface AuthHost {
  /** `{auth_url}` of the interface. */
  url: string;
  /** Where the browser is sent to log in. */
  authorizationUrl(request: AuthorizationRequest): string;
  /** Exchanges a code for the user's access token. */
  exchangeCode(exchange: CodeExchange): ReturnType<typeof exchangeCode>;
  /** Gives a user's token back (RFC 7009). False where the directory has no way to. */
  revokeToken(client: ClientCredentials, token: string): Promise<boolean>;
  /** The application's own secrets there; undefined where the directory has no way to change them by a call. */
  ownSecrets(): Promise<OwnSecrets | undefined>;
  /** What it offers beyond the interface; remembered for ten minutes, and that it has no metadata for one. */
  features(): Promise<Features>;
  /** The same, asked now. */
  askFeatures(): Promise<Features>;
}

export function createAuthHost({ authUrl: url, apiUrl }: Hosts, line: Line): AuthHost {
  const askFeatures = () => fetchFeatures(line, { authUrl: url, apiUrl });
  const features = remember(askFeatures, (known) => (known.echoesState ? 600_000 : 60_000));
  return {
    url,
    authorizationUrl: (request) => authorizationUrl(url, request),
    exchangeCode: (exchange) => exchangeCode(line, url, exchange),
    async revokeToken(client, token) {
      const { revocationUrl } = await features();
      if (revocationUrl) await giveBackToken(line, revocationUrl, client, token);
      return revocationUrl !== undefined;
    },
    async ownSecrets() {
      const { clientSecretUrl } = await features();
      return clientSecretUrl && createOwnSecrets(line, clientSecretUrl);
    },
    features,
    askFeatures,
  };
}

/**
 * Gives a user's token back: it is dead afterwards (RFC 7009). A token that the directory no longer knows counts as given
 * back too (section 2.2).
 *
 * @param url the directory's revocation endpoint
 * @throws DirectoryError `refused_client`, `rejected`, `unreachable`, `rate_limited` or `invalid_answer`: then it may still be alive
 */
async function giveBackToken(line: Line, url: URL, client: ClientCredentials, token: string): Promise<void> {
  const headers = { authorization: basicAuthorization(client) };
  const { status } = await callJson(line, url, { method: "POST", headers, form: { token }, maxBytes: 0 });
  if (status === 200) return;
  const kind = status === 401 ? "refused_client" : "rejected";
  throw new DirectoryError(kind, undefined, { reason: `status ${status} to a revocation` });
}
