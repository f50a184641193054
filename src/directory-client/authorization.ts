import { ACCESS_TOKEN_PATH, tokenResponse } from "../contract/oauth.ts";
import { callJson, type Line } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";

export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  state: string;
  /** PKCE S256 (RFC 7636); a directory that does not know it ignores it. */
  codeChallenge: string;
  /** Ask even who has said yes before, and let them pick another account. */
  alwaysPrompt?: boolean;
  /** Ask for the password even who is signed in there. */
  freshLogin?: boolean;
  display?: Display | undefined;
}

/** How the directory shows its pages (interface, rule 4); by default it finds out by itself. */
export type Display = "webpopup" | "touch";

/**
 * Where the browser is sent to log in (interface, GET {auth_url}/oauth2/authenticate and /oauth2/authorize). `prompt` and
 * `max_age` are OpenID Connect's; a directory that does not know them ignores them.
 */
export function authorizationUrl(authUrl: string, request: AuthorizationRequest): string {
  const url = new URL(request.alwaysPrompt ? "/oauth2/authorize" : "/oauth2/authenticate", authUrl);
  url.search = new URLSearchParams({
    client_id: request.clientId,
    response_type: "code",
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: "S256",
    ...(request.display ? { display: request.display } : {}),
    ...(request.freshLogin ? { prompt: "login", max_age: "0" } : {}),
  }).toString();
  return url.href;
}

export interface CodeExchange {
  clientId: string;
  clientSecret: string;
  /** The same as in the authorization request. */
  redirectUri: string;
  code: string;
  codeVerifier: string;
}

/** What a code is good for. */
export interface Exchanged {
  token: string;
  /** When the user gave their password, where the directory was asked for that and says it (`auth_time`). */
  authTime: Date | undefined;
}

/**
 * Exchanges a code for the user's access token (interface, GET {auth_url}/oauth2/access_token). Sent once: a code is
 * good once.
 *
 * @throws DirectoryError `refused_client`, `rejected` (the code is not good), `rate_limited`, `unreachable` or `invalid_answer`
 */
export async function exchangeCode(line: Line, authUrl: string, exchange: CodeExchange): Promise<Exchanged> {
  const url = new URL(ACCESS_TOKEN_PATH, authUrl);
  url.search = new URLSearchParams({
    client_id: exchange.clientId,
    client_secret: exchange.clientSecret,
    grant_type: "authorization_code",
    redirect_uri: exchange.redirectUri,
    code: exchange.code,
    code_verifier: exchange.codeVerifier,
  }).toString();
  const answer = await callJson(line, url, { maxBytes: 65_536 });
  const error = (answer.body as { error?: unknown } | null)?.error;
  if (error === "invalid_client" || error === "unauthorized_client" || answer.status === 401)
    throw new DirectoryError("refused_client", undefined, { reason: "at the exchange of a code" });
  if (answer.status !== 200 || error !== undefined)
    throw new DirectoryError("rejected", "The venue directory did not accept this log-in.");
  const parsed = tokenResponse.safeParse(answer.body);
  if (!parsed.success) throw new DirectoryError("invalid_answer", undefined, { reason: "no usable access_token" });
  return { token: parsed.data.access_token, authTime: readEpoch(parsed.data.auth_time) };
}

/** Epoch seconds, up to the year 9999. */
function readEpoch(seconds: unknown): Date | undefined {
  const isTime = typeof seconds === "number" && seconds > 0 && seconds < 253_402_300_800;
  return isTime ? new Date(seconds * 1000) : undefined;
}
