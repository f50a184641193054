import { text } from "../contract/parameters.ts";
import { randomId, randomToken, sha256 } from "../crypto.ts";
import type { Application, RedirectMatch } from "../db/generated/client.ts";
import { KnownError } from "../errors.ts";
import { checkRedirectUri } from "./redirect-uris.ts";
import type { DirectoryDeps } from "./tokens.ts";

export interface NewApplication {
  ownerId: string;
  name: string;
  /** In order; the first is the default. */
  redirectUris: string[];
  redirectMatch?: RedirectMatch;
  /** Whether `response_type=token` is open to it. */
  tokenFlow?: boolean;
  /** Whether a call without redirect_uri is sent to the first (web connect). */
  webConnect?: boolean;
  /** Calls an hour in each group of endpoints: null for the usual numbers, 0 for no limit. */
  rateLimit?: number | null;
}

/**
 * Registers a developer application (interface, "Developer application"). The secret is shown here and never again.
 *
 * @throws KnownError 400 param_error for a bad name or redirect URI
 */
export async function addApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  input: NewApplication,
): Promise<{ clientId: string; clientSecret: string }> {
  const name = applicationName(input.name);
  if (input.redirectUris.length === 0 || input.redirectUris.length > 20)
    throw new KnownError(400, "param_error", "An application needs 1 to 20 redirect URIs.");
  input.redirectUris.forEach(checkRedirectUri);
  const clientSecret = randomToken();
  const { clientId } = await prisma.application.create({
    data: {
      clientId: randomId(),
      name,
      ownerId: input.ownerId,
      redirectUris: [...new Set(input.redirectUris)],
      redirectMatch: input.redirectMatch ?? "exact",
      tokenFlow: input.tokenFlow ?? false,
      webConnect: input.webConnect ?? false,
      rateLimit: input.rateLimit ?? null,
      secrets: { create: { hash: sha256(clientSecret) } },
    },
  });
  return { clientId, clientSecret };
}

function applicationName(input: string): string {
  const parsed = text("name", 100).safeParse(input);
  if (!parsed.success) throw new KnownError(400, "param_error", `${parsed.error.issues[0]?.message}.`);
  if (parsed.data === "") throw new KnownError(400, "param_error", "An application needs a name.");
  return parsed.data;
}

/** An application with the name its owner is shown by. */
export type ShownApplication = Application & { owner: string };

/** The application of a client id, as a page shows it. */
export async function findApplication(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
): Promise<ShownApplication | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const { rows } = await pool.query<ShownApplication>({
    name: "find-application",
    text: `SELECT ${APPLICATION_COLUMNS}, u.handle AS owner
             FROM directory.application a JOIN directory."user" u ON u.id = a.owner_id WHERE a.client_id = $1`,
    values: [clientId],
  });
  return rows[0];
}

/** The columns of an application `a` in hand-written SQL. */
export const APPLICATION_COLUMNS = `a.client_id AS "clientId", a.name, a.owner_id AS "ownerId", a.redirect_uris AS "redirectUris",
  a.redirect_match AS "redirectMatch", a.token_flow AS "tokenFlow", a.web_connect AS "webConnect",
  a.rate_limit AS "rateLimit", a.created_at AS "createdAt"`;

/** Keeps what cannot be an id of ours (NUL, 10 KB) away from the database. */
export const isPlainId = (id: string) => /^[\w-]{1,64}$/.test(id);

/** Adds a redirect URI to an application that lacks it, as its first. Returns false when there is no such application. */
export async function ensureRedirectUri(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
  uri: string,
): Promise<boolean> {
  checkRedirectUri(uri);
  const { rowCount } = await pool.query(
    `UPDATE directory.application
        SET redirect_uris = CASE WHEN $2 = ANY(redirect_uris) THEN redirect_uris ELSE $2::text || redirect_uris END
      WHERE client_id = $1`,
    [clientId, uri],
  );
  return rowCount === 1;
}

/** The applications, oldest first, of one owner or of all, with what may be seen of their live secrets. */
export function listApplications({ prisma }: Pick<DirectoryDeps, "prisma">, { ownerId }: { ownerId?: string } = {}) {
  return prisma.application.findMany({
    where: ownerId === undefined ? {} : { ownerId },
    orderBy: [{ createdAt: "asc" }, { clientId: "asc" }],
    include: {
      owner: { select: { handle: true } },
      secrets: {
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        orderBy: { createdAt: "desc" },
        select: { id: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      },
    },
  });
}
