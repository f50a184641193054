import { type AuthorizationRequest, authorizationUrl, type CodeExchange, exchangeCode } from "./authorization.ts";
import type { Line } from "./call-json.ts";
import { type Features, fetchFeatures } from "./features.ts";
import { remember } from "./remember.ts";

/** The one way to the auth host of a directory. Every call throws DirectoryError and nothing else; none is ever sent again by itself. */
export interface AuthHost {
  /** `{auth_url}` of the interface. */
  url: string;
  /** Where the browser is sent to log in. */
  authorizationUrl(request: AuthorizationRequest): string;
  /** Exchanges a code for the user's access token. */
  exchangeCode(exchange: CodeExchange): ReturnType<typeof exchangeCode>;
  /** What it offers beyond the interface; remembered for ten minutes. */
  features(): Promise<Features>;
}

export function createAuthHost(url: string, line: Line): AuthHost {
  return {
    url,
    authorizationUrl: (request) => authorizationUrl(url, request),
    exchangeCode: (exchange) => exchangeCode(line, url, exchange),
    features: remember(() => fetchFeatures(line, url), 600_000),
  };
}
