import type { FastifyRequest } from "fastify";
import { sha256 } from "../../../shared/crypto.ts";
import type { DirectoryDeps } from "../../deps.ts";

declare module "fastify" {
  interface Session {
    /** A fresh client secret, sealed, on its way from the form to the page that shows it. */
    newSecret?: { clientId: string; sealed: string; until: number } | undefined;
  }
}

/** How long a secret waits for its page: as long as a redirect takes, and some patience. */
const WAITS_MS = 10 * 60_000;

/**
 * Keeps a fresh secret for the next page of this session about this application, and for nothing else: sealed, because
 * only hashes of secrets may rest in the database (attacks B38).
 */
export function keepNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): void {
  const sealed = Buffer.from(vault.seal(clientSecret, place(request, clientId))).toString("base64");
  request.session.newSecret = { clientId, sealed, until: Date.now() + WAITS_MS };
}

/** The secret that was kept for this page, once. */
export function takeNewSecret(
  { vault }: Pick<DirectoryDeps, "vault">,
  request: FastifyRequest,
  clientId: string,
): string | undefined {
  if (request.method === "HEAD") return undefined; // nobody sees the page
  const { newSecret } = request.session;
  const isOver = newSecret && newSecret.until < Date.now();
  if (!newSecret || (newSecret.clientId !== clientId && !isOver)) return undefined;
  request.session.newSecret = undefined;
  return isOver ? undefined : vault.open(Buffer.from(newSecret.sealed, "base64"), place(request, clientId));
}

/** Opens in this session, for its user and this application only (attacks S03). */
function place({ session }: FastifyRequest, clientId: string): string {
  const id = Buffer.from(sha256(session.sessionId)).toString("hex");
  return `directory.session/${id}/${session.owner}/${clientId}/newSecret`;
}
