import { PROPOSE_PATH, WITHDRAW_PATH } from "../../contract/proposals.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { refuseStoppedOnPage } from "../access.ts";
import { findApplication, redirectUriMatches, type ShownApplication } from "../applications/applications.ts";
import type { DirectoryDeps } from "../deps.ts";
import type { Recipient } from "./answer.ts";

/** Those of the interface, `state`, PKCE (RFC 7636), and `prompt` and `max_age` of OpenID Connect. */
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

export interface AuthorizationRequest extends Recipient {
  clientId: string;
  responseType: "code" | "token";
  codeChallenge: string | null;
  /** Null for the default pages, which fit every screen. */
  display: Display | null;
  alwaysPrompt: boolean;
  /** The user must enter their password for this request even if signed in (prompt=login, max_age=0). */
  freshLogin: boolean;
  /** True if redirect_uri was left out and web connect supplied the first registered one (interface, rule 3). */
  isWebConnect: boolean;
}

/** An error of a call whose redirect URI is valid, reported to the application (RFC 6749 section 4.1.2.1). */
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
 * Throws KnownError 400, or 403 for a stopped application, until the redirect URI is known to be valid, so that no
 * redirect happens. Afterwards returns a refusal for the application.
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

/** An empty parameter counts as left out (RFC 6749 section 3.1). */
function once(query: Record<string, unknown>): Fields {
  const fields: Fields = {};
  for (const name of PARAMETERS) {
    const value = query[name];
    if (Array.isArray(value)) throw brokenLink(t("It names {name} more than once.", { name }));
    if (typeof value === "string" && value !== "") fields[name] = value;
  }
  return fields;
}

async function knownApplication(
  deps: Pick<DirectoryDeps, "pool" | "operator">,
  { client_id }: Fields,
): Promise<ShownApplication> {
  if (!client_id) throw brokenLink(t("It does not name the application (client_id is missing)."));
  const application = await findApplication(deps, client_id);
  if (!application) throw brokenLink(t("It names an application that is not registered here (client_id)."));
  refuseStoppedOnPage(application, deps.operator);
  return application;
}

/** Web connect allows redirect_uri to be left out: it defaults to the first one registered (interface, rule 3). */
function registeredRedirectUri(application: ShownApplication, { redirect_uri }: Fields): string {
  const [first] = application.redirectUris;
  if (!redirect_uri && application.webConnect && first !== undefined) return first;
  if (!redirect_uri) throw brokenLink(t("It does not say where to return to (redirect_uri is missing)."));
  if (!redirectUriMatches(application, redirect_uri))
    throw brokenLink(t("The application has not registered the address to return to (redirect_uri)."));
  return redirect_uri;
}

/** "By default the display type is auto-detected" (interface, rule 4): old phones accept WAP pages but not HTML. */
const detectDisplay = (accept = ""): Display | null =>
  /\b(application\/vnd\.wap\.xhtml\+xml|text\/vnd\.wap\.wml)\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
    ? "wap"
    : null;

/** `prompt` is a list (OpenID Connect Core section 3.1.2.1). Other values of both parameters are ignored. */
const asksForFreshLogin = ({ prompt = "", max_age }: Fields): boolean =>
  prompt.split(" ").includes("login") || max_age === "0";

const brokenLink = (why: string) =>
  new KnownError(400, "invalid_request", t("The link that brought you here is invalid. {why}", { why }), {
    title: t("This log-in link is broken"),
  });

/** Checked in order. `error` is a code of RFC 6749 section 4.1.2.1 (4.2.2.1 for the token flow). */
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

interface Grant {
  words: () => string;
  /** Endpoints that act for the user whose token it is. */
  paths: readonly string[];
  /** Only operators of the directory can allow it, and only to an application of an operator. */
  isForOperators?: boolean;
}

/** What an application can do with a user's token: every endpoint that needs one. */
export const GRANTS: readonly Grant[] = [
  { words: () => t("Read your profile"), paths: ["/v2/users/:id"] },
  { words: () => t("Read your check-ins"), paths: ["/v2/users/:id/checkins"] },
  {
    words: () => t("Check you in, and change or delete the check-ins it made"),
    paths: ["/v2/checkins/add", "/v2/checkins/edit", "/v2/checkins/delete"],
  },
  {
    words: () => t("Add venues in your name, and link its own records to venues"),
    paths: ["/v2/venues/add", "/v2/venues/:id/annotate", "/v2/venues/annotate"],
  },
  {
    words: () => t("Correct or take back what it has just added in your name"),
    paths: ["/v2/venues/edit", "/v2/venues/delete"],
  },
  {
    words: () => t("Suggest edits and report duplicates for you, and read your proposals"),
    paths: [PROPOSE_PATH, WITHDRAW_PATH, "/v2/users/:id/proposals"],
  },
  {
    words: () => t("Edit and merge all venues and revert changes, because you operate the directory"),
    paths: ["/v2/venues/merge", "/v2/venues/revert"],
    isForOperators: true,
  },
];

export const grantsInWords = ({ isOperator }: { isOperator: boolean }): string[] =>
  GRANTS.filter(({ isForOperators = false }) => isOperator || !isForOperators).map(({ words }) => words());
