import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ACCESS_TOKEN_PATH, tokenResponse } from "../contract/oauth.ts";
import { t } from "../language/translate.ts";
import { type Answer, callJson, type Line } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";
import { measured } from "./calls/outbound.ts";
import { basicAuthorization, type ClientCredentials } from "./calls/retry-after.ts";
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
    whyUnreachable: () => Promise.race([probe(), sleep(PROBE_MS, undefined, { ref: false })]),
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

interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  state: string;
  /** PKCE S256 (RFC 7636), which some directories ignore. */
  codeChallenge: string;
  alwaysPrompt?: boolean;
  freshLogin?: boolean;
  display?: Display | undefined;
}

/** Interface, rule 4. By default the directory decides. */
export type Display = "webpopup" | "touch";

/** Interface, GET {auth_url}/oauth2/authenticate and /oauth2/authorize; `prompt` and `max_age` are OpenID Connect's. */
function authorizationUrl(authUrl: string, request: AuthorizationRequest): string {
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

interface CodeExchange {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  code: string;
  codeVerifier: string;
}

export interface Exchanged {
  token: string;
  /** When the password was entered (`auth_time`), if requested and reported. */
  authTime: Date | undefined;
}

/** Interface, GET {auth_url}/oauth2/access_token. Throws DirectoryError; `rejected` if the code is invalid. */
async function exchangeCode(line: Line, authUrl: string, exchange: CodeExchange): Promise<Exchanged> {
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
    throw new DirectoryError("rejected", t("The venue directory did not accept this log-in."));
  const parsed = tokenResponse.safeParse(answer.body);
  if (!parsed.success) throw new DirectoryError("invalid_answer", undefined, { reason: "no usable access_token" });
  return { token: parsed.data.access_token, authTime: readEpoch(parsed.data.auth_time) };
}

// Epoch seconds, up to the year 9999.
function readEpoch(seconds: unknown): Date | undefined {
  const isTime = typeof seconds === "number" && seconds > 0 && seconds < 253_402_300_800;
  return isTime ? new Date(seconds * 1000) : undefined;
}

interface SecretAtDirectory {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  current: boolean;
  /** This call was made with it. */
  usedNow: boolean;
}

/** Our `client_secret_endpoint`. `rejected` means 403, the owner does not allow it, or 409, an outdated secret. */
interface OwnSecrets {
  list(client: ClientCredentials): Promise<SecretAtDirectory[]>;
  /** Makes a new secret. All others end, `client`'s after the overlap. Safe to repeat after `unreachable`. */
  rotate(client: ClientCredentials, overlapSeconds: number): Promise<Rotated>;
  /** `client` must have the current secret. */
  endOthers(client: ClientCredentials): Promise<void>;
}

interface Rotated {
  clientSecret: string;
  overlapSeconds: number;
}

function createOwnSecrets(line: Line, url: URL): OwnSecrets {
  const call = async <A extends { client_id: string }>(
    schema: z.ZodType<A>,
    client: ClientCredentials,
    options: { method: "GET" | "POST" | "DELETE"; form?: Record<string, string> },
  ): Promise<A> => {
    const headers = { authorization: basicAuthorization(client) };
    const answer = await measured("auth", async () => {
      const any = await callJson(line, url, { ...options, headers, maxBytes: 65_536 });
      if (any.status !== 200) throw objection(any);
      return any;
    });
    const { data } = schema.safeParse(answer.body);
    if (data?.client_id !== client.clientId)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not the answer of its secret endpoint" });
    return data;
  };
  return {
    list: async (client) => (await call(listed, client, { method: "GET" })).secrets.map(toSecret),
    async rotate(client, overlapSeconds) {
      const form = { overlap: String(overlapSeconds) };
      const made = await call(rotated, client, { method: "POST", form });
      const overlapMs = made.previous_expires_at.getTime() - made.created_at.getTime();
      return { clientSecret: made.client_secret, overlapSeconds: overlapMs / 1000 };
    },
    endOthers: async (client) => void (await call(ended, client, { method: "DELETE" })),
  };
}

const toSecret = (row: z.output<typeof secret>): SecretAtDirectory => ({
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  current: row.current,
  usedNow: row.used_now,
});

function objection({ status, body }: Answer): DirectoryError {
  const error = (body as { error?: unknown } | null)?.error;
  const reason = `status ${status} of its secret endpoint`;
  if (status === 401 || error === "invalid_client") return new DirectoryError("refused_client", undefined, { reason });
  const message =
    status === 403
      ? t(
          "The directory does not allow Samespot to change its own secret. Ask the owner of the application to allow it there.",
        )
      : t(
          "The directory has a newer secret than the one in use. Get that one, or create another there, and paste it here.",
        );
  return new DirectoryError("rejected", message, { reason });
}

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const secret = z.object({
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  current: z.boolean(),
  used_now: z.boolean(),
});
const listed = z.object({ client_id: z.string(), secrets: z.array(secret) });
const rotated = z.object({
  client_id: z.string(),
  client_secret: z.string().regex(/^[\x21-\x7e]{8,500}$/),
  created_at: time,
  previous_expires_at: time,
});
const ended = z.object({ client_id: z.string() });
