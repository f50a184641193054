import { basicAuthorization, type ClientCredentials } from "./basic.ts";
import { callJson, type Line } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";

/**
 * Gives a user's token back: it is dead afterwards (RFC 7009). A token that the directory no longer knows counts as given
 * back too (section 2.2).
 *
 * @param url the directory's revocation endpoint
 * @throws DirectoryError `refused_client`, `rejected`, `unreachable`, `rate_limited` or `invalid_answer`: then it may still be alive
 */
export async function revokeToken(line: Line, url: URL, client: ClientCredentials, token: string): Promise<void> {
  const headers = { authorization: basicAuthorization(client) };
  const { status } = await callJson(line, url, { method: "POST", headers, form: { token }, maxBytes: 0 });
  if (status === 200) return;
  const kind = status === 401 ? "refused_client" : "rejected";
  throw new DirectoryError(kind, undefined, { reason: `status ${status} to a revocation` });
}
