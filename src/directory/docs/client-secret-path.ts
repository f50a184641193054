import {
  clientSecretsResponse,
  endedSecretsResponse,
  rotationParameters,
  rotationResponse,
} from "../../contract/oauth.ts";
import { formBody } from "./parameters.ts";
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { answer, CHALLENGE, temporary, tokenError } from "./token-answers.ts";

/** The path of an application's own secrets (ours). */
export function clientSecret(naming: Naming): Json {
  const listed = naming.refer("ClientSecrets", clientSecretsResponse);
  const rotated = naming.refer("RotatedSecret", rotationResponse);
  const ended = naming.refer("EndedSecrets", endedSecretsResponse);
  const errors = {
    400: tokenError(naming, "invalid_request", "Wrong parameters, or parameters in the address."),
    401: tokenError(naming, "invalid_client", "Wrong credentials.", CHALLENGE),
    403: tokenError(naming, "unauthorized_client", "The application's owner does not let it change its own secret."),
    ...temporary(naming),
  };
  const operation = (operationId: string, summary: string, description: string, answers: Json): Json => ({
    operationId,
    tags: ["oauth2"],
    summary,
    description: markOurs(description),
    "x-ours": true,
    security: [{ client_basic: [] }],
    responses: { ...answers, ...errors },
  });
  return {
    get: operation("getClientSecret", "The application's own secrets that work", "", {
      200: answer("The current one first. None says what it is.", listed, LISTED),
    }),
    post: {
      ...operation("postClientSecret", "Gives the application a new secret", ROTATION, {
        200: answer("The new secret, this once.", rotated, ROTATED),
      }),
      requestBody: formBody(rotationParameters),
    },
    delete: operation("deleteClientSecret", "Ends every other secret of the application", "", {
      200: answer("How many were ended.", ended, ENDED),
      409: tokenError(naming, "invalid_request", "The call was made with an older secret: switch to the newest first."),
    }),
  };
}

const ROTATION =
  "The secret of this call works for the overlap more; any other ends at once. Where the answer was lost, call again with " +
  "the same secret: the new one that nobody has ends.";

const client_id = "YOUR-CLIENT-ID";
const created_at = "2026-01-31T12:00:00.000Z";
const LISTED = {
  client_id,
  secrets: [{ created_at, expires_at: null, last_used_at: created_at, current: true, used_now: true }],
};
const ROTATED = {
  client_id,
  client_secret: "A-NEW-SECRET",
  created_at,
  client_secret_expires_at: 0,
  previous_expires_at: "2026-02-01T12:00:00.000Z",
};
const ENDED = { client_id, ended: 1 };
