import type { Application } from "../db/generated/client.ts";
import { KnownError } from "../shared/errors.ts";

/** Longest redirect URI, registered or sent. */
const MAX_LENGTH = 2000;
/** Characters of RFC 3986, percent-encoding included: nothing a browser would read differently from us. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const LOOPBACK = /^(https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
/** Parameters of the answer: a redirect URI that brings its own could pass a stranger's code off as ours. */
const ANSWER_PARAMETERS = ["code", "state", "error", "error_description", "access_token"];

/**
 * Whether an application may register this redirect URI (RFC 6749 section 3.1.2; attacks B05): https, or http on
 * loopback, written the way a browser would write it.
 *
 * @throws KnownError 400 param_error saying what to change
 */
export function checkRedirectUri(uri: string): void {
  const refuse = (why: string) => {
    throw new KnownError(400, "param_error", `The redirect URI ${JSON.stringify(uri.slice(0, 200))} ${why}.`);
  };
  if (uri.length > MAX_LENGTH) refuse(`is longer than ${MAX_LENGTH} characters`);
  if (!URL.canParse(uri)) refuse("must be a full address, such as https://example.org/callback");
  const url = new URL(uri);
  if (uri.includes("#")) refuse("must not have a fragment (#)");
  if (uri.includes("*")) refuse("must not hold a wildcard (*): register each address");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(uri)))
    refuse("must be https; plain http is accepted for localhost, 127.0.0.1 and [::1] only");
  if (url.username || url.password) refuse("must not hold a user name or password");
  if (!URI_CHARACTERS.test(uri)) refuse("holds characters that must be percent-encoded");
  if (url.href !== uri && url.href !== `${uri}/`) refuse(`must be written as ${url.href}`);
  if (bringsAnswer(url)) refuse(`must not have the parameters ${ANSWER_PARAMETERS.join(", ")}: the answer adds them`);
}

/**
 * Whether the `redirect_uri` of a request is one of the application's (attacks B01, B06).
 *
 * Exactly, character by character, but for the port of a loopback address (RFC 8252 section 7.3). An application with
 * `redirectMatch` path may also append query parameters, since old clients do (python-social-auth's redirect_state).
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
