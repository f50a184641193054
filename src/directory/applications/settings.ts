import { text } from "../../contract/text.ts";
import type { Application } from "../../db/generated/client.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { checkRedirectUri } from "./redirect-uris.ts";

/**
 * The first of `redirectUris` is the default. `tokenFlow` allows response_type=token, `webConnect` calls without
 * redirect_uri. `rateLimit` is calls an hour in each group of endpoints: null for the default, 0 for no limit.
 */
export type ApplicationSettings = Pick<
  Application,
  "name" | "redirectUris" | "redirectMatch" | "tokenFlow" | "webConnect" | "rotatesItself" | "rateLimit"
>;

type Checked = Partial<Pick<ApplicationSettings, "name" | "redirectUris">>;

const MOST_URIS = 20;

/** Throws KnownError 400 param_error that lists every problem. */
export function cleanSettings({ name, redirectUris }: Checked): Checked {
  const problems = Object.values(settingsProblems({ name, redirectUris }));
  if (problems.length > 0) throw new KnownError(400, "param_error", problems.join(" "));
  return {
    ...(name === undefined ? {} : { name: shownName.parse(name) }),
    ...(redirectUris ? { redirectUris: [...new Set(redirectUris)] } : {}),
  };
}

export function settingsProblems({ name, redirectUris }: { [K in keyof Checked]: Checked[K] | undefined }) {
  const problems: Partial<Record<"name" | "redirectUris", string>> = {};
  const nameProblem = name === undefined ? undefined : problemOfName(name);
  if (nameProblem) problems.name = nameProblem;
  const uriProblems = redirectUris === undefined ? [] : problemsOfUris(redirectUris);
  if (uriProblems.length > 0) problems.redirectUris = uriProblems.join(" ");
  return problems;
}

const shownName = text("name", 100);

/** A name needs a visible character, because the consent page shows it. */
const isVisible = (name: string) => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(name);

function problemOfName(name: string): string | undefined {
  if (name.trim() === "") return t("An application needs a name.");
  const { data, error } = shownName.safeParse(name);
  if (data === undefined) return `The ${error.issues[0]?.message}.`;
  return isVisible(data) ? undefined : t("The name must hold a letter or a digit.");
}

function problemsOfUris(uris: string[]): string[] {
  if (uris.length === 0 || uris.length > MOST_URIS)
    return [t("An application needs 1 to {most, number} redirect URIs.", { most: MOST_URIS })];
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
