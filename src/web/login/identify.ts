import type { Exchanged } from "../../directory-client/authorization.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";
import { type Attempt, redirectUri } from "./attempts.ts";
import type { LoginProblem } from "./problems.ts";

/** A token and whose it is; `user` is missing at a directory without users/self. */
export interface Login extends Exchanged {
  user: DirectoryUser | undefined;
}

/**
 * Exchanges the code and asks who it is. Nothing of it is stored yet.
 *
 * @throws DirectoryError
 */
export async function identify(web: Web, { codeVerifier }: Attempt, code: string): Promise<Login> {
  const credentials = await web.credentials();
  const exchanged = await web.authHost.exchangeCode({
    ...credentials,
    redirectUri: redirectUri(web),
    code,
    codeVerifier,
  });
  return { ...exchanged, user: await whoIs(web, exchanged.token) };
}

/** The interface itself names no identity call: a directory may have no users/self. */
async function whoIs(web: Web, token: string): Promise<DirectoryUser | undefined> {
  const user = await web.directory.self({ token }).catch((error) => {
    if (error instanceof DirectoryError && error.kind === "not_found") return undefined;
    throw error;
  });
  if (user && !/^[\x21-\x7e]{1,100}$/.test(user.id))
    throw new DirectoryError("invalid_answer", undefined, { reason: "an unusable user id" });
  return user;
}

/** What the page says when the directory failed at it. */
export function problemWith({ kind }: DirectoryError): LoginProblem {
  if (kind === "unreachable" || kind === "refused_client" || kind === "rejected") return kind;
  if (kind === "not_enabled") return "refused_client";
  return kind === "rate_limited" ? "busy" : "directory_error";
}
