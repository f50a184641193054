import type { ClientCredentials } from "../../directory-client/calls/basic.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { t } from "../../language/translate.ts";
import { randomToken } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { redirectUri } from "../login/attempts.ts";

/**
 * Tests credentials at both hosts of the directory: by a call that any application may make, and by the exchange of an
 * invented code, which must fail because of the code alone.
 *
 * @throws KnownError 400 if the directory refuses them, 503 if it could not be asked
 */
export async function tryCredentials(web: Web, client: ClientCredentials): Promise<void> {
  const { clientId, clientSecret } = client;
  await web.directory.askCategories({ clientId, clientSecret }).catch((error) => {
    throw explained(error, "API");
  });
  const exchange = { clientId, clientSecret, redirectUri: redirectUri(web) };
  await web.authHost.exchangeCode({ ...exchange, code: randomToken(), codeVerifier: randomToken() }).catch((error) => {
    if (!(error instanceof DirectoryError && error.kind === "rejected")) throw explained(error, "log-in");
  });
}

function explained(error: unknown, host: "API" | "log-in"): unknown {
  if (!(error instanceof DirectoryError)) return error;
  const { kind, cause } = error;
  if (kind === "not_enabled") return error;
  if (kind === "refused_client" || kind === "rejected") {
    const refused = t(
      "The directory’s {host, select, API {API host} other {log-in host}} does not accept the secret.",
      { host },
    );
    return new KnownError(400, "refused_client", refused, { cause });
  }
  const why =
    kind === "invalid_answer"
      ? t(
          "The directory’s {host, select, API {API host} other {log-in host}} sent an answer that cannot be read, so the secret could not be tested.",
          { host },
        )
      : t(
          "The directory’s {host, select, API {API host} other {log-in host}} did not answer, so the secret could not be tested.",
          { host },
        );
  return new KnownError(503, "unavailable", why, { cause });
}
