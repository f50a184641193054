import type { Guard, Handler } from "../../../http/routes.ts";
import { KnownError } from "../../../shared/errors.ts";
import {
  endOtherSecrets,
  type LiveSecret,
  listSecrets,
  MAX_OVERLAP_HOURS,
  rotateSecret,
  type VerifiedClient,
} from "../../applications/secrets.ts";
import { bodyOf, clients, refuseStopped, type Sent, type TokenDeps, tokenError } from "./authentication.ts";

type Fields = Sent[number];

type SecretHandler = Handler<TokenDeps, VerifiedClient>;

export const listOwn: SecretHandler = async (deps, _request, reply, { clientId, secretId }) => {
  const secrets = await listSecrets(deps, clientId);
  return reply.send({ client_id: clientId, secrets: secrets.map((secret) => secretView(secret, secretId)) });
};

export const rotateOwn: SecretHandler = async (deps, request, reply, { clientId, secretId }) => {
  const rotation = { overlapHours: overlapOf(bodyOf(request)) / HOUR, usedSecret: secretId };
  const { clientSecret, createdAt, previousExpiresAt } = await rotateSecret(deps, clientId, rotation);
  return reply.send({
    client_id: clientId,
    client_secret: clientSecret,
    created_at: createdAt.toISOString(),
    client_secret_expires_at: 0, // never (RFC 7591 section 3.2.1)
    previous_expires_at: previousExpiresAt.toISOString(),
  });
};

export const endOthers: SecretHandler = async (deps, _request, reply, { clientId, secretId }) =>
  reply.send({ client_id: clientId, ended: await endOtherSecrets(deps, clientId, secretId) });

export const rotatingClients: Guard<TokenDeps, VerifiedClient> = (deps, handler) => async (request, reply) => {
  const query = request.query as Fields;
  if (["client_id", "client_secret", "overlap"].some((name) => name in query))
    throw tokenError("invalid_request", "send parameters in the body, because addresses are logged");
  return clients(deps, (_deps, _request, _reply, client) => {
    refuseStopped(client, deps.operator);
    if (client.rotatesItself) return handler(deps, request, reply, client);
    const page = `${deps.config.auth.url}/applications/${client.clientId}`;
    const message = `this application may not change its own secret; its owner can allow it at ${page}`;
    throw new KnownError(403, "unauthorized_client", message);
  })(request, reply);
};

const HOUR = 3600;

/** Seconds; default one day. */
function overlapOf({ overlap }: Fields): number {
  if (Array.isArray(overlap)) throw tokenError("invalid_request", "overlap was given more than once");
  if (!overlap) return 24 * HOUR;
  const most = MAX_OVERLAP_HOURS * HOUR;
  if (/^\d{1,6}$/.test(overlap) && Number(overlap) <= most) return Number(overlap);
  throw tokenError("invalid_request", `overlap must be a whole number of seconds, from 0 to ${most}`);
}

/** `used` is the id of the secret that authenticates this call, which counts as its last use. */
function secretView({ id, createdAt, expiresAt, lastUsedAt, now }: LiveSecret, used: string) {
  return {
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: (id === used ? now : lastUsedAt)?.toISOString() ?? null,
    current: expiresAt === null,
    used_now: id === used,
  };
}
