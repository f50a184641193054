import type { Application } from "../../db/generated/client.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";

const MAX_LENGTH = 2000;
/** Characters of RFC 3986 and percent-encoding, which browsers read as we do. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const LOOPBACK = /^(https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
/** Response parameters: a redirect URI that contains them could pass off another code as ours. */
const ANSWER_PARAMETERS = ["code", "state", "error", "error_description", "access_token"];

/** Allows https, and http on loopback (RFC 6749 section 3.1.2; attacks B05). Throws KnownError 400 param_error. */
export function checkRedirectUri(uri: string): void {
  const problem = problemOf(uri, { uri: JSON.stringify(uri.slice(0, 200)) });
  if (problem) throw new KnownError(400, "param_error", problem);
}

function problemOf(uri: string, shown: { uri: string }): string | undefined {
  if (uri.length > MAX_LENGTH)
    return t("The redirect URI {uri} is longer than {most} characters.", { ...shown, most: MAX_LENGTH });
  if (!URL.canParse(uri))
    return t("The redirect URI {uri} must be an absolute URL, such as https://example.org/callback.", shown);
  const url = new URL(uri);
  if (uri.includes("#")) return t("The redirect URI {uri} must not have a fragment (#).", shown);
  if (uri.includes("*")) return t("The redirect URI {uri} must not contain a wildcard (*); register each URI.", shown);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(uri)))
    return t(
      "The redirect URI {uri} must be https; plain http is allowed only for localhost, 127.0.0.1 and [::1].",
      shown,
    );
  if (url.username || url.password) return t("The redirect URI {uri} must not contain a user name or password.", shown);
  if (!URI_CHARACTERS.test(uri))
    return t("The redirect URI {uri} contains characters that must be percent-encoded.", shown);
  if (url.href !== uri && url.href !== `${uri}/`)
    return t("The redirect URI {uri} must be written as {better}.", { ...shown, better: url.href });
  if (!bringsAnswer(url)) return undefined;
  return t("The redirect URI {uri} must not have the parameters {names}, which the response adds.", {
    ...shown,
    names: ANSWER_PARAMETERS.join(", "),
  });
}

/**
 * Compares exactly (attacks B01, B06), except for the port of a loopback address (RFC 8252 section 7.3). With
 * `redirectMatch` "path", a request may append query parameters, as old clients do (redirect_state of
 * python-social-auth).
 */
export function redirectUriMatches(
  application: Pick<Application, "redirectUris" | "redirectMatch">,
  uri: string,
): boolean {
  if (uri.length > MAX_LENGTH || !URI_CHARACTERS.test(uri) || !URL.canParse(uri)) return false;
  const sent = withoutLoopbackPort(uri);
  return application.redirectUris.map(withoutLoopbackPort).some((registered) => {
    if (sent === registered) return true;
    const extended = sent.startsWith(registered + (registered.includes("?") ? "&" : "?"));
    return application.redirectMatch === "path" && extended && !bringsAnswer(new URL(uri));
  });
}

const withoutLoopbackPort = (uri: string) => uri.replace(LOOPBACK, "$1");

const bringsAnswer = (url: URL) => ANSWER_PARAMETERS.some((name) => url.searchParams.has(name));
