import { KnownError } from "../../shared/errors.ts";
import { refuseStoppedOnPage } from "../access.ts";
import { findApplication, type ShownApplication } from "../applications.ts";
import type { DirectoryDeps } from "../deps.ts";
import { redirectUriMatches } from "../redirect-uris.ts";
import type { Recipient } from "./answer.ts";

/**
 * Parameters of /oauth2/authenticate and /oauth2/authorize: the interface's, `state`, PKCE (RFC 7636), and OpenID Connect's
 * two that ask for a fresh log-in. Others are ignored.
 */
const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "display",
  "code_challenge",
  "code_challenge_method",
  "prompt",
  "max_age",
] as const;
type Fields = Partial<Record<(typeof PARAMETERS)[number], string>>;

const DISPLAYS = ["touch", "wap", "webpopup"] as const;
export type Display = (typeof DISPLAYS)[number];

/** A call of /oauth2/authenticate or /oauth2/authorize that passed every check. */
export interface AuthorizationRequest extends Recipient {
  clientId: string;
  responseType: "code" | "token";
  codeChallenge: string | null;
  /** Null for the pages that suit every screen. */
  display: Display | null;
  /** True for /oauth2/authorize. */
  alwaysPrompt: boolean;
  /** The user must give their password for this request, also when they are signed in (prompt=login, max_age=0). */
  freshLogin: boolean;
  /** True when the call left redirect_uri out, and web connect named the first one registered (interface, rule 3). */
  isWebConnect: boolean;
}

/** What is wrong with a call whose redirect URI can be trusted: told to the application (RFC 6749 section 4.1.2.1). */
export interface Refusal {
  recipient: Recipient;
  display: Display | null;
  error: string;
  description: string;
}

type Checked = { application: ShownApplication } & (
  | { request: AuthorizationRequest; refusal?: never }
  | { refusal: Refusal; request?: never }
);

/**
 * Checks a call in order. Until application and redirect URI are known to be good, a mistake is a page of ours (thrown);
 * afterwards it is a refusal for the application.
 *
 * @param call `accept`: the browser's Accept header
 * @throws KnownError 400, or 403 for an application that is stopped, that must not be answered with a redirect
 */
export async function checkAuthorizationRequest(
  deps: Pick<DirectoryDeps, "pool" | "operator">,
  query: Record<string, unknown>,
  { alwaysPrompt, accept }: { alwaysPrompt: boolean; accept: string | undefined },
): Promise<Checked> {
  const fields = once(query);
  const application = await knownApplication(deps, fields);
  const redirectUri = registeredRedirectUri(application, fields);

  const responseType = fields.response_type === "token" ? "token" : "code";
  const recipient = { redirectUri, responseType, state: fields.state ?? null } as const;
  const display = DISPLAYS.find((each) => each === fields.display) ?? detectDisplay(accept);
  const failed = CHECKS.find(({ isWrong }) => isWrong(fields, application));
  if (failed) {
    const { error, description } = failed;
    return { application, refusal: { recipient, display, error, description } };
  }
  const request = {
    ...recipient,
    clientId: application.clientId,
    codeChallenge: fields.code_challenge ?? null,
    display,
    alwaysPrompt,
    freshLogin: asksForFreshLogin(fields),
    isWebConnect: fields.redirect_uri === undefined,
  };
  return { application, request };
}

/** The known parameters; one without a value counts as left out (RFC 6749 section 3.1). */
function once(query: Record<string, unknown>): Fields {
  const fields: Fields = {};
  for (const name of PARAMETERS) {
    const value = query[name];
    if (Array.isArray(value)) throw brokenLink(`It names ${name} more than once.`);
    if (typeof value === "string" && value !== "") fields[name] = value;
  }
  return fields;
}

async function knownApplication(
  deps: Pick<DirectoryDeps, "pool" | "operator">,
  { client_id }: Fields,
): Promise<ShownApplication> {
  if (!client_id) throw brokenLink("It does not say which application sent you (client_id).");
  const application = await findApplication(deps, client_id);
  if (!application) throw brokenLink("It names an application that is not registered here (client_id).");
  refuseStoppedOnPage(application, deps.operator);
  return application;
}

/** Where the answer goes; an application with web connect need not say it: the first one registered (interface, rule 3). */
function registeredRedirectUri(application: ShownApplication, { redirect_uri }: Fields): string {
  const [first] = application.redirectUris;
  if (!redirect_uri && application.webConnect && first !== undefined) return first;
  if (!redirect_uri) throw brokenLink("It does not say where to send you back (redirect_uri).");
  if (!redirectUriMatches(application, redirect_uri))
    throw brokenLink("The address to send you back to is not one this application has registered (redirect_uri).");
  return redirect_uri;
}

/** "By default the display type is auto-detected" (interface, rule 4): a phone of old asks for WAP pages and not for HTML. */
const detectDisplay = (accept = ""): Display | null =>
  /\b(application\/vnd\.wap\.xhtml\+xml|text\/vnd\.wap\.wml)\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
    ? "wap"
    : null;

/** `prompt` is a list (OpenID Connect Core section 3.1.2.1). What else it and max_age can say is as if it were not said. */
const asksForFreshLogin = ({ prompt = "", max_age }: Fields): boolean =>
  prompt.split(" ").includes("login") || max_age === "0";

/** An error page on this host: nobody is sent anywhere. */
const brokenLink = (why: string) =>
  new KnownError(400, "invalid_request", `The link that brought you here cannot be used. ${why}`, {
    title: "This log-in link is broken",
  });

/** In order; `error` is the code of RFC 6749 section 4.1.2.1 (4.2.2.1 for the token flow). */
const CHECKS: {
  error: string;
  description: string;
  isWrong(fields: Fields, application: ShownApplication): boolean;
}[] = [
  {
    error: "invalid_request",
    description: "response_type is required",
    isWrong: ({ response_type }) => response_type === undefined,
  },
  {
    error: "unsupported_response_type",
    description: "response_type must be code or token",
    isWrong: ({ response_type }) => response_type !== "code" && response_type !== "token",
  },
  {
    error: "unauthorized_client",
    description: "this application is not registered for the token flow",
    isWrong: ({ response_type }, { tokenFlow }) => response_type === "token" && !tokenFlow,
  },
  {
    error: "invalid_request",
    description: "state must be UTF-8 text without NUL, of at most 4,096 characters",
    isWrong: ({ state = "" }) => state.includes("\0") || state.includes("\ufffd") || state.length > 4096,
  },
  {
    error: "invalid_request",
    description: "code_challenge_method must be S256, together with a code_challenge",
    isWrong: ({ code_challenge, code_challenge_method }) =>
      code_challenge_method !== (code_challenge === undefined ? undefined : "S256"),
  },
  {
    error: "invalid_request",
    description: "code_challenge must be 43 characters of base64url",
    isWrong: ({ code_challenge }) => code_challenge !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(code_challenge),
  },
];
