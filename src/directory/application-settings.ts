import { text } from "../contract/parameters.ts";
import type { Application } from "../db/generated/client.ts";
import { KnownError } from "../shared/errors.ts";
import { checkRedirectUri } from "./redirect-uris.ts";

/**
 * What can be said when an application is registered, and changed later. `redirectUris` are in order, and the first is
 * the default; with `tokenFlow` response_type=token is open to it; with `webConnect` a call without redirect_uri is sent
 * to the first; with `rotatesItself` it may change its own secret by a call; `rateLimit` is how many calls an hour it has in each group of endpoints: null for the usual numbers, 0
 * for no limit.
 */
export type ApplicationSettings = Pick<
  Application,
  "name" | "redirectUris" | "redirectMatch" | "tokenFlow" | "webConnect" | "rotatesItself" | "rateLimit"
>;

type Checked = Partial<Pick<ApplicationSettings, "name" | "redirectUris">>;

/** Redirect URIs of one application. */
const MOST_URIS = 20;

/**
 * Name and redirect URIs as they are kept: trimmed, and each redirect URI once.
 *
 * @throws KnownError 400 param_error that names everything wrong
 */
export function cleanSettings({ name, redirectUris }: Checked): Checked {
  const problems = Object.values(settingsProblems({ name, redirectUris }));
  if (problems.length > 0) throw new KnownError(400, "param_error", problems.join(" "));
  return {
    ...(name === undefined ? {} : { name: shownName.parse(name) }),
    ...(redirectUris ? { redirectUris: [...new Set(redirectUris)] } : {}),
  };
}

/** What is wrong with them, as sentences, one text a field; empty when nothing is. */
export function settingsProblems({ name, redirectUris }: { [K in keyof Checked]: Checked[K] | undefined }) {
  const problems: Partial<Record<"name" | "redirectUris", string>> = {};
  const nameProblem = name === undefined ? undefined : problemOfName(name);
  if (nameProblem) problems.name = nameProblem;
  const uriProblems = redirectUris === undefined ? [] : problemsOfUris(redirectUris);
  if (uriProblems.length > 0) problems.redirectUris = uriProblems.join(" ");
  return problems;
}

/** A name people can see: without it the consent page would ask them to allow nobody. */
const shownName = text("name", 100).refine(
  (value) => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(value),
  "name must hold a letter or a digit",
);

function problemOfName(name: string): string | undefined {
  if (name.trim() === "") return "An application needs a name.";
  const { error } = shownName.safeParse(name);
  return error && `The ${error.issues[0]?.message}.`;
}

function problemsOfUris(uris: string[]): string[] {
  if (uris.length === 0 || uris.length > MOST_URIS) return [`An application needs 1 to ${MOST_URIS} redirect URIs.`];
  return uris.flatMap((uri) => {
    try {
      checkRedirectUri(uri);
      return [];
    } catch (error) {
      if (error instanceof KnownError) return [error.message];
      throw error;
    }
  });
}
