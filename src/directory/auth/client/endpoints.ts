import type { z } from "zod";
import {
  ACCESS_TOKEN_PATH,
  accessTokenParameters,
  CLIENT_SECRET_PATH,
  clientSecretsResponse,
  endedSecretsResponse,
  REVOCATION_PATH,
  revocationParameters,
  revocationResponse,
  rotationParameters,
  rotationResponse,
  type TokenErrorCode,
  tokenResponse,
  typedTokenResponse,
} from "../../../contract/oauth.ts";
import type { Json } from "../../../http/json-schema.ts";
import { type Route, rowsFor } from "../../../http/routes.ts";
import { clients, type TokenDeps } from "./authentication.ts";
import { endOthers, listOwn, rotateOwn, rotatingClients } from "./secret.ts";
import { exchangeCode, exchangers, revoke } from "./token-endpoint.ts";

const { get, post, del } = rowsFor<TokenDeps>();

export interface TokenEndpoint {
  path: string;
  /** Status of invalid_client without HTTP Basic; with it, the status is 401 (RFC 6749 section 5.2). */
  invalidClientStatus: 400 | 401;
  isOurs?: true;
  /** The other way to send credentials than HTTP Basic, if the documentation says so. */
  takesCredentials?: true;
  /** What is wrong, by status, beside what every one of them may answer. */
  refusals: Record<number, [code: TokenErrorCode, description: string]>;
  calls: TokenCall[];
}

/** A call, with what the documentation says of it. */
export interface TokenCall {
  row: Route<TokenDeps>;
  summary: string;
  description?: string;
  parameters?: z.ZodObject;
  answer: { description: string; name: string; schema: z.ZodType; example: Json };
  refusals?: TokenEndpoint["refusals"];
  /** Of curl, beside the credentials. */
  options?: string[];
}

const TOKEN = { access_token: "A-USERS-ACCESS-TOKEN" };
export const EXCHANGED = ["grant_type=authorization_code", "redirect_uri=YOUR_REDIRECT_URI", "code=CODE"];

const accessToken: TokenEndpoint = {
  path: ACCESS_TOKEN_PATH,
  invalidClientStatus: 400,
  takesCredentials: true,
  refusals: {
    400: ["invalid_grant", "Invalid parameters, credentials or code."],
    401: ["invalid_client", "Invalid credentials in HTTP Basic."],
  },
  calls: [
    {
      row: get(ACCESS_TOKEN_PATH, exchangers, exchangeCode),
      summary: "Exchanges a code for the access token",
      parameters: accessTokenParameters,
      answer: { description: "The token.", name: "Token", schema: tokenResponse, example: TOKEN },
    },
    {
      row: post(ACCESS_TOKEN_PATH, exchangers, exchangeCode),
      summary: "Exchanges a code for the access token, with the parameters in the body",
      parameters: accessTokenParameters,
      answer: {
        description: "The token with its type.",
        name: "TypedToken",
        schema: typedTokenResponse,
        example: { ...TOKEN, token_type: "bearer" },
      },
      options: EXCHANGED.map((field) => `-d ${field}`),
    },
  ],
};

const revocation: TokenEndpoint = {
  path: REVOCATION_PATH,
  invalidClientStatus: 401,
  isOurs: true,
  takesCredentials: true,
  refusals: {
    400: ["invalid_request", "Invalid parameters."],
    401: ["invalid_client", "Invalid credentials."],
  },
  calls: [
    {
      row: post(REVOCATION_PATH, clients, revoke),
      summary: "Ends an access token (RFC 7009)",
      description: "The user's consent stays, so their next log-in issues a new token.",
      parameters: revocationParameters,
      answer: {
        description: "The token is no longer valid, if it ever was.",
        name: "Revoked",
        schema: revocationResponse,
        example: {},
      },
      options: ["-d token=TOKEN"],
    },
  ],
};

const client_id = "YOUR-CLIENT-ID";
const created_at = "2026-01-31T12:00:00.000Z";

const clientSecret: TokenEndpoint = {
  path: CLIENT_SECRET_PATH,
  invalidClientStatus: 401,
  isOurs: true,
  refusals: {
    400: ["invalid_request", "Invalid parameters, or parameters in the query."],
    401: ["invalid_client", "Invalid credentials."],
    403: ["unauthorized_client", "The application's owner does not let it change its own secret."],
  },
  calls: [
    {
      row: get(CLIENT_SECRET_PATH, rotatingClients, listOwn),
      summary: "Lists the application's live secrets",
      answer: {
        description: "The live secrets, the current one first. The secrets themselves are not included.",
        name: "ClientSecrets",
        schema: clientSecretsResponse,
        example: {
          client_id,
          secrets: [{ created_at, expires_at: null, last_used_at: created_at, current: true, used_now: true }],
        },
      },
    },
    {
      row: post(CLIENT_SECRET_PATH, rotatingClients, rotateOwn),
      summary: "Creates a new secret for the application",
      description:
        "The secret used for this call keeps working for the overlap; any other ends at once. If the response was lost, call again " +
        "with the same secret: this ends the new secret that you did not receive.",
      parameters: rotationParameters,
      answer: {
        description: "The new secret, which is shown only once.",
        name: "RotatedSecret",
        schema: rotationResponse,
        example: {
          client_id,
          client_secret: "A-NEW-SECRET",
          created_at,
          client_secret_expires_at: 0,
          previous_expires_at: "2026-02-01T12:00:00.000Z",
        },
      },
      options: ["-X POST"],
    },
    {
      row: del(CLIENT_SECRET_PATH, rotatingClients, endOthers),
      summary: "Ends all other secrets of the application",
      answer: {
        description: "The number of secrets ended.",
        name: "EndedSecrets",
        schema: endedSecretsResponse,
        example: { client_id, ended: 1 },
      },
      refusals: { 409: ["invalid_request", "The call used an older secret. Switch to the newest first."] },
      options: ["-X DELETE"],
    },
  ],
};

export const tokenEndpoints = [accessToken, revocation, clientSecret];
