import type { Application } from "../db/generated/client.ts";
import { KnownError } from "../shared/errors.ts";

const MAX_LENGTH = 2000;
/** Characters of RFC 3986 and percent-encoding, which browsers read as we do. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const LOOPBACK = /^(https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
/** Response parameters: a redirect URI that contains them could pass off another code as ours. */
const ANSWER_PARAMETERS = ["code", "state", "error", "error_description", "access_token"];

/** Allows https, and http on loopback (RFC 6749 section 3.1.2; attacks B05). Throws KnownError 400 param_error. */
export function checkRedirectUri(uri: string): void {
  const refuse = (why: string) => {
    throw new KnownError(400, "param_error", `The redirect URI ${JSON.stringify(uri.slice(0, 200))} ${why}.`);
  };
  if (uri.length > MAX_LENGTH) refuse(`is longer than ${MAX_LENGTH} characters`);
  if (!URL.canParse(uri)) refuse("must be an absolute URL, such as https://example.org/callback");
  const url = new URL(uri);
  if (uri.includes("#")) refuse("must not have a fragment (#)");
  if (uri.includes("*")) refuse("must not contain a wildcard (*); register each URI");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(uri)))
    refuse("must be https; plain http is allowed only for localhost, 127.0.0.1 and [::1]");
  if (url.username || url.password) refuse("must not contain a user name or password");
  if (!URI_CHARACTERS.test(uri)) refuse("contains characters that must be percent-encoded");
  if (url.href !== uri && url.href !== `${uri}/`) refuse(`must be written as ${url.href}`);
  if (bringsAnswer(url))
    refuse(`must not have the parameters ${ANSWER_PARAMETERS.join(", ")}, which the response adds`);
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
