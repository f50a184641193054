import type { FastifyRequest } from "fastify";
import type { Guard } from "../../../http/routes.ts";
import { KnownError } from "../../../shared/errors.ts";
import { type Operator, operatorInWords } from "../../access.ts";
import { type VerifiedClient, verifyClient } from "../../applications/secrets.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { type AuthDeps, createBrake } from "../base/session.ts";

export type Sent = Record<string, string | string[]>[];

/**
 * Throws KnownError 400 invalid_client whatever is wrong (attacks B17), or `missing` without credentials; 429 after too
 * many wrong secrets.
 */
type AuthenticateClient = (
  request: FastifyRequest,
  sent: Sent,
  missing?: "invalid_request" | "invalid_client",
) => Promise<VerifiedClient>;

/** Create one for all endpoints, so that they share the count of wrong secrets. */
export function clientAuthentication(deps: Pick<DirectoryDeps, "pool" | "vault">): AuthenticateClient {
  const brake = createBrake(deps, { name: "client secret", limit: 30, windowSeconds: 60 });
  return async (request, sent, missing = "invalid_request") => {
    const basic = basicCredentials(request);
    const id = theOne("client_id", [basic?.id, ...sent.map((source) => source.client_id)], missing);
    const secret = theOne("client_secret", [basic?.secret, ...sent.map((source) => source.client_secret)], missing);
    const refusal = await brake.check(id, request);
    if (refusal) throw refusal;
    const application = await verifyClient(deps, id, secret);
    if (application) {
      request.log = request.log.child({ client: id });
      return application;
    }
    // The check admits concurrent calls; counting again limits how many learn that their secret is wrong (attacks B43).
    throw (
      (await brake.count(id, request)) ?? tokenError("invalid_client", "the client id or the client secret is wrong")
    );
  };
}

export interface TokenDeps extends AuthDeps {
  authenticateClient: AuthenticateClient;
}

export const clients: Guard<TokenDeps, VerifiedClient> = (deps, handler) => async (request, reply) =>
  handler(deps, request, reply, await deps.authenticateClient(request, [bodyOf(request)], "invalid_client"));

export const bodyOf = ({ body }: FastifyRequest): Sent[number] => (body ?? {}) as Sent[number];

/** HTTP Basic, query and body may repeat a credential but not contradict each other. */
function theOne(name: string, values: (string | string[] | undefined)[], missing: string): string {
  const given = values.filter((value) => value !== undefined && value !== "");
  const [value] = given;
  if (value === undefined) throw tokenError(missing, `${name} is required`);
  if (Array.isArray(value) || given.some((other) => other !== value))
    throw tokenError("invalid_request", `${name} was given more than once`);
  return value;
}

export const usesBasic = (request: FastifyRequest) => /^basic\s/i.test(request.headers.authorization ?? "");

/** Both parts are form-encoded (RFC 6749 section 2.3.1). */
function basicCredentials(request: FastifyRequest): { id: string; secret: string } | undefined {
  if (!usesBasic(request)) return undefined;
  const text = Buffer.from((request.headers.authorization ?? "").slice(6).trim(), "base64").toString();
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const decode = (part: string) => new URLSearchParams(`v=${part.replaceAll("&", "%26")}`).get("v") ?? "";
  return { id: decode(id), secret: decode(secret) };
}

/** A stopped application may only revoke tokens. Throws KnownError 400 unauthorized_client. */
export function refuseStopped({ access }: VerifiedClient, operator: Operator | undefined): void {
  if (access !== "stopped") return;
  throw tokenError("unauthorized_client", `this application is stopped: ask ${operatorInWords(operator)} about it`);
}

export const tokenError = (code: string, message: string) => new KnownError(400, code, message);
