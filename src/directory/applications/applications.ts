import type { Application } from "../../db/generated/client.ts";
import { type Db, execute, prepared, queryRow, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { randomId, randomToken, sha256 } from "../../shared/crypto.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import type { Access } from "../access.ts";
import type { DirectoryDeps } from "../deps.ts";
import { checkRedirectUri, redirectUriMatches } from "./redirect-uris.ts";
import { type ApplicationSettings, cleanSettings } from "./settings.ts";

export interface NewApplication
  extends Pick<ApplicationSettings, "name" | "redirectUris">,
    Partial<Omit<ApplicationSettings, "name" | "redirectUris">> {
  ownerId: string;
  rateLimit?: number | null;
  access?: Access;
}

/** Throws KnownError 400 param_error for an invalid name or redirect URI, 409 if the owner has `most` already. */
export async function addApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { ownerId, ...input }: NewApplication,
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): Promise<{ clientId: string; clientSecret: string }> {
  const clientSecret = randomToken();
  const data = {
    redirectMatch: "exact",
    tokenFlow: false,
    webConnect: false,
    rotatesItself: false,
    rateLimit: null,
    ...input,
    ...cleanSettings(input),
    clientId: randomId(),
    ownerId,
    secrets: { create: { hash: sha256(clientSecret) } },
  } as const;
  await prisma.$transaction(async (tx) => {
    // Serializes concurrent registrations by the same owner.
    await tx.$queryRaw`SELECT 1 FROM directory."user" WHERE id = ${ownerId} FOR NO KEY UPDATE`;
    if ((await tx.application.count({ where: { ownerId } })) >= most)
      throw new KnownError(
        409,
        "param_error",
        t("You have {most, number} applications already. Delete one that you no longer need.", { most }),
      );
    await tx.application.create({ data });
  });
  return { clientId: data.clientId, clientSecret };
}

/**
 * Deletes pending authorization requests that the new settings no longer allow, because consent applies to the stored
 * request. Throws KnownError 400 param_error for an invalid name or redirect URI, 404 for an unknown application.
 */
export async function updateApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  changes: Partial<ApplicationSettings>,
): Promise<void> {
  const data = { ...changes, ...cleanSettings(changes) };
  await prisma.$transaction(async (tx) => {
    const [application] = await tx.application.updateManyAndReturn({ where: { clientId }, data });
    if (!application) throw notFound(UNKNOWN_CLIENT);
    const waiting = await tx.authorizationRequest.findMany({ where: { clientId, decidedAt: null } });
    // An empty URI (web connect) means the first one, which changes with the list.
    const goesWhereItDid = (uri: string) =>
      uri === "" ? application.webConnect && changes.redirectUris === undefined : redirectUriMatches(application, uri);
    const isOver = ({ redirectUri, responseType }: (typeof waiting)[number]) =>
      !goesWhereItDid(redirectUri) || (responseType === "token" && !application.tokenFlow);
    await tx.authorizationRequest.deleteMany({ where: { id: { in: waiting.filter(isOver).map(({ id }) => id) } } });
  });
}

/** Also deletes its users' tokens and consents, provider ids and annotations. Throws KnownError 404. */
export async function removeApplication({ prisma }: Pick<DirectoryDeps, "prisma">, clientId: string): Promise<void> {
  const { count } = await prisma.application.deleteMany({ where: { clientId } });
  if (count === 0) throw notFound(UNKNOWN_CLIENT);
}

export const UNKNOWN_CLIENT = "There is no application with this client id.";

export type ShownApplication = Application & { owner: string };

export async function findApplication(db: Db, clientId: string): Promise<ShownApplication | undefined> {
  if (!isPlainId(clientId)) return undefined;
  return queryRow<ShownApplication>(prepared(db))`
    SELECT ${APPLICATION_COLUMNS}, u.handle AS owner
      FROM directory.application a JOIN directory."user" u ON u.id = a.owner_id WHERE a.client_id = ${clientId}`;
}

const APPLICATION_COLUMNS = sql`a.client_id AS "clientId", a.name, a.owner_id AS "ownerId", a.redirect_uris AS "redirectUris",
  a.redirect_match AS "redirectMatch", a.token_flow AS "tokenFlow", a.web_connect AS "webConnect",
  a.rotates_itself AS "rotatesItself", a.rate_limit AS "rateLimit", a.access,
  a.requested_at AS "requestedAt", a.created_at AS "createdAt"`;

/** Keeps invalid ids (NUL, 10 KB) away from the database. */
export const isPlainId = (id: string) => /^[\w-]{1,64}$/.test(id);

/** Puts a redirect URI first, unless the application has it. Returns false for an unknown application. */
export async function ensureRedirectUri(db: Db, clientId: string, uri: string): Promise<boolean> {
  checkRedirectUri(uri);
  const count = await execute(db)`
    UPDATE directory.application
       SET redirect_uris = CASE WHEN ${uri} = ANY(redirect_uris) THEN redirect_uris ELSE ${uri}::text || redirect_uris END
     WHERE client_id = ${clientId}`;
  return count === 1;
}

/** Lifts the default rate limit (a limit set for the application stays), and allows it to change its own secret. */
export async function liftRestrictions(db: Db, clientId: string): Promise<void> {
  await execute(db)`
    UPDATE directory.application SET rate_limit = coalesce(rate_limit, 0), rotates_itself = true
     WHERE client_id = ${clientId}`;
}

interface Wanted {
  ownerId?: string;
  /** Matches part of the name or of the owner's handle, or the whole client id. */
  query?: string;
  isForOperator?: boolean;
  skip?: number;
  take?: number;
}

export function listApplications(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { ownerId, query = "", isForOperator = false, ...page }: Wanted = {},
) {
  const has = { contains: query.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const; // Prisma does not escape for LIKE
  return prisma.application.findMany({
    where: {
      ...(ownerId === undefined ? {} : { ownerId }),
      ...(query === "" ? {} : { OR: [{ name: has }, { owner: { handle: has } }, { clientId: query }] }),
    },
    orderBy: isForOperator
      ? [{ requestedAt: { sort: "asc", nulls: "last" } }, { createdAt: "desc" }, { clientId: "asc" }]
      : [{ createdAt: "asc" }, { clientId: "asc" }],
    ...page,
    include: {
      owner: { select: { handle: true } },
      _count: { select: { authorizations: true } },
      secrets: {
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        orderBy: { createdAt: "desc" },
        select: { id: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      },
      accessEvents: { orderBy: { id: "desc" }, take: 1, select: { why: true } },
    },
  });
}

export type ListedApplication = Awaited<ReturnType<typeof listApplications>>[number];

/** Returns when a live secret was last used. Calls with users' tokens do not count. */
export const lastUse = ({ secrets }: { secrets: { lastUsedAt: Date | null }[] }): Date | undefined =>
  secrets
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .sort((one, other) => other.getTime() - one.getTime())
    .at(0);
