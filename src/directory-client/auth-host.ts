import { type AuthorizationRequest, authorizationUrl, type CodeExchange, exchangeCode } from "./authorization.ts";
import type { ClientCredentials } from "./basic.ts";
import type { Line } from "./call-json.ts";
import { createOwnSecrets, type OwnSecrets } from "./client-secret.ts";
import { type Features, fetchFeatures, type Hosts } from "./features.ts";
import { remember } from "./remember.ts";
import { revokeToken } from "./revocation.ts";

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
      if (revocationUrl) await revokeToken(line, revocationUrl, client, token);
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
