import {
  clientSecretsResponse,
  endedSecretsResponse,
  rotationParameters,
  rotationResponse,
} from "../../contract/oauth.ts";
import { formBody } from "./parameters.ts";
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { answer, CHALLENGE, temporary, tokenError } from "./token-answers.ts";

export function clientSecret(naming: Naming): Json {
  const listed = naming.refer("ClientSecrets", clientSecretsResponse);
  const rotated = naming.refer("RotatedSecret", rotationResponse);
  const ended = naming.refer("EndedSecrets", endedSecretsResponse);
  const errors = {
    400: tokenError(naming, "invalid_request", "Invalid parameters, or parameters in the query."),
    401: tokenError(naming, "invalid_client", "Invalid credentials.", CHALLENGE),
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
    get: operation("getClientSecret", "Lists the application's live secrets", "", {
      200: answer("The live secrets, the current one first. The secrets themselves are not included.", listed, LISTED),
    }),
    post: {
      ...operation("postClientSecret", "Creates a new secret for the application", ROTATION, {
        200: answer("The new secret, which is shown only once.", rotated, ROTATED),
      }),
      requestBody: formBody(rotationParameters),
    },
    delete: operation("deleteClientSecret", "Ends all other secrets of the application", "", {
      200: answer("The number of secrets ended.", ended, ENDED),
      409: tokenError(naming, "invalid_request", "The call used an older secret. Switch to the newest first."),
    }),
  };
}

const ROTATION =
  "The secret used for this call keeps working for the overlap; any other ends at once. If the response was lost, call again " +
  "with the same secret: this ends the new secret that you did not receive.";

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
