import type { FastifyRequest } from "fastify";
import { sha256 } from "../../../shared/crypto.ts";
import type { DirectoryDeps } from "../../deps.ts";

declare module "fastify" {
  interface Session {
    /** A new client secret, sealed, until the page shows it. */
    newSecret?: { clientId: string; sealed: string; until: number } | undefined;
  }
}

const WAITS_MS = 10 * 60_000;

/** Seals the secret, because the database may hold only hashes of secrets (attacks B38). */
export function keepNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): void {
  const sealed = Buffer.from(vault.seal(clientSecret, place(request, clientId))).toString("base64");
  request.session.newSecret = { clientId, sealed, until: Date.now() + WAITS_MS };
}

export function takeNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  clientId: string,
): string | undefined {
  if (request.method === "HEAD") return undefined; // HEAD shows no page
  const { newSecret } = request.session;
  const isOver = newSecret && newSecret.until < Date.now();
  if (!newSecret || (newSecret.clientId !== clientId && !isOver)) return undefined;
  request.session.newSecret = undefined;
  return isOver ? undefined : vault.open(Buffer.from(newSecret.sealed, "base64"), place(request, clientId));
}

/** Binds the seal to this session, user and application (attacks S03). */
function place({ session }: FastifyRequest, clientId: string): string {
  const id = Buffer.from(sha256(session.sessionId)).toString("hex");
  return `directory.session/${id}/${session.owner}/${clientId}/newSecret`;
}
